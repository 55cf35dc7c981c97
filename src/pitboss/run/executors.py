"""Who plays the chunks of a simulation: threads of this process, a GPU, or (in `cluster`) machines elsewhere."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from pitboss.core.errors import PitbossError, unknown
from pitboss.run.device import DEVICES, Gpu
from pitboss.run.work import Chunks, Played, Work

AHEAD = 4  # chunks for each thread that may be done before their turn


class Executor(Protocol):
    """Plays chunks somewhere."""

    threads: int  # of this process

    def begin(self, work: Work) -> None:
        """Get ready, so that the clock measures play."""

    def run(self, work: Work, chunks: Chunks, rows: bool) -> Generator[Played | None, None, None]:
        """Play the chunks; they come back in their order, with their rows if these are wanted. None now and then
        asks whether to go on, where a chunk may be long in coming."""

    def report(self) -> dict[str, Any]:
        """Who has played how much, for JSON."""


class Threads:
    """Plays here, on as many threads as there are cores if their number is left out."""

    def __init__(self, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise PitbossError(f"the number of threads must be 1 or more, not {threads}")
        self.threads = threads or os.cpu_count() or 1

    def begin(self, work: Work) -> None:
        if work.python:
            self.threads = 1
        work.job.warm_up()  # compiles

    def report(self) -> dict[str, Any]:
        return {"name": "threads"}

    def run(self, work: Work, chunks: Chunks, rows: bool) -> Generator[Played | None, None, None]:
        if self.threads == 1:
            for chunk in chunks:
                yield work.play(chunk, rows)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            ahead: deque[Future[Played]] = deque()
            try:
                for chunk in chunks:
                    ahead.append(pool.submit(work.play, chunk, rows))
                    if len(ahead) > AHEAD * self.threads:
                        yield ahead.popleft().result()
                while ahead:
                    yield ahead.popleft().result()
            finally:
                for future in ahead:
                    future.cancel()


class OnGpu:
    """Plays on the current CUDA device, with compiled built-in bots."""

    threads = 0

    def begin(self, work: Work) -> None:
        self._gpu = Gpu(work.game, work.entrants, work.key, work.rotations, work.job.rows)

    def report(self) -> dict[str, Any]:
        return {"name": "cuda"}

    def run(self, work: Work, chunks: Chunks, rows: bool) -> Generator[Played | None, None, None]:
        if rows:
            raise PitbossError("games that a GPU plays are summed up there; to write them to a file, use `device=cpu`")
        first = chunks.begin
        for sums, counts in self._gpu.run(chunks.begin, chunks.end, chunks.size):
            yield Played(first, sums, counts, None)
            first += sums.blocks


def playing_on(device: str, threads: int | None) -> Executor:
    """What plays on a device: threads of the CPU, or a GPU."""
    if device not in DEVICES:
        raise PitbossError(unknown("device", device, DEVICES))
    return OnGpu() if device == "cuda" else Threads(threads)

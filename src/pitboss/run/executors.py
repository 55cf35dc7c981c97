"""Who works on an order: threads of this process, a GPU, worker processes (`processes`), or a cluster (`cluster`).

An order says what is to be played: the chunks of a simulation, or the matches of a tournament (`work.Order`).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, Protocol, TypeAlias

from pitboss.core.compile import interpreted
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.types import Data
from pitboss.run.device import DEVICES, Gpu
from pitboss.run.work import Chunks, Order, Played, Unit, Work

AHEAD = 4  # tasks for each thread that may be done before their turn

Results: TypeAlias = Generator[list[Any] | None, None, None]


class Executor(Protocol):
    """Plays the units of an order somewhere."""

    threads: int  # of this process

    def run(self, order: Order, units: Iterable[Unit], in_order: bool = False) -> Results:
        """Play; what came of some units at a time, if need be in their order. First comes None, when all is ready.
        None now and then asks whether to go on. Closing the generator stops everything."""

    def report(self) -> Data:
        """Who has played how much, for JSON."""


def tasks(order: Order, units: Iterable[Unit]) -> Iterator[list[Unit]]:
    """Units in handy parts."""
    rest = iter(units)
    for first in rest:
        yield [first, *islice(rest, order.per_task - 1)]


class Threads:
    """Plays here, on as many threads as there are cores if their number is left out, and the order allows it."""

    def __init__(self, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise PitbossError(f"the number of threads must be 1 or more, not {threads}")
        self.threads = threads or os.cpu_count() or 1

    def report(self) -> Data:
        return {"name": "threads"}

    def run(self, order: Order, units: Iterable[Unit], in_order: bool = False) -> Results:
        player = order.open()
        self.threads = 1 if order.single else self.threads
        try:
            yield None
            if self.threads == 1 or interpreted():  # in plain Python threads wait for one another
                yield from map(player.play_all, tasks(order, units))
                return
            with ThreadPoolExecutor(self.threads) as pool:
                ahead: deque[Future[list[Any]]] = deque()
                try:
                    for task in tasks(order, units):
                        ahead.append(pool.submit(player.play_all, task))
                        if len(ahead) > AHEAD * self.threads:
                            yield ahead.popleft().result()
                    while ahead:
                        yield ahead.popleft().result()
                finally:
                    for future in ahead:
                        future.cancel()
        finally:
            player.close()


class OnGpu:
    """Plays simulations on the current CUDA device, with compiled built-in bots."""

    threads = 0

    def report(self) -> Data:
        return {"name": "cuda"}

    def run(self, order: Order, units: Iterable[Unit], in_order: bool = False) -> Results:
        assert isinstance(order, Work)
        assert isinstance(units, Chunks)
        gpu = Gpu(order.game, order.entrants, order.key, order.rotations, order.job.rows)
        if order.rows:
            raise PitbossError("games that a GPU plays are summed up there; to write them to a file, use `device=cpu`")
        yield None
        first = units.begin
        for sums, counts in gpu.run(units.begin, units.end, units.size):
            yield [Played(first, sums, counts, None)]
            first += sums.blocks


def playing_on(device: str, threads: int | None) -> Executor:
    """What plays on a device: threads of the CPU, or a GPU."""
    if device not in DEVICES:
        raise PitbossError(unknown("device", device, DEVICES))
    return OnGpu() if device == "cuda" else Threads(threads)

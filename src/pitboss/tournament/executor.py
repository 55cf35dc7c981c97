"""Who plays: this process, or several. Matches to play go in, rows come out, in whatever order.

Everything a tournament needs of an executor is `run`; one that reaches other machines needs no more.
Only the caller writes to the store. A worker that dies is replaced, and its matches are played again.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeAlias

from pitboss.core import launch
from pitboss.core.errors import PitbossError
from pitboss.tournament.match import MatchRow, Plan, Worker
from pitboss.tournament.schedule import Sitting

Job: TypeAlias = tuple[int, Sitting, int]  # the number of a sitting, the sitting, and a rotation: one match
Done: TypeAlias = tuple[int, Sitting, MatchRow]

AHEAD = 2  # chunks that a worker process holds, so that it never waits for the next one
CHUNK_GAMES = 100  # of built-in bots: enough that handing them over costs nothing


class Executor(Protocol):
    """Plays matches somewhere."""

    @property
    def workers(self) -> int:
        """How many play at once."""

    def run(self, plan: Plan, jobs: Iterable[Job]) -> Iterator[list[Done]]:
        """Play the jobs; what is done comes back in parts. Closing the iterator stops everything."""


class Serial:
    """Plays in this process."""

    workers = 1

    def run(self, plan: Plan, jobs: Iterable[Job]) -> Iterator[list[Done]]:
        with Worker(plan) as worker:
            for chunk in chunks(plan, jobs):
                yield play_all(worker, chunk)


class Processes:
    """Plays in worker processes on this machine."""

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise PitbossError(f"the number of workers must be 1 or more, not {workers}")
        self.workers = workers

    def run(self, plan: Plan, jobs: Iterable[Job]) -> Iterator[list[Done]]:
        waiting = chunks(plan, jobs)
        again: deque[list[Job]] = deque()  # chunks of workers that died
        deaths = started = 0
        team: list[_Process] = []
        try:
            while True:
                for chunk in iter(lambda: again.popleft() if again else next(waiting, None), None):
                    free = min(team, key=lambda w: len(w.holds), default=None)
                    if free is None or (free.holds and len(team) < self.workers):
                        free = _Process(plan, *_cores(plan, self.workers, started))
                        started += 1
                        team.append(free)
                    free.give(chunk)
                    if all(len(w.holds) >= AHEAD for w in team) and len(team) == self.workers:
                        break
                busy = [w for w in team if w.holds]
                if not busy:
                    return
                ready = wait([w.pipe for w in busy])
                for worker in [w for w in busy if w.pipe in ready]:
                    try:
                        yield worker.take()
                    except (EOFError, ConnectionError):
                        deaths += 1
                        if deaths > 3:
                            raise PitbossError(
                                "worker processes die again and again (is there enough memory? try fewer `workers`); "
                                "what was played is kept"
                            ) from None
                        again.extend(worker.holds)
                        team.remove(worker)
                        worker.close()
        finally:
            for worker in team:
                worker.close()


def play_all(worker: Worker, chunk: Iterable[Job]) -> list[Done]:
    """The matches of a chunk, played."""
    return [(number, sitting, worker.play(sitting, rotation)) for number, sitting, rotation in chunk]


def chunks(plan: Plan, jobs: Iterable[Job]) -> Iterator[list[Job]]:
    """Jobs in handy parts: many where all bots are built in and quick, one by one where each takes a while."""
    built_in = all(contestant.kind == "built-in" for contestant in plan.contestants)
    count = max(1, CHUNK_GAMES // plan.best_of) if built_in else 1
    rest = iter(jobs)
    for first in rest:
        yield [first, *islice(rest, count - 1)]


class _Process:
    """One worker process and what it has been given.

    It is a fresh Python that runs this module, not a copy of the caller, so that a tournament can be
    run from a notebook or a script as it is.
    """

    def __init__(self, plan: Plan, core: set[int], aside: set[int]) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self.process = launch.start(
                "pitboss.tournament.executor", str(theirs.fileno()), str(os.getpid()), pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
            self.pipe: Connection[Any, Any] = Connection(ours.detach())
        self.holds: deque[list[Job]] = deque()
        self._send((plan, core, aside))

    def _send(self, what: Any) -> None:
        """A worker that is dead is noticed when its rows are missing."""
        with contextlib.suppress(ConnectionError):
            self.pipe.send(what)

    def give(self, chunk: list[Job]) -> None:
        """One more chunk to play."""
        self.holds.append(chunk)
        self._send(chunk)

    def take(self) -> list[Done]:
        """The rows of the oldest chunk."""
        answer = self.pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        self.holds.popleft()
        return answer  # type: ignore[no-any-return]

    def close(self) -> None:
        """End it, whatever it is doing; its bots end with it."""
        self.pipe.close()
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _cores(plan: Plan, workers: int, number: int) -> tuple[set[int], set[int]]:
    """The core of a worker and of its bots while they play, and the cores that no worker has; empty: no matter which.

    A worker and its bots take turns thousands of times a second, and where each has to wake another core to take its
    turn, that takes longer than most bots think.
    """
    if not hasattr(os, "sched_getaffinity") or all(contestant.inside for contestant in plan.contestants):
        return set(), set()
    cores = sorted(os.sched_getaffinity(0))
    if workers > len(cores):
        return set(), set()
    return {cores[number % workers]}, set(cores[workers:])


def serve(pipe: Connection[Any, Any], driver: int) -> None:
    """What a worker process does until its pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's to handle
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    _die_with(driver)
    try:
        plan, core, aside = pipe.recv()
        if core:
            os.sched_setaffinity(0, core)
        with Worker(plan, aside) as worker:
            while True:
                chunk: list[Job] = pipe.recv()
                pipe.send(play_all(worker, chunk))
    except (EOFError, ConnectionError):
        return
    except PitbossError as problem:
        pipe.send(problem)
    finally:
        pipe.close()


def _die_with(driver: int) -> None:
    """On Linux, end when the driver ends, even if it is killed in the middle of our work."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM)
        if os.getppid() != driver:
            sys.exit(0)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), int(sys.argv[2]))

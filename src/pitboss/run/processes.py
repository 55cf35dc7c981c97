"""Worker processes on this machine. One that dies is replaced, and what it had not finished is played again."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterable
from multiprocessing.connection import Connection, wait
from typing import Any

from pitboss.core import launch
from pitboss.core.errors import PitbossError
from pitboss.core.types import Data
from pitboss.run.executors import Results, tasks
from pitboss.run.work import Order, Unit

AHEAD = 2  # tasks that a worker process holds, so that it never waits for the next one


class Processes:
    """Plays in worker processes on this machine, in whatever order they come to it."""

    threads = 0

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise PitbossError(f"the number of workers must be 1 or more, not {workers}")
        self.workers = workers

    def report(self) -> Data:
        return {"name": "processes"}

    def run(self, order: Order, units: Iterable[Unit], in_order: bool = False) -> Results:
        if in_order:
            raise PitbossError("worker processes play tournaments; for simulations use `threads`, a GPU or a cluster")
        waiting = tasks(order, units)
        again: deque[list[Unit]] = deque()  # tasks of workers that died
        deaths = started = 0
        team: list[_Process] = []
        try:
            yield None
            while True:
                for task in iter(lambda: again.popleft() if again else next(waiting, None), None):
                    free = min(team, key=lambda w: len(w.holds), default=None)
                    if free is None or (free.holds and len(team) < self.workers):
                        free = _Process(order, *_cores(order, self.workers, started))
                        started += 1
                        team.append(free)
                    free.give(task)
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


class _Process:
    """One worker process and what it has been given.

    It is a fresh Python that runs this module, not a copy of the caller, so that a tournament can be
    run from a notebook or a script as it is.
    """

    def __init__(self, order: Order, core: set[int], aside: set[int]) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self.process = launch.start(
                "pitboss.run.processes", str(theirs.fileno()), str(os.getpid()), pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
            self.pipe: Connection[Any, Any] = Connection(ours.detach())
        self.holds: deque[list[Unit]] = deque()
        self._send((order, core, aside))

    def _send(self, what: object) -> None:
        """A worker that is dead is noticed when its results are missing."""
        with contextlib.suppress(ConnectionError):
            self.pipe.send(what)

    def give(self, task: list[Unit]) -> None:
        """One more task to play."""
        self.holds.append(task)
        self._send(task)

    def take(self) -> list[object]:
        """The results of the oldest task."""
        answer = self.pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        self.holds.popleft()
        return answer  # type: ignore[no-any-return]

    def close(self) -> None:
        """End it, whatever it is doing; its bots end with it."""
        self.pipe.close()
        if not self.holds:  # it has nothing to do, and leaves by itself
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _cores(order: Order, workers: int, number: int) -> tuple[set[int], set[int]]:
    """The core of a worker and of its bots while they play, and the cores that no worker has; empty: no matter which.

    A worker and its bots take turns thousands of times a second, and where each has to wake another core to take its
    turn, that takes longer than most bots think.
    """
    if not hasattr(os, "sched_getaffinity") or not order.pinned:
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
        order, core, aside = pipe.recv()
        if core:
            os.sched_setaffinity(0, core)
        with contextlib.closing(order.open(False, aside)) as player:
            while True:
                pipe.send(player.play_all(pipe.recv()))
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

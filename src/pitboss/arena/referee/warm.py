"""The processes that make others: the zygote, and for each bot from a file a warm one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from pitboss.arena.referee import wire
from pitboss.arena.referee.endings import Ended, Ending, Limits
from pitboss.arena.referee.keeper import Keeper
from pitboss.arena.referee.process import Child
from pitboss.table.compile import PACKAGE, cache_folder
from pitboss.table.errors import PitbossError
from pitboss.table.game import Game

LIVES = 1  # how often a bot is imported again whose warm process failed: it may not be the bot's fault
PATIENCE = 300.0  # seconds for the zygote to get ready: it may have to compile the game


class Zygote:
    """`python -m pitboss.arena.referee.host`: a fresh Python that knows the game and no secret."""

    def __init__(self, game: Game, limits: Limits) -> None:
        self.limits = limits
        ours, theirs = socket.socketpair()
        output, printed = os.pipe()
        path = [str(PACKAGE.parent), *(os.path.abspath(place) for place in sys.path)]
        environment = {
            "PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
            "LANG": "C.UTF-8", "PITBOSS_QUIET": "1", "PITBOSS_CACHE": str(cache_folder().parent),
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
            **{name: os.environ[name] for name in ("NUMBA_DISABLE_JIT", "PATH") if name in os.environ},
        }  # fmt: skip
        with theirs:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-m", "pitboss.arena.referee.host"],
                stdin=theirs.fileno(), stdout=printed, stderr=printed, env=environment, cwd="/", start_new_session=True,
            )  # fmt: skip
        os.close(printed)
        self.keeper = Keeper(self._popen.pid, ours, output, limits)
        self.keeper.most_memory = sys.maxsize  # it is one of us, and compiling takes what it takes
        try:
            self.keeper.ask(wire.frame(wire.Setup(str(game), path, limits.memory)), PATIENCE)
        except Ended as problem:
            printed_text = self.keeper.take_output()
            self.close()
            raise PitbossError(f"the process for bots does not start: {problem.text}; {printed_text}") from problem

    @property
    def alive(self) -> bool:
        """Whether it can be asked for more."""
        return self.keeper.alive and self._popen.poll() is None

    def make(self, message: Any, given: Sequence[int]) -> int:
        """A new process; its number."""
        return self.keeper.make(message, given, PATIENCE)

    def exit_code(self, pid: int) -> int | None:
        """How a process that it made has ended."""
        return self.keeper.exit_code(pid)

    def close(self) -> None:
        """End it, and with it everything that it made."""
        if self.keeper.alive:
            self.keeper.close()
        try:
            self._popen.wait(5)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


class Warm:
    """A process that has one bot's file imported, and makes a child of itself for every game.

    A bot that cannot be imported is remembered as such: whoever asks for a child is told why.
    """

    def __init__(self, zygote: Zygote, path: str, call: str | None, folder: str) -> None:
        self.zygote, self._path, self._call, self._folder = zygote, path, call, folder
        self._keeper: Keeper | None = None
        self._broken: Ended | None = None
        self._lives = LIVES
        self._children: list[Child] = []  # those that play, and those not yet buried
        self.loaded = wire.Loaded(False, False)
        self.names: list[str] | None = None
        try:
            self._import()
        except Ended as problem:
            self._broken = problem
            self.close()

    def _start(self) -> Keeper:
        limits = self.zygote.limits
        ours, theirs = socket.socketpair()
        output, printed = os.pipe()
        message = wire.Warm(self._path, self._folder)
        try:
            pid = self.zygote.make(message, [theirs.detach(), printed])
            ours.settimeout(PATIENCE)
            _, given = wire.receive(ours, msgspec.msgpack.Decoder(wire.Started))
        except (Ended, EOFError, TimeoutError, OSError) as problem:
            ours.close()
            os.close(output)
            raise PitbossError(f"no process could be made for a bot: {problem}") from problem
        keeper = Keeper(pid, ours, output, limits)
        if given:
            keeper.listener = given[0]
            keeper.watch_forks(given[0])
        return keeper

    def _import(self) -> None:
        self._keeper = self._start()
        start = self.zygote.limits.start
        if self._call is None:
            answer = self._keeper.ask(wire.frame(wire.List(self._path)), start)
            if isinstance(answer, wire.Names):
                self.names = [name for name in answer.names if name.isidentifier()]
                return
        else:
            text = f"{self._path}:{self._call}" if self._call else self._path
            answer = self._keeper.ask(wire.frame(wire.Load(text)), start)
            if isinstance(answer, wire.Loaded):
                self.loaded = answer
                return
        raise Ended(Ending.PROTOCOL, "it answered something else than it was asked when it was imported")

    @property
    def alive(self) -> bool:
        """Whether there is a process, and not only the memory of how it failed."""
        return self._broken is None

    @property
    def problem(self) -> str:
        """Why there is none, or nothing."""
        return self._broken.text if self._broken else ""

    def child(self) -> Child:
        """A process for one game; Ended if there cannot be one."""
        if self._broken is not None:
            raise self._broken
        ours: list[int] = []
        try:
            keeper = self._fresh()
            keeper.wake()
            keeper.verify_alone()
            (their_in, our_out), (our_in, their_out), (our_log, their_log) = os.pipe(), os.pipe(), os.pipe()
            ours = [our_in, our_out, our_log]
            pid = keeper.make(wire.Fork(), [their_in, their_out, their_log], self.zygote.limits.start)
            keeper.rest()
            if any(child.pid == pid for child in self._children):
                raise Ended(Ending.PROTOCOL, "it was asked for a new process, and named one that it made before")
        except Ended as problem:
            for descriptor in ours:
                os.close(descriptor)
            self._lives -= 1
            self._broken = problem if self._lives < 0 else None
            self.close()
            raise
        child = Child(pid, our_in, our_out, our_log, self.zygote.limits)
        self._children.append(child)
        if keeper.listener is not None:
            child.watch_forks(keeper.listener)
        return child

    def _fresh(self) -> Keeper:
        """The process, in which nothing can be found of games that are over: if one has left
        something (or the process is gone), the bot is imported once more."""
        over = [child for child in self._children if not child.alive]
        self._children = [child for child in self._children if child.alive]
        assert self._keeper is not None
        if [child for child in over if not child.bury()] or not self._keeper.alive:
            self._keeper.kill()
            self._import()
        return self._keeper

    def exit_code(self, pid: int) -> int | None:
        """How a child has ended, as far as it can be known."""
        return self.zygote.exit_code(pid)

    def close(self) -> None:
        """End it and all of its children."""
        if self._keeper is not None:
            self._keeper.kill()
        for child in self._children:
            child.kill()
            child.close()
        self._children.clear()

"""Templates: processes that have a bot's file imported, and fork a player for every game.

    template = Template(supervisor, Source(path, call="Careful(limit=30)"))
    player = template.player()     # a fresh process for one game

Each fork is granted here, and each player gets its open files from here: see `inside` for the other side.
"""

from __future__ import annotations

import os
import time

from pitboss.sandbox import calls, wire
from pitboss.sandbox.confine import FILES
from pitboss.sandbox.limits import Ended, Ending
from pitboss.sandbox.listener import Listener, Question
from pitboss.sandbox.process import LINUX, LOOK, Process, raise_failure, stat
from pitboss.sandbox.supervisor import PATIENCE, Sandbox, Source, Supervisor, sockets, started

LIVES = 1  # how often a bot is imported again whose template failed: it may not be the bot's fault
PLACES = 4  # open files of a player: nothing, its output twice, its socket


class Template:
    """A process that has one bot's file imported, and forks a player for every game.

    A bot that cannot be imported is remembered as such: whoever asks for a player is told why.
    """

    def __init__(self, supervisor: Supervisor, source: Source, names_only: bool = False) -> None:
        self.supervisor, self.source, self._names_only = supervisor, source, names_only
        self.events = self.end = False  # whether the bot wants to be told
        self.names: list[str] | None = None
        self.held: list[str] = []  # layers of the sandbox that are in force
        self._broken: Ended | None = None
        self._lives = LIVES
        self._players: list[Process] = []
        self._process: Process | None = None
        try:
            self._import()
        except Ended as problem:
            self._broken = problem
            self.close()

    def _import(self) -> None:
        supervisor = self.supervisor
        self._output = output, printed = os.pipe()
        os.set_blocking(output, False)
        self._nursery, theirs = sockets(names_sender=True)
        try:
            self._sandbox = sandbox = Sandbox(supervisor, self.source, [os.dup(printed), theirs.detach()])
        except Ended:
            self._close_output()
            raise
        self.held = sandbox.held
        reader = sandbox.control.detach()
        self._process = process = Process(sandbox.pid, reader, reader, os.dup(output), supervisor.limits)
        process.meanwhile.append(self._refuse)
        self._asking: Question | None = None  # the template, which waits for leave to fork
        self._newborn: Question | None = None  # a player, which waits for its files
        self._granted, self._forks = False, 0
        process.send((wire.NAMES if self._names_only else wire.LOAD) + self._text.encode())
        answer = process.receive(supervisor.limits.start)
        raise_failure(answer)
        if self._names_only and answer[:1] == wire.NAMES:
            self.names = [name for name in answer[1:].decode(errors="replace").split("\n") if name.isidentifier()]
        elif not self._names_only and len(answer) == wire.LOADED_FORM.size and answer[:1] == wire.LOADED:
            _, events, end = wire.LOADED_FORM.unpack(answer)
            self.events, self.end = bool(events), bool(end)
        else:
            raise Ended(Ending.PROTOCOL, "it answered something else than it was asked when it was imported")

    @property
    def _text(self) -> str:
        return f"{self.source.path}:{self.source.call}" if self.source.call else self.source.path

    @property
    def alive(self) -> bool:
        """Whether there is a process, and not only the memory of how it failed."""
        return self._broken is None

    @property
    def problem(self) -> str:
        """Why there is none, or nothing."""
        return self._broken.text if self._broken else ""

    # --- asking for leave to fork ---

    def _hear(self, milliseconds: float) -> bool:
        """Accept whoever asks at the listener, and refuse those that may not ask."""
        listener = self._sandbox.listener
        assert listener is not None
        question = listener.asked(milliseconds)
        if question is None:
            return False
        if question.forks and question.pid == self._sandbox.pid and self._asking is None:
            self._asking = question
        elif not question.forks and self._granted and self._newborn is None and self._is_new(question.pid):
            self._newborn = question
        else:
            listener.refuse(question)
        return True

    def _is_new(self, pid: int) -> bool:
        """Whether this is a new player, and neither the template, nor another player, nor a thread of one."""
        self._players = [player for player in self._players if player.alive]
        if pid == self._sandbox.pid or any(player.pid == pid for player in self._players):
            return False
        if self.supervisor.limits.threads:
            try:
                os.close(os.pidfd_open(pid))
            except OSError:
                return False
        return True

    def _refuse(self) -> None:
        """While the bot is imported, or plays, nobody may fork."""
        listener = self._sandbox.listener
        question = None if listener is None else listener.asked()
        while listener is not None and question is not None:
            listener.refuse(question)
            question = listener.asked()

    def prepare(self) -> None:
        """Let it fork the next player while it has nothing else to do; not for while one of its players plays."""
        if self._broken is not None or self._process is None or not self._process.alive:
            return
        if self._sandbox.listener is None or self._granted:
            return
        if self._asking is None:
            self._hear(0)
        if self._asking is not None:
            self._alone()
            self._granted, question, self._asking = True, self._asking, None
            self._sandbox.listener.allow_fork(question)

    def _alone(self) -> None:
        """Refuse to go on if it has threads besides its own: they would work while others play."""
        if self.supervisor.limits.threads and stat(self._sandbox.pid)[17:18] not in ([], ["1"]):
            raise Ended(Ending.PROTOCOL, "it left a thread running when it was imported; threads belong into start()")

    def player(self) -> Process:
        """A process for one game; Ended if there cannot be one."""
        if self._broken is not None:
            raise self._broken
        try:
            if self._process is None:
                self._import()
            return self._player()
        except Ended as problem:
            self._lives -= 1
            self._broken = problem if self._lives < 0 else None
            self.close()
            raise

    def _gone(self) -> bool:
        return LINUX and stat(self._sandbox.pid)[:1] in ([], ["Z"])

    def _player(self) -> Process:
        """A new process, with a socket of its own; what it prints goes where all players of the template print."""
        listener, limits, output = self._sandbox.listener, self.supervisor.limits, self._output[0]
        ours, theirs = sockets()
        process = None
        try:
            newborn = None if listener is None else self._wait_for_newborn()
            pid = self._forked_when_told(theirs.fileno()) if newborn is None else newborn.pid
            channel = os.dup(ours.fileno())
            process = Process(pid, channel, channel, os.dup(output), limits)
            if self.supervisor.aside:
                os.sched_setaffinity(pid, os.sched_getaffinity(0))
                process.aside = self.supervisor.aside
            if listener is not None and newborn is not None:
                self._give_files(newborn, listener, theirs.fileno())
        except (EOFError, OSError) as problem:
            if process is not None:
                process.kill()
            raise Ended(Ending.CRASH, "its process ended before it was asked anything") from problem
        finally:
            ours.close()
            theirs.close()
        self._granted, self._newborn = False, None
        self._forks += 1
        self._players.append(process)
        process.number = 2 + self._forks if self.supervisor.apart else process.pid
        process.meanwhile.append(self._refuse)
        return process

    def _give_files(self, newborn: Question, listener: Listener, own: int) -> None:
        """Have a new player's socket put into its place, and something harmless into that of every open file that it
        has from its template and should not have: all players would share it. OSError if it has died."""
        output = self._output[1]
        wanted = dict.fromkeys(range(PLACES - 1), output) | {0: self.supervisor.nothing}
        try:
            folder = f"/proc/{newborn.pid}/fd"
            found = [*map(int, os.listdir(folder))]
            kept = [at for at, file in wanted.items() if _same(os.stat(f"{folder}/{at}"), os.fstat(file))]
        except OSError:  # it is not for us to know
            found, kept = list(range(FILES)), []
        files = dict.fromkeys(found, self.supervisor.nothing) | wanted
        listener.give(newborn, {at: file for at, file in files.items() if at not in kept} | {calls.CONTROL: own})

    def _wait_for_newborn(self) -> Question:
        """The next player, which waits for its files, with its template standing still again."""
        limits = self.supervisor.limits
        began, used = time.monotonic(), self._process.cpu() if self._process else 0.0
        while self._newborn is None or self._asking is None:
            self.prepare()
            if self._hear(LOOK * 1000):
                continue
            assert self._process is not None
            waited, spent = time.monotonic() - began, self._process.cpu() - used
            if self._gone():
                raise Ended(Ending.CRASH, "the process that its games come from ended")
            if spent > limits.start or waited > limits.start * limits.wall:
                raise Ended(Ending.STALL, "it was asked for a new process, and did not make one")
        return self._newborn

    def _forked_when_told(self, own: int) -> int:
        """A player where the kernel cannot ask: the template is told to fork, and the player gets its files by post."""
        assert self._process is not None
        output = self._output[1]
        self._nursery.settimeout(PATIENCE)
        self._process.send(b"f")
        wire.send(self._nursery, {}, [self.supervisor.nothing, output, output, own])
        return started(self._nursery)[0]

    def exit_code(self, player: Process) -> int | None:
        """How one of its players has ended, as far as it can be known."""
        return self._sandbox.exit_code(player.number) if player in self._players else None

    def close(self) -> None:
        """End it and all of its players."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            self._sandbox.close()
            self._close_output()

    def _close_output(self) -> None:
        self._nursery.close()
        for descriptor in self._output:
            os.close(descriptor)


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    """Whether two open files are one, or the same device."""
    if one.st_rdev:
        return one.st_rdev == other.st_rdev
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)

"""A seat whose bot is somewhere else: what the referee asks, and what it makes of the answers."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

import msgspec

from pitboss.core.side import Outcome
from pitboss.core.types import GameEvent
from pitboss.sandbox import wire
from pitboss.sandbox.limits import Ended, Ending
from pitboss.sandbox.process import ENDED, Process, raise_failure
from pitboss.sandbox.template import Template
from pitboss.tournament.contestant import Contestant

if TYPE_CHECKING:
    from pitboss.tournament.referee.seats import Referee


MOST_EVENTS = 100  # in one message
WORDY = 25  # decisions of a game, at most, of which all is kept that may be: games can be made long on purpose


class Guest(ABC):
    """One seat at one table. A process is made for every game, and again after a fault."""

    def __init__(self, referee: Referee, contestant: Contestant, seat: int, seats: int) -> None:
        self.referee, self.contestant, self.seat, self.seats = referee, contestant, seat, seats
        self.limits = referee.limits
        self._by_wall = self.limits.clock == "wall"
        self.process: Process | None = None
        self.wants_end = True
        self.meanwhile: Callable[[], None] | None = None  # done now and then while the bot is waited for
        self._ready = False
        self._broken: Ended | None = None
        self._spent: Ended | None = None
        self._seen: list[GameEvent] = []
        self._bank = 0.0
        self._printed, self._room = "", 0
        self._decisions, self._total, self._most = 0, 0.0, 0.0

    @property
    @abstractmethod
    def wants_events(self) -> bool:
        """Whether it wants to be told what happens."""

    @abstractmethod
    def make(self) -> Process:
        """A new process."""

    @abstractmethod
    def hello(self, luck: int) -> bytes:
        """What begins a game."""

    @abstractmethod
    def news(self) -> Iterable[bytes]:
        """Messages that tell what happened since last time."""

    @abstractmethod
    def question(self, number: int, luck: int, raw: bytes, legal: int) -> bytes:
        """What asks for a move."""

    @abstractmethod
    def farewell(self, number: int, outcome: Outcome) -> bytes:
        """What ends a game."""

    @abstractmethod
    def read(self, data: bytes, number: int) -> int:
        """The move in an answer to the message of this number; Ended if it is none."""

    @property
    def times(self) -> tuple[int, float, float]:
        """Decisions, their seconds, the most seconds of one."""
        return self._decisions, self._total, self._most

    def enter(self, luck: int) -> None:
        """A new game. The process gets ready while others do, and is waited for when it is first asked."""
        self._decisions, self._total, self._most = 0, 0.0, 0.0
        self._bank = self.limits.bank or 0.0
        self._room = WORDY * self.limits.output
        self._begin(luck)

    def _begin(self, luck: int) -> None:
        self._ready, self._broken = False, None
        self._seen.clear()
        try:
            self.process = self.make()
            if self.meanwhile is not None:
                self.process.meanwhile.append(self.meanwhile)
            self.process.send(self.hello(luck))
        except Ended as problem:
            self._broken = problem

    def see(self, events: Iterable[GameEvent]) -> None:
        """Keep what happened until the bot is asked."""
        self._seen += events

    def decide(self, number: int, luck: int, raw: bytes, legal: int) -> int:
        """The bot's move; Ended if there is none, and then its process is gone."""
        try:
            process = self.process
            if process is None or not self._ready:
                process = self._get_ready(luck)
            if self._seen:
                self._tell(process)
            process.send(self.question(number, luck, raw, legal))
            try:
                data = process.receive(self.limits.decision + self._bank, self._by_wall)
            finally:
                self._time(process.used)
            return self.read(data, number)
        except Ended as problem:
            raise self._explained(problem) from problem

    def _get_ready(self, luck: int) -> Process:
        """The process, having said that the game can begin."""
        if self._spent is not None:
            raise self._spent
        if self.process is None and self._broken is None:
            self._begin(luck)
        if self._broken is not None:
            raise self._broken
        assert self.process is not None
        self.read(self.process.receive(self.limits.start), 0)
        self._ready = True
        return self.process

    def _tell(self, process: Process) -> None:
        for message in self.news():
            process.send(message)
        self._seen.clear()

    def audit(self) -> None:
        """End the process if it has worked more, while others were asked, than it may when it is asked itself; which is
        when it will be at fault. The others may need the processors."""
        if self.process is not None and self._broken is None:
            try:
                self.process.audit(self.limits.decision + self._bank if self._ready else self.limits.start)
            except Ended as problem:
                self.leave()
                self._spent = problem

    def _time(self, used: float) -> None:
        self._decisions += 1
        self._total += used
        self._most = max(self._most, used)
        self._bank -= max(0.0, min(self._bank, used - self.limits.decision))

    def _explained(self, problem: Ended) -> Ended:
        """The problem, with how the process ended; then it is gone."""
        process, kind, text = self.process, problem.kind, problem.text
        if text == ENDED and process is not None:
            if process.has_ended():
                code = self.exit_code()
                if code is not None:
                    text += f" with exit code {code}" if code >= 0 else f" by signal {-code}"
                if code == -signal.SIGKILL:
                    kind, text = Ending.MEMORY, "the system killed it, most likely because memory ran out"
            else:
                kind, text = Ending.PROTOCOL, "it hung up"
        self.leave()
        return Ended(kind, text)

    @abstractmethod
    def exit_code(self) -> int | None:
        """How the process ended, as far as it can be known."""

    def finish(self, number: int, outcome: Outcome) -> None:
        """Tell the bot how the game ended, if it wants to know; what it does then matters to nobody."""
        if self.process is None or not self.wants_end or not self._ready:
            return
        with suppress(Ended):
            self._tell(self.process)
            self.process.send(self.farewell(number, outcome))
            self.read(self.process.receive(self.limits.decision), number)

    def take_output(self) -> str:
        """What the bot printed since last time."""
        text = self.process.take_output() if self.process is not None else ""
        text, self._printed = (self._printed + text)[: self._room], ""
        self._room -= len(text)
        return text

    def leave(self) -> None:
        """End the process."""
        self._spent = None
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            self._printed += process.take_output()


class PythonGuest(Guest):
    """A bot from a Python file."""

    _answered = True  # and printed something, as far as it says

    @property
    def wants_events(self) -> bool:
        return self._template.events

    @property
    def _template(self) -> Template:
        return self.referee.template(self.contestant)

    def make(self) -> Process:
        template = self._template
        self.wants_end = template.end
        return template.player()

    def hello(self, luck: int) -> bytes:
        return wire.BEGIN_FORM.pack(wire.BEGIN, self.seat, luck)

    def news(self) -> Iterable[bytes]:
        for i in range(0, len(self._seen), MOST_EVENTS):
            yield wire.EVENTS + _encode([asdict(event) for event in self._seen[i : i + MOST_EVENTS]])

    def question(self, number: int, luck: int, raw: bytes, legal: int) -> bytes:
        return wire.decide(number, luck, legal, raw)

    def farewell(self, number: int, outcome: Outcome) -> bytes:
        return wire.FINISH + _encode([number, asdict(outcome)])

    def read(self, data: bytes, number: int) -> int:
        if len(data) != wire.MOVED_FORM.size or data[:1] != wire.MOVED:
            self._answered = True
            raise_failure(data)
            raise Ended(Ending.PROTOCOL, f"its answer cannot be read: {data[:20]!r}, {len(data)} bytes")
        _, answered, move, printed = wire.MOVED_FORM.unpack(data)
        self._answered = self._answered or bool(printed)
        if answered != number:
            raise Ended(Ending.PROTOCOL, "it answered something else than it was asked")
        return int(move)

    def take_output(self) -> str:
        """What the bot printed since last time; it is not looked for where the bot says that there is nothing."""
        if not self._answered and not self._printed:
            return ""
        self._answered = False
        return super().take_output()

    def leave(self) -> None:
        if self.process is not None:
            self._answered = True
            super().leave()
            with suppress(Ended):  # whoever asks for the next player is told
                self._template.prepare()

    def exit_code(self) -> int | None:
        return self._template.exit_code(self.process) if self.process is not None else None


_encode = msgspec.json.Encoder().encode

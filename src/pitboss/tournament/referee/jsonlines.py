"""Programs in any language: a line of JSON goes in, a line of JSON comes out (docs/reference/protocol.md).

{"type": "hello", "id": 0, "protocol": 1, "game": "flip7:tournament", "rules": {…}, "seat": 0, …}
{"id": 0}
{"type": "decide", "id": 1, "question": "Hit or stay?", "legal": ["stay", "hit"], …, "view": {…}}
{"id": 1, "move": "hit"}
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any, TypeAlias

import msgspec

from pitboss.core.errors import BotError, PitbossError
from pitboss.core.side import Outcome
from pitboss.core.types import Data, GameView
from pitboss.former import view_as_dict
from pitboss.sandbox import wire
from pitboss.sandbox.limits import Ended, Ending
from pitboss.sandbox.process import Process
from pitboss.sandbox.supervisor import Sandbox, program
from pitboss.tournament.referee.guests import Guest

PROTOCOL = 1


Move: TypeAlias = Annotated[int, msgspec.Meta(ge=-(1 << 62), le=1 << 62)]  # compiled code takes 64 bits at most


class Reply(msgspec.Struct):
    """What a program may answer; other fields are left alone."""

    id: int
    move: str | Move | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Reply).decode


class LineProcess(Process):
    """A process whose messages are lines, on pipes."""

    _data = b""

    def receive(self, limit: float, by_wall: bool = False) -> bytes:
        while True:
            line, newline, rest = self._data.partition(b"\n")
            if len(line) > wire.MOST:
                raise Ended(Ending.PROTOCOL, f"its line has no end after {wire.MOST} bytes")
            if newline:
                self._data = b""
                if rest:
                    raise Ended(Ending.PROTOCOL, "it sent more than one answer")
                return line
            self._data += super().receive(limit, by_wall)

    def look(self, limit: float, waited: float, by_wall: bool) -> None:
        try:
            super().look(limit, waited, by_wall)
        except Ended as problem:
            if problem.kind is Ending.STALL:
                problem.text += "; does it flush what it writes?"
            raise


class CommandGuest(Guest):
    """A program that is started anew for every game."""

    wants_events = True
    _verified = False  # that the program is what was entered

    _sandbox: Sandbox | None = None

    def make(self) -> Process:
        supervisor = self.referee.supervisor
        if not self._verified:
            self.contestant.verify_source()
            self._verified = True
        self._sandbox, (reader, writer, output) = program(supervisor, self.contestant.sandboxed)
        return LineProcess(self._sandbox.pid, reader, writer, output, self.limits)

    def leave(self) -> None:
        super().leave()
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def _line(self, **fields: Any) -> bytes:
        return _encode(fields) + b"\n"

    def hello(self, luck: int) -> bytes:
        game = self.referee.game
        rules = {name: getattr(game.rules, name) for name in game.rules.switches()}
        return self._line(
            type="hello", id=0, protocol=PROTOCOL, game=str(game), name=self.contestant.name, seat=self.seat,
            seats=self.seats, rules=rules, words=game.words(), seed=luck >> 11, time_limit=self.limits.decision,
        )  # fmt: skip

    def question(self, number: int, luck: int, raw: bytes, legal: int) -> bytes:
        game = self.referee.game
        view = game.view(raw, self.seat)
        names = [f"seat {seat}" for seat in range(self.seats)]
        return self._line(
            type="decide", id=number, question=view.question, legal=[game.format_move(move) for move in view.legal],
            means=[game.describe_move(view, move, names) for move in view.legal], view=self._plain(view),
        )  # fmt: skip

    def _plain(self, view: GameView) -> Data:
        plain = view_as_dict(view)
        if plain is None:
            game = self.referee.game.name
            raise BotError(f"{game} cannot be played by programs: its views have no to_dict(), which makes them JSON")
        return plain

    def news(self) -> Iterable[bytes]:
        names = [f"seat {seat}" for seat in range(self.seats)]
        for event in self._seen:
            yield self._line(type="event", event={**asdict(event), "text": event.text(names)})

    def farewell(self, number: int, outcome: Outcome) -> bytes:
        return self._line(type="end", id=number, outcome=asdict(outcome))

    def read(self, data: bytes, number: int) -> int:
        try:
            reply = _decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as problem:
            raise Ended(Ending.PROTOCOL, f"{data[:80]!r} is not an answer: {problem}") from problem
        if reply.id != number:
            raise Ended(Ending.PROTOCOL, f"it answered message {reply.id}, and was asked message {number}")
        if number == 0:
            return 0
        if isinstance(reply.move, str):
            try:
                return self.referee.game.parse_move(reply.move[:100])
            except PitbossError as problem:
                raise Ended(Ending.ILLEGAL, str(problem)) from problem
        if reply.move is None:
            raise Ended(Ending.PROTOCOL, "its answer has no move")
        return reply.move

    def finish(self, number: int, outcome: Outcome) -> None:
        """A program need not answer the last message."""
        if self.process is not None and self._ready:
            with suppress(Ended):
                self._tell(self.process)
                self.process.send(self.farewell(number, outcome))

    def exit_code(self) -> int | None:
        if self._sandbox is None:
            return None
        return self._sandbox.exit_code(2 if self.referee.supervisor.apart else self._sandbox.pid)

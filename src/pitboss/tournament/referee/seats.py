"""The referee: seats untrusted bots at a table, and rules a fault when one cannot play.

    with Referee(game) as referee:
        seats = referee.seats(contestants("bots/", game, referee))
        play(game, [], seed=1, seats=seats, faults=True)

Built-in bots answer inside, as ever. A bot from a file or a program in another language lives in a
process of its own (`pitboss.sandbox`), is asked over a socket or a pipe, and can neither hang, nor read, nor write, nor
remember anything beyond its game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from functools import cached_property
from struct import Struct
from typing import Any

from pitboss.core.bot import Bot
from pitboss.core.errors import BotError
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key
from pitboss.core.loop import CLOCK
from pitboss.core.play import Seats
from pitboss.core.side import Outcome
from pitboss.core.text import printable
from pitboss.core.types import GameEvent, GameView
from pitboss.sandbox import wire
from pitboss.sandbox.limits import BotFault, Ended, Ending, Limits
from pitboss.sandbox.supervisor import Source, Supervisor
from pitboss.sandbox.template import Template
from pitboss.tournament.contestant import Contestant, entrant_of
from pitboss.tournament.referee.guests import Guest, PythonGuest
from pitboss.tournament.referee.jsonlines import CommandGuest

__all__ = ["BotFault", "Ended", "Ending", "GuardedSeats", "Limits", "Referee"]

TEMPLATES_KEPT = 32  # processes with an imported bot; beyond that the oldest one ends
assert CLOCK.fields is not None
_DECISIONS, _LUCKS = (CLOCK.fields[name][1] for name in ("decisions", "luck"))  # where they lie in a clock
_NUMBER, _LUCK = Struct("=q"), Struct("=Q")
MOST_FAULT = 2 * wire.MOST_TEXT  # characters of a fault's text


class Referee:
    """Keeps the processes of the bots of one game; to be closed, or used in a `with`."""

    def __init__(
        self, game: Game, limits: Limits | None = None, require_isolation: bool = False, aside: Set[int] = frozenset()
    ) -> None:
        """`aside` are cores that nobody keeps to (see `Supervisor`)."""
        self.game, self.limits, self._aside = game, limits or Limits(), aside
        self.limits.verify()
        if require_isolation:
            from pitboss.sandbox.doctor import examine

            examine().verify_isolated()
        self._supervisor: Supervisor | None = None
        self._templates: dict[str, Template] = {}
        self._playing: GuardedSeats | None = None

    @property
    def supervisor(self) -> Supervisor:
        """Who makes and watches the processes of bots, from when it is first needed."""
        if self._supervisor is not None and not self._supervisor.alive:
            self._close_processes()
        if self._supervisor is None:
            self._supervisor = Supervisor(self.game, self.limits, self._aside)
        return self._supervisor

    def template(self, contestant: Contestant) -> Template:
        """The process that has a bot's file imported (or has failed to, which it remembers)."""
        key = f"{contestant.path}:{contestant.call}"
        supervisor = self.supervisor  # if it had to be made again, so has everything else
        found = self._templates.get(key)
        if found is None:
            contestant.verify_source()
            running = [name for name, template in self._templates.items() if template.alive]
            for name in running[: max(0, len(running) + 1 - TEMPLATES_KEPT)]:
                self._templates.pop(name).close()
            found = self._templates[key] = Template(supervisor, contestant.sandboxed)
        return found

    def bots_in(self, source: Source) -> list[str] | None:
        """The names of the bots in a file, imported where it can do no harm; None if it cannot be."""
        template = Template(self.supervisor, source, names_only=True)
        template.close()
        return template.names

    def seats(self, contestants: Sequence[Contestant]) -> GuardedSeats:
        """A table with these bots; one table at a time can be played at."""
        return GuardedSeats(self, contestants)

    def play_at(self, seats: GuardedSeats) -> None:
        """From now on these are asked; a game left unfinished at another table is over."""
        if self._playing is not None and self._playing is not seats:
            self._playing.leave()
        self._playing = seats

    def close(self) -> None:
        """End all processes."""
        if self._playing is not None:
            self._playing.leave()
            self._playing = None
        self._close_processes()

    def _close_processes(self) -> None:
        for template in self._templates.values():
            template.close()
        self._templates.clear()
        if self._supervisor is not None:
            self._supervisor.close()
            self._supervisor = None

    def __enter__(self) -> Referee:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class _Broken(Bot):
    """Stands in for a bot of the caller's own that could not start."""

    def __init__(self, problem: Exception) -> None:
        self._problem = problem

    def decide(self, view: GameView) -> Any:
        raise self._problem


class GuardedSeats(Seats):
    """The bots of one line-up, untrusted ones each in its own process.

    After a game, `faults` holds (move, seat, ending, text) for every fault, `output` what bots printed
    by the number of the move, and `cpu` for each seat its decisions, its seconds, and the most
    seconds that one took. In a match of several games begin with `new_match`.
    """

    def __init__(self, referee: Referee, contestants: Sequence[Contestant]) -> None:
        super().__init__(referee.game, [entrant_of(c, referee.game) for c in contestants])
        self.referee, self.contestants = referee, list(contestants)
        self.forfeited: set[int] = set()
        self.faults: list[tuple[int, int, Ending, str]] = []
        self.output: dict[int, str] = {}
        self.guests: dict[int, Guest] = {}
        self._asked = -1  # the seat that is
        self._strikes, self._struck = 0, [0] * len(contestants)
        self._absent: set[int] = set()  # who has forfeited, and would have been asked in this game
        for seat, contestant in enumerate(contestants):
            if not contestant.inside:
                kind = PythonGuest if contestant.kind == "python" else CommandGuest
                self.guests[seat] = kind(referee, contestant, seat, len(contestants))
                self.guests[seat].meanwhile = self._audit_others

    @property
    def cpu(self) -> list[tuple[int, float, float]]:
        """For each seat: decisions, their seconds, the most that one took. What runs inside is not timed."""
        return [self.guests[seat].times if seat in self.guests else (0, 0.0, 0.0) for seat in range(len(self.entrants))]

    @cached_property
    def tells_events(self) -> bool:
        """Whether some bot wants to see events."""
        return super().tells_events or any(guest.wants_events for guest in self.guests.values())

    @property
    def tells_end(self) -> bool:
        """Guests are always told: it is when they leave."""
        return True

    def new_match(self, strikes: int = 0) -> None:
        """Faults are counted from here; who has this many (if any number is given) forfeits."""
        self._strikes, self._struck = strikes, [0] * len(self.entrants)
        self.forfeited.clear()

    def start(self, key: Key, deal: int, rotation: int) -> None:
        """A new game: nothing of the last one is left."""
        self.referee.play_at(self)
        self.leave()
        self.begin_luck(key, deal, rotation)
        self.faults, self.output = [], {}
        self._absent.clear()
        for seat, entrant in enumerate(self.entrants):
            if entrant.make:
                self._start_inside(seat, entrant.make)
        guests = [guest for seat, guest in self.guests.items() if seat not in self.forfeited]
        for guest in guests:
            guest.enter(int(self.clock["luck"][0, guest.seat]))

    def _start_inside(self, seat: int, make: Callable[[], Bot]) -> None:
        try:
            self.seat_bot(seat, make())
        except Exception as problem:
            self.bots[seat] = _Broken(problem)

    def decide(self, position: Position, seat: int) -> int:
        self.clock["decisions"] += 1
        if seat in self.forfeited:
            raise self._fault(seat, Ending.FORFEIT, "it has forfeited the match")
        return super().decide(position, seat)

    def ask(self, raw: bytes, seat: int) -> int:
        """The move of the bot at a seat, or BotFault."""
        if seat in self.forfeited:
            raise self._fault(seat, Ending.FORFEIT, "it has forfeited the match")
        guest = self.guests.get(seat)
        if guest is None:
            try:
                return super().ask(raw, seat)
            except BotError as problem:
                raise self._fault(seat, Ending.EXCEPTION, str(problem)) from problem
        number, legal, luck = self._now(seat)
        self._asked = seat
        try:
            return guest.decide(number, luck, raw, legal)
        except Ended as problem:
            raise self._fault(seat, problem.kind, problem.text) from problem
        finally:
            printed = guest.take_output()
            if printed:
                self.output[number - 1] = printed

    def _now(self, seat: int) -> tuple[int, int, int]:
        """The number of this decision, its legal moves as bits, and the seat's luck: read as bytes, which is faster."""
        (number,) = _NUMBER.unpack_from(self._clock_bytes, _DECISIONS)
        (luck,) = _LUCK.unpack_from(self._clock_bytes, _LUCKS + 8 * seat)
        return number, int.from_bytes(self._clock_bytes[CLOCK.itemsize :], "little"), luck

    def _audit_others(self) -> None:
        for seat, guest in self.guests.items():
            if seat != self._asked:
                guest.audit()

    def illegal(self, position: Position, seat: int, move: int) -> BotError:
        sentence = str(super().illegal(position, seat, move))
        if seat in self.guests:
            self.guests[seat].leave()
        return self._fault(seat, Ending.ILLEGAL, sentence)

    def _fault(self, seat: int, kind: Ending, text: str) -> BotFault:
        """Note a fault, and how many there were."""
        who = f"the bot {self.entrants[seat].name} at seat {seat}"
        sentence = printable(text if text.startswith(who) else f"{who}: {kind}: {text}", keep="\n\t")[:MOST_FAULT]
        fault = BotFault(kind, seat, sentence)
        if seat in self._absent:  # which is noted once: there can be thousands of decisions to come
            return fault
        self.faults.append((int(self.clock["decisions"][0]) - 1, seat, kind, sentence))
        if kind is Ending.FORFEIT:
            self._absent.add(seat)
            return fault
        self._struck[seat] += 1
        if self._strikes and self._struck[seat] >= self._strikes:
            self.forfeited.add(seat)
            if seat in self.guests:
                self.guests[seat].leave()
        return fault

    def saw(self, events: Sequence[GameEvent]) -> None:
        """Tell everybody who wants to know, before their next decision."""
        with suppress(BotError):
            super().saw(events)
        for seat, guest in self.guests.items():
            if seat not in self.forfeited and guest.wants_events:
                guest.see(event.seen_by(seat) for event in events)

    def end(self, outcome: Outcome) -> None:
        """Tell everybody how it ended; then the guests are gone."""
        with suppress(BotError):
            super().end(outcome)
        last = int(self.clock["decisions"][0])
        for seat, guest in self.guests.items():
            if seat not in self.forfeited:
                guest.finish(last + 1, outcome)
                printed = guest.take_output()
                if printed:
                    self.output[last - 1] = self.output.get(last - 1, "") + printed
        self.leave()

    def leave(self) -> None:
        """End the processes of a game."""
        for guest in self.guests.values():
            guest.leave()

"""The play loop: seats answer, a dealer deals, a record comes out.

`play` goes move by move and sees every event. `Runner` plays the same games faster, for line-ups
with Python bots that need no events: it comes back from compiled code only for their decisions.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from functools import cached_property
from struct import Struct
from typing import Any, Generic, NoReturn, TypeVar

import numpy as np

from pitboss.core.bot import Bot, Entrant
from pitboss.core.dealer import Dealer, Keyed
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key, Seed
from pitboss.core.legal import some
from pitboss.core.loop import CLOCK, LOG, begin_lucks, clock_dtype
from pitboss.core.luck import Luck
from pitboss.core.record import Record, digest
from pitboss.core.registry import Lineup, line_up, load
from pitboss.core.seating import Loan, seating
from pitboss.core.side import Outcome
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import DEALER, FAULT, OVER
from pitboss.core.types import Array, GameEvent

LOGGED_MOVES = 1 << 16  # longer games are played again, slowly

_GAME = Struct("<QQQQqq")  # the first fields of a clock

Watcher = Callable[[Position, list[Any]], None]


def play(
    spec: str | Game,
    bots: Lineup,
    seed: Seed = None,
    *,
    deal: int = 0,
    rotation: int = 0,
    dealer: Dealer | None = None,
    watch: Watcher | None = None,
    seats: Seats | None = None,
    faults: bool = False,
) -> Record:
    """Play one game and return its record. Seat i is taken by bots[i], or by those of `seats`.

    The seed decides all luck; without one it is random, and `record.key` repeats the game.

    `watch` is called with the position and the events after the start and after every move. A bot
    that fails raises BotError, or, with `faults`, makes the referee's FAULT move.

    >>> play("flip7:solo", ["stay-25"], seed=1).outcome.ended
    'won'
    """
    game = load(spec)
    key = Key.of(seed)
    seats = seats or Seats(game, line_up(bots, game))
    return GameInProgress(seats, key, (deal, rotation), dealer=dealer, watch=watch, faults=faults).finish()


class GameInProgress:
    """A game that goes on by one card or move at a time, and its record; the arguments are those of `play`, with deal
    and rotation as its `place`."""

    def __init__(
        self,
        seats: Seats,
        key: Key,
        place: tuple[int, int] = (0, 0),
        *,
        dealer: Dealer | None = None,
        watch: Watcher | None = None,
        faults: bool = False,
    ) -> None:
        self.game, self.seats, self._watch, self._faults = seats.game, seats, watch, faults
        self.position = self.game.start(len(seats.entrants))
        seats.start(key, *place)
        self.record = Record.begin(self.game, seats.entrants, None if dealer else key, *place)
        self._dealer = dealer or Keyed(key, place[0])
        self._happened()

    def go(self) -> None:
        """One card, or one move of a bot."""
        position, record = self.position, self.record
        if position.to_act == DEALER:
            self.apply(self._dealer.card(position))
            return
        try:
            move = self.seats.decide(position, position.to_act)
        except BotError as problem:
            if not self._faults:
                raise
            record.faults[len(record.moves)] = str(problem)
            move = FAULT
        self.apply(move)

    def finish(self) -> Record:
        """All that is left of the game."""
        while not self.position.over:
            self.go()
        return self.record

    def deal(self) -> None:
        """The cards that are due before somebody has to decide."""
        while self.position.to_act == DEALER:
            self.go()

    def apply(self, move: int) -> None:
        """A card or a move, taken to be legal, and what it causes."""
        position, record = self.position, self.record
        (record.cards if position.to_act == DEALER else record.moves).append(int(move))
        self.game.loops.apply(position.states, self.game.record, int(move), position.buffer)
        self._happened()
        if position.over:
            record.outcome = position.outcome
            self.seats.end(record.outcome)

    def _happened(self) -> None:
        self.record.trail.append(digest(self.position))
        events = self.position.events()
        self.seats.saw(events)
        if self._watch:
            self._watch(self.position, events)


class Seats:
    """The bots of one line-up at one table, and their luck."""

    def __init__(self, game: Game, entrants: Sequence[Entrant]) -> None:
        game.verify_seats(len(entrants))
        self.game, self.entrants = game, list(entrants)
        self.seating = seating(self.entrants, game.view_dtype, game.rules_class.dtype())
        self._go_by(np.zeros(1, clock_dtype(game.step.moves)))
        self.bots: list[Bot | None] = [None] * len(self.entrants)

    def _go_by(self, clock: Array) -> None:
        self.clock, self._clock_bytes = clock, clock.data.cast("B")
        self._luck = Loan(clock.view(np.uint8)[: CLOCK.itemsize].view(CLOCK), self.seating)
        self._rngs = [Luck(clock, seat) if entrant.make else None for seat, entrant in enumerate(self.entrants)]

    def __deepcopy__(self, memo: dict[int, Any]) -> Seats:
        """The same bots in the middle of the same game, to try something out: what they do there stays there."""
        twin = copy(self)
        twin._go_by(deepcopy(self.clock, memo))
        for mine, other in zip(self._rngs, twin._rngs, strict=True):
            if mine and other:
                other.follow(mine)
                memo[id(mine)] = other
        twin.bots = deepcopy(self.bots, memo)
        return twin

    def desk(self, position: Position, log: Array) -> Loan:
        """What `advance` needs to play with these bots at a position; moves are logged as far as `log` reaches."""
        return Loan(position.states, position.views, self.game.record, self.seating, self.clock, log)

    @cached_property
    def tells_events(self) -> bool:
        """Whether some bot wants to see events."""
        return any(e.make().wants_events for e in self.entrants if e.make)

    @cached_property
    def tells_end(self) -> bool:
        """Whether some bot wants to know how games end."""
        return any(type(e.make()).end is not Bot.end for e in self.entrants if e.make)

    def start(self, key: Key, deal: int, rotation: int) -> None:
        """A new game: new Python bots, luck from the beginning."""
        self.begin_luck(key, deal, rotation)
        for seat, entrant in enumerate(self.entrants):
            if entrant.make is None:
                continue
            try:
                self.seat_bot(seat, entrant.make())
            except Exception as problem:
                raise self.failed(seat, problem) from problem

    def begin_luck(self, key: Key, deal: int, rotation: int) -> None:
        """The luck of all seats in a game."""
        _GAME.pack_into(self._clock_bytes, 0, key.high, key.low, key.way, deal, 0, 0)
        begin_lucks(self._luck.place, rotation)

    def seat_bot(self, seat: int, bot: Bot) -> None:
        """Let a new Python bot begin."""
        self.bots[seat], rng = bot, self._rngs[seat]
        assert rng is not None
        rng.begin()
        bot.start(seat, self.game.rules, rng)

    def decide(self, position: Position, seat: int) -> int:
        """The move of the bot at a seat, checked."""
        lucks = self.clock[0]["luck"]
        lucks[seat] = next_luck(lucks[seat])
        entrant = self.entrants[seat]
        self.game.loops.observe(position.states, self.game.record, seat, position.views)
        if entrant.function is None:
            words = self.clock["legal"][0]
            legal = self.game.loops.legal(position.states, self.game.record)
            words[:] = np.frombuffer(int(legal).to_bytes(words.nbytes, "little"), np.uint64)
            move = self.ask(position.views.tobytes(), seat)
        else:
            move = self.call(entrant, position, seat)
        if move < 0 or move not in position.legal:
            raise self.illegal(position, seat, move)
        return move

    def illegal(self, position: Position, seat: int, move: int) -> BotError:
        """The sentence for a bot that made an illegal move."""
        try:
            if move == FAULT:
                raise PitbossError("only the referee can rule a fault")
            position.verify(move)
        except PitbossError as problem:
            return BotError(f"the bot {self.entrants[seat].name} at seat {seat} made an illegal move: {problem}")
        raise AssertionError(f"{move} is legal")

    def call(self, entrant: Entrant, position: Position, seat: int) -> int:
        """The answer of a compiled bot; one that is not built in gets copies, and so can change nothing."""
        assert entrant.function is not None
        bits = np.uint64(luck_bits(self.clock[0]["luck"][seat]))
        views, rules = position.views, self.game.record
        if not entrant.trusted:
            views, rules = views.copy(), rules.copy()
        return int(entrant.function(views[0], rules[0], seat, entrant.params, bits))

    def ask(self, raw: bytes, seat: int) -> int:
        """The answer of the Python bot at a seat to the view with these bytes, as a number."""
        view = self.game.view(raw, seat)
        try:
            move = self.bots[seat].decide(view)  # type: ignore[union-attr]
            if isinstance(move, int) and move is not True and move is not False:
                return +move  # a plain integer, which crosses into compiled code much faster than a subclass
            if isinstance(move, str):
                return int(self.game.parse_move_at(view, move))
        except Exception as problem:
            raise self.failed(seat, problem) from problem
        if not isinstance(move, np.integer):
            raise BotError(
                f"the bot {self.entrants[seat].name} at seat {seat} answered {move!r}, which is no move; "
                f"to {view.question!r} it may answer {some([str(move) for move in view.legal])}"
            )
        return int(move)

    def failed(self, seat: int, problem: Exception) -> BotError:
        """The sentence for a bot that raised, with the last line of its own file that was running."""
        own, place = getattr(sys.modules.get(type(self.bots[seat]).__module__), "__file__", None), ""
        trace = problem.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == own:
                place = f" (line {trace.tb_lineno} of {os.path.basename(own)})"
            trace = trace.tb_next
        who = f"the bot {self.entrants[seat].name} at seat {seat}"
        return BotError(f"{who} raised {type(problem).__name__}: {problem}{place}")

    def saw(self, events: Sequence[GameEvent]) -> None:
        """Tell the Python bots that want to know."""
        for seat, bot in enumerate(self.bots):
            if bot is not None and bot.wants_events:
                for event in events:
                    self._tell(seat, bot.saw, event.seen_by(seat))

    def end(self, outcome: Outcome) -> None:
        """Tell all Python bots how it ended."""
        for seat, bot in enumerate(self.bots):
            if bot is not None:
                self._tell(seat, bot.end, outcome)

    def _tell(self, seat: int, listener: Callable[[Any], None], news: Any) -> None:
        try:
            listener(news)
        except Exception as problem:
            raise self.failed(seat, problem) from problem


S = TypeVar("S", bound=Seats)


class Runner(Generic[S]):
    """Plays whole games of one line-up quickly, Python bots among them.

    A bot that fails raises BotError, or, with `faults`, makes the referee's FAULT move. After a game
    `moves` holds what was played and `faults` why a move is a fault.
    """

    def __init__(self, seats: S, faults: bool = False) -> None:
        self.game: Game = seats.game
        self.seats: S = seats
        self.moves: list[int] = []
        self.faults: dict[int, str] = {}
        self._faults = faults
        self._position = Position(self.game)
        self._log = np.zeros(LOGGED_MOVES, LOG)
        self._desk = seats.desk(self._position, self._log)

    def play(self, key: Key, deal: int, rotation: int, rows: Array) -> tuple[int, int, bool]:
        """One game into rows[seat]: decisions, cards, and whether it was cut."""
        game, seats, position = self.game, self.seats, self._position
        if seats.tells_events:
            return self._play_slowly(key, deal, rotation, rows)
        self.faults = {}
        seats.start(key, deal, rotation)
        game.loops.start(position.states, game.record, len(seats.seating), None)
        decisions = self._go_on()
        if decisions > len(self._log):
            return self._play_slowly(key, deal, rotation, rows)
        self.moves = self._log[:decisions].tolist()
        game.loops.tally(position.states, rows)
        if seats.tells_end:
            seats.end(position.outcome)
        return decisions, int(seats.clock["cards"][0]), position.cut

    def finish(self, world: Position, move: int, key: Key, deal: int, rows: Array) -> None:
        """Make a move in a copy of a position, and play on to the end, into rows[seat]; nobody is told of events."""
        game, position = self.game, self._begin(world, key, deal)
        game.loops.apply(position.states, game.record, move, position.buffer)
        self._go_on()
        game.loops.tally(position.states, rows)

    def play_on(self, world: Position, key: Key, deal: int, rows: Array) -> None:
        """Play on to the end from a copy of a position, into rows[seat]; nobody is told of events."""
        position = self._begin(world, key, deal)
        self._go_on()
        self.game.loops.tally(position.states, rows)

    def _begin(self, world: Position, key: Key, deal: int) -> Position:
        """A copy of a position, at which new bots sit down."""
        self.seats.start(key, deal, 0)
        self._position.states[:] = world.states
        self._position.buffer[0, 0] = 0
        return self._position

    def _go_on(self) -> int:
        """Play from where the table stands to the end of the game; how many decisions that took."""
        game, seats, position = self.game, self.seats, self._position
        clock, place, seen = seats.clock, self._desk.place, position.views.tobytes
        advance, ask = game.loops.advance, seats.ask
        move = FAULT  # not looked at: no decision is open yet
        while True:
            seat = advance(place, move)
            if seat == OVER:
                return int(clock["decisions"][0])
            try:
                move = ask(seen(), seat) if seat >= 0 else self._illegal(move)
                if move < 0:
                    self._illegal(move)
            except BotError as problem:
                if not self._faults:
                    raise
                self.faults[int(clock["decisions"][0]) - 1] = str(problem)
                move = FAULT

    @property
    def outcome(self) -> Outcome:
        """How the last game ended."""
        return self._position.outcome

    def _illegal(self, move: int) -> NoReturn:
        """Say who made an illegal move, and what was legal."""
        position = self._position
        seat = position.to_act
        entrant = self.seats.entrants[seat]
        if entrant.function is not None:
            move = self.seats.call(entrant, position, seat)
        raise self.seats.illegal(position, seat, move)

    def _play_slowly(self, key: Key, deal: int, rotation: int, rows: Array) -> tuple[int, int, bool]:
        """For bots that want to see events."""

        going = GameInProgress(self.seats, key, (deal, rotation), faults=self._faults)
        record = going.finish()
        self._position.states[:] = going.position.states
        self.game.loops.tally(self._position.states, rows)
        self.moves, self.faults = record.moves, record.faults
        return len(record.moves), len(record.cards), self._position.cut

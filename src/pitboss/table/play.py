"""The play loop: seats answer, a dealer deals, a record comes out.

`play` goes move by move and sees every event. `Runner` plays the same games faster, for line-ups
with Python bots that need no events: it comes back from compiled code only for their decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pitboss.table.bot import Bot, Entrant
from pitboss.table.dealer import Dealer, Keyed
from pitboss.table.errors import BotError, PitbossError
from pitboss.table.game import Game, Outcome, Position
from pitboss.table.keys import Key, luck, luck_bits, next_luck
from pitboss.table.loop import CLOCK, FINE, ILLEGAL
from pitboss.table.luck import Luck
from pitboss.table.record import Record, digest
from pitboss.table.registry import Lineup, line_up, load
from pitboss.table.seating import seating
from pitboss.table.step import DEALER, FAULT, OVER

Watcher = Callable[[Position, list[Any]], None]


def play(
    spec: str | Game,
    bots: Lineup,
    seed: int | Key = 0,
    *,
    deal: int = 0,
    rotation: int = 0,
    dealer: Dealer | None = None,
    watch: Watcher | None = None,
    faults: bool = False,
) -> Record:
    """Play one game and return its record. Seat i is taken by bots[i].

    `watch` is called with the position and the events after the start and after every move. A bot
    that fails raises BotError, or, with `faults`, makes the referee's FAULT move.

    >>> play("flip7:solo", ["stay-25"], seed=1).outcome.ended
    'won'
    """
    game = load(spec)
    seats = Seats(game, line_up(bots, game))
    key = seed if isinstance(seed, Key) else Key.from_seed(seed)
    position = game.start(len(seats.entrants))
    seats.start(key, deal, rotation)
    record = Record.begin(game, seats.entrants, None if dealer else key, deal, rotation)
    dealer = dealer or Keyed(key, deal)

    def happened() -> None:
        record.trail.append(digest(position))
        events = position.events()
        seats.saw(events)
        if watch:
            watch(position, events)

    happened()
    while not position.over:
        seat = position.to_act
        if seat == DEALER:
            move = dealer.card(position)
            record.cards.append(move)
        else:
            try:
                move = seats.decide(position, seat)
            except BotError as problem:
                if not faults:
                    raise
                record.faults[len(record.moves)] = str(problem)
                move = FAULT
            record.moves.append(move)
        game.loops.apply(position.states, game.record, move, position.buffer)
        happened()
    record.outcome = position.outcome
    seats.end(record.outcome)
    return record


class Seats:
    """The bots of one line-up at one table, and their luck."""

    def __init__(self, game: Game, entrants: Sequence[Entrant]) -> None:
        game.verify_seats(len(entrants))
        self.game, self.entrants = game, list(entrants)
        self.seating = seating(self.entrants, game.view_dtype, game.rules_class.dtype())
        self.clock = np.zeros(1, CLOCK)
        self.bots: list[Bot | None] = [None] * len(self.entrants)

    def start(self, key: Key, deal: int, rotation: int) -> None:
        """A new game: new Python bots, luck from the beginning."""
        clock = self.clock[0]
        clock["high"], clock["low"], clock["deal"] = key.high, key.low, deal
        stream = key.stream(deal)
        for seat, entrant in enumerate(self.entrants):
            clock["luck"][seat] = luck(stream, rotation, seat)
            if entrant.make is None:
                continue
            try:
                self.bots[seat] = bot = entrant.make()
                bot.start(seat, self.game.rules, Luck(self.clock, seat))
            except Exception as problem:
                raise self.failed(seat, problem) from problem

    def decide(self, position: Position, seat: int) -> int:
        """The move of the bot at a seat, checked."""
        lucks = self.clock[0]["luck"]
        lucks[seat] = next_luck(lucks[seat])
        entrant = self.entrants[seat]
        if entrant.function is None:
            move = self.ask(position.view(seat), seat)
        else:
            self.game.loops.observe(position.states, self.game.record, seat, position.views)
            move = self.call(entrant, position, seat)
        try:
            if move == FAULT:
                raise PitbossError("only the referee can rule a fault")
            position.verify(move)
        except PitbossError as problem:
            raise BotError(f"the bot {entrant.name} at seat {seat} made an illegal move: {problem}") from problem
        return move

    def call(self, entrant: Entrant, position: Position, seat: int) -> int:
        """The answer of a compiled bot; one that is not built in gets copies, and so can change nothing."""
        assert entrant.function is not None
        bits = np.uint64(luck_bits(self.clock[0]["luck"][seat]))
        views, rules = position.views, self.game.record
        if not entrant.trusted:
            views, rules = views.copy(), rules.copy()
        return int(entrant.function(views[0], rules[0], seat, entrant.params, bits))

    def ask(self, view: Any, seat: int) -> int:
        """The answer of the Python bot at a seat, as a number."""
        bot = self.bots[seat]
        assert bot is not None
        try:
            move = bot.decide(view)
            if isinstance(move, str):
                move = self.game.parse_move(move)
        except Exception as problem:
            raise self.failed(seat, problem) from problem
        if isinstance(move, int) and not isinstance(move, bool):
            return int(move)  # a plain integer crosses into compiled code much faster
        if not isinstance(move, np.integer):
            raise BotError(
                f"the bot {self.entrants[seat].name} at seat {seat} answered {move!r}, which is no move; "
                f"to {view.question!r} it may answer {', '.join(map(str, view.legal))}"
            )
        return int(move)

    def failed(self, seat: int, problem: Exception) -> BotError:
        """The sentence for a bot that raised."""
        return BotError(f"the bot {self.entrants[seat].name} at seat {seat} raised {type(problem).__name__}: {problem}")

    def saw(self, events: Sequence[Any]) -> None:
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


class Runner:
    """Plays whole games quickly with Python bots among the seats."""

    def __init__(self, game: Game, entrants: Sequence[Entrant]) -> None:
        self.game, self.seats = game, Seats(game, entrants)
        self._position = Position(game)
        made = [e.make() for e in entrants if e.make]
        self._tells_events = any(bot.wants_events for bot in made)
        self._tells_end = any(type(bot).end is not Bot.end for bot in made)

    def play(self, key: Key, deal: int, rotation: int, rows: np.ndarray[Any, Any]) -> tuple[int, int, bool]:
        """One game into rows[seat]: decisions, cards, and whether it was cut."""
        game, seats, position = self.game, self.seats, self._position
        if self._tells_events:
            return self._play_slowly(key, deal, rotation, rows)
        seats.start(key, deal, rotation)
        clock = seats.clock
        clock["cards"] = clock["decisions"] = 0
        states, views, rules, bots = position.states, position.views, game.record, seats.seating
        advance, ask, make_view = game.loops.advance, seats.ask, game.view
        game.loops.start(states, rules, len(bots), None)
        move = FINE
        while True:
            seat = advance(states, views, rules, bots, clock, move)
            if seat < 0:
                break
            move = ask(make_view(views.tobytes(), seat), seat)
            if move < 0:
                seat = ILLEGAL
                break
        if seat != OVER:
            self._illegal(move)
        game.loops.tally(states, rows)
        outcome = position.outcome if self._tells_end else None
        if outcome:
            seats.end(outcome)
        return int(clock["decisions"][0]), int(clock["cards"][0]), position.cut

    def _illegal(self, move: int) -> None:
        """Say who made an illegal move, and what was legal."""
        position = self._position
        seat = position.to_act
        entrant = self.seats.entrants[seat]
        if entrant.function is not None:
            move = self.seats.call(entrant, position, seat)
        try:
            position.verify(move)
        except PitbossError as problem:
            raise BotError(f"the bot {entrant.name} at seat {seat} made an illegal move: {problem}") from problem
        raise BotError(f"the bot {entrant.name} at seat {seat} answered {move}, which only the referee may")

    def _play_slowly(self, key: Key, deal: int, rotation: int, rows: np.ndarray[Any, Any]) -> tuple[int, int, bool]:
        last: list[Position] = []
        record = play(
            self.game, self.seats.entrants, key, deal=deal, rotation=rotation, watch=lambda p, _: last.append(p)
        )
        self.game.loops.tally(last[-1].states, rows)
        return len(record.moves), len(record.cards), last[-1].cut

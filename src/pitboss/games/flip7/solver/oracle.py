"""The round oracle: the best way to play the rest of one player's round, exactly.

From any hand, deck and discards, and for anything that points may be worth at the end of the round,
`solve_round` says what hitting and staying are worth. What other players do in the meantime is left
out: the round is played as if this player took all further cards. Freeze and Flip Three are put on the
player itself.

If the deck runs out, what may return is shuffled and the round goes on, as the rules say. Should that second
deck run out too, in the same round, only cards that were used up in it could come a third time: none of
them can add a point, so the player is taken to stay. (Only in the middle of a Flip Three, where nobody asks
it, is that more than it would really get.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.games.flip7.cards import FREEZE, KINDS, NUMBERS, SECOND_CHANCE, TEXT, TIMES_2, parse_cards
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.rules import RETURN
from pitboss.games.flip7.solver.follow import BUSTS, CARDS, SEVENS, begin_with, follow
from pitboss.games.flip7.solver.hands import (
    DRAWN,
    MOST_ROWS,
    OVER,
    POINTS,
    SAVED,
    SIZE,
    SUM,
    WHAT,
    Floats,
    HandTable,
    OwnCards,
    lay_out,
)
from pitboss.games.flip7.solver.plan import ACTIONS, RoundPlan, explore, lone_seat, situation
from pitboss.games.flip7.solver.settle import BestPlay, all_hands, settle, solve
from pitboss.games.flip7.state import FLIP_7, plus_points, score

Progress = Callable[[int, int], None]  # rows done, rows in all

MOST_BYTES = 2_500_000_000  # of one table; following the play needs another of the same size
PIECES = 200  # in which a long calculation shows its progress
DECKS = 2  # that are played through in one round; see above

IDENTITY = np.arange(POINTS, dtype=np.float64)
IDENTITY.flags.writeable = False

_plans: dict[Any, RoundPlan] = {}


@dataclass(frozen=True)
class RoundOutcome:
    """How the rest of a round ends under best play."""

    points: Floats  # how often with each number of points
    bust: float
    flip7: float
    cards: float  # drawn on average

    @property
    def mean(self) -> float:
        """The average number of points."""
        return float(self.points @ IDENTITY)

    def scores(self) -> dict[int, float]:
        """How often each number of points comes about, where it can."""
        return {points: float(p) for points, p in enumerate(self.points) if p > 0}


@dataclass(frozen=True)
class Round:
    """The answer for one hand."""

    hit: float  # what another card is worth, and best play after it
    stay: float
    risk: float  # the chance that the next card ends the round with nothing
    points: int  # what staying banks
    _deck: Deck
    _utility: Floats

    @property
    def value(self) -> float:
        """What the better of the two is worth."""
        return max(self.hit, self.stay)

    @property
    def best(self) -> str:
        """`hit` or `stay`; equal values are a stay."""
        return "hit" if self.hit > self.stay else "stay"

    @property
    def cards(self) -> int:
        """How many cards the next one is drawn from."""
        return self._deck.cards

    @property
    def hands(self) -> int:
        """How many hands and situations were looked at."""
        table = self._deck.table
        return len(table.sets) * len(table.plan) * len(table.level)

    @cached_property
    def outcome(self) -> RoundOutcome:
        """How the round ends if it is played as well as can be."""
        return self.follow()

    def follow(self, progress: Progress | None = None) -> RoundOutcome:
        """The same, and show how it goes: with all action cards it takes longer than finding best play."""
        points, counts = np.zeros(POINTS), np.zeros(3)
        if self.best == "stay":
            points[self.points] = 1.0
        else:
            self._deck.follow(1.0, points, counts, progress)
        return RoundOutcome(points, float(counts[BUSTS]), float(counts[SEVENS]), float(counts[CARDS]))

    def __repr__(self) -> str:
        return f"<{self.best}: hit {self.hit:.4f}, stay {self.stay:.4f}, bust risk {self.risk:.1%}>"


def solve_round(
    game: Flip7,
    hand: str | Sequence[int] = (),
    *,
    left: Sequence[int] | None = None,
    discards: Sequence[int] | None = None,
    second_chance: bool = False,
    draws_three: bool = False,
    utility: Sequence[float] | Floats | None = None,
    progress: Progress | None = None,
) -> Round:
    """The best play of a hand.

    `left` and `discards` count cards by kind: the deck, and what a reshuffle would bring back. Without
    `left` all cards but hand and discards are in the deck. `utility` is the worth of 0, 1, 2, … points at the
    end of the round (the last goes on for ever); without it, points are worth points.

    >>> from pitboss import load
    >>> solve_round(load("flip7:solo"), "5 9 12 +4")
    <stay: hit 27.0617, stay 30.0000, bust risk 28.4%>
    """
    deck = begin(game, hand, left=left, discards=discards, second_chance=second_chance, draws_three=draws_three)
    worth, points = _worth(utility), deck.points
    hit = deck.settle(worth, progress) if deck.cards else float(worth[points])
    return Round(hit, float(worth[points]), deck.risk, points, deck, worth)


def begin(
    game: Flip7,
    hand: str | Sequence[int] = (),
    *,
    left: Sequence[int] | None = None,
    discards: Sequence[int] | None = None,
    second_chance: bool = False,
    draws_three: bool = False,
) -> Deck:
    """The deck that a hand draws from, as for `solve_round`, to be settled for one utility after another."""
    cards = parse_cards(hand) if isinstance(hand, str) else list(hand)
    gone = np.zeros(KINDS, np.int64) if discards is None else np.asarray(discards, np.int64)
    own = np.bincount(np.array(cards, np.int64), minlength=KINDS)
    deck = game.rules.deck - own - gone if left is None else np.asarray(left, np.int64)
    verify_cards(game, own, deck, gone)
    start = lone_seat(game, cards, deck.tolist(), gone.tolist(), second_chance, draws_three)
    held = sum(1 << kind for kind in cards if kind < NUMBERS)
    plus = sum(plus_points(kind) for kind in cards if NUMBERS <= kind < TIMES_2)
    return Deck(game, start, OwnCards(held, plus, int(own[TIMES_2] > 0)), DECKS)


def verify_cards(game: Flip7, hand: Any, left: Any, discards: Any) -> None:
    """Refuse cards that cannot lie like this."""
    deck = np.array(game.rules.deck)
    impossible = (hand + left + discards > deck) | (left < 0) | (discards < 0)
    if impossible.any():
        kind = int(impossible.argmax())
        few = f"only {deck[kind]}" if deck[kind] else "none"
        raise PitbossError(f"too many {TEXT[kind]}: {game} has {few} of them, hand, deck and discards together")
    if hand[:NUMBERS].max() > 1:
        raise PitbossError(f"two {TEXT[int(hand[:NUMBERS].argmax())]} in one hand are a bust")
    if hand[:NUMBERS].sum() >= FLIP_7:
        raise PitbossError("seven different numbers are a Flip 7: the round is over")


def _worth(utility: Sequence[float] | Floats | None) -> Floats:
    if utility is None:
        return IDENTITY
    given = np.asarray(utility, np.float64)[:POINTS]
    if given.ndim != 1 or len(given) == 0 or np.any(np.diff(given) < 0) or not np.all(np.isfinite(given)):
        raise PitbossError("a utility is a list of numbers, for 0, 1, 2, … points, that never falls")
    return np.concatenate([given, np.full(POINTS - len(given), given[-1])])


class Deck:
    """A deck that a hand draws from, and those that a reshuffle would make after it."""

    best: BestPlay  # as far as `settle` worked it out

    def __init__(self, game: Flip7, start: Any, own: OwnCards, decks: int) -> None:
        if int(start["left_total"]) == 0:
            start["left"], start["discards"] = start["discards"].copy(), 0
            start["left_total"] = int(start["left"].sum())
        self._game, self._start, self._own, self._decks = game, start, own, decks
        self.deck = start["left"].astype(np.int64)
        self.cards = int(self.deck.sum())
        columns = 1 << int(self.deck[NUMBERS:FREEZE].sum())
        most = MOST_BYTES // (8 * columns * (MOST_ROWS >> int(SIZE[own.held])))
        self.plan = _plan(game, start, self._may_run_out(), most)
        self.table: HandTable = lay_out(self.deck, own, self.plan.lines)
        self.next: dict[int, Deck] = self._next_decks() if decks > 1 else {}

    @property
    def points(self) -> int:
        """What the hand at the start is worth."""
        return _points(self._own)

    @property
    def risk(self) -> float:
        """The chance that the next card is a bust."""
        pairs = int(self.table.duplicates[0])
        busts = self._start["chance"][0] == 0
        return pairs / self.cards if busts and self.cards else 0.0

    def _may_run_out(self) -> bool:
        """Whether all of it can lie in front of a player who is still in the round."""
        chances = int(self.deck[SECOND_CHANCE]) + int(self._start["chance"][0])
        most = FLIP_7 - 1 - int(SIZE[self._own.held]) + int(self.deck[NUMBERS:].sum()) + chances
        return self.cards <= most

    def _next_decks(self) -> dict[int, Deck]:
        """For each situation in which this deck can be at its end: the deck after it."""
        table, out = self.table, dict[int, Deck]()
        numbers, modifiers = len(table.kinds), len(table.modifiers)
        if numbers > table.room:
            return out
        pairs = self.deck[:NUMBERS].copy()
        pairs[table.kinds] -= 1
        for z, line in enumerate(self.plan.lines):
            at_its_end = numbers + modifiers + line[DRAWN] == self.cards and line[SAVED] == pairs.sum()
            if at_its_end and line[WHAT] != OVER:
                start = self.plan.states[z].copy()
                start["left"], start["left_total"] = 0, 0
                start["discards"][:FREEZE] = self._start["discards"][:FREEZE]
                if int(self._game.record["round_discards"][0]) == RETURN:
                    start["discards"][:NUMBERS] += pairs.astype(np.int16)
                if start["discards"].sum() > 0:
                    out[z] = Deck(self._game, start, self._full(), self._decks - 1)
        return out

    def _full(self) -> OwnCards:
        """The hand when all of the deck lies in it."""
        plus = sum(plus_points(int(kind)) for kind in self.table.modifiers if kind != TIMES_2)
        held = self._own.held | sum(1 << int(kind) for kind in self.table.kinds)
        doubled = self._own.doubled or bool(np.any(self.table.modifiers == TIMES_2))
        return OwnCards(held, self._own.plus + plus, int(doubled))

    def settle(self, utility: Floats, progress: Progress | None = None, *, whole: bool = False) -> float:
        """Find best play, of the whole table or only as far as it can come; what a card is worth at the start."""
        end = np.zeros(len(self.plan.lines))
        if len(self.table.kinds) <= self.table.room:
            end[:] = utility[_points(self._full())]  # C7
        for z, deck in self.next.items():
            end[z] = deck.settle(utility)
        if not whole and progress is None:
            hit, self.best = solve(self.table, utility, end)
            return float(hit)
        self.best, hit = all_hands(self.table, utility), 0.0
        for first, last in self._pieces(progress):
            hit = settle(self.table, self.best, utility, end, len(self.table.sets) - last, len(self.table.sets) - first)
        return float(hit)

    def _pieces(self, progress: Progress | None) -> Iterator[tuple[int, int]]:
        """All rows at once, or in pieces if somebody wants to see how it goes."""
        rows = len(self.table.sets)
        step = max(rows // PIECES, 1) if progress else rows
        for first in range(0, rows, step):
            last = min(first + step, rows)
            yield first, last
            if progress:
                progress(last, rows)

    def follow(self, p: float, points: Floats, counts: Floats, progress: Progress | None = None) -> None:
        """Add up how the round ends, if a card is taken at the start, which happens with probability p."""
        ends = begin_with(self.table, p)._replace(points=points, counts=counts)
        for first, last in self._pieces(progress):
            follow(self.table, self.best, ends, first, last)
        for z, rest in enumerate(ends.gone):
            if rest > 0 and z in self.next:
                self.next[z].follow(float(rest), points, counts)
            elif rest > 0:
                points[_points(self._full())] += rest


def _points(own: OwnCards) -> int:
    return score(int(SUM[own.held]), int(SIZE[own.held]), own.doubled, own.plus)


def _plan(game: Flip7, start: Any, short: bool, most: int) -> RoundPlan:
    """The plan of a start, kept, because it does not depend on numbers and modifiers."""
    key: tuple[Any, ...] = (game.record.tobytes(),)
    if game.rules.actions:
        key += (situation(start, 0, True), short, tuple(int(start["front"][0, kind]) for kind in ACTIONS))
    else:
        short = False
    if key not in _plans:
        _plans[key] = explore(game, start, short, most)
    return _plans[key]

"""When to hit, as a few small tables for the wall: what best play does with every hand from a fresh deck.

Each row is a kind of hand (so many numbers, such a risk, such a total), each column a number of points on the
table, and each cell the share of such hands with which best play hits, a hand counted as often as its cards are
the first to be dealt. Hands without a number are left out: they can lose nothing.

Freeze and Flip Three are left out of the deck, as if they were never there; others' cards are not counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pitboss.core.types import Data
from pitboss.games.flip7.cards import NUMBERS, SECOND_CHANCE
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.rules import ABSENT
from pitboss.games.flip7.solver.hands import SIZE, SUM, UNIT, Floats
from pitboss.games.flip7.solver.oracle import IDENTITY, Deck, begin
from pitboss.games.flip7.solver.race import race, race_utility, without_targets
from pitboss.games.flip7.state import FLIP_7

Progress = Callable[[int, int], None]
Which = np.ndarray[Any, np.dtype[np.bool_]]

RISK_STEP = 5  # per cent, of a row of the table by bust risk
MOST_RISK = 50  # per cent; all above is one row
TO_GO = (160, 120, 80, 60, 50, 40, 35, 30, 25, 20, 15, 10, 5)  # points to the target, besides all of them
SELDOM = 0.01  # columns end where a smaller share of hands hits, with these or more points
EQUAL = 1e-12  # a difference between shares that is only rounding
FEWEST, MOST = 36, 60  # points of the last column, whatever the hands say


class Hands:
    """All hands with a number that a fresh deck can give, in one order, before any action card is drawn."""

    def __init__(self, deck: Deck) -> None:
        table = deck.table
        self._deck, self._situations = deck, len(table.plan)
        columns = 1 << len(table.modifiers)
        sets, level = table.sets[:, None], table.level[None, :]
        twice = level >= table.levels
        plus = table.own.plus + (level - twice * table.levels) * UNIT
        drawn = SIZE[sets] + SIZE[np.arange(columns)][None, :]
        self._some = (SIZE[sets] > 0) & (drawn > 0)  # by set and by column
        points = np.where(twice, 2, 1) * SUM[sets] + plus
        self.points = points[self._some]
        self.numbers = np.broadcast_to(SIZE[sets], drawn.shape)[self._some]
        self.risk = (table.duplicates[:, None] / (table.cards - drawn))[self._some]
        ways = [math.prod(int(table.deck[k]) for k in range(NUMBERS) if x >> k & 1) for x in table.sets.tolist()]
        orders = np.array([1 / math.comb(table.cards, n) for n in range(int(drawn.max()) + 1)])
        self.dealt: Floats = (np.array(ways, np.float64)[:, None] * orders[drawn])[self._some]

    def hits(self, utility: Floats) -> Which:
        """Which of them hit, if points are worth this at the end of the round."""
        self._deck.settle(utility, whole=True)
        values = self._deck.best.values[self._deck.best.place[self._situations - 1 :: self._situations]]
        return np.asarray(values[self._some] > utility[self.points])


def chart(game: Flip7, progress: Progress | None = None) -> Data:
    """The tables of a rule book, for JSON and for `poster.draw`.

    In each row, `hit` is the share that hits for 0, 1, 2, … points (the last for all from there on; None where
    there is no such hand). `limit` is the number of points from which to stay that agrees with best play for most
    hands: 0 to stay always, None to hit always.

    >>> from pitboss import load
    >>> facts = chart(load("flip7:numbers(target=20)"))
    >>> [(row["numbers"], row["limit"]) for row in facts["by_numbers"]]
    [(1, None), (2, 22), (3, 23), (4, 24), (5, 26), (6, 36)]
    """
    played = without_targets(game)
    hands = Hands(begin(played))
    hits = hands.hits(IDENTITY)
    last = _last_column(hands, hits)
    facts: Data = {
        "game": str(game),
        "target": int(game.rules.target),
        "left_out": [name for name in ("freeze", "flip_three") if int(game.record[name][0]) != ABSENT],
        "points": list(range(last + 1)),
        "by_numbers": list(_by_numbers(hands, hits, last)),
        "by_risk": list(_by_risk(hands, hits, last)),
        "with_second_chance": None,
    }
    if played.rules.deck[SECOND_CHANCE]:
        saved = Hands(begin(played, [SECOND_CHANCE], second_chance=True))
        facts["with_second_chance"] = list(_by_numbers(saved, saved.hits(IDENTITY), last))
    facts["by_total"] = list(_by_total(played, hands, last, progress))
    return facts


def _last_column(hands: Hands, hits: Which) -> int:
    """Where the columns end, because hardly any hand with more points hits."""
    for last in range(FEWEST, MOST):
        beyond = hands.points >= last
        if hands.dealt[beyond & hits].sum() < SELDOM * hands.dealt[beyond].sum():
            return last
    return MOST


def _by_numbers(hands: Hands, hits: Which, last: int) -> Iterator[Data]:
    for numbers in range(1, FLIP_7):
        yield {"numbers": numbers, **_row(hands, hits, hands.numbers == numbers, last)}


def _by_risk(hands: Hands, hits: Which, last: int) -> Iterator[Data]:
    for low in range(0, MOST_RISK + 1, RISK_STEP):
        high = low + RISK_STEP if low < MOST_RISK else 100
        among = (hands.risk * 100 >= low) & (hands.risk * 100 < high)
        yield {"risk": [low / 100, high / 100], **_row(hands, hits, among, last)}


def _by_total(game: Flip7, hands: Hands, last: int, progress: Progress | None) -> Iterator[Data]:
    target, everything = int(game.rules.target), np.ones(len(hands.points), np.bool_)
    rounds = race(game, progress).rounds
    for to_go in (target, *(n for n in TO_GO if n < target)):
        total = target - to_go
        hits = hands.hits(race_utility(rounds, total))
        row = _row(hands, hits, everything, last)
        yield {"total": total, "rounds": float(rounds[total]), **row}


def _row(hands: Hands, hits: Which, among: Which, last: int) -> Data:
    column = np.minimum(hands.points[among], last)
    dealt, hit = np.zeros(last + 1), np.zeros(last + 1)
    np.add.at(dealt, column, hands.dealt[among])
    np.add.at(hit, column, (hands.dealt * hits)[among])
    shares = [float(h / d) if d > 0 else None for h, d in zip(hit, dealt, strict=True)]
    return {"hit": shares, "limit": _limit(dealt - hit, hit)}


def _limit(stay: Floats, hit: Floats) -> int | None:
    """The limit with the fewest hands on its wrong side: 0 to stay always, None to hit always."""
    wrong = [float(stay[:limit].sum() + hit[limit:].sum()) for limit in range(len(stay) + 1)]
    equals = [limit for limit, w in enumerate(wrong) if w <= min(wrong) + EQUAL]
    if equals[-1] == len(stay):
        return None
    return 0 if equals[0] == 0 else equals[-1]

"""Hits that are right however the other's round ends, found without a forecast.

A forecast takes longer than all other questions of `winner` together, and with one other seat its answer mostly makes
no difference. The worth of points is then an average, over the points that the other may end with, of lines of the
duel's table. If one more card gains on each of these lines, it gains on their average.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.bots.forecast import most_points
from pitboss.games.flip7.cards import NUMBERS, TIMES_2
from pitboss.games.flip7.odds import coming
from pitboss.games.flip7.solver.hands import Floats
from pitboss.games.flip7.state import State, gain

MARGIN = 1e-6  # in chances to win, over all cards: more than floats and chances below a billionth can be wrong


class NextCard(NamedTuple):
    """What one more card leads to."""

    bust: int  # the total if it is a bust
    stay: int  # the total without it
    totals: Any  # with each kind that can come and is no duplicate
    most: int  # of these
    counts: Any  # of these
    cards: int  # of all these together
    pairs: int  # cards that are a bust


def dips(wins: Floats) -> Floats:
    """By own total: how much smaller than for a smaller total a chance of the table is, at most. It is nearly exact."""
    return np.max(np.maximum.accumulate(wins, axis=1) - wins, axis=0)  # type: ignore[no-any-return]


@compiled_as(inline=False)
def hits_anyway(s: State, seat: int, wins: Array, dip: Array, stop: int) -> bool:
    """Whether one more card and then staying is surely better than staying, at a table of two.

    `wins` is of the `WinModel`, `dip` its `dips`, and the other seat stops by the rule `stop`.
    """
    other, total = 1 - seat, int(s["total"][seat])
    if total >= len(wins):
        return False
    card = _next_card(s, seat, total)
    theirs, low, high = int(s["total"][other]), int(s["points"][other]), most_points(s, other, stop)
    if high > low and not _gains(card, wins, dip, theirs):
        return False  # if the other busts
    for points in range(high, low - 1, -1):
        if not _gains(card, wins, dip, theirs + points):
            return False
    return True


@compiled
def _next_card(s: State, seat: int, total: int) -> NextCard:
    stay, most, kinds, cards, pairs = total + int(s["points"][seat]), 0, 0, 0, 0
    totals, counts = np.empty(TIMES_2 + 1, np.uint32), np.empty(TIMES_2 + 1)
    for kind in range(TIMES_2 + 1):
        count = coming(s, kind)
        if kind >= NUMBERS or not int(s["front"][seat, kind]):
            if count > 0:
                then = stay + gain(s, seat, kind)
                totals[kinds], counts[kinds], most = then, count, max(most, then)
                kinds += 1
                cards += count
        elif not int(s["chance"][seat]):
            pairs += count
    return NextCard(total, stay, totals[:kinds], most, counts[:kinds], cards, pairs)


@compiled
def _gains(card: NextCard, wins: Array, dip: Array, other: int) -> bool:
    """Whether a card gains against one who ends the round with a total."""
    target, now, worth = len(wins), card.stay, 0.0
    if other >= target:
        if now > other:
            return False  # it is won
        for i in range(len(card.totals)):
            if card.totals[i] >= other:
                worth += card.counts[i] * (0.5 if card.totals[i] == other else 1.0)
        stay = 0.5 if now == other else 0.0
        return worth - (card.cards + card.pairs) * stay > MARGIN
    if now >= target:
        return False
    line = wins[other]
    if card.most < target:
        for i in range(len(card.totals)):
            worth += card.counts[i] * line[card.totals[i]]
    else:
        for i in range(len(card.totals)):
            worth += card.counts[i] * (line[card.totals[i]] if card.totals[i] < target else 1.0)
    stay = line[now] + dip[now]
    return worth - card.cards * stay - card.pairs * (stay - line[card.bust]) > MARGIN  # type: ignore[no-any-return]

"""Forward through a settled table: how often each hand is reached under best play, and how the round ends.

`settle` goes from the largest sets to the smallest and finds best play; `follow` goes the other way and
adds up all luck at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.solver.hands import (
    BUST,
    DRAWN,
    LOWEST,
    MEMBERS,
    MUST,
    ON_MODIFIER,
    ON_NUMBER,
    POINTS,
    ROW,
    SIZE,
    SUM,
    UNIT,
    WHAT,
    HandTable,
    other,
)
from pitboss.games.flip7.solver.settle import BestPlay
from pitboss.games.flip7.state import FLIP_7, score

# What `follow` counts besides points.
CARDS, BUSTS, SEVENS = 0, 1, 2


class RoundEnds(NamedTuple):
    """What is found on the way through a table."""

    reach: Any  # how often each hand is reached, by row and situation, and column
    points: Any  # how often the round ends with each number of points
    counts: Any  # cards drawn, busts and Flip 7s
    gone: Any  # how often, in each situation, a card is wanted from the empty deck


@compiled
def begin_with(t: HandTable, p: float) -> RoundEnds:
    """The start alone, reached with probability p."""
    hands = np.zeros((len(t.sets) * len(t.plan), len(t.level)))
    hands[len(t.plan) - 1, 0] = p
    return RoundEnds(hands, np.zeros(POINTS), np.zeros(SEVENS + 1), np.zeros(len(t.plan)))


@compiled_as(inline=False)
def follow(t: HandTable, best: BestPlay, ends: RoundEnds, first: int, last: int) -> None:
    """Play the settled table from the start, all luck at once: rows first … last - 1, after all before them."""
    each = np.empty(len(t.level))
    for r in range(first, last):
        for z in range(len(t.plan) - 1, -1, -1):
            drawn = _leave_or_draw(t, best, r, z, ends, each)
            if drawn > 0.0:
                ends.counts[CARDS] += drawn
                _follow_numbers(t, r, z, each, ends)
                _follow_others(t, r, z, each, ends)


@compiled
def _leave_or_draw(t: HandTable, best: BestPlay, r: int, z: int, ends: RoundEnds, each: Array) -> float:
    """End the round in the columns where that is best, and fill in how often each single card comes in the others.

    Modifiers are dealt here, because they may lead to another column of the same situation. Returns how
    often a card is drawn at all.
    """
    situations, size = len(t.plan), SIZE[int(MEMBERS[t.room, r])]
    at, to = r * situations + z, r * situations + t.plan[z, ON_MODIFIER]
    total, held, drawn = SUM[t.own.held] + t.totals[r], FLIP_7 - 1 - t.room + size, size + t.plan[z, DRAWN]
    line, stay, cards = best.place[at], t.totals[r], 0.0
    for m in range(len(each)):
        each[m] = 0.0
        p = ends.reach[at, m]
        if p == 0.0:
            continue
        if t.plan[z, WHAT] != MUST and best.values[line, m] <= best.values[stay, m]:
            ends.points[score(total, held, _twice(t, m), _plus(t, m))] += p
        elif drawn + t.taken[m] == t.cards:
            ends.gone[z] += p
        else:
            cards += p
            each[m] = p * best.shares[drawn, m]
            for i in range(len(t.modifiers)):
                if not (m >> i) & 1:
                    ends.reach[to, m | 1 << i] += each[m]
    return cards


@compiled
def _follow_numbers(t: HandTable, r: int, z: int, each: Array, ends: RoundEnds) -> None:
    x = int(MEMBERS[t.room, r])
    total, rest = SUM[t.own.held] + t.totals[r], ((1 << len(t.kinds)) - 1) & ~x
    while rest:
        one = rest & -rest
        rest ^= one
        kind = t.kinds[LOWEST[one]]
        weight = float(t.deck[kind])
        if SIZE[x] < t.room:
            child = int(ROW[t.room, x | one]) * len(t.plan) + t.plan[z, ON_NUMBER]
            for m in range(len(each)):
                ends.reach[child, m] += weight * each[m]
        else:
            for m in range(len(each)):
                if each[m] > 0.0:
                    ends.counts[SEVENS] += weight * each[m]
                    ends.points[score(total + kind, FLIP_7, _twice(t, m), _plus(t, m))] += weight * each[m]


@compiled
def _follow_others(t: HandTable, r: int, z: int, each: Array, ends: RoundEnds) -> None:
    for what in range(4):
        count, then = other(t, r, z, what)
        if count == 0:
            continue
        weight = float(count)
        if then == BUST:
            for m in range(len(each)):
                ends.counts[BUSTS] += weight * each[m]
                ends.points[0] += weight * each[m]
        else:
            child = r * len(t.plan) + then
            for m in range(len(each)):
                ends.reach[child, m] += weight * each[m]


@compiled
def _twice(t: HandTable, m: int) -> int:
    """1 if x2 is held in this column."""
    return 1 if t.level[m] >= t.levels else 0


@compiled
def _plus(t: HandTable, m: int) -> int:
    """The points of the plus-cards held in this column."""
    return t.own.plus + int(t.level[m] - _twice(t, m) * t.levels) * UNIT

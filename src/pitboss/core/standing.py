"""What totals are worth between two rounds of a race to a target: the chance to win, alone the rounds still to come.

The model: in every round to come each seat scores by one distribution of points, whatever its total and whatever the
others do. That gives each seat a *rank*, the round in which it reaches the target and how far it gets beyond; the best
rank wins, and equal ones share. A game says how points are distributed, and its state has `seats`, `total` and `won`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.step import OVER
from pitboss.core.types import Floats, StateRecord

ROUNDS, STEPS, WIDTH = 24, 8, 6  # ranks: rounds to the target, and steps of 6 points beyond it
RANKS = ROUNDS * STEPS
MOST_NEED = 250  # points to the target; who needs more is compared with the others only
NEGLIGIBLE = 1e-4

# A table as one row of numbers: its length; by need, the rounds to come, where its likely ranks begin and end;
# by need and rank, how likely it is, and the chance to be behind it.
_HEAD = 1


@compiled
def worth(s: StateRecord, target: int, seat: int, table: Any) -> float:
    """What a finished round is worth to a seat: its chance to win, or minus the rounds a lone player still needs."""
    seats = int(s["seats"])
    if int(s["to_act"]) == OVER:
        winners = 0
        for other in range(seats):
            winners += int(s["won"][other])
        return int(s["won"][seat]) / winners if seats > 1 and winners else 0.0
    needs = int(table[0])
    if seats == 1:
        need = max(target - int(s["total"][0]), 0)
        beyond = max(need - needs + 1, 0)  # as many rounds more as the last points of the table take
        last = table[_HEAD + needs - 1]
        return -(table[_HEAD + min(need, needs - 1)] + beyond * last / needs)  # type: ignore[no-any-return]
    best = 0
    for other in range(seats):
        best = max(best, int(s["total"][other]))
    # Who is tied at the target must get beyond it; far from it only the differences count.
    target = max(target, best + 1)
    if target - best >= needs:
        target = best + 3 * needs // 4
    need = min(target - int(s["total"][seat]), needs - 1)
    begin, end = int(table[_HEAD + needs + need]), int(table[_HEAD + 2 * needs + need])
    likely = _HEAD + 3 * needs + need * RANKS
    behind = _HEAD + 3 * needs + needs * RANKS
    chance = 0.0
    for rank in range(begin, end):
        p = table[likely + rank]
        for other in range(seats):
            if other != seat:
                p *= table[behind + min(target - int(s["total"][other]), needs - 1) * RANKS + rank]
        chance += p
    return chance


def table_of(scores: Floats, target: int) -> Floats:
    """The table for this distribution of a round's points, from 0 up, in a race to the target."""
    needs = min(target, MOST_NEED) + 1
    rounds, ranks = np.zeros(needs), np.zeros((needs, ROUNDS, STEPS))
    ranks[0, 0, 0] = 1
    for need in range(1, needs):
        rounds[need] = 1
        for points in range(1, len(scores)):
            p = scores[points]
            if points >= need:
                beyond = min((points - need) // WIDTH, STEPS - 1)
                ranks[need, 0, STEPS - 1 - beyond] += p  # the farther beyond, the better the rank
            elif p > 0:
                rounds[need] += p * rounds[need - points]
                ranks[need, 1:] += p * ranks[need - points, :-1]
        rounds[need] /= 1 - scores[0]
        for k in range(1, ROUNDS):
            ranks[need, k] += scores[0] * ranks[need, k - 1]
    likely = ranks.reshape(needs, RANKS)
    likely[:, -1] += 1 - likely.sum(axis=1)  # all that takes longer
    reached = likely.cumsum(axis=1)
    begin = (reached <= NEGLIGIBLE).sum(axis=1)
    end = (reached < 1 - NEGLIGIBLE).sum(axis=1) + 1
    behind = 1 - reached + likely / 2
    return np.concatenate([[needs], rounds, begin, end, likely.ravel(), behind.ravel()])

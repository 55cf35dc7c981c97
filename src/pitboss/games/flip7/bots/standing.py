"""What totals are worth between two rounds: the chance to win, and to a lone player the rounds still to come.

The model: in every round to come each seat scores as the habit of `playout` does from a full deck, whatever its
total and whatever the others do. That gives each seat a *rank*, the round in which it reaches the target and how far
it gets beyond; the best rank wins, and equal ones share. How points are distributed is sampled once for
each rule book, with two seats and always the same luck, and kept on disk.

What it leaves out: how people play when a game is nearly won or lost, that more seats are frozen more often, which
cards are left in the deck, and who begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.step import OVER
from pitboss.games.flip7.bots.playout import sample_rounds
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import Floats
from pitboss.games.flip7.solver.table_cache import kept
from pitboss.games.flip7.state import State

SAMPLES = 10_000  # rounds
ROUNDS, STEPS, WIDTH = 24, 8, 6  # ranks: rounds to the target, and steps of 6 points beyond it
RANKS = ROUNDS * STEPS
MOST_NEED = 250  # points to the target; who needs more is compared with the others only
NEGLIGIBLE = 1e-4

# A table as one row of numbers: its length; by need, the rounds to come, where its likely ranks begin and end;
# by need and rank, how likely it is, and the chance to be behind it.
_HEAD = 1


@compiled
def worth(s: State, r: State, seat: int, table: Any) -> float:
    """What a finished round is worth to a seat: its chance to win, or minus the rounds a lone player still needs."""
    seats = int(s["seats"])
    if int(s["to_act"]) == OVER:
        winners = 0
        for other in range(seats):
            winners += int(s["won"][other])
        return int(s["won"][seat]) / winners if seats > 1 and winners else 0.0
    needs = int(table[0])
    if seats == 1:
        need = max(int(r["target"]) - int(s["total"][0]), 0)
        beyond = max(need - needs + 1, 0)  # as many rounds more as the last points of the table take
        last = table[_HEAD + needs - 1]
        return -(table[_HEAD + min(need, needs - 1)] + beyond * last / needs)  # type: ignore[no-any-return]
    best = 0
    for other in range(seats):
        best = max(best, int(s["total"][other]))
    # Who is tied at the target must get beyond it; far from it only the differences count.
    target = max(int(r["target"]), best + 1)
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


def standing(game: Flip7) -> Floats:
    """The table of a rule book, for `worth`; made in a moment, then kept on disk."""
    needs = min(int(game.rules.target), MOST_NEED) + 1
    return kept("standing", game, lambda told: table_of(round_scores(game), needs))


def round_scores(game: Flip7) -> Floats:
    """How likely each number of points is for a seat that plays a round by habit."""
    points = np.zeros((SAMPLES, 1 if game.rules.solo else 2), np.int64)
    sample_rounds(game.record, points.shape[1], points)
    return np.bincount(points.ravel()) / points.size


def table_of(scores: Floats, needs: int) -> Floats:
    """The table for this distribution of a round's points, for all needs below a limit."""
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

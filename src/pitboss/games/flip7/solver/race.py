"""The race: the fewest rounds, on average, from every total to the target.

Every round begins with the whole deck, so a round's outcome depends on nothing but the total, and the
answer is exact. From the highest total down, each is one equation: the rounds to come are 1 and, under
the best play of this round for just that end, those that are to come after it. A round without points
leads back to the same total, so the unknown stands on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import POINTS, Floats
from pitboss.games.flip7.solver.oracle import Deck, Round, RoundOutcome, begin, solve_round
from pitboss.games.flip7.solver.table_cache import Progress, kept

EXACT = 1e-11  # rounds: when a total's equation counts as solved
MOST_STEPS = 100


@dataclass(frozen=True)
class Race:
    """The expected number of rounds from each total; `rounds[target]` is 0."""

    game: Flip7
    rounds: Floats

    def utility(self, total: int) -> Floats:
        """What points are worth to a player who has this total: fewer rounds to come."""
        return race_utility(self.rounds, total)

    def round(self, hand: str = "", total: int = 0) -> Round:
        """The best play of a hand on the way to the target, from a fresh deck."""
        return solve_round(self.game, hand, utility=self.utility(total))

    def outcome(self, total: int = 0) -> RoundOutcome:
        """How a round ends that is begun with this total."""
        return self.round(total=total).outcome


def race_utility(rounds: Floats, total: int) -> Floats:
    """Minus the rounds that are still to come, for each number of points."""
    return -rounds[np.minimum(total + np.arange(POINTS), len(rounds) - 1)]


def race(game: Flip7, progress: Progress | None = None) -> Race:
    """The race of a rule book: a second for the 85 cards of the solo book, then kept on disk.

    >>> from pitboss import load
    >>> round(float(race(load("flip7:solo(target=60)")).rounds[0]), 4)
    3.2854
    """
    return Race(game, kept("race", game, lambda told: found(game, told), progress))


def without_targets(game: Flip7) -> Flip7:
    """The same table without Freeze and Flip Three: where there are others, as if these always went to them."""
    return Flip7(game.rules.change({"freeze": "absent", "flip_three": "absent"}))


def found(game: Flip7, progress: Progress) -> Floats:
    """The table as it is kept."""
    target = int(game.rules.target)
    rounds = np.zeros(target + 1)
    fresh = begin(game)
    for total in range(target - 1, -1, -1):
        rounds[total] = _equation(fresh, rounds, total)
        progress(target - total, target)
    return rounds


def _equation(fresh: Deck, rounds: Floats, total: int) -> float:
    """The unknown x with x = 1 + what best play makes of a round that leads to x if it brings nothing.

    The right side is concave in x and rises more slowly than x, so the secant method closes in on it.
    """
    utility = race_utility(rounds, total)

    def excess(x: float) -> float:
        utility[0] = -x
        return x - 1 + fresh.settle(utility)

    a = max(float(rounds[total + 1]), 1.0)
    at_a = excess(a)
    b = a - 1.5 * at_a  # about one round in three brings nothing
    at_b = excess(b)
    for _ in range(MOST_STEPS):
        if abs(at_b) < EXACT:
            return b
        a, b, at_a = b, b - at_b * (b - a) / (at_b - at_a), at_b
        at_b = excess(b)
    raise PitbossError(f"the race from {total} did not settle")

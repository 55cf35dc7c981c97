"""How near a lone player's play comes to the best there is, from the figures of a simulation.

100 % is exact best play with a fresh deck every round, which needs no counting: the most points of a round, and the
fewest rounds to the target. A simulation carries its deck over from round to round, so a bot that counts cards can
come out above 100 %, and one cannot have both at once: the fewest rounds cost points near the target. What best play
would have made of the very decks that a bot met, counting, is what `regret` knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pitboss.core.game import Game
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.oracle import solve_round
from pitboss.games.flip7.solver.race import race
from pitboss.run.batch import Result
from pitboss.stats.intervals import Estimate

Progress = Callable[[int, int], None]

MEANING = "best play with a fresh deck every round; counting cards can pass it"


@dataclass(frozen=True)
class Optimum:
    """What 100 % is."""

    points: float  # of a round, on average, played for points
    rounds: float  # from 0 to the target, on average, played for the fewest

    def of_points(self, result: Result, bot: int) -> Estimate:
        """A bot's points per round, as a share of the most."""
        made = result.sums.figure(_figure(result, "mean_round_score"), bot)
        low, high = made.ci95 or (None, None)
        return Estimate(made.mean / self.points, low and low / self.points, high and high / self.points)

    def of_rounds(self, result: Result, bot: int) -> Estimate:
        """The fewest rounds, as a share of those that a bot took."""
        took = result.sums.figure(_figure(result, "rounds_per_game"), bot)
        low, high = took.ci95 or (None, None)
        return Estimate(self.rounds / took.mean, high and self.rounds / high, low and self.rounds / low)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"mean_round_score": self.points, "rounds_per_game": self.rounds, "meaning": MEANING}

    def percents(self, result: Result, bot: int) -> dict[str, Any]:
        """For JSON: both shares of a bot, in per cent."""
        shares = {"points": self.of_points(result, bot), "rounds": self.of_rounds(result, bot)}
        return {
            name: {"mean": 100 * e.mean, "ci95": e.ci95 and [100 * end for end in e.ci95]} for name, e in shares.items()
        }


def optimum(game: Game, progress: Progress | None = None) -> Optimum | None:
    """The best a lone player can do; None where that is not known or not comparable: others, Freeze, Flip Three.

    >>> from pitboss import load
    >>> best = optimum(load("flip7:solo(target=60)"))
    >>> round(best.points, 4), round(best.rounds, 4)
    (20.2291, 3.2854)
    >>> optimum(load("flip7:numbers"))
    """
    if not isinstance(game, Flip7) or not game.rules.solo or {game.rules.freeze, game.rules.flip_three} != {"absent"}:
        return None
    return Optimum(solve_round(game).value, float(race(game, progress).rounds[0]))


def _figure(result: Result, name: str) -> Any:
    return next(figure for figure in result.game.figures if figure.name == name)

"""What best play of Flip 7 is worth: in a round, in the race to the target, in the duel of two.

This is what `pitboss solve flip7:…` prints.
"""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.core.analysis import Grid, Problem, Progress, Report, Solution
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.types import Data
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.duel import best_response, duel
from pitboss.games.flip7.solver.hands import Floats
from pitboss.games.flip7.solver.oracle import RoundOutcome, solve_round
from pitboss.games.flip7.solver.race import race
from pitboss.games.flip7.solver.race_bound import RaceBound, race_bound
from pitboss.games.flip7.solver.rounds import opponent

OBJECTIVES = ("points", "rounds", "bound")
DEALS = 100  # for the bound, if no number is given
TOTALS = 8  # rows and columns of the grid of chances


def solve(game: Flip7, problem: Problem, progress: Progress | None = None) -> Solution:
    """What best play is worth to one player, whose rounds begin with a fresh deck, or to two."""
    seats, objective, against = problem.seats, problem.objective, problem.against
    if seats is None and game.rules.solo:
        seats = 1
    if seats == 2 and not game.rules.solo:
        if objective is not None:
            raise PitbossError("two players have one objective, to win; `objective` is for `seats=1`")
        return _answer_to(game, against, progress) if against else _best_duel(game, progress)
    if seats != 1:
        raise PitbossError(f"{game} can be solved for `seats=1`, a lone player, or `seats=2`, who play for the win")
    if against is not None:
        raise PitbossError("`against` names the other of two players: it needs `seats=2`, and a rule book for two")
    if objective is not None and objective not in OBJECTIVES:
        raise PitbossError(unknown("objective", objective, OBJECTIVES))
    if objective == "rounds":
        race_found = race(game, progress)
        return BestRace(str(game), tuple(map(float, race_found.rounds)), race_found.outcome())
    if objective == "bound":
        bound = race_bound(game, problem.games or DEALS, problem.seed, progress)
        return FewestRounds(str(game), bound, problem.seed)
    found = solve_round(game, progress=progress)
    return BestRound(str(game), found.value, found.follow(progress), found.hands)


@dataclass(frozen=True)
class BestRound(Solution):
    """The most points of a round, on average. What a lone player draws it puts on itself."""

    game: str
    value: float
    outcome: RoundOutcome
    hands: int

    def report(self) -> Report:
        return [
            f", one player, a fresh deck: {self.hands:,} hands",
            f"Points of a round under best play: {self.value:.7f} on average (exact)",
            _ends(self.outcome),
        ]

    def to_dict(self) -> Data:
        return {
            "kind": "round", "game": self.game, "seats": 1, "objective": "points", "value": self.value,
            **_ends_dict(self.outcome), "hands": self.hands,
        }  # fmt: skip


@dataclass(frozen=True)
class BestRace(Solution):
    """The fewest rounds to the target from every total, on average, with a fresh deck each round."""

    game: str
    rounds: tuple[float, ...]
    outcome: RoundOutcome  # of the first round

    def report(self) -> Report:
        target, value = len(self.rounds) - 1, self.rounds[0]
        return [
            ", one player, a fresh deck every round",
            f"Rounds to {target} points under best play: {value:.7f} on average (exact)",
            f"The first round brings {self.outcome.mean:.4f} points on average; {_ends(self.outcome)}",
        ]

    def to_dict(self) -> Data:
        return {
            "kind": "race", "game": self.game, "seats": 1, "objective": "rounds", "value": self.rounds[0],
            **_ends_dict(self.outcome), "points": self.outcome.mean, "rounds": list(self.rounds),
        }  # fmt: skip


@dataclass(frozen=True)
class FewestRounds(Solution):
    """A bound on the rounds to the target of every player, also of one who counts a deck that is carried over."""

    game: str
    bound: RaceBound
    seed: int

    def report(self) -> Report:
        rounds, spread = self.bound.rounds, self.bound.spread
        return [
            ", one player, the deck carried over",
            f"No player needs fewer rounds on average than {rounds:.3f} ± {spread:.3f} (95 %)",
            f"Proven by best play in hindsight that pays for foresight, on {len(self.bound.deals):,} deals",
        ]

    def to_dict(self) -> Data:
        rounds, spread = self.bound.rounds, self.bound.spread
        return {
            "kind": "bound", "game": self.game, "seats": 1, "objective": "bound", "value": rounds,
            "ci95": [rounds - spread, rounds + spread], "deals": len(self.bound.deals), "seed": self.seed,
        }  # fmt: skip


@dataclass(frozen=True)
class BestDuel(Solution):
    """The chance to win from all totals, for two who play their rounds alone: in equilibrium, or against a bot."""

    game: str
    wins: Floats  # by both totals
    gap: float | None = None  # how far from equilibrium
    against: str | None = None

    def report(self) -> Report:
        if self.against is None:
            about = f"In equilibrium, to {self.gap:.1%}: how often a player wins, by both totals"
        else:
            about = f"The best answer to {self.against} wins {self.wins[0, 0]:.1%} from the start"
        shown = range(0, len(self.wins), max(len(self.wins) // TOTALS, 1))
        rows = tuple((str(a), *(f"{self.wins[a, b]:.1%}" for b in shown)) for a in shown)
        grid = Grid(("own total", *map(str, shown)), rows)
        return [", two players, each round from a fresh deck of their own", about, grid]

    def to_dict(self) -> Data:
        found = {"gap": self.gap} if self.against is None else {"against": self.against}
        return {
            "kind": "duel", "game": self.game, "seats": 2, "objective": "win", "value": float(self.wins[0, 0]),
            "wins": [[float(p) for p in row] for row in self.wins], **found,
        }  # fmt: skip


def _best_duel(game: Flip7, progress: Progress | None) -> BestDuel:
    found = duel(game, progress)
    return BestDuel(str(found.game), found.wins, gap=found.gap)


def _answer_to(game: Flip7, against: str, progress: Progress | None) -> BestDuel:
    return BestDuel(str(game), best_response(game, opponent(game, against), progress), against=against)


def _ends(outcome: RoundOutcome) -> str:
    """How a round ends."""
    return f"{outcome.cards:.3f} cards, busts {outcome.bust:.3%}, Flip 7s {outcome.flip7:.3%}"


def _ends_dict(outcome: RoundOutcome) -> Data:
    scores = {str(points): p for points, p in outcome.scores().items()}
    return {"bust": outcome.bust, "flip7": outcome.flip7, "cards": outcome.cards, "scores": scores}

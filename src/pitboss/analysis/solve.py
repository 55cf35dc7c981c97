"""What perfect play of a game is worth, for any game: `pitboss solve`.

A game that has an answer of its own gives it. One that knows a bot near equilibrium is measured by games of that bot.
Every other game of two players is written out as a tree, if that is small enough, and solved exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.analysis import analysis_of
from pitboss.analysis.trees.tree import Tree, build, payoff_column
from pitboss.core.analysis import Grid, Problem, Progress, Report, Solution
from pitboss.core.bot import Entrant
from pitboss.core.errors import PitbossError
from pitboss.core.figure import Figure
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.registry import bot as find
from pitboss.core.step import OUTRIGHT, SHARE
from pitboss.core.types import Data
from pitboss.run.batch import Result, simulate
from pitboss.stats.intervals import Estimate, mean

ITERATIONS = 1000  # of CFR+
GAMES = 400_000  # to measure, if no number is given
LOCAL_GAMES = 2_000  # of a local best response, each of which takes some milliseconds
BOUND = "bound"  # the objective of those who want to know how far from perfect a bot is at least


def solve(game: Game, problem: Problem, progress: Progress | None = None) -> Solution:
    """What perfect play is worth: exactly where that can be, else as near as we can.

    >>> from pitboss import load
    >>> round(solve(load("show:classic(deck=* * * 2 2 2)"), Problem()).value, 6)
    0.3
    """
    analysis = analysis_of(game)
    own = analysis.solve(problem, progress)
    if own is not None:
        return own
    bound = problem.objective == BOUND and problem.against is not None
    if problem.objective is not None and not bound:
        raise PitbossError(f"{game} has one objective, to win: leave `objective` out")
    if problem.seats is not None:
        game.verify_seats(problem.seats)
    if problem.seats not in (None, 2) or 2 not in game.rules.seats:
        raise PitbossError(f"{game} can be solved for two players only")
    if problem.against is not None:
        return lower_bound(game, problem, progress) if bound else best_answer(game, problem.against)
    player = analysis.equilibrium()
    return measured(game, player, problem.games or GAMES, problem.seed, progress) if player else exact(game)


@dataclass(frozen=True)
class Exact(Solution):
    """The value of a game to the first of two players, by linear programming, and how far CFR's play is from it."""

    game: str
    value: float
    win_share: float | None  # of the first player; None if the game has a payoff of its own
    nodes: int
    information_sets: int
    iterations: int  # of CFR+
    cfr_value: float
    exploitability: float

    def report(self) -> Report:
        share = "" if self.win_share is None else f", {self.win_share:.4%} of the wins"
        cfr = f"CFR+ after {self.iterations:,} iterations: {self.cfr_value:+.6f}"
        return [
            f": {self.nodes:,} nodes, {self.information_sets:,} information sets",
            f"Value to Player 1 if both play perfectly: {self.value:+.6f} (exact){share}",
            f"{cfr}, exploitable by {self.exploitability:.6f}",
        ]

    def to_dict(self) -> Data:
        cfr = {"iterations": self.iterations, "value": self.cfr_value, "exploitability": self.exploitability}
        share = {} if self.win_share is None else {"win_share": self.win_share}
        return {"kind": "exact", "game": self.game, "value": self.value, **share, "cfr": cfr, "nodes": self.nodes,
                "information_sets": self.information_sets}  # fmt: skip


def exact(game: Game) -> Exact:
    """Solve the whole tree of a small game."""
    try:
        from pitboss.analysis.trees.lp import solve
    except ImportError as problem:
        raise PitbossError("exact answers need SciPy: pip install 'pitboss[solve]'") from problem
    from pitboss.analysis.trees.policy import cfr_plus, expected_value, exploitability

    tree = build(game)
    value = solve(tree).value + 0.0  # no -0.0
    policy = cfr_plus(tree, ITERATIONS)
    return Exact(
        str(game), value, _win_share(game, value), tree.nodes, tree.sets, ITERATIONS, expected_value(tree, policy),
        exploitability(tree, policy),
    )  # fmt: skip


@dataclass(frozen=True)
class BestAnswer(Solution):
    """What the best answer to a bot wins, at either seat."""

    game: str
    against: str
    values: tuple[float, float]  # to the player at seat 0, and at seat 1
    nodes: int  # positions that were met
    sets: int  # information sets in which the player decides, at both seats together

    @property
    def exploitability(self) -> float:
        """What it wins on average over both seats; nothing, if the bot plays perfectly."""
        return sum(self.values) / 2

    def report(self) -> Report:
        first, second = self.values
        return [
            f": {self.nodes:,} positions, {self.sets:,} information sets",
            f"The best answer to {self.against} wins {first:+.6f} as Player 1 and {second:+.6f} as Player 2",
            f"So {self.against} is exploitable by {self.exploitability:.6f} (exact)",
        ]

    def to_dict(self) -> Data:
        return {"kind": "answer", "game": self.game, "against": self.against, "values": list(self.values),
                "exploitability": self.exploitability, "nodes": self.nodes, "information_sets": self.sets}  # fmt: skip


def best_answer(game: Game, against: str) -> BestAnswer:
    """The best that can be done against a bot. For a compiled one the game can be larger; one in Python is asked about
    the whole tree of a small game."""
    bot = find(against, game)
    if bot.function is not None:
        from pitboss.analysis.trees.responses import best_response

        first, second = (best_response(game, bot, seat) for seat in (0, 1))
        positions, sets = first.positions + second.positions, first.sets + second.sets
        return BestAnswer(str(game), against, (first.value, second.value), positions, sets)
    from pitboss.analysis.trees.policy import best_response_value, policy_of_bot

    tree: Tree = build(game)
    policy = policy_of_bot(tree, against)
    values = best_response_value(tree, 0, policy), best_response_value(tree, 1, policy)
    return BestAnswer(str(game), against, values, tree.nodes, tree.sets)


@dataclass(frozen=True)
class LowerBound(Solution):
    """What a local best response wins against a bot: the best answer wins at least that."""

    game: str
    against: str
    games: int
    seed: int
    worlds: int
    values: tuple[Estimate, Estimate]  # to the player at seat 0, and at seat 1
    value: Estimate  # the mean of both seats; every deal is played at both
    others: float  # decisions in a game in which it did not do what the bot would have done

    def report(self) -> Report:
        first, second = (_plus_minus(value) for value in self.values)
        return [
            f": a local best response to {self.against}, {self.games:,} games",
            f"It wins {first} as Player 1 and {second} as Player 2, and does not do what {self.against} would"
            f" {self.others:.2f} times in a game",
            f"So {self.against} is exploitable by {_plus_minus(self.value)} or more, on average over both seats",
        ]

    def to_dict(self) -> Data:
        return {"kind": "lower_bound", "game": self.game, "against": self.against, "games": self.games,
                "seed": self.seed, "worlds": self.worlds, "values": [value.to_dict() for value in self.values],
                "exploitability_at_least": self.value.to_dict(), "others": self.others}  # fmt: skip


def lower_bound(game: Game, problem: Problem, progress: Progress | None = None) -> LowerBound:
    """How far a bot is from perfect play at least, found without merging or forgetting anything."""
    from pitboss.analysis.responder import WORLDS, answers

    bot = find(problem.against or "", game)
    deals = max(1, (problem.games or LOCAL_GAMES) // 2)
    got, others = answers(game, bot, Key.from_seed(problem.seed), deals, progress=progress)
    first, second, both = (mean(float(x.sum()), float(x @ x), deals) for x in (got[:, 0], got[:, 1], got.mean(axis=1)))
    games = 2 * deals
    return LowerBound(str(game), bot.name, games, problem.seed, WORLDS, (first, second), both, others / games)


def _plus_minus(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:+.4f}"
    return f"{estimate.mean:+.4f} ± {(estimate.high - estimate.low) / 2:.4f}"


@dataclass(frozen=True)
class Measured(Solution):
    """Near-equilibrium play against itself, seats as they are: who gains from what."""

    result: Result
    seed: int

    @property
    def value(self) -> Estimate:
        """What Player 1 gets in a game."""
        game, sums = self.result.game, self.result.sums
        column = payoff_column(game)
        if column == SHARE:
            difference = sums.difference(0, 1)
            low, high = difference.ci95 or (None, None)
            return Estimate(difference.mean / 2, low and low / 2, high and high / 2)
        return sums.figure(next(figure for figure in game.figures if figure.place == column), 0)

    @property
    def wins(self) -> list[Estimate]:
        """How often each player won outright."""
        won = [float(self.result.sums.columns[n, OUTRIGHT]) for n in range(2)]
        return [mean(n, n, self.result.games) for n in won]  # of ones and zeros the squares add up to the same

    @property
    def ties(self) -> float:
        """The share of games that both won."""
        return self.result.sums.ties(0) / self.result.games

    def report(self) -> Report:
        game, value = self.result.game, self.value
        low, high = value.ci95 or (value.mean, value.mean)
        better = f"Player {1 if value.mean > 0 else 2} has the better seat."
        figures = [figure for figure in game.figures if figure.name != "payoff"]
        rows = tuple(
            (f"Player {n + 1}", _rate(wins, True), *(_rate(self._figure(f, n), f.percent) for f in figures))
            for n, wins in enumerate(self.wins)
        )
        return [
            f": near-equilibrium play against itself, {self.result.games:,} games",
            f"Value to Player 1: {value.mean:+.4f} a game ({low:+.4f} to {high:+.4f})",
            "Neither seat is better, as far as these games tell." if low <= 0 <= high else better,
            Grid(("", "wins", *(figure.about for figure in figures)), rows),
            f"{self.ties:.1%} ties",
        ]

    def to_dict(self) -> Data:
        game = self.result.game
        players = [
            {"player": n + 1, "wins": wins.mean, "ci95": wins.ci95,
             **{figure.name: self._figure(figure, n).to_dict() for figure in game.figures}}
            for n, wins in enumerate(self.wins)
        ]  # fmt: skip
        figures = {figure.name: self._figure(figure, None).to_dict() for figure in game.figures}
        return {"kind": "measured", "game": str(game), "games": self.result.games, "seed": self.seed, **figures,
                "value": self.value.to_dict(), "ties": self.ties, "players": players}  # fmt: skip

    def _figure(self, figure: Figure, player: int | None) -> Estimate:
        return self.result.sums.figure(figure, player)


def measured(game: Game, player: Entrant, games: int, seed: int, progress: Progress | None = None) -> Measured:
    """Let a bot play against itself."""
    return Measured(simulate(game, [player, player], games, seed, rotate=False, progress=progress), seed)


def _win_share(game: Game, value: float) -> float | None:
    return 0.5 + value if payoff_column(game) == SHARE else None


def _rate(estimate: Estimate, percent: bool) -> str:
    low, high = estimate.ci95 or (estimate.mean, estimate.mean)
    form = ".1%" if percent else ".2f"
    return f"{estimate.mean:{form}} ± {(high - low) / 2:{form}}"

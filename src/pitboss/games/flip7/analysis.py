"""What Flip 7 says about good play.

Hit or stay, in points of the round: exact for a player alone, and what a lone player should do at a table with others;
and in chances to win, targets included, if these are asked for.

Regret compares each hit or stay with the better of the two, counting every card, with best play ever after. In a solo
book without Freeze and Flip Three this is exact: on average, a bot's points and the points it lost make up what best
play would have scored with the decks that it met. At a table with others it is what a lone player would lose. Only
points of the round count: a bot that stays early because its total is near the target loses some, and is right to.

The benchmark is best play with a fresh deck every round, which needs no counting: the most points of a round, and the
fewest rounds to the target. A simulation carries its deck over from round to round, so a bot that counts cards can come
out above 100 %, and one cannot have both at once: the fewest rounds cost points near the target.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.analysis import (
    Advice,
    Analysis,
    AnswerKind,
    Benchmark,
    BestFigure,
    CompiledOpinion,
    Cost,
    Described,
    MoveValue,
    Opinion,
    Outlook,
    Problem,
    Progress,
    Solution,
    Terms,
)
from pitboss.core.compile import compiled
from pitboss.core.game import Position
from pitboss.core.types import Array
from pitboss.games.flip7 import prospects
from pitboss.games.flip7.advice import advice_for, chances_to_win
from pitboss.games.flip7.bots.counting import surely_hits, worth_of_hit
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver import best
from pitboss.games.flip7.solver.oracle import IDENTITY, solve_round
from pitboss.games.flip7.solver.race import race
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, STAY
from pitboss.games.flip7.view import Flip7View

ALONE = "exact, counting every card"
AT_A_TABLE = "exact for a player alone: that others draw too is left out, and so are Freeze and Flip Three"
BY_A_MODEL = "by a model of the other players"
GRAVE_POINTS, GRAVE_CHANCE = 2.0, 0.05


class Flip7Analysis(Analysis):
    """Exact answers for a lone player, and a model of the others."""

    game: Flip7

    @property
    def _alone(self) -> bool:
        """Whether answers are exact: one seat, and no card that they would have to leave out."""
        rules = self.game.rules
        return bool(rules.solo and rules.freeze == rules.flip_three == "absent")

    @property
    def knows_chances(self) -> bool:
        return prospects.known(self.game)

    @property
    def quick_chances(self) -> bool:
        return prospects.known(self.game) and prospects.at_hand(self.game)

    def opinion(self, view: Flip7View, *, chances: bool = False) -> Opinion | None:
        if not view.legal:
            return None
        wins = chances_to_win(view) if chances else {}
        if int(view.state["decision"]) == HIT_OR_STAY:
            hit = worth_of_hit(view.state, self.game.record[0], view.seat, IDENTITY)
            values = {HIT: float(hit), STAY: float(view.points)}
            unit, how, grave = "points", ALONE if self._alone else AT_A_TABLE, GRAVE_POINTS
        elif wins:
            values, unit, how, grave = wins, "chances to win", BY_A_MODEL, GRAVE_CHANCE
        else:
            return None
        moves = [
            MoveValue(move, self.game.format_move(move), value, wins.get(move))
            for move, value in values.items()
            if move in view.legal
        ]
        return Opinion(unit, how, tuple(moves), grave, percent=values is wins)

    def compiled(self) -> CompiledOpinion:
        from pitboss.games.flip7.compiled_opinion import compiled_opinion

        points = AnswerKind("points", ALONE if self._alone else AT_A_TABLE, GRAVE_POINTS)
        return compiled_opinion(self.game, points, AnswerKind("chances to win", BY_A_MODEL, GRAVE_CHANCE, True))

    @property
    def terms(self) -> Terms:
        how = ALONE if self._alone else AT_A_TABLE
        return Terms("Points lost by hits and stays", "points", how, "round", self._alone)

    def cost(self, position: Position, move: int) -> Cost | None:
        states, seat = position.states, position.to_act
        if int(states[0]["decision"]) != HIT_OR_STAY or move not in (HIT, STAY):
            return None
        hit = float(_hit(states, self.game.record, seat, move, IDENTITY))
        stay = float(states[0]["points"][seat])
        worth, other = (hit, stay) if move == HIT else (stay, hit)
        if worth >= other:
            return Cost(0.0, worth, move, worth)
        return Cost(other - worth, worth, STAY if move == HIT else HIT, other)

    def outlook(self, position: Position) -> Outlook | None:
        if not self.quick_chances:
            return None
        return Outlook(tuple(prospects.of_all(position.view(0))), BY_A_MODEL)

    def earned(self, position: Position) -> list[tuple[float, int]]:
        state = position.states[0]
        return [(float(state["total"][seat]), int(state["round"])) for seat in range(position.seats)]

    def benchmark(self, progress: Progress | None = None) -> Benchmark | None:
        """The best a lone player can do; None where that is not known or not comparable: others, Freeze, Flip Three.

        >>> from pitboss import load
        >>> [round(best.value, 4) for best in load("flip7:solo(target=60)").analysis.benchmark().best]
        [3.2854, 20.2291]
        >>> load("flip7:numbers").analysis.benchmark()
        """
        if not self._alone:
            return None
        rounds, points = float(race(self.game, progress).rounds[0]), solve_round(self.game).value
        return Benchmark(
            (
                BestFigure("rounds", "rounds", "rounds_per_game", rounds, fewer=True),
                BestFigure("points", "points a round", "mean_round_score", points),
            ),
            "best play with a fresh deck every round; counting cards can pass it",
        )

    def advise(self, described: Described) -> Advice:
        return advice_for(self.game, described)

    def solve(self, problem: Problem, progress: Progress | None = None) -> Solution:
        return best.solve(self.game, problem, progress)


@compiled
def _hit(states: Array, rules: Array, seat: int, move: int, utility: Array) -> float:
    """What a card is worth; just infinite, to save work, where the bot took one and that needs no table."""
    s, r = states[0], rules[0]
    if move == HIT and surely_hits(s, seat, utility):
        return np.inf
    return worth_of_hit(s, r, seat, utility)

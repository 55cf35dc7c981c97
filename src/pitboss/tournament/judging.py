"""What the decisions of a bot cost it, judged by the game's analysis from what the bot could know.

A sample of its decisions is judged, drawn at random from all of them: in chances to win where the game knows these, and
in the unit of its analysis elsewhere. What is not judged is estimated from what is. How many are judged depends on the
game and the number of bots alone, so that the same tournament gives the same verdicts on every machine.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from pitboss.analysis import analysis_of
from pitboss.analysis.regret import LEAST, hand
from pitboss.core.analysis import Analysis, Terms
from pitboss.core.game import Game, Position
from pitboss.core.record import Record
from pitboss.core.types import Floats
from pitboss.stats.intervals import Estimate, ratio_of

WORST = 8
CHANCES = Terms("Chances to win", "chances to win", "by the game's model of the other players")


@dataclass(frozen=True)
class CostlyDecision:
    """A decision that gave something away."""

    game: int
    step: int  # of the replay, to which it led
    hand: str
    played: str
    better: str
    lost: float


@dataclass(frozen=True)
class CostlyHabit:
    """Decisions of one kind that another kind would have bettered."""

    played: str
    better: str
    count: int  # of those that were judged
    lost: float  # in a game
    ci95: list[float] | None
    stakes: list[float] | None  # with how much at stake most of them were made


@dataclass(frozen=True)
class Verdicts:
    """What the decisions of one bot cost."""

    judged: int = 0
    decisions: int = 0  # of which those were drawn
    unit: str = ""  # empty if nothing can be said
    percent: bool = False
    how: str = ""
    lost: float = 0.0  # in a game
    lost_ci95: list[float] | None = None
    habits: tuple[CostlyHabit, ...] = ()
    worst: tuple[CostlyDecision, ...] = ()


@dataclass(frozen=True)
class SampledDecision:
    """A decision that may be judged: where it was made, and the table before it."""

    number: int
    step: int
    block: int
    record: Record
    position: Position
    move: int


class DecisionSample:
    """So many decisions of one bot, each of all that were offered with the same chance."""

    def __init__(self, bot: int, most: int) -> None:
        self.offered, self.most, self._random = 0, most, random.Random(bot)
        self.kept: list[SampledDecision] = []

    def offer(self, decision: SampledDecision) -> None:
        """One more; its position is copied if it is kept."""
        self.offered += 1
        place = len(self.kept) if len(self.kept) < self.most else self._random.randrange(self.offered)
        if place < self.most:
            kept = SampledDecision(**{**vars(decision), "position": decision.position.copy()})
            self.kept[place : place + 1] = [kept]


class Judge:
    """Judges decisions of one game."""

    def __init__(self, game: Game, kind: Callable[[Position, int], str]) -> None:
        self.game, self._kind = game, kind
        self.analysis: Analysis = analysis_of(game)
        self.terms = CHANCES if self.analysis.knows_chances else self.analysis.terms
        self._cost = self.analysis.chance_cost if self.analysis.knows_chances else self.analysis.cost

    def verdicts(self, sample: DecisionSample, games: Mapping[int, int]) -> Verdicts:
        """What a bot's decisions cost it; `games` it played by block."""
        lost: defaultdict[tuple[str, str], defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
        stakes, count = defaultdict[tuple[str, str], list[float]](list), Counter[tuple[str, str]]()
        worst: list[tuple[float, SampledDecision, int]] = []
        judged = 0
        for each in sample.kept:
            cost = self._cost(each.position, each.move)
            if cost is None:
                continue
            judged += 1
            if abs(cost.lost) < LEAST:
                continue
            kinds = self._kind(each.position, each.move), self._kind(each.position, cost.better)
            lost[kinds][each.block] += cost.lost
            count[kinds] += 1
            worst.append((cost.lost, each, cost.better))
            if self.game.stake:
                stakes[kinds].append(float(getattr(each.position.view(each.position.to_act), self.game.stake)))
        if not judged:
            return Verdicts(decisions=sample.offered)
        blocks = sorted(games)
        played = np.array([games[block] for block in blocks], float)
        weight = sample.offered / len(sample.kept)

        def in_a_game(of: Mapping[int, float]) -> Estimate:
            found = ratio_of(np.array([weight * of.get(block, 0.0) for block in blocks]), played)
            return found if found.low is None or found.high is None or found.high > found.low else Estimate(
                found.mean, None, None
            )  # fmt: skip

        habits = []
        for kinds, by_block in lost.items():
            cost_of_it = in_a_game(by_block)
            if cost_of_it.low is not None and cost_of_it.low > 0:
                habits.append(
                    CostlyHabit(*kinds, count[kinds], cost_of_it.mean, cost_of_it.ci95, _middle(stakes[kinds]))
                )
        whole: defaultdict[int, float] = defaultdict(float)
        for by_block in lost.values():
            for block, value in by_block.items():
                whole[block] += value
        total = in_a_game(whole)
        worst.sort(key=lambda found: (-found[0], found[1].number, found[1].step))
        return Verdicts(
            judged, sample.offered, self.terms.unit, self.terms is CHANCES or "share" in self.terms.unit,
            self.terms.how, total.mean, total.ci95, tuple(sorted(habits, key=lambda habit: -habit.lost)[:WORST]),
            tuple(self._told(*found) for found in worst[:WORST] if found[0] > 0),
        )  # fmt: skip

    def _told(self, lost: float, made: SampledDecision, better: int) -> CostlyDecision:
        view, labels = made.position.view(made.position.to_act), made.record.labels
        played, advised = (self.game.describe_move(view, move, labels) for move in (made.move, better))
        return CostlyDecision(made.number, made.step, hand(self.game, view, labels), played, advised, lost)


def _middle(values: Floats | list[float]) -> list[float] | None:
    """Between what most of these lie: all but a tenth on either side."""
    return [float(x) for x in np.quantile(values, [0.1, 0.9], method="nearest")] if len(values) else None

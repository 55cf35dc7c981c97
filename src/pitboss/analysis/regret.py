"""Regret: what the decisions of bots cost, each compared with a better one.

Every game of a simulation is played again, and each decision that the game's `Analysis` can judge is scored by its
`cost`. What that leaves out, `Terms.how` says.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pitboss.analysis import analysis_of
from pitboss.core.analysis import Analysis, Progress, Terms
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key
from pitboss.core.play import Seats, play
from pitboss.core.record import Record
from pitboss.core.registry import Lineup, line_up, load
from pitboss.core.types import Data, Floats, GameView
from pitboss.run.batch import unique
from pitboss.stats.intervals import Estimate, ratio_of

MISTAKES = 10
LEAST = 1e-9  # less is rounding


@dataclass
class Mistake:
    """A decision that cost something: where it was made, with what, and what would have been better."""

    lost: float
    deal: int
    rotation: int
    decision: int  # which of the game's, from 0
    bot: str
    did: str
    worth: float
    better: str
    worth_of_better: float
    hand: str

    def __lt__(self, other: Mistake) -> bool:
        """Whether it cost less; of two as expensive ones, the first to be made counts more."""
        ranks = ((each.lost, -each.deal, -each.rotation, -each.decision) for each in (self, other))
        return next(ranks) < next(ranks)


@dataclass
class Regret:
    """What bots lost in some games."""

    names: list[str]
    terms: Terms
    sums: Floats  # by bot, by block: lost, earned, and in how many of what that counts per
    mistakes: list[Mistake]  # the most expensive first
    interrupted: bool = False

    @property
    def blocks(self) -> int:
        """How many deals were scored."""
        return int(self.sums.shape[1])

    def lost(self, bot: int) -> Estimate:
        """What a bot's decisions cost it, per game or whatever `terms` says."""
        lost, _, count = self.sums[bot].T
        return ratio_of(lost, count)

    def optimal(self, bot: int) -> Estimate:
        """What a bot earned, as a share of what best play would have earned on the same deals; if that is exact."""
        lost, earned, _ = self.sums[bot].T
        return ratio_of(earned, earned + lost)

    def to_dict(self) -> Data:
        """For JSON."""
        bots = [
            {
                "name": name,
                f"lost_per_{self.terms.per}": self.lost(i).to_dict(),
                "percent_of_optimal": percent(self.optimal(i)) if self.terms.exact else None,
            }
            for i, name in enumerate(self.names)
        ]
        return {
            "unit": self.terms.unit,
            "how": self.terms.how,
            "exact": self.terms.exact,
            "blocks": self.blocks,
            "interrupted": self.interrupted,
            "bots": bots,
            "mistakes": [vars(mistake) for mistake in self.mistakes],
        }


def regret(
    game: str | Game,
    bots: Lineup,
    games: int = 1000,
    seed: int | Key = 0,
    *,
    rotate: bool = True,
    progress: Progress | None = None,
) -> Regret:
    """Play the games that a simulation with the same arguments plays, and score each decision that can be judged.

    >>> found = regret("flip7:solo", ["oracle"], games=3, seed=1)
    >>> found.lost(0).mean, found.mistakes
    (0.0, [])
    """
    table = load(game)
    analysis = analysis_of(table)
    entrants = line_up(bots, table)
    seats = len(entrants)
    table.verify_seats(seats)
    rotations = seats if rotate else 1
    blocks = -(-games // rotations)
    names = unique([entrant.name for entrant in entrants])
    found = Regret(names, analysis.terms, np.zeros((seats, blocks, 3)), [])
    places = [Seats(table, [entrants[(s - j) % seats] for s in range(seats)]) for j in range(rotations)]
    scored = 0
    try:
        for deal in range(blocks):
            for j, seated in enumerate(places):
                record = play(table, [], Key.of(seed, quick=True), deal=deal, rotation=j, seats=seated)
                _score(found, analysis, record, [(s - j) % seats for s in range(seats)])
                if progress:
                    progress(deal * rotations + j + 1, blocks * rotations)
            scored = deal + 1
    except KeyboardInterrupt:
        if scored == 0:
            raise
        found.interrupted, found.sums = True, found.sums[:, :scored]
    found.mistakes.sort(reverse=True)
    return found


def joined(parts: Sequence[Regret]) -> Regret:
    """Bots that were scored one by one, together."""
    fewest = min(part.blocks for part in parts)
    return Regret(
        unique([name for part in parts for name in part.names]),
        parts[0].terms,
        np.concatenate([part.sums[:, :fewest] for part in parts]),
        heapq.nlargest(MISTAKES, (mistake for part in parts for mistake in part.mistakes)),
        any(part.interrupted for part in parts),
    )


def hand(game: Game, view: GameView, names: Sequence[str]) -> str:
    """What lies before the seat that is to act, in words."""
    seat = next(seat for seat in game.scene(view, names).seats if seat.to_act)
    return ", ".join(" ".join(face.text for face in row) for row in seat.rows if row)


def _score(found: Regret, analysis: Analysis, record: Record, bots: list[int]) -> None:
    """Add what one game cost each bot; seat s is bots[s]."""
    made = 0
    for position, _, _ in record.replay():
        if position.over:
            for bot, (earned, count) in zip(bots, analysis.earned(position), strict=True):
                found.sums[bot, record.deal] += (0, earned, count)
        elif position.to_act >= 0:
            _judge(found, analysis, record, made, position, bots[position.to_act])
            made += 1


def _judge(found: Regret, analysis: Analysis, record: Record, made: int, position: Position, bot: int) -> None:
    """Compare a decision with a better one."""
    move, game = record.moves[made], record.game
    cost = analysis.cost(position, move)
    if cost is None:
        return
    found.sums[bot, record.deal, 0] += cost.lost
    if cost.lost < LEAST or (len(found.mistakes) == MISTAKES and cost.lost <= found.mistakes[0].lost):
        return
    view = position.view(position.to_act)
    held = hand(game, view, record.labels)
    did, better = (game.describe_move(view, each, record.labels) for each in (move, cost.better))
    mistake = Mistake(
        cost.lost, record.deal, record.rotation, made, found.names[bot], did, cost.worth, better, cost.worth_of_better,
        held,
    )  # fmt: skip
    add = heapq.heappush if len(found.mistakes) < MISTAKES else heapq.heapreplace
    add(found.mistakes, mistake)


def percent(share: Estimate) -> Data:
    """A share in per cent, for JSON."""
    interval = share.ci95
    return {"mean": 100 * share.mean, "ci95": interval and [100 * end for end in interval]}

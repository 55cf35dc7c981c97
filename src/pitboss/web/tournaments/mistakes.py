"""The most expensive decisions of a bot, by what could have been known when it made them."""

from __future__ import annotations

import heapq
import time
from collections import defaultdict

import numpy as np
import sqlalchemy as sql
from pydantic import BaseModel, Field

from pitboss.analysis import analysis_of
from pitboss.analysis.regret import LEAST, hand
from pitboss.core.analysis import Analysis
from pitboss.core.game import Game, Position
from pitboss.core.record import Record
from pitboss.core.registry import load
from pitboss.stats.intervals import ratio_of
from pitboss.tournament.profile import CostlyDecision
from pitboss.tournament.store import Store
from pitboss.tournament.store import schema as t
from pitboss.web.errors import not_found

MOST_GAMES = 60  # that are looked at
SECONDS = 6.0  # after which we stop with those we have
WORST = 10


class Mistakes(BaseModel):
    """What a bot gave away in some of its games."""

    games: int = Field(description="How many games were looked at.")
    of_games: int
    decisions: int = Field(description="Of these games, those about which something can be said.")
    unit: str = Field(description="In what is counted; empty if nothing can be said about this game.")
    how: str
    lost: float = Field(description="In a game, on average.")
    lost_ci95: list[float] | None
    worst: list[CostlyDecision]


class _DealTally:
    """Sums by deal, because games with the same cards are not independent."""

    def __init__(self, game: Game) -> None:
        self.analysis: Analysis = analysis_of(game)
        self.lost: defaultdict[int, float] = defaultdict(float)
        self.games: defaultdict[int, int] = defaultdict(int)
        self.decisions = 0
        self.worst: list[tuple[float, int, int, CostlyDecision]] = []

    def add(self, number: int, record: Record, seat: int) -> None:
        """One game, in which the bot sat there."""
        self.games[record.deal] += 1
        moves = iter(record.moves)
        for step, (position, _, _) in enumerate(record.replay(), 1):
            if position.to_act < 0:
                continue
            move = next(moves)
            if position.to_act == seat:
                self._judge(number, record, step, position, move)

    def _judge(self, number: int, record: Record, step: int, position: Position, move: int) -> None:
        cost = self.analysis.cost(position, move)
        if cost is None:
            return
        self.decisions += 1
        self.lost[record.deal] += cost.lost
        entry = (cost.lost, -number, -step)
        if cost.lost < LEAST or (len(self.worst) == WORST and entry <= self.worst[0][:3]):
            return
        game, view, labels = record.game, position.view(position.to_act), record.labels
        played, better = (game.describe_move(view, each, labels) for each in (move, cost.better))
        mistake = CostlyDecision(number, step, hand(game, view, labels), played, better, cost.lost)
        (heapq.heappushpop if len(self.worst) == WORST else heapq.heappush)(self.worst, (*entry, mistake))

    def result(self, of_games: int) -> Mistakes:
        """What all of it comes to."""
        a, b = np.array([self.lost[deal] for deal in self.games]), np.array([*self.games.values()], float)
        lost = ratio_of(a, b)
        terms = self.analysis.terms if self.decisions else None
        return Mistakes(
            games=int(b.sum()), of_games=of_games, decisions=self.decisions, unit=terms.unit if terms else "",
            how=terms.how if terms else "",
            lost=lost.mean, lost_ci95=lost.ci95, worst=[entry[3] for entry in sorted(self.worst, reverse=True)],
        )  # fmt: skip


def mistakes(store: Store, id: str, number: int) -> Mistakes:
    """What a bot gave away in its first games, as many as can be looked at in a few seconds."""
    stored = store.tournament(id)
    if not number < len(stored.entries):
        raise not_found(f"the tournament {id} has {len(stored.entries)} bots")
    r = t.results.c
    mine = (r.tournament == stored.id) & (r.entry == number)
    ((count,),) = store.query(sql.select(sql.func.count()).where(mine))
    rows = store.query(sql.select(r.game, r.seat).where(mine).order_by(r.game).limit(MOST_GAMES))
    tally, until = _DealTally(load(stored.spec)), time.monotonic() + SECONDS
    for (game, seat), record in zip(rows, store.records(stored.id, [game for game, _ in rows]), strict=True):
        tally.add(game, record, seat)
        if time.monotonic() > until:
            break
    return tally.result(count)

"""What the moves of a decision are worth, to somebody who knows no more than the seat that decides.

For Flip 7, hit or stay, in points of the round: exact for a player alone, and what a lone player should do at a
table with others; and in chances to win, targets included, if these are asked for. For Show, measured: both answers
are tried in worlds that fit the view. Other decisions, and other games, have no opinion.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.game import Game
from pitboss.core.splitmix import next_luck
from pitboss.games.flip7 import prospects
from pitboss.games.flip7.advice import chances_to_win
from pitboss.games.flip7.bots.counting import worth_of_hit
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.oracle import IDENTITY
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, STAY
from pitboss.games.show.bots.search import play_out
from pitboss.games.show.game import Show
from pitboss.games.show.rules import THOUSAND
from pitboss.games.show.state import STATE, VIEW
from pitboss.games.show.step import apply
from pitboss.games.show.worlds import imagine

WORLDS = 2000
ALONE = "exact, counting every card"
AT_A_TABLE = "exact for a player alone: that others draw too is left out, and so are Freeze and Flip Three"
BY_A_MODEL = "by a model of the other players"
MEASURED = f"measured in {WORLDS:,} worlds that fit what you know, both playing on as show-6"


@dataclass(frozen=True)
class Opinion:
    """What each legal move of one decision is worth, and how that was found."""

    unit: str
    how: str
    values: dict[int, float]
    grave: float  # what a move must lose to be called a blunder
    wins: dict[int, float] = field(default_factory=dict)  # chances to win, by a model, if they were asked for

    @property
    def best(self) -> int:
        """The move that wins most, and of those that win as often the one that is worth most; of equal ones the last,
        which takes fewer risks in Flip 7."""
        return max(reversed(self.values), key=lambda move: (round(self.wins.get(move, 0.0), 6), self.values[move]))

    def lost(self, move: int) -> float:
        """What a move gives away, compared with the one of most value; nothing for a referee's ruling."""
        return max(self.values.values()) - self.values[move] if move in self.values else 0.0

    def is_blunder(self, move: int) -> bool:
        """Whether a move gives much away, and does not win more often for that."""
        return self.lost(move) >= self.grave and move != self.best


def opinion(game: Game, view: Any, *, chances: bool = False) -> Opinion | None:
    """What the moves of the seat whose view this is are worth, if anything can be said.

    With `chances` to win, where they are known; the first time for a rule book these take a while.

    >>> from pitboss import load
    >>> position = load("flip7:solo").start(1)
    >>> said = opinion(position.game, position.view(0))
    >>> position.game.format_move(said.best), round(said.values[said.best], 1)
    ('hit', 20.2)
    """
    if not view.legal:
        return None
    if isinstance(game, Flip7):
        wins = chances_to_win(view) if chances else {}
        if int(view.state["decision"]) == HIT_OR_STAY:
            return _round(game, view, wins)
        return Opinion("chances to win", BY_A_MODEL, wins, 0.05, wins) if wins else None
    return _worlds(game, view) if isinstance(game, Show) else None


def has_chances(game: Game) -> bool:
    """Whether chances to win can be asked for."""
    return isinstance(game, Flip7) and prospects.known(game)


def _round(game: Flip7, view: Any, wins: dict[int, float]) -> Opinion:
    hit = worth_of_hit(view.state, game.record[0], view.seat, IDENTITY)
    values = {HIT: float(hit), STAY: float(view.points)}
    rules = game.rules
    alone = rules.solo and rules.freeze == rules.flip_three == "absent"
    legal = {move: value for move, value in values.items() if move in view.legal}
    wins = {move: chance for move, chance in wins.items() if move in view.legal}
    return Opinion("points", ALONE if alone else AT_A_TABLE, legal, 2.0, wins)


def _worlds(game: Show, view: Any) -> Opinion:
    luck = np.uint64(zlib.crc32(view.record.tobytes()))  # the same question gets the same answer
    sums = np.zeros(2, np.int64)
    _try(view.record, game.record[0], view.seat, WORLDS, luck, sums)
    values = {move: float(sums[move]) / WORLDS / THOUSAND for move in view.legal}
    return Opinion("games (1 won, 0 tied, -1 lost)", MEASURED, values, 0.2)


@compiled
def _try(v: Any, r: Any, seat: int, count: int, luck: np.uint64, sums: Any) -> None:
    """Add up the payoffs of both answers; they meet the same worlds and the same cards."""
    worlds, views = np.zeros(2, STATE), np.zeros(1, VIEW)
    for _ in range(count):
        luck = next_luck(luck)
        imagine(v, r, worlds[0], luck)
        worlds[1] = worlds[0]
        luck = next_luck(luck)
        for answer in range(2):
            apply(worlds[answer], r, answer, None)
            sums[answer] += play_out(worlds[answer], r, views[0], seat, luck)

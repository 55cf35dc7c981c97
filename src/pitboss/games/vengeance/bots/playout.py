"""Playing a round to its end, in imagination: all seats as `ev`, cards by lot from those left.

The rules, reshuffles included, are those of `step`, which is called for every move and every card. What the totals are
then worth is the chance to win, by the race that `pitboss.core.standing` describes. Left out of that race: who plays
what near the end, how many sit at the table, which cards are left, and that scores can be below 0.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pitboss.core.compile import compiled_as
from pitboss.core.keys import draw
from pitboss.core.playouts import bits_at, spread
from pitboss.core.splitmix import luck_bits
from pitboss.core.standing import table_of
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array, Floats, RulesRecord
from pitboss.games.vengeance.bots.simple import ev_bot
from pitboss.games.vengeance.game import Vengeance
from pitboss.games.vengeance.state import LAYOUT, State
from pitboss.games.vengeance.step import apply, start, where

STATE = LAYOUT.dtype
SAMPLES, SEATS = 6000, 3  # rounds from a full deck that say how points are distributed
_SAMPLES = np.uint64(0x5EED)
AT_LEADER = np.zeros(1)  # the parameters of `ev`


@compiled_as(inline=False)
def finish_round(s: State, r: State, move: int, first: np.uint64, params: Array) -> None:
    """Make a move, then play on until the round is over: the next has begun, or the game has ended.

    The first card is the one that `first` picks; what it is made of picks the others. `params` are those of `ev`.
    """
    began, drawn, luck = int(s["round"]), False, luck_bits(first)
    while True:
        apply(s, r, move, None)
        seat = int(s["to_act"])
        if seat == OVER or int(s["round"]) != began:
            return
        if seat == DEALER:
            move = draw(s["left"], int(s["left_total"]), bits_at(luck, where(s)) if drawn else first)
            drawn = True
        else:
            move = ev_bot(s, r, seat, params, np.uint64(0))


@compiled_as(inline=False)
def sample_rounds(rules: RulesRecord, points: Array, params: Array) -> None:
    """Fill points[round, seat] with what `ev` scores in rounds from a full deck."""
    states, r = np.zeros(1, STATE), rules[0]
    for i in range(len(points)):
        s, luck = states[0], luck_bits(spread(_SAMPLES, i))
        start(s, r, points.shape[1], None)
        finish_round(s, r, draw(s["left"], int(s["left_total"]), luck), luck, params)
        for seat in range(points.shape[1]):
            points[i, seat] = int(s["last"][seat])


def standing(game: Vengeance) -> Floats:
    """What totals are worth under a rule book: a table for `pitboss.core.standing.worth`."""
    return _standing(str(game))


@lru_cache(maxsize=8)
def _standing(spec: str) -> Floats:
    from pitboss.core.registry import load

    game = load(spec)
    points = np.zeros((SAMPLES, 1 if game.rules.solo else SEATS), np.int64)
    sample_rounds(game.record, points, AT_LEADER)
    scores = np.bincount(np.maximum(points, 0).ravel()) / points.size
    return table_of(scores, int(game.rules.target))

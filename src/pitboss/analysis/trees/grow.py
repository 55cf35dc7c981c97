"""The compiled part of a tree: positions in, all positions one move further out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.game import Game
from pitboss.core.legal import asking
from pitboss.core.step import DEALER, OVER, Step
from pitboss.core.types import Array, EventBuffer


class Grower(NamedTuple):
    """Two functions on arrays of positions; the rules in them are the game's own `Step`."""

    look: Callable[..., None]  # (states, rules, legal): the legal moves of each, as words of bits
    # The next level, in order of position and move. `column` is the payoff's in the game's `columns`.
    grow: Callable[..., None]


def grower(game: Game) -> Grower:
    """The functions of a game, compiled once."""
    return _grower(game.step)


@cache
def _grower(step: Step) -> Grower:
    _, asked, apply, _, observe, tally, most = step
    write = asking(asked, most).write

    def look(states: Array, rules: Array, legal: Any) -> None:
        for i in range(len(states)):
            write(states[i], rules[0], legal[i])

    def grow(
        states: Array,
        rules: Array,
        legal: Any,
        column: int,
        columns: int,
        children: Array,
        views: Array,
        events: EventBuffer,
        moves: Array,
        chances: Array,
        payoffs: Array,
    ) -> None:
        r = rules[0]
        rows = np.zeros((2, columns))
        child = 0
        for i in range(len(states)):
            for move in range(most):
                if not (legal[i, move >> 6] >> np.uint64(move & 63)) & np.uint64(1):
                    continue
                children[child] = states[i]
                s = children[child]
                moves[child] = move
                chances[child] = 1.0
                if int(s["to_act"]) == DEALER:
                    chances[child] = int(s["left"][move]) / int(s["left_total"])
                apply(s, r, move, events[child])
                for seat in range(2):
                    views[seat, child] = observe(s, r, seat, views[seat, child])
                if int(s["to_act"]) == OVER:
                    tally(s, rows)
                    payoffs[0, child] = rows[0, column]
                    payoffs[1, child] = rows[1, column]
                child += 1

    return Grower(compiled(look, inline=False), compiled(grow, inline=False))

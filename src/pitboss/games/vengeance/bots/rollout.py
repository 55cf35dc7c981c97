"""`rollout`: tries every legal move in many imagined continuations, and makes the one that wins most often.

Hits, targets, swaps, steals, discards and prizes are all chosen so. Each continuation plays the round to its end
(`playout`), and the totals are then worth a chance to win; to a lone player, minus the rounds still to come. The number
after the name is the budget, the playouts of one decision: `rollout-400`. It is shared by the moves that are still in
question: every so often those are dropped that are clearly worse than the best.

The moves depend on the state and on the seat's own luck alone, so games are the same for any number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled
from pitboss.core.errors import BotError
from pitboss.core.playouts import best_of, drop_worse, spread
from pitboss.core.standing import worth
from pitboss.core.types import Array
from pitboss.games.vengeance.bots.aim import AT_LEADER, span
from pitboss.games.vengeance.bots.playout import STATE, finish_round, standing
from pitboss.games.vengeance.bots.simple import ev_bot
from pitboss.games.vengeance.state import HIT, HIT_OR_STAY, State
from pitboss.games.vengeance.step import legal

PLAYOUTS = 200
MOST_PLAYOUTS = 100_000
EVERY = 8  # playouts of each move between two looks at which are still in question


@compiled
def rollout_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """The move with the best average over `params[0]` playouts; `params[1:]` is the rule of `ev`, then the table of
    `standing`."""
    if int(s["decision"]) == HIT_OR_STAY and int(s["count"][seat]) == 0:
        return HIT  # without a number nothing can be lost
    moves = candidates(s, r, seat, params[1:])
    count = len(moves)
    if count == 1:
        return int(moves[0])
    budget, used, tried = int(params[0]), 0, 0
    values = np.zeros((count, budget // 2 + 1))
    while tried == 0 or (count > 1 and used + count <= budget):
        try_once(s, r, moves[:count], spread(luck, tried), params[1:], values[:, tried])
        used += count
        tried += 1
        if tried % EVERY == 0:
            count = drop_worse(moves, values, count, tried)
    return int(moves[best_of(values, count, tried)])


@compiled
def candidates(s: State, r: State, seat: int, params: Array) -> Any:
    """The legal moves, what `ev` would do first: it wins ties."""
    first, end = span(s)
    usual = ev_bot(s, r, seat, params, np.uint64(0))
    moves, count = np.zeros(end - first, np.int64), 1
    moves[0] = usual
    for move in range(first, end):
        if move != usual and legal(s, r, move):
            moves[count] = move
            count += 1
    return moves[:count]


@compiled
def try_once(s: State, r: State, moves: Array, luck: np.uint64, params: Array, values: Array) -> None:
    """Fill in what each move is worth in one continuation to the seat that decides. `params` are the rule of `ev`, and
    the table."""
    world, seat = np.zeros(1, STATE), int(s["to_act"])
    for k in range(len(moves)):
        world[0] = s
        finish_round(world[0], r, int(moves[k]), luck, params)
        values[k] = worth(world[0], int(r["target"]), seat, params[1:])


# --- the bot by name ---


def _rollout(wanted: Wanted) -> tuple[Any, list[float]]:
    if wanted.named or wanted.rule:
        raise BotError("the bot rollout takes a number of playouts, such as rollout-200, and chooses all by itself")
    playouts = PLAYOUTS if wanted.number is None else wanted.verify_number("rollout-200", 2, MOST_PLAYOUTS)
    return rollout_bot, [playouts, AT_LEADER, *standing(wanted.game).tolist()]


ROLLOUT = BotEntry(
    "rollout-N",
    f"tries each move in N playouts of the round, and makes the one that wins most often; N is {PLAYOUTS} if left out",
    _rollout,
)

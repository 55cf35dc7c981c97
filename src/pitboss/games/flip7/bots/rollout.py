"""`rollout`: tries every legal move in many imagined continuations, and makes the one that wins most often.

Each continuation plays the round to its end on the rule book itself (`playout`): cards are drawn from those that are
left, everybody goes on by the habit `adaptive+freeze-leader`, and what the totals are then worth is the
chance to win (`standing`), or for a lone player the rounds still to come.

All moves meet the same luck, and the first card goes evenly through the deck, so that moves are told apart by few
playouts. The number after the name is the budget, the playouts of one decision: `rollout-400`. It is shared by the
moves that are still in question: every so often those are dropped that are clearly worse than the best.

It searches one move deep and knows nothing of the others but that habit. The moves depend on the state and on the
seat's own luck alone, so games are the same for any number of threads.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled
from pitboss.core.errors import BotError
from pitboss.core.playouts import best_of, drop_worse, spread
from pitboss.core.splitmix import luck_bits
from pitboss.core.standing import worth
from pitboss.core.types import Array
from pitboss.games.flip7.bots.playout import finish_round, habit
from pitboss.games.flip7.bots.standing import standing
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, STATE, State
from pitboss.games.flip7.step import legal

PLAYOUTS = 400
MOST_PLAYOUTS = 100_000
EVERY = 16  # playouts of each move between two looks at which are still in question


@compiled
def rollout_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """The move with the best average over `params[0]` playouts; `params[1:]` is the table of `standing`."""
    if int(s["decision"]) == HIT_OR_STAY and int(s["numbers"][seat]) == 0:
        return HIT  # without a number nothing can be lost
    moves = candidates(s, r, seat)
    count = len(moves)
    if count == 1:
        return int(moves[0])
    budget, used, tried = int(params[0]), 0, 0
    world, values = np.zeros(1, STATE), np.zeros((count, budget // 2 + 1))
    while tried == 0 or (count > 1 and used + count <= budget):
        first = spread(luck, tried)
        for k in range(count):
            world[0] = s
            finish_round(world[0], r, int(moves[k]), first, luck_bits(first))
            values[k, tried] = worth(world[0], int(r["target"]), seat, params[1:])
        used += count
        tried += 1
        if tried % EVERY == 0:
            count = drop_worse(moves, values, count, tried)
    return int(moves[best_of(values, count, tried)])


@compiled
def candidates(s: State, r: State, seat: int) -> Any:
    """The legal moves, what habit would do first: it wins ties."""
    bits, usual = legal(s, r), habit(s, r, seat)
    moves, count = np.zeros(62, np.int64), 1
    moves[0] = usual
    for move in range(62):
        if (bits >> move) & 1 and move != usual:
            moves[count] = move
            count += 1
    return moves[:count]


# --- the bot by name ---


def searching(wanted: Wanted) -> list[float]:
    """The parameters of a bot that has a budget and the table of `standing`: `NAME-200`."""
    if wanted.named or wanted.rule:
        name = wanted.name
        raise BotError(f"the bot {name} takes a number of playouts, such as {name}-200, and chooses its targets itself")
    playouts = PLAYOUTS if wanted.number is None else wanted.verify_number(f"{wanted.name}-200", 2, MOST_PLAYOUTS)
    return [playouts, *standing(wanted.game).tolist()]


def _rollout(wanted: Wanted) -> tuple[Any, list[float]]:
    return rollout_bot, searching(wanted)


ROLLOUT = BotEntry(
    "rollout-N",
    f"tries each move in N playouts of the round, and makes the one that wins most often; N is {PLAYOUTS} if left out",
    _rollout,
)


def _mcts(wanted: Wanted) -> tuple[Any, list[float]]:
    number = "" if wanted.number is None else f"-{wanted.number:g}"
    warnings.warn(
        f"mcts{number} searches no tree, so it is called rollout{number} now: use that name",
        FutureWarning,
        stacklevel=2,
    )
    return _rollout(wanted)


MCTS = BotEntry("mcts-N", "the former name of rollout-N; use that", _mcts)

"""`tree`: Monte Carlo tree search over the rest of the round, in which every seat plays to win.

As `rollout`, it tries every legal move in many imagined continuations, which share their luck, and drops those that are
clearly worse. But where `rollout` has everybody go on by habit, `tree` remembers what came of the decisions after that.
A node is a decision of any seat, found by the moves and cards that lead to it. Each seat chooses there what has been
best for itself so far (max^n), or what has hardly been tried (UCT, with the habit preferred at first: PUCT). A card is
drawn by lot from those left. Each playout adds the first decision that is not in the tree yet, and plays on from there
by habit (`playout`); what the totals are then worth to a seat (`standing`) goes to each of its decisions on the way.

The number after the name is the budget, the playouts of one decision: `tree-400`. The moves depend on the state and on
the seat's own luck alone, so games are the same for any number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.keys import draw
from pitboss.core.playouts import best_of, bits_at, drop_worse, spread
from pitboss.core.splitmix import luck_bits
from pitboss.core.standing import worth
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array
from pitboss.games.flip7.bots.playout import habit, play_on
from pitboss.games.flip7.bots.rollout import EVERY, PLAYOUTS, candidates, searching
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, SEAT_0, STATE, State
from pitboss.games.flip7.step import apply, legal, where

CURIOSITY = 0.1  # how much hope there is for what has hardly been tried
BY_HABIT = 0.9  # the share of that hope that the move of habit has; the others have the rest
DEPTH = 100  # decisions; deeper than that nothing is remembered
_FREE = np.uint64(0)


class Remembered(NamedTuple):
    """The decisions that are remembered, each at a place of its own: a hash table with room for twice as many."""

    keys: Any  # what leads there
    tried: Any  # how often, by move
    sums: Any  # what it was worth to the seat that decides, by move


@compiled
def _new_tree(nodes: int, seats: int) -> Remembered:
    size = 16
    while size < 2 * nodes:
        size *= 2
    return Remembered(
        np.zeros(size, np.uint64), np.zeros((size, SEAT_0 + seats), np.int64), np.zeros((size, SEAT_0 + seats))
    )


@compiled
def _place(keys: Array, key: np.uint64) -> int:
    """Where a decision is, or where it can be put."""
    place = int(np.int64(key & np.uint64(len(keys) - 1)))
    while keys[place] != _FREE and keys[place] != key:
        place = place + 1 if place + 1 < len(keys) else 0
    return place


@compiled
def _promising(s: State, r: State, seat: int, tried: Array, sums: Array) -> int:
    """The move with the best mean and hope; until it is tried, a move has the mean of all."""
    bits, usual, count, visits, total = legal(s, r), habit(s, r, seat), 0, 0, 0.0
    for move in range(len(tried)):
        count += (bits >> move) & 1
        visits += int(tried[move])
        total += sums[move]
    hope, best, most = CURIOSITY * np.sqrt(float(visits)), usual, -np.inf
    for move in range(len(tried)):
        if (bits >> move) & 1:
            n = int(tried[move])
            share = BY_HABIT if move == usual else (1.0 - BY_HABIT) / max(count - 1, 1)
            value = (sums[move] / n if n else total / visits) + hope * share / (1 + n)
            if value > most:
                best, most = move, value
    return best


@compiled_as(inline=False)
def _playout(s: State, r: State, move: int, first: np.uint64, tree: Remembered, path: Array, table: Array) -> None:
    """Make a move, and play the round to its end: in the tree, then by habit. The tree learns from it.

    The first card is the one that `first` picks. `path` has room for what is decided on the way.
    """
    began, drawn, steps, luck, key = int(s["round"]), False, 0, luck_bits(first), _FREE
    while True:
        key = luck_bits(key ^ np.uint64(move + 1))
        apply(s, r, move, None)
        seat = int(s["to_act"])
        if seat == OVER or int(s["round"]) != began:
            break
        if seat == DEALER:
            move = draw(s["left"], int(s["left_total"]), bits_at(luck, where(s)) if drawn else first)
            drawn = True
            continue
        place = _place(tree.keys, key)
        known = tree.keys[place] == key
        move = _promising(s, r, seat, tree.tried[place], tree.sums[place]) if known else habit(s, r, seat)
        path[steps, 0], path[steps, 1], path[steps, 2] = place, seat, move
        steps += 1
        if not known or steps == len(path):
            tree.keys[place] = key
            play_on(s, r, move, first, luck, drawn)
            break
    for i in range(steps):
        place, seat, move = int(path[i, 0]), int(path[i, 1]), int(path[i, 2])
        tree.tried[place, move] += 1
        tree.sums[place, move] += worth(s, int(r["target"]), seat, table)


@compiled
def tree_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """The move with the best average over `params[0]` playouts; `params[1:]` is the table of `standing`."""
    if int(s["decision"]) == HIT_OR_STAY and int(s["numbers"][seat]) == 0:
        return HIT  # without a number nothing can be lost
    moves = candidates(s, r, seat)
    count = len(moves)
    if count == 1:
        return int(moves[0])
    budget, used, tried = int(params[0]), 0, 0
    tree, path = _new_tree(max(budget, count), int(s["seats"])), np.zeros((DEPTH, 3), np.int64)
    world, values = np.zeros(1, STATE), np.zeros((count, budget // 2 + 1))
    while tried == 0 or (count > 1 and used + count <= budget):
        first = spread(luck, tried)
        for k in range(count):
            world[0] = s
            _playout(world[0], r, int(moves[k]), first, tree, path, params[1:])
            values[k, tried] = worth(world[0], int(r["target"]), seat, params[1:])
        used += count
        tried += 1
        if tried % EVERY == 0:
            count = drop_worse(moves, values, count, tried)
    return int(moves[best_of(values, count, tried)])


# --- the bot by name ---


def _tree(wanted: Wanted) -> tuple[Any, list[float]]:
    return tree_bot, searching(wanted)


TREE = BotEntry(
    "tree-N",
    "as rollout, but remembers what came of later decisions, and each seat then plays to win; "
    f"N is {PLAYOUTS} if left out",
    _tree,
)

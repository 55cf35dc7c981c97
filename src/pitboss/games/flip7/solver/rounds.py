"""How a round ends that a given bot plays: exactly, from a fresh deck of its own.

The bot is asked about every hand it could hold, and all luck is then followed at once. So this is the opponent
that the duel's model needs: one whose play of a round depends on the totals and on its own hand only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.compile import compiled_as
from pitboss.core.errors import PitbossError
from pitboss.core.registry import bot as enter
from pitboss.core.seating import caller, params_at, seating
from pitboss.core.types import Array
from pitboss.games.flip7.cards import KINDS, NUMBERS, TIMES_2
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.rules import Flip7Rules
from pitboss.games.flip7.solver.duel import Opponent, without_actions
from pitboss.games.flip7.solver.follow import begin_with, follow
from pitboss.games.flip7.solver.hands import POINTS, SIZE, SUM, Floats
from pitboss.games.flip7.solver.oracle import begin
from pitboss.games.flip7.solver.settle import all_hands
from pitboss.games.flip7.state import FLIP_7, HIT_OR_STAY, STATE, STAY, plus_points, score

EVERY = 10  # points: how finely a bot is asked that looks at the totals

bot_at = caller(STATE, Flip7Rules.dtype())


@compiled_as(inline=False)
def _ask(states: Array, rules: Array, places: Any, stays: Array) -> None:
    """Whether the bot stays, for each hand of the first seat."""
    bot, params = bot_at(places[0]["bot"]), params_at(places[0]["params"], places[0]["size"])
    for i in range(len(states)):
        stays[i] = 1 if bot(states[i], rules[0], 0, params, np.uint64(0)) == STAY else 0


def opponent(game: Flip7, name: str) -> Opponent:
    """A built-in bot as the opponent of `duel.best_response`.

    Its answers to hands and totals are taken for the first seat of two, the other one without cards. A bot that
    looks at the totals is asked every ten points.

    >>> from pitboss import load
    >>> rounds = opponent(load("flip7:numbers"), "stay-25")(0, 0)
    >>> round(float(rounds[0]), 4)
    0.3631
    """
    book = without_actions(game)
    entrant = enter(name, book)
    if entrant.function is None:
        raise PitbossError(f"{name} is no compiled bot; the best answer is worked out against these only")
    table = begin(book).table
    states = _hands(book, table)
    kept: dict[tuple[int, int], Floats] = {}

    def rounds(own: int, other: int) -> Floats:
        at = own // EVERY * EVERY, other // EVERY * EVERY
        if at not in kept:
            states["total"][:, 0], states["total"][:, 1] = at
            stays = np.zeros(len(states), np.int64)
            _ask(states, book.record, seating([entrant], STATE, Flip7Rules.dtype()), stays)
            kept[at] = _follow(table, stays)
        return kept[at]

    return rounds


def _hands(game: Flip7, table: Any) -> Array:
    """A state of two seats for each hand of the first: all cards that are not in it are in the deck."""
    first = game.start(2).states[0].copy()
    first["to_act"], first["decision"], first["turn"], first["opened"] = 0, HIT_OR_STAY, 0, 2
    first["taker"], first["to_take"] = -1, 0
    rows, columns = len(table.sets), 1 << len(table.modifiers)
    out = np.full(rows * columns, first)
    for r, x in enumerate(table.sets):
        for m in range(columns):
            s = out[r * columns + m]
            cards = [kind for kind in range(NUMBERS) if x >> kind & 1]
            cards += [int(kind) for i, kind in enumerate(table.modifiers) if m >> i & 1]
            s["front"][0] = np.bincount(np.array(cards, np.int64), minlength=KINDS)
            s["left"] = table.deck - s["front"][0]
            s["left_total"] = s["left"].sum()
            s["numbers"][0], s["sum"][0], s["taken"][0] = SIZE[x], SUM[x], len(cards)
            plus = sum(plus_points(kind) for kind in cards if NUMBERS <= kind < TIMES_2)
            s["points"][0] = score(int(SUM[x]), int(SIZE[x]), int(TIMES_2 in cards), plus)
    assert int(SIZE[table.sets].max()) < FLIP_7
    return out


def _follow(table: Any, stays: Array) -> Floats:
    """How the round ends if the hands are played like this: a hand that stays is worth less than its points."""
    columns = 1 << len(table.modifiers)
    best, ends = all_hands(table, np.zeros(POINTS)), begin_with(table, 1.0)
    best.values[best.place] = np.where(stays.reshape(-1, columns), -1.0, 1.0)
    follow(table, best, ends, 0, len(table.sets))
    return ends.points  # type: ignore[no-any-return]

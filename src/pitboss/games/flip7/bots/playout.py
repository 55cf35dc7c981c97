"""Playing a round of Flip 7 to its end, in imagination: all seats by one habit, cards by lot from those left.

The habit is `adaptive+freeze-leader`. The rules, reshuffles included, are those of `flip7.step`, which is called for
every move and every card.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.keys import draw
from pitboss.core.playouts import bits_at, spread
from pitboss.core.splitmix import luck_bits
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array, RulesRecord
from pitboss.games.flip7.bots.adaptive import GAINED, RISK, SPENT, wants_card
from pitboss.games.flip7.bots.rules_of_thumb import FREEZE_LEADER, choose
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, STATE, STAY, State
from pitboss.games.flip7.step import apply, start, where

_SAMPLES = np.uint64(0x5EED)


@compiled
def habit(s: State, r: State, seat: int) -> int:
    """What every seat is taken to do."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, FREEZE_LEADER, np.uint64(0))
    return HIT if wants_card(s, r, seat, GAINED, SPENT, RISK) else STAY


@compiled
def finish_round(s: State, r: State, move: int, first: np.uint64, luck: np.uint64) -> None:
    """Make a move, then play on until the round is over: the next has begun, or the game has ended.

    The first card is the one that `first` picks; `luck` picks the others.
    """
    play_on(s, r, move, first, luck, False)


@compiled_as(inline=False)
def play_on(s: State, r: State, move: int, first: np.uint64, luck: np.uint64, drawn: bool) -> None:
    """The same, where the first card may have been drawn before."""
    began = int(s["round"])
    while True:
        apply(s, r, move, None)
        seat = int(s["to_act"])
        if seat == OVER or int(s["round"]) != began:
            return
        if seat == DEALER:
            move = draw(s["left"], int(s["left_total"]), bits_at(luck, where(s)) if drawn else first)
            drawn = True
        else:
            move = habit(s, r, seat)


@compiled_as(inline=False)
def sample_rounds(rules: RulesRecord, seats: int, points: Array) -> None:
    """Fill points[round, seat] with what the habit scores in rounds from a full deck."""
    states, r = np.zeros(1, STATE), rules[0]
    for i in range(len(points)):
        s, luck = states[0], luck_bits(spread(_SAMPLES, i))
        start(s, r, seats, None)
        seat = int(s["to_act"])
        move = draw(s["left"], int(s["left_total"]), luck) if seat == DEALER else habit(s, r, seat)
        finish_round(s, r, move, luck_bits(luck), luck)
        for k in range(seats):
            points[i, k] = int(s["last"][k])

"""`mc`: tries both answers in worlds that fit its view, and plays each to the end.

The worlds are made from the view alone, so the search knows no more than a player does. In them both
sides go on as `show-6` would.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.keys import draw
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array
from pitboss.games.show.bots.rules_of_thumb import show_bot
from pitboss.games.show.notes import STATE, VIEW
from pitboss.games.show.state import State
from pitboss.games.show.step import apply, observe
from pitboss.games.show.worlds import imagine

HABIT = np.array([6.0])  # how both sides play on: show-6


@compiled
def play_out(s: State, r: State, view: State, seat: int, luck: np.uint64) -> int:
    """The payoff of a seat if both play on by habit."""
    while True:
        who = int(s["to_act"])
        if who == OVER:
            return int(s["payoff"][seat])
        if who == DEALER:
            luck = next_luck(luck)
            move = draw(s["left"], int(s["left_total"]), luck_bits(luck))
        else:
            move = show_bot(observe(s, r, who, view), r, who, HABIT, luck)
        apply(s, r, move, None)


@compiled
def try_answers(v: State, r: State, count: int, luck: np.uint64, sums: Array) -> None:
    """Add up the payoffs of both answers over so many worlds, and their squares: `sums[answer]`.

    Both meet the same worlds and the same cards.
    """
    worlds, views, seat = np.zeros(2, STATE), np.zeros(1, VIEW), int(v["seat"])
    for _ in range(count):
        luck = next_luck(luck)
        imagine(v, r, worlds[0], luck)
        worlds[1] = worlds[0]
        luck = next_luck(luck)
        for answer in range(2):
            apply(worlds[answer], r, answer, None)
            payoff = play_out(worlds[answer], r, views[0], seat, luck)
            sums[answer, 0] += payoff
            sums[answer, 1] += payoff * payoff


@compiled
def mc_bot(v: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """The answer that did better over `params[0]` worlds."""
    sums = np.zeros((2, 2), np.int64)
    try_answers(v, r, int(params[0]), luck, sums)
    return 1 if sums[1, 0] > sums[0, 0] else 0

"""The compiled loops that play a game, built once for each game from its `Step`.

Nothing in here knows any rule. A block is one deal played once for every rotation of the bots
over the seats: in rotation j, bot i sits at seat (i + j) mod seats.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.table.compile import compiled
from pitboss.table.keys import draw, luck, luck_bits, next_luck, stream, word
from pitboss.table.seating import caller, params_at
from pitboss.table.step import CUT, DEALER, OVER, Step

# What a run of a loop counts, and how it ended.
COUNTS = np.dtype([("decisions", np.int64), ("cards", np.int64), ("cut", np.int64)])

# Where a game that is played from Python stands: its key and deal, the cards dealt so far, and the
# state of each seat's luck.
MOST_SEATS = 62
CLOCK = np.dtype(
    [
        ("high", np.uint64),
        ("low", np.uint64),
        ("deal", np.uint64),
        ("cards", np.int64),
        ("decisions", np.int64),
        ("luck", np.uint64, (MOST_SEATS,)),
    ]
)

FINE = -1  # play_blocks: all games were played
ILLEGAL = -3  # advance: the move is not legal


class Loops(NamedTuple):
    """A game's loops; arrays cross the border because records cost more."""

    play_blocks: Callable[..., int]
    advance: Callable[..., int]
    start: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    observe: Callable[..., None]
    where: Callable[..., int]
    tally: Callable[..., None]


@cache
def loops(name: str, step: Step, view_dtype: np.dtype[Any], rules_dtype: np.dtype[Any]) -> Loops:
    """The loops of a game; compiled when first called."""
    bot_at = caller(view_dtype, rules_dtype)
    start, legal, apply, where, observe, tally = step

    def play_blocks(
        states: Any, views: Any, rules: Any, seating: Any, key: Any, first: int, rotations: int, rows: Any, counts: Any
    ) -> int:
        """Play blocks first, first+1, … into rows[block, rotation, bot]; FINE, or the bot that
        answered nonsense."""
        s, v, r, c = states[0], views[0], rules[0], counts[0]
        seats = len(seating)
        lucks = np.zeros(seats, np.uint64)
        for block in range(rows.shape[0]):
            deal = stream(key[0], key[1], np.uint64(first + block))
            for rotation in range(rotations):
                for seat in range(seats):
                    lucks[seat] = luck(deal, rotation, seat)
                start(s, r, seats, None)
                while True:
                    seat = int(s["to_act"])
                    if seat == DEALER:
                        move = draw(s["left"], int(s["left_total"]), word(deal, np.uint64(where(s))))
                        c["cards"] += 1
                    elif seat == OVER:
                        break
                    else:
                        bot = seat - rotation
                        if bot < 0:
                            bot += seats
                        b = seating[bot]
                        lucks[seat] = next_luck(lucks[seat])
                        c["decisions"] += 1
                        params = params_at(b["params"], b["size"])
                        move = bot_at(b["bot"])(observe(s, r, seat, v), r, seat, params, luck_bits(lucks[seat]))
                        if move < 0 or move > 61 or not (legal(s, r) >> move) & 1:
                            return bot
                    apply(s, r, move, None)
                if int(s["ended"]) == CUT:
                    c["cut"] += 1
                tally(s, rows[block, rotation])
        return FINE

    def advance(states: Any, views: Any, rules: Any, seating: Any, clock: Any, move: int) -> int:
        """Make a Python bot's move (or FINE at the start), then play chance and compiled seats up
        to the next Python decision: its seat, or OVER, or ILLEGAL if the move was not."""
        s, v, r, k = states[0], views[0], rules[0], clock[0]
        deal = stream(k["high"], k["low"], k["deal"])
        if move != FINE:
            if move < 0 or move > 61 or not (legal(s, r) >> move) & 1:
                return ILLEGAL
            apply(s, r, move, None)
        while True:
            seat = int(s["to_act"])
            if seat == OVER:
                return OVER
            if seat == DEALER:
                move = draw(s["left"], int(s["left_total"]), word(deal, np.uint64(where(s))))
                k["cards"] += 1
            else:
                b = seating[seat]
                bits = next_luck(k["luck"][seat])
                k["luck"][seat] = bits
                k["decisions"] += 1
                view = observe(s, r, seat, v)
                if int(b["bot"]) == 0:
                    return seat
                move = bot_at(b["bot"])(view, r, seat, params_at(b["params"], b["size"]), luck_bits(bits))
                if move < 0 or move > 61 or not (legal(s, r) >> move) & 1:
                    return ILLEGAL
            apply(s, r, move, None)

    def start_one(states: Any, rules: Any, seats: int, events: Any) -> None:
        start(states[0], rules[0], seats, events)

    def legal_one(states: Any, rules: Any) -> int:
        return legal(states[0], rules[0])

    def apply_one(states: Any, rules: Any, move: int, events: Any) -> None:
        apply(states[0], rules[0], move, events)

    def observe_one(states: Any, rules: Any, seat: int, views: Any) -> None:
        observe(states[0], rules[0], seat, views[0])

    def where_one(states: Any) -> int:
        return where(states[0])

    def tally_one(states: Any, rows: Any) -> None:
        tally(states[0], rows)

    made = (play_blocks, advance, start_one, legal_one, apply_one, observe_one, where_one, tally_one)
    loops: list[Any] = [compiled(function, tag=name) for function in made]
    return Loops(*loops)

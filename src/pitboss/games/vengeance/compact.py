"""The state of Vengeance for loops and devices to which bytes matter: as small as the rules and the seats allow.

The fields are those of `state.LAYOUT`, so the rule book runs on either. How large a number can get follows from the
switches; what waits for a Flip Four has one place where there is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.types import Dtype
from pitboss.games.vengeance.cards import FLIP_FOUR, HALF, KINDS, LINE, MINUS_2, NUMBERS, THIRTEEN
from pitboss.games.vengeance.rules import VengeanceRules
from pitboss.games.vengeance.state import BONUS, FLIP_7, LAYOUT, minus_points

_TINY = ("status", "sum", "minus", "count", "owed", "bonus", "won")  # by seat: -15 to 83
_PER_ROUND = ("busts", "flip7s")  # by seat: at most one a round
_MOST_POINTS = sum(range(NUMBERS - FLIP_7, NUMBERS)) + THIRTEEN + BONUS  # of a seat in one round


def compact(rules: VengeanceRules, seats: int) -> Dtype:
    """The smallest record that holds a game of so many seats under these rules.

    >>> compact(VengeanceRules.parse("standard"), 2).itemsize < LAYOUT.dtype.itemsize / 10
    True
    """
    deck = rules.deck
    most = max(_MOST_POINTS, BONUS + rules.copies * sum(minus_points(kind) for kind in range(MINUS_2, HALF)))
    waiting = sum(deck[MINUS_2:]) if deck[FLIP_FOUR] else 1
    rounds = _fits(rules.max_rounds)
    sizes: dict[str, tuple[type[np.signedinteger[Any]], tuple[int, ...]]] = {
        "left": (_fits(max(deck)), (KINDS,)),
        **dict.fromkeys(("left_total", "discarded"), (_fits(sum(deck)), ())),
        "picked": (_fits(seats * LINE), ()),
        "round": (rounds, ()),
        "total": (_fits(most * rules.max_rounds), (seats,)),
        "last": (_fits(most), (seats,)),
        "points": (_fits(most), (seats,)),
        "line": (np.int32, (seats,)),
        "twin": (np.int32, (seats,)),
        "deadly": (np.int32, (seats,)),
        "taken": (np.int16, (seats,)),  # cards can come back in a round, but nobody sees 32,767 of them
        **dict.fromkeys(_PER_ROUND, (rounds, (seats,))),
        **dict.fromkeys(_TINY, (np.int8, (seats,))),
        **dict.fromkeys(("waiting_card", "waiting_by"), (np.int8, (waiting,))),
    }
    names = [*sizes, *(name for name in LAYOUT.dtype.names or () if name not in sizes)]
    # What is left are seats, kinds, decisions and counts of cards that wait, none above 100.
    return np.dtype([(name, *sizes.get(name, (np.int8, ()))) for name in names], align=True)


def _fits(most: int) -> type[np.signedinteger[Any]]:
    """The smallest type of whole numbers that can be this large."""
    return next(kind for kind in (np.int8, np.int16, np.int32) if most <= np.iinfo(kind).max)

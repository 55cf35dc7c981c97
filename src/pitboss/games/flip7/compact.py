"""The state of Flip 7 for devices with little memory: as small as the rules and the seats allow.

The fields are those of `state.STATE`, so the rule book runs on either. How large a number can get follows from the
switches; a field that the rule book uses for nothing at this table keeps one place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.types import Dtype
from pitboss.games.flip7.cards import COPIES, FLIP_THREE, FREEZE, KINDS, NUMBERS, PLUS_2, TIMES_2
from pitboss.games.flip7.rules import Flip7Rules
from pitboss.games.flip7.state import FLIP_7, STATE, plus_points, score

# Rows of cards begin at a whole word each, so that a device can clear them word by word.
_ROW = -(-KINDS // 4) * 4

_TINY = ("status", "sum", "numbers", "chance", "three", "won")  # by seat: 0 to 63
_PER_ROUND = ("busts", "flip7s")  # by seat: at most one a round


def compact(rules: Flip7Rules, seats: int) -> Dtype:
    """The smallest record that holds a game of so many seats under these rules.

    >>> compact(Flip7Rules.parse("numbers"), 4).itemsize < STATE.itemsize / 8
    True
    """
    deck, cards = rules.deck, sum(rules.deck)
    kinds = _fits(max(deck))
    points = _best_round(rules)
    set_aside = deck[FREEZE] + deck[FLIP_THREE] if rules.flip_three == "targeted" else 1
    sizes: dict[str, tuple[type[np.signedinteger[Any]], tuple[int, ...]]] = {
        "discards": (kinds, (_ROW,)),
        "spent": (kinds, (_ROW,)),
        "front": (kinds, (seats, _ROW)),
        "left": (kinds, (_ROW,)),
        "left_total": (_fits(cards), ()),
        "round": (_fits(rules.max_rounds), ()),
        "total": (_fits(points * rules.max_rounds), (seats,)),
        "last": (_fits(points), (seats,)),
        "points": (_fits(points), (seats,)),
        "taken": (np.int16, (seats,)),  # cards can come back in a round, but nobody sees 32,767 of them
        **{name: (_fits(rules.max_rounds), (seats,)) for name in _PER_ROUND},
        **dict.fromkeys(_TINY, (np.int8, (seats,))),
        **dict.fromkeys(("waiting_card", "waiting_by", "waiting_for"), (np.int8, (set_aside,))),
    }
    names = [*sizes, *(name for name in STATE.names or () if name not in sizes)]
    # What is left are seats, kinds, decisions and counts of cards set aside, none above 100.
    return np.dtype([(name, *sizes.get(name, (np.int8, ()))) for name in names], align=True)


def _best_round(rules: Flip7Rules) -> int:
    """More points than a seat can have in one round."""
    best = sum(range(NUMBERS - FLIP_7, NUMBERS))
    plus = sum(COPIES[card] * plus_points(card) for card in range(PLUS_2, TIMES_2)) * rules.copies
    return score(best, FLIP_7, 1, plus)


def _fits(most: int) -> type[np.signedinteger[Any]]:
    """The smallest type of whole numbers that can be this large."""
    return next(kind for kind in (np.int8, np.int16, np.int32) if most <= np.iinfo(kind).max)

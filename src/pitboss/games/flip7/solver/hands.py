"""Every hand that can grow out of one, laid out for compiled code.

One player draws from a deck until it stays, busts or makes a Flip 7. Hands form a dense table: a row for
each set of numbers drawn, and within it one column for each set of modifiers drawn. The deck needs no table
of its own, because a card that was drawn lies in the hand; only which numbers were duplicates saved by a
Second Chance does not matter, just how many.

Whatever else a player is in the middle of (a Second Chance held, a Flip Three under way, how many action
cards are gone) is a *situation*, a line of a plan (see `plan`): what follows it for each class of card.
Situations that follow come before it, and a set comes before its supersets, so one sweep from the last row
to the first, each through its situations in order, is enough to find best play (see `settle`).

A set is written as bits over the numbers that can still come, whichever these are. So which row a set has, and
which set a row, does not change between questions.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.cards import FREEZE, KINDS, NUMBERS, TIMES_2
from pitboss.games.flip7.state import FLIP_7, plus_points

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

# The columns of a plan.
WHAT = 0  # MUST, MAY or OVER
DRAWN = 1  # cards drawn since the start, numbers held and modifiers not counted
SAVED = 2  # of which duplicates
ON_NUMBER, ON_MODIFIER, ON_DUPLICATE = 3, 4, 5  # the situation that follows
ON_ACTION = 6  # three of them, then how many of that kind are left here
ACTIONS_LEFT = 9
PLAN_COLUMNS = 12

MUST, MAY, OVER = 0, 1, 2  # a card must be taken; it may be; the round is over, and the hand is banked
BUST = -1  # what may follow a duplicate instead of a situation

SETS = 1 << NUMBERS
MOST_ROWS = 4096  # sets of at most 6 of 13 numbers
POINTS = 256  # more than any hand is worth
UNIT = 2  # all points on plus-cards are multiples of it

SIZE = np.array([bin(x).count("1") for x in range(SETS)], np.int64)
SUM = np.array([sum(k for k in range(NUMBERS) if x >> k & 1) for x in range(SETS)], np.int64)
LOWEST = np.array([0, *((x & -x).bit_length() - 1 for x in range(1, SETS))], np.int64)

# The sets of at most `room` numbers: MEMBERS[room, row], ROW[room, set], and ROWS[room, n], how many there are of n
# numbers. With room for so many, at most FLIP_7 more can come.
MEMBERS, ROW = np.zeros((FLIP_7, MOST_ROWS), np.int16), np.zeros((FLIP_7, SETS), np.int16)
ROWS = np.zeros((FLIP_7, NUMBERS + 1), np.int64)
# The rows by how many numbers they have: BY_SIZE[room]. Those of n numbers begin at FROM_SIZE[room, n], and the first
# SAME_SIZE[free, n] of them are the sets of `free` numbers.
BY_SIZE, FROM_SIZE = np.zeros((FLIP_7, MOST_ROWS), np.int16), np.zeros((FLIP_7, FLIP_7), np.int64)
SAME_SIZE = np.array([[comb(free, n) for n in range(FLIP_7)] for free in range(NUMBERS + 1)], np.int64)
for _room in range(FLIP_7):
    _sets = np.flatnonzero(SIZE[: 1 << (_room + FLIP_7)] <= _room)
    MEMBERS[_room, : len(_sets)], ROW[_room, _sets] = _sets, np.arange(len(_sets))
    ROWS[_room] = np.searchsorted(_sets, 1 << np.arange(NUMBERS + 1))
    BY_SIZE[_room, : len(_sets)] = np.argsort(SIZE[_sets], kind="stable")
    FROM_SIZE[_room] = np.searchsorted(np.sort(SIZE[_sets]), np.arange(FLIP_7))


class OwnCards(NamedTuple):
    """What a player holds: the numbers as bits, the points of its plus-cards, 1 for x2."""

    held: int
    plus: int
    doubled: int


class HandTable(NamedTuple):
    """A start and all hands that can grow out of it."""

    deck: Ints  # cards to come, by kind
    plan: Ints
    own: OwnCards  # at the start
    cards: int  # to come, in all
    kinds: Ints  # the numbers that can come and are not held, one for each bit of a set
    room: int  # how many of them, at most, before the next is the seventh
    modifiers: Ints  # the kinds of the modifier cards to come, one for each bit of a column
    level: Ints  # for each column: the points of its plus-cards in units, and `levels` more with x2
    levels: int  # how many levels there are without x2
    taken: Ints  # for each column: how many modifiers it has
    sets: Ints  # for each row: the numbers drawn, as bits of kinds
    totals: Ints  # for each row: their sum
    duplicates: Ints  # for each row: cards to come that pair with a number held


@compiled_as(inline=False)
def lay_out(deck: Array, own: OwnCards, plan: Any) -> HandTable:
    """The table of a start."""
    cards, bits = 0, 0
    for kind in range(KINDS):
        cards += deck[kind]
    for kind in range(NUMBERS, FREEZE):
        bits += deck[kind]
    modifiers, level, taken = np.zeros(bits, np.int64), np.zeros(1 << bits, np.int64), np.zeros(1 << bits, np.int64)
    bits, levels = 0, 1
    for kind in range(NUMBERS, FREEZE):
        for _ in range(deck[kind]):
            modifiers[bits] = kind
            bits += 1
            levels += 0 if kind == TIMES_2 else plus_points(kind) // UNIT
    level[0] = levels if own.doubled else 0
    for i in range(bits):  # the columns whose last modifier is this one
        for m in range(1 << i):
            taken[m + (1 << i)] = taken[m] + 1
            if modifiers[i] != TIMES_2:
                level[m + (1 << i)] = level[m] + plus_points(modifiers[i]) // UNIT
            else:
                level[m + (1 << i)] = level[m] if level[m] >= levels else level[m] + levels
    kinds, free, pairs = np.zeros(NUMBERS, np.int64), 0, 0
    for kind in range(NUMBERS):
        if (own.held >> kind) & 1:
            pairs += deck[kind]
        elif deck[kind] > 0:
            kinds[free] = kind
            free += 1
    room = FLIP_7 - 1 - SIZE[own.held]
    rows = ROWS[room, free]
    sets, totals, duplicates = np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    duplicates[0] = pairs
    for r in range(1, rows):
        x = int(MEMBERS[room, r])
        kind, before = kinds[LOWEST[x]], int(ROW[room, x & (x - 1)])
        sets[r] = sets[before] | 1 << kind
        totals[r] = totals[before] + kind
        duplicates[r] = duplicates[before] + deck[kind] - 1
    return HandTable(
        deck, plan, own, cards, kinds[:free], room, modifiers, level, levels, taken, sets, totals, duplicates
    )


@compiled
def other(t: HandTable, r: int, z: int, what: int) -> tuple[int, int]:
    """How many duplicates (0) or action cards (1 to 3) are to come, and what follows one of them."""
    if what > 0:
        return t.plan[z, ACTIONS_LEFT + what - 1], t.plan[z, ON_ACTION + what - 1]
    # A situation with more saves than this hand has pairs cannot be reached; there are none then.
    return max(t.duplicates[r] - t.plan[z, SAVED], 0), t.plan[z, ON_DUPLICATE]

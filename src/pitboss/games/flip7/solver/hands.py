"""The compiled heart of the round oracle: every hand that can grow out of one, best play in each.

One player draws from a deck until it stays, busts or makes a Flip 7. Hands form a dense table: a row for
each set of numbers held, and within it one column for each set of modifiers still to come. The deck
needs no table of its own, because a card that was drawn lies in the hand; only which numbers were
duplicates saved by a Second Chance does not matter, just how many.

Whatever else a player is in the middle of (a Second Chance held, a Flip Three under way, how many action
cards are gone) is a *situation*, a line of a plan (see `plan`): what follows it for each class of card.
Situations that follow come before it, so one sweep from the largest sets to the smallest is enough.

All floats are added in a fixed order, so the same position gives the same bits on any machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.cards import FREEZE, KINDS, NUMBERS, TIMES_2
from pitboss.games.flip7.state import FLIP_7, plus_points, score

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
LANES = 8  # modifiers are settled in blocks of so many columns

SIZE = np.array([bin(x).count("1") for x in range(SETS)], np.int64)
SUM = np.array([sum(k for k in range(NUMBERS) if x >> k & 1) for x in range(SETS)], np.int64)
LOWEST = np.array([0, *((x & -x).bit_length() - 1 for x in range(1, SETS))], np.int64)

LONE = np.array([[MAY, 0, 0, 0, 0, BUST, BUST, BUST, BUST, 0, 0, 0]], np.int64)  # no action cards, no flags


class HandTable(NamedTuple):
    """A start and all hands that can grow out of it."""

    deck: Ints  # cards to come, by kind
    plan: Ints
    held: int  # numbers held at the start, as bits
    plus: int  # points of the plus-cards held
    doubled: int  # 1 if x2 is held
    cards: int  # to come, in all
    free: int  # numbers that can come and are not held, as bits
    room: int  # how many of them, at most, before the next is the seventh
    modifiers: Ints  # the kinds of the modifier cards to come, one for each bit of a column
    level: Ints  # for each column: which of the levels below its points are
    levels: int  # points of plus-cards to come, and 1; twice that with x2, and one level that is nothing
    sets: Ints  # of the free numbers: a row for each, supersets first
    row: Ints  # the row of each set
    duplicates: Ints  # cards to come that pair with a number held, for each row
    shares: Floats  # one card's share of what is left, by cards drawn and column; 1 if nothing is left
    values: Floats  # by row and situation, and column: the value of best play


@compiled_as(inline=False)
def lay_out(deck: Array, held: int, plus: int, doubled: int, plan: Any) -> HandTable:
    """The table of a start; its values are still to be found by `settle`."""
    cards = 0
    for kind in range(KINDS):
        cards += deck[kind]
    bits = 0
    for kind in range(NUMBERS, FREEZE):
        bits += deck[kind]
    modifiers = np.zeros(bits, np.int64)
    bits, levels = 0, 1
    for kind in range(NUMBERS, FREEZE):
        for _ in range(deck[kind]):
            modifiers[bits] = kind
            bits += 1
            levels += 0 if kind == TIMES_2 else plus_points(kind) // UNIT
    free = 0
    for kind in range(NUMBERS):
        if deck[kind] > 0 and not (held >> kind) & 1:
            free |= 1 << kind
    room = FLIP_7 - 1 - SIZE[held]
    sets, row, duplicates = _sets(deck, held, free, room)
    width = max(1 << bits, LANES)
    level, taken = np.zeros(width, np.int64), np.zeros(width, np.int64)
    for m in range(width):
        points, twice = 0, doubled
        for i in range(bits):
            if (m >> i) & 1:
                taken[m] += 1
                if modifiers[i] == TIMES_2:
                    twice = 1
                else:
                    points += plus_points(modifiers[i])
        # Columns that are only there to fill a block are worth nothing, so they add nothing to others.
        level[m] = (levels if twice else 0) + points // UNIT if m < 1 << bits else 2 * levels
    most = 0
    for z in range(len(plan)):
        most = max(most, plan[z, DRAWN])
    shares = np.zeros((most + room + 1, width))
    for drawn in range(most + room + 1):
        for m in range(1 << bits):
            left = cards - drawn - taken[m]
            shares[drawn, m] = 1.0 / left if left > 0 else (1.0 if left == 0 else 0.0)
    values = np.empty((len(sets) * len(plan), width))
    return HandTable(
        deck, plan, held, plus, doubled, cards, free, room, modifiers, level, levels, sets, row, duplicates, shares,
        values,
    )  # fmt: skip


@compiled
def _sets(deck: Array, held: int, free: int, room: int) -> tuple[Array, Array, Array]:
    """The sets of at most `room` free numbers, from large to small."""
    pairs = 0
    for kind in range(NUMBERS):
        if (held >> kind) & 1:
            pairs += deck[kind]
    sets, row = np.zeros(MOST_ROWS + 1, np.int64), np.zeros(SETS, np.int64)
    rows, x = 0, free
    while True:
        sets[rows] = x
        row[x] = rows
        if SIZE[x] <= room:
            rows += 1
        if x == 0:
            break
        x = (x - 1) & free
    duplicates = np.zeros(rows, np.int64)
    duplicates[rows - 1] = pairs
    for i in range(rows - 2, -1, -1):
        x = sets[i]
        duplicates[i] = duplicates[row[x & (x - 1)]] + deck[LOWEST[x]] - 1
    return sets[:rows], row, duplicates


@compiled_as(inline=False)
def settle(t: HandTable, utility: Array, end: Array, first: int, last: int) -> float:
    """Fill in the values of rows first … last - 1, after all before them.

    Returns what drawing a card is worth in the last of them, without modifiers and in the last situation:
    after all rows, that is the start. `utility` is what each number of points is worth at the end of the
    round, and must not fall with the points. `end` is, for each situation, what drawing is worth when the
    whole deck lies in the hand.
    """
    width, levels, situations = t.values.shape[1], t.levels, len(t.plan)
    sums, stay = np.empty(width), np.empty(width)
    stays, sevens = np.zeros(2 * levels + 1), np.zeros(2 * levels + 1)  # by level; the last one is nothing
    every_other = np.ascontiguousarray(utility.reshape(-1, UNIT).T)
    hit = 0.0
    for r in range(first, last):
        x = t.sets[r]
        size, total = SIZE[x], SUM[t.held] + SUM[x]
        held = FLIP_7 - 1 - t.room + size
        for twice in range(2):
            now = score(total, held, twice, t.plus)
            points, out = every_other[now % UNIT, now // UNIT :], stays[twice * levels :]
            for j in range(levels):
                out[j] = points[j]
        for m in range(width):
            stay[m] = stays[t.level[m]]
        if size == t.room:
            _sevens(t, x, total, every_other, sevens)
        for z in range(situations):
            if t.plan[z, WHAT] == OVER:
                for m in range(width):
                    t.values[r * situations + z, m] = stay[m]
                continue
            _draw_number(t, x, size, z, sevens, sums, _busts(t, r, z) * utility[0])
            _draw_other(t, r, z, sums)
            drawn = size + t.plan[z, DRAWN]
            if x == t.free and t.cards == drawn + len(t.modifiers):
                sums[(1 << len(t.modifiers)) - 1] = end[z]
            if t.plan[z, ON_MODIFIER] == z:
                hit = _settle_here(t.values, r * situations + z, sums, stay, t.shares, drawn, width)
            else:
                hit = _settle_after(t, r, z, sums, stay, drawn)
    return hit


@compiled
def _sevens(t: HandTable, x: int, total: int, every_other: Array, out: Array) -> None:
    """For each level, the sum over the seventh numbers that can come of what they bring."""
    for j in range(2 * t.levels):
        out[j] = 0.0
    rest = t.free & ~x
    while rest:
        one = rest & -rest
        rest ^= one
        kind = LOWEST[one]
        weight = float(t.deck[kind])
        for twice in range(2):
            now = score(total + kind, FLIP_7, twice, t.plus)
            points, sums = every_other[now % UNIT, now // UNIT :], out[twice * t.levels :]
            for j in range(t.levels):
                sums[j] += weight * points[j]


@compiled
def _draw_number(t: HandTable, x: int, size: int, z: int, sevens: Array, sums: Array, busts: float) -> None:
    """Begin the sums over the next card: busts, and the numbers that are not held."""
    width, situations = len(sums), len(t.plan)
    if size == t.room:
        for m in range(width):
            sums[m] = busts + sevens[t.level[m]]
        return
    for m in range(width):
        sums[m] = busts
    rest, then = t.free & ~x, t.plan[z, ON_NUMBER]
    while rest:  # three at a time: the sums then travel a third as often
        one = rest & -rest
        rest ^= one
        two = rest & -rest
        rest ^= two
        three = rest & -rest
        rest ^= three
        a = t.row[x | one] * situations + then
        b = t.row[x | two] * situations + then if two else a
        c = t.row[x | three] * situations + then if three else a
        of_a = float(t.deck[LOWEST[one]])
        of_b = float(t.deck[LOWEST[two]]) if two else 0.0
        of_c = float(t.deck[LOWEST[three]]) if three else 0.0
        for m in range(width):
            sums[m] += of_a * t.values[a, m] + of_b * t.values[b, m] + of_c * t.values[c, m]


@compiled
def other(t: HandTable, r: int, z: int, what: int) -> tuple[int, int]:
    """How many duplicates (0) or action cards (1 to 3) are to come, and what follows one of them."""
    if what > 0:
        return t.plan[z, ACTIONS_LEFT + what - 1], t.plan[z, ON_ACTION + what - 1]
    # A situation with more saves than this hand has pairs cannot be reached; there are none then.
    return max(t.duplicates[r] - t.plan[z, SAVED], 0), t.plan[z, ON_DUPLICATE]


@compiled
def _busts(t: HandTable, r: int, z: int) -> int:
    """How many cards to come are a bust."""
    count, then = other(t, r, z, 0)
    return count if then == BUST else 0


@compiled
def _draw_other(t: HandTable, r: int, z: int, sums: Array) -> None:
    """Add action cards and duplicates that are no bust."""
    for what in range(4):
        count, then = other(t, r, z, what)
        if count == 0 or then == BUST:
            continue
        weight, child = float(count), r * len(t.plan) + then
        for m in range(len(sums)):
            sums[m] += weight * t.values[child, m]


@compiled
def _better(a: float, b: float) -> float:
    return a if a > b else b


@compiled
def _settle_here(values: Array, at: int, sums: Array, stay: Array, shares: Array, drawn: int, width: int) -> float:
    """Add the modifiers where they lead to the same situation, and decide.

    A hand with more modifiers comes first. Within a block the order is written out, and a block's values
    go from registers into the sums of the blocks below it: read back from memory they would cost twice.
    """
    hit = 0.0
    for b in range(width - LANES, -1, -LANES):
        v7 = _better(stay[b + 7], sums[b + 7] * shares[drawn, b + 7])
        v6 = _better(stay[b + 6], (sums[b + 6] + v7) * shares[drawn, b + 6])
        v5 = _better(stay[b + 5], (sums[b + 5] + v7) * shares[drawn, b + 5])
        v3 = _better(stay[b + 3], (sums[b + 3] + v7) * shares[drawn, b + 3])
        v4 = _better(stay[b + 4], (sums[b + 4] + v5 + v6) * shares[drawn, b + 4])
        v2 = _better(stay[b + 2], (sums[b + 2] + v3 + v6) * shares[drawn, b + 2])
        v1 = _better(stay[b + 1], (sums[b + 1] + v3 + v5) * shares[drawn, b + 1])
        hit = (sums[b] + v1 + v2 + v4) * shares[drawn, b]
        v0 = _better(stay[b], hit)
        values[at, b] = v0
        values[at, b + 1] = v1
        values[at, b + 2] = v2
        values[at, b + 3] = v3
        values[at, b + 4] = v4
        values[at, b + 5] = v5
        values[at, b + 6] = v6
        values[at, b + 7] = v7
        step = LANES
        while step < width:
            if b & step:
                to = b - step
                sums[to] += v0
                sums[to + 1] += v1
                sums[to + 2] += v2
                sums[to + 3] += v3
                sums[to + 4] += v4
                sums[to + 5] += v5
                sums[to + 6] += v6
                sums[to + 7] += v7
            step *= 2
    return hit


@compiled
def _settle_after(t: HandTable, r: int, z: int, sums: Array, stay: Array, drawn: int) -> float:
    """Add the modifiers where they lead to another situation, and decide if that is allowed here."""
    width, at = t.values.shape[1], r * len(t.plan)
    child, own, shares = t.values[at + t.plan[z, ON_MODIFIER]], t.values[at + z], t.shares[drawn]
    for i in range(len(t.modifiers)):
        for m in range(width):
            if not (m >> i) & 1:
                sums[m] += child[m | 1 << i]
    hit = sums[0] * shares[0]
    if t.plan[z, WHAT] == MAY:
        for m in range(width):
            own[m] = _better(stay[m], sums[m] * shares[m])
    else:
        for m in range(width):
            own[m] = sums[m] * shares[m]
    return hit  # type: ignore[no-any-return]

"""Best play of every hand of a table: one sweep from the largest sets to the smallest.

Only hands that best play can come to are worked out. Those that are sure to stay (see `bounds`) are worth what
staying is worth, which depends on nothing but the sum of their numbers and the column, so all of one sum share a line.

All floats are added in a fixed order, so the same position gives the same bits on any machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.cards import TIMES_2
from pitboss.games.flip7.solver.bounds import DOUBLED, ENDED, Kinds, kinds_of, live_hands, may_hit
from pitboss.games.flip7.solver.hands import (
    BUST,
    DRAWN,
    LOWEST,
    MAY,
    MEMBERS,
    ON_MODIFIER,
    ON_NUMBER,
    OVER,
    ROW,
    SIZE,
    SUM,
    UNIT,
    WHAT,
    HandTable,
    other,
)
from pitboss.games.flip7.state import FLIP_7, score

LANES = 8  # modifiers are settled in blocks of so many columns


class BestPlay(NamedTuple):
    """What hands are worth under best play."""

    place: Any  # by row and situation: the line of its values; -1 if best play never comes to it
    half: Any  # by line: 1 if the second half of its columns, those with x2, are sure to stay
    values: Any  # by line and column; first, for each sum of the numbers drawn, what staying is worth
    shares: Any  # one card's share of what is left, by cards drawn and column; 1 if nothing is left


class SettleMemory(NamedTuple):
    """Memory for `settle` to work in, and what it reads often."""

    sums: Any  # over the next card, by column
    sevens: Any  # over the seventh number, by level
    every_other: Any  # the utility of even and of odd numbers of points


@compiled_as(inline=False)
def all_hands(t: HandTable, utility: Array) -> BestPlay:
    """Room for the values of all hands, to be found by `settle`."""
    place, situations = np.empty(len(t.sets) * len(t.plan), np.int64), len(t.plan)
    first, lines = _totals(t), 0
    for r in range(len(t.sets)):
        for z in range(situations):
            if t.plan[z, WHAT] == OVER:
                place[r * situations + z] = t.totals[r]
            else:
                place[r * situations + z] = first + lines
                lines += 1
    return _begin(t, utility, place, np.zeros(first + lines, np.int8))


@compiled_as(inline=False)
def likely_hands(t: HandTable, kinds: Kinds, live: Array, utility: Array) -> BestPlay:
    """The same for those that best play can come to, and the start; `live` and usable `kinds` are from `bounds`."""
    rows, situations, free = len(t.sets), len(t.plan), len(t.kinds)
    place, wanted = np.full(rows * situations, -1), np.zeros(rows, np.int64)
    lines, last = _totals(t), situations - 1
    half = np.empty(lines + rows * situations, np.int8)
    x2 = len(t.level) > LANES and t.modifiers[-1] == TIMES_2 and not t.own.doubled
    wanted[0] = 1 << last
    for r in range(rows):
        if wanted[r] == 0:
            continue
        x = int(MEMBERS[t.room, r])
        for z in range(last, -1, -1):
            if not (wanted[r] >> z) & 1:
                continue
            kind = kinds.ranks[z]
            if kind == ENDED or not (may_hit(live[r], kind) or (r == 0 and z == last)):
                place[r * situations + z] = t.totals[r]
                continue
            place[r * situations + z] = lines
            half[lines] = 1 if x2 and not (live[r] >> (DOUBLED + kind)) & 1 else 0
            lines += 1
            for what in range(4):
                count, then = other(t, r, z, what)
                if count > 0 and then != BUST:
                    wanted[r] |= 1 << then
            rest = ((1 << free) - 1) & ~x if SIZE[x] < t.room else 0
            while rest:
                one = rest & -rest
                rest ^= one
                wanted[int(ROW[t.room, x | one])] |= 1 << z
    return _begin(t, utility, place, half[:lines])


@compiled
def _totals(t: HandTable) -> int:
    """How many sums of the numbers drawn there are."""
    most = 0
    for r in range(len(t.sets)):
        most = max(most, t.totals[r])
    return most + 1


@compiled
def _begin(t: HandTable, utility: Array, place: Array, half: Array) -> BestPlay:
    width, most = len(t.level), 0
    for z in range(len(t.plan)):
        most = max(most, t.plan[z, DRAWN])
    shares = np.zeros((most + t.room + 1, width))
    for drawn in range(len(shares)):
        for m in range(width):
            left = t.cards - drawn - t.taken[m]
            shares[drawn, m] = 1.0 / left if left > 0 else (1.0 if left == 0 else 0.0)
    values = np.empty((len(half), width))
    for total in range(_totals(t)):
        once = SUM[t.own.held] + total
        for m in range(width):
            twice = t.level[m] >= t.levels
            plus = t.own.plus + UNIT * (t.level[m] - (t.levels if twice else 0))
            values[total, m] = utility[score(once, 0, twice, plus)]
    return BestPlay(place, half, values, shares)


@compiled_as(inline=False)
def settle(t: HandTable, best: BestPlay, utility: Array, end: Array, first: int, last: int) -> float:
    """Fill in the values of rows last - 1 … first, after all beyond them.

    Returns what drawing a card is worth in the first of them, without modifiers and in the last situation: in
    row 0, that is the start. `utility` is what each number of points is worth at the end of the round, and must
    not fall with the points. `end` is, for each situation, what drawing is worth when the whole deck lies in the hand.
    """
    scratch = SettleMemory(
        np.empty(len(t.level)), np.zeros(2 * t.levels), np.ascontiguousarray(utility.reshape(-1, UNIT).T)
    )
    return _sweep(t, best, end, scratch, first, last)


@compiled_as(inline=False, counted=False)
def _sweep(t: HandTable, best: BestPlay, end: Array, scratch: SettleMemory, first: int, last: int) -> float:
    """The same, with memory to work in."""
    situations, sevens, nothing = len(t.plan), scratch.sevens, scratch.every_other[0, 0]
    hit, fresh = 0.0, False
    for r in range(last - 1, first - 1, -1):
        fresh = False
        x = int(MEMBERS[t.room, r])
        size = SIZE[x]
        for z in range(situations):
            at = best.place[r * situations + z]
            if at <= t.totals[r]:
                continue
            sums = scratch.sums[: len(t.level) // 2 if best.half[at] else len(t.level)]
            busts = _busts(t, r, z) * nothing
            if size < t.room:
                _draw_number(t, best, x, t.plan[z, ON_NUMBER], sums, busts)
            else:
                if not fresh:
                    _sevens(t, r, scratch.every_other, sevens)
                    fresh = True
                for m in range(len(sums)):
                    sums[m] = busts + sevens[t.level[m]]
            _draw_other(t, best, r, z, sums)
            drawn = size + t.plan[z, DRAWN]
            if size == len(t.kinds) and t.cards == drawn + len(t.modifiers):
                sums[len(sums) - 1] = end[z]
            if t.plan[z, ON_MODIFIER] != z:
                hit = _settle_after(t, best, r, z, sums)
                continue
            if best.half[at]:
                _stay_with_x2(best, at, t.totals[r], sums)
            if len(sums) < LANES:
                hit = _settle_few(best, at, t.totals[r], sums, drawn)
            else:
                hit = _settle_here(best, at, t.totals[r], sums, drawn)
    return hit


@compiled_as(inline=False)
def solve(t: HandTable, utility: Array, end: Array) -> tuple[float, BestPlay]:
    """What a card is worth at the start, under best play after it; and that play, as far as it can come to."""
    kinds = kinds_of(t.plan)
    if kinds.usable:
        best = likely_hands(t, kinds, live_hands(t, kinds, utility), utility)
    else:
        best = all_hands(t, utility)
    return settle(t, best, utility, end, 0, len(t.sets)), best


@compiled
def _sevens(t: HandTable, r: int, every_other: Array, out: Array) -> None:
    """For each level, the sum over the seventh numbers that can come of what they bring."""
    for j in range(len(out)):
        out[j] = 0.0
    total, rest = SUM[t.own.held] + t.totals[r], ((1 << len(t.kinds)) - 1) & ~int(MEMBERS[t.room, r])
    while rest:
        one = rest & -rest
        rest ^= one
        kind = t.kinds[LOWEST[one]]
        weight = float(t.deck[kind])
        for twice in range(2):
            now = score(total + kind, FLIP_7, twice, t.own.plus)
            points, sums = every_other[now % UNIT, now // UNIT :], out[twice * t.levels :]
            for j in range(t.levels):
                sums[j] += weight * points[j]


@compiled
def _draw_number(t: HandTable, best: BestPlay, x: int, then: int, sums: Array, busts: float) -> None:
    """Begin the sums over the next card: busts, and the numbers that are not held."""
    width, situations, values = len(sums), len(t.plan), best.values
    for m in range(width):
        sums[m] = busts
    rest = ((1 << len(t.kinds)) - 1) & ~x
    while rest:  # three at a time: the sums then travel a third as often
        one = rest & -rest
        rest ^= one
        two = rest & -rest
        rest ^= two
        three = rest & -rest
        rest ^= three
        a = best.place[int(ROW[t.room, x | one]) * situations + then]
        b = best.place[int(ROW[t.room, x | two]) * situations + then] if two else a
        c = best.place[int(ROW[t.room, x | three]) * situations + then] if three else a
        of_a = float(t.deck[t.kinds[LOWEST[one]]])
        of_b = float(t.deck[t.kinds[LOWEST[two]]]) if two else 0.0
        of_c = float(t.deck[t.kinds[LOWEST[three]]]) if three else 0.0
        for m in range(width):
            sums[m] += of_a * values[a, m] + of_b * values[b, m] + of_c * values[c, m]


@compiled
def _busts(t: HandTable, r: int, z: int) -> int:
    """How many cards to come are a bust."""
    count, then = other(t, r, z, 0)
    return count if then == BUST else 0


@compiled
def _draw_other(t: HandTable, best: BestPlay, r: int, z: int, sums: Array) -> None:
    """Add action cards and duplicates that are no bust."""
    for what in range(4):
        count, then = other(t, r, z, what)
        if count == 0 or then == BUST:
            continue
        weight, child = float(count), best.place[r * len(t.plan) + then]
        for m in range(len(sums)):
            sums[m] += weight * best.values[child, m]


@compiled
def _better(a: float, b: float) -> float:
    return a if a > b else b


@compiled
def _stay_with_x2(best: BestPlay, at: int, stay: int, sums: Array) -> None:
    """The columns of the second half stay, and one card leads there from each of the first."""
    for m in range(len(sums)):
        best.values[at, len(sums) + m] = best.values[stay, len(sums) + m]
        sums[m] += best.values[stay, len(sums) + m]


@compiled
def _settle_few(best: BestPlay, at: int, stay: int, sums: Array, drawn: int) -> float:
    """Add the modifiers where they lead to the same situation and are less than a block, and decide."""
    values, hit = best.values, 0.0
    for m in range(len(sums) - 1, -1, -1):
        total, step = sums[m], 1
        while step < len(sums):
            if not m & step:
                total += values[at, m | step]
            step *= 2
        hit = total * best.shares[drawn, m]
        values[at, m] = _better(values[stay, m], hit)
    return hit


@compiled
def _settle_here(best: BestPlay, at: int, stays: int, sums: Array, drawn: int) -> float:
    """The same for whole blocks.

    A hand with more modifiers comes first. Within a block the order is written out, and a block's values
    go from registers into the sums of the blocks below it: read back from memory they would cost twice.
    """
    values, hit, width = best.values, 0.0, len(sums)
    stay, share = values[stays], best.shares[drawn]
    for b in range(width - LANES, -1, -LANES):
        v7 = _better(stay[b + 7], sums[b + 7] * share[b + 7])
        v6 = _better(stay[b + 6], (sums[b + 6] + v7) * share[b + 6])
        v5 = _better(stay[b + 5], (sums[b + 5] + v7) * share[b + 5])
        v3 = _better(stay[b + 3], (sums[b + 3] + v7) * share[b + 3])
        v4 = _better(stay[b + 4], (sums[b + 4] + v5 + v6) * share[b + 4])
        v2 = _better(stay[b + 2], (sums[b + 2] + v3 + v6) * share[b + 2])
        v1 = _better(stay[b + 1], (sums[b + 1] + v3 + v5) * share[b + 1])
        hit = (sums[b] + v1 + v2 + v4) * share[b]
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
def _settle_after(t: HandTable, best: BestPlay, r: int, z: int, sums: Array) -> float:
    """Add the modifiers where they lead to another situation, and decide if that is allowed here."""
    width, situations = len(sums), len(t.plan)
    child, own = best.place[r * situations + t.plan[z, ON_MODIFIER]], best.place[r * situations + z]
    stay, share = best.values[t.totals[r]], best.shares[SIZE[MEMBERS[t.room, r]] + t.plan[z, DRAWN]]
    for i in range(len(t.modifiers)):
        for m in range(width):
            if not (m >> i) & 1:
                sums[m] += best.values[child, m | 1 << i]
    hit = sums[0] * share[0]
    if t.plan[z, WHAT] == MAY:
        for m in range(width):
            best.values[own, m] = _better(stay[m], sums[m] * share[m])
    else:
        for m in range(width):
            best.values[own, m] = sums[m] * share[m]
    return hit  # type: ignore[no-any-return]

"""Hands that are sure to stay, found without working out what they are worth.

Most hands of a large table are so risky that no player would hit them, and what follows them need not be looked at.
What is told of a hand here is an upper bound of how much more than staying it can be worth: one number for all columns
without x2 and one for all with it, where the whole answer has a number for each column. It is found from the largest
sets to the smallest as the answer itself, but every doubt counts for the player: modifiers are worth what they are
worth where they help most, a bust costs what it costs with the fewest points, all situations of a kind are taken
together (the first; with a Second Chance in hand; without one, after it was used), and what may follow the next number
is what may follow it for the best hand of the same size and sum. Hands of one size and sum differ little: with a fresh
deck, in which there are as many cards of a number as it says, nearly all have the same duplicates to fear.

If even so a card is worth less than to stay, by more than floats can be wrong, best play stays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.cards import NUMBERS, TIMES_2
from pitboss.games.flip7.solver.hands import (
    ACTIONS_LEFT,
    BUST,
    BY_SIZE,
    DRAWN,
    FROM_SIZE,
    LOWEST,
    MAY,
    MEMBERS,
    ON_ACTION,
    ON_DUPLICATE,
    ON_MODIFIER,
    ON_NUMBER,
    OVER,
    POINTS,
    SAME_SIZE,
    SAVED,
    SUM,
    UNIT,
    WHAT,
    HandTable,
)
from pitboss.games.flip7.state import BONUS, plus_points

# Kinds of situations: the first, shielded by a Second Chance, without one after it was used; a round that is over.
FIRST, SHIELDED, LATER, ENDED = 0, 1, 2, 3
DOUBLED = 3  # best play may hit, a bit for each of them but the last: without x2, and as many bits further on with it
LIVE = (1 << 2 * DOUBLED) - 1
MOST_SITUATIONS = 60
HIGHEST = NUMBERS - 1
HUGE = 1e30  # no bound at all
MARGIN = 1e-9  # of the worth of all points: more than all floats of a hand can be wrong together


class Kinds(NamedTuple):
    """The situations of a plan taken together."""

    ranks: Any  # the kind of each
    usable: bool  # whether they can be: no situation in which a card must be taken, no card that just goes by
    saved: int  # the most duplicates that were saved
    drawn: int  # the most cards drawn that are neither numbers held nor modifiers
    chances: Any  # for each kind: the most Second Chances to come


class Gains(NamedTuple):
    """What cards bring at most, by x2 held and by the sum of the numbers drawn."""

    weights: Any  # how many there are of each number
    number: Any  # what these bring together; by x2, by 1 if it is the seventh, by number and by sum
    modifiers: Any  # what all of them bring together
    loss: Any  # what a bust costs at least
    x2: int  # how many of them are to come
    margin: float


class SizeBounds(NamedTuple):
    """What hands of one size share: by kind of situation without and with x2, and by the sum of the numbers drawn."""

    beyond: Any  # the bounds of hands with one number more
    here: Any  # the bounds of hands of this size
    each: Any  # what each number that may come brings, and the gain that may follow; by number before the sum
    whole: Any  # that for all of them together


class CardsLeft(NamedTuple):
    """Shares of the cards that are to come to hands of a size, at least, modifiers left out."""

    one: float  # card's
    calm: float  # card's, without Second Chances
    back: float  # how often a duplicate is followed by a Second Chance, for one duplicate


@compiled
def kinds_of(plan: Array) -> Kinds:
    """The kinds of a plan's situations."""
    ranks, chances, usable = np.full(len(plan), ENDED), np.zeros(3, np.int64), len(plan) <= MOST_SITUATIONS
    saved, drawn, last = 0, 0, len(plan) - 1
    for z in range(len(plan)):
        if plan[z, WHAT] == OVER:
            continue
        ranks[z] = SHIELDED if plan[z, ON_DUPLICATE] != BUST else (FIRST if z == last else LATER)
        usable = usable and plan[z, WHAT] == MAY and plan[z, ON_NUMBER] == z and plan[z, ON_MODIFIER] == z
        saved, drawn = max(saved, plan[z, SAVED]), max(drawn, plan[z, DRAWN])
        if ranks[z] == SHIELDED and ranks[plan[z, ON_DUPLICATE]] == SHIELDED:
            usable = False
        for action in range(3):
            count, then = plan[z, ACTIONS_LEFT + action], plan[z, ON_ACTION + action]
            if count > 0 and then != BUST and ranks[then] == SHIELDED:
                chances[ranks[z]] = max(chances[ranks[z]], count)
            elif count > 0 and (then == BUST or ranks[then] != ENDED):
                usable = False
    return Kinds(ranks, usable, saved, drawn, chances)


@compiled_as(inline=False)
def live_hands(t: HandTable, kinds: Kinds, utility: Array) -> Any:
    """For each row, the kinds of situations in which best play may hit, as bits."""
    free, most, window = len(t.kinds), 0, 1
    live = np.full(len(t.sets), LIVE)
    for j in range(max(free - t.room, 0), free):
        most += t.kinds[j]
    while window < t.levels:
        window *= 2
    highest = 2 * (SUM[t.own.held] + most) + t.own.plus + UNIT * window + 2 * HIGHEST + BONUS
    calm = t.cards - t.room - kinds.drawn - len(t.modifiers) - kinds.chances[SHIELDED]
    if not kinds.usable or highest >= POINTS or calm <= 0:
        return live
    gains, shields = _gains(t, utility, most, window), kinds.saved > 0 or kinds.chances[FIRST] > 0
    columns = 2 * DOUBLED if shields else 2
    bounds = np.zeros((2, columns, most + 1 + HIGHEST))
    each, whole = np.empty((columns, free, most + 1)), np.empty((columns, most + 1))
    for size in range(min(t.room, free), -1, -1):
        now = SizeBounds(bounds[size & 1 ^ 1], bounds[size & 1], each, whole)
        for column in range(columns):
            twice = column // (columns // 2)
            if (twice and (t.own.doubled or gains.x2 > 0)) or (not twice and not t.own.doubled):
                _bring(t, gains, size, gains.number[twice, 1 if size == t.room else 0], column, now)
        if shields:
            _sweep_shielded(t, kinds, gains, size, now, live)
        else:
            _sweep(t, kinds, gains, size, now, live)
    return live


@compiled
def _bring(t: HandTable, gains: Gains, size: int, number: Array, column: int, now: SizeBounds) -> None:
    """Fill in what the next number brings to hands of a size."""
    whole, here = now.whole[column], now.here[column]
    for total in range(len(here)):
        here[total] = 0.0
    for total in range(len(whole)):
        whole[total] = 0.0
    for j in range(len(t.kinds)):
        gain, each, beyond = number[j], now.each[column, j], now.beyond[column, t.kinds[j] :]
        weight = 0.0 if size == t.room else gains.weights[j]
        for total in range(len(whole)):
            each[total] = gain[total] + weight * beyond[total]
        for total in range(len(whole)):
            whole[total] += each[total]


@compiled_as(inline=False, counted=False)
def _sweep(t: HandTable, kinds: Kinds, gains: Gains, size: int, now: SizeBounds, live: Array) -> None:
    """Fill in the bounds of hands of a size, and what they say, where there is no Second Chance."""
    x2, single, double = float(gains.x2), not t.own.doubled, t.own.doubled or gains.x2 > 0
    first, share = FROM_SIZE[t.room, size], 1.0 / (t.cards - size - kinds.drawn - len(t.modifiers))
    other = LIVE & ~(1 << FIRST | 1 << (DOUBLED + FIRST))
    for i in range(first, first + SAME_SIZE[len(t.kinds), size]):
        r = int(BY_SIZE[t.room, i])
        rest, total = int(MEMBERS[t.room, r]), t.totals[r]
        pairs, alive, b = float(t.duplicates[r]), other, 0.0
        if double:
            d = now.whole[1, total] + gains.modifiers[1, total] - pairs * gains.loss[1, total]
            left = rest
            while left:
                one = left & -left
                left ^= one
                d -= now.each[1, LOWEST[one], total]
            alive |= 1 << (DOUBLED + FIRST) if d > -gains.margin else 0
            b = max(d * share, 0.0)
            now.here[1, total] = max(now.here[1, total], b)
        if single:
            s = now.whole[0, total] + gains.modifiers[0, total] - pairs * gains.loss[0, total] + x2 * b
            while rest:
                one = rest & -rest
                rest ^= one
                s -= now.each[0, LOWEST[one], total]
            alive |= 1 << FIRST if s > -gains.margin else 0
            now.here[0, total] = max(now.here[0, total], s * share)
        live[r] = alive


@compiled_as(inline=False, counted=False)
def _sweep_shielded(t: HandTable, kinds: Kinds, gains: Gains, size: int, now: SizeBounds, live: Array) -> None:
    """The same where there may be one."""
    x2, single, double = float(gains.x2), not t.own.doubled, t.own.doubled or gains.x2 > 0
    first, cards = FROM_SIZE[t.room, size], t.cards - size - kinds.drawn - len(t.modifiers)
    calm = 1.0 / (cards - kinds.chances[SHIELDED])  # a Second Chance more changes nothing
    left = CardsLeft(1.0 / cards, calm, calm * kinds.chances[LATER] / cards)
    for i in range(first, first + SAME_SIZE[len(t.kinds), size]):
        r = int(BY_SIZE[t.room, i])
        rest, total, pairs = int(MEMBERS[t.room, r]), t.totals[r], t.duplicates[r]
        here, whole, each = now.here[:, total], now.whole[:, total], now.each[:, :, total]
        s0, s1, s2, d0, d1, d2 = whole[0], whole[1], whole[2], whole[3], whole[4], whole[5]
        while rest:
            one = rest & -rest
            rest ^= one
            j = LOWEST[one]
            s0 -= each[0, j]
            s1 -= each[1, j]
            s2 -= each[2, j]
            d0 -= each[3, j]
            d1 -= each[4, j]
            d2 -= each[5, j]
        alive, b0, b1, b2 = 1 << SHIELDED | 1 << (DOUBLED + SHIELDED), 0.0, 0.0, 0.0
        if double:
            new = gains.modifiers[1, total]
            b0, b1, b2 = _bound(kinds, left, pairs, (new + d0, new + d1, new + d2), gains.loss[1, total])
            here[3], here[4], here[5] = max(here[3], b0), max(here[4], b1), max(here[5], b2)
            alive |= _may(gains, b0, b2) << DOUBLED
        if single:
            new = gains.modifiers[0, total]
            sums = new + s0 + x2 * max(b0, 0.0), new + s1 + x2 * b1, new + s2 + x2 * max(b2, 0.0)
            b0, b1, b2 = _bound(kinds, left, pairs, sums, gains.loss[0, total])
            here[0], here[1], here[2] = max(here[0], b0), max(here[1], b1), max(here[2], b2)
            alive |= _may(gains, b0, b2)
        live[r] = alive


@compiled
def _may(gains: Gains, first: float, later: float) -> int:
    """The kinds of situations that may hit, as bits."""
    return (1 << LATER if later > -gains.margin else 0) | (1 << FIRST if first > -gains.margin else 0)


@compiled
def _bound(kinds: Kinds, left: CardsLeft, pairs: int, sums: Any, loss: float) -> tuple[float, float, float]:
    """How much more than staying a card is worth at most, in the three kinds of situations.

    `sums` are what all cards but duplicates and Second Chances bring.
    """
    first, later = sums[FIRST] - loss * pairs, sums[LATER] - loss * max(pairs - kinds.saved, 0)
    # A shielded hand becomes a later one, which may become shielded: two inequalities with two unknowns.
    back, shielded = pairs * left.back, HUGE
    if back < 1.0:
        shielded = (sums[SHIELDED] + pairs * max(later, 0.0) * left.one) * left.calm / (1.0 - back)
    first += kinds.chances[FIRST] * shielded
    later += kinds.chances[LATER] * shielded
    return first * left.one, shielded, later * left.one


@compiled
def _gains(t: HandTable, utility: Array, most: int, window: int) -> Gains:
    """The most that cards can bring, for hands whose numbers come to 0 … most beyond those held at the start."""
    free, x2 = len(t.kinds), 0
    number, modifiers, loss = np.empty((2, 2, free, most + 1)), np.zeros((2, most + 1)), np.empty((2, most + 1))
    weights, each = np.empty(free), np.empty(2 * most + 1 + UNIT * window)
    for j in range(free):
        weights[j] = t.deck[t.kinds[j]]
    for i in range(len(t.modifiers)):
        x2 += 1 if t.modifiers[i] == TIMES_2 else 0
    for twice in range(1 if t.own.doubled else 0, 2 if t.own.doubled or x2 > 0 else 1):
        times = 1 + twice
        worth, points = utility[times * SUM[t.own.held] + t.own.plus :], each[: times * most + 1 + UNIT * window]
        for total in range(most + 1):
            loss[twice, total] = worth[times * total] - utility[0]
        for j in range(free):
            for seventh in range(2):
                _most_gained(worth, times * t.kinds[j] + BONUS * seventh, window, points)
                out = number[twice, seventh, j]
                for total in range(most + 1):
                    out[total] = weights[j] * points[times * total]
        for i in range(len(t.modifiers)):
            if t.modifiers[i] != TIMES_2:
                _most_gained(worth, plus_points(t.modifiers[i]), window, points)
                for total in range(most + 1):
                    modifiers[twice, total] += points[times * total]
            elif not twice:
                for total in range(most + 1):
                    gain, once = 0.0, SUM[t.own.held] + total
                    for j in range(t.levels):
                        now = once + t.own.plus + UNIT * j
                        gain = max(gain, utility[now + once] - utility[now])
                    modifiers[0, total] += gain
    return Gains(weights, number, modifiers, loss, x2, MARGIN * (abs(utility[0]) + abs(utility[POINTS - 1])))


@compiled
def _most_gained(utility: Array, points: int, window: int, out: Array) -> None:
    """Fill in, for each number of points, the most that more of them bring there or with plus-cards from `window`."""
    for i in range(len(out)):
        out[i] = utility[i + points] - utility[i]
    step = 1
    while step < window:
        far = step * UNIT
        for i in range(len(out) - far):
            out[i] = out[i] if out[i] > out[i + far] else out[i + far]
        step *= 2


@compiled
def may_hit(live: int, kind: int) -> bool:
    """Whether best play may hit some hand of a row in a situation of a kind, by the bits of the row."""
    return (live >> kind) & 1 == 1 or (live >> (DOUBLED + kind)) & 1 == 1

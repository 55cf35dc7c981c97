"""Hands that are sure to stay, found without working out what they are worth.

Most hands of a large table are so risky that no player would hit them, and what follows them need not be looked at.
What is told of a hand here is an upper bound of how much more than staying it can be worth: one number for all columns
without x2 and one for all with it, where the whole answer has a number for each column. It is found from the largest
sets to the smallest as the answer itself, but every doubt counts for the player: modifiers are worth what they are
worth where they help most, a bust costs what it costs with the fewest points, and all situations of a kind are taken
together (the first; with a Second Chance in hand; without one, after it was used).

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
    DRAWN,
    LOWEST,
    MAY,
    MEMBERS,
    ON_ACTION,
    ON_DUPLICATE,
    ON_MODIFIER,
    ON_NUMBER,
    OVER,
    POINTS,
    ROW,
    SAVED,
    SIZE,
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
    number: Any  # what these bring together; by 1 if it is the seventh, by the sum, which number, and x2
    modifiers: Any  # what all of them bring together
    loss: Any  # what a bust costs at least
    x2: int  # how many of them are to come


class RowBound(NamedTuple):
    """What the bounds of a row depend on besides sums."""

    pairs: int  # duplicates to come
    left: int  # cards to come that are no modifiers, at least
    shields: bool  # whether there are Second Chances
    margin: float


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
    rows, bits = len(t.sets), len(t.modifiers)
    live = np.full(rows, LIVE)
    most = 0
    for r in range(rows):
        most = max(most, t.totals[r])
    window = 1
    while window < t.levels:
        window *= 2
    highest = 2 * (SUM[t.own.held] + most) + t.own.plus + UNIT * window + 2 * HIGHEST + BONUS
    if not kinds.usable or highest >= POINTS or t.cards - t.room - kinds.drawn - bits - kinds.chances[SHIELDED] <= 0:
        return live
    gains = _gains(t, utility, most, window)
    _sweep(t, kinds, gains, MARGIN * (abs(utility[0]) + abs(utility[POINTS - 1])), np.zeros((rows, 2 * DOUBLED)), live)
    return live


@compiled_as(inline=False, counted=False)
def _sweep(t: HandTable, kinds: Kinds, gains: Gains, margin: float, bounds: Array, live: Array) -> None:
    """Fill in the bounds and what they say, from the largest sets to the smallest."""
    x2, bits, everything = gains.x2, len(t.modifiers), (1 << len(t.kinds)) - 1
    single, double = not t.own.doubled, t.own.doubled or x2 > 0
    shields = kinds.saved > 0 or kinds.chances[FIRST] > 0
    for r in range(len(live) - 1, -1, -1):
        x, total = int(MEMBERS[t.room, r]), t.totals[r]
        seventh = 1 if SIZE[x] == t.room else 0
        s, d, s0, s1, s2, d0, d1, d2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        rest, number = everything & ~x, gains.number[seventh, total]
        while rest:
            one = rest & -rest
            rest ^= one
            j = LOWEST[one]
            s += number[j, 0]
            d += number[j, 1]
            if not seventh:
                weight, child = gains.weights[j], bounds[int(ROW[t.room, x | one])]
                s0 += weight * child[0]
                s1 += weight * child[1]
                s2 += weight * child[2]
                d0 += weight * child[3]
                d1 += weight * child[4]
                d2 += weight * child[5]
        hand = RowBound(t.duplicates[r], t.cards - SIZE[x] - kinds.drawn - bits, shields, margin)
        alive = 1 << SHIELDED | 1 << (DOUBLED + SHIELDED)
        if double:
            new, b = d + gains.modifiers[1, total], bounds[r, DOUBLED:]
            alive |= _bound(kinds, hand, (new + d0, new + d1, new + d2), gains.loss[1, total], b) << DOUBLED
        if single:
            new, b = s + gains.modifiers[0, total], bounds[r]
            s0, s1, s2 = s0 + x2 * b[DOUBLED + FIRST], s1 + x2 * b[DOUBLED + SHIELDED], s2 + x2 * b[DOUBLED + LATER]
            alive |= _bound(kinds, hand, (new + s0, new + s1, new + s2), gains.loss[0, total], b)
        live[r] = alive


@compiled
def _bound(kinds: Kinds, hand: RowBound, sums: Any, loss: float, out: Array) -> int:
    """Fill in the bounds of a row for the three kinds of situations; returns the kinds that may hit, as bits.

    `sums` are what all cards but duplicates and Second Chances bring.
    """
    pairs, left = hand.pairs, hand.left
    first, later = sums[FIRST] - loss * pairs, sums[LATER] - loss * max(pairs - kinds.saved, 0)
    if hand.shields:
        calm = float(left - kinds.chances[SHIELDED])  # a Second Chance more changes nothing
        # A shielded hand becomes a later one, which may become shielded: two inequalities with two unknowns.
        back = pairs * kinds.chances[LATER] / (calm * left)
        out[SHIELDED] = (sums[SHIELDED] + pairs * max(later, 0.0) / left) / calm / (1.0 - back) if back < 1.0 else HUGE
        first += kinds.chances[FIRST] * out[SHIELDED]
        later += kinds.chances[LATER] * out[SHIELDED]
    out[LATER], out[FIRST] = max(later, 0.0) / left, max(first, 0.0) / left
    return (1 << LATER if later > -hand.margin else 0) | (1 << FIRST if first > -hand.margin else 0)


@compiled
def _gains(t: HandTable, utility: Array, most: int, window: int) -> Gains:
    """The most that cards can bring, for hands whose numbers come to 0 … most beyond those held at the start."""
    number, modifiers = np.zeros((2, most + 1, len(t.kinds), 2)), np.zeros((2, most + 1))
    weights, x2 = np.zeros(len(t.kinds)), 0
    for j in range(len(t.kinds)):
        weights[j] = t.deck[t.kinds[j]]
    loss, each = np.zeros((2, most + 1)), np.empty(2 * most + 1 + UNIT * window)
    for twice in range(2):
        times = 1 + twice
        base = times * SUM[t.own.held] + t.own.plus
        for total in range(most + 1):
            loss[twice, total] = utility[base + times * total] - utility[0]
        for j in range(len(t.kinds)):
            for seventh in range(2):
                _most_gained(utility[base:], times * t.kinds[j] + BONUS * seventh, window, each)
                for total in range(most + 1):
                    number[seventh, total, j, twice] = weights[j] * each[times * total]
        for i in range(len(t.modifiers)):
            if t.modifiers[i] != TIMES_2:
                _most_gained(utility[base:], plus_points(t.modifiers[i]), window, each)
                for total in range(most + 1):
                    modifiers[twice, total] += each[times * total]
            elif not twice:
                x2 += 1
                for total in range(most + 1):
                    gain, once = 0.0, SUM[t.own.held] + total
                    for j in range(t.levels):
                        now = once + t.own.plus + UNIT * j
                        gain = max(gain, utility[now + once] - utility[now])
                    modifiers[0, total] += gain
    return Gains(weights, number, modifiers, loss, x2)


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

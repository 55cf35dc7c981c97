"""Every hand that can grow out of one, and best play in each: the compiled heart of the exact answers.

One player draws from a deck until it stays, busts or makes a Flip 7. A hand is a set of 15 places: the numbers 0 to 13,
the Unlucky 7 among the sevens, and the Lucky 13. Modifiers that are to come and fall on the player make columns, one
for each set of them. The deck needs no table of its own, because a card that was drawn lies in the hand. Only the
Unlucky 7 throws cards away: what it leads to is another table, with a smaller deck, for each hand that it may meet.

All floats are added in a fixed order, so the same position gives the same bits on any machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array, Floats, Ints
from pitboss.games.vengeance.cards import HALF, LUCKY_13, MINUS_2, SEVEN, THIRTEEN, UNLUCKY_7
from pitboss.games.vengeance.rules import TWICE
from pitboss.games.vengeance.state import BONUS, FLIP_7, State, minus_points, worth

LUCKY = 14  # the place of the Lucky 13
PLACES = 15
SETS = 1 << PLACES
SUMS = 128  # more than the numbers of any hand add up to
MOST_POINTS = 98.0  # no hand after an Unlucky 7 is worth more: 7 to 13, both 13s, and the bonus

KIND = np.array([*range(THIRTEEN + 1), LUCKY_13], np.int64)
SIZE = np.array([x.bit_count() for x in range(SETS)], np.int64)
SUM = np.array([sum(min(k, THIRTEEN) for k in range(PLACES) if x >> k & 1) for x in range(SETS)], np.int64)


class LoneHands(NamedTuple):
    """A start: what is in the deck and in the hand, and what the end of the round is worth."""

    deck: Ints  # number cards to come, by kind
    held: int  # places of the hand
    twice: int  # 1 if two 13s count as two numbers
    stay: Floats  # by column, and sum of the numbers: what it is worth to stay
    seven: Floats  # the same for a Flip 7
    bust: float
    end: float  # what a card is worth when the whole deck lies in the hand


@compiled
def held_of(line: int, twin: int) -> int:
    """The places that the numbers of a line take."""
    held = line & ((1 << UNLUCKY_7) - 1)
    if (line >> UNLUCKY_7) & 1:
        held |= 1 << SEVEN
    if (line >> LUCKY_13) & 1:
        held |= 1 << LUCKY
    if (twin >> LUCKY_13) & 1:
        held |= 1 << THIRTEEN
    return held


@compiled
def minus_of(line: int, twin: int) -> int:
    """What the minus cards of a line subtract."""
    minus = 0
    for kind in range(MINUS_2, HALF):
        minus += minus_points(kind) * (((line >> kind) & 1) + ((twin >> kind) & 1))
    return minus


@compiled
def price(r: State, line: int, twin: int, coming: Array, out: Array) -> None:
    """Fill in what hands are worth in points, out[0] to stay and out[1] with a Flip 7, by column and sum.

    `line` and `twin` have the modifiers that lie there, `coming` are the kinds of those that may come.
    """
    for column in range(1 << len(coming)):
        has, minus = line, minus_of(line, twin)
        for i in range(len(coming)):
            if (column >> i) & 1:
                has |= 1 << coming[i]
                minus += minus_points(coming[i])
        for total in range(SUMS):
            points = worth(r, has, minus, total)
            out[0, column, total] = points
            out[1, column, total] = points + BONUS


@compiled
def hands_of(r: State, deck: Array, line: int, twin: int, coming: Array) -> LoneHands:
    """The start of a seat with this line, if `coming` are the modifiers that will fall on it."""
    points = np.empty((2, 1 << len(coming), SUMS))
    price(r, line & (-1 << MINUS_2), twin, coming, points)
    held, twice = held_of(line, twin), 1 if int(r["thirteens"]) == TWICE else 0
    return LoneHands(deck, held, twice, points[0], points[1], 0.0, points[0, 0, SUM[held]])


@compiled
def _count(x: int, twice: int) -> int:
    """How many of the seven different numbers a hand has."""
    both = (x >> THIRTEEN) & (x >> LUCKY) & 1
    return int(SIZE[x]) - (both if not twice else 0)


@compiled
def free_places(h: LoneHands) -> int:
    """The places that cards to come can take."""
    free = 0
    for place in range(PLACES):
        if h.deck[KIND[place]] > 0 and not (h.held >> place) & 1:
            free |= 1 << place
    return free


@compiled
def cards_of(h: LoneHands) -> int:
    """How many cards are to come: numbers, and the modifiers that make columns."""
    cards, columns = 0, len(h.stay)
    for kind in range(MINUS_2):
        cards += h.deck[kind]
    while columns > 1:
        cards += 1
        columns >>= 1
    return cards


@compiled_as(inline=False)
def settle(h: LoneHands, values: Array) -> float:
    """Fill in what each hand is worth under best play; returns what a card is worth at the start.

    `values`, by hand and column, has beforehand what an Unlucky 7 that meets the hand is worth, if the deck has one.
    """
    free, cards = free_places(h), cards_of(h)
    sums, hit, drawn = np.empty(len(h.stay)), 0.0, free
    while True:
        if _count(h.held | drawn, h.twice) < FLIP_7:
            hit = _settle_hand(h, drawn, cards - int(SIZE[drawn]), sums, values)
        if drawn == 0:
            return hit
        drawn = (drawn - 1) & free  # all that can grow out of a hand come before it


@compiled
def _settle_hand(h: LoneHands, drawn: int, left: int, sums: Array, values: Array) -> float:
    """The same for one hand; `left` cards are in the deck as long as no modifier was drawn."""
    x, columns = h.held | drawn, len(sums)
    weight, busts = float(h.deck[UNLUCKY_7]), 0
    for c in range(columns):
        sums[c] = weight * values[x, c]
    for place in range(PLACES):
        count, then = h.deck[KIND[place]] - ((drawn >> place) & 1), x | 1 << place
        if count <= 0:
            continue
        if then == x:
            if place != LUCKY or (x >> THIRTEEN) & 1:
                busts += count
                continue
            then = x | 1 << THIRTEEN  # the Lucky 13 of another copy of the deck
        weight = float(count)
        if _count(then, h.twice) >= FLIP_7:
            for c in range(columns):
                sums[c] += weight * h.seven[c, SUM[then]]
        else:
            for c in range(columns):
                sums[c] += weight * values[then, c]
    return _decide(h, x, left, busts, sums, values)


@compiled
def _decide(h: LoneHands, x: int, left: int, busts: int, sums: Array, values: Array) -> float:
    """Add the modifiers, from many to few, and take the better of a card and staying; The Zero must take a card."""
    hit, must = 0.0, x & 1
    for c in range(len(sums) - 1, -1, -1):
        total, cards, bit = sums[c] + busts * h.bust, left, 1
        while bit < len(sums):
            if c & bit:
                cards -= 1
            else:
                total += values[x, c | bit]
            bit <<= 1
        hit = total / cards if cards > 0 else h.end
        stay = h.stay[c, SUM[x]]
        values[x, c] = hit if must or hit > stay else stay
    return hit


@compiled_as(inline=False)
def unlucky(h: LoneHands, after: LoneHands, column: int, ends: Array, values: Array) -> None:
    """Replace values[x, column], where they matter, by what an Unlucky 7 is worth that meets hand x there.

    `values` are those of `settle` with more than that can be worth: where staying is better even so, nothing matters,
    but at the start, of which people want to know all.
    `after` is the start after an Unlucky 7, but for its deck and its end: `ends`, by the cards drawn before.
    """
    free, deck, inner = free_places(h), h.deck.copy(), np.empty((SETS, len(after.stay)))
    drawn = free
    while True:
        x = h.held | drawn
        matters = drawn == 0 or x & 1 or values[x, column] > h.stay[column, SUM[x]]
        if matters and _count(x, h.twice) < FLIP_7:
            for place in range(PLACES):
                deck[KIND[place]] = h.deck[KIND[place]] - ((drawn >> place) & 1)
            values[x, column] = after_unlucky(after, deck, ends[drawn], inner)
        if drawn == 0:
            return
        drawn = (drawn - 1) & free


@compiled
def after_unlucky(after: LoneHands, deck: Array, end: float, values: Array) -> float:
    """What a hand is worth whose only number is the Unlucky 7, just drawn from this deck: the better of a card and
    staying. A second one, in two decks that are mixed, is taken to end the round with 7 points."""
    deck[UNLUCKY_7] -= 1
    if deck[UNLUCKY_7] > 0:
        values[:] = after.stay[0, SEVEN]
    else:
        values[:] = 0.0
    settle(LoneHands(deck, 1 << SEVEN, after.twice, after.stay, after.seven, after.bust, end), values)
    deck[UNLUCKY_7] += 1
    return values[1 << SEVEN, 0]  # type: ignore[no-any-return]

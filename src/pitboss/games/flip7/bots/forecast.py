"""How another seat's round will end: a cheap forecast from what lies on the table.

A seat that is out has its points. One that still plays is taken to hit and stay by a simple rule, as `ev` or as
`stay-N` would, and to draw numbers from the actual deck. Left out: modifiers and Second Chances that may come, that
all draw from one deck, and that somebody's Flip 7 ends the round for all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.cards import NUMBERS, TIMES_2
from pitboss.games.flip7.odds import all_coming, coming
from pitboss.games.flip7.solver.hands import LOWEST, SETS, SIZE, SUM
from pitboss.games.flip7.state import ACTIVE, BONUS, FLIP_7, State, plus_points, score

AS_EV = 0  # a stopping rule; any other number is the points to stay with

# What may have been put on the seat.
NOTHING, THREE_CARDS, A_CHANCE = 0, 1, 2

LOW = 7  # of the 13 numbers: odds are summed up for all sets of these and of the others
BYTE = 8  # hands that one byte says of whether they are reached


class NumberDeck(NamedTuple):
    """The numbers to come, summed up so that two look-ups give the odds of any hand."""

    counts: Any  # by number
    held: int  # at the start, as bits
    free: int  # numbers that can come and are not held, as bits
    cards: int  # to come, in all
    value: int  # the sum of what is on them
    low: Any  # for sets of low numbers: cards to come of these numbers, and the sum of what is on them
    high: Any  # the same for sets of high numbers
    gone: int  # 1 if hands without a Second Chance have used one: a duplicate of theirs has left the deck


class Reached(NamedTuple):
    """How often each hand is reached, as bits of its numbers: bare, or shielded by a Second Chance.

    If the seat had no Second Chance at first, there are no shielded hands.
    """

    bare: Any
    shielded: Any
    seen: Any  # a bit for each hand that is reached at all


@compiled_as(inline=False)
def forecast(s: State, seat: int, stop: int, put: int, out: Array) -> None:
    """Fill in how often the seat's round ends with 0, 1, 2, … points."""
    if int(s["status"][seat]) != ACTIVE:
        banks(s, seat, out)
        return
    counts = np.zeros(NUMBERS, np.int64)
    held, plus = 0, 0
    for kind in range(NUMBERS):
        counts[kind] = coming(s, kind)
        if int(s["front"][seat, kind]):
            held |= 1 << kind
    for kind in range(NUMBERS, TIMES_2):
        plus += int(s["front"][seat, kind]) * plus_points(kind)
    shield = 1 if int(s["chance"][seat]) > 0 or put == A_CHANCE else 0
    deck, reached = _number_deck(counts, held, shield), _start_with(held, shield)
    out[:] = 0.0
    if put == THREE_CARDS:
        cards = all_coming(s)
        for drawn in range(min(3, cards)):
            _must_draw(deck, reached, cards - drawn, out)
    _play_out(deck, reached, plus, 1 if int(s["front"][seat, TIMES_2]) else 0, stop, out)


@compiled_as(inline=False)
def forecast_fresh(counts: Array, stop: int, out: Array) -> None:
    """Fill in how a round ends that begins without cards, with these numbers in the deck."""
    out[:] = 0.0
    _play_out(_number_deck(counts, 0, 0), _start_with(0, 0), 0, 0, stop, out)


@compiled
def banks(s: State, seat: int, out: Array) -> None:
    """Fill in a round that ends with what the seat has."""
    out[:] = 0.0
    out[int(s["points"][seat])] = 1.0


@compiled
def _number_deck(counts: Array, held: int, gone: int) -> NumberDeck:
    low, high = np.zeros((1 << LOW, 2), np.int64), np.zeros((1 << (NUMBERS - LOW), 2), np.int64)
    free, cards, value = 0, 0, 0
    for kind in range(NUMBERS):
        count = counts[kind]
        cards += count
        value += count * kind
        if count > 0 and not (held >> kind) & 1:
            free |= 1 << kind
        sums, bit = (low, 1 << kind) if kind < LOW else (high, 1 << (kind - LOW))
        for x in range(bit):  # the sets that end with this number
            sums[bit + x, 0] = sums[x, 0] + count
            sums[bit + x, 1] = sums[x, 1] + count * kind
    return NumberDeck(counts, held, free, cards, value, low, high, gone)


@compiled
def _start_with(held: int, shield: int) -> Reached:
    reached = Reached(np.zeros(SETS), np.zeros(SETS if shield else 0), np.zeros(SETS // BYTE, np.uint8))
    _add(reached.shielded if shield else reached.bare, reached.seen, held, 1.0)
    return reached


@compiled
def _add(reach: Array, seen: Array, hand: int, p: float) -> None:
    reach[hand] += p
    seen[hand // BYTE] |= np.uint8(1 << (hand % BYTE))


@compiled
def _pairs(deck: NumberDeck, hand: int, gone: int) -> int:
    """How many duplicates of a hand can come; what it has beyond `held` was drawn from the deck."""
    cards = deck.low[hand & ((1 << LOW) - 1), 0] + deck.high[hand >> LOW, 0]
    return max(cards - SIZE[hand & ~deck.held] - gone, 0)  # type: ignore[no-any-return]


@compiled
def _must_draw(deck: NumberDeck, reached: Reached, cards: int, out: Array) -> None:
    """One card that is not refused, of this many: how often each hand is reached with it. Busts go out."""
    for place in range(len(reached.seen) - 1, -1, -1):  # each hand before all that it can grow out of
        for bit in range(BYTE - 1, -1, -1):
            hand = place * BYTE + bit
            if not (int(reached.seen[place]) >> bit) & 1 or SIZE[hand] >= FLIP_7:
                continue
            if reached.bare[hand] > 0.0:
                out[0] += _draw(deck, hand, reached.bare, reached.seen, cards, deck.gone)
            if deck.gone and reached.shielded[hand] > 0.0:
                reached.bare[hand] += _draw(deck, hand, reached.shielded, reached.seen, cards, 0)


@compiled
def _draw(deck: NumberDeck, hand: int, reach: Array, seen: Array, cards: int, gone: int) -> float:
    """One card on one hand; how often it is a duplicate."""
    p = float(reach[hand])
    pair = p * min(_pairs(deck, hand, gone) / cards, 1.0)
    stays, rest = p - pair, deck.free & ~hand
    while rest:
        one = rest & -rest
        rest ^= one
        part = min(p * deck.counts[LOWEST[one]] / cards, stays)
        _add(reach, seen, hand | one, part)
        stays -= part
    reach[hand] = stays
    return pair


@compiled
def _play_out(deck: NumberDeck, reached: Reached, plus: int, twice: int, stop: int, out: Array) -> None:
    """Follow all hands that a stopping rule gets to from those that are reached, until it stays or busts."""
    bare, shielded, seen = reached
    for place in range(len(seen)):  # each hand after all that it can grow out of
        if seen[place] == 0:
            continue
        for bit in range(BYTE):
            if not (int(seen[place]) >> bit) & 1:
                continue
            hand = place * BYTE + bit
            now = score(SUM[hand], SIZE[hand], twice, plus)
            others, gains = _next_number(deck, hand, twice)
            if deck.gone and shielded[hand] > 0.0:
                pairs, p = _pairs(deck, hand, 0), shielded[hand]
                if _hits(hand, now, others, gains, 0, stop):
                    bare[hand] += p * pairs / (pairs + others)
                    _spread(deck, shielded, seen, hand, p / (pairs + others))
                else:
                    out[now] += p
            if bare[hand] > 0.0:
                pairs, p = _pairs(deck, hand, deck.gone), bare[hand]
                if _hits(hand, now, others, gains, pairs, stop):
                    out[0] += p * pairs / (pairs + others)
                    _spread(deck, bare, seen, hand, p / (pairs + others))
                else:
                    out[now] += p


@compiled
def _hits(hand: int, now: int, others: int, gains: int, pairs: int, stop: int) -> bool:
    """Whether a stopping rule takes one more card, with so many duplicates to fear."""
    if others == 0 or SIZE[hand] >= FLIP_7:
        return False
    return gains > pairs * now if stop == AS_EV else now < stop


@compiled
def _spread(deck: NumberDeck, reach: Array, seen: Array, hand: int, share: float) -> None:
    """Add to the hands that one more number leads to."""
    rest = deck.free & ~hand
    while rest:
        one = rest & -rest
        rest ^= one
        _add(reach, seen, hand | one, share * deck.counts[LOWEST[one]])


@compiled
def _next_number(deck: NumberDeck, hand: int, twice: int) -> tuple[int, int]:
    """Of the numbers to come: how many are no duplicates, and what these bring in sum."""
    below, above = deck.low[hand & ((1 << LOW) - 1)], deck.high[hand >> LOW]
    others, values = deck.cards - below[0] - above[0], deck.value - below[1] - above[1]
    return others, (2 if twice else 1) * values + (BONUS * others if SIZE[hand] == FLIP_7 - 1 else 0)

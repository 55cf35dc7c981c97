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
from pitboss.games.flip7.solver.hands import LOWEST, SIZE
from pitboss.games.flip7.state import ACTIVE, BONUS, FLIP_7, State, plus_points, score

AS_EV = 0  # a stopping rule; any other number is the points to stay with

# What may have been put on the seat.
NOTHING, THREE_CARDS, A_CHANCE = 0, 1, 2

HIGHEST = NUMBERS - 1
MOST_SUM = HIGHEST * NUMBERS // 2  # of different numbers

LOW = 7  # of the 13 numbers: odds are summed up for all sets of these and of the others
BYTE_BITS, BYTE = 3, 8  # hands that one byte says of whether they are reached


class NumberDeck(NamedTuple):
    """The numbers to come, summed up so that two look-ups give the odds of any hand.

    A hand is written as bits over the numbers that can come and are not held at the start.
    """

    kinds: Any  # these numbers
    counts: Any  # how many cards there are of each, as floats
    start: Any  # of the hand at the start: how many numbers it has, their sum, cards to come of them
    others: int  # cards to come of the other numbers
    value: int  # the sum of what is on these
    low: Any  # for sets of low numbers: cards to come of these, the sum of what is on them, and of the numbers
    high: Any  # the same for sets of high numbers
    gone: int  # 1 if hands without a Second Chance have used one: a duplicate of theirs has left the deck


class Reached(NamedTuple):
    """How often each hand is reached: bare, or shielded by a Second Chance.

    If the seat had no Second Chance at first, there are no shielded hands.
    """

    bare: Any
    shielded: Any
    seen: Any  # a bit for each hand that is reached at all
    bare_shares: Any  # memory for `_play_out`: what one card of the hands of a byte brings to the next hands
    shielded_shares: Any


class StoppingRule(NamedTuple):
    """When a seat stays, and what else its points are made of."""

    stop: int
    plus: int  # points of its plus-cards
    twice: int  # 1 if it holds x2


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
    deck = _number_deck(counts, held, shield)
    reached = _start_with(len(deck.kinds), shield)
    out[:] = 0.0
    if put == THREE_CARDS:
        cards = all_coming(s)
        for drawn in range(min(3, cards)):
            _must_draw(deck, reached, cards - drawn, out)
    _play_out(deck, reached, StoppingRule(stop, plus, 1 if int(s["front"][seat, TIMES_2]) else 0), out)


@compiled_as(inline=False)
def forecast_fresh(counts: Array, stop: int, out: Array) -> None:
    """Fill in how a round ends that begins without cards, with these numbers in the deck."""
    out[:] = 0.0
    deck = _number_deck(counts, 0, 0)
    _play_out(deck, _start_with(len(deck.kinds), 0), StoppingRule(stop, 0, 0), out)


@compiled
def banks(s: State, seat: int, out: Array) -> None:
    """Fill in a round that ends with what the seat has."""
    out[:] = 0.0
    out[int(s["points"][seat])] = 1.0


@compiled_as(inline=False)
def most_points(s: State, seat: int, stop: int) -> int:
    """The most points, or more, that the seat's round can end with by the forecast. If it surely stays, what it has."""
    now, deck = int(s["points"][seat]), all_coming(s)
    if int(s["status"][seat]) != ACTIVE or deck == 0 or int(s["numbers"][seat]) >= FLIP_7:
        return now
    times, fewest = 2 if int(s["front"][seat, TIMES_2]) else 1, np.full(MOST_SUM + 1, deck)
    pairs, others, value, most = 0, 0, 0, 0
    fewest[0] = 0
    for kind in range(NUMBERS):
        count = coming(s, kind)
        if int(s["front"][seat, kind]):
            pairs += count
        elif count > 0:
            others += count
            value += count * kind
            most += kind
            for more in range(most, kind - 1, -1):  # the fewest duplicates that numbers with a sum bring with them
                fewest[more] = min(fewest[more], fewest[more - kind] + count - 1)
    if int(s["chance"][seat]):
        return now + times * most + BONUS
    if stop != AS_EV:
        return stop - 1 + times * HIGHEST + BONUS if now < stop and others > 0 else now
    last = int(s["numbers"][seat]) == FLIP_7 - 1
    if not _hits(now, times * value + (BONUS * others if last else 0), pairs, stop):
        return now
    for more in range(most, -1, -1):
        then, few = now + times * more, fewest[more]
        # Numbers with this sum are `few` cards or more beyond one of each, with a point or more on each of these.
        if _hits(then, times * (value - more - few) + BONUS * (others - few), pairs + few, stop):
            return then + times * HIGHEST + BONUS
    return now


@compiled
def _number_deck(counts: Array, held: int, gone: int) -> NumberDeck:
    low, high = np.zeros((1 << LOW, 3), np.int64), np.zeros((1 << (NUMBERS - LOW), 3), np.int64)
    kinds, cards_of, start = np.zeros(NUMBERS, np.int64), np.zeros(NUMBERS), np.zeros(3, np.int64)
    free, others, value = 0, 0, 0
    for kind in range(NUMBERS):
        count = counts[kind]
        if (held >> kind) & 1:
            start[0] += 1
            start[1] += kind
            start[2] += count
            continue
        if count == 0:
            continue
        others += count
        value += count * kind
        sums, bit = (low, 1 << free) if free < LOW else (high, 1 << (free - LOW))
        for x in range(bit):  # the sets that end with this number
            sums[bit + x, 0] = sums[x, 0] + count
            sums[bit + x, 1] = sums[x, 1] + count * kind
            sums[bit + x, 2] = sums[x, 2] + kind
        kinds[free], cards_of[free] = kind, count
        free += 1
    return NumberDeck(kinds[:free], cards_of, start, others, value, low, high, gone)


@compiled
def _start_with(free: int, shield: int) -> Reached:
    """The hand at the start, out of all with so many other numbers."""
    hands = 1 << free
    seen = np.zeros(hands // BYTE + 1, np.uint8)
    reached = Reached(np.zeros(hands), np.zeros(hands if shield else 0), seen, np.zeros(BYTE), np.zeros(BYTE))
    reached.bare[0] = 0.0 if shield else 1.0
    if shield:
        reached.shielded[0] = 1.0
    reached.seen[0] = 1
    return reached


@compiled
def _add(reached: Reached, shielded: bool, hand: int, p: float) -> None:
    place = hand >> BYTE_BITS  # nothing here depends on whether the hand was reached before: that is hard to foresee
    reached.seen[place] = np.uint8(int(reached.seen[place]) | 1 << (hand & (BYTE - 1)))
    if shielded:
        reached.shielded[hand] += p
    else:
        reached.bare[hand] += p


@compiled
def _pairs(deck: NumberDeck, hand: int, gone: int) -> int:
    """How many duplicates of a hand can come; what it has beyond the start was drawn from the deck."""
    cards = deck.start[2] + deck.low[hand & ((1 << LOW) - 1), 0] + deck.high[hand >> LOW, 0]
    return max(cards - SIZE[hand] - gone, 0)  # type: ignore[no-any-return]


@compiled
def _must_draw(deck: NumberDeck, reached: Reached, cards: int, out: Array) -> None:
    """One card that is not refused, of this many: how often each hand is reached with it. Busts go out."""
    for place in range(len(reached.seen) - 1, -1, -1):  # each hand before all that it can grow out of
        if reached.seen[place] == 0:
            continue
        for bit in range(BYTE - 1, -1, -1):
            hand = place * BYTE + bit
            if not (int(reached.seen[place]) >> bit) & 1 or deck.start[0] + SIZE[hand] >= FLIP_7:
                continue
            if reached.bare[hand] > 0.0:
                out[0] += _draw(deck, reached, False, hand, cards)
            if deck.gone and reached.shielded[hand] > 0.0:
                reached.bare[hand] += _draw(deck, reached, True, hand, cards)


@compiled
def _draw(deck: NumberDeck, reached: Reached, shielded: bool, hand: int, cards: int) -> float:
    """One card on one hand; how often it is a duplicate."""
    reach = reached.shielded if shielded else reached.bare
    p = float(reach[hand])
    pair = p * min(_pairs(deck, hand, 0 if shielded else deck.gone) / cards, 1.0)
    stays, rest = p - pair, ((1 << len(deck.kinds)) - 1) & ~hand
    while rest:
        one = rest & -rest
        rest ^= one
        part = min(p * deck.counts[LOWEST[one]] / cards, stays)
        _add(reached, shielded, hand | one, part)
        stays -= part
    reach[hand] = stays
    return pair


@compiled_as(inline=False, counted=False)
def _play_out(deck: NumberDeck, reached: Reached, rule: StoppingRule, out: Array) -> None:
    """Follow all hands that a stopping rule gets to from those that are reached, until it stays or busts."""
    bare, shielded, seen, bare_shares, shielded_shares = reached
    for place in range(len(seen)):  # each hand after all that it can grow out of
        if seen[place] == 0:
            continue
        done = bare_hit = shielded_hit = 0
        for j in range(BYTE):
            bare_shares[j] = shielded_shares[j] = 0.0
        while int(seen[place]) & ~done:
            one = int(seen[place]) & ~done
            one &= -one
            done |= one
            hand = place * BYTE + LOWEST[one]
            below, above, size = hand & ((1 << LOW) - 1), hand >> LOW, SIZE[hand]
            total = deck.start[1] + deck.low[below, 2] + deck.high[above, 2]
            now = score(total, deck.start[0] + size, rule.twice, rule.plus)
            others = deck.others - deck.low[below, 0] - deck.high[above, 0]
            values = deck.value - deck.low[below, 1] - deck.high[above, 1]
            gains = (2 if rule.twice else 1) * values
            if deck.start[0] + size == FLIP_7 - 1:
                gains += BONUS * others
            may = others > 0 and deck.start[0] + size < FLIP_7
            if deck.gone and shielded[hand] > 0.0:
                pairs, p = _pairs(deck, hand, 0), shielded[hand]
                if may and _hits(now, gains, 0, rule.stop):
                    bare[hand] += p * pairs / (pairs + others)
                    shielded_hit |= one
                    shielded_shares[LOWEST[one]] = p / (pairs + others)
                    _grow(deck, reached, True, hand, p / (pairs + others))
                else:
                    out[now] += p
            if bare[hand] > 0.0:
                pairs, p = _pairs(deck, hand, deck.gone), bare[hand]
                if may and _hits(now, gains, pairs, rule.stop):
                    out[0] += p * pairs / (pairs + others)
                    bare_hit |= one
                    bare_shares[LOWEST[one]] = p / (pairs + others)
                    _grow(deck, reached, False, hand, p / (pairs + others))
                else:
                    out[now] += p
        if shielded_hit:
            _grow_together(deck, shielded, seen, place, shielded_hit, shielded_shares)
        if bare_hit:
            _grow_together(deck, bare, seen, place, bare_hit, bare_shares)


@compiled
def _hits(now: int, gains: int, pairs: int, stop: int) -> bool:
    """Whether a stopping rule takes one more card, with so many duplicates to fear."""
    return gains > pairs * now if stop == AS_EV else now < stop


@compiled
def _grow(deck: NumberDeck, reached: Reached, shielded: bool, hand: int, share: float) -> None:
    """Add to the hands of the same byte that one more number leads to."""
    rest = ((1 << len(deck.kinds)) - 1) & ~hand & (BYTE - 1)
    while rest:
        one = rest & -rest
        rest ^= one
        _add(reached, shielded, hand | one, share * deck.counts[LOWEST[one]])


@compiled
def _grow_together(deck: NumberDeck, reach: Array, seen: Array, place: int, hit: int, shares: Array) -> None:
    """Add to those of other bytes, for all hands of a byte at once: each gets its parts in the order of the hands that
    they come from, as if these grew one after the other."""
    rest = (((1 << len(deck.kinds)) - 1) >> BYTE_BITS) & ~place
    while rest:
        one = rest & -rest
        rest ^= one
        to, count = place | one, deck.counts[BYTE_BITS + LOWEST[one]]
        seen[to] = np.uint8(int(seen[to]) | hit)
        line = reach[to * BYTE : (to + 1) * BYTE]
        for j in range(BYTE):
            line[j] += shares[j] * count

"""How another seat's round will end: a guess that is cheap, made from what lies on the table.

Known once the seat is out. One that still plays is taken to hit and stay by a simple rule, as `ev` or as
`stay-N` would, and to draw numbers from the actual deck. Left out: modifiers and Second Chances that may come, that
all draw from one deck, and that somebody's Flip 7 ends the round for all.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.flip7.cards import NUMBERS, TIMES_2
from pitboss.games.flip7.odds import all_coming, coming
from pitboss.games.flip7.solver.hands import LOWEST, SETS, SIZE, SUM
from pitboss.games.flip7.state import ACTIVE, FLIP_7, State, plus_points, score

AS_EV = 0  # a stopping rule; any other number is the points to stay with

# What may have been put on the seat.
NOTHING, THREE_CARDS, A_CHANCE = 0, 1, 2

# Hands are told apart by whether a Second Chance shields them. If the seat had none at first, there are no shielded
# hands; if it had one, all bare hands have used it, and a duplicate of theirs has left the deck.


@compiled_as(inline=False)
def forecast(s: State, seat: int, stop: int, put: int, out: Array) -> None:
    """Fill in how often the seat's round ends with 0, 1, 2, … points."""
    if int(s["status"][seat]) != ACTIVE:
        banks(s, seat, out)
        return
    out[:] = 0.0
    deck = np.zeros(NUMBERS, np.int64)
    held, plus = 0, 0
    for kind in range(NUMBERS):
        deck[kind] = coming(s, kind)
        if int(s["front"][seat, kind]):
            held |= 1 << kind
    for kind in range(NUMBERS, TIMES_2):
        plus += int(s["front"][seat, kind]) * plus_points(kind)
    twice = 1 if int(s["front"][seat, TIMES_2]) else 0
    safe = int(s["chance"][seat]) > 0 or put == A_CHANCE
    bare, shielded = np.zeros(SETS), np.zeros(SETS if safe else 0)
    if safe:
        shielded[held] = 1.0
    else:
        bare[held] = 1.0
    if put == THREE_CARDS:
        cards = all_coming(s)
        for drawn in range(min(3, cards)):
            _must_draw(deck, held, bare, shielded, cards - drawn, out)
    play_out(deck, held, bare, shielded, plus, twice, stop, out)


@compiled
def banks(s: State, seat: int, out: Array) -> None:
    """Fill in a round that ends with what the seat has."""
    out[:] = 0.0
    out[int(s["points"][seat])] = 1.0


@compiled
def _free(deck: Array, held: int) -> int:
    """The numbers that can come and are not held, as bits."""
    free = 0
    for kind in range(NUMBERS):
        if deck[kind] > 0 and not (held >> kind) & 1:
            free |= 1 << kind
    return free


@compiled
def _must_draw(deck: Array, held: int, bare: Array, shielded: Array, cards: int, out: Array) -> None:
    """One card that is not refused, of this many: how often each hand is reached with it. Busts go out."""
    free = _free(deck, held)
    x = free
    while True:  # the sets of free numbers, each before all sets that it can grow out of
        hand = held | x
        if SIZE[hand] < FLIP_7:
            if bare[hand] > 0.0:
                out[0] += _draw(deck, held, hand, bare, free & ~x, cards, 1 if len(shielded) else 0)
            if len(shielded) and shielded[hand] > 0.0:
                bare[hand] += _draw(deck, held, hand, shielded, free & ~x, cards, 0)
        if x == 0:
            return
        x = (x - 1) & free


@compiled
def _draw(deck: Array, held: int, hand: int, reach: Array, rest: int, cards: int, gone: int) -> float:
    """One card on one hand; how often it is a duplicate."""
    p = float(reach[hand])
    pair = p * min(_pairs(deck, held, hand, gone) / cards, 1.0)
    stays = p - pair
    while rest:
        one = rest & -rest
        rest ^= one
        part = min(p * deck[LOWEST[one]] / cards, stays)
        reach[hand | one] += part
        stays -= part
    reach[hand] = stays
    return pair


@compiled
def _pairs(deck: Array, held: int, hand: int, gone: int) -> int:
    """How many duplicates of the hand can come, some being gone; what it has beyond `held` was drawn from the deck."""
    pairs = -gone
    for kind in range(NUMBERS):
        if (hand >> kind) & 1:
            pairs += deck[kind] - (1 - (held >> kind) & 1)
    return max(pairs, 0)


@compiled_as(inline=False)
def play_out(
    deck: Array, held: int, bare: Array, shielded: Array, plus: int, twice: int, stop: int, out: Array
) -> None:
    """Follow all hands that a stopping rule gets to from those that are reached, until it stays or busts."""
    free, x, gone = _free(deck, held), 0, len(shielded) // SETS
    while True:  # the sets of free numbers, each after all sets that it can grow out of
        hand = held | x
        now = score(SUM[hand], SIZE[hand], twice, plus)
        if gone and shielded[hand] > 0.0:
            pairs, others, gains = _next_number(deck, held, hand, twice, 0)
            if _hits(hand, now, others, gains, 0, stop):
                bare[hand] += shielded[hand] * pairs / (pairs + others)
                _spread(deck, shielded, hand, free & ~x, shielded[hand] / (pairs + others))
            else:
                out[now] += shielded[hand]
        if bare[hand] > 0.0:
            pairs, others, gains = _next_number(deck, held, hand, twice, gone)
            if _hits(hand, now, others, gains, pairs, stop):
                out[0] += bare[hand] * pairs / (pairs + others)
                _spread(deck, bare, hand, free & ~x, bare[hand] / (pairs + others))
            else:
                out[now] += bare[hand]
        if x == free:
            return
        x = (x - free) & free


@compiled
def _hits(hand: int, now: int, others: int, gains: int, pairs: int, stop: int) -> bool:
    """Whether a stopping rule takes one more card, with so many duplicates to fear."""
    if others == 0 or SIZE[hand] >= FLIP_7:
        return False
    return gains > pairs * now if stop == AS_EV else now < stop


@compiled
def _spread(deck: Array, reach: Array, hand: int, rest: int, share: float) -> None:
    """Add to the hands that one more number leads to."""
    while rest:
        one = rest & -rest
        rest ^= one
        reach[hand | one] += share * deck[LOWEST[one]]


@compiled
def _next_number(deck: Array, held: int, hand: int, twice: int, gone: int) -> tuple[int, int, int]:
    """Of the numbers to come: how many are duplicates, how many are not, and what these bring in sum."""
    others, gains = 0, 0
    before = score(SUM[hand], SIZE[hand], twice, 0)
    for kind in range(NUMBERS):
        if deck[kind] > 0 and not (hand >> kind) & 1:
            others += deck[kind]
            gains += deck[kind] * (score(SUM[hand] + kind, SIZE[hand] + 1, twice, 0) - before)
    return _pairs(deck, held, hand, gone), others, gains

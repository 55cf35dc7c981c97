"""How another seat's round will end: a guess that is cheap, made from what lies on the table.

Known once the seat is out. One that still plays is taken to hit and stay by a simple rule, as `ev` or as
`stay-N` would, and to draw numbers from the actual deck. Left out: modifiers that may come, that all draw from
one deck, that somebody's Flip 7 ends the round for all, and that a Second Chance saves only once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.flip7.cards import NUMBERS, TIMES_2
from pitboss.flip7.odds import all_coming, coming
from pitboss.flip7.state import ACTIVE, FLIP_7, State, plus_points, score
from pitboss.solve.flip7.hands import LOWEST, SETS, SIZE, SUM
from pitboss.table.compile import compiled, compiled_as

AS_EV = 0  # a stopping rule; any other number is the points to stay with

# What may have been put on the seat.
NOTHING, THREE_CARDS, A_CHANCE = 0, 1, 2


@compiled_as(inline=False)
def forecast(s: State, seat: int, stop: int, put: int, out: Any) -> None:
    """Fill in how often the seat's round ends with 0, 1, 2, … points."""
    if int(s["status"][seat]) != ACTIVE:
        banks(s, seat, out)
        return
    out[:] = 0.0
    deck, reach = np.zeros(NUMBERS, np.int64), np.zeros(SETS)
    held, plus = 0, 0
    for kind in range(NUMBERS):
        deck[kind] = coming(s, kind)
        if int(s["front"][seat, kind]):
            held |= 1 << kind
    for kind in range(NUMBERS, TIMES_2):
        plus += int(s["front"][seat, kind]) * plus_points(kind)
    twice = 1 if int(s["front"][seat, TIMES_2]) else 0
    safe = int(s["chance"][seat]) > 0 or put == A_CHANCE
    reach[held] = 1.0
    if put == THREE_CARDS:
        cards = all_coming(s)
        for drawn in range(min(3, cards)):
            reach = _must_draw(deck, held, reach, cards - drawn, safe, out)
    play_out(deck, held, reach, plus, twice, safe, stop, out)


@compiled
def banks(s: State, seat: int, out: Any) -> None:
    """Fill in a round that ends with what the seat has."""
    out[:] = 0.0
    out[int(s["points"][seat])] = 1.0


@compiled
def _free(deck: Any, held: int) -> int:
    """The numbers that can come and are not held, as bits."""
    free = 0
    for kind in range(NUMBERS):
        if deck[kind] > 0 and not (held >> kind) & 1:
            free |= 1 << kind
    return free


@compiled
def _must_draw(deck: Any, held: int, reach: Any, cards: int, safe: bool, out: Any) -> Any:
    """One card that is not refused, of this many: how often each hand is reached with it. Busts go out."""
    after, free, x = np.zeros(SETS), _free(deck, held), 0
    while True:
        hand = held | x
        p = reach[hand]
        if p > 0.0:
            if SIZE[hand] >= FLIP_7:
                after[hand] += p
            else:
                stays, rest = p, free & ~x
                if not safe:
                    bust = p * min(_pairs(deck, held, hand) / cards, 1.0)
                    out[0] += bust
                    stays -= bust
                while rest:
                    one = rest & -rest
                    rest ^= one
                    part = min(p * deck[LOWEST[one]] / cards, stays)
                    after[hand | one] += part
                    stays -= part
                after[hand] += stays
        if x == free:
            return after
        x = (x - free) & free


@compiled
def _pairs(deck: Any, held: int, hand: int) -> int:
    """How many duplicates of the hand can come; what it has beyond `held` was drawn from the deck."""
    pairs = 0
    for kind in range(NUMBERS):
        if (hand >> kind) & 1:
            pairs += deck[kind] - (1 - (held >> kind) & 1)
    return pairs


@compiled_as(inline=False)
def play_out(deck: Any, held: int, reach: Any, plus: int, twice: int, safe: bool, stop: int, out: Any) -> None:
    """Follow all hands that a stopping rule gets to from those that are reached, until it stays or busts."""
    free, x = _free(deck, held), 0
    while True:  # the sets of free numbers, each after all sets that it can grow out of
        hand = held | x
        p = reach[hand]
        if p > 0.0:
            now = score(SUM[hand], SIZE[hand], twice, plus)
            pairs, others, gains = _next_number(deck, held, hand, twice)
            if safe:
                pairs = 0
            more = gains > pairs * now if stop == AS_EV else now < stop
            if more and others > 0 and SIZE[hand] < FLIP_7:
                out[0] += p * pairs / (pairs + others)
                rest = free & ~x
                while rest:
                    one = rest & -rest
                    rest ^= one
                    reach[hand | one] += p * deck[LOWEST[one]] / (pairs + others)
            else:
                out[now] += p
        if x == free:
            return
        x = (x - free) & free


@compiled
def _next_number(deck: Any, held: int, hand: int, twice: int) -> tuple[int, int, int]:
    """Of the numbers to come: how many are duplicates, how many are not, and what these bring in sum."""
    others, gains = 0, 0
    before = score(SUM[hand], SIZE[hand], twice, 0)
    for kind in range(NUMBERS):
        if deck[kind] > 0 and not (hand >> kind) & 1:
            others += deck[kind]
            gains += deck[kind] * (score(SUM[hand] + kind, SIZE[hand] + 1, twice, 0) - before)
    return _pairs(deck, held, hand), others, gains

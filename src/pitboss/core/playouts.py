"""Moves tried in imagined continuations, for compiled bots: luck that all moves share, and which are still in question.

A bot fills `values[k, i]` with what its k-th move was worth in the i-th continuation. All moves meet the same luck, so
that their differences tell them apart after few.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.splitmix import luck_bits
from pitboss.core.types import Array

CLEARLY = 2.5  # standard errors by which a move must be worse to be dropped

_STEP, _PLACE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


@compiled_as(wraps=True)
def spread(luck: np.uint64, i: int) -> np.uint64:
    """The i-th of a row of numbers that lie evenly between 0 and 2**64, however many are taken."""
    return luck + np.uint64(i) * _STEP  # the golden section of the whole range


@compiled_as(wraps=True)
def bits_at(luck: np.uint64, place: int) -> np.uint64:
    """Random bits that belong to a place among the cards, so that other moves do not shift all luck."""
    return luck_bits(luck ^ (np.uint64(place) * _PLACE))


@compiled
def best_of(values: Array, count: int, tried: int) -> int:
    """The place of the move that did best; of equal ones the first."""
    best, most = 0, 0.0
    for k in range(count):
        total = 0.0
        for i in range(tried):
            total += values[k, i]
        if k == 0 or total > most:
            best, most = k, total
    return best


@compiled
def drop_worse(moves: Array, values: Array, count: int, tried: int) -> int:
    """Keep the moves that luck may yet put before the best, in their order; how many."""
    best, kept = best_of(values, count, tried), 0
    for k in range(count):
        ahead, squares = 0.0, 0.0
        for i in range(tried):
            difference = values[best, i] - values[k, i]
            ahead += difference
            squares += difference * difference
        if ahead * ahead <= CLEARLY * CLEARLY * squares:
            moves[kept] = moves[k]
            best = kept if k == best else best
            for i in range(tried):
                values[kept, i] = values[k, i]
            kept += 1
    return kept

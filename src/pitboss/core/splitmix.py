"""How a bot's luck goes on: SplitMix64.

The numbers here are plain ones, which Python reads as they are, and compiled code as unsigned words, being so large;
the shifts are the exception that it allows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitboss.core.compile import compiled_as

if TYPE_CHECKING:
    import numpy as np

STEP = 0x9E3779B97F4A7C15
_M1, _M2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = 2**64 - 1  # cuts plain integers to 64 bits, which machine words are anyway


@compiled_as(wraps=True)
def next_luck(state: np.uint64) -> np.uint64:
    """The state of a bot's luck after one more decision."""
    return (state + STEP) & _WORD


@compiled_as(wraps=True)
def luck_bits(state: np.uint64) -> np.uint64:
    """64 random bits from a state of luck."""
    x = ((state ^ (state >> 30)) * _M1) & _WORD
    x = ((x ^ (x >> 27)) * _M2) & _WORD
    return x ^ (x >> 31)


@compiled_as(wraps=True)
def luck_at(begin: np.uint64, decision: np.uint64) -> np.uint64:
    """The bits at the n-th decision, counted from 1, of a luck that begins there: for those who keep no state of it."""
    return luck_bits((begin + decision * STEP) & _WORD)

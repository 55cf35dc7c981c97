"""A bot's own random numbers, in Python: `random.Random`, fed by the bot's luck in this game."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pitboss.core.splitmix import luck_bits

T = TypeVar("T")

# `luck_bits` on plain integers: the Python function itself, which takes them better than machine code does.
mix: Callable[[int], int] = getattr(luck_bits, "__wrapped__", luck_bits)  # type: ignore[arg-type]


class Luck(random.Random):
    """Everything that `random.Random` can do, from the luck that the table gives this seat.

    The first number asked for in a decision is made of exactly the bits that a compiled bot would
    get there, so a Python bot and its compiled twin can choose alike.
    """

    def __init__(self, clock: Any, seat: int) -> None:
        super().__init__(0)
        self._lucks, self._seat = clock["luck"][0], seat
        self.begin()

    def begin(self) -> None:
        """A new game: nothing of the last one is left."""
        self._state, self._drawn = -1, 0
        self.gauss_next = None  # where `random.Random` keeps half of what `gauss` has drawn

    def follow(self, other: Luck) -> None:
        """Go on as the luck of another copy of the game does."""
        self._state, self._drawn, self.gauss_next = other._state, other._drawn, other.gauss_next

    def bits(self) -> int:
        """64 random bits."""
        state = int(self._lucks[self._seat])
        if state != self._state:
            self._state, self._drawn = state, 0
        n = self._drawn
        self._drawn += 1
        return mix(state) if n == 0 else mix(mix(state) ^ mix(n))

    def random(self) -> float:
        return (self.bits() >> 11) * 2.0**-53

    def getrandbits(self, k: int) -> int:
        out, have = 0, 0
        while have < k:
            out |= self.bits() << have
            have += 64
        return out & ((1 << k) - 1)

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        return seq[(self.bits() >> 32) * len(seq) >> 32]

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """A bot's luck is the table's; it cannot be reseeded."""

"""What the next card may be: exact, from the cards that are left.

If the deck is empty the next card comes from the discards that a reshuffle would bring back, so
the odds look there.
"""

from __future__ import annotations

import struct
from itertools import compress

from pitboss.core.compile import compiled
from pitboss.core.types import Array
from pitboss.games.flip7.cards import KINDS, NUMBERS
from pitboss.games.flip7.state import AT, State


@compiled
def coming(s: State, kind: int) -> int:
    """How many cards of this kind the next card is drawn from."""
    return int(s["left"][kind]) if int(s["left_total"]) > 0 else int(s["discards"][kind])


@compiled
def deck_coming(s: State) -> Array:
    """How many cards of each kind the next card is drawn from."""
    return s["left"] if int(s["left_total"]) > 0 else s["discards"]  # type: ignore[no-any-return]


@compiled
def all_coming(s: State) -> int:
    """How many cards the next one is drawn from."""
    if int(s["left_total"]) > 0:
        return int(s["left_total"])
    total = 0
    for kind in range(KINDS):
        total += int(s["discards"][kind])
    return total


@compiled
def duplicates_coming(s: State, seat: int) -> int:
    """How many of those would be a second card of a number that the seat holds."""
    count, deck = 0, deck_coming(s)
    for kind in range(NUMBERS):
        count += int(deck[kind]) if int(s["front"][seat, kind]) > 0 else 0
    return count


_I32 = struct.Struct("<i").unpack_from
_ALL = struct.Struct(f"<{KINDS}h").unpack_from
_NUMBERS = struct.Struct(f"<{NUMBERS}h").unpack_from
_LEFT, _LEFT_TOTAL, _DISCARDS, _FRONT, _CHANCE = (
    AT[name] for name in ("left", "left_total", "discards", "front", "chance")
)


class Odds:
    """The odds of the next card for one seat, read from the bytes of a view.

    >>> from pitboss import load
    >>> game = load("flip7:numbers").start(2)
    >>> for card in ("12", "7"):
    ...     _ = game.apply(card)
    >>> game.view(0).odds
    <odds: bust 14.3%, duplicate 14.3% of 77 cards>
    """

    __slots__ = ("_raw", "_seat")

    def __init__(self, raw: bytes, seat: int) -> None:
        self._raw, self._seat = raw, seat

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of each kind the next card is drawn from."""
        return _ALL(self._raw, _LEFT if _I32(self._raw, _LEFT_TOTAL)[0] else _DISCARDS)

    @property
    def cards(self) -> int:
        """How many cards the next one is drawn from."""
        return sum(self.counts)

    @property
    def duplicate(self) -> float:
        """The chance that the next card is a number you hold."""
        raw = self._raw
        at = _FRONT + KINDS * self._seat
        left = _I32(raw, _LEFT_TOTAL)[0]
        if left:
            return sum(compress(_NUMBERS(raw, _LEFT), raw[at : at + NUMBERS])) / left  # type: ignore[no-any-return]
        return sum(compress(self.counts, raw[at : at + NUMBERS])) / (self.cards or 1)

    @property
    def bust(self) -> float:
        """The chance that the next card busts you: 0 while a Second Chance protects you."""
        return 0.0 if self._raw[_CHANCE + self._seat] else self.duplicate

    @property
    def kinds(self) -> dict[int, float]:
        """The chance of each kind of card that can come."""
        cards = self.cards or 1
        return {kind: n / cards for kind, n in enumerate(self.counts) if n}

    def __repr__(self) -> str:
        return f"<odds: bust {self.bust:.1%}, duplicate {self.duplicate:.1%} of {self.cards} cards>"

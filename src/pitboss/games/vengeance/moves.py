"""Moves of players and how they are written: `hit`, `stay`, `@2` for seat 2, `7@2` for the 7 of seat 2."""

from __future__ import annotations

import re
from typing import Self

from pitboss.core import step
from pitboss.core.errors import NotationError
from pitboss.games.vengeance import state
from pitboss.games.vengeance.cards import LINE, TEXT, parse_card
from pitboss.games.vengeance.rules import MAX_SEATS
from pitboss.games.vengeance.state import CARD_0, MOVES, SEAT_0

_WORDS = {
    **dict.fromkeys(("hit", "h", "twist", "draw", "flip"), state.HIT),
    **dict.fromkeys(("stay", "s", "pass", "sit", "stick", "stand", "bank"), state.STAY),
    "fault": step.FAULT,
}
_TEXT = {state.HIT: "hit", state.STAY: "stay", step.FAULT: "fault"}


class VengeanceMove(int):
    """A move: a small number that prints as a word and can be made from one.

    >>> VengeanceMove("twist"), VengeanceMove("seat 2"), VengeanceMove("Unlucky-7@0")
    (VengeanceMove('hit'), VengeanceMove('@2'), VengeanceMove('u7@0'))
    >>> VengeanceMove("12@3").seat, VengeanceMove("12@3").card
    (3, 12)
    """

    __slots__ = ()

    def __new__(cls, value: int | str) -> Self:
        number = _parse(value) if isinstance(value, str) else int(value)
        if not step.FAULT <= number < MOVES:
            raise NotationError(f"{value!r} is not a move")
        return super().__new__(cls, number)

    @property
    def seat(self) -> int:
        """The seat that this move chooses, or whose card; -1 for none."""
        return (self - CARD_0) // LINE if self >= CARD_0 else self - SEAT_0 if self >= SEAT_0 else -1

    @property
    def card(self) -> int:
        """The card that this move chooses, or -1."""
        return (self - CARD_0) % LINE if self >= CARD_0 else -1

    def __str__(self) -> str:
        word = _TEXT.get(int(self))
        return word or f"{TEXT[self.card] if self.card >= 0 else ''}@{self.seat}"

    def __repr__(self) -> str:
        return f"VengeanceMove({str(self)!r})"


def _parse(text: str) -> int:
    word = text.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    found = re.fullmatch(r"(?:(?P<card>[^@\s]+)?@|seat\s*)?(?P<seat>\d{1,2})", word)
    if found and int(found["seat"]) < MAX_SEATS:
        seat = int(found["seat"])
        if not found["card"]:
            return SEAT_0 + seat
        card = parse_card(found["card"])
        if card < LINE:
            return CARD_0 + seat * LINE + card
    raise NotationError(
        f"{text!r} is not a move; moves are hit, stay, @2 to choose seat 2, and 7@2 for the 7 of seat 2"
    )


def target(seat: int) -> VengeanceMove:
    """The move that chooses a seat."""
    return VengeanceMove(SEAT_0 + seat)


def card_of(seat: int, card: int) -> VengeanceMove:
    """The move that chooses a card of a seat.

    >>> card_of(2, 7)
    VengeanceMove('7@2')
    """
    return VengeanceMove(CARD_0 + seat * LINE + card)


HIT, STAY, FAULT = VengeanceMove(state.HIT), VengeanceMove(state.STAY), VengeanceMove(step.FAULT)

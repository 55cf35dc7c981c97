"""Moves of players and how they are written, by all the words that players use."""

from __future__ import annotations

import re

from pitboss.flip7.rules import MAX_SEATS
from pitboss.flip7.state import HIT as _HIT
from pitboss.flip7.state import NO as _NO
from pitboss.flip7.state import SEAT_0
from pitboss.flip7.state import STAY as _STAY
from pitboss.flip7.state import YES as _YES
from pitboss.table.errors import NotationError
from pitboss.table.step import FAULT as _FAULT

_WORDS = {
    **dict.fromkeys(("hit", "h", "twist", "draw", "flip"), _HIT),
    **dict.fromkeys(("stay", "s", "pass", "sit", "stick", "stand", "bank"), _STAY),
    **dict.fromkeys(("yes", "y", "use"), _YES),
    **dict.fromkeys(("no", "n"), _NO),
    "fault": _FAULT,
}
_TEXT = {_HIT: "hit", _STAY: "stay", _YES: "yes", _NO: "no", _FAULT: "fault"}


class Move(int):
    """A move: a small number that prints as a word and can be made from one.

    >>> Move("twist")
    Move('hit')
    >>> Move("seat 2"), Move("@2") == target(2)
    (Move('@2'), True)
    """

    def __new__(cls, move: int | str) -> Move:
        if isinstance(move, str):
            return super().__new__(cls, _parse(move))
        if move not in _TEXT and not SEAT_0 <= move < SEAT_0 + MAX_SEATS:
            raise NotationError(f"{move} is not a move")
        return super().__new__(cls, move)

    def __str__(self) -> str:
        return _TEXT.get(int(self)) or f"@{int(self) - SEAT_0}"

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"

    @property
    def seat(self) -> int:
        """The seat that this move chooses."""
        return int(self) - SEAT_0


def _parse(text: str) -> int:
    word = text.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    seat = re.fullmatch(r"(?:@|seat\s*)?(\d{1,2})", word)
    if seat and int(seat[1]) < MAX_SEATS:
        return SEAT_0 + int(seat[1])
    raise NotationError(f"{text!r} is not a move; moves are hit, stay, yes, no, and @2 to choose seat 2")


def target(seat: int) -> Move:
    """The move that chooses a seat."""
    return Move(SEAT_0 + seat)


HIT, STAY, YES, NO, FAULT = Move(_HIT), Move(_STAY), Move(_YES), Move(_NO), Move(_FAULT)

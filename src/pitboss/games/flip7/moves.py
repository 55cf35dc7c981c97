"""Moves of players and how they are written, by all the words that players use."""

from __future__ import annotations

import re
from enum import IntEnum

from pitboss.core import step
from pitboss.core.errors import NotationError
from pitboss.games.flip7 import state
from pitboss.games.flip7.rules import MAX_SEATS

_WORDS = {
    **dict.fromkeys(("hit", "h", "twist", "draw", "flip"), state.HIT),
    **dict.fromkeys(("stay", "s", "pass", "sit", "stick", "stand", "bank"), state.STAY),
    **dict.fromkeys(("yes", "y", "use"), state.YES),
    **dict.fromkeys(("no", "n"), state.NO),
    "fault": step.FAULT,
}
_TEXT = {state.HIT: "hit", state.STAY: "stay", state.YES: "yes", state.NO: "no", step.FAULT: "fault"}


class _Move(IntEnum):
    """The behaviour of `Move`, which has a member for every move."""

    @classmethod
    def _missing_(cls, value: object) -> _Move:
        if isinstance(value, str):
            return cls(_parse(value))
        raise NotationError(f"{value!r} is not a move")

    def __str__(self) -> str:
        return _TEXT.get(self.value) or f"@{self.seat}"

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"

    @property
    def seat(self) -> int:
        """The seat that this move chooses."""
        return self.value - state.SEAT_0


class Move(_Move):
    """A move: a small number that prints as a word and can be made from one.

    >>> Move("twist")
    Move('hit')
    >>> Move("seat 2"), Move("@2") == target(2)
    (Move('@2'), True)
    """

    STAY = state.STAY
    HIT = state.HIT
    NO = state.NO
    YES = state.YES
    FAULT = step.FAULT
    vars().update({f"SEAT_{n}": state.SEAT_0 + n for n in range(MAX_SEATS)})


def _parse(text: str) -> int:
    word = text.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    seat = re.fullmatch(r"(?:@|seat\s*)?(\d{1,2})", word)
    if seat and int(seat[1]) < MAX_SEATS:
        return state.SEAT_0 + int(seat[1])
    raise NotationError(f"{text!r} is not a move; moves are hit, stay, yes, no, and @2 to choose seat 2")


def target(seat: int) -> Move:
    """The move that chooses a seat."""
    return Move(state.SEAT_0 + seat)


HIT, STAY, YES, NO, FAULT = Move.HIT, Move.STAY, Move.YES, Move.NO, Move.FAULT

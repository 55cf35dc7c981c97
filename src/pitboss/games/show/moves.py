"""Moves of Show: every decision is answered by 0 or 1, or by the words for them."""

from __future__ import annotations

from pitboss.core.errors import NotationError
from pitboss.core.step import FAULT

_WORDS = {
    **dict.fromkeys(("0", "slot 0", "left card", "left", "first", "keep", "k", "no", "n", "leave", "play on", "on"), 0),
    **dict.fromkeys(
        ("1", "slot 1", "right card", "right", "second", "discard", "d", "yes", "y", "swap", "show", "call"), 1
    ),
    "fault": FAULT,
}


def format_move(move: int) -> str:
    """A move as one word.

    >>> format_move(1)
    '1'
    """
    if move == FAULT:
        return "fault"
    if move not in (0, 1):
        raise NotationError(f"{move} is not a move; moves are 0 and 1")
    return str(int(move))


def parse_move(text: str) -> int:
    """The move that a word means.

    >>> parse_move("keep"), parse_move("show")
    (0, 1)
    """
    move = _WORDS.get(" ".join(text.lower().split()))
    if move is None:
        raise NotationError(
            f"{text!r} is not a move; moves are 0 and 1, or words: keep, discard, yes, no, swap, leave, show, play on"
        )
    return move

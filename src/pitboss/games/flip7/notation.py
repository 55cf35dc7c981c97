"""A position of Flip 7 as one line of text, and back: to paste into a report, a test, a question.

    flip7:numbers; seats=2; round=1; to_act=0; decision=1; left=0 1 2*2 3*3 …; front=5 9/12

A field that is zero is left out. Cards are written as everywhere, `12*3` for three of them; what
lies in front of each seat is divided by strokes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.errors import NotationError, unknown
from pitboss.core.game import Position
from pitboss.core.registry import load
from pitboss.games.flip7.cards import KINDS, TEXT, parse_card
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.state import STATE


def format_counts(counts: Any) -> str:
    """Cards by kind.

    >>> format_counts([0, 1, 2] + [0] * 19)
    '1 2*2'
    """
    return " ".join(TEXT[k] if n == 1 else f"{TEXT[k]}*{n}" for k, n in enumerate(counts) if n) or "-"


def parse_counts(text: str) -> list[int]:
    """The counts that such a text means."""
    counts = [0] * KINDS
    for word in text.split():
        if word == "-":
            continue
        card, _, times = word.partition("*")
        if times and not times.isdigit():
            raise NotationError(f"{word!r} is not a number of cards; write 12*3 for three twelves")
        counts[parse_card(card)] += int(times or 1)
    return counts


def format_position(position: Position) -> str:
    """A position as text."""
    state = position.states[0]
    parts = [str(position.game)]
    for name in STATE.names or ():
        value = np.asarray(state[name])
        if not value.any():
            continue
        if value.ndim == 2:
            text = "/".join(format_counts(row.tolist()) for row in value[: position.seats])
        elif value.shape == (KINDS,):
            text = format_counts(value.tolist())
        elif value.ndim == 1:
            text = ",".join(map(str, value[: int(value.nonzero()[0][-1]) + 1]))
        else:
            text = str(int(value))
        parts.append(f"{name}={text}")
    return "; ".join(parts)


def parse_position(text: str) -> Position:
    """The position that a text means. It is taken at its word: only the form is checked."""
    spec, *parts = text.strip().split(";")
    game = load(spec)
    if not isinstance(game, Flip7):
        raise NotationError(f"{spec!r} is not a game of Flip 7")
    position = Position(game)
    for part in parts:
        name, _, value = part.strip().partition("=")
        if name not in (STATE.names or ()):
            raise NotationError(unknown("field of a position", name, STATE.names or ()))
        field = position.states[name][0]
        try:
            if field.ndim == 2:
                for seat, cards in enumerate(value.split("/")):
                    field[seat] = parse_counts(cards)
            elif field.shape == (KINDS,):
                field[:] = parse_counts(value)
            elif field.ndim == 1:
                numbers = [int(n) for n in value.split(",")]
                field[: len(numbers)] = numbers
            else:
                position.states[name] = int(value)
        except (ValueError, IndexError, OverflowError) as problem:
            raise NotationError(f"{name}={value!r} is not possible in a position: {problem}") from problem
    return position

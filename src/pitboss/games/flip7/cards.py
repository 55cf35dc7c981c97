"""The cards of Flip 7: kinds, how many of each, and how they are written.

A kind is a small number: 0 to 12 are the number cards, then +2 … +10, x2, Freeze, Flip Three,
Second Chance. A hand is written as cards with spaces: `5 9 12 +4 sc`.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.core.errors import NotationError

NUMBERS = 13  # kinds 0 … 12
PLUS_2, TIMES_2 = 13, 18
FREEZE, FLIP_THREE, SECOND_CHANCE = 19, 20, 21
KINDS = 22

TEXT = (*map(str, range(NUMBERS)), "+2", "+4", "+6", "+8", "+10", "x2", "fz", "f3", "sc")
NAME = (*TEXT[:FREEZE], "Freeze", "Flip Three", "Second Chance")
COPIES = (1, *range(1, NUMBERS), 1, 1, 1, 1, 1, 1, 3, 3, 3)

_BY_TEXT = {
    **{text: kind for kind, text in enumerate(TEXT)},
    **{name.lower().replace(" ", ""): kind for kind, name in enumerate(NAME)},
    "freeze": FREEZE,
    "flip3": FLIP_THREE,
    "flip-three": FLIP_THREE,
    "second-chance": SECOND_CHANCE,
    "2x": TIMES_2,
}


def format_card(kind: int) -> str:
    """A card as text.

    >>> format_card(12), format_card(TIMES_2), format_card(SECOND_CHANCE)
    ('12', 'x2', 'sc')
    """
    return TEXT[kind]


def parse_card(text: str) -> int:
    """A card from its short text or its name.

    >>> parse_card("x2") == TIMES_2 and parse_card("Flip-Three") == FLIP_THREE
    True
    """
    kind = _BY_TEXT.get(text.strip().lower().replace("_", "-"))
    if kind is None:
        raise NotationError(f"{text!r} is not a card; cards are written {' '.join(TEXT)}")
    return kind


def format_cards(kinds: Iterable[int]) -> str:
    """Cards as text, with spaces; no cards are written `-`."""
    return " ".join(TEXT[k] for k in kinds) or "-"


def parse_cards(text: str) -> list[int]:
    """Cards from text: spaces or commas between them, `-` for none.

    >>> parse_cards("5 9, 12 +4")
    [5, 9, 12, 14]
    """
    words = text.replace(",", " ").split()
    return [] if words == ["-"] else [parse_card(w) for w in words]

"""The cards of Flip 7: With a Vengeance: kinds, how many of each, and how they are written.

A kind is a small number: 0 to 13 are the numbers, then the Unlucky 7 and the Lucky 13, the modifiers -2 … -10 and
the half, and the five actions. Kinds below `LINE` can lie in front of a player.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.core.errors import NotationError

NUMBERS = 14  # kinds 0 … 13
SEVEN, THIRTEEN = 7, 13
UNLUCKY_7, LUCKY_13 = 14, 15
MINUS_2, HALF = 16, 21
LINE = 22
JUST_ONE_MORE, FLIP_FOUR, SWAP, STEAL, DISCARD = 22, 23, 24, 25, 26
KINDS = 27

_NUMBERS = tuple(map(str, range(NUMBERS)))
TEXT = (*_NUMBERS, "u7", "l13", "-2", "-4", "-6", "-8", "-10", "/2", "j1", "f4", "sw", "st", "di")
NAME = (
    *_NUMBERS, "Unlucky 7", "Lucky 13", "−2", "−4", "−6", "−8", "−10", "÷2",
    "Just One More", "Flip Four", "Swap", "Steal", "Discard",
)  # fmt: skip
TONE = (
    "red", *("",) * 12, "amber", "ink", "green", *("red",) * 6,
    "orange", "plum", "blue", "violet", "ink",
)  # fmt: skip
MARK = ("void", *("",) * 13, "skull", "clover", *("",) * 6, "one", "four", "swap", "steal", "bin")
COPIES = (1, 1, 2, 3, 4, 5, 6, 6, 8, 9, 10, 11, 12, 12, 1, 1, *(1,) * 6, *(2,) * 5)

_BY_TEXT = {
    **{text: kind for kind, text in enumerate(TEXT)},
    **{name.lower().replace(" ", "-"): kind for kind, name in enumerate(NAME)},
    "half": HALF,
    "jom": JUST_ONE_MORE,
}


def format_card(kind: int) -> str:
    """A card as text.

    >>> format_card(12), format_card(UNLUCKY_7), format_card(HALF), format_card(FLIP_FOUR)
    ('12', 'u7', '/2', 'f4')
    """
    return TEXT[kind]


def parse_card(text: str) -> int:
    """A card from its short text or its name.

    >>> parse_card("l13") == LUCKY_13 and parse_card("Flip-Four") == FLIP_FOUR and parse_card("−4") == parse_card("-4")
    True
    """
    kind = _BY_TEXT.get(text.strip().lower().replace("_", "-"))
    if kind is None:
        raise NotationError(f"{text!r} is not a card; cards are written {' '.join(TEXT)}")
    return kind


def format_cards(kinds: Iterable[int]) -> str:
    """Cards as text, with spaces; no cards are written `-`."""
    return " ".join(TEXT[kind] for kind in kinds) or "-"


def parse_cards(text: str) -> list[int]:
    """Cards from text: spaces or commas between them, `-` for none.

    >>> parse_cards("5 u7, -4")
    [5, 14, 17]
    """
    words = text.replace(",", " ").split()
    return [] if words == ["-"] else [parse_card(word) for word in words]

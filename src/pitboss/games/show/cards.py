"""The 54 cards of Show: their numbers, points and texts (H1, H2).

A card is a number from 1 to 54: spades A to K are 1 to 13, then hearts, diamonds, clubs, and the
jokers 53 and 54. They are written `As`, `10h`, `Kd`, `2c`, `*1`, `*2`.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.core.errors import NotationError
from pitboss.core.layout import I8, constants

SLOTS = 2
CARDS = 54
PLACES = CARDS + 1  # arrays by card number: place 0 is empty
JOKER = 53
TEN, JACK, QUEEN, KING = 10, 11, 12, 13  # ranks with a power

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "shdc"
SUIT_SIGN = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

TEXT = ("-", *(rank + suit for suit in SUITS for rank in RANKS), "*1", "*2")
NAME = ("-", *(rank + SUIT_SIGN[suit] for suit in SUITS for rank in RANKS), "Joker", "Joker")

LEAST_POINTS, MOST_POINTS = -1, 13


def _points(card: int) -> int:
    rank = (card - 1) % 13 + 1
    if card >= JOKER:
        return -1
    return 0 if rank == KING and 14 <= card <= 39 else rank  # red kings are worth nothing


PLAIN_POINTS = (0, *(_points(card) for card in range(1, PLACES)))
POINTS = constants(PLAIN_POINTS, I8)
RANK = constants([0, *((card - 1) % 13 + 1 for card in range(1, JOKER)), 0, 0], I8)

_BY_TEXT = {
    **{text.lower(): card for card, text in enumerate(TEXT) if card},
    **{name.lower(): card for card, name in enumerate(NAME) if 0 < card < JOKER},
    **{rank.lower(): card for card, rank in enumerate(RANKS, 1) if rank != "K"},
    "*": JOKER,
    "joker": JOKER,
}


def format_card(card: int) -> str:
    """A card as text.

    >>> format_card(1), format_card(26), format_card(54)
    ('As', 'Kh', '*2')
    """
    return TEXT[card]


def parse_card(text: str) -> int:
    """A card from its text; a rank alone is a spade, but a king needs its suit.

    >>> parse_card("10H"), parse_card("A"), parse_card("*")
    (23, 1, 53)
    """
    card = _BY_TEXT.get(text.strip().lower())
    if card is None:
        raise NotationError(f"{text!r} is not a card; cards are written As 10h Kd 2c, jokers *1 and *2")
    return card


def format_cards(cards: Iterable[int]) -> str:
    """Cards as text, with spaces; no cards are written `-`."""
    return " ".join(TEXT[card] for card in cards) or "-"


def parse_cards(text: str) -> list[int]:
    """Cards from text, with spaces between them."""
    words = text.split()
    return [] if words == ["-"] else [parse_card(word) for word in words]

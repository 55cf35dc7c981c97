"""Who answers when a card is due: a key, a tape, or a person at a real table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

import numpy as np

from pitboss.core.errors import PitbossError, RecordError
from pitboss.core.game import Position
from pitboss.core.keys import Key, deal_word, draw


class Dealer(Protocol):
    """Answers chance."""

    def card(self, position: Position) -> int:
        """The card to deal now."""


class Keyed:
    """Deals by a key: the same cards for the same key and deal, whoever asks."""

    def __init__(self, key: Key, deal: int = 0) -> None:
        self._stream = key.stream(deal)

    def card(self, position: Position) -> int:
        state = position.states[0]
        bits = np.uint64(deal_word(self._stream, np.uint64(position.place)))
        return int(draw(state["left"], int(state["left_total"]), bits))


class Tape:
    """Deals a given list of cards, for tests and replays.

    >>> from pitboss import load
    >>> game = load("flip7:solo").start(1)
    >>> _ = game.apply("hit")
    >>> Tape([7]).card(game)
    7
    """

    def __init__(self, cards: Iterable[int]) -> None:
        self._cards = list(cards)
        self._next = 0

    def card(self, position: Position) -> int:
        one, many = position.game.deals
        if self._next == len(self._cards):
            raise RecordError(f"the tape ends after {self._next} {many}, but another {one} is due")
        card = self._cards[self._next]
        self._next += 1
        if card not in position.legal:
            text = position.game.format_card(card)
            raise RecordError(f"{one} {self._next} on the tape is {text}, and none of these is left")
        return card

    @property
    def rest(self) -> list[int]:
        """Cards not dealt yet."""
        return self._cards[self._next :]


class Live:
    """Asks a person which card fell at a real table, until the answer is a card that can be there."""

    def __init__(self, ask: Callable[[str], str], tell: Callable[[str], None] = print) -> None:
        self._ask, self._tell = ask, tell

    def card(self, position: Position) -> int:
        while True:
            try:
                card = position.game.parse_card(self._ask(f"Which {position.game.deals[0]} fell?"))
            except PitbossError as problem:
                self._tell(str(problem))
                continue
            if card in position.legal:
                return card
            self._tell(f"no {position.game.format_card(card)} is left; legal: {position.legal}")

"""The switches of Show and its three rule books."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pitboss.core.errors import NotationError, SpecError
from pitboss.core.rules import RulesBase, switch
from pitboss.core.types import Data
from pitboss.games.show.cards import CARDS, PLACES, format_cards, parse_cards

if TYPE_CHECKING:
    import numpy as np

WHOLE_DECK = "all"
THOUSAND = 1000  # payoffs and the penalty are counted in thousandths


def read_deck(text: str) -> str:
    """A deck as it is written down: sorted, so that equal decks are equal texts."""
    if text.strip() == WHOLE_DECK:
        return WHOLE_DECK
    try:
        cards = sorted(parse_cards(text))
    except NotationError as problem:
        raise SpecError(f"deck: {problem}") from problem
    if not 5 <= len(cards) <= CARDS:
        raise SpecError(f"a deck of Show has 5 to {CARDS} cards, not {len(cards)}; or deck=all for the whole one")
    return WHOLE_DECK if cards == list(range(1, PLACES)) else format_cards(cards)


@dataclass(frozen=True, eq=False)
class ShowRules(RulesBase):
    """One table's rules. The defaults are `fair`.

    >>> ShowRules.parse("classic(call_from_turn=2)").call_from_turn
    2
    """

    presets: ClassVar[dict[str, ShowRules]] = {}
    default_preset: ClassVar[str] = "fair"

    ten: bool = switch(True, "a discarded 10 lets you look at a card of yours")
    jack: bool = switch(True, "a discarded jack lets you look at a card of your opponent's")
    queen: bool = switch(False, "a discarded queen lets you exchange two cards unseen")
    king: bool = switch(False, "a discarded king lets you look at two cards and exchange them")
    power_on_replace: bool = switch(False, "a card replaced from a slot offers its power too")
    last_turn_after_p1: bool = switch(True, "a call by Player 1 gives Player 2 a last turn")
    last_turn_after_p2: bool = switch(False, "a call by Player 2 gives Player 1 a last turn")
    powers_in_last_turn: bool = switch(True, "powers may be used in the last turn")
    caller_locked: bool = switch(True, "queens and kings may not touch the cards of a player who has called")
    call_from_turn: int = switch(3, "the earliest of your turns at whose end you may call", least=1, most=50)
    call_penalty: float = switch(0.0, "what a caller who is beaten pays on top; half of it for a tie", scale=THOUSAND)
    deck: str = switch(WHOLE_DECK, "the cards; a few of them make a game that can be solved", reader=read_deck)

    @property
    def seats(self) -> range:
        """The numbers of seats this table allows."""
        return range(2, 3)

    @property
    def cards(self) -> list[int]:
        """The deck, card by card."""
        return list(range(1, PLACES)) if self.deck == WHOLE_DECK else parse_cards(self.deck)

    def needless(self) -> dict[str, str]:
        """Switches that could change nothing at this table, each with what it would need."""
        powers = self.ten or self.jack or self.queen or self.king
        swaps = self.queen or self.king
        last = self.last_turn_after_p1 or self.last_turn_after_p2
        needs = {
            "power_on_replace": (powers, "a power: ten, jack, queen or king"),
            "powers_in_last_turn": (powers and last, "a power and a last turn"),
            "caller_locked": (
                swaps and last and self.powers_in_last_turn,
                "queen=true or king=true, a last turn, and powers_in_last_turn=true",
            ),
        }
        return {name: condition for name, (matters, condition) in needs.items() if not matters}

    @classmethod
    def dtype(cls) -> np.dtype[np.void]:
        import numpy as np

        names = [name for name, kind in cls.switches().items() if kind.reader is None]
        return np.dtype([*((name, np.int32) for name in names), ("deck", np.int8, (PLACES,))], align=True)

    def numbers(self) -> Data:
        cards = self.cards
        return {**super().numbers(), "deck": [cards.count(card) for card in range(PLACES)]}


ShowRules.presets.update(
    fair=ShowRules(),
    classic=ShowRules(last_turn_after_p1=False, last_turn_after_p2=True, caller_locked=False, call_from_turn=1),
    full=ShowRules(
        queen=True, king=True, last_turn_after_p1=False, last_turn_after_p2=True, caller_locked=False, call_from_turn=1
    ),
)

PRESET_ABOUT = {
    "fair": "both have the same number of turns; calls from the third turn on",
    "classic": "Player 1's call ends the game at once, Player 2's gives Player 1 a last turn",
    "full": "classic, with the powers of queens and kings as well",
}

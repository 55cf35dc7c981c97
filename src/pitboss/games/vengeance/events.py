"""What happened: `step` writes events into a buffer, and every log, replay and page reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from pitboss.core.events import Event
from pitboss.core.types import Data
from pitboss.games.vengeance.cards import LINE, NAME

MOST_EVENTS = 255

TEXTS = {
    "round started": "--- Round {a}: {who} deals ---",
    "dealt": "{who} gets {card}",
    "hits": "{who} hits",
    "stays": "{who} stays with {a}",
    "busted": "{who} busts on another {card}",
    "played": "{who} {must}{by}",
    "set aside": "{card} waits until {who} has four cards",
    "swapped": "{who} gets the {card} of {other} in a swap",
    "stolen": "{who} steals the {card} of {other}",
    "lost": "{who} loses the {card}, discarded by {other}",
    "discarded": "{card} of {who} is discarded",
    "flip 7": "{who} has seven different numbers: FLIP 7!",
    "prize": "{who} gets {a} for a Flip 7{by}",
    "reshuffled": "The discards are shuffled into a new deck of {a} cards",
    "out of cards": "No card is left for {who}",
    "fault": "{who} is at fault",
    "round scored": "{who} scores {a}, total {b}",
    "won": "{who} wins with {a} points",
    "cut": "The game is cut: no winner",
}
(
    ROUND_STARTED,
    DEALT,
    HITS,
    STAYS,
    BUST,
    PLAYED,
    SET_ASIDE,
    SWAPPED,
    STOLEN,
    LOST,
    DISCARDED,
    FLIP_7_MADE,
    PRIZE_CHOSEN,
    RESHUFFLED,
    OUT_OF_CARDS,
    FAULTED,
    ROUND_SCORED,
    GAME_WON,
    CUT_SHORT,
) = range(len(TEXTS))

_ABOUT_A_CARD = ("dealt", "busted", "played", "set aside", "swapped", "stolen", "lost", "discarded")
_ABOUT_ANOTHER = ("played", "swapped", "stolen", "lost", "prize")

# What an action means for whom it is played on.
_MUST = (
    "must take just one more card",
    "must flip four",
    "may swap two cards",
    "may steal a card",
    "may discard a card",
)


class VengeanceEvent(Event):
    """One thing that happened, with names for its numbers."""

    __slots__ = ()

    texts: ClassVar[Mapping[str, str]] = TEXTS
    minor: ClassVar[Collection[str]] = ("dealt", "hits", "stays", "set aside", "discarded", "out of cards")

    @property
    def card(self) -> int | None:
        """The kind of card this is about, if it is about one."""
        return self.a if self.kind in _ABOUT_A_CARD else None

    @property
    def other(self) -> int | None:
        """The other seat: who played the card or chose, or whose card it was."""
        return self.b if self.kind in _ABOUT_ANOTHER else None

    def words(self, names: Sequence[str]) -> Data:
        """As in every game, with the card, what it makes the player do, and who did that."""
        words = super().words(names)
        if self.card is not None:
            words["card"] = NAME[self.card]
            words["must"] = f"gets {NAME[self.card]}" if self.card < LINE else _MUST[self.card - LINE]
        if self.other is not None:
            words["other"] = names[self.other]
            words["by"] = "" if self.other == self.seat else f", by {names[self.other]}"
        return words

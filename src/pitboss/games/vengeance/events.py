"""What happened: `step` writes events into a buffer, and every log, replay and page reads them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from pitboss.core.events import Event
from pitboss.games.vengeance.words import ENGLISH

MOST_EVENTS = 255

KINDS = (
    "round started",
    "dealt",
    "hits",
    "stays",
    "busted",
    "played",
    "set aside",
    "swapped",
    "stolen",
    "lost",
    "discarded",
    "flip 7",
    "prize",
    "reshuffled",
    "out of cards",
    "fault",
    "round scored",
    "won",
    "cut",
)
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
) = range(len(KINDS))

_ABOUT_A_CARD = ("dealt", "busted", "played", "set aside", "swapped", "stolen", "lost", "discarded")
_ABOUT_ANOTHER = ("played", "swapped", "stolen", "lost", "prize")


class VengeanceEvent(Event):
    """One thing that happened, with names for its numbers."""

    __slots__ = ()

    minor: ClassVar[Collection[str]] = ("dealt", "hits", "stays", "set aside", "discarded", "out of cards")

    @property
    def card(self) -> int | None:
        """The kind of card this is about, if it is about one."""
        return self.a if self.kind in _ABOUT_A_CARD else None

    @property
    def other(self) -> int | None:
        """The other seat: who played the card or chose, or whose card it was."""
        return self.b if self.kind in _ABOUT_ANOTHER else None

    def text(self, names: Sequence[str]) -> str:
        return ENGLISH.event(self, names)

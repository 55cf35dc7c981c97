"""What happened, and who may know what of it.

An event is four numbers: kind, seat, and two details. In events of some kinds a detail is a secret of
that seat: `seen_by` gives others the event without it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from pitboss.core.events import HIDDEN, Event
from pitboss.games.show.words import ENGLISH, WORDING

MOST_EVENTS = 31

KINDS = (
    "dealt",
    "peeked",
    "drew",
    "kept",
    "discarded",
    "replaced",
    "power",
    "looked",
    "looked across",
    "swapped",
    "left alone",
    "called",
    "plays on",
    "last turn",
    "deck out",
    "shown",
    "won",
    "tied",
    "fault",
)
(
    DEALT, PEEKED, DREW, KEPT, DISCARDED, REPLACED, POWER, LOOKED, LOOKED_ACROSS, SWAPPED,
    LEFT_ALONE, CALLED, PLAYS_ON, LAST_TURN, DECK_OUT, SHOWN, WON, TIED, FAULTED,
) = range(len(KINDS))  # fmt: skip


class ShowEvent(Event):
    """One thing that happened.

    >>> ShowEvent("discarded", 0, 7, 0).text(["Ann", "Bob"])
    'Ann discards 7♠'
    """

    __slots__ = ()

    minor: ClassVar[Collection[str]] = (*KINDS[:SWAPPED], "left alone", "plays on")

    def seen_by(self, seat: int) -> ShowEvent:
        """The event as a seat may know it.

        >>> ShowEvent("drew", 0, 7, 0).seen_by(1)
        ShowEvent(kind='drew', seat=0, a=-1, b=0)
        """
        hidden = WORDING.nodes["hidden"]
        secret = hidden["all"].get(self.kind) or (hidden["others"].get(self.kind) if seat != self.seat else None)
        a, b = (HIDDEN if secret == name else detail for name, detail in (("a", self.a), ("b", self.b)))
        return ShowEvent(self.kind, self.seat, a, b) if secret else self

    def text(self, names: Sequence[str]) -> str:
        return ENGLISH.event(self, names)

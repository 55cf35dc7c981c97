"""What happened, and who may know what of it.

An event is four numbers: kind, seat, and two details. In events of some kinds a detail is a secret of
that seat: `seen_by` gives others the event without it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from pitboss.core.events import HIDDEN, Event
from pitboss.core.types import Data
from pitboss.games.show.cards import NAME

MOST_EVENTS = 31

TEXTS = {
    "dealt": "{who} gets a card in slot {a}",
    "peeked": "{who} looks at its own slot {a}{seen}",
    "drew": "{who} draws {card}",
    "kept": "{who} keeps it in slot {a}",
    "discarded": "{who} discards {card}",
    "replaced": "{card} goes to the graveyard",
    "power": "{who} uses the power of {card}",
    "looked": "{who} looks at its own slot {a}{seen}",
    "looked across": "{who} looks at slot {a} of {other}{seen}",
    "swapped": "{who} exchanges its slot {a} for slot {b} of {other}",
    "left alone": "{who} leaves both cards where they are",
    "called": "{who} calls SHOW!",
    "plays on": "{who} plays on",
    "last turn": "{who} has the last turn",
    "deck out": "The draw pile is empty",
    "shown": "{who} shows {card} and {second}",
    "won": "{who} wins with {a} against {b}",
    "tied": "A tie{each}",
    "fault": "{who} is at fault and loses the game",
}
KINDS = tuple(TEXTS)
(
    DEALT, PEEKED, DREW, KEPT, DISCARDED, REPLACED, POWER, LOOKED, LOOKED_ACROSS, SWAPPED,
    LEFT_ALONE, CALLED, PLAYS_ON, LAST_TURN, DECK_OUT, SHOWN, WON, TIED, FAULTED,
) = range(len(KINDS))  # fmt: skip

# The detail that only some may know, by kind: the event's own seat, or nobody at all.
_SECRET_OF_SEAT = {"peeked": "b", "drew": "a", "looked": "b", "looked across": "b"}
_SECRET_OF_ALL = {"dealt": "b"}


class ShowEvent(Event):
    """One thing that happened.

    >>> ShowEvent("discarded", 0, 7, 0).text(["Ann", "Bob"])
    'Ann discards 7♠'
    """

    __slots__ = ()

    texts: ClassVar[Mapping[str, str]] = TEXTS
    minor: ClassVar[Collection[str]] = (*KINDS[:SWAPPED], "left alone", "plays on")

    def seen_by(self, seat: int) -> ShowEvent:
        """The event as a seat may know it.

        >>> ShowEvent("drew", 0, 7, 0).seen_by(1)
        ShowEvent(kind='drew', seat=0, a=-1, b=0)
        """
        secret = _SECRET_OF_ALL.get(self.kind) or (_SECRET_OF_SEAT.get(self.kind) if seat != self.seat else None)
        a, b = (HIDDEN if secret == name else detail for name, detail in (("a", self.a), ("b", self.b)))
        return ShowEvent(self.kind, self.seat, a, b) if secret else self

    def words(self, names: Sequence[str]) -> Data:
        words, second = super().words(names), _card(self.b)
        words |= {"card": _card(self.a) or "a card", "second": second, "seen": second and f": {second}"}
        other = names[1 - self.seat] if words["who"] else ""
        return {**words, "other": other, "each": f" at {self.a} each" if self.b else ""}


def _card(card: int) -> str:
    return NAME[card] if 0 < card < len(NAME) else ""

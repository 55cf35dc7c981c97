"""What happened, and who may know what of it.

An event is four numbers: kind, seat, and two details. In events of some kinds a detail is a secret of
that seat: `seen_by` gives others the event without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitboss.games.show.cards import NAME

MOST_EVENTS = 31
HIDDEN = -1

KINDS = (
    "dealt", "peeked", "drew", "kept", "discarded", "replaced", "power", "looked", "looked across", "swapped",
    "left alone", "called", "plays on", "last turn", "deck out", "shown", "won", "tied", "fault",
)  # fmt: skip
(
    DEALT, PEEKED, DREW, KEPT, DISCARDED, REPLACED, POWER, LOOKED, LOOKED_ACROSS, SWAPPED,
    LEFT_ALONE, CALLED, PLAYS_ON, LAST_TURN, DECK_OUT, SHOWN, WON, TIED, FAULTED,
) = range(len(KINDS))  # fmt: skip

# The detail that only some may know, by kind: the event's own seat, or nobody at all.
_SECRET_OF_SEAT = {"peeked": "b", "drew": "a", "looked": "b", "looked across": "b"}
_SECRET_OF_ALL = {"dealt": "b"}


@dataclass(frozen=True, slots=True)
class ShowEvent:
    """One thing that happened."""

    kind: str
    seat: int
    a: int
    b: int

    @property
    def major(self) -> bool:
        """Whether somebody who only glances at the game should be told."""
        return self.kind in ("swapped", "called", "last turn", "deck out", "shown", "won", "tied", "fault")

    def seen_by(self, seat: int) -> ShowEvent:
        """The event as a seat may know it.

        >>> ShowEvent("drew", 0, 7, 0).seen_by(1)
        ShowEvent(kind='drew', seat=0, a=-1, b=0)
        """
        secret = _SECRET_OF_ALL.get(self.kind) or (_SECRET_OF_SEAT.get(self.kind) if seat != self.seat else None)
        if secret is None:
            return self
        return (
            ShowEvent(self.kind, self.seat, HIDDEN, self.b)
            if secret == "a"
            else ShowEvent(self.kind, self.seat, self.a, HIDDEN)
        )

    def text(self, names: Sequence[str]) -> str:
        """A line for the log.

        >>> ShowEvent("discarded", 0, 7, 0).text(["Ann", "Bob"])
        'Ann discards 7♠'
        """
        who = names[self.seat] if 0 <= self.seat < len(names) else ""
        other = names[1 - self.seat] if who else ""
        a, b = _card(self.a), _card(self.b)
        match self.kind:
            case "dealt":
                return f"{who} gets a card in slot {self.a}"
            case "peeked" | "looked":
                return f"{who} looks at its own slot {self.a}{b and f': {b}'}"
            case "drew":
                return f"{who} draws {a or 'a card'}"
            case "kept":
                return f"{who} keeps it in slot {self.a}"
            case "discarded":
                return f"{who} discards {a}"
            case "replaced":
                return f"{a} goes to the graveyard"
            case "power":
                return f"{who} uses the power of {a}"
            case "looked across":
                return f"{who} looks at slot {self.a} of {other}{b and f': {b}'}"
            case "swapped":
                return f"{who} exchanges its slot {self.a} for slot {self.b} of {other}"
            case "left alone":
                return f"{who} leaves both cards where they are"
            case "called":
                return f"{who} calls SHOW!"
            case "plays on":
                return f"{who} plays on"
            case "last turn":
                return f"{who} has the last turn"
            case "deck out":
                return "The draw pile is empty"
            case "shown":
                return f"{who} shows {a} and {b}"
            case "won":
                return f"{who} wins with {self.a} against {self.b}"
            case "tied":
                return f"A tie at {self.a} each" if self.b else "A tie"
            case _:
                return f"{who} is at fault and loses the game"


def _card(card: int) -> str:
    return NAME[card] if 0 < card < len(NAME) else ""

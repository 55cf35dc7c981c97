"""What can happen, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_EVENTS = 15  # of one move

KINDS = ("round", "drew", "bust", "banked", "fault", "wins", "cut")
ROUND, DREW, BUST, BANKED, FAULTED, WINS, CUT_SHORT = range(len(KINDS))


@dataclass(frozen=True)
class Event:
    """One thing that happened: its kind, a seat, and two numbers."""

    kind: str
    seat: int
    a: int
    b: int

    @property
    def major(self) -> bool:
        """Whether somebody who only glances at the game should be told."""
        return self.kind != "drew"

    def seen_by(self, seat: int) -> Event:
        """The event as a seat may know it: everything is open."""
        return self

    def text(self, names: Sequence[str]) -> str:
        """A line for the log.

        >>> Event("banked", 0, 9, 21).text(["Ann", "Bob"])
        'Ann banks 9, total 21'
        """
        who = names[self.seat] if self.seat >= 0 else ""
        return {
            "round": f"--- Round {self.a} ---",
            "drew": f"{who} draws {self.a}, pot {self.b}",
            "bust": f"{who} draws a skull and loses {self.a}",
            "banked": f"{who} banks {self.a}, total {self.b}",
            "fault": f"{who} is at fault and loses {self.a}",
            "wins": f"{who} wins with {self.a} points",
            "cut": "The game is cut: no winner",
        }[self.kind]

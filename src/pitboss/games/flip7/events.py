"""What happened: `step` writes events into a buffer, and every log, replay and page reads them.

An event is four numbers: kind, seat, and two details that depend on the kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitboss.core.speaker import Speaker

MOST_EVENTS = 255

KINDS = (
    "round started",
    "dealt",
    "hits",
    "stays",
    "busted",
    "saved",
    "froze",
    "flips three",
    "set aside",
    "assigned",
    "second chance",
    "discarded",
    "flip 7",
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
    SAVED,
    FROZE,
    FLIPS_THREE,
    SET_ASIDE,
    ASSIGNED,
    CHANCE_GIVEN,
    DISCARDED,
    FLIP_7_MADE,
    RESHUFFLED,
    OUT_OF_CARDS,
    FAULTED,
    ROUND_SCORED,
    GAME_WON,
    CUT_SHORT,
) = range(len(KINDS))


_ABOUT_A_CARD = ("dealt", "busted", "saved", "set aside", "assigned", "second chance", "discarded")
_ABOUT_POINTS = ("stays", "froze", "flip 7", "out of cards", "round scored", "won")


@dataclass(frozen=True, slots=True)
class Flip7Event:
    """One thing that happened, with names for its numbers."""

    kind: str
    seat: int
    a: int
    b: int

    @property
    def card(self) -> int | None:
        """The kind of card this is about, if it is about one."""
        return self.a if self.kind in _ABOUT_A_CARD else None

    @property
    def points(self) -> int | None:
        """The points this is about: banked, scored, or a winner's total."""
        return self.a if self.kind in _ABOUT_POINTS else None

    @property
    def total(self) -> int | None:
        """A seat's total after a round was scored."""
        return self.b if self.kind == "round scored" else None

    @property
    def by(self) -> int | None:
        """The seat that put a card on this one."""
        return self.b if self.kind in ("froze", "flips three", "assigned", "second chance") else None

    @property
    def major(self) -> bool:
        """Whether somebody who only glances at the game should be told."""
        return self.kind not in ("dealt", "hits", "stays", "set aside", "assigned", "discarded", "out of cards")

    def seen_by(self, seat: int) -> Flip7Event:
        """The event as a seat may know it: everything is open."""
        return self

    def text(self, names: Sequence[str]) -> str:
        """A line for the log.

        >>> Flip7Event("dealt", 0, 12, 0).text(["Ann"])
        'Ann gets 12'
        """
        return _english().event(self, names)


@cache
def _english() -> Speaker:
    from pitboss.games.flip7.words import ENGLISH  # which needs this module

    return ENGLISH

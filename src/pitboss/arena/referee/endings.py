"""How a bot's decision can go wrong, and the limits it plays under."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pitboss.table.errors import BotError, PitbossError


class Ending(StrEnum):
    """Why the referee ruled a fault."""

    TIMEOUT = "timeout"  # it used more processor time than it has
    STALL = "stall"  # it used none, and did not answer either
    CRASH = "crash"  # its process ended
    EXCEPTION = "exception"
    ILLEGAL = "illegal move"
    MEMORY = "out of memory"
    PROTOCOL = "protocol error"  # it did not speak as agreed
    FORFEIT = "forfeit"  # it is not asked any more


class BotFault(BotError):
    """A decision that a bot did not make: the seat, the kind of ending, and a sentence."""

    def __init__(self, kind: Ending, seat: int, text: str) -> None:
        super().__init__(text)
        self.kind, self.seat = kind, seat


class Ended(Exception):
    """What a bot's process did instead of answering."""

    def __init__(self, kind: Ending, text: str) -> None:
        super().__init__(text)
        self.kind, self.text = kind, text


@dataclass(frozen=True)
class Limits:
    """What a bot may use. Times are seconds of its own processor time, whatever else the machine does.

    >>> Limits(decision=0).verify()
    Traceback (most recent call last):
    ...
    pitboss.table.errors.PitbossError: a limit must be above 0, and decision is 0
    """

    decision: float = 0.5  # for one decision
    start: float = 5.0  # to be imported, and to get ready for a game
    bank: float | None = None  # for a whole game: what decisions may take beyond their limit
    wall: float = 4.0  # how many times its limit a bot that does nothing may take by the clock on the wall
    memory: int = 1 << 30  # bytes
    output: int = 4000  # characters that are kept of what a bot prints in one decision

    def verify(self) -> None:
        """Refuse limits under which nobody could play."""
        for name in ("decision", "start", "wall", "memory"):
            if not getattr(self, name) > 0:
                raise PitbossError(f"a limit must be above 0, and {name} is {getattr(self, name)}")

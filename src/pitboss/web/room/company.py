"""The people at a table: who is there, codes by which they come, and who decides for them when they do not.

A table code is read out and typed, so it has letters that sound and look different. It is short, and so wrong codes are
counted (`routes/codes.py`): nobody finds a table by trying.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key
from pitboss.core.play import Seats
from pitboss.core.step import FAULT

LETTERS = "FHJKLMQRWXYZ"  # none sounds or looks like another
CODE_LENGTH = 6  # three million codes, of which a room uses a few


class Presence(StrEnum):
    """Whether somebody is at a seat."""

    HERE = "here"
    AWAY = "away"  # their page is hidden
    GONE = "gone"  # nobody is connected
    EXPECTED = "expected"  # the invitation was not used yet
    BOT = "bot"


class Reaction(StrEnum):
    """What can be said to a table, and nothing else."""

    CLAP = "clap"
    LAUGH = "laugh"
    WOW = "wow"
    OUCH = "ouch"
    THINK = "think"
    THANKS = "thanks"


class Why(StrEnum):
    """Why somebody else decided for a person."""

    CLOCK = "clock"
    GONE = "gone"


@dataclass(frozen=True)
class HouseRules:
    """What the host has arranged for people, announced before the first card."""

    clock: float = 0.0  # seconds for a decision; 0: as many as it takes
    stand_in: bool = True  # whether a bot plays for who has left others waiting
    delay: float = 0.0  # seconds by which those who watch are behind, where cards are secret


NO_RULES = HouseRules()


@dataclass(frozen=True)
class Stood:
    """A decision that somebody else made for a person: the step that it led to, whose it was, and why."""

    step: int
    seat: int
    why: Why


@dataclass(frozen=True)
class Gesture:
    """A reaction, numbered, for a few seconds."""

    number: int
    seat: int
    what: Reaction
    when: float


def new_code(taken: Iterable[str]) -> str:
    """A code that no other table has.

    >>> len(new_code([])), set(new_code([])) <= set(LETTERS)
    (6, True)
    """
    known = set(taken)
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        if code not in known:
            return code


def code_of(typed: str) -> str:
    """What somebody typed, as a code: small letters, spaces and dashes do no harm.

    >>> code_of(" fhj-klm")
    'FHJKLM'
    """
    return "".join(letter for letter in typed.upper() if letter.isalpha())[:CODE_LENGTH]


class StandIn:
    """Decides for people, as a bot would that sat at each of their seats."""

    def __init__(self, game: Game, entrant: Entrant, seats: int) -> None:
        self._seats = Seats(game, [entrant] * seats)
        self._seats.start(Key.fresh(), 0, 0)

    def decide(self, position: Position, seat: int) -> int:
        """Its move; the referee's ruling if it fails."""
        try:
            return self._seats.decide(position, seat)
        except BotError:
            return FAULT

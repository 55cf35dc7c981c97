"""A real table, followed: everything that was tapped so far goes in, the table and the advice come out.

Nothing is kept between two questions, so to undo is to leave out the last tap.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pitboss.analysis.companion import companion_of
from pitboss.core.analysis import Advice
from pitboss.core.companion import CardTap, Companion, TableSetup, WordTap
from pitboss.core.errors import PitbossError
from pitboss.core.registry import load
from pitboss.core.types import Data
from pitboss.web.requests import Asked

MOST_TAPS = 3000


class TableTapped(Asked):
    """A real table, from its beginning to now."""

    spec: str = Field("flip7:official", max_length=600)
    names: list[str] = Field(min_length=1, max_length=40, description="Who plays, clockwise, you included.")
    me: int = Field(0, ge=0, le=39, description="Your place among them.")
    totals: list[int] = Field([], max_length=40, description="Everybody's points of finished rounds; 0 if left out.")
    dealer: int | None = Field(None, ge=0, le=39, description="The place of the first dealer; by default the last.")
    taps: list[str] = Field([], max_length=MOST_TAPS, description="Everything that happened, such as 12, s or @1.")


class Followed(BaseModel):
    """The table now."""

    scene: Data
    due: str = Field(description="What is to be tapped next.")
    asked: int = Field(description="The seat that takes a card or decides now; negative when the game is over.")
    over: bool
    told: list[str] = Field(description="What the last tap brought about.")
    cards: list[CardTap]
    words: list[WordTap]


@dataclass(frozen=True)
class AdviceTold(Advice):
    """What can be said to you now; without a headline if that is nothing."""

    note: str = ""  # what was asked for and left out, and why


def followed(asked: TableTapped) -> Followed:
    """The table after all that was tapped."""
    table, told = _table(asked)
    return Followed(
        scene=table.game.scene(table.view, table.names).to_dict(),
        due=table.due,
        asked=table.asked,
        over=table.over,
        told=told,
        cards=table.card_taps(),
        words=table.word_taps(),
    )


def advice(asked: TableTapped, chances: bool) -> AdviceTold:
    """What the person should know; with chances to win, which under rules of one's own take a while the first time."""
    table, _ = _table(asked)
    said = None if table.over else table.advice(chances)
    return AdviceTold("", "") if said is None else AdviceTold(**{**vars(said), "facts": said.to_dict()})


def can_follow(spec: str) -> bool:
    """Whether a table of these rules can be followed."""
    try:
        companion_of(load(spec), TableSetup())
    except PitbossError:
        return False
    return True


def _table(asked: TableTapped) -> tuple[Companion, list[str]]:
    table = companion_of(load(asked.spec), TableSetup(asked.names, asked.totals, asked.me, asked.dealer))
    told: list[str] = []
    for tap in asked.taps:
        if len(tap) > 60:
            raise PitbossError("a tap is a card, a move or a player")
        told = [event.text(table.names) for event in table.enter(tap)]
    return table, told

"""A real table, followed: everything that was tapped so far goes in, the table and the advice come out.

Nothing is kept between two questions, so to undo is to leave out the last tap.
"""

from __future__ import annotations

from dataclasses import asdict

from pydantic import BaseModel, ConfigDict, Field

from pitboss.analysis.companion import companion_of
from pitboss.core.companion import Companion, TableSetup
from pitboss.core.errors import PitbossError
from pitboss.core.registry import load
from pitboss.core.types import Data

MOST_TAPS = 3000


class TableTapped(BaseModel):
    """A real table, from its beginning to now."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)
    spec: str = Field("flip7:official", max_length=600)
    names: list[str] = Field(min_length=1, max_length=40, description="Who plays, clockwise, you included.")
    me: int = Field(0, ge=0, le=39, description="Your place among them.")
    totals: list[int] = Field([], max_length=40, description="Everybody's points of finished rounds; 0 if left out.")
    dealer: int | None = Field(None, ge=0, le=39, description="The place of who deals first; the last if left out.")
    taps: list[str] = Field([], max_length=MOST_TAPS, description="Everything that happened, such as 12, s or @1.")


class CardKey(BaseModel):
    """A card that may be tapped."""

    entry: str
    face: Data
    left: int
    chance: float
    harm: str = Field(description="What it would do to who gets it, if that is bad.")


class WordKey(BaseModel):
    """Something else that may be tapped."""

    entry: str
    text: str
    about: str = Field(description="move, player or table.")


class Followed(BaseModel):
    """The table now."""

    scene: Data
    due: str = Field(description="What is to be tapped next.")
    asked: int = Field(description="The seat that takes a card or decides now; negative when the game is over.")
    over: bool
    told: list[str] = Field(description="What the last tap brought about.")
    cards: list[CardKey]
    words: list[WordKey]


class GoalTold(BaseModel):
    """What each choice is worth for one purpose."""

    name: str
    about: str = Field(description="What the values are: points, chance to win.")
    purpose: str = Field(description="Such as: for the most points.")
    values: list[float] = Field(description="Of each choice.")
    best: int = Field(description="Which of the choices.")
    percent: bool


class AdviceTold(BaseModel):
    """What can be said to you now."""

    headline: str = Field(description="What to do, in a few words; empty if there is nothing to say.")
    reason: str
    lines: list[str] = Field(description="What else there is to know.")
    risk: float | None = Field(description="That the next card harms you; null if no card can.")
    choices: list[str]
    goals: list[GoalTold]
    facts: Data = Field(description="All that was found out, in the game's own terms.")
    note: str = Field(default="", description="What was asked for and left out, and why; empty if nothing was.")


def followed(asked: TableTapped) -> Followed:
    """The table after all that was tapped."""
    table, told = _table(asked)
    return Followed(
        scene=table.game.scene(table.view, table.names).to_dict(),
        due=table.due,
        asked=table.asked,
        over=table.over,
        told=told,
        cards=[CardKey(**asdict(tap)) for tap in table.card_taps()],
        words=[WordKey(**asdict(tap)) for tap in table.word_taps()],
    )


def advice(asked: TableTapped, chances: bool) -> AdviceTold:
    """What the person should know; with chances to win, which under rules of one's own take a while the first time."""
    table, _ = _table(asked)
    said = None if table.over else table.advice(chances)
    if said is None:
        return AdviceTold(headline="", reason="", lines=[], risk=None, choices=[], goals=[], facts={})
    return AdviceTold(
        headline=said.headline,
        reason=said.reason,
        lines=list(said.lines),
        risk=said.risk,
        choices=list(said.choices),
        goals=[GoalTold(**asdict(goal)) for goal in said.goals],
        facts=said.to_dict(),
    )


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

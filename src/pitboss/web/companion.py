"""A real table, followed: everything that was tapped so far goes in, the table and the advice come out.

Nothing is kept between two questions, so to undo is to leave out the last tap.
"""

from __future__ import annotations

from dataclasses import asdict

from pydantic import BaseModel, ConfigDict, Field

from pitboss.core.errors import PitbossError
from pitboss.core.registry import load
from pitboss.core.types import Data
from pitboss.games.flip7 import advice as solver
from pitboss.games.flip7.companion import LiveTable
from pitboss.games.flip7.taps import card_taps, word_taps

MOST_TAPS = 3000
NEXT = "new"  # all stay


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


class Aim(BaseModel):
    """What hitting and staying are worth for one purpose."""

    name: str = Field(description="points, rounds (to the target; less is better) or win (a chance).")
    hit: float
    stay: float
    best: str


class Target(BaseModel):
    """What putting a card on somebody would mean."""

    seat: int
    name: str
    win: float


class Advice(BaseModel):
    """What can be said to you now."""

    in_round: bool
    my_turn: bool
    asked: bool = Field(description="Whether you must hit or stay now.")
    points: int
    cards: int = Field(description="In the deck.")
    busts: int = Field(description="Of these, those that would bust you.")
    risk: float
    win: float | None = Field(description="Your chance to win, by a model of the others; null if not known.")
    aims: list[Aim]
    targets: list[Target] = Field(description="The best first; empty if you need not choose one.")
    note: str = Field(default="", description="What was asked for and left out, and why; empty if nothing was.")


def followed(asked: TableTapped) -> Followed:
    """The table after all that was tapped."""
    table, told = _table(asked)
    return Followed(
        scene=table.game.scene(table.view, table.names).to_dict(),
        due=table.due,
        asked=table.asked,
        over=table.position.over,
        told=told,
        cards=[CardKey(**asdict(tap)) for tap in card_taps(table)],
        words=[WordKey(**asdict(tap)) for tap in word_taps(table) if tap.entry != NEXT or _can_end(asked)],
    )


def _can_end(asked: TableTapped) -> bool:
    """Whether all may stay now; somebody without cards may not."""
    try:
        _table(asked.model_copy(update={"taps": [*asked.taps, NEXT]}))
    except PitbossError:
        return False
    return True


def advice(asked: TableTapped, chances: bool) -> Advice:
    """What the person should know; with chances to win, which under rules of one's own take a while the first time."""
    table, _ = _table(asked)
    facts: Data = {}
    if not table.position.over:
        facts = table.advice() if chances else solver.advice(table.view, standings=False, outlook=False)
    aims: dict[str, Data] = {"points": facts, **{name: facts[name] for name in ("rounds", "win") if name in facts}}
    return Advice(
        in_round=facts.get("in_round", False),
        my_turn=facts.get("my_turn", False),
        asked=facts.get("my_turn", False) and facts.get("decision") == "hit_or_stay",
        points=facts.get("points", 0),
        cards=facts.get("cards", 0),
        busts=facts.get("busts", 0),
        risk=facts.get("risk", 0.0),
        win=facts["win"]["chance"] if "win" in facts else None,
        aims=[
            Aim(name=name, hit=found["hit"], stay=found["stay"], best=found["best"])
            for name, found in aims.items()
            if "hit" in found
        ],
        targets=[
            Target(seat=each["seat"], name=table.names[each["seat"]], win=each["win"])
            for each in facts.get("targets", ())
        ],
    )


def can_follow(spec: str) -> bool:
    """Whether there is advice for these rules."""
    game = load(spec)
    try:
        LiveTable(game)
    except PitbossError:
        return False
    return True


def _table(asked: TableTapped) -> tuple[LiveTable, list[str]]:
    table = LiveTable(load(asked.spec), asked.names, totals=asked.totals, me=asked.me, dealer=asked.dealer)
    told: list[str] = []
    for tap in asked.taps:
        if len(tap) > 60:
            raise PitbossError("a tap is a card, a move or a player")
        told = [event.text(table.names) for event in table.enter(tap)]
    return table, told

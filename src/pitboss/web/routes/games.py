"""Games, their rules and their bots."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.registry import bots_of, game_class, load
from pitboss.core.rules import Switch, show
from pitboss.core.types import Data
from pitboss.web.lobby import Offer, offers
from pitboss.web.room.room import in_thread
from pitboss.web.room.table import house_bot
from pitboss.web.routes.common import TheRoom, api

router = api("", "games")

Spec = Annotated[str, Query(max_length=600, description="A table's rules, such as flip7:official(target=100).")]


class Preset(BaseModel):
    """A named rule book."""

    spec: str
    name: str
    title: str = Field(description="Its name for people.")
    full_title: str = Field(description="The same with the game.")
    about: str


class GameInfo(BaseModel):
    """A game."""

    name: str
    title: str = Field(description="Its name for people.")
    about: str
    faces: list[Data] = Field(description="Some of its cards, as drawn.")
    presets: list[Preset]
    secrets: bool = Field(description="Whether seats may not see each other's cards.")


class BotInfo(BaseModel):
    """A bot that can be seated."""

    name: str = Field(description="How it is entered, with a number that does.")
    usage: str = Field(description="How it is written in general.")
    about: str


class SwitchInfo(BaseModel):
    """One switch of a rule book."""

    name: str
    about: str
    kind: str = Field(description="choice, number, fraction, yes or text.")
    value: str
    choices: list[str] = []
    least: int = 0
    most: int = 0
    needs: str = Field("", description="What would have to be set for this switch to matter; empty if it does.")


class RulesInfo(BaseModel):
    """The rules of one table."""

    spec: str = Field(description="The shortest way to write them.")
    title: str = Field(description="The game and these rules, for people.")
    words: list[str] = Field(description="The rules in plain words.")
    switches: list[SwitchInfo]
    least_seats: int
    most_seats: int
    bots: list[BotInfo]
    line_up: list[str] = Field(description="Bots worth playing against.")
    levels: dict[str, int] = Field(description="How strong some bots are for people, from 1 to 5.")
    secrets: bool


class OpeningInfo(BaseModel):
    """Whether all is ready."""

    compiling: str = Field(description="The game that is being compiled, once for this machine; empty if none is.")


@router.get("/opening")
async def opening(room: TheRoom) -> OpeningInfo:
    """What still has to be compiled before everybody can play. A table of that game is made as soon as it is."""
    return OpeningInfo(compiling=room.warmup.compiling)


@router.get("/games")
def all_games() -> list[GameInfo]:
    """All games that are installed, with their rule books; the usual one first."""
    return [_game(offer) for offer in offers()]


@router.get("/rules")
async def rules(spec: Spec) -> RulesInfo:
    """The rules of a table in plain words, every switch, and the bots that can sit there."""
    return await in_thread(lambda: _rules(load(spec)))


def _game(offer: Offer) -> GameInfo:
    kind = game_class(offer.name)
    presets = [
        Preset(
            spec=f"{offer.name}:{name}",
            name=name,
            title=game.rules.title,
            full_title=game.full_title,
            about=kind.preset_about.get(name, ""),
        )
        for name in kind.rules_class.presets
        for game in [kind.parse(name)]
    ]
    return GameInfo(
        name=offer.name, title=offer.title, about=offer.about, faces=list(offer.faces), presets=presets,
        secrets=offer.secrets,
    )  # fmt: skip


def _rules(game: Game) -> RulesInfo:
    seats, needless = game.rules.seats, game.rules.needless()
    return RulesInfo(
        spec=str(game),
        title=game.full_title,
        words=game.words(),
        switches=[
            _switch(name, switch, show(getattr(game.rules, name)), needless.get(name, ""))
            for name, switch in game.rules.switches().items()
        ],
        least_seats=seats[0],
        most_seats=seats[-1],
        bots=[
            BotInfo(name=example(entry.usage), usage=entry.usage, about=entry.about) for entry in bots_of(game).values()
        ],
        line_up=game.default_bots(),
        levels={name: level for name, level in game.levels.items() if _can_sit(name, game)},
        secrets=game.has_secrets,
    )


def _can_sit(name: str, game: Game) -> bool:
    """Whether a bot plays under these rules."""
    try:
        house_bot(name, game)
    except PitbossError:
        return False
    return True


def _switch(name: str, switch: Switch, value: str, needs: str) -> SwitchInfo:
    kind = (
        "choice" if switch.choices
        else "number" if switch.most
        else "fraction" if switch.scale
        else "text" if switch.reader
        else "yes"
    )  # fmt: skip
    return SwitchInfo(
        name=name, about=switch.about, kind=kind, value=value, choices=list(switch.choices), least=switch.least,
        most=switch.most, needs=needs,
    )  # fmt: skip


def example(usage: str) -> str:
    """A bot's usage with its number left to fill in.

    >>> example("stay-N"), example("ev")
    ('stay-', 'ev')
    """
    head, dash, tail = usage.rpartition("-")
    return f"{head}-" if dash and tail.isupper() and len(tail) == 1 else usage

"""What somebody may see of a table: this is all that ever leaves it.

`eye` is a seat, or None for a spectator. Spectators see everything at a table of bots, and at an open game;
where people hold secrets, only what is said aloud, until the game is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from pitboss.core.secrets import NOBODY
from pitboss.core.shortcuts import shortcuts
from pitboss.core.types import Data, GameView
from pitboss.render.steps import ALL, LogLine, Moment, chapter, frames
from pitboss.web.hints import in_words
from pitboss.web.room.company import Presence, Reaction, Why
from pitboss.web.room.people import Now
from pitboss.web.room.table import RoomTable, SeatKind, Ticket
from pitboss.web.room.you import YOU, to_you

PAGE_STEPS = 200  # that are told at once, at most
PAGE_CHARACTERS = 256 * 1024  # after which a page ends, too
KEPT_DRAWINGS = 64  # of a table: for the many who watch the same steps


class TableStep(BaseModel):
    """The table after one card or move; if that ended a round, first as the round ended, and then once more."""

    number: int
    chapter: str = Field(description="The round or turn that this belongs to.")
    scene: Data | None = Field(description="The table as it is drawn; null where it may not be seen.")
    events: list[LogLine] = Field(description="What happened: a line of the log, and whether it is a main one.")
    moments: list[Moment] = Field(description="What a page makes much of: bust, scored …, whose, and two details.")
    ends: bool = Field(description="Whether this is the end of a round, whose cards are cleared away after it.")


class Choice(BaseModel):
    """One legal move."""

    move: str = Field(description="As it is sent.")
    words: str | None = Field(
        None, description="In the words of the player who decides, if they differ: words to choose by."
    )
    text: str = Field(description="What it means here.")
    keys: list[str] = Field([], description="Keys that make it, the best first.")
    on: tuple[int, int | None] | None = Field(
        None, description="What can be clicked to make it: a seat, and which card of its last row; null: the seat."
    )


class Seat(BaseModel):
    """Who sits at the table."""

    name: str
    kind: SeatKind
    invitation: str | None = Field(None, description="For the host, until the guest has come.")
    presence: Presence = Field(description="Whether somebody is there.")


class House(BaseModel):
    """What the host has arranged for people."""

    clock: float = Field(description="Seconds for a decision; 0: as many as it takes.")
    stand_in: str | None = Field(description="The bot that plays for who has left; null: nobody does.")
    by: str = Field(description="Who decides when the clock has run out.")
    delay: float = Field(description="Seconds that those who watch are behind, where cards are secret.")


class StoodIn(BaseModel):
    """A decision that was made for a person."""

    step: int
    seat: int
    why: Why


class Reacted(BaseModel):
    """What somebody said without words, a moment ago."""

    number: int
    seat: int
    what: Reaction


class GameEnding(BaseModel):
    """How the game ended."""

    ended: str
    winners: list[int]
    scores: list[int]
    replay: str = Field(description="Where the whole game can be looked at.")


class TableView(BaseModel):
    """A table as one person sees it."""

    id: str
    game: str
    title: str = Field(description="The game and its rule book, for people.")
    names: list[str]
    seats: list[Seat]
    mine: list[int] = Field(description="The seats that you hold.")
    seat: int | None = Field(description="The seat that you look from; null if you only watch.")
    secrets: bool = Field(description="Whether seats may not see everything.")
    deals: tuple[str, str] = Field(description="What the dealer of this game deals: one, and many.")
    to_act: int = Field(description="The seat whose move it is; -1: the dealer's; -2: the game is over.")
    last: int = Field(description="The number of the newest step.")
    more: bool = Field(description="Whether there are more steps after these; ask again with the last one you got.")
    steps: list[TableStep] = Field(description="Those that you asked for, or had not seen: the first of them, if many.")
    question: str | None = Field(None, description="What you must decide.")
    choices: list[Choice] = []
    hints: bool
    host: bool
    pace: float = Field(description="Steps a second at a table of bots; 0: it waits.")
    ending: GameEnding | None = None
    seeded: bool = Field(description="Whether somebody chose the seed, and so may know what will be dealt.")
    house: House | None = Field(None, description="Of a table with people.")
    left: float | None = Field(None, description="Seconds for the open decision; null where there is no clock.")
    stood: list[StoodIn] = Field([], description="Decisions made for people in the steps that you had not seen.")
    said: list[Reacted] = Field([], description="Reactions of the last seconds, numbered.")
    next: dict[str, str] | None = Field(None, description="Where the same people play on: table, and your token.")


def page(table: RoomTable, now: Now, ticket: Ticket | None, eye: int | None, since: int) -> tuple[str, int]:
    """The table with the first page of the steps after number `since`, as the JSON of a `TableView`, and the number of
    the last step in it. Those who watch are some seconds behind where people hold secrets."""
    newest = len(table.moments) - 1
    last = newest if eye is not None else table.visible_to_watchers()
    names = table.names_for(ticket)
    steps, length, number = list[str](), 0, min(max(since, -1), last)
    while number < last and len(steps) < PAGE_STEPS and length < PAGE_CHARACTERS:
        number += 1
        steps.append(_step(table, eye, number, names))
        length += len(steps[-1])
    position = table.at(last)
    to_act = position.to_act
    mine = ticket.seats if ticket else ()
    asked = eye if table.game.has_secrets else (to_act if to_act in mine else None)
    view = position.view(to_act) if asked is not None and asked == to_act and to_act in table.people else None
    outcome = table.record.outcome
    host = ticket is not None and ticket.host
    ending = None
    if position.over:
        winners, scores, replay = list(outcome.winners), list(outcome.scores), f"/replay/{table.id}"
        ending = GameEnding(ended=outcome.ended, winners=winners, scores=scores, replay=replay)
    seen = TableView(
        id=table.id, game=str(table.game), title=table.game.full_title, names=names,
        seats=[
            Seat(
                name=name, kind=place.kind, presence=now.presence[i],
                invitation=table.invitation(ticket, i) if ticket and host else None,
            )
            for i, (name, place) in enumerate(zip(names, table.places, strict=True))
        ],
        mine=list(mine), seat=eye, secrets=table.game.has_secrets, deals=table.game.deals, to_act=to_act,
        last=last, more=number < last, steps=[],
        question=view.question if view else None, choices=choices(table, view, names) if view else [],
        hints=table.hints, host=host, pace=table.pace, ending=ending, seeded=table.seeded,
        house=_house(table) if table.people else None,
        left=now.left if last == newest else None,
        stood=[
            StoodIn(step=each.step, seat=each.seat, why=each.why) for each in table.stood if since < each.step <= last
        ],
        said=[Reacted(number=said.number, seat=said.seat, what=said.what) for said in now.said],
        next={"table": table.next, "token": ticket.token if ticket else ""} if table.next else None,
    ).model_dump_json(exclude={"steps"})  # fmt: skip
    return f'{seen[:-1]},"steps":[{",".join(steps)}]}}', number


def _house(table: RoomTable) -> House:
    house, name = table.house, table.stand_in.name
    delay = house.delay if table.game.has_secrets else 0.0
    return House(clock=house.clock, stand_in=name if house.stand_in else None, by=name, delay=delay)


def choices(table: RoomTable, view: GameView, names: Sequence[str]) -> list[Choice]:
    """The legal moves, in words."""
    game = table.game
    texts = [in_words(game, view, move, names) for move in view.legal]
    return [
        Choice(
            move=game.format_move(move),
            words=game.format_move_at(view, move) if game.texts_need_view else None,
            text=text,
            keys=keys,
            on=game.touches(view, move),
        )
        for move, text, keys in zip(view.legal, texts, shortcuts(game, view, texts), strict=True)
    ]


def _step(table: RoomTable, eye: int | None, number: int, names: list[str]) -> str:
    """The frames of a step as JSON, drawn once for all who see it alike; who looks far back has them drawn again.

    As text, because games have thousands of steps, and Python looks through all objects now and then.
    """
    key = (number, eye if table.game.has_secrets else None, _nothing_to_hide(table), YOU in names)
    step = table.drawn.get(key) or _draw(table, eye, number, names)
    if number >= len(table.moments) - KEPT_DRAWINGS:
        with table.drawing:
            table.drawn[key] = step
            while len(table.drawn) > KEPT_DRAWINGS * (1 + len(table.people)):
                del table.drawn[next(iter(table.drawn))]
    return step


def _draw(table: RoomTable, eye: int | None, number: int, names: list[str]) -> str:
    seen_by = (ALL if _nothing_to_hide(table) else NOBODY) if eye is None else eye
    drawn = frames(table.game, table.look_at(number), names, seen_by)
    if YOU in names:
        drawn = [frame._replace(events=[(to_you(text), major) for text, major in frame.events]) for frame in drawn]
    titles = [frame.scene["title"] if frame.scene else table.game.full_title for frame in drawn]
    return ",".join(
        TableStep(number=number, chapter=chapter(title), **frame._asdict()).model_dump_json()
        for title, frame in zip(titles, drawn, strict=True)
    )


def _nothing_to_hide(table: RoomTable) -> bool:
    """Whether whoever watches may see all cards: no person plays, or the game is over."""
    return not table.people or table.over


def eye_of(ticket: Ticket | None, table: RoomTable, seat: int | None) -> int | None:
    """The seat that a token looks from: the one it asks for, or the one that makes sense."""
    if ticket is None or not ticket.seats:
        return None
    if seat in ticket.seats:
        return seat
    return table.position.to_act if table.position.to_act in ticket.seats else ticket.seats[0]

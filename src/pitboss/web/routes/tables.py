"""Tables: make one, look at it, play at it."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Depends, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pitboss.core.keys import Key
from pitboss.web.errors import conflict, forbidden
from pitboss.web.hints import Hint, hint
from pitboss.web.requests import Asked
from pitboss.web.room.company import HouseRules
from pitboss.web.room.room import OpenTable
from pitboss.web.room.table import Place, SeatKind, TablePlan, Ticket
from pitboss.web.room.view import TableView, eye_of, page
from pitboss.web.routes.common import Brake, Chances, Client, TableId, TheRoom, Token, advised_hint, api

router = api("/tables", "tables")

FASTEST = 50.0  # steps a second
DELAY = 15.0  # seconds that those who watch are behind
SHORTEST = 5.0  # seconds for a decision, if there is a clock


class PlaceAsked(Asked):
    """Who will sit at a seat."""

    kind: SeatKind = Field(description="`here`: a person at this screen; `guest`: a person who comes by a link; `bot`.")
    name: str = Field("", max_length=60, description="A person's name, if they gave one, or a bot such as stay-25.")


class TableAsked(Asked):
    """A table to be made."""

    spec: str = Field("flip7:official", max_length=600)
    places: list[PlaceAsked] = Field(min_length=1, max_length=40)
    seed: str | None = Field(None, max_length=40, description="A number or a whole key; random if left out.")
    hints: bool = Field(True, description="Whether people may ask for hints.")
    pace: float = Field(2.0, ge=0, le=FASTEST, description="Steps a second, if only bots play.")
    clock: float = Field(0.0, ge=0, le=600, description="Seconds for a person's decision; 0: as many as it takes.")
    stand_in: bool = Field(True, description="Whether a bot plays for who has left others waiting, until they return.")
    delay: float = Field(
        DELAY, ge=0, le=600, description="Seconds that those who watch are behind, where people hold secrets."
    )


class TableMade(BaseModel):
    """A new table."""

    id: str
    token: str = Field(description="For the screen that made it: its seats, invitations, and the pace of bots.")


class MoveAsked(Asked):
    """A move."""

    seat: int = Field(ge=0, le=61)
    move: str = Field(max_length=100)
    step: int = Field(ge=0, description="The newest step that you know.")


class JoinAsked(Asked):
    """An invitation."""

    invitation: str = Field(max_length=100)
    name: str | None = Field(None, min_length=1, max_length=60, description="Your name; the host's word if left out.")


class Joined(BaseModel):
    """A seat."""

    token: str


class AgainAsked(Asked):
    """Another game."""

    same_deal: bool = Field(False, description="With the same cards.")


class PaceAsked(Asked):
    """How fast bots play."""

    pace: float = Field(ge=0, le=FASTEST, description="Steps a second; 0: wait.")


Since = Annotated[int, Query(ge=-1, description="The newest step that you know; -1: none.")]
OwnSeat = Annotated[int, Query(ge=0, le=61, description="A seat of yours.")]
SeatAsked = Annotated[int | None, Query(ge=0, le=61, description="Of several seats, the one to look from.")]


class Visit:
    """A table that somebody asks for, and what their token is good for: nothing, if they only watch."""

    def __init__(self, live: OpenTable, ticket: Ticket | None) -> None:
        self.live, self.table, self.ticket = live, live.table, ticket

    @property
    def held(self) -> Ticket:
        """The ticket of a player or the host."""
        if self.ticket is None:
            raise forbidden("you are watching this table; only its players can do that")
        return self.ticket

    def seated(self, seat: int) -> Ticket:
        """The ticket of the player at this seat."""
        if seat not in self.held.seats:
            raise forbidden("that seat is not yours")
        return self.held

    @property
    def hosted(self) -> Ticket:
        """The ticket of the host."""
        if not self.held.host:
            raise forbidden("only the person who made this table can do that")
        return self.held


async def _visit(id: TableId, room: TheRoom, client: Client, token: Token) -> Visit:
    live = await room.find(id, client)
    ticket = live.table.ticket(token)
    if token and ticket is None:
        raise forbidden("this link does not lead to a seat at this table; it may be incomplete")
    return Visit(live, ticket)


AtTable = Annotated[Visit, Depends(_visit)]


@router.post("", status_code=201, dependencies=[Brake])
async def create(asked: TableAsked, room: TheRoom, client: Client) -> TableMade:
    """Make a table. Guests' invitations are in what its maker sees."""
    key = Key.parse(asked.seed).in_full() if asked.seed else None
    places = tuple(Place(place.kind, place.name) for place in asked.places)
    house = HouseRules(max(asked.clock, SHORTEST) if asked.clock else 0.0, asked.stand_in, asked.delay)
    live, ticket = await room.create(client, TablePlan(asked.spec, places, key, asked.hints, asked.pace, house))
    return TableMade(id=live.table.id, token=ticket.token)


@router.get("/{id}", response_model=TableView)
async def see(at: AtTable, room: TheRoom, client: Client, since: Since = -1, seat: SeatAsked = None) -> Response:
    """A table as you may see it. Without a token you only watch."""
    return _answer((await room.look(at.live, client, at.ticket, eye_of(at.ticket, at.table, seat), since))[0])


@router.post("/{id}/moves", response_model=TableView)
async def move(at: AtTable, asked: MoveAsked, room: TheRoom) -> Response:
    """Make a move; the answer has the steps since the one that you knew."""
    ticket = at.seated(asked.seat)
    await room.act(at.live, asked.seat, asked.move, asked.step)
    return _look(at, ticket, asked.seat, asked.step)


@router.get("/{id}/hint")
async def ask(request: Request, at: AtTable, seat: OwnSeat, chances: Chances = False) -> Hint:
    """What the next card may be, and what each move is worth, as far as your seat can know.

    The first question about chances to win under rules that are not one of our books takes up to a minute. What would
    take longer is left out, and `note` says so.
    """
    table = at.table
    at.seated(seat)
    if not table.hints:
        raise conflict("this table plays without hints")
    if table.position.to_act != seat:
        raise conflict("there is nothing to decide for you now")
    position = table.at(len(table.moments) - 1)
    return await advised_hint(request, partial(hint, table.game, position, seat, table.names_for(at.ticket)), chances)


@router.post("/{id}/join")
async def join(id: TableId, asked: JoinAsked, room: TheRoom, client: Client) -> Joined:
    """Take the seat that you were invited to. The invitation is good for one."""
    live = await room.find(id, client)
    return Joined(token=(await room.join(live, asked.invitation, asked.name)).token)


@router.post("/{id}/again", response_model=TableView, dependencies=[Brake])
async def again(at: AtTable, asked: AgainAsked, room: TheRoom) -> Response:
    """Play another game with the same people and bots; `next` of the answer leads there, for everybody at the table."""
    ticket = at.held
    await room.again(at.live, asked.same_deal)
    return _look(at, ticket, eye_of(ticket, at.table, None), len(at.table.moments) - 1)


@router.put("/{id}/pace", response_model=TableView)
async def pace(at: AtTable, asked: PaceAsked, room: TheRoom) -> Response:
    """Set how fast bots play; only the host of their table can."""
    ticket = at.hosted
    room.set_pace(at.live, asked.pace)
    return _look(at, ticket, None, len(at.table.moments) - 1)


@router.post("/{id}/step", response_model=TableView)
async def step(at: AtTable, room: TheRoom) -> Response:
    """Play one card or move at a table of bots; only its host can."""
    ticket, last = at.hosted, len(at.table.moments) - 1
    await room.one_step(at.live)
    return _look(at, ticket, None, last)


def _look(at: Visit, ticket: Ticket, eye: int | None, since: int) -> Response:
    """What somebody sees who has just done something."""
    return _answer(page(at.table, at.live.people.now(), ticket, eye, since)[0])


def _answer(seen: str) -> Response:
    """As JSON; what we have made ourselves is not checked a second time."""
    return Response(seen, media_type="application/json")

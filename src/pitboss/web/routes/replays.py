"""Games that are over: those played here, and those of tournaments (`id/number`)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from pitboss.analysis import analysis_of
from pitboss.core.record import Record
from pitboss.core.types import Data
from pitboss.render import replay as shared
from pitboss.web.assets import render
from pitboss.web.errors import conflict
from pitboss.web.finished import find, get_played
from pitboss.web.hints import Blunder, Hint, hint
from pitboss.web.hints import blunders as found_in
from pitboss.web.room.room import in_thread
from pitboss.web.routes.common import Chances, Client, ReplayId, TheRoom, advised, advised_hint, api, pages
from pitboss.web.worker_pool import TooCostly

router = api("", "replays")
page_router = pages()

RECENT = 50
TOGETHER = 4  # decisions that are judged in one go, before others have their turn
MOST_JUDGED = 2000  # decisions of a game

PlayerAsked = Annotated[str, Query(max_length=60, description="Only games of a player with this name.")]
OffsetAsked = Annotated[
    int, Query(ge=0, le=1_000_000, description=f"How many games to leave out; {RECENT} come at once.")
]
StepAsked = Annotated[int, Query(ge=1, le=1_000_000, description="The step that the decision led to.")]


class Finished(BaseModel):
    """A game that is over."""

    id: str
    game: str
    title: str = Field(description="The game and its rule book, for people.")
    names: list[str]
    when: str
    winners: list[str]
    scores: list[tuple[str, int]] = Field(description="Who played, the best first, and what they scored.")


class ReplayDecision(Hint):
    """What could be known at one decision of a recorded game, and what was done."""

    step: int
    played: str
    lost: float = Field(description="What that gave away, compared with the best move.")


# --- pages ---


@page_router.get("/replays")
async def all_replays(request: Request, room: TheRoom, player: PlayerAsked = "", offset: OffsetAsked = 0) -> Response:
    """The games that ended last."""
    games = await recent(room, player.strip(), offset)
    return render(request, "replays.html", games=games, player=player.strip(), offset=offset, page=RECENT)


@page_router.get("/replay/{id:path}")
async def replay(request: Request, id: ReplayId, room: TheRoom, client: Client) -> Response:
    """A game to step through; `?move=17` shows it after so many cards and moves."""
    played = await get_played(request, room, client, id)
    record = played.record
    return render(
        request,
        "replay.html",
        id=id,
        heading=shared.heading(record),
        subheading=shared.subheading(record),
        main=shared.main(record, played.data["chapters"]),
        chances=analysis_of(record.game).knows_chances,
        next=await in_thread(lambda: room.keeper.next_after(id)),
    )


# --- interface ---


@router.get("/replays")
async def recent(room: TheRoom, player: PlayerAsked = "", offset: OffsetAsked = 0) -> list[Finished]:
    """The games that were played here and ended last, newest first."""
    found = await in_thread(lambda: room.keeper.recent(RECENT, offset, player))
    return [_finished(id, touched, record) for id, touched, record in found]


def _finished(id: str, touched: float, record: Record) -> Finished:
    labels, outcome = record.labels, record.outcome
    order = sorted(range(len(labels)), key=lambda i: (-outcome.shares[i], -outcome.scores[i]))
    return Finished(
        id=id,
        game=str(record.game),
        title=record.game.full_title,
        names=labels,
        when=datetime.fromtimestamp(touched, UTC).isoformat(timespec="seconds"),
        winners=[labels[i] for i in outcome.winners],
        scores=[(labels[i], outcome.scores[i]) for i in order],
    )


@router.get("/replays/{id:path}")
async def replay_data(request: Request, id: ReplayId, room: TheRoom, client: Client) -> Data:
    """All steps of a game: scenes and events for each way to look at it, every face and seat written down once."""
    played = await get_played(request, room, client, id)
    return JSONResponse(played.data)  # type: ignore[return-value]  # plain data already


@router.get("/records/{id:path}")
async def record(id: ReplayId, room: TheRoom) -> Data:
    """The record of a game, as `pitboss replay` reads it."""
    return (await in_thread(lambda: find(room, id))).to_dict()


@router.get("/decisions/{id:path}")
async def decision(
    request: Request, id: ReplayId, room: TheRoom, client: Client, step: StepAsked, chances: Chances = False
) -> ReplayDecision:
    """What whoever made this step could have known: odds, and what each move was worth."""
    played = await get_played(request, room, client, id)
    made = played.decision(step)
    record = played.record
    ask = partial(hint, record.game, made.before, made.before.to_act, record.labels)
    said = await advised_hint(request, ask, chances)
    tried = max((worth.rollouts for worth in said.worth), default=0)
    most = max((worth.value for worth in said.worth if worth.rollouts == tried), default=0.0)  # others were dropped
    text = record.game.format_move(made.move)
    lost = next((max(most - worth.value, 0.0) for worth in said.worth if worth.move == text), 0.0)
    return ReplayDecision(**said.model_dump(), step=step, played=text, lost=lost)


@router.get("/blunders/{id:path}")
async def blunders(
    request: Request, id: ReplayId, room: TheRoom, client: Client, chances: Chances = False
) -> list[Blunder]:
    """The decisions of a game that gave much away, where that can be said; of a very long game the first.

    With chances to win also those about targets, and without those that gave points away to win more often.
    """
    played = await get_played(request, room, client, id)
    record, made, out = played.record, played.decisions[:MOST_JUDGED], list[Blunder]()
    for first in range(0, len(made), TOGETHER):
        some = made[first : first + TOGETHER]
        ask = partial(found_in, record.game, some, record.labels, chances=chances)
        try:
            out += await advised(request, f"{'chances' if chances else 'blunders'} {record.game}", ask)
        except TooCostly as problem:
            raise conflict(
                f"what every move was worth under these rules takes {problem}"
                + ("; without chances to win it can be told" if chances else "")
            ) from problem
    return out

"""Tournaments: the list, the table while it is played, one bot, and files to take home."""

from __future__ import annotations

import re
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from fastapi import Path as InPath
from fastapi import Query, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response, StreamingResponse

from pitboss.core.errors import PitbossError
from pitboss.core.files import write_whole
from pitboss.core.temporary import temporary_folder
from pitboss.tournament.export import export
from pitboss.tournament.standings import standings
from pitboss.web.assets import render
from pitboss.web.errors import not_found
from pitboss.web.middleware import HEAD
from pitboss.web.room.room import in_thread
from pitboss.web.routes.common import Brake, Client, TheRoom, TheSettings, api, pages
from pitboss.web.tournaments.follow import Followers
from pitboss.web.tournaments.runs import Runs
from pitboss.web.tournaments.view import (
    GAMES,
    BotLook,
    ProfileLook,
    Summary,
    TournamentLook,
    bot_look,
    profile_look,
    summaries,
)

router = api("/tournaments", "tournaments")
page_router = pages()

Id = Annotated[
    str, InPath(max_length=40, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", description="A tournament, or `latest`.")
]
Number = Annotated[int, InPath(ge=0, le=100_000, description="A bot's number in the order of entry.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description=f"How many games to leave out; {GAMES} come at once.")]
BotNumber = Annotated[int | None, Query(ge=0, le=100_000, description="Only the games of this bot.")]


class ResultFile(StrEnum):
    """A file of a tournament."""

    TABLE_JSON = "standings.json"
    TABLE_CSV = "standings.csv"
    GAMES_CSV = "games.csv"
    RECORDS = "records.jsonl"


FileKind = Annotated[ResultFile, InPath(description="Which file.")]
EVENTS = "text/event-stream"
TYPES = {".json": "application/json", ".csv": "text/csv", ".jsonl": "application/jsonl"}


def runs_of(request: Request) -> Runs:
    """The tournaments that this server plays."""
    return request.app.state.runs  # type: ignore[no-any-return]


def _followers(request: Request) -> Followers:
    return request.app.state.followers  # type: ignore[no-any-return]


# --- pages ---


@page_router.get("/tournaments")
async def all_of_them(request: Request, room: TheRoom, settings: TheSettings) -> Response:
    """All tournaments of the store."""
    found = await list_(request, room)
    return render(request, "tournaments.html", tournaments=found, settings=settings)


@page_router.get("/tournaments/{id}")
async def page(request: Request, id: Id, room: TheRoom, settings: TheSettings) -> Response:
    """One tournament."""
    found = (await _followers(request).get(id)).id
    name = (await in_thread(room.keeper.names)).get(found, "")
    return render(
        request, "tournament.html", id=found, name=name, allow_runs=settings.allow_runs, files=list(ResultFile)
    )


@page_router.get("/tournaments/{id}/screen")
async def screen(request: Request, id: Id, room: TheRoom) -> Response:
    """One tournament as a show, for a beamer or a TV."""
    found = (await _followers(request).get(id)).id
    name = (await in_thread(room.keeper.names)).get(found, "")
    return render(request, "tournament-screen.html", id=found, name=name)


@page_router.get("/tournaments/{id}/bots/{number}")
async def bot_page(request: Request, id: Id, number: Number, room: TheRoom) -> Response:
    """One bot of a tournament."""
    found = (await _followers(request).get(id)).id
    name = (await in_thread(room.keeper.names)).get(found, "")
    return render(request, "bot.html", id=found, name=name, number=number)


# --- the interface ---


@router.get("")
async def list_(request: Request, room: TheRoom) -> list[Summary]:
    """All tournaments of the store, the newest first."""
    return await in_thread(lambda: summaries(room.keeper.store, runs_of(request).running(), room.keeper.names()))


@router.get("/{id}", response_model=TournamentLook)
async def see(request: Request, id: Id) -> Response:
    """The table of a tournament, as far as it has been played."""
    follower = await _followers(request).get(id)
    return Response(await follower.now(), media_type="application/json")


@router.get("/{id}/live", response_class=StreamingResponse, responses={200: {"content": {EVENTS: {}}}})
async def live(request: Request, id: Id) -> Response:
    """The table whenever it has changed, as server-sent events, and an event `end` when all is played.

    It does not matter who plays: what another program writes to the same store is told, too.
    """
    followers = _followers(request)
    follower = await followers.get(id)
    if request.scope.get(HEAD):
        return Response(media_type=EVENTS)  # there is no end to wait for
    return StreamingResponse(followers.changes(follower), media_type=EVENTS)


@router.get("/{id}/bots/{number}", response_model=BotLook)
async def bot(request: Request, id: Id, number: Number, room: TheRoom, offset: Offset = 0) -> Response:
    """One bot: its line of the table, its faults, and its games, the newest first."""
    found = (await _followers(request).get(id)).id
    look = await in_thread(lambda: bot_look(room.keeper.store, found, number, offset))
    return Response(look.model_dump_json(), media_type=TYPES[".json"])  # what is not known yet is null


@router.get("/{id}/bots/{number}/profile", dependencies=[Brake])
async def profile(request: Request, id: Id, number: Number, room: TheRoom, client: Client) -> ProfileLook:
    """Why a bot won or lost: beside the others, by seat and opponent, and the decisions that cost most."""
    found = (await _followers(request).get(id)).id
    async with room.reading.of(client):
        return await in_thread(lambda: profile_look(room.keeper.store, found, number))


@router.get(
    "/{id}/files/{kind}", response_class=FileResponse, dependencies=[Brake],
    responses={200: {"content": {type: {} for type in TYPES.values()}}},
)  # fmt: skip
async def file(
    request: Request, id: Id, kind: FileKind, room: TheRoom, client: Client, bot: BotNumber = None
) -> Response:
    """The table, the results of all games, or their records, which `pitboss replay` reads."""
    store, found = room.keeper.store, (await _followers(request).get(id)).id

    def write() -> tuple[Path, ExitStack]:
        names = [entry.name for entry in store.tournament(found).entries]
        if bot is not None and bot >= len(names):
            raise not_found(f"the tournament {found} has {len(names)} bots")
        with ExitStack() as stack:
            path = stack.enter_context(temporary_folder("download")) / kind
            if kind is ResultFile.TABLE_CSV:
                write_whole(path, standings(store, found).as_csv())
            else:
                export(store, found, path, None if bot is None else names[bot])
            return path, stack.pop_all()

    if kind is ResultFile.TABLE_JSON:
        text = await (await _followers(request).get(found)).now()
        return Response(text, media_type=TYPES[".json"], headers=_named(found, kind))
    try:
        async with room.reading.of(client):
            path, stack = await in_thread(write)
    except PitbossError as problem:
        raise not_found(str(problem)) from problem
    headers, done = _named(found, kind), BackgroundTask(stack.close)
    return FileResponse(path, media_type=TYPES[path.suffix], headers=headers, background=done)


def _named(id: str, kind: ResultFile) -> dict[str, str]:
    """What a browser is to call the file."""
    return {"Content-Disposition": f'attachment; filename="{re.sub(r"[^A-Za-z0-9._-]", "-", id)}-{kind}"'}

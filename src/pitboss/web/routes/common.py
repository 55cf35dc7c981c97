"""What several routers share: the settings, the room, the client, tokens, advice, and the limit on new things."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from starlette.requests import HTTPConnection

from pitboss.web.errors import RESPONSES, Refused
from pitboss.web.hints import Hint
from pitboss.web.rate_limits import client_of
from pitboss.web.room.room import Room, in_thread
from pitboss.web.settings import EVERYWHERE, ServerSettings, own_address
from pitboss.web.worker_pool import TooCostly, WorkerPool


def api(prefix: str, tag: str) -> APIRouter:
    """A router of the JSON interface: `/api/…`, and refusals as sentences."""
    return APIRouter(prefix=f"/api{prefix}", tags=[tag], responses=RESPONSES)


def pages() -> APIRouter:
    """A router of pages for people, which the description of the interface leaves out."""
    return APIRouter(include_in_schema=False)


# What requests depend on is async, although nothing in it waits: FastAPI runs plain functions in a thread, each request
# five of them, and when a hundred people arrive at once they would wait for one another there.


async def _settings(connection: HTTPConnection) -> ServerSettings:
    return connection.app.state.settings  # type: ignore[no-any-return]


async def _room(connection: HTTPConnection) -> Room:
    return connection.app.state.room  # type: ignore[no-any-return]


async def _client(connection: HTTPConnection) -> str:
    return client_of(connection)


async def _token(authorization: Annotated[str | None, Header(max_length=200)] = None) -> str | None:
    kind, _, token = (authorization or "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


async def _brake(connection: HTTPConnection) -> None:
    limiter: Any = connection.app.state.limiter
    limiter.verify(client_of(connection))


def way_in(request: Request) -> str | None:
    """The address for links that are sent to others: empty if it is the one that was asked, None if nobody else can
    reach this room."""
    settings: ServerSettings = request.app.state.settings
    if request.url.hostname not in HERE:
        return ""
    name = settings.names[0] if settings.names else own_address() if settings.host in EVERYWHERE else None
    return f"{request.url.scheme}://{name}:{request.url.port or 80}" if name else None


Said = TypeVar("Said")
HERE = ("localhost", "127.0.0.1", "::1")  # what a machine calls itself
GONE_SECONDS = 0.5  # between two looks whether who asked is still there


async def advised(request: Request, topic: str, question: Callable[[], Said]) -> Said:
    """What a process of the solver says, as long as somebody waits for it; `TooCostly` if that would take too long."""
    workers: WorkerPool = request.app.state.workers
    return await while_here(request, workers.ask(client_of(request), topic, question))


async def advised_hint(request: Request, ask: partial[Hint], chances: bool) -> Hint:
    """A hint, with chances to win if they are wanted and do not take too long. `ask` begins with the game."""
    quick = await in_thread(ask)
    if not chances or not quick.more:
        return quick
    try:
        return await advised(request, f"chances {ask.args[0]}", partial(ask, chances=True))
    except TooCostly as problem:
        note = f"chances to win under these rules take {problem}"
        return quick.model_copy(update={"more": False, "note": f"{note}, so this is without them"})


async def while_here(request: Request, work: Awaitable[Said]) -> Said:
    """The result of some work, which is cancelled if the client that asked for it disconnects."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=GONE_SECONDS)
            if not task.done() and await request.is_disconnected():
                raise Refused(HTTPStatus.REQUEST_TIMEOUT, "who asked has gone")  # for nobody to read
        return task.result()
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await task


TheSettings = Annotated[ServerSettings, Depends(_settings)]
TheRoom = Annotated[Room, Depends(_room)]
Token = Annotated[str | None, Depends(_token)]
Client = Annotated[str, Depends(_client)]
Chances = Annotated[bool, Query(description="Whether chances to win are wanted, too; own rules may take a minute.")]
Brake = Depends(_brake)  # in `dependencies` of whatever makes something new
TableId = Annotated[str, Path(max_length=40, pattern="^[a-z0-9]+$", description="A table's id.")]
ReplayId = Annotated[
    str, Path(max_length=60, pattern=r"^[\w-]+(/\d{1,9})?$", description="A game played here, or tournament/number.")
]

"""What several routers share: the settings, the room, tokens, advice, and the brake on making new things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from starlette.requests import HTTPConnection

from pitboss.web.errors import RESPONSES
from pitboss.web.room.room import Room, in_thread
from pitboss.web.settings import Settings


def api(prefix: str, tag: str) -> APIRouter:
    """A router of the JSON interface: `/api/…`, and refusals as sentences."""
    return APIRouter(prefix=f"/api{prefix}", tags=[tag], responses=RESPONSES)


def pages() -> APIRouter:
    """A router of pages for people, which the description of the interface leaves out."""
    return APIRouter(include_in_schema=False)


def _settings(connection: HTTPConnection) -> Settings:
    return connection.app.state.settings  # type: ignore[no-any-return]


def _room(connection: HTTPConnection) -> Room:
    return connection.app.state.room  # type: ignore[no-any-return]


def _token(authorization: Annotated[str | None, Header(max_length=200)] = None) -> str | None:
    kind, _, token = (authorization or "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def _brake(connection: HTTPConnection) -> None:
    limiter: Any = connection.app.state.limiter
    limiter.verify(connection.client.host if connection.client else "")


Said = TypeVar("Said")


async def advised(request: Request, ask: Callable[[], Said], *, chances: bool) -> Said:
    """What somebody has to say. Chances to win may take long: they are worked out once, and others wait for it."""
    if not chances:
        return await in_thread(ask)
    async with request.app.state.advising:
        return await in_thread(ask)


TheSettings = Annotated[Settings, Depends(_settings)]
TheRoom = Annotated[Room, Depends(_room)]
Token = Annotated[str | None, Depends(_token)]
Chances = Annotated[bool, Query(description="Whether chances to win are wanted, too; own rules may take a minute.")]
Brake = Depends(_brake)  # in `dependencies` of whatever makes something new
TableId = Annotated[str, Path(max_length=40, pattern="^[a-z0-9]+$", description="A table's id.")]

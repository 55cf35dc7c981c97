"""A table as it changes, over a WebSocket.

The first message of a browser says who it is: `{"token": …, "since": 12, "seat": 0}`; each answer is a `Look` with
the steps it has not seen. At a screen with several seats a later `{"seat": 1}` looks from another of them.
"""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.websockets import WebSocketDisconnect

from pitboss.web.errors import Refused
from pitboss.web.room.look import eye_of
from pitboss.web.room.room import Live, Looker
from pitboss.web.routes.common import TheRoom

router = APIRouter()

REFUSED = 4400  # codes of our own: do not come back …
UNKNOWN = 4404  # … and there is no such table
PATIENCE = 10.0  # seconds for the first message
MESSAGE = 2000  # characters at most


class Hello(BaseModel):
    """What a browser says: first all of it, later only another seat."""

    model_config = ConfigDict(extra="forbid")
    token: str | None = Field(None, max_length=100)
    since: int = Field(-1, ge=-1)
    seat: int | None = Field(None, ge=0, le=61)


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str, room: TheRoom) -> None:
    """Tell somebody whenever the table changes."""
    await socket.accept()
    try:
        hello = await asyncio.wait_for(_hear(socket), PATIENCE)
        table = await room.find(id)
        ticket = table.table.ticket(hello.token)
        if hello.token and ticket is None:
            raise ValueError("this is no seat of this table")
    except Refused as problem:
        await socket.close(UNKNOWN, str(problem)[:120])
        return
    except (ValueError, TimeoutError) as problem:  # pydantic's errors are ValueErrors
        reason = "not understood" if isinstance(problem, ValidationError) else str(problem)
        await socket.close(REFUSED, reason[:120])
        return
    except WebSocketDisconnect:
        return
    looker = Looker(ticket, eye_of(ticket, table.table, hello.seat), hello.since)
    looker.news.set()
    table.lookers.add(looker)
    listening = asyncio.create_task(_listen(socket, table, looker))
    try:
        while not listening.done():
            await looker.news.wait()
            looker.news.clear()
            if listening.done():
                break
            await socket.send_text(room.message(table, looker))
    except (WebSocketDisconnect, RuntimeError):
        pass  # gone: it will come back and say what it has seen
    finally:
        table.lookers.discard(looker)
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await listening


async def _hear(socket: WebSocket) -> Hello:
    text = await socket.receive_text()
    if len(text) > MESSAGE:
        raise ValueError("too long")
    return Hello.model_validate_json(text)


async def _listen(socket: WebSocket, table: Live, looker: Looker) -> None:
    """Hear which seat a shared screen looks from, until it goes."""
    try:
        while True:
            hello = await _hear(socket)
            looker.eye = eye_of(looker.ticket, table.table, hello.seat)
            looker.since = hello.since
            looker.news.set()
    except (WebSocketDisconnect, ValueError):
        looker.news.set()

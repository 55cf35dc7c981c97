"""A table as it changes, over a WebSocket.

The first message of a browser says who it is: `{"token": …, "since": 12, "seat": 0}`; each answer is a `TableView`
with the steps it has not seen, page by page if they are many. At a screen with several seats a later `{"seat": 1}`
looks from another of them; `{"away": true}` says that its page is hidden, and `{"react": "clap"}` is told to all. A
client that does not read what is sent, or sends more than a person would, is disconnected with a sentence.
"""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket
from pydantic import Field, ValidationError
from starlette.websockets import WebSocketDisconnect

from pitboss.core.errors import PitbossError
from pitboss.web.errors import Refused
from pitboss.web.rate_limits import Limiter
from pitboss.web.requests import Asked
from pitboss.web.room.company import Reaction
from pitboss.web.room.room import Looker, OpenTable, Room
from pitboss.web.room.view import eye_of
from pitboss.web.routes.common import Client, TheRoom, TheSettings

router = APIRouter()

REFUSED = 4400  # codes of our own: do not come back …
UNKNOWN = 4404  # … and there is no such table
TOO_MANY = 4429  # … and you ask too often
SLOW = 1013  # try again later
PATIENCE = 10.0  # seconds for the first message
READ_SECONDS = 20.0  # in which a message must have been read, or nearly
GOODBYE_SECONDS = 1.0
MESSAGE = 2000  # characters at most
CLOSING = 100  # characters of a reason


class Hello(Asked):
    """What a browser says: first who it is; later another seat, that its page is hidden, or a reaction."""

    token: str | None = Field(None, max_length=100)
    since: int = Field(-1, ge=-1)
    seat: int | None = Field(None, ge=0, le=61)
    away: bool | None = None
    react: Reaction | None = None


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str, room: TheRoom, client: Client, settings: TheSettings) -> None:
    """Tell somebody whenever the table changes."""
    await socket.accept()
    try:
        hello = await asyncio.wait_for(_hear(socket), PATIENCE)
        table = await room.find(id, client)
        ticket = table.table.ticket(hello.token)
        if hello.token and ticket is None:
            raise ValueError("this token holds no seat at this table")
    except Refused as problem:
        await socket.close(UNKNOWN, str(problem)[:CLOSING])
        return
    except (PitbossError, ValueError, TimeoutError) as problem:
        await socket.close(REFUSED, _reason(problem))
        return
    except WebSocketDisconnect:
        return
    looker = Looker(client, ticket, eye_of(ticket, table.table, hello.seat), hello.since, bool(hello.away))
    looker.news.set()
    room.come(table, looker)
    listening = asyncio.create_task(_listen(socket, room, table, looker, settings.messages_per_minute))
    try:
        while not listening.done():
            await looker.news.wait()
            looker.news.clear()
            if listening.done():
                break
            message = await room.message(table, looker)
            await asyncio.wait_for(socket.send_text(message), READ_SECONDS)
    except TimeoutError:
        await _close(socket, SLOW, "your connection is too slow to follow; reload the page")
    except (WebSocketDisconnect, RuntimeError):
        pass  # gone: it will come back and say what it has seen
    finally:
        room.go(table, looker)
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await listening


async def _hear(socket: WebSocket) -> Hello:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    text = message.get("text")
    if text is None:
        raise ValueError("send text, not bytes")
    if len(text) > MESSAGE:
        raise ValueError("too long")
    return Hello.model_validate_json(text)


async def _listen(socket: WebSocket, room: Room, table: OpenTable, looker: Looker, per_minute: int) -> None:
    """Hear which seat a shared screen looks from, and what people do besides playing, until they go."""
    limiter = Limiter(per_minute)
    try:
        while True:
            hello = await _hear(socket)
            if not limiter.allows(looker.client):
                await _close(socket, TOO_MANY, f"{per_minute} messages a minute are the limit; reload the page")
                break
            if hello.react is not None:
                room.react(table, looker, hello.react)
            elif hello.away is not None:
                room.step_aside(table, looker, hello.away)
            else:
                looker.eye = eye_of(looker.ticket, table.table, hello.seat)
                looker.since = hello.since
                looker.news.set()
    except WebSocketDisconnect:
        pass
    except ValueError as problem:
        await _close(socket, REFUSED, _reason(problem))
    looker.news.set()


def _reason(problem: Exception) -> str:
    """Why a socket is closed, as short as it must be; pydantic's errors, which are ValueErrors, tell too much."""
    return ("not understood" if isinstance(problem, ValidationError) else str(problem))[:CLOSING]


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    """Say good-bye to somebody who may not even read that."""
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        await asyncio.wait_for(socket.close(code, reason), GOODBYE_SECONDS)

"""The server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from pitboss import __version__
from pitboss.web.assets import serve_files
from pitboss.web.errors import handle_errors
from pitboss.web.guard import Guard, Limiter
from pitboss.web.room.room import Room
from pitboss.web.routes import games, home, live, replays, tables
from pitboss.web.settings import Settings

ABOUT = """The interface that the pages of the card room use.

Errors are JSON: `{"error": "a sentence"}`. A seat is held by who knows its token, and the token is sent as
`Authorization: Bearer …`. Nobody gets to see what their seat may not know.

A WebSocket at `/api/tables/{id}/live` tells of every change: its first message is `{"token": …, "since": -1}`, and
each answer is what `GET /api/tables/{id}` would say, with the steps not seen yet.
"""


def create_app(settings: Settings | None = None) -> FastAPI:
    """A server with these settings.

    What all requests share is in `app.state`: `settings`, the `room` with its running games, and the `limiter` of
    whatever makes something new.
    """
    settings = settings or Settings()
    room = Room(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with room:
            yield

    # The usual pages of documentation load scripts from elsewhere; `/api` is ours.
    app = FastAPI(
        title="pitboss", version=__version__, description=ABOUT, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.settings, app.state.room = settings, room
    app.state.limiter = Limiter(settings.creations_per_minute)
    routers = (home.router, games.router, tables.router, live.router, replays.page_router, replays.router)
    for router in routers:
        app.include_router(router)
    serve_files(app)
    handle_errors(app)
    app.add_middleware(Guard, settings=settings)
    return app

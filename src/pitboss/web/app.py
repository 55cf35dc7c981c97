"""The server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from pitboss import __version__
from pitboss.web.assets import serve_files
from pitboss.web.errors import handle_errors
from pitboss.web.finished import Shelf
from pitboss.web.middleware import Guard
from pitboss.web.rate_limits import Limiter
from pitboss.web.room.room import Room
from pitboss.web.routes import bots, codes, companion, games, home, live, replays, runs, stories, tables, tournaments
from pitboss.web.settings import ServerSettings
from pitboss.web.submissions import Submissions
from pitboss.web.tournaments.follow import Followers
from pitboss.web.tournaments.runs import Runs
from pitboss.web.warmup import Warmup
from pitboss.web.worker_pool import WorkerPool

ABOUT = """The interface that the pages of the card room use.

Errors are JSON: `{"error": "a sentence"}`. Whoever knows the token of a seat holds it, and sends it as
`Authorization: Bearer …`. Nobody gets to see what their seat may not know.

A WebSocket at `/api/tables/{id}/live` tells of every change: its first message is `{"token": …, "since": -1}`, and
each answer is what `GET /api/tables/{id}` would say, with the steps not seen yet: 200 at most, and while `more` is true
the next ones follow.
"""


def create_app(settings: ServerSettings | None = None) -> FastAPI:
    """A server with these settings.

    What all requests share is in `app.state`: `settings`, the `room` with its running games, the `workers` that answer
    what may take long, the `warmup` that knows which games are compiled, the `limiter` of whatever makes something new,
    the tournaments that this server plays (`runs`) and those that somebody looks at (`followers`), and the bots that
    were submitted (`submissions`), and the finished games that were looked at last (`shelf`).
    """
    settings = settings or ServerSettings()
    workers = WorkerPool(settings)
    warmup = Warmup()
    room = Room(settings, workers, warmup)
    playing = Runs(settings, room.keeper, room.speed)
    submissions = Submissions(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with room:
            if settings.allow_uploads:
                await submissions.go_on()
            yield
            await submissions.close()
            await playing.close()
            await workers.close()

    # The usual pages of documentation load scripts from elsewhere; `/api` is ours.
    app = FastAPI(
        title="pitboss", version=__version__, description=ABOUT, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.settings, app.state.room = settings, room
    app.state.limiter = Limiter(settings.creations_per_minute)
    app.state.upload_limiter = Limiter(settings.uploads_per_minute)
    app.state.code_limiter = Limiter(settings.wrong_codes_per_minute)
    app.state.runs, app.state.submissions = playing, submissions
    app.state.shelf = Shelf(room)
    app.state.workers, app.state.warmup = workers, warmup
    app.state.followers = Followers(room.keeper.store, lambda id: id in playing.running())
    for module in (home, games, tables, codes, live, replays, stories, tournaments, runs, bots, companion):
        app.include_router(module.router)
    for module in (codes, replays, stories, tournaments, runs, bots, companion):
        app.include_router(module.page_router)
    serve_files(app)
    handle_errors(app)
    app.add_middleware(Guard, settings=settings)
    return app

"""The pages of the room: they hold no data, their modules ask for it."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from pitboss.web.assets import render
from pitboss.web.lobby import offers
from pitboss.web.room.room import in_thread
from pitboss.web.routes.common import TableId, TheRoom, TheSettings, pages, way_in
from pitboss.web.tournaments.view import summaries

router = pages()
SHOWN = 4  # tournaments, and tables of bots, on the front page


@router.get("/")
async def home(request: Request, room: TheRoom, settings: TheSettings) -> Response:
    """The door."""
    running = request.app.state.runs.running()
    called = await in_thread(room.keeper.names)
    newest = await in_thread(lambda: summaries(room.keeper.store, running, called, SHOWN))
    return render(
        request, "home.html", offers=await in_thread(offers), tournaments=newest, tables=room.running()[:SHOWN],
        settings=settings,
    )  # fmt: skip


@router.get("/play")
async def play(request: Request) -> Response:
    """Choose a game and who plays."""
    return render(request, "setup.html", people=True)


@router.get("/watch")
async def watch(request: Request) -> Response:
    """Choose a game and which bots play."""
    return render(request, "setup.html", people=False)


@router.get("/table/{id}")
async def table(request: Request, id: TableId) -> Response:
    """A table to watch. A seat comes behind the # of the address, which no server ever sees; the page then keeps it."""
    return render(request, "table.html", id=id, origin=way_in(request))


@router.get("/table/{id}/screen")
async def screen(request: Request, id: TableId) -> Response:
    """A table for a beamer or a TV: only to be watched."""
    return render(request, "table-screen.html", id=id)


@router.get("/profile")
async def profile(request: Request) -> Response:
    """The games that ended on this device, which alone knows them."""
    return render(request, "profile.html")


@router.get("/api")
async def interface(request: Request) -> Response:
    """The JSON interface, to read."""
    return render(request, "api.html", schema=request.app.openapi())

"""The pages of the room: they hold no data, their modules ask for it."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from pitboss.web.assets import render
from pitboss.web.routes.common import TableId, TheRoom, TheSettings, pages
from pitboss.web.settings import EVERYWHERE, ServerSettings, own_address

router = pages()
HERE = ("localhost", "127.0.0.1", "::1")  # what a machine calls itself


@router.get("/")
async def home(request: Request, room: TheRoom) -> Response:
    """The door."""
    return render(request, "home.html", tables=room.running()[:12])


@router.get("/play")
async def play(request: Request) -> Response:
    """Choose a game and who plays."""
    return render(request, "setup.html", people=True)


@router.get("/watch")
async def watch(request: Request) -> Response:
    """Choose a game and which bots play."""
    return render(request, "setup.html", people=False)


@router.get("/table/{id}")
async def table(request: Request, id: TableId, settings: TheSettings) -> Response:
    """A table to watch. A seat comes behind the # of the address, which no server ever sees; the page then keeps it."""
    return render(request, "table.html", id=id, origin=_origin(request, settings))


def _origin(request: Request, settings: ServerSettings) -> str | None:
    """The address for links that are sent to others: empty if it is the one that was asked, None if nobody else can
    reach this room."""
    if request.url.hostname not in HERE:
        return ""
    name = settings.names[0] if settings.names else own_address() if settings.host in EVERYWHERE else None
    return f"{request.url.scheme}://{name}:{request.url.port or 80}" if name else None


@router.get("/api")
async def interface(request: Request) -> Response:
    """The JSON interface, to read."""
    return render(request, "api.html", schema=request.app.openapi())

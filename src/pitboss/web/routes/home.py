"""The pages of the room: they hold no data, their modules ask for it."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from pitboss.web.assets import render
from pitboss.web.routes.common import TableId, TheRoom, pages

router = pages()


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
async def table(request: Request, id: TableId) -> Response:
    """A table. Whose seat it is stands behind the # of the address, which no server ever sees."""
    return render(request, "table.html", id=id)


@router.get("/api")
async def interface(request: Request) -> Response:
    """The JSON interface, to read."""
    return render(request, "api.html", schema=request.app.openapi())

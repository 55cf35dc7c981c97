"""Guests who come by a code: typed, or seen by a phone's camera."""

from __future__ import annotations

import io
from typing import Annotated

import segno
from fastapi import Path, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pitboss.web.assets import render
from pitboss.web.errors import Refused, conflict
from pitboss.web.requests import Asked
from pitboss.web.routes.common import Client, TheRoom, api, pages, way_in
from pitboss.web.routes.tables import AtTable

router = api("", "tables")
page_router = pages()

Code = Annotated[str, Path(max_length=20, description="Six letters; small ones, spaces and dashes do no harm.")]


class NameAsked(Asked):
    """Who comes."""

    name: str | None = Field(None, min_length=1, max_length=60, description="Your name; the host's word if left out.")


class Welcome(BaseModel):
    """Where a code leads."""

    table: str
    token: str | None = Field(description="Of your seat; null if all are taken: you can watch.")


class CodeLook(BaseModel):
    """A table's code, and the address that it stands for."""

    code: str
    address: str
    reachable: bool = Field(description="Whether other machines can open the address.")
    picture: str = Field(description="The address as a QR code: an SVG.")


@page_router.get("/join")
async def join_page(request: Request) -> Response:
    """Where a code is typed; behind the # of the address it is typed already."""
    return render(request, "join.html")


@router.post("/codes/{code}/join")
async def join(request: Request, code: Code, asked: NameAsked, room: TheRoom, client: Client) -> Welcome:
    """Sit down at the table with this code. Wrong codes are counted, and too many in a minute are refused."""
    limiter = request.app.state.code_limiter
    limiter.verify_left(client)
    try:
        live, ticket = await room.join_by_code(code, asked.name, client)
    except Refused:
        limiter.verify(client)
        raise
    return Welcome(table=live.table.id, token=ticket.token if ticket else None)


@router.get("/tables/{id}/code")
async def look(request: Request, at: AtTable) -> CodeLook:
    """How guests find this table; for those who sit there."""
    at.held  # noqa: B018 - or it is refused
    if not at.table.code:
        raise conflict("no guests are expected at this table")
    here = way_in(request)
    address = f"{here or str(request.base_url).rstrip('/')}/join#{at.table.code}"
    out = io.BytesIO()
    segno.make(address, micro=False).save(out, kind="svg", scale=8, border=4, xmldecl=False, light="#fff", dark="#000")
    return CodeLook(code=at.table.code, address=address, reachable=here is not None, picture=out.getvalue().decode())

"""The companion for a real table."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from pitboss.web.assets import render
from pitboss.web.companion import Advice, Followed, TableTapped, advised, can_follow, followed
from pitboss.web.room.room import in_thread
from pitboss.web.routes.common import api, pages
from pitboss.web.routes.games import Preset, all_games

router = api("/companion", "companion")
page_router = pages()

Chances = Annotated[bool, Query(description="Whether rounds to the end and chances to win are wanted, too.")]


@page_router.get("/companion")
async def page(request: Request) -> Response:
    """Tap the cards that fall at a real table. All that was tapped stands behind the # of the address."""
    return render(request, "companion.html")


@router.get("")
async def games() -> list[Preset]:
    """The rules for which there is advice."""
    return await in_thread(
        lambda: [preset for game in all_games() for preset in game.presets if can_follow(preset.spec)]
    )


@router.post("")
async def follow(asked: TableTapped) -> Followed:
    """The table after all that was tapped, and what can be tapped next. Nothing is kept."""
    return await in_thread(lambda: followed(asked))


@router.post("/advice")
async def advise(request: Request, asked: TableTapped, chances: Chances = True) -> Advice:
    """What to do. The first question about chances under some rules takes a while, a minute on a slow machine."""
    if not chances:
        return await in_thread(lambda: advised(asked, chances))
    async with request.app.state.advising:  # so that what takes long is worked out once, and others wait for it
        return await in_thread(lambda: advised(asked, chances))

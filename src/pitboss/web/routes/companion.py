"""The companion for a real table."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from pitboss.web.assets import render
from pitboss.web.companion import Advice, Followed, TableTapped, advice, can_follow, followed
from pitboss.web.room.room import in_thread
from pitboss.web.routes.common import Chances, advised, api, pages
from pitboss.web.routes.games import Preset, all_games

router = api("/companion", "companion")
page_router = pages()


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
    """What to do: by points; and with chances also by rounds to the end and chances to win."""
    return await advised(request, lambda: advice(asked, chances), chances=chances)

"""The companion for a real table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from fastapi import Request
from starlette.responses import Response

from pitboss.core.registry import load
from pitboss.web.assets import render
from pitboss.web.companion import AdviceTold, Followed, TableTapped, advice, can_follow, followed
from pitboss.web.errors import conflict
from pitboss.web.room.room import in_thread
from pitboss.web.routes.common import Chances, Client, TheRoom, advised, api, pages
from pitboss.web.routes.games import Preset, all_games
from pitboss.web.worker_pool import TooCostly

router = api("/companion", "companion")
page_router = pages()


@page_router.get("/companion")
async def page(request: Request) -> Response:
    """Tap the cards that fall at a real table. All that was tapped stands behind the # of the address."""
    return render(request, "companion.html")


@router.get("")
async def games() -> list[Preset]:
    """The rules of which a real table can be followed."""
    return await in_thread(
        lambda: [preset for game in all_games() for preset in game.presets if can_follow(preset.spec)]
    )


@router.post("")
async def follow(asked: TableTapped, room: TheRoom, client: Client) -> Followed:
    """The table after all that was tapped, and what can be tapped next. Nothing is kept."""
    async with room.reading.of(client):
        return await in_thread(lambda: followed(asked))


@router.post("/advice")
async def advise(request: Request, asked: TableTapped, chances: Chances = True) -> AdviceTold:
    """What to do: by points; and with chances also by rounds to the end and chances to win, if these do not take too
    long; else `note` says so."""
    if chances:
        try:
            return await advised(request, f"advice {load(asked.spec)}", partial(advice, asked, True))
        except TooCostly as problem:
            note = f"rounds to the end and chances to win take {problem} under these rules, so this is by points alone"
            return replace(await _by_points(request, asked), note=note)
    return await _by_points(request, asked)


async def _by_points(request: Request, asked: TableTapped) -> AdviceTold:
    try:
        return await advised(request, f"points {load(asked.spec)}", partial(advice, asked, False))
    except TooCostly as problem:
        raise conflict(f"advice under these rules takes {problem}") from problem

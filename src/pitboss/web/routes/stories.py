"""The story of a game that is over, told in parts, and its page."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pitboss.render import replay as shared
from pitboss.web.assets import render
from pitboss.web.errors import conflict
from pitboss.web.finished import get_played
from pitboss.web.routes.common import Client, ReplayId, TheRoom, advised, api, pages, way_in
from pitboss.web.stories import StoryPoint, steps_of, story_step, tell
from pitboss.web.worker_pool import TooCostly

router = api("", "replays")
page_router = pages()

AT_ONCE = 6  # steps that are worked out before somebody else has a turn
SECONDS = 0.7  # after which an answer brings what there is

FromPoint = Annotated[int, Query(ge=0, le=10_000, description="How many points you have already.")]


class StoryPart(BaseModel):
    """Some of a story, in the order of the game; ask again with `have` until `done` is `all`."""

    names: list[str]
    chapters: list[tuple[str, int]] = Field(description="Rounds or turns: what each is called, and its first step.")
    winners: list[int]
    scores: list[int]
    points: list[StoryPoint]
    done: int = Field(description="Points that are told, with these.")
    all: int


@page_router.get("/story/{id:path}")
async def page(request: Request, id: ReplayId, room: TheRoom, client: Client) -> Response:
    """Who won and how."""
    record = (await get_played(request, room, client, id)).record
    return render(
        request,
        "story.html",
        id=id,
        heading=shared.heading(record),
        game=record.game.full_title,
        origin=way_in(request),
    )


@router.get("/stories/{id:path}")
async def part(request: Request, id: ReplayId, room: TheRoom, client: Client, have: FromPoint = 0) -> StoryPart:
    """The next part of a story: everybody's chances to win after each step, and what decisions cost.

    All of it is estimated. It is worked out while somebody asks, and kept for others.
    """
    played = await get_played(request, room, client, id)
    record, wanted = played.record, steps_of(played)
    until = time.monotonic() + SECONDS
    end = have
    while end < len(wanted) and (end == have or time.monotonic() < until):
        some = wanted[end : end + AT_ONCE]
        missing = [story_step(played, step) for step in some if step not in played.told]
        if missing:
            ask = partial(tell, record.game, missing, record.labels)
            try:
                found = await advised(request, f"story {record.game}", ask)
            except TooCostly as problem:
                raise conflict(f"the story of a game under these rules takes {problem}") from problem
            played.told.update((point.step, point) for point in found)
        end += len(some)
    return StoryPart(
        names=record.labels,
        chapters=[(chapter["name"], chapter["step"]) for chapter in played.data["chapters"]],
        winners=list(record.outcome.winners),
        scores=list(record.outcome.scores),
        points=[played.told[step] for step in wanted[have:end]],
        done=end,
        all=len(wanted),
    )

"""Tournaments started from a page, on servers that allow it."""

from __future__ import annotations

from pathlib import Path

from fastapi import Depends, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pitboss.core.errors import PitbossError
from pitboss.core.registry import load
from pitboss.web.assets import render
from pitboss.web.errors import forbidden, not_found
from pitboss.web.room.room import in_thread
from pitboss.web.routes.bots import Sent, verify_token
from pitboss.web.routes.common import Brake, Client, TheSettings, Token, api, pages
from pitboss.web.routes.tournaments import Id, runs_of
from pitboss.web.submissions import SubmissionState
from pitboss.web.tournaments.runs import TournamentAsked

router = api("/tournaments", "tournaments")
page_router = pages()


class TournamentMade(BaseModel):
    """A tournament that has begun."""

    id: str
    token: str = Field(description="Whoever has it may stop and resume the tournament.")


class RunLook(BaseModel):
    """Whether a tournament is being played by this server."""

    id: str
    running: bool
    mine: bool = Field(description="Whether the token that came with the question is good for stopping and resuming.")
    complaint: str = Field(description="Why it ended early; empty if it did not.")


def _allowed(settings: TheSettings) -> None:
    if not settings.allow_runs:
        raise forbidden("no tournaments can be started here; pitboss serve --allow-runs would allow it")


Allowed = Depends(_allowed)


@page_router.get("/new-tournament")
async def new(request: Request, settings: TheSettings) -> Response:
    """Choose a game and bots."""
    _allowed(settings)
    return render(request, "new-tournament.html", uploads=settings.allow_uploads)


@router.post("", status_code=201, dependencies=[Allowed, Brake])
async def start(
    request: Request, asked: TournamentAsked, sent: Sent, settings: TheSettings, client: Client, token: Token
) -> TournamentMade:
    """Start a tournament. Submitted bots play only if they passed their check, and in a sandbox."""
    files: list[Path] = []
    if asked.sent:
        if asked.seed:
            raise PitbossError(
                "you cannot choose the seed of a tournament with submitted bots: their authors would know the cards"
            )
        verify_token(request, settings, token)
        await sent.verify_isolated()
        game = load(asked.spec).name
        for id in asked.sent:
            kept = await in_thread(lambda id=id: sent.find(id))  # type: ignore[misc]
            if kept.state is not SubmissionState.FINE:
                raise PitbossError(f"{kept.name} has not passed its check")
            if load(kept.game).name != game:
                raise PitbossError(f"{kept.name} plays {kept.game}, and cannot play {asked.spec}")
            files.append(sent.path(kept))
    id, own = await runs_of(request).start(client, asked, files)
    return TournamentMade(id=id, token=own)


@router.get("/{id}/run")
async def see(request: Request, id: Id, token: Token) -> RunLook:
    """Whether this server plays a tournament now."""
    runs = runs_of(request)
    mine = await in_thread(lambda: runs.may_control(id, token))
    return RunLook(id=id, running=id in runs.running(), mine=mine, complaint=runs.complaint(id))


@router.post("/{id}/resume", dependencies=[Allowed, Brake])
async def resume(request: Request, id: Id, token: Token) -> RunLook:
    """Continue a tournament that was stopped, here or elsewhere; for the person who started it, and for the host."""
    runs = runs_of(request)
    try:
        found = (await in_thread(lambda: runs.store.tournament(id))).id
    except PitbossError as problem:
        raise not_found(str(problem)) from problem
    await runs.resume(found, token)
    return await see(request, found, token)


@router.post("/{id}/stop", dependencies=[Allowed, Brake])
async def stop(request: Request, id: Id, token: Token) -> RunLook:
    """Stop a tournament; what has been played is kept. For the person who started it, and for the host."""
    await runs_of(request).stop(id, token)
    return await see(request, id, token)

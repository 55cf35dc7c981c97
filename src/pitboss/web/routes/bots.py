"""Bots that people submit: off, unless the server was started with --allow-uploads, and then behind a token."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import Depends, Path, Request
from pydantic import Field
from starlette.responses import Response

from pitboss.web.assets import render
from pitboss.web.errors import forbidden
from pitboss.web.rate_limits import Limiter, client_of
from pitboss.web.requests import Asked
from pitboss.web.room.room import in_thread
from pitboss.web.routes.common import TheSettings, Token, api, pages
from pitboss.web.settings import ServerSettings
from pitboss.web.submissions import NAME, SOURCE_BYTES, Submission, Submissions

router = api("/bots", "bots")
page_router = pages()


class BotAsked(Asked):
    """A bot to be checked."""

    name: str = Field("bot", pattern=f"^{NAME}$", description="What to call its file, without .py.")
    spec: str = Field("flip7:tournament", max_length=600, description="The rules that it is checked with.")
    source: str = Field(max_length=4 * SOURCE_BYTES, description="The Python file.")


def _sent(request: Request) -> Submissions:
    return request.app.state.submissions  # type: ignore[no-any-return]


def _open(settings: TheSettings) -> None:
    if not settings.allow_uploads or not settings.upload_token:
        raise forbidden("this server does not accept bots; start it with pitboss serve --allow-uploads to change that")


def verify_token(request: Request, settings: ServerSettings, token: str | None) -> None:
    """Refuse clients that do not know the token, and slow down guessing."""
    _open(settings)
    if not secrets.compare_digest(settings.upload_token.encode(), (token or "").encode(errors="replace")):
        limiter: Limiter = request.app.state.upload_limiter
        limiter.verify(f"wrong {client_of(request)}")
        raise forbidden("that is not the token; the host of this room has it")


def _verified(request: Request, settings: TheSettings, token: Token) -> None:
    verify_token(request, settings, token)


def _slowly(request: Request) -> None:
    request.app.state.upload_limiter.verify(client_of(request))


Sent = Annotated[Submissions, Depends(_sent)]
Open, Verified = Depends(_open), Depends(_verified)
SentId = Annotated[str, Path(max_length=40, pattern="^[a-z0-9]+$", description="A submitted bot.")]


@page_router.get("/submit", dependencies=[Open])
async def page(request: Request, settings: TheSettings) -> Response:
    """Submit a bot, and see those that were submitted."""
    return render(request, "submit.html", allow_runs=settings.allow_runs, kilobytes=SOURCE_BYTES // 1024)


@page_router.get("/submit/{id}", dependencies=[Open])
async def checkup(request: Request, id: SentId, settings: TheSettings) -> Response:
    """What the check of a bot found."""
    return render(request, "checkup.html", id=id, allow_runs=settings.allow_runs)


@router.get("", dependencies=[Verified])
async def all_of_them(sent: Sent) -> list[Submission]:
    """All submitted bots, the newest first."""
    return await in_thread(sent.all)


@router.post("", status_code=202, dependencies=[Verified, Depends(_slowly)])
async def submit(asked: BotAsked, sent: Sent) -> Submission:
    """Submit a bot. It is checked soon; ask for it again."""
    return await sent.submit(asked.name, asked.spec, asked.source)


@router.get("/{id}", dependencies=[Verified])
async def see(id: SentId, sent: Sent) -> Submission:
    """A submitted bot, and what its check found."""
    return await in_thread(lambda: sent.find(id))

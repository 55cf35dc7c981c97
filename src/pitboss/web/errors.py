"""How a request is refused: a sentence, as JSON for programs and as a page for people."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from pitboss.core.errors import PitbossError
from pitboss.core.types import Data
from pitboss.web.assets import render

API = "/api/"
WRONG = 422  # what was sent cannot be used


class RefusalReason(BaseModel):
    """Why a request was refused."""

    error: str = Field(description="One sentence that says what was wrong, and what would do.")


# For every router: what any of its answers may be besides the one it promises.
RESPONSES: dict[int | str, Data] = {"4XX": {"model": RefusalReason, "description": "Refused, with the reason."}}


class Refused(PitbossError):
    """A request that cannot be served, with its HTTP status."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def not_found(sentence: str) -> Refused:
    """There is no such thing."""
    return Refused(HTTPStatus.NOT_FOUND, sentence)


def forbidden(sentence: str) -> Refused:
    """It is there, but not for whoever asks."""
    return Refused(HTTPStatus.FORBIDDEN, sentence)


def conflict(sentence: str) -> Refused:
    """It was possible, but not any more, or not yet."""
    return Refused(HTTPStatus.CONFLICT, sentence)


def answer(request: Request, status: int, sentence: str) -> Response:
    """The refusal as JSON for programs, or as a page for people."""
    if request.url.path.startswith(API):
        return JSONResponse({"error": sentence}, status)
    return render(request, "error.html", status=status, sentence=sentence)


def handle_errors(app: FastAPI) -> None:
    """Let the app answer every error with a sentence."""

    @app.exception_handler(PitbossError)
    async def pitboss_error(request: Request, problem: PitbossError) -> Response:
        store = request.app.state.room.keeper.store.name
        sentence = _discreet(str(problem), store)
        return answer(request, problem.status if isinstance(problem, Refused) else WRONG, sentence)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, problem: RequestValidationError) -> Response:
        return answer(request, WRONG, "; ".join(map(_sentence, problem.errors())))

    @app.exception_handler(HTTPException)
    async def http(request: Request, problem: HTTPException) -> Response:
        sentence = "there is no such page" if problem.status_code == HTTPStatus.NOT_FOUND else problem.detail
        response = answer(request, problem.status_code, sentence)
        response.headers.update(problem.headers or {})
        return response

    @app.exception_handler(Exception)
    async def broken(request: Request, problem: Exception) -> Response:
        return answer(request, 500, "something went wrong on the server; its log has the details")


def _discreet(sentence: str, store: str) -> str:
    """Where the store lies is for the host alone, who reads it in a terminal.

    >>> _discreet("there is no tournament 'x' in /home/ann/cup.db; it has none yet", "/home/ann/cup.db")
    "there is no tournament 'x' in the room's store; it has none yet"
    """
    return re.sub(rf"(the store )?(?<!\w){re.escape(store)}(?!\w)", "the room's store", sentence)


def _sentence(error: Any) -> str:
    """What pydantic found, in plain words, without echoing what was sent.

    >>> _sentence({"loc": ("body", "places", 0, "name"), "msg": "String should …", "type": "string_too_short"})
    'the name of place 1 must not be empty'
    >>> _sentence({"loc": ("body", "seats"), "msg": "Field required", "type": "missing"})
    'the seats are missing'
    """
    place = ""
    for part in error["loc"][1:]:
        if isinstance(part, int):
            place = f"{place.removesuffix('s')} {part + 1}"
        else:
            place = f"{part.replace('_', ' ')} of {place}" if place else part.replace("_", " ")
    limits = error.get("ctx", {})
    what = f"the {place}" if place else "the request"
    match error["type"]:
        case "string_too_short":
            return f"{what} must not be empty"
        case "string_too_long" | "too_long":
            return f"{what} must not be longer than {limits.get('max_length', 'that')}"
        case "missing":
            return f"{what} {'are' if place.endswith('s') else 'is'} missing"
        case "extra_forbidden":
            return f"{what} is not known here"
        case _:
            message = str(error["msg"])
            return f"{what}: {message[:1].lower()}{message[1:]}"

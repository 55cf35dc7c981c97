"""Templates and static files: our own, and those that the pages of `render` are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from pitboss import __version__
from pitboss import render as pages
from pitboss.core.text import sentence

HERE = Path(__file__).parent
SHARED = Path(pages.__file__).parent
SHARED_KINDS = (".css", ".js", ".svg")

# What the bar at the top of every page leads to: address, name.
NAVIGATION = [
    ("/play", "Play"),
    ("/watch", "Watch"),
    ("/replays", "Replays"),
    ("/tournaments", "Tournaments"),
    ("/companion", "Companion"),
]

_templates = Jinja2Templates(HERE / "templates")
_templates.env.trim_blocks = _templates.env.lstrip_blocks = True
_templates.env.filters["sentence"] = sentence
_templates.env.globals.update(version=__version__, navigation=NAVIGATION)


def render(request: Request, template: str, status: int = 200, **values: object) -> Response:
    """A page from a template."""
    return _templates.TemplateResponse(request, template, {**values, "status": status}, status)


class Shared(StaticFiles):
    """The files of `render` that browsers may have; the folder holds Python files and templates, too."""

    def lookup_path(self, path: str) -> Any:
        return super().lookup_path(path) if path.endswith(SHARED_KINDS) else ("", None)


def serve_files(app: FastAPI) -> None:
    """`/static/…` is our folder, `/shared/…` what the replay and report pages have in common with us."""
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    app.mount("/shared", Shared(directory=SHARED), name="shared")

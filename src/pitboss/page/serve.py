"""A plain web server for a folder, for a look at the page on one's own machine."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pitboss.core.errors import PitbossError


class _Files(SimpleHTTPRequestHandler):
    """Files as they are now: a new build is seen at once."""

    def guess_type(self, path: Any) -> str:
        return "application/manifest+json" if str(path).endswith(".webmanifest") else super().guess_type(path)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser may go away while it is being answered: that is no fault."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server(folder: Path, host: str, port: int) -> ThreadingHTTPServer:
    """A server that listens; `serve_forever` answers."""
    try:
        return _Server((host, port), partial(_Files, directory=str(folder)))
    except OSError as problem:
        raise PitbossError(
            f"cannot listen on {host}, port {port}: {problem.strerror}; port 0 is any that is free"
        ) from problem

"""What stands before every request: who may ask, how much may be sent, and what a browser may do with the answer.

There are no cookies: whoever holds a seat sends its token with each request, in a header that no foreign page can
set. So what is left to guard against are requests that need no token, sent by a foreign page (`Origin`), a
foreign name that leads to this machine (`Host`), and floods.
"""

from __future__ import annotations

import ipaddress
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pitboss.web.settings import ServerSettings

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = ("GET", "HEAD", "OPTIONS")
HEAD = "pitboss.head"  # in the scope of a request that is asked as GET, and whose answer has no body
FOREIGN = 1008  # the code with which a WebSocket is refused


class Guard:
    """Wraps the app."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET", HEAD: True}, _without_body(send)
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal:
                await WebSocketClose(FOREIGN, refusal[1])(scope, receive, send)
            else:
                await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out.setdefault(name, value)
                out.setdefault(
                    "Cache-Control", "no-cache" if scope["path"].startswith(("/static", "/shared")) else "no-store"
                )
            await send(message)

        if refusal:
            status, sentence = refusal
            await JSONResponse({"error": sentence}, status)(scope, receive, guarded)
        else:
            await self.app(scope, self._measured(receive), guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Why this request is not let through, if it is not."""
        host = headers.get("host", "")
        try:
            ours, came_from = self._ours(host), urlsplit(headers.get("origin") or "").netloc
        except ValueError:
            return HTTPStatus.BAD_REQUEST, "the Host or Origin of this request is not an address"
        if not ours:
            return HTTPStatus.MISDIRECTED_REQUEST, "this server does not go by that name; pitboss serve --name adds one"
        asks = scope["type"] == "websocket" or scope["method"] not in SAFE
        if asks and "origin" in headers and came_from != host:
            return HTTPStatus.FORBIDDEN, "a page from another site may not do this"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.settings.body_bytes:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, self._too_much()
        return None

    def _too_much(self) -> str:
        return f"a request may bring {self.settings.body_bytes // 1024} KiB at most"

    def _ours(self, host: str) -> bool:
        """Whether a Host header names this machine: a name that somebody else points here does not."""
        name = urlsplit(f"//{host}").hostname or ""
        if name in ("localhost", self.settings.host, *self.settings.names):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _measured(self, receive: Receive) -> Receive:
        """Refuse a body that turns out longer than it said."""
        got = 0

        async def measured() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > self.settings.body_bytes:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, self._too_much())  # FastAPI lets it pass
            return message

        return measured


def _without_body(send: Send) -> Send:
    """Send the head of an answer, and nothing of what would follow."""

    async def headless(message: Message) -> None:
        if message["type"] != "http.response.body":
            await send(message)
        elif not message.get("more_body", False):
            await send({"type": "http.response.body"})

    return headless

"""How the room listens: limits for everything that a connection may do before the app sees a request.

uvicorn reads headers without end and waits for requests without end. Here a request has so many seconds and so many
bytes for its head, an answer must be read in time, and there are so many connections, in all and for each address.
A client that is refused gets a sentence, and is then disconnected.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pitboss.web.rate_limits import network
from pitboss.web.settings import ServerSettings

CLOSING_SECONDS = 5  # after which those who are still connected are left
LINGER_SECONDS = 2.0  # that a refusal waits for somebody to read it
LINGERING = 50  # refusals that wait at once; more are without words
TICK_SECONDS = 1.0  # between two looks at a connection
PING_SECONDS = 20.0  # between two questions whether a WebSocket is still there, and for the answer
MESSAGE_BYTES = 16 * 1024  # of a WebSocket; the app takes less, and says so
UNSENT_BYTES = 4 << 20  # that may wait for a client that does not read
KEPT_FILES = 200  # that the room itself may have open, besides connections


class Door:
    """Counts connections, from when they are made until they are really gone."""

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each, self.lingering = most, each, 0
        self._inside: dict[asyncio.BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()

    def admit(self, transport: asyncio.Transport, trusted: str) -> str:
        """Count a connection; a sentence if there are too many. One from the `trusted` proxy brings many visitors."""
        remote = get_remote_addr(transport)
        who = network(remote[0]) if remote else ""
        if len(self._inside) >= self.most:
            return "the room is full; try again in a minute"
        if self._counts[who] >= self.each and not (trusted and who == network(trusted)):
            return f"{self.each} connections from one address are enough; close some pages"
        self._inside[transport] = who
        self._counts[who] += 1
        return ""

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """It is gone."""
        who = self._inside.pop(transport, None)
        if who is not None:
            self._counts[who] -= 1
            if not self._counts[who]:
                del self._counts[who]


class Config(uvicorn.Config):
    """uvicorn as the room uses it."""

    def __init__(self, app: Any, settings: ServerSettings, **more: Any) -> None:
        # Messages are short, and packing them for each of many watchers would cost more than sending them.
        super().__init__(
            app, http=Http, ws=WebSocket, log_level="warning", access_log=False, ws_max_size=MESSAGE_BYTES,
            ws_per_message_deflate=False, ws_ping_interval=PING_SECONDS, ws_ping_timeout=PING_SECONDS,
            proxy_headers=bool(settings.proxy), forwarded_allow_ips=settings.proxy or None,
            timeout_graceful_shutdown=CLOSING_SECONDS, **more,
        )  # fmt: skip
        self.settings = settings
        self.door = Door(min(settings.connections, _files() - KEPT_FILES), settings.connections_per_address)


def _files() -> int:
    """How many files this process may have open; as many as the system lets it."""
    try:
        import resource
    except ImportError:  # not a Unix
        return 1 << 16
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1 << 16 if most == resource.RLIM_INFINITY else min(most, 1 << 16)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return wanted


class _Watch:
    """Looks at a connection every second, and disconnects a client that does not read what was sent."""

    def __init__(self, transport: asyncio.Transport, config: Config) -> None:
        self.transport, self.config = transport, config
        self.asked: float | None = None  # since when a request has been coming
        self._stuck: float | None = None  # since when what was sent has not been read
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, late: Any = None) -> None:
        """Look now, and again in a while; `late` is called when a request does not come to its end."""
        now, settings = self._loop.time(), self.config.settings
        if self.transport.is_closing():
            self.stuck()
        if self._stuck is not None and now - self._stuck > settings.sending_seconds:
            self.transport.abort()
        elif late and self.asked is not None and now - self.asked > settings.request_seconds:
            self.asked = None
            late()
        self._timer = self._loop.call_later(TICK_SECONDS, self.begin, late)

    def asks(self) -> None:
        """A request begins to come."""
        self.asked = self._loop.time()

    def stuck(self) -> None:
        """What was sent waits to be read."""
        self._stuck = self._loop.time() if self._stuck is None else self._stuck

    def read(self) -> None:
        """It was read."""
        self._stuck = None

    def end(self) -> None:
        """Somebody else looks, or there is nothing to look at."""
        if self._timer:
            self._timer.cancel()


class _Watched(asyncio.Protocol):
    """What every connection does while it is watched."""

    config: Any  # our `Config`: uvicorn would have it that it is its own
    transport: asyncio.Transport
    _watch: _Watch

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.end()
        self.config.door.leave(self.transport)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self._watch.stuck()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._watch.read()
        super().resume_writing()


class Http(_Watched, HttpToolsProtocol):
    """A connection that sends requests."""

    _refused = False
    _in_head = True
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch = _Watch(transport, self.config)
        self._watch.asks()
        full = self.config.door.admit(transport, self.config.settings.proxy)
        if full:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, full)
        else:
            self._watch.begin(self._late)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._watch.asked is None and not self._answering:
            self._watch.asks()
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > self._most_head:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, self._too_long)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._watch.asks()

    def on_headers_complete(self) -> None:
        self._in_head, self._head_bytes = False, 0
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > self._most_head:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, self._too_long)
        if not self._refused:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._watch.asked = None
        if not self._refused:
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        if not self._refused:
            self._watch.end()
            super().handle_websocket_upgrade()

    @property
    def _answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    @property
    def _most_head(self) -> int:
        return int(self.config.settings.header_bytes)

    @property
    def _too_long(self) -> str:
        return f"the head of a request may have {self._most_head // 1024} KiB at most"

    def _late(self) -> None:
        seconds = self.config.settings.request_seconds
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"a request must have come within {seconds:g} seconds")

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        """Say why, read no more, and cut the connection off soon."""
        self._refused, self._watch.asked = True, None
        door = self.config.door
        if door.lingering >= LINGERING:
            self.transport.abort()
            return
        door.lingering += 1
        if not self._answering:  # else this would end up in the middle of an answer
            content = json.dumps({"error": sentence}).encode()
            head = f"content-type: application/json\r\ncontent-length: {len(content)}\r\nconnection: close\r\n\r\n"
            self.transport.write(STATUS_LINE[status] + head.encode() + content)
            if self.transport.can_write_eof():
                self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self._cut)

    def _cut(self) -> None:
        self.config.door.lingering -= 1
        self.transport.abort()


class WebSocket(_Watched, WebSocketsSansIOProtocol):
    """A WebSocket connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._watch = _Watch(self.transport, self.config)
        self._watch.begin()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_write_buffer_size() > UNSENT_BYTES:  # answers to pings that nobody reads
            self.transport.abort()

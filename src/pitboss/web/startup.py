"""The server listens at once, and loads the games behind a page that says so.

To import the games and what they need takes seconds, and to compile them on a fresh machine a minute. So the server
listens first, with nothing but this module: a page that is asked for before the room is ready says so and comes back by
itself; everything else waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import Receive, Scope, Send

T = TypeVar("T")

WAITING = b"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>pitboss</title>
<style>
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
main { max-width: 30rem; margin: 20vh auto; padding: 0 1rem }
</style>
<main>
<h1>The room is opening</h1>
<p role="status">The games are being loaded. This page goes on by itself in a few seconds.</p>
<noscript><p>Load it again in a moment.</p></noscript>
</main>
<script>
fetch("/api/opening").catch(() => null).finally(() => setTimeout(() => location.reload(), 200));
</script>
"""
HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-length": str(len(WAITING)),
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; frame-ancestors 'none'",
}


class Startup:
    """Stands where the app will be: from `begin` on it loads it in a thread, and is then nothing but the way to it.

    `loaded` is called with the app, in the loop, when visitors can come in; `failed` if it cannot be loaded, and then
    `problem` says why.
    """

    def __init__(self, load: Callable[[], FastAPI], loaded: Callable[[FastAPI], None], failed: Callable[[], None]):
        self.app: FastAPI | None = None
        self.problem: Exception | None = None
        self._load, self._loaded, self._failed = load, loaded, failed
        self._ready, self._closing = asyncio.Event(), asyncio.Event()
        self._getting_ready: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if not self._ready.is_set() and _is_page(scope):
            head = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            await send({"type": "http.response.start", "status": 200, "headers": head})
            await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else WAITING})
            return
        await self._ready.wait()
        assert self.app
        await self.app(scope, receive, send)

    def begin(self) -> None:
        """Load the app."""
        self._getting_ready = asyncio.create_task(self._get_ready())

    async def _live(self, receive: Receive, send: Send) -> None:
        """The server starts and stops; the app does so when it is there."""
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self._closing.set()
        if self._getting_ready:
            if not self._ready.is_set():
                self._getting_ready.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._getting_ready
        await send({"type": "lifespan.shutdown.complete"})

    async def _get_ready(self) -> None:
        try:
            app = await in_own_thread(self._load)
            async with app.router.lifespan_context(app):
                self.app = app
                self._ready.set()
                self._loaded(app)
                await self._closing.wait()
        except Exception as problem:
            self.problem = problem
            self._failed()


def _is_page(scope: Scope) -> bool:
    waits = ("/api/", "/static/", "/shared/")
    return scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and not scope["path"].startswith(waits)


async def in_own_thread(work: Callable[[], T]) -> T:
    """Do something long, for which nobody waits who closes the room."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as problem:
            done.set_exception(problem)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)

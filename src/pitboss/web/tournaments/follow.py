"""A tournament as it is played, by this server or by any program that writes to the same store.

Nobody tells us when something happens, so the store is asked: now and then how much has been played, and only if
that has changed, and not too often, for the whole table. All who look at a tournament share what was read.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import sqlalchemy as sql

from pitboss.core.errors import PitbossError
from pitboss.tournament.store import FINISHED, Store
from pitboss.tournament.store import schema as t
from pitboss.web.errors import not_found
from pitboss.web.room.room import in_thread
from pitboss.web.tournaments.view import look

ASK_SECONDS = 0.5  # between two questions how much has been played
SHARE = 0.1  # of a processor, at most, for working out one table again and again
STILL_SECONDS = 8.0  # without a new match, after which a tournament is said to rest
HEARTBEAT_SECONDS = 15.0
MOST_FOLLOWED = 64

Mark = tuple[str, int, int | None]  # the state, the revision, and that of the table that was kept


def mark(store: Store, id: str) -> Mark | None:
    """How far a tournament is, to compare with later; None if there is no such tournament."""
    c, kept = t.tournaments.c, t.standings.c
    select = sql.select(c.state, c.revision, kept.revision).select_from(
        t.tournaments.outerjoin(t.standings, kept.tournament == c.id)
    )
    return next((tuple(row) for row in store.query(select.where(c.id == id))), None)


class Follower:
    """One tournament, for all who look at it. `ours` says whether this server plays it."""

    def __init__(self, store: Store, id: str, ours: Callable[[], bool]) -> None:
        self.store, self.id, self.ours = store, id, ours
        self.finished = False
        self._lock = asyncio.Lock()
        self._asked = self._changed = self._next = -1e9
        self._mark: Mark | None = None  # as last seen
        self._drawn: tuple[Mark, bool] | None = None  # what the text was made of
        self._text = ""

    async def now(self) -> str:
        """All that is known, as JSON; hardly older than half a second."""
        async with self._lock:
            clock = time.monotonic()
            if clock - self._asked < ASK_SECONDS and self._text:
                return self._text
            self._asked = clock
            seen = await in_thread(lambda: mark(self.store, self.id))
            if seen is None:
                raise not_found(f"there is no tournament {self.id!r} here")
            if seen != self._mark:
                self._changed = clock if self._mark is not None else self._changed
                self._mark = seen
            moving = self.ours() or clock - self._changed < STILL_SECONDS
            if (seen, moving) != self._drawn and (clock >= self._next or seen[0] == FINISHED):
                await self._draw(seen, moving)
            return self._text

    async def _draw(self, seen: Mark, moving: bool) -> None:
        began = time.monotonic()
        try:
            drawn = await in_thread(lambda: look(self.store, self.id, moving))
        except IndexError:  # a round was planned between two of the questions; the next time will do
            if not self._text:
                raise
            return
        self._text, self._drawn = drawn.model_dump_json(), (seen, moving)
        self.finished = drawn.table.finished and not drawn.table.behind
        self._next = time.monotonic() + (time.monotonic() - began) / SHARE

    async def changes(self, closing: Callable[[], bool]) -> AsyncIterator[str]:
        """Server-sent events: the table whenever it has changed, and `end` when all is played."""
        told, heard = "", time.monotonic()
        while not closing():
            text = await self.now()
            if text != told:
                told, heard = text, time.monotonic()
                yield f"data: {text}\n\n"
            elif time.monotonic() - heard > HEARTBEAT_SECONDS:
                heard = time.monotonic()
                yield ": still here\n\n"
            if self.finished:
                yield "event: end\ndata: {}\n\n"
                return
            await asyncio.sleep(ASK_SECONDS)


class Followers:
    """Those that somebody has asked for, by id."""

    def __init__(self, store: Store, ours: Callable[[str], bool]) -> None:
        self.store, self._ours = store, ours
        self.closing = False  # set, by any thread, when the server is about to close
        self._all: dict[str, Follower] = {}

    def changes(self, follower: Follower) -> AsyncIterator[str]:
        """What a follower sees, until its tournament is over or the server closes."""
        return follower.changes(lambda: self.closing)

    async def get(self, id: str) -> Follower:
        """The follower of a tournament, which must be there."""
        if id not in self._all:
            try:
                id = (await in_thread(lambda: self.store.tournament(id))).id  # which may have been "latest"
            except PitbossError as problem:
                raise not_found(str(problem)) from problem
            while len(self._all) >= MOST_FOLLOWED:
                del self._all[next(iter(self._all))]
            self._all.setdefault(id, Follower(self.store, id, lambda: self._ours(id)))
        return self._all[id]

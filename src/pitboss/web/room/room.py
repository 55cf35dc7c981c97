"""All tables of a server, and those who look at them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self, TypeVar

from anyio import to_thread

from pitboss.arena.store import new_id
from pitboss.table.errors import PitbossError
from pitboss.table.keys import Key
from pitboss.web.errors import conflict, not_found
from pitboss.web.room.keep import Keeper
from pitboss.web.room.look import look
from pitboss.web.room.table import Place, Table, Ticket
from pitboss.web.settings import Settings

T = TypeVar("T")

SLICE = 200  # steps that are played in one go
SWEEP_SECONDS = 60.0
LONELY_SECONDS = 30.0  # after which a table of bots waits for somebody to look

log = logging.getLogger("pitboss.web")


@dataclass(eq=False)
class Looker:
    """Somebody who is told whenever a table changes. `send` gets a finished message."""

    ticket: Ticket | None
    eye: int | None
    since: int
    news: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False)
class Live:
    """A table in memory."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    lookers: set[Looker] = field(default_factory=set)
    touched: float = field(default_factory=time.monotonic)
    pacing: asyncio.Task[None] | None = None
    said: dict[tuple[Any, ...], str] = field(default_factory=dict)  # what many watchers are told alike


class Room:
    """Tables by id. Those that nobody looks at are put away, and come back when asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.keeper = Keeper(settings.store)
        self._live: dict[str, Live] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._returning = asyncio.Lock()
        self._changed: dict[str, Table] = {}  # to be written down
        self._to_write = asyncio.Event()
        self._written = asyncio.Event()  # set when what has changed up to now is written down

    async def __aenter__(self) -> Self:
        await in_thread(self.keeper.prepare)
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._sweep())]
        return self

    async def __aexit__(self, *problem: object) -> None:
        for task in [*self._tasks, *(live.pacing for live in self._live.values())]:
            if task:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await in_thread(lambda: self.keeper.save(*(live.table for live in self._live.values())))
        self.keeper.close()

    # --- tables ---

    async def create(
        self, spec: str, places: Sequence[Place], key: Key | None, *, hints: bool = True, pace: float = 0.0
    ) -> tuple[Live, Ticket]:
        """A new table, and the token of who made it."""
        if len(self._live) >= self.settings.most_tables:
            raise conflict("all tables are taken; try again later")
        key = key or Key.fresh()
        steps = self.settings.most_steps
        table = await in_thread(partial(Table, new_id(), spec, places, key, hints=hints, most_steps=steps))
        ticket = table.sell()
        table.pace = 0.0 if table.people else pace
        live = self._live[table.id] = Live(table)
        async with live.lock:
            await self._run_and_save(live)
        self._set_pace(live, table.pace)
        return live, ticket

    async def find(self, id: str) -> Live:
        """A table by its id, from memory or from the store."""
        if id not in self._live:
            async with self._returning:
                if id not in self._live:
                    table = await in_thread(lambda: self.keeper.load(id, self.settings.most_steps))
                    if table is None:
                        raise not_found("there is no such table; it may have been left for too long")
                    live = self._live[id] = Live(table)
                    async with live.lock:
                        await self._run_and_save(live)
        live = self._live[id]
        live.touched = time.monotonic()
        return live

    def running(self) -> list[Table]:
        """Tables of bots that can be watched now."""
        return [live.table for live in self._live.values() if not live.table.people and not live.table.over]

    # --- what people do ---

    async def act(self, live: Live, seat: int, move: str, step: int) -> None:
        """A person's move, and what bots make of it."""
        async with live.lock:
            try:
                live.table.act(seat, move, step)
            except PitbossError as problem:
                raise conflict(str(problem)) from problem
            await self._run_and_save(live)
        self.tell(live)

    async def join(self, live: Live, invitation: str) -> Ticket:
        """A guest comes."""
        async with live.lock:
            try:
                ticket = live.table.join(invitation)
            except PitbossError as problem:
                raise conflict(str(problem)) from problem
            await self._save(live.table)
        self.tell(live)
        return ticket

    async def again(self, live: Live, same_deal: bool) -> None:
        """The same people play on, at another table: with the same cards, or new ones."""
        async with live.lock:
            old = live.table
            if not old.over:
                raise conflict("the game is not over yet")
            if old.next is not None:
                return
            pace = 2.0 if not old.people else 0.0
            other, _ = await self.create(
                str(old.game), old.places, old.key if same_deal else None, hints=old.hints, pace=pace
            )
            tokens = {}
            for ticket, new in zip(old.tickets, other.table.tickets, strict=True):
                if not ticket.invitation:
                    if new.invitation:
                        new = other.table.join(new.token)
                    tokens[ticket.token] = {"table": other.table.id, "token": new.token}
            old.next = {"tokens": tokens}
            await self._save(other.table)
            await self._save(old)
        self.tell(live)

    # --- bots by themselves ---

    def set_pace(self, live: Live, pace: float) -> None:
        """How many steps a second bots make at their table; 0: they wait."""
        if live.table.people:
            raise conflict("bots do not wait at a table with people")
        self._set_pace(live, pace)
        self.tell(live)

    async def one_step(self, live: Live) -> None:
        """One card or move at a table of bots."""
        async with live.lock:
            if not live.table.people and not live.table.over:
                await in_thread(live.table.go)
                if live.table.over:
                    await self._save(live.table)
        self.tell(live)

    def _set_pace(self, live: Live, pace: float) -> None:
        live.table.pace = pace
        if live.pacing:
            live.pacing.cancel()
        live.pacing = asyncio.create_task(self._keep_pace(live)) if pace > 0 and not live.table.over else None

    async def _keep_pace(self, live: Live) -> None:
        alone = time.monotonic()
        while not live.table.over:
            await asyncio.sleep(1 / live.table.pace)
            if live.lookers:
                alone = time.monotonic()
            elif time.monotonic() - alone > LONELY_SECONDS:
                continue
            await self.one_step(live)

    # --- telling ---

    def tell(self, live: Live) -> None:
        """Something has changed."""
        live.touched = time.monotonic()
        live.said.clear()
        for looker in live.lookers:
            looker.news.set()

    def message(self, live: Live, looker: Looker) -> str:
        """What a looker has not seen yet, as JSON; made once for all who watch alike."""
        last = len(live.table.moments) - 1
        key = (looker.since, last, looker.eye, looker.ticket.token if looker.ticket else None)
        if key not in live.said:
            live.said[key] = look(live.table, looker.ticket, looker.eye, looker.since)
        looker.since = last
        return live.said[key]

    # --- keeping ---

    async def _run_and_save(self, live: Live) -> None:
        """Play on without people, and write it down."""
        table = live.table
        while bool(table.people) and await in_thread(lambda: table.run(SLICE)):
            await asyncio.sleep(0)
        await self._save(table)

    async def _save(self, table: Table, wait: bool = False) -> None:
        """Have a table written down soon; a finished game at once, because its replay may be asked for."""
        self._changed[table.id] = table
        self._to_write.set()
        if wait or table.over:
            await self._written.wait()

    async def _write(self) -> None:
        """Write down what has changed, all of it together: the more there is to do, the less each costs."""
        while True:
            await self._to_write.wait()
            self._to_write.clear()
            batch, done = list(self._changed.values()), self._written
            self._changed, self._written = {}, asyncio.Event()
            try:
                await in_thread(partial(self.keeper.save, *batch))
            except Exception:  # a full disk must not end the games
                log.exception("tables could not be written down")
            done.set()

    async def _sweep(self) -> None:
        """Put away what nobody looks at, and drop what is too old."""
        while True:
            try:
                await self.sweep()
            except Exception:  # the next time may do
                log.exception("old tables could not be put away")
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """One round of putting away."""
        idle = time.monotonic() - self.settings.idle_seconds
        for id, live in list(self._live.items()):
            if live.touched < idle and not live.lookers and not live.lock.locked():
                self._set_pace(live, 0.0)
                await self._save(live.table, wait=True)
                if live.touched < idle and not live.lookers:
                    del self._live[id]
        await in_thread(lambda: self.keeper.forget(self.settings.unfinished_seconds, self.settings.finished_seconds))


async def in_thread(work: Callable[[], T]) -> T:
    """Do something slow without keeping others waiting."""
    return await to_thread.run_sync(work)

"""All tables of a server, and those who look at them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self, TypeVar
from weakref import WeakValueDictionary

from anyio import to_thread

from pitboss.core.errors import PitbossError
from pitboss.tournament.store import new_id
from pitboss.web.errors import conflict, not_found
from pitboss.web.rate_limits import Turns
from pitboss.web.room.company import Reaction, code_of
from pitboss.web.room.people import People
from pitboss.web.room.store import TableStore
from pitboss.web.room.table import Place, RoomTable, SeatKind, TablePlan, Ticket
from pitboss.web.room.view import page
from pitboss.web.settings import ServerSettings
from pitboss.web.slow_bots import SpeedCheck
from pitboss.web.warmup import Warmup
from pitboss.web.worker_pool import WorkerPool

T = TypeVar("T")

SLICE_SECONDS = 0.05  # that a table plays in one go, before another has its turn
PLAYING = 2  # tables at which bots play at the same moment; of one client only one
READING = 4  # clients for whom something long is read or drawn at the same moment
COUNT_STEPS = 64  # by which a table may grow before it is asked again whether there is room
FEW_STEPS = 40  # that are drawn on the spot, and kept for others who want the same
MOST_SAID = 16  # different ones of these
SWEEP_SECONDS = 60.0
AGAIN_PACE = 2.0  # steps a second, where bots play once more
LOOK_SECONDS = 0.25  # between two looks whether somebody's time is up
LONELY_SECONDS = 30.0  # after which a table of bots waits for somebody to look

log = logging.getLogger("pitboss.web")


@dataclass(eq=False)
class Looker:
    """Somebody who gets every change of a table."""

    client: str
    ticket: Ticket | None
    eye: int | None
    since: int
    away: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False)
class OpenTable:
    """A table in memory, and the client who made it, or made it come back."""

    table: RoomTable
    client: str
    counted: int = 0  # steps, when it was last asked whether there is room for more
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    lookers: set[Looker] = field(default_factory=set)
    touched: float = field(default_factory=time.monotonic)
    pacing: asyncio.Task[None] | None = None
    said: dict[tuple[object, ...], tuple[str, int]] = field(default_factory=dict)  # what many watchers are told alike
    people: People = field(init=False)

    def __post_init__(self) -> None:
        self.people = People(self.table)


class Room:
    """Tables by id. Those that nobody looks at are put away, and come back when asked for."""

    def __init__(
        self, settings: ServerSettings, workers: WorkerPool | None = None, warmup: Warmup | None = None
    ) -> None:
        self.settings = settings
        self.keeper = TableStore(settings.store)
        self.speed = SpeedCheck(workers or WorkerPool(settings), settings.decision_seconds)
        self.warmup = warmup or Warmup()
        self.reading = Turns(READING)  # whatever is long, and must not keep others waiting
        self._playing = Turns(PLAYING)
        self._live: dict[str, OpenTable] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._returning: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._changed: dict[str, RoomTable] = {}  # to be written down
        self._to_write = asyncio.Event()
        self._written = asyncio.Event()  # set when what has changed up to now is written down

    async def __aenter__(self) -> Self:
        await in_thread(self.keeper.prepare)
        self._tasks = [asyncio.create_task(work()) for work in (self._write, self._sweep, self._stand_in)]
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
        self, client: str, plan: TablePlan, people: tuple[Sequence[Ticket], int] | None = None
    ) -> tuple[OpenTable, Ticket]:
        """A new table, and the ticket of its host; or with the tickets of people who come from another table, each so
        many seats further on."""
        await self.warmup.of(plan.spec)
        await self._make_space(client)
        await self.speed.verify(client, plan.spec, _bots(plan.places), len(plan.places))
        make = partial(RoomTable, new_id(), plan, most_steps=self.settings.most_steps)
        async with self._playing.of(client):
            table = await in_thread(make)
        ticket = table.sell()
        if people:
            table.hand_over(*people)
        if any(ticket.invitation for ticket in table.tickets):
            table.code = await in_thread(lambda: self.keeper.keep_code(table.id))
        live = self._live[table.id] = OpenTable(table, client)
        async with live.lock:
            await self._run_and_save(live)
        self._set_pace(live, table.pace)
        return live, ticket

    async def find(self, id: str, client: str) -> OpenTable:
        """A table by its id, from memory or from the store."""
        if id not in self._live:
            returning = self._returning.get(id) or asyncio.Lock()
            self._returning[id] = returning
            async with returning:
                if id not in self._live:
                    await self._bring_back(id, client)
        live = self._live[id]
        live.touched = time.monotonic()
        return live

    async def _bring_back(self, id: str, client: str) -> None:
        row = await in_thread(lambda: self.keeper.find(id))
        if row is None:
            raise not_found("there is no such table; it may have been left for too long")
        await self.warmup.of(row["setup"]["spec"])
        await self._make_space(client)
        places = self.keeper.places(row)
        await self.speed.verify(client, row["setup"]["spec"], _bots(places), len(places))
        async with self._playing.of(client):
            table = await in_thread(lambda: self.keeper.load(row, self.settings.most_steps))
        live = self._live[id] = OpenTable(table, client)
        async with live.lock:
            await self._run_and_save(live)

    async def _make_space(self, client: str, keep: OpenTable | None = None) -> None:
        """Put away tables that nobody looks at, as long as there are too many, or too long ones, in all or of one
        client; refuse if all are looked at. `keep` stays."""
        for live in sorted(self._crowd(client), key=lambda live: live.touched):
            if not live.lookers and not live.lock.locked() and live is not keep:
                await self._put_away(live)
                if not self._crowd(client):
                    return
        if self._crowd(client):
            raise conflict("all tables are in use; close some of yours, or try again later")

    async def _let_grow(self, live: OpenTable) -> None:
        """Refuse to continue a table if there is no room for more steps."""
        steps = len(live.table.moments)
        if steps - live.counted >= COUNT_STEPS:
            await self._make_space(live.client, live)
            live.counted = steps

    def _crowd(self, client: str) -> list[OpenTable]:
        """The tables of which there are too many: those of a client, or all; none if there is room for one more."""
        s, everybody = self.settings, list(self._live.values())
        own = [live for live in everybody if live.client == client]
        if len(own) >= s.tables_per_address or _steps(own) >= s.steps_per_address:
            return own
        return everybody if len(everybody) >= s.most_tables or _steps(everybody) >= s.steps_in_memory else []

    def running(self) -> list[RoomTable]:
        """Tables of bots that can be watched now."""
        return [live.table for live in self._live.values() if not live.table.people and not live.table.over]

    # --- what people do ---

    async def act(self, live: OpenTable, seat: int, move: str, step: int) -> None:
        """A person's move, and what bots make of it."""
        await self._let_grow(live)
        async with live.lock:
            try:
                live.table.act(seat, move, step)
            except PitbossError as problem:
                raise conflict(str(problem)) from problem
            await self._run_and_save(live)
        self.tell(live)

    async def join(self, live: OpenTable, invitation: str, name: str | None = None) -> Ticket:
        """A guest comes."""
        async with live.lock:
            try:
                ticket = live.table.join(invitation, name)
            except PitbossError as problem:
                raise conflict(str(problem)) from problem
            await self._save(live.table)
        self.tell(live)
        return ticket

    async def join_by_code(self, code: str, name: str | None, client: str) -> tuple[OpenTable, Ticket | None]:
        """A guest comes by the table's code: the table, and a ticket if there was a seat."""
        id = await in_thread(lambda: self.keeper.table_by_code(code_of(code)))
        if id is None:
            raise not_found("no table has this code; look at it again, it has six letters")
        live = await self.find(id, client)
        async with live.lock:
            if live.table.over or not any(ticket.invitation for ticket in live.table.tickets):
                return live, None
            ticket = live.table.join_by_code(name)
            await self._save(live.table)
        self.tell(live)
        return live, ticket

    async def again(self, live: OpenTable, same_deal: bool) -> None:
        """The same people play on with the same tokens, at another table: with new cards, each a seat further on, so
        that somebody else begins; or with the same cards, at the same seats."""
        async with live.lock:
            old = live.table
            if not old.over:
                raise conflict("the game is not over yet")
            if old.next is not None:
                return
            shift = 0 if same_deal else 1
            plan = replace(
                old.plan,
                places=tuple(old.places[i - shift] for i in range(len(old.places))),
                key=old.key if same_deal else None,
                pace=0.0 if old.people else AGAIN_PACE,
            )
            other, _ = await self.create(live.client, plan, (old.tickets, shift))
            old.next = other.table.id
            await self._save(old)
        self.tell(live)

    # --- who is there ---

    def come(self, live: OpenTable, looker: Looker) -> None:
        """Somebody looks at a table."""
        live.lookers.add(looker)
        self._noticed(live)

    def go(self, live: OpenTable, looker: Looker) -> None:
        """Somebody does not any more."""
        live.lookers.discard(looker)
        self._noticed(live)

    def step_aside(self, live: OpenTable, looker: Looker, away: bool) -> None:
        """Somebody's page was hidden, or is seen again."""
        looker.away = away
        self._noticed(live)

    def react(self, live: OpenTable, looker: Looker, what: Reaction) -> None:
        """Somebody at the table says something without words."""
        if looker.ticket and looker.ticket.seats and live.people.react(looker.ticket, looker.eye, what):
            self.tell(live)

    def _noticed(self, live: OpenTable) -> None:
        if live.people.notice((looker.ticket.hash, looker.away) for looker in live.lookers if looker.ticket):
            self.tell(live)

    async def _stand_in(self) -> None:
        """Decide for people whose time is up, or who have left others waiting."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for live in [live for live in self._live.values() if live.table.people]:
                try:
                    await self._stand_in_at(live)
                except PitbossError:  # there is no room for more of this game
                    continue
                except Exception:
                    log.exception("nobody could decide for somebody who is away")

    async def _stand_in_at(self, live: OpenTable) -> None:
        due = live.people.due()
        if due is None or live.lock.locked():
            return
        await self._let_grow(live)
        async with live.lock:
            if live.people.due() != due:
                return
            async with self._playing.of(live.client):
                await in_thread(lambda: live.table.stand_in_for(*due))
            await self._run_and_save(live)
        self.tell(live)

    # --- bots by themselves ---

    def set_pace(self, live: OpenTable, pace: float) -> None:
        """How many steps a second bots make at their table; 0: they wait."""
        if live.table.people:
            raise conflict("bots do not wait at a table with people")
        self._set_pace(live, pace)
        self.tell(live)

    async def one_step(self, live: OpenTable) -> None:
        """One card or move at a table of bots."""
        await self._let_grow(live)
        async with live.lock:
            if not live.table.people and not live.table.over:
                async with self._playing.of(live.client):
                    await in_thread(live.table.go)
                if live.table.over:
                    await self._save(live.table)
        self.tell(live)

    def _set_pace(self, live: OpenTable, pace: float) -> None:
        live.table.pace = pace
        if live.pacing:
            live.pacing.cancel()
        live.pacing = asyncio.create_task(self._keep_pace(live)) if pace > 0 and not live.table.over else None

    async def _keep_pace(self, live: OpenTable) -> None:
        alone = time.monotonic()
        while not live.table.over:
            await asyncio.sleep(1 / live.table.pace)
            if live.lookers:
                alone = time.monotonic()
            elif time.monotonic() - alone > LONELY_SECONDS:
                continue
            try:
                await self.one_step(live)
            except PitbossError:  # there is no room for more of it now
                live.table.pace = 0.0
                self.tell(live)
                return

    # --- telling ---

    def tell(self, live: OpenTable) -> None:
        """Something has changed."""
        live.touched = time.monotonic()
        live.said.clear()
        for looker in live.lookers:
            looker.news.set()

    async def message(self, live: OpenTable, looker: Looker) -> str:
        """What a looker has not seen yet, as JSON, or the first page of it; then the next one is due at once."""
        while True:
            asked = looker.eye, looker.since
            text, last = await self.look(live, looker.client, looker.ticket, looker.eye, looker.since)
            if asked == (looker.eye, looker.since):  # else it has turned to something else meanwhile
                break
        looker.since = last
        newest = len(live.table.moments) - 1
        if last < (newest if looker.eye is not None else live.table.visible_to_watchers()):
            looker.news.set()
        elif last < newest:  # soon there is more to see for those who watch
            due = live.table.moments[last + 1].when + live.table.house.delay - time.monotonic()
            asyncio.get_running_loop().call_later(max(due, 0.0) + 0.01, looker.news.set)
        return text

    async def look(
        self, live: OpenTable, client: str, ticket: Ticket | None, eye: int | None, since: int
    ) -> tuple[str, int]:
        """A page of a table, and its last step. A short one is made once for all who look alike, a long one in turn."""
        table, now = live.table, live.people.now()
        last = len(table.moments) - 1 if eye is not None else table.visible_to_watchers()
        if last - since > FEW_STEPS:
            async with self.reading.of(client):
                return await in_thread(lambda: page(table, now, ticket, eye, since))
        key = (since, last, eye, ticket.hash if ticket else None)
        said = live.said.get(key) or page(table, now, ticket, eye, since)
        if len(live.said) < MOST_SAID:
            live.said[key] = said
        return said

    # --- keeping ---

    async def _run_and_save(self, live: OpenTable) -> None:
        """Play on without people, and write it down."""
        table = live.table
        more = bool(table.people)
        while more:
            async with self._playing.of(live.client):
                more = await in_thread(lambda: table.run(SLICE_SECONDS))
        await self._save(table)

    async def _save(self, table: RoomTable, wait: bool = False) -> None:
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
        for live in list(self._live.values()):
            if not live.lookers:
                live.table.drawn.clear()
                if live.touched < idle and not live.lock.locked():
                    await self._put_away(live)
        await in_thread(lambda: self.keeper.forget(self.settings.unfinished_seconds, self.settings.finished_seconds))

    async def _put_away(self, live: OpenTable) -> None:
        """Write a table down and forget it, unless somebody comes meanwhile."""
        touched = live.touched
        self._set_pace(live, 0.0)
        await self._save(live.table, wait=True)
        if live.touched == touched and not live.lookers and not live.lock.locked():
            self._live.pop(live.table.id, None)


def _bots(places: Sequence[Place]) -> list[str]:
    return [place.name for place in places if place.kind is SeatKind.BOT]


def _steps(some: Sequence[OpenTable]) -> int:
    return sum(len(live.table.moments) for live in some)


async def in_thread(work: Callable[[], T]) -> T:
    """Do something slow without keeping others waiting."""
    return await to_thread.run_sync(work)

"""Worker processes for costly questions: each can be ended, and clients take turns.

A question first goes to the front queue, where an answer must come within a few seconds. If none does, the question is
costly and goes to the back queue: one at a time, client by client, for a minute at most, and only while somebody waits.
A question that takes too long even there is refused for an hour. So nobody's costly question delays a cheap one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import time
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Self, TypeVar, cast

from pitboss.core import launch
from pitboss.core.errors import PitbossError
from pitboss.core.types import Data
from pitboss.web.errors import Refused
from pitboss.web.rate_limits import Limiter, Turns
from pitboss.web.settings import HOUR, ServerSettings
from pitboss.web.worker import LENGTH, Answer

T = TypeVar("T")

FRONT = 2  # processes for questions that are cheap, as far as is known: one client has one of them at most
BACK = 1
IN_LINE = 20  # questions of one client that wait
START_SECONDS = 600.0  # to compile everything on a fresh machine
MOST_TOPICS = 10_000  # that are remembered


class TooCostly(PitbossError):
    """A question that is not answered here; the text says how long that takes: "more than …", "a while, and …"."""


class WorkerProcess:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> Self:
        """A new one, ready to be asked."""
        process = await launch.start_async(
            "pitboss.web.worker", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            environment={**os.environ, "PITBOSS_QUIET": "1"}, start_new_session=True,  # Ctrl-C is for the room
        )  # fmt: skip
        worker = cls(process)
        try:
            async with asyncio.timeout(START_SECONDS):
                await worker._hear()
        except BaseException:
            await worker.kill()
            raise
        return worker

    async def ask(self, question: bytes) -> Answer:
        """The answer to a pickled question."""
        assert self._process.stdin
        self._process.stdin.write(question)
        await self._process.stdin.drain()
        return await self._hear()

    async def _hear(self) -> Answer:
        assert self._process.stdout
        (length,) = LENGTH.unpack(await self._process.stdout.readexactly(LENGTH.size))
        return pickle.loads(await self._process.stdout.readexactly(length))  # type: ignore[no-any-return]

    async def kill(self) -> None:
        """End it now, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class WorkerQueue:
    """Some workers, and those who wait for one. A question has so many seconds; then its worker is ended, and the next
    question gets a new one."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.seconds = seconds
        self._turns = Turns(workers)
        self._idle: list[WorkerProcess] = []

    def waiting(self, client: str) -> int:
        """How many questions of a client wait."""
        return self._turns.waiting(client)

    async def ask(self, client: str, question: bytes) -> Answer:
        """The answer, when it is this client's turn; `TimeoutError` if there is none in time."""
        async with self._turns.of(client):
            try:
                return await self._try(question)
            except (asyncio.IncompleteReadError, ConnectionError):  # it was killed while it rested, or by this question
                return await self._try(question)

    async def _try(self, question: bytes) -> Answer:
        worker = self._idle.pop() if self._idle else await WorkerProcess.start()
        try:
            async with asyncio.timeout(self.seconds):
                answer = await worker.ask(question)
        except BaseException:
            await worker.kill()
            raise
        self._idle.append(worker)
        return answer

    async def prepare(self) -> None:
        """Have a worker ready before anybody asks."""
        self._idle.append(await WorkerProcess.start())

    async def close(self) -> None:
        """Send the workers home."""
        for worker in self._idle:
            await worker.kill()
        self._idle.clear()


class WorkerPool:
    """Where the room asks what may take long."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._front, self._back = WorkerQueue(FRONT, settings.quick_seconds), WorkerQueue(BACK, settings.costly_seconds)
        self._costly: dict[str, None] = {}  # topics that were not answered at the front
        self._given_up: dict[str, float] = {}  # topics that were not answered at all, and until when they are left
        self._at_back: set[str] = set()  # clients
        self._brake = Limiter(settings.costly_per_minute)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def ask(self, client: str, topic: str, question: Callable[[], T]) -> T:
        """What a function says, which must be one that can be pickled; `TooCostly` if it is not worth the time.

        Questions of one `topic` cost about the same: the first may have to work something out that is then kept.
        """
        if self._given_up.get(topic, 0.0) > time.monotonic():
            raise TooCostly(f"more than the {self.settings.costly_seconds:g} seconds that a question may take here")
        pickled = pickle.dumps(question)
        if topic not in self._costly:
            if self._front.waiting(client) >= IN_LINE:
                raise TooCostly("a while, and many questions of yours are waiting already")
            with contextlib.suppress(TimeoutError):
                return cast(T, _value(await self._at_front(client, pickled)))
            _remember(self._costly, topic, None)
        return cast(T, _value(await self._ask_at_back(client, topic, pickled)))

    async def _at_front(self, client: str, question: bytes) -> Answer:
        """Ask at the front. Who leaves early leaves the worker to it, which is soon done: to kill it would keep others
        waiting longer."""
        return await asyncio.shield(self._do(self._front.ask(client, question)))

    def _do(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something, even if nobody waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # heard
        return task

    async def _ask_at_back(self, client: str, topic: str, question: bytes) -> Answer:
        if client in self._at_back:
            raise TooCostly("a while, and another question of yours is still being worked on; ask again after it")
        if not self._brake.allows(client):
            raise TooCostly(f"a while, and {self.settings.costly_per_minute} such questions a minute are enough")
        self._at_back.add(client)
        try:
            answer = await self._back.ask(client, question)
        except TimeoutError:
            _remember(self._given_up, topic, time.monotonic() + HOUR)
            raise TooCostly(f"more than the {self._back.seconds:g} seconds that a question may take here") from None
        finally:
            self._at_back.discard(client)
        self._costly.pop(topic, None)
        return answer

    def prepare(self) -> None:
        """Have a worker ready soon, before anybody asks."""
        self._do(self._front.prepare())

    async def close(self) -> None:
        """End everything."""
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
        await self._front.close()
        await self._back.close()


def _value(answer: Answer) -> Any:
    if answer.status:
        raise Refused(HTTPStatus(answer.status), answer.sentence)
    return answer.value


def _remember(topics: Data, topic: str, value: object) -> None:
    """Note a topic; when there are too many, the oldest is forgotten."""
    topics[topic] = value
    while len(topics) > MOST_TOPICS:
        del topics[next(iter(topics))]

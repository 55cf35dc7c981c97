"""Tournaments that this server plays, each in a process of its own, which is the command `pitboss tournament resume`.

So nothing is lost whatever happens to the server, and a stopped tournament can be taken up here or from a terminal.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import subprocess
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated

from pydantic import Field

from pitboss.core import launch
from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.core.registry import load
from pitboss.tournament.settings import TournamentSettings
from pitboss.tournament.tournament import Tournament
from pitboss.web.errors import conflict, forbidden
from pitboss.web.requests import Asked
from pitboss.web.room.room import in_thread
from pitboss.web.room.store import TableStore
from pitboss.web.room.table import house_bot, new_token
from pitboss.web.settings import ServerSettings
from pitboss.web.slow_bots import SpeedCheck

MOST_GAMES = 200_000  # of a tournament that is started from a page
NICE = 10  # people at the tables come first
STOP_SECONDS = 20.0  # in which a tournament must have saved what it plays


BotName = Annotated[str, Field(min_length=1, max_length=60)]
SentId = Annotated[str, Field(pattern="^[a-z0-9]{1,40}$")]


class TournamentAsked(Asked):
    """A tournament to be played."""

    name: str = Field("", max_length=80, description="What to call it; its id if left out.")
    spec: str = Field("flip7:tournament", max_length=600)
    bots: list[BotName] = Field(max_length=40, description="Built-in bots, such as stay-25.")
    sent: list[SentId] = Field([], max_length=40, description="Ids of submitted bots; this needs the token.")
    seats: int | None = Field(None, ge=1, le=62, description="At a table; two if left out.")
    best_of: int = Field(1, ge=1, le=99)
    blocks: int = Field(20, ge=1, le=100_000, description="Deals for each set of bots.")
    format: str = Field("round-robin", max_length=20, description="round-robin, gauntlet or swiss.")
    seed: str | None = Field(None, max_length=40, description="A number or a whole key; random if left out.")

    @property
    def at_a_table(self) -> int:
        """How many sit at a table."""
        seats = load(self.spec).rules.seats
        return self.seats or (2 if 2 in seats else seats[0])


class _Run:
    """A process with a command of pitboss that plays, and what it complains about."""

    def __init__(self, command: Sequence[str]) -> None:
        self._errors = TemporaryFile()  # noqa: SIM115 - closed when the process has ended
        self.process = launch.start(
            "pitboss", *command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._errors,
            start_new_session=True,  # Ctrl-C in our terminal is ours to pass on, once
        )  # fmt: skip
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self.process.pid, NICE)
        self.complaint = ""

    def running(self) -> bool:
        """Whether it still plays; if not, `complaint` says why it ended early, if it did."""
        code = self.process.poll()
        if code is None:
            return True
        if not self._errors.closed:
            self._errors.seek(0)
            lines = self._errors.read(100_000).decode(errors="replace").strip().splitlines()
            self._errors.close()
            if code not in (0, 130, -signal.SIGTERM):
                self.complaint = lines[-1] if lines else f"it ended with code {code}"
        return False


class Runs:
    """The processes by the id of their tournament."""

    def __init__(self, settings: ServerSettings, keeper: TableStore, speed: SpeedCheck) -> None:
        self.settings, self.keeper, self.store, self._speed = settings, keeper, keeper.store, speed
        self._runs: dict[str, _Run] = {}
        self._lock = asyncio.Lock()

    def running(self) -> set[str]:
        """What is being played now."""
        return {id for id, run in self._runs.items() if run.running()}

    def complaint(self, id: str) -> str:
        """Why a run ended early; nothing if it did not."""
        return self._runs[id].complaint if id in self._runs and not self._runs[id].running() else ""

    async def start(self, client: str, wanted: TournamentAsked, files: Sequence[Path]) -> tuple[str, str]:
        """Store a new tournament, with the files of submitted bots, and start to play it. Returns its id, and the
        token of the person who started it."""
        self._verify_room()
        await in_thread(lambda: _verify_size(wanted, len(files)))
        await self._speed.verify(client, wanted.spec, wanted.bots, wanted.at_a_table)
        token = new_token()
        async with self._lock:
            self._verify_room()
            id = await in_thread(lambda: self._make(wanted, files, token))
            self._begin(id)
        return id, token

    def may_control(self, id: str, token: str | None) -> bool:
        """Whether a token belongs to the host, or to the person who started a tournament; slow work, for a thread."""
        if not token:
            return False
        host = self.settings.host_token
        return (
            bool(host) and secrets.compare_digest(host.encode(), token.encode(errors="replace"))
        ) or self.keeper.began(id, token)

    async def resume(self, id: str, token: str | None) -> None:
        """Continue a tournament."""
        await self._verify_control(id, token)
        async with self._lock:
            if id in self.running():
                return
            if (await in_thread(lambda: self.store.tournament(id))).finished:
                raise conflict(f"the tournament {id} is finished")
            self._verify_room()
            self._begin(id)

    async def stop(self, id: str, token: str | None) -> None:
        """Stop as Ctrl-C would in a terminal: what is played is kept."""
        await self._verify_control(id, token)
        async with self._lock:
            if id not in self.running():
                raise conflict(f"the tournament {id} is not being played by this server")
            await in_thread(lambda: _end([self._runs[id]]))

    async def close(self) -> None:
        """Stop all."""
        await in_thread(lambda: _end(list(self._runs.values())))

    async def _verify_control(self, id: str, token: str | None) -> None:
        if not await in_thread(lambda: self.may_control(id, token)):
            raise forbidden("only the person who started this tournament, or the room's host, may stop or resume it")

    def _verify_room(self) -> None:
        if self.store.url == "sqlite://":
            raise conflict("this server keeps everything in memory; started with --store FILE it can play tournaments")
        if len(self.running()) >= self.settings.most_runs:
            raise conflict("a tournament is being played already; wait for its end, or stop it")

    def _make(self, wanted: TournamentAsked, files: Sequence[Path], token: str) -> str:
        game = load(wanted.spec)
        for bot in wanted.bots:
            house_bot(bot, game)
        entrants = [*wanted.bots, *map(str, files)]
        made = Tournament(
            game, entrants, seats=wanted.seats, best_of=wanted.best_of, blocks=wanted.blocks, format=wanted.format,
            seed=wanted.seed and Key.parse(wanted.seed), limits=self.settings.limits, store=self.store,
            require_isolation=bool(files),
        )  # fmt: skip
        self.keeper.keep_run(made.id, token, wanted.name)
        return made.id

    def _begin(self, id: str) -> None:
        # Bots of files play in a sandbox or not at all: the person who asked for this is not the host.
        command = ["tournament", "resume", id, "--store", self.store.name, "--require-isolation", "--json"]
        self._runs[id] = _Run(command)


def _verify_size(wanted: TournamentAsked, files: int) -> None:
    """Refuse what would take days."""
    seats, bots = wanted.at_a_table, len(wanted.bots) + files
    load(wanted.spec).verify_seats(seats)
    if bots < max(seats, 2):
        raise PitbossError(f"it takes {max(seats, 2)} bots or more for tables of {seats}, not {bots}")
    plan = TournamentSettings(seats=seats, best_of=wanted.best_of, blocks=wanted.blocks, format=wanted.format)
    plan.verify()
    most = MOST_GAMES // (seats * wanted.best_of)
    if sum(1 for _ in islice(plan.sittings(bots), most + 1)) > most:
        raise PitbossError(
            f"that would be more than {MOST_GAMES:,} games; take fewer bots, deals or games in a match, or run it with "
            "pitboss tournament run"
        )


def _end(runs: Sequence[_Run]) -> None:
    """Let processes save what they play, and end."""
    for run in runs:
        if run.running():
            run.process.send_signal(signal.SIGTERM)  # a server in the background has them ignore Ctrl-C
    for run in runs:
        try:
            run.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            run.process.kill()
            run.process.wait()
        run.running()

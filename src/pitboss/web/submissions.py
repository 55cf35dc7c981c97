"""Bots that people submit: kept as files in a folder, and checked by the command `pitboss check-bot`.

Nothing of such a file is ever run in this process, and nothing at all where `pitboss arena doctor` is not content.
Each bot has a folder of its own; what is known about it lies beside that folder, where the bot cannot read it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import time
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, computed_field

from pitboss.core import launch
from pitboss.core.errors import PitbossError
from pitboss.core.registry import load, title_of
from pitboss.sandbox.doctor import examine
from pitboss.tournament.check import Finding
from pitboss.tournament.store import new_id
from pitboss.web.errors import conflict, forbidden, not_found
from pitboss.web.room.room import in_thread
from pitboss.web.settings import ServerSettings

NAME = r"[A-Za-z][A-Za-z0-9_-]{0,39}"
SOURCE_BYTES = 64 * 1024
CHECK_SECONDS = 120.0
GAMES = 20  # that a bot plays to be checked
QUEUE = 8  # bots that wait for their check
ANSWER_BYTES = 1 << 20


class SubmissionState(StrEnum):
    """Where a bot is on its way."""

    WAITING = "waiting"
    CHECKING = "checking"
    FINE = "fine"
    REFUSED = "refused"


class Submission(BaseModel):
    """A submitted bot."""

    id: str
    name: str
    game: str
    sent: str
    state: SubmissionState
    findings: list[Finding] = []
    bot: str = Field(default="", description="What the bot calls itself.")
    version: str = Field(default="", description="A hash of its source.")

    @computed_field(description="The game and its rule book, for people.")  # type: ignore[prop-decorator]
    @property
    def title(self) -> str:
        return title_of(self.game)


class Submissions:
    """All submitted bots."""

    def __init__(self, settings: ServerSettings) -> None:
        self.folder = Path(settings.uploads or _beside(settings.store))
        self.most, self.limits = settings.most_uploads, settings.limits
        self._one_by_one = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def verify_isolated(self) -> None:
        """Refuse everything on a machine where an untrusted bot could do harm."""
        found = await in_thread(examine)
        if not found.isolated:
            raise forbidden(f"this room does not accept bots. {found.verdict}")

    async def submit(self, name: str, spec: str, source: str) -> Submission:
        """Keep a bot, and have it checked soon."""
        await self.verify_isolated()
        kept = await in_thread(lambda: self._keep(name, spec, source))
        self._check_soon(kept)
        return kept

    def _check_soon(self, kept: Submission) -> None:
        task = asyncio.create_task(self._check(kept))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _keep(self, name: str, spec: str, source: str) -> Submission:
        try:
            data = source.encode()
        except UnicodeEncodeError:
            raise PitbossError("the file is not text in UTF-8") from None
        if not data.strip():
            raise PitbossError("the file is empty")
        if len(data) > SOURCE_BYTES:
            raise PitbossError(
                f"a bot may have {SOURCE_BYTES // 1024} KiB at most, and this one has {len(data):,} bytes"
            )
        if len(self._tasks) >= QUEUE:
            raise conflict("many bots are waiting for their check; try again in a minute")
        self.folder.mkdir(parents=True, exist_ok=True)
        if sum(1 for _ in self.folder.glob("*.json")) >= self.most:
            raise conflict(f"{self.most} bots have been submitted, which is the limit; ask the host to delete some")
        game = str(load(spec))
        kept = Submission(id=new_id(), name=name, game=game, sent=_now(), state=SubmissionState.WAITING)
        path = self.path(kept)
        path.parent.mkdir()
        path.write_bytes(data)
        self._write(kept)
        return kept

    def all(self) -> list[Submission]:
        """All of them, the newest first."""
        found = [self.find(path.stem) for path in self.folder.glob("*.json")]
        return sorted(found, key=lambda each: each.sent, reverse=True)

    def find(self, id: str) -> Submission:
        """One of them."""
        try:
            return Submission.model_validate_json(self._notes(id).read_text())
        except FileNotFoundError:
            raise not_found("there is no such bot") from None

    def path(self, kept: Submission) -> Path:
        """The file of a bot."""
        return self.folder / kept.id / f"{kept.name}.py"

    async def close(self) -> None:
        """Leave the checks; those that were not done are done when the server is open again."""
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def go_on(self) -> None:
        """Check what was left unchecked when the server closed."""
        for kept in await in_thread(self.all):
            if kept.state in (SubmissionState.WAITING, SubmissionState.CHECKING):
                self._check_soon(kept)

    async def _check(self, kept: Submission) -> None:
        """Let a bot play some games under the referee, in a process that can be ended."""
        async with self._one_by_one:
            await self._note(kept, SubmissionState.CHECKING, [])
            command = ["check-bot", str(self.path(kept)), "--game", kept.game, "--games", str(GAMES)]
            command += ["--clock", self.limits.clock, *(f"--allow={name}" for name in self.limits.allow)]
            process = await launch.start_async(
                "pitboss", *command, "--require-isolation", "--json", stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
            try:
                out, err = await asyncio.wait_for(process.communicate(), CHECK_SECONDS)
                said, complaint = out.decode(errors="replace"), err.decode(errors="replace")
            except TimeoutError:
                said, complaint = "", f"the check was not done after {CHECK_SECONDS:g} seconds"
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
            await self._judge(kept, said, complaint)

    async def _judge(self, kept: Submission, said: str, complaint: str) -> None:
        try:
            (found,) = json.loads(said[:ANSWER_BYTES])
        except ValueError:  # no JSON, or not one bot
            text = re.sub(r"^\W*error\W*", "", " ".join(complaint.split()), flags=re.IGNORECASE)
            text = self._discreet(text, kept) or "it could not be checked"
            await self._note(kept, SubmissionState.REFUSED, [Finding(about="loading", fine=False, text=text[-2000:])])
            return
        findings = [
            Finding(about=each["about"], fine=each["fine"], text=self._discreet(each["text"], kept)[:2000])
            for each in found["findings"]
        ]
        state = SubmissionState.FINE if found["fine"] else SubmissionState.REFUSED
        await self._note(kept, state, findings, bot=found["bot"], version=found["version"])

    def _discreet(self, text: str, kept: Submission) -> str:
        """Where our files are is nobody's business."""
        path = self.path(kept)
        for folder in {path.parent, path.parent.resolve()}:
            text = text.replace(f"{folder}{os.sep}", "")
        return text

    async def _note(self, kept: Submission, state: SubmissionState, findings: list[Finding], **more: Any) -> None:
        changed = kept.model_copy(update={"state": state, "findings": findings, **more})
        await in_thread(lambda: self._write(changed))

    def _write(self, kept: Submission) -> None:
        path = self._notes(kept.id)
        half = path.with_suffix(".part")
        half.write_text(kept.model_dump_json())
        half.replace(path)

    def _notes(self, id: str) -> Path:
        return self.folder / f"{id}.json"


def _beside(store: str) -> str:
    """The folder for bots, where none is named: beside the store, if that is a file.

    >>> _beside("cup.db"), _beside("sqlite:////home/ann/cup.db"), _beside("postgresql://db/cup")
    ('cup-bots', '/home/ann/cup-bots', 'pitboss-bots')
    """
    path = store.removeprefix("sqlite:///")
    return "pitboss-bots" if "://" in path or path in (":memory:", "") else str(Path(path).with_suffix("")) + "-bots"


def _now() -> str:
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")

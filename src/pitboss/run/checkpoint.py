"""Long simulations: what is done is kept, so that they can be stopped and taken up again.

A simulation that was stopped is known again by all that decides its games: the rules, the bots, the key. What is
kept is a small file with its sums, in the cache folder; if the games themselves are written, it lies with them.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from pitboss.core.cache_folder import cache_root
from pitboss.core.errors import PitbossError
from pitboss.core.files import is_special
from pitboss.core.types import Data
from pitboss.core.version import bot_version, engine_version
from pitboss.run.parquet import Parts
from pitboss.run.work import Played, Work
from pitboss.stats.intervals import Sums

EVERY = 60.0  # seconds: how much work a crash can cost
STATE = "_state.json"  # readers of folders of Parquet files leave out what begins like this


@dataclass(frozen=True)
class RunState:
    """How far a simulation is."""

    sums: Sums | None = None
    counts: tuple[int, int, int] = (0, 0, 0)  # decisions, cards, games that were cut
    seconds: float = 0.0

    @property
    def blocks(self) -> int:
        """How many blocks are done: the first ones."""
        return self.sums.blocks if self.sums else 0

    def plus(self, played: Played) -> RunState:
        """With the next chunk."""
        decisions, cards, cut = (a + int(b) for a, b in zip(self.counts, played.counts, strict=True))
        sums = played.sums if self.sums is None else self.sums + played.sums
        return replace(self, sums=sums, counts=(decisions, cards, cut))

    def to_dict(self) -> Data:
        """For JSON; every number comes back as it was."""
        sums = self.sums and {f.name: np.asarray(getattr(self.sums, f.name)).tolist() for f in fields(self.sums)}
        return {"sums": sums, "counts": self.counts, "seconds": self.seconds}

    @classmethod
    def from_dict(cls, data: Data) -> RunState:
        """What `to_dict` wrote down."""
        kept: Data = {k: np.array(v) if isinstance(v, list) else v for k, v in (data["sums"] or {}).items()}
        sums = Sums(**kept) if kept else None
        decisions, cards, cut = data["counts"]
        return cls(sums, (decisions, cards, cut), data["seconds"])


class Checkpoint:
    """Keeps the state of one simulation, and its games if there is somewhere to put them."""

    def __init__(self, work: Work, names: list[str], out: Path | None, resume: bool) -> None:
        if out is not None and out.suffix != ".parquet" and not _is_folder(out):
            raise PitbossError(f"`out={out}` is neither a file that ends in .parquet nor a folder")
        if out is not None and is_special(out):  # whose place a file would take
            raise PitbossError(f"`out={out}` is a device or a pipe, and Parquet needs a file")
        self.out, self.resume, self.work, self._names = out, resume, work, names
        self._parts: Parts | None = None
        self._saved_at = time.monotonic()
        self._used = resume or out is not None

    @cached_property
    def _identity(self) -> Data:
        work = self.work
        return {
            "game": str(work.game),
            "bots": [[entrant.name, bot_version(entrant)] for entrant in work.entrants],
            "key": str(work.key),
            "rotations": work.rotations,
            "engine": engine_version(work.game),
        }

    @cached_property
    def folder(self) -> Path:
        """Where the state lies, and the games until all are played."""
        if self.out is None:
            name = hashlib.sha256(json.dumps(self._identity).encode()).hexdigest()[:20]
            return cache_root() / "runs" / name
        return self.out if _is_folder(self.out) else self.out.with_name(f"{self.out.name}.parts")

    @property
    def begun(self) -> bool:
        """Whether some of this simulation is kept."""
        kept = self._kept()
        return bool(kept and kept["identity"] == self._identity)

    def begin(self) -> RunState:
        """Where to go on: at the beginning, or where the same simulation was stopped."""
        kept = self._kept() if self._used else None
        if self.out is None:
            return RunState.from_dict(kept["state"]) if kept else RunState()
        if kept and not self.resume:
            games = (RunState.from_dict(kept["state"]).blocks) * self.work.rotations
            raise PitbossError(
                f"{self.folder} holds {games:,} games of a simulation that was stopped; go on with `resume`, "
                "or delete the folder"
            )
        if kept and kept["identity"] != self._identity:
            raise PitbossError(
                f"{self.folder} belongs to another simulation: {kept['identity']['game']} with "
                f"{', '.join(name for name, _ in kept['identity']['bots'])}, {kept['identity']['key']}, or other "
                "versions of them; delete the folder, or choose another `out`"
            )
        if not kept and self.folder.is_dir() and any(self.folder.iterdir()):
            raise PitbossError(f"{self.folder} is not empty; choose another `out`, or delete what is in it")
        self.folder.mkdir(exist_ok=True)
        self._parts = Parts(self.folder, self.work, self._names, kept["parts"] if kept else 0)
        state = RunState.from_dict(kept["state"]) if kept else RunState()
        self._write(state)
        return state

    def _kept(self) -> Data | None:
        try:
            return json.loads((self.folder / STATE).read_text(encoding="utf-8"))  # type: ignore[no-any-return]
        except FileNotFoundError:
            return None

    def add(self, played: Played) -> None:
        """One more chunk."""
        if self._parts:
            self._parts.add(played)

    def save_now_and_then(self, state: RunState) -> None:
        """Keep what is done if that was not done for a while."""
        if time.monotonic() - self._saved_at > EVERY:
            self.save(state)

    def save(self, state: RunState) -> None:
        """Keep what is done: first the games, then the state that counts them."""
        if self._parts:
            self._parts.close()
        self._write(state)
        self._used, self._saved_at = True, time.monotonic()

    def _write(self, state: RunState) -> None:
        content = {
            "identity": self._identity, "state": state.to_dict(), "parts": self._parts.done if self._parts else 0
        }  # fmt: skip
        self.folder.mkdir(parents=True, exist_ok=True)
        half = self.folder / f"{STATE}.{os.getpid()}"
        with half.open("w", encoding="utf-8") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        half.replace(self.folder / STATE)

    def finish(self, state: RunState) -> None:
        """All is played: the games are where they should be, and nothing else is left."""
        if self._parts and self.out:
            self.save(state)
            if self.folder != self.out:
                self._parts.join(self.out)
        self.forget()

    def forget(self) -> None:
        """Nothing is to be gone on with."""
        if self._used:
            (self.folder / STATE).unlink(missing_ok=True)
            if self.folder != self.out:
                shutil.rmtree(self.folder, ignore_errors=True)


def _is_folder(out: Path) -> bool:
    """Whether the games go into parts in a folder, which a name without an ending is."""
    return out.is_dir() or not out.suffix

"""A simulation on a cluster."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.keys import Key
from pitboss.core.registry import bot, load
from pitboss.core.temporary import temporary_folder
from pitboss.core.version import engine_version
from pitboss.run.cluster import Cluster
from pitboss.run.work import Chunk, Chunks, Played, Work


@dataclass(frozen=True)
class Traveller:
    """A bot as it travels: its text, and if it is from a file, the file."""

    name: str
    version: str
    source: bytes | None

    @classmethod
    def of(cls, entrant: Entrant, game: Any) -> Traveller:
        """Refuses bots that no text leads to."""
        file = re.match(r"(.+\.py)(?::|$)", entrant.name)
        if file and entrant.version:
            return cls(entrant.name, entrant.version, Path(file[1]).read_bytes())
        try:
            bot(entrant.name, game)
        except BotError:
            raise PitbossError(
                f"{entrant.name} is a class of this program, and cannot travel to other machines; put it into a file"
            ) from None
        return cls(entrant.name, entrant.version, None)

    def arrive(self, game: Any, folder: Path) -> Entrant:
        """The bot, on another machine; what was in its file is put into this folder."""
        if self.source is None:
            return bot(self.name, game)
        path, _, rest = self.name.partition(".py")
        folder.mkdir()
        file = folder / f"{Path(path).name}.py"
        file.write_bytes(self.source)
        entrant = replace(bot(f"{file}{rest}", game), name=self.name)
        if entrant.version != self.version:
            raise BotError(f"{self.name} is not what it was when the simulation began; begin again")
        return entrant


@dataclass(frozen=True)
class SimOrder:
    """All that a node must know to play chunks of a simulation."""

    spec: str
    bots: tuple[Traveller, ...]
    key: Key
    rotations: int
    rows: bool
    engine: str

    def open(self, alone: bool) -> SimPlayer:
        return SimPlayer(self)


class SimPlayer:
    """Plays chunks of a simulation."""

    def __init__(self, order: SimOrder) -> None:
        game = load(order.spec)
        if engine_version(game) != order.engine:
            raise PitbossError(f"the rules of {order.spec} are others than where the simulation began")
        self._rows = order.rows
        with ExitStack() as stack:
            folder = stack.enter_context(temporary_folder())
            entrants = [b.arrive(game, folder / str(n)) for n, b in enumerate(order.bots)]
            self._work = Work(game, tuple(entrants), order.key, order.rotations)
            self._work.job.warm_up()
            self._all = stack.pop_all()

    def play(self, units: list[Chunk]) -> list[Played]:
        return [self._work.play(chunk, self._rows) for chunk in units]

    def close(self) -> None:
        self._all.close()


class OnCluster:
    """Plays the chunks of a simulation on a cluster; an executor for `simulate`."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.threads = 0
        self._cluster = Cluster(address, workers, weigh=lambda chunk: chunk[1])

    def begin(self, work: Work) -> None:
        self._bots = tuple(Traveller.of(entrant, work.game) for entrant in work.entrants)

    def run(self, work: Work, chunks: Chunks, rows: bool) -> Generator[Played | None, None, None]:
        order = SimOrder(str(work.game), self._bots, work.key, work.rotations, rows, engine_version(work.game))
        for done in self._cluster.run(order, chunks, in_order=True):
            if done is None:
                yield None
            else:
                yield from done[1]

    def report(self) -> dict[str, Any]:
        return self._cluster.report("blocks")

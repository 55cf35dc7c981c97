"""A simulation as it travels to the nodes of a cluster."""

from __future__ import annotations

from collections.abc import Set
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from pitboss.core.bot import PLACE, Entrant
from pitboss.core.errors import BotError, PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.registry import bot, load
from pitboss.core.temporary import temporary_folder
from pitboss.core.version import engine_version
from pitboss.run.work import Chunk, Order, Played, Work


@dataclass(frozen=True)
class Traveller:
    """A bot as it travels: its text, and if it is from a file, the file."""

    name: str
    version: str
    source: bytes | None

    @classmethod
    def of(cls, entrant: Entrant, game: Game) -> Traveller:
        """Refuses bots that no text leads to."""
        file = PLACE.fullmatch(entrant.name)
        if file and entrant.version:
            return cls(entrant.name, entrant.version, Path(file["path"]).read_bytes())
        try:
            bot(entrant.name, game)
        except BotError:
            raise PitbossError(
                f"{entrant.name} is a class of this program, and cannot travel to other machines; put it into a file"
            ) from None
        return cls(entrant.name, entrant.version, None)

    def arrive(self, game: Game, folder: Path) -> Entrant:
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
class SimOrder(Order):
    """All that a node must know to play chunks of a simulation."""

    spec: str
    bots: tuple[Traveller, ...]
    key: Key
    rotations: int
    rows: bool
    games: int
    engine: str

    @classmethod
    def of(cls, work: Work) -> SimOrder:
        """Refuses bots that cannot travel."""
        bots = tuple(Traveller.of(entrant, work.game) for entrant in work.entrants)
        return cls(str(work.game), bots, work.key, work.rotations, work.rows, work.games, engine_version(work.game))

    def open(self, alone: bool = True, aside: Set[int] = frozenset()) -> SimPlayer:
        return SimPlayer(self)


class SimPlayer:
    """Plays chunks of a simulation."""

    def __init__(self, order: SimOrder) -> None:
        game = load(order.spec)
        if engine_version(game) != order.engine:
            raise PitbossError(f"the rules of {order.spec} are others than where the simulation began")
        with ExitStack() as stack:
            folder = stack.enter_context(temporary_folder())
            entrants = [b.arrive(game, folder / str(n)) for n, b in enumerate(order.bots)]
            self._work = Work(game, tuple(entrants), order.key, order.rotations, order.rows, order.games).open()
            self._all = stack.pop_all()

    def play_all(self, units: list[Chunk]) -> list[Played]:
        return self._work.play_all(units)

    def close(self) -> None:
        self._all.close()

"""What a simulation plays, and how a chunk of it is played here.

Work is the same wherever it is done: blocks of games, numbered from 0, that depend on nothing but their number.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias

import numpy as np

from pitboss.core.bot import Entrant, RandomBot
from pitboss.core.compile import deferred, interpreted
from pitboss.core.errors import BotError
from pitboss.core.game import Game, Legal
from pitboss.core.keys import Key
from pitboss.core.step import FINE
from pitboss.core.types import Array
from pitboss.stats.intervals import Sums

if TYPE_CHECKING:
    from pitboss.run.special import SpecialLoop

CHUNK_GAMES = 2000  # the size of a chunk never depends on who plays it
PYTHON_CHUNK_GAMES = 40

Chunk = tuple[int, int]  # the first block, and how many


@dataclass(frozen=True)
class Chunks:
    """The chunks from block `begin` up to `end`, each of `size` blocks; the last may be shorter.

    >>> list(Chunks(4, 9, 2))
    [(4, 2), (6, 2), (8, 1)]
    """

    begin: int
    end: int
    size: int

    def __iter__(self) -> Iterator[Chunk]:
        return ((first, min(self.size, self.end - first)) for first in range(self.begin, self.end, self.size))


class Played(NamedTuple):
    """A chunk that was played; its rows[block, rotation, seat, column] only where they are wanted."""

    first: int
    sums: Sums
    counts: Array  # decisions, cards, games that were cut
    rows: Array | None


class Job(Protocol):
    """Plays blocks first, first+1, … into rows[block, rotation, seat, column], and counts."""

    def rows(self, first: int, count: int) -> tuple[Array, Array]: ...
    def warm_up(self) -> None: ...


Unit: TypeAlias = Any  # of an order: a chunk, a match


class UnitPlayer(Protocol):
    """Plays units of an order: parts that must stay together."""

    def play_all(self, units: list[Unit]) -> list[Any]: ...
    def close(self) -> None: ...


class Order(ABC):
    """What is to be played, whoever does it (`executors`): it is opened wherever somebody works on it."""

    counted: ClassVar[str]  # what units are made of, as reports say it

    @property
    def per_task(self) -> int:
        """How many units are worth handing over together."""
        return 1

    @property
    def single(self) -> bool:
        """Whether it must not be played in several threads."""
        return True

    @property
    def pinned(self) -> bool:
        """Whether a worker process, and the bots that it asks, should keep to one core."""
        return False

    def weigh(self, unit: Unit) -> int:
        """How much a unit counts in reports."""
        return 1

    @abstractmethod
    def open(self, alone: bool = True, aside: Set[int] = frozenset()) -> UnitPlayer:
        """Get ready here, or refuse by PitbossError. `alone`: nobody else works on it on this machine yet; `aside` are
        cores that nobody keeps to."""

    def travelling(self) -> Order:
        """The same, with all that another machine needs; what cannot travel is refused."""
        return self


@dataclass(frozen=True)
class Work(Order):
    """All that decides the games of a simulation: an order whose units are chunks."""

    game: Game
    entrants: tuple[Entrant, ...]
    key: Key
    rotations: int
    rows: bool = False  # whether the games themselves are wanted, and not only their sums
    games: int = 0  # about how many there will be, if that is known: many are worth a loop of their own

    counted = "blocks"

    @property
    def single(self) -> bool:
        """Whether some bot is written in Python, so that games cannot be played in several threads."""
        return any(entrant.make for entrant in self.entrants)

    @property
    def per_chunk(self) -> int:
        """Blocks of a chunk."""
        return max(1, (PYTHON_CHUNK_GAMES if self.single else CHUNK_GAMES) // self.rotations)

    @cached_property
    def job(self) -> Job:
        """What plays it."""
        if deferred():
            from pitboss.run.quick_job import QuickJob

            return QuickJob(self.game, self.entrants, self.key, self.rotations)
        if self.single:
            return PythonJob(self.game, list(self.entrants), self.key, self.rotations)
        return CompiledJob(self.game, list(self.entrants), self.key, self.rotations, self.games)

    def weigh(self, unit: Chunk) -> int:
        return unit[1]

    def open(self, alone: bool = True, aside: Set[int] = frozenset()) -> Work:
        self.job.warm_up()
        return self

    def travelling(self) -> Order:
        from pitboss.run.remote import SimOrder

        return SimOrder.of(self)

    def play_all(self, units: Iterable[Chunk]) -> list[Played]:
        """Play some chunks."""
        played = ((first, *self.job.rows(first, count)) for first, count in units)
        return [Played(first, Sums.of(rows), counts, rows if self.rows else None) for first, rows, counts in played]

    def close(self) -> None:
        """There is nothing to end."""


class CompiledJob:
    """Plays chunks of blocks wholly in compiled code."""

    def __init__(self, game: Game, entrants: list[Entrant], key: Key, rotations: int, games: int = 0) -> None:
        from pitboss.core.seating import seating

        self._game, self._entrants, self._rotations, self._games = game, entrants, rotations, games
        self._key, self._words = key, key.words
        self._seating = seating(entrants, game.view_dtype, game.rules_class.dtype())
        self._special: tuple[SpecialLoop, Array] | None = None
        self._own = threading.local()

    def rows(self, first: int, count: int) -> tuple[Array, Array]:
        rows = np.zeros((count, self._rotations, len(self._entrants), self._game.width))
        counts = np.zeros(3, np.int64)
        if self._special:
            loop, seats = self._special
            if loop.play(seats, self._words, (first, self._rotations), rows, counts) == FINE:
                return rows, counts
        self._play(first, rows, counts)
        return rows, counts

    def _play(self, first: int, rows: Array, counts: Array) -> None:
        """Play in the loop that serves all tables, and say who made an illegal move."""
        game, own = self._game, self._own
        if not hasattr(own, "states"):
            own.states, own.views = np.zeros(1, game.state_dtype), np.zeros(1, game.view_dtype)
        table, span = (own.states, own.views, game.record), (first, self._rotations)
        culprit = game.loops.play_blocks(table, self._seating, self._words, span, rows, counts)
        if culprit != FINE:
            name, seat = self._entrants[culprit].name, int(own.states["to_act"][0])
            legal = Legal(game, int(game.loops.legal(own.states, game.record)), dealing=False)
            raise BotError(f"the bot {name} at seat {seat} made an illegal move; legal: {legal}")

    def warm_up(self) -> None:
        """Get the loop that suits the number of games."""
        if interpreted():
            return
        from pitboss.run.special import special_loop

        special = special_loop(self._game, self._entrants, self._key, self._games)
        self._special = (special, special.seating(self._entrants)) if special else None
        self.rows(0, 1)


class PythonJob:
    """Plays chunks of blocks with Python bots among the seats."""

    def __init__(self, game: Game, entrants: list[Entrant], key: Key, rotations: int) -> None:
        from pitboss.core.play import Runner, Seats

        self._game, self._key, self._rotations, seats = game, key, rotations, len(entrants)
        self._runners = [
            Runner(Seats(game, [entrants[(s - j) % seats] for s in range(seats)])) for j in range(rotations)
        ]

    def rows(self, first: int, count: int) -> tuple[Array, Array]:
        seats = len(self._runners[0].seats.entrants)
        rows = np.zeros((count, self._rotations, seats, self._game.width))
        counts = np.zeros(3, np.int64)
        for block in range(count):
            for rotation, runner in enumerate(self._runners):
                counts += runner.play(self._key, first + block, rotation, rows[block, rotation])
        return rows, counts

    def warm_up(self) -> None:
        """With built-in bots: those of the line-up are asked only about games that count."""
        from pitboss.core.play import Runner, Seats
        from pitboss.core.registry import line_up

        seats = len(self._runners[0].seats.entrants)
        stand_in: str | type[RandomBot] = next(iter(self._game.default_bots()), RandomBot)
        stand_ins = line_up([stand_in] * seats, self._game)
        Runner(Seats(self._game, stand_ins)).play(self._key, 0, 0, np.zeros((seats, self._game.width)))

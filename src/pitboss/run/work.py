"""What a simulation plays, and how a chunk of it is played here.

Work is the same wherever it is done: blocks of games, numbered from 0, that depend on nothing but their number.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError
from pitboss.core.game import Game, Legal
from pitboss.core.keys import Key
from pitboss.core.loop import FINE
from pitboss.core.play import Runner, Seats
from pitboss.core.registry import line_up
from pitboss.core.seating import seating
from pitboss.stats.intervals import Sums

CHUNK_GAMES = 2000  # the size of a chunk never depends on who plays it
PYTHON_CHUNK_GAMES = 40

Array = np.ndarray[Any, Any]
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


@dataclass(frozen=True)
class Work:
    """All that decides the games of a simulation."""

    game: Game
    entrants: tuple[Entrant, ...]
    key: Key
    rotations: int

    @property
    def python(self) -> bool:
        """Whether some bot is written in Python, so that games cannot be played in several threads."""
        return any(entrant.make for entrant in self.entrants)

    @property
    def per_chunk(self) -> int:
        """Blocks of a chunk."""
        return max(1, (PYTHON_CHUNK_GAMES if self.python else CHUNK_GAMES) // self.rotations)

    @cached_property
    def job(self) -> Job:
        """What plays it."""
        made = PythonJob if self.python else CompiledJob
        return made(self.game, list(self.entrants), self.key, self.rotations)

    def play(self, chunk: Chunk, rows: bool = False) -> Played:
        """Play a chunk."""
        first, count = chunk
        table, counts = self.job.rows(first, count)
        return Played(first, Sums.of(table), counts, table if rows else None)


class CompiledJob:
    """Plays chunks of blocks wholly in compiled code."""

    def __init__(self, game: Game, entrants: list[Entrant], key: Key, rotations: int) -> None:
        self._game, self._entrants, self._rotations = game, entrants, rotations
        self._key = np.array([key.high, key.low])
        self._seating = seating(entrants, game.view_dtype, game.rules_class.dtype())
        self._own = threading.local()

    def rows(self, first: int, count: int) -> tuple[Array, Array]:
        game, own = self._game, self._own
        if not hasattr(own, "states"):
            own.states, own.views = np.zeros(1, game.state_dtype), np.zeros(1, game.view_dtype)
        rows = np.zeros((count, self._rotations, len(self._entrants), game.width))
        counts = np.zeros(3, np.int64)
        culprit = game.loops.play_blocks(
            own.states, own.views, game.record, self._seating, self._key, first, self._rotations, rows, counts
        )
        if culprit != FINE:
            name, seat = self._entrants[culprit].name, int(own.states["to_act"][0])
            legal = Legal(game, int(game.loops.legal(own.states, game.record)), dealing=False)
            raise BotError(f"the bot {name} at seat {seat} made an illegal move; legal: {legal}")
        return rows, counts

    def warm_up(self) -> None:
        self.rows(0, 1)


class PythonJob:
    """Plays chunks of blocks with Python bots among the seats."""

    def __init__(self, game: Game, entrants: list[Entrant], key: Key, rotations: int) -> None:
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
        seats = len(self._runners[0].seats.entrants)
        stand_ins = line_up([self._game.default_bots()[0]] * seats, self._game)
        Runner(Seats(self._game, stand_ins)).play(self._key, 0, 0, np.zeros((seats, self._game.width)))

"""Batch simulation: many games of one line-up, on shared deals, with seats rotated."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from pitboss.sim.device import DEVICES, Gpu
from pitboss.sim.stats import Estimate, Sums
from pitboss.table.bot import Entrant
from pitboss.table.errors import BotError, PitbossError, unknown
from pitboss.table.game import Game, Legal
from pitboss.table.keys import Key
from pitboss.table.loop import FINE
from pitboss.table.play import Runner, Seats, play
from pitboss.table.record import Record
from pitboss.table.registry import Lineup, line_up, load
from pitboss.table.seating import seating
from pitboss.table.step import SHARE

CHUNK_GAMES = 2000  # the size of a chunk never depends on the number of threads
PYTHON_CHUNK_GAMES = 40

Progress = Callable[[int, int], None]  # games done, games in all


@dataclass(frozen=True)
class Versus:
    """Two bots on the same deals: how much more of the wins `a` takes than `b`."""

    a: str
    b: str
    difference: Estimate
    better: str | None  # None: luck explains it

    def as_dict(self) -> dict[str, Any]:
        return {"a": self.a, "b": self.b, "difference": self.difference.mean, "ci95": self.difference.ci95,
                "better": self.better}  # fmt: skip


@dataclass(repr=False)
class Result:
    """What a simulation found out."""

    game: Game
    names: list[str]
    seed: int | str
    rotations: int
    threads: int
    seconds: float
    decisions: int
    cards: int
    cut: int
    sums: Sums
    interrupted: bool = False
    device: str = "cpu"

    @property
    def blocks(self) -> int:
        """How many deals were played."""
        return self.sums.blocks

    @property
    def games(self) -> int:
        """How many games were played: every deal in every rotation."""
        return self.blocks * self.rotations

    def win_share(self, bot: int) -> Estimate:
        """The share of games won by a bot; a win of several counts in parts."""
        return self.sums.win_share(bot)

    def __repr__(self) -> str:
        shares = ", ".join(f"{name} {self.win_share(i).mean:.1%}" for i, name in enumerate(self.names))
        return f"<{self.games} games of {self.game}: {shares}>"

    def versus(self) -> list[Versus]:
        """All pairs. One is called better only at 95 % for all pairs together (Bonferroni)."""
        pairs = list(combinations(range(len(self.names)), 2))
        out = []
        for a, b in pairs:
            strict = self.sums.difference(a, b, 1 - 0.05 / len(pairs))
            better = None
            if strict.low is not None and strict.high is not None and strict.low * strict.high > 0:
                better = self.names[a] if strict.mean > 0 else self.names[b]
            out.append(Versus(self.names[a], self.names[b], self.sums.difference(a, b), better))
        return out

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        figures = self.game.figures
        return {
            "game": str(self.game),
            "seed": self.seed,
            "games": self.games,
            "blocks": self.blocks,
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds if self.seconds else 0.0,
            "threads": self.threads,
            "device": self.device,
            "interrupted": self.interrupted,
            "cut": self.cut,
            "decisions": self.decisions,
            "cards": self.cards,
            **{f.name: self.sums.figure(f, None).as_dict() for f in figures},
            "bots": [self._bot(i) for i in range(len(self.names))],
            "versus": [v.as_dict() for v in self.versus()],
        }

    def _bot(self, bot: int) -> dict[str, Any]:
        whole = self.win_share(bot)
        at = [(seat, self.sums.at_seat(bot, seat)) for seat in self.seats_of(bot)]
        return {
            "name": self.names[bot],
            "wins": self.sums.wins(bot),
            "ties": self.sums.ties(bot),
            "win_share": whole.mean,
            "ci95": whole.ci95,
            **{f.name: self.sums.figure(f, bot).as_dict() for f in self.game.figures},
            "seats": [{"seat": s, "games": self.blocks, "win_share": e.mean, "ci95": e.ci95} for s, e in at],
        }

    def seats_of(self, bot: int) -> list[int]:
        """The seats that a bot sat at."""
        return sorted((bot + j) % len(self.names) for j in range(self.rotations))


def simulate(
    game: str | Game,
    bots: Lineup,
    games: int = 1000,
    seed: int | Key = 0,
    threads: int | None = None,
    *,
    rotate: bool = True,
    device: str = "cpu",
    progress: Progress | None = None,
) -> Result:
    """Play many games and sum them up.

    Games are played in blocks: one deal in every rotation of the bots over the seats, so `games` is
    rounded up to whole blocks. Without `rotate` bots keep their seats and every game is a deal of its
    own. The result is the same for any number of threads, and for either device: `device="cuda"` lets compiled
    built-in bots play on a GPU. Ctrl-C ends early with what is done.

    >>> result = simulate("flip7:numbers", ["stay-20", "stay-30"], games=100, seed=1)
    >>> result.games, result.blocks
    (100, 50)
    """
    table = load(game)
    entrants = line_up(bots, table)
    table.verify_seats(len(entrants))
    if games < 1:
        raise PitbossError(f"the number of games must be 1 or more, not {games}")
    if threads is not None and threads < 1:
        raise PitbossError(f"the number of threads must be 1 or more, not {threads}")
    if device not in DEVICES:
        raise PitbossError(unknown("device", device, DEVICES))
    key = seed if isinstance(seed, Key) else Key.from_seed(seed)
    rotations = len(entrants) if rotate else 1
    blocks = -(-games // rotations)
    python = any(e.make for e in entrants)
    threads = 1 if python else threads or os.cpu_count() or 1
    per_chunk = max(1, (PYTHON_CHUNK_GAMES if python else CHUNK_GAMES) // rotations)
    job = _job(table, entrants, key, rotations)
    if device == "cpu":
        job.warm_up()  # compiles, so that the clock measures play
        chunks = ((first, min(per_chunk, blocks - first)) for first in range(0, blocks, per_chunk))
        results = _in_order(job, chunks, threads)
    else:
        results, threads = Gpu(table, entrants, key, rotations, job.rows).run(blocks, per_chunk), 0
    sums, counts, interrupted, seconds = _collect(results, rotations, blocks, progress)
    decisions, cards, cut = (int(n) for n in counts)
    return Result(
        table, unique([e.name for e in entrants]), seed if isinstance(seed, int) else str(seed), rotations, threads,
        seconds, decisions, cards, cut, sums, interrupted, device,
    )  # fmt: skip


Chunk = tuple[Sums, np.ndarray[Any, Any]]


def _collect(
    results: Generator[Chunk, None, None], rotations: int, blocks: int, progress: Progress | None
) -> tuple[Sums, np.ndarray[Any, Any], bool, float]:
    """Add up what is played, in order."""
    began = time.perf_counter()
    total: Sums | None = None
    counts = np.zeros(3, np.int64)
    interrupted = False
    try:
        for sums, numbers in results:
            total = sums if total is None else total + sums
            counts += numbers
            if progress:
                progress(total.blocks * rotations, blocks * rotations)
    except KeyboardInterrupt:
        if total is None:
            raise
        interrupted = True
    finally:
        results.close()
    assert total is not None
    return total, counts, interrupted, time.perf_counter() - began


def _in_order(job: _Job, chunks: Iterable[tuple[int, int]], threads: int) -> Generator[Chunk, None, None]:
    """Play the chunks and yield them in order, whatever order they finish in."""
    if threads == 1:
        for first, count in chunks:
            yield _chunk(job, first, count)
        return
    with ThreadPoolExecutor(threads) as pool:
        ahead: list[Future[Chunk]] = []
        try:
            for chunk in chunks:
                ahead.append(pool.submit(_chunk, job, *chunk))
                if len(ahead) > 4 * threads:
                    yield ahead.pop(0).result()
            while ahead:
                yield ahead.pop(0).result()
        finally:
            for future in ahead:
                future.cancel()


class _Job(Protocol):
    """Plays blocks first, first+1, … into rows[block, rotation, seat, column], and counts."""

    def rows(self, first: int, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...
    def warm_up(self) -> None: ...


def _job(game: Game, entrants: list[Entrant], key: Key, rotations: int) -> _Job:
    python = any(e.make for e in entrants)
    return (_PythonJob if python else _CompiledJob)(game, entrants, key, rotations)


def _chunk(job: _Job, first: int, count: int) -> Chunk:
    rows, counts = job.rows(first, count)
    return Sums.of(rows), counts


def win_shares(
    game: Game, entrants: list[Entrant], key: Key, first: int, count: int, rotations: int
) -> np.ndarray[Any, Any]:
    """Each bot's share of the wins in each of some blocks: [block, bot], the mean over rotations."""
    rows, _ = _job(game, entrants, key, rotations).rows(first, count)
    seats = len(entrants)
    by_bot = [[rows[:, j, (i + j) % seats, SHARE] for j in range(rotations)] for i in range(seats)]
    shares: np.ndarray[Any, Any] = np.array(by_bot).mean(axis=1).T
    return shares


class _CompiledJob:
    """Plays chunks of blocks wholly in compiled code."""

    def __init__(self, game: Game, entrants: list[Entrant], key: Key, rotations: int) -> None:
        self._game, self._entrants, self._rotations = game, entrants, rotations
        self._key = np.array([key.high, key.low])
        self._seating = seating(entrants, game.view_dtype, game.rules_class.dtype())
        self._own = threading.local()

    def rows(self, first: int, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        game, own = self._game, self._own
        if not hasattr(own, "states"):
            own.states, own.views = np.zeros(1, game.state_dtype), np.zeros(1, game.view_dtype)
        rows = np.zeros((count, self._rotations, len(self._entrants), game.columns))
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


class _PythonJob:
    """Plays chunks of blocks with Python bots among the seats."""

    def __init__(self, game: Game, entrants: list[Entrant], key: Key, rotations: int) -> None:
        self._game, self._key, self._rotations, seats = game, key, rotations, len(entrants)
        self._runners = [
            Runner(Seats(game, [entrants[(s - j) % seats] for s in range(seats)])) for j in range(rotations)
        ]

    def rows(self, first: int, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        seats = len(self._runners[0].seats.entrants)
        rows = np.zeros((count, self._rotations, seats, self._game.columns))
        counts = np.zeros(3, np.int64)
        for block in range(count):
            for rotation, runner in enumerate(self._runners):
                counts += runner.play(self._key, first + block, rotation, rows[block, rotation])
        return rows, counts

    def warm_up(self) -> None:
        """With built-in bots: those of the line-up are asked only about games that count."""
        seats = len(self._runners[0].seats.entrants)
        stand_ins = line_up([self._game.default_bots()[0]] * seats, self._game)
        Runner(Seats(self._game, stand_ins)).play(self._key, 0, 0, np.zeros((seats, self._game.columns)))


def records(
    game: str | Game,
    bots: Lineup,
    count: int,
    seed: int | Key = 0,
    *,
    rotate: bool = True,
    progress: Progress | None = None,
) -> list[Record]:
    """The records of the first games of a simulation with the same arguments."""
    table = load(game)
    entrants = line_up(bots, table)
    seats = len(entrants)
    out = []
    for n in range(count):
        deal, j = divmod(n, seats if rotate else 1)
        out.append(play(table, [entrants[(s - j) % seats] for s in range(seats)], seed, deal=deal, rotation=j))
        if progress:
            progress(n + 1, count)
    return out


def unique(names: list[str]) -> list[str]:
    """Number the second and further bots of the same name."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return out

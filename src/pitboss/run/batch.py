"""Batch simulation: many games of one line-up, on shared deals, with seats rotated."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitboss.core.bot import Entrant
from pitboss.core.compile import interpreted
from pitboss.core.counts import Count, whole_number
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.game import Game
from pitboss.core.keys import Key, Seed, new_seed
from pitboss.core.notebook import DataFrame, data_frame, html_table, share
from pitboss.core.record import Record
from pitboss.core.registry import Lineup, line_up, load
from pitboss.core.step import SHARE
from pitboss.core.types import Array, Data
from pitboss.former import AsDict
from pitboss.run.checkpoint import Checkpoint, RunState
from pitboss.run.executors import Executor, playing_on
from pitboss.run.work import Chunks, Work
from pitboss.stats.intervals import Estimate, Sums
from pitboss.stats.stopping import StopSign

if TYPE_CHECKING:
    from pitboss.core.plots import Plot

Progress = Callable[[int, int], None]  # games done, games in all


@dataclass(frozen=True)
class PairedComparison:
    """Two bots on the same deals: how much more of the wins `a` takes than `b`."""

    a: str
    b: str
    difference: Estimate
    better: str | None  # None: too close to call

    def to_dict(self) -> Data:
        return {"a": self.a, "b": self.b, "difference": self.difference.mean, "ci95": self.difference.ci95,
                "better": self.better}  # fmt: skip


@dataclass(repr=False)
class Result(AsDict):
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
    resumed: int = 0  # games that an earlier run had played
    executor: Data = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What the seed means: how cards are dealt, too."""
        return Key.of(self.seed, quick=True)

    @property
    def blocks(self) -> int:
        """How many deals were played."""
        return self.sums.blocks

    @property
    def games(self) -> int:
        """How many games were played: every deal in every rotation."""
        return self.blocks * self.rotations

    def win_share(self, bot: int | str) -> Estimate:
        """The share of games won by a bot, which is given by its name or its number; a win of several counts in parts.

        >>> result = simulate("flip7:numbers", ["stay-20", "stay-30"], games=100, seed=1)
        >>> result.win_share("stay-20") == result.win_share(0)
        True
        """
        return self.sums.win_share(self.number_of(bot))

    def number_of(self, bot: int | str) -> int:
        """Which of the bots is meant."""
        names = self.names
        if isinstance(bot, str):
            if bot not in names:
                raise PitbossError(unknown("bot", bot, names))
            if f"{bot}#2" in names:
                raise PitbossError(f"{bot!r} sits at several seats; give the number of one, from 0 to {len(names) - 1}")
            return names.index(bot)
        if not 0 <= bot < len(names):
            raise PitbossError(f"there is no bot {bot}; they have the numbers 0 to {len(names) - 1}")
        return bot

    def __repr__(self) -> str:
        shares = ", ".join(f"{name} {self.win_share(i).mean:.1%}" for i, name in enumerate(self.names))
        return f"<{self.games:,} games of {self.game}: {shares}>"

    def _repr_html_(self) -> str:
        head, bots = ["bot", "wins", "share of wins (95 %)"], [self._bot(i) for i in range(len(self.names))]
        rows = [[bot["name"], bot["wins"], share(bot["win_share"], bot["ci95"])] for bot in bots]
        return html_table(head, rows, f"{self.games:,} games of {self.game}, seed {self.seed}")

    def to_pandas(self) -> DataFrame:
        """A data frame with a row for each bot; it needs the extra `pandas`."""
        every = ({k: v for k, v in self._bot(i).items() if k != "seats"} for i in range(len(self.names)))
        return data_frame(list(every))

    def plot(self) -> Plot:
        """The share of wins of each bot with its interval, to look at in a notebook or to save."""
        from pitboss.core.plots import share_plot

        every = ((name, self.win_share(i)) for i, name in enumerate(self.names))
        return share_plot(
            f"Share of wins, {self.games:,} games of {self.game}", ((n, e.mean, e.ci95) for n, e in every)
        )

    def versus(self) -> list[PairedComparison]:
        """All pairs. One is called better only at 95 % for all pairs together (Bonferroni)."""
        pairs = list(combinations(range(len(self.names)), 2))
        out = []
        for a, b in pairs:
            strict = self.sums.difference(a, b, 1 - 0.05 / len(pairs))
            better = None
            if strict.low is not None and strict.high is not None and strict.low * strict.high > 0:
                better = self.names[a] if strict.mean > 0 else self.names[b]
            out.append(PairedComparison(self.names[a], self.names[b], self.sums.difference(a, b), better))
        return out

    def to_dict(self) -> Data:
        """For JSON."""
        figures = self.game.figures
        return {
            "game": str(self.game),
            "seed": self.seed,
            "key": str(self.key),
            "games": self.games,
            "blocks": self.blocks,
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds if self.seconds else 0.0,
            "threads": self.threads,
            "executor": self.executor,
            "interrupted": self.interrupted,
            "resumed": self.resumed,
            "cut": self.cut,
            "decisions": self.decisions,
            "cards": self.cards,
            **{f.name: self.sums.figure(f, None).to_dict() for f in figures},
            "bots": [self._bot(i) for i in range(len(self.names))],
            "versus": [v.to_dict() for v in self.versus()],
        }

    def _bot(self, bot: int) -> Data:
        whole = self.win_share(bot)
        at = [(seat, self.sums.at_seat(bot, seat)) for seat in self.seats_of(bot)]
        return {
            "name": self.names[bot],
            "wins": self.sums.wins(bot),
            "ties": self.sums.ties(bot),
            "win_share": whole.mean,
            "ci95": whole.ci95,
            **{f.name: self.sums.figure(f, bot).to_dict() for f in self.game.figures},
            "seats": [{"seat": s, "games": self.blocks, "win_share": e.mean, "ci95": e.ci95} for s, e in at],
        }

    def seats_of(self, bot: int) -> list[int]:
        """The seats that a bot sat at."""
        return sorted((bot + j) % len(self.names) for j in range(self.rotations))


def simulate(
    game: str | Game,
    bots: Lineup,
    games: Count = 1000,
    seed: Seed = None,
    threads: int | None = None,
    *,
    rotate: bool = True,
    device: str = "cpu",
    executor: Executor | None = None,
    out: Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Play many games and sum them up.

    Games are played in blocks: one deal in every rotation of the bots over the seats, so `games` is
    rounded up to whole blocks; 1e6, "10k" and "2.5M" are understood. Without a `seed` luck is random, and `result.seed`
    repeats it. Without `rotate` bots keep their seats and every game is a deal of its
    own. The result is the same for any number of threads, and for any `executor`; `device="cuda"` lets compiled
    built-in bots play on a GPU.

    With `out` every game is written to a Parquet file, or to parts of one in a folder, as it is played. Ctrl-C ends
    early with what is done; with `resume` the same call then goes on from there, to the same result.

    >>> result = simulate("flip7:numbers", ["stay-20", "stay-30"], games=100, seed=1)
    >>> result.games, result.blocks
    (100, 50)
    """
    table = load(game)
    entrants = line_up(bots, table)
    table.verify_seats(len(entrants))
    wanted = whole_number(games, "games")
    seed = new_seed() if seed is None else seed
    key = Key.of(seed, quick=True)
    names, executor = unique([e.name for e in entrants]), executor or playing_on(device, threads)
    work = Work(table, tuple(entrants), key, len(entrants) if rotate else 1, out is not None, wanted)
    keeper = Checkpoint(work, names, out, resume)
    if resume and key.quick:  # an earlier version dealt in full, whatever the seed
        earlier = replace(key, quick=False)
        older = Checkpoint(replace(work, key=earlier), names, out, resume)
        if older.begun:
            work, keeper, seed = older.work, older, earlier
    state, before, interrupted = _collect(work, executor, -(-wanted // work.rotations), progress, keeper)
    assert state.sums is not None
    return Result(
        table, names, seed if isinstance(seed, int) else str(seed), work.rotations, executor.threads, state.seconds,
        *state.counts, state.sums, interrupted, before * work.rotations, executor.report(),
    )  # fmt: skip


def _collect(
    work: Work, executor: Executor, blocks: int, progress: Progress | None, keeper: Checkpoint
) -> tuple[RunState, int, bool]:
    """Play the chunks that are missing and add them up in order; how many blocks were there, whether all are now."""
    state = keeper.begin()
    before, rotations = state.blocks, work.rotations
    if before > blocks or (before % work.per_chunk and before < blocks):
        raise PitbossError(
            f"{before * rotations:,} games of this simulation are kept; ask for as many, or leave out `resume`"
        )
    chunks = Chunks(before, blocks, work.per_chunk)
    earlier, parts = state.seconds, executor.run(work, chunks, in_order=True)
    try:
        next(parts)  # now all is ready, and the clock measures play
        began = time.perf_counter()
        with StopSign(b"", at_once=interpreted() and keeper.out is None) as sign, closing(parts):
            for some in parts:
                for played in some or ():
                    keeper.add(played)
                    state = replace(state.plus(played), seconds=earlier + time.perf_counter() - began)
                    if state.blocks < blocks:  # the last chunk may be a short one, which nothing can follow
                        keeper.save_now_and_then(state)
                    if progress:
                        progress(state.blocks * rotations, blocks * rotations)
                sign.obey()
    except BaseException as problem:
        if not state.blocks:
            keeper.forget()
        if not state.blocks or not isinstance(problem, KeyboardInterrupt):
            raise
    if state.blocks < blocks:
        keeper.save(state)
    else:
        keeper.finish(state)
    return state, before, state.blocks < blocks


def win_shares(game: Game, entrants: list[Entrant], key: Key, first: int, count: int, rotations: int) -> Array:
    """Each bot's share of the wins in each of some blocks: [block, bot], the mean over rotations."""
    rows, _ = Work(game, tuple(entrants), key, rotations).job.rows(first, count)
    seats = len(entrants)
    by_bot = [[rows[:, j, (i + j) % seats, SHARE] for j in range(rotations)] for i in range(seats)]
    shares: Array = np.array(by_bot).mean(axis=1).T
    return shares


def records(
    game: str | Game,
    bots: Lineup,
    count: int,
    seed: Seed = None,
    *,
    rotate: bool = True,
    progress: Progress | None = None,
) -> list[Record]:
    """The records of the first games of a simulation with the same arguments."""
    from pitboss.core.play import play

    table = load(game)
    entrants = line_up(bots, table)
    seats, key, out = len(entrants), Key.of(seed, quick=True), []
    for n in range(count):
        deal, j = divmod(n, seats if rotate else 1)
        out.append(play(table, [entrants[(s - j) % seats] for s in range(seats)], key, deal=deal, rotation=j))
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

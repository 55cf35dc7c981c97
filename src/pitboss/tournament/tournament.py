"""A tournament: a schedule that is written down, played, and can be taken up again at any time.

>>> from pitboss import Tournament
>>> standings = Tournament("flip7:tournament", "stay-25,random", blocks=5, seed=1).play()
>>> standings.rows[0].name
'stay-25'
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from pitboss.core.counts import Count, whole_number
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.game import Game
from pitboss.core.keys import Key, Seed
from pitboss.core.notebook import DataFrame
from pitboss.core.registry import Lineup, load
from pitboss.core.temporary import temporary_folder
from pitboss.core.types import Data
from pitboss.core.version import engine_version, plays_like
from pitboss.run.executors import Executor, Threads
from pitboss.run.processes import Processes
from pitboss.sandbox.limits import Limits, split_names
from pitboss.stats.stopping import StopSign
from pitboss.tournament import schedule
from pitboss.tournament.contestant import Contestant, contestants
from pitboss.tournament.match import Done, MatchPlan, MatchWorker, unpack
from pitboss.tournament.names import name_of_new
from pitboss.tournament.ownership import verify_apart
from pitboss.tournament.referee.seats import Referee
from pitboss.tournament.results import Matches
from pitboss.tournament.schedule import Sitting
from pitboss.tournament.standings import QUICK, Standings, keep_standings, standings
from pitboss.tournament.store import Store, new_id
from pitboss.tournament.store.schema import PLAYED, games

FORMATS = ("round-robin", "gauntlet", "swiss")
COMMIT_SECONDS = 0.5  # how much work a crash can cost
REFRESH_SHARE = 0.05  # of the time, at most, goes into working out tables that are kept for readers


@dataclass(frozen=True)
class TournamentSettings:
    """How a tournament is played; all of it is written down with it."""

    seats: int = 2
    best_of: int = 1
    blocks: int = 20
    games: int | None = None  # a budget, instead of every set on every block
    format: str = "round-robin"
    rounds: int | None = None  # of a Swiss tournament
    limits: Limits = field(default_factory=Limits)
    strikes: int = 3
    seed: str | None = None  # None: a key from the operating system
    engine: str = ""  # the version of the rules

    def verify(self) -> None:
        """Refuse what cannot be played."""
        if self.format not in FORMATS:
            raise PitbossError(unknown("format", self.format, FORMATS))
        for name, value in (("best_of", self.best_of), ("strikes", self.strikes)):
            if value < 1:
                raise PitbossError(f"`{name}` must be 1 or more, not {value}")
        if self.games is not None and self.format != "round-robin":
            raise PitbossError("a budget of `games` is for round robins; give `blocks` or `rounds` instead")
        if self.rounds is not None and (self.format != "swiss" or self.rounds < 1):
            raise PitbossError("`rounds` is for `format=swiss`, and 1 or more")

    def to_dict(self) -> Data:
        """For the store."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Data) -> TournamentSettings:
        """From the store."""
        return cls(**{**data, "limits": Limits.from_dict(data["limits"])})

    def sittings(self, bots: int) -> Iterable[Sitting]:
        """The schedule for so many bots; of a Swiss tournament only the first round."""
        if self.format == "swiss":
            return schedule.swiss(bots, self.seats, 0, [0.0] * bots, [[0] * bots] * bots, [0] * bots)
        if self.format == "gauntlet":
            return schedule.gauntlet(bots, self.seats, self.blocks)
        if self.games is not None:
            return self._sample(bots, self.games)
        return schedule.round_robin(bots, self.seats, self.blocks)

    def _sample(self, bots: int, budget: int) -> Iterable[Sitting]:
        affordable = schedule.sittings_for(budget, self.seats, self.best_of)
        least = schedule.least_sittings(bots, self.seats)
        if affordable < least:
            need = least * self.seats * self.best_of
            raise PitbossError(
                f"`games={budget:,}` is too little for {bots} bots to meet: at {self.seats} seats and best of "
                f"{self.best_of} it takes {need:,} games"
            )
        return schedule.sample(bots, self.seats, affordable)


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    matches: int
    matches_before: int  # played in earlier runs
    all_matches: int
    games: int  # played in this run
    seconds: float
    shares: dict[str, tuple[float, int]]  # by bot: its share of the matches so far, and how many


Watcher = Callable[[Progress], None]


class Tournament:
    """Bots against each other. Making one writes its schedule to the store; `play` plays what is missing."""

    def __init__(
        self,
        spec: str | Game,
        bots: Lineup,
        *,
        seats: int | None = None,
        best_of: int = 1,
        blocks: Count = 20,
        games: Count | None = None,
        format: str = "round-robin",
        rounds: int | None = None,
        seed: Seed = None,
        time_limit: float | None = None,
        clock: str | None = None,
        allow: str | Sequence[str] | None = None,
        limits: Limits | None = None,
        strikes: int = 3,
        store: Store | str = ":memory:",
        id: str | None = None,
        require_isolation: bool = False,
        private: Iterable[Path] = (),
    ) -> None:
        """`private` are files and folders, besides those of the store, that no bot may own: reports, say."""
        limits = limits or Limits()
        if time_limit is not None:
            limits = replace(limits, decision=time_limit)
        if clock is not None:
            limits = replace(limits, clock=clock)
        if allow is not None:
            limits = replace(limits, allow=split_names(allow))
        game = load(spec)
        if seats is None:
            seats = 2 if 2 in game.rules.seats else game.rules.seats[0]
        game.verify_seats(seats)
        text = None if seed is None else str(seed)
        budget = None if games is None else whole_number(games, "games")
        deals = whole_number(blocks, "blocks")
        settings = TournamentSettings(
            seats, best_of, deals, budget, format, rounds, limits, strikes, text, engine_version(game)
        )
        settings.verify()
        if id is not None and (not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", id) or id == "latest"):
            raise PitbossError(
                f"{id!r} cannot be the id of a tournament; use up to 40 letters, digits, dots and dashes"
            )
        key = Key.of(seed)
        self.left_out: list[str] = []  # sentences about files of folders that cannot be entered
        self.store = store if isinstance(store, Store) else Store(store)
        with Referee(game, limits, require_isolation) as referee:
            entered = contestants(bots, game, referee, self.left_out, [*self.store.files, *private])
        self._classes = {bot.name: bot.made for bot in entered if bot.kind == "class"}  # which no store can keep
        self._require_isolation = require_isolation
        sittings = settings.sittings(len(entered))
        self._stored = self.store.create(id or new_id(), str(game), settings.to_dict(), key, entered, sittings)

    @classmethod
    def open(cls, id: str, store: Store | str, require_isolation: bool = False) -> Tournament:
        """A tournament that is in a store, to go on with."""
        self = cls.__new__(cls)
        self.store = store if isinstance(store, Store) else Store(store)
        self._require_isolation = require_isolation
        self._stored = self.store.tournament(id)
        self.left_out, self._classes = [], {}
        return self

    def __repr__(self) -> str:
        table = self.standings()
        played = f"{table.matches:,} of {table.matches_planned:,} matches played"
        return f"<tournament {self.id} of {table.game}: {len(table.names)} bots, {played}>"

    def _repr_html_(self) -> str:
        return self.standings()._repr_html_()

    def to_dict(self) -> Data:
        """The table as far as it has been played, and how it is played; for JSON."""
        return self.standings().to_dict()

    def to_pandas(self) -> DataFrame:
        """The table as a data frame, a row for each bot; it needs the extra `pandas`."""
        return self.standings().to_pandas()

    @property
    def id(self) -> str:
        """What it is called in its store."""
        return self._stored.id

    @property
    def contestants(self) -> tuple[Contestant, ...]:
        """Who takes part."""
        return tuple(replace(bot, made=self._classes.get(bot.name)) for bot in self._stored.entries)

    @property
    def settings(self) -> TournamentSettings:
        """How it is played."""
        return TournamentSettings.from_dict(self._stored.settings)

    @property
    def key_hash(self) -> str:
        """SHA-256 of the key, which can be told before the key itself may be."""
        return self._stored.key_hash

    @property
    def outside(self) -> bool:
        """Whether some bots are not pitboss's own."""
        return any(contestant.kind != "built-in" for contestant in self.contestants)

    def add(self, bots: Lineup, private: Iterable[Path] = ()) -> list[Contestant]:
        """Enter more bots, and plan what they miss. A bot whose source has changed is entered as a new version."""
        settings, old = self.settings, self._stored.entries
        if settings.format == "swiss":
            raise PitbossError("nobody can join a Swiss tournament that has begun; run a new one")
        game = load(self._stored.spec)
        with Referee(game, settings.limits, self._require_isolation) as referee:
            entered = contestants(bots, game, referee, self.left_out, [*self.store.files, *private])
        verify_apart([*self.contestants, *entered])
        new: list[Contestant] = []
        for bot in entered:
            if not any(bot.plays_like(other) for other in (*old, *new)):
                new.append(replace(bot, name=name_of_new(bot, [*old, *new], game)))
        if not new:
            names = ", ".join(bot.name for bot in entered)
            raise PitbossError(f"{names} has played in this tournament already, and its source has not changed")
        self._classes |= {bot.name: bot.made for bot in new if bot.kind == "class"}
        wanted = settings.sittings(len(old) + len(new))
        self.store.extend(self.id, new, (sitting for sitting in wanted if max(sitting.bots) >= len(old)))
        self._stored = self.store.tournament(self.id)
        return new

    def play(
        self, watch: Watcher | None = None, workers: int | None = None, executor: Executor | None = None
    ) -> Standings:
        """Play what is missing, and return the standings. Ctrl-C keeps what is done, and is raised again."""
        executor = executor or self._executor(workers)
        with StopSign() as sign, temporary_folder() as folder:
            plan = self._plan(folder)
            while True:
                self._play(plan, executor, watch, sign)
                if not self._next_round():
                    break
            self._check_steadiness(plan, sign)
        self.store.finish(self.id)
        self._stored = self.store.tournament(self.id)
        return keep_standings(self.store, self.id)

    def standings(self) -> Standings:
        """The table as far as it has been played."""
        return standings(self.store, self.id)

    def _plan(self, folder: Path) -> MatchPlan:
        """What a worker must know. A bot whose file is not what it was is played as it was entered, from a folder."""
        settings = self.settings
        game = load(self._stored.spec)
        if not plays_like(game, settings.engine):
            raise PitbossError(
                f"the tournament {self.id} was begun with other rules of {game} than this version of pitboss has; "
                "go on with the version that it was begun with, or run a new one"
            )
        for bot in self.contestants:
            bot.verify_built_in(game)
        bots = tuple(
            bot.as_entered(self.store.source(self.id, number), folder / str(number))
            for number, bot in enumerate(self.contestants)
        )
        return MatchPlan(
            self._stored.spec, bots, self._stored.key, settings.best_of, settings.limits, settings.strikes,
            self._require_isolation,
        )  # fmt: skip

    def _executor(self, workers: int | None) -> Executor:
        if any(contestant.kind == "class" for contestant in self.contestants):
            return Threads(1)  # a class of the caller's cannot travel
        if workers is None:
            workers = (os.cpu_count() or 1) if self.outside else 1
        return Processes(workers) if workers != 1 or self.outside else Threads(1)

    def _play(self, plan: MatchPlan, executor: Executor, watch: Watcher | None, sign: StopSign) -> None:
        left = self.store.left(self.id)
        if not left:
            return
        tally = _LiveTally(self, left)
        refresher = _Refresher(self)
        parts = executor.run(plan, self.store.planned(self.id))
        unsaved: list[Done] = []
        saved_at = time.monotonic()
        try:
            for some in parts:
                done = some or []
                unsaved += done
                tally.add(done)
                if time.monotonic() - saved_at > COMMIT_SECONDS:
                    self.store.save(self.id, unsaved, self.settings.best_of)
                    refresher.saved(tally.games)
                    unsaved, saved_at = [], time.monotonic()
                if watch and done:
                    watch(tally.progress())
                sign.obey()
        finally:
            parts.close()
            if unsaved:
                self.store.save(self.id, unsaved, self.settings.best_of)

    def _next_round(self) -> bool:
        """Plan the next round of a Swiss tournament, if there is one."""
        settings, bots = self.settings, len(self.contestants)
        if settings.format != "swiss":
            return False
        played = Matches(self.store, self._stored)
        done = 1 + int(played.block_of.max())
        if done >= (settings.rounds or schedule.swiss_rounds(bots, settings.seats)):
            return False
        met = [[0] * bots for _ in range(bots)]
        sat_out = [done] * bots
        for sitting in played.bots.tolist():
            for bot in sitting:
                sat_out[bot] -= 1
                for other in sitting:
                    met[bot][other] += bot != other
        points = np.bincount(played.players.reshape(-1), played.shares.reshape(-1), bots).tolist()
        self.store.extend(self.id, [], schedule.swiss(bots, settings.seats, done, points, met, sat_out))
        return True

    def _check_steadiness(self, plan: MatchPlan, sign: StopSign) -> None:
        """Play one game of each outside bot again: does it make the same moves with the same luck?"""
        suspects = {n for n, bot in enumerate(self.contestants) if bot.kind != "built-in"}
        if not suspects:
            return
        seen: set[int] = set()
        games_played = self.store.rows(games, self.id, "seats", "deal", "rotation", "moves", "state")
        with MatchWorker(plan) as worker, closing(games_played) as rows:
            for seats, deal, rotation, moves, state in rows:
                new = (set(seats) & suspects) - seen
                if state != PLAYED or not new:
                    continue
                sign.obey()
                seen |= new
                culprit = worker.differs(tuple(seats), deal, rotation, unpack(moves))
                for bot in new:
                    self.store.mark_steady(self.id, bot, bot != culprit)
                if seen == suspects:
                    break


class _LiveTally:
    """Who leads while a tournament runs."""

    def __init__(self, tournament: Tournament, planned: int) -> None:
        self._names = [bot.name for bot in tournament.contestants]
        before = Matches(tournament.store, tournament._stored)
        players = before.players.reshape(-1)
        self._points = np.bincount(players, before.shares.reshape(-1), len(self._names)).tolist()
        self._matches = np.bincount(players, minlength=len(self._names)).tolist()
        self.games, self._began = 0, time.monotonic()
        self._done = self._before = len(before.players)
        self._planned = self._done + planned

    def add(self, done: Sequence[Done]) -> None:
        """Count what has just been played."""
        for _, sitting, match in done:
            self._done += 1
            self.games += len(match.games)
            for bot, share in zip(sitting.seats(match.rotation), match.shares, strict=True):
                self._points[bot] += share
                self._matches[bot] += 1

    def progress(self) -> Progress:
        """How far we are."""
        shares = {
            name: (points / n, n) for name, points, n in zip(self._names, self._points, self._matches, strict=True) if n
        }
        return Progress(self._done, self._before, self._planned, self.games, time.monotonic() - self._began, shares)


class _Refresher:
    """Keeps a table for readers now and then: of a large tournament nobody else works it out."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament, self._took = tournament, 1.0
        self._last = time.monotonic()

    def saved(self, games: int) -> None:
        """So many games have been played in this run, and are saved."""
        if games > QUICK and time.monotonic() - self._last > self._took / REFRESH_SHARE:
            began = time.monotonic()
            keep_standings(self._tournament.store, self._tournament.id)
            self._last = time.monotonic()
            self._took = self._last - began

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
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.notebook import DataFrame
from pitboss.core.registry import Lineup, load
from pitboss.core.temporary import temporary_folder
from pitboss.core.types import Data
from pitboss.run.executors import Executor, Threads
from pitboss.run.processes import Processes
from pitboss.stats.stopping import StopSign
from pitboss.tournament import schedule
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.entering import contestants
from pitboss.tournament.match import Done, MatchPlan, MatchWorker, unpack
from pitboss.tournament.names import name_of_new
from pitboss.tournament.ownership import verify_apart
from pitboss.tournament.progress import LiveTally, Refresher, Watcher
from pitboss.tournament.referee.seats import Referee
from pitboss.tournament.results import Matches
from pitboss.tournament.settings import TournamentOptions, TournamentSettings
from pitboss.tournament.standings import Standings, keep_standings, standings
from pitboss.tournament.store import Store, new_id
from pitboss.tournament.store.schema import PLAYED, games
from pitboss.tournament.upgrade import verify_upgrade

if TYPE_CHECKING:
    from pitboss.core.plots import Plot
    from pitboss.tournament.profile import BotProfile

COMMIT_SECONDS = 0.5  # how much work a crash can cost


class Tournament:
    """Bots against each other. Making one writes its schedule to the store; `play` plays what is missing.

    `TournamentOptions` lists what can be set:

    >>> Tournament("flip7:official", "ev,stay-25", best_of=3, blocks=2, seed=1, id="cup")
    <tournament cup of flip7:official: 2 bots, 0 of 4 matches played>
    """

    def __init__(
        self,
        spec: str | Game,
        bots: Lineup | Sequence[Contestant],
        *,
        store: Store | str = ":memory:",
        id: str | None = None,
        private: Iterable[Path] = (),
        **options: Unpack[TournamentOptions],
    ) -> None:
        """`private` are files and folders, besides those of the store, that no bot may read: reports, say."""
        game = load(spec)
        self._require_isolation = options.pop("require_isolation", False)
        settings, key = TournamentSettings.of(game, options), Key.of(options.get("seed")).in_full()
        if id is not None and (not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", id) or id == "latest"):
            raise PitbossError(
                f"{id!r} cannot be the id of a tournament; use up to 40 letters, digits, dots and dashes"
            )
        self.left_out: list[str] = []  # sentences about files of folders that cannot be entered
        self.store = store if isinstance(store, Store) else Store(store)
        with Referee(game, settings.limits, self._require_isolation) as referee:
            entered = contestants(bots, game, referee, self.left_out, [*self.store.files, *private])
        self._classes = {bot.name: bot.made for bot in entered if bot.kind == "class"}  # which no store can keep
        sittings = settings.sittings(len(entered))
        self._stored = self.store.create(id or new_id(), str(game), settings.to_dict(), key, entered, sittings)

    @classmethod
    def open(cls, id: str, store: Store | str, require_isolation: bool = False) -> Tournament:
        """A tournament from a store, to continue."""
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

    def plot(self) -> Plot:
        """The share of matches of each bot with its interval."""
        return self.standings().plot()

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
        """SHA-256 of the key, which can be published before the key."""
        return self._stored.key_hash

    @property
    def outside(self) -> bool:
        """Whether some bots are not pitboss's own."""
        return any(contestant.kind != "built-in" for contestant in self.contestants)

    def add(self, bots: Lineup | Sequence[Contestant], private: Iterable[Path] = ()) -> list[Contestant]:
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
        if not self.store.extend(self._stored, new, (each for each in wanted if max(each.bots) >= len(old))):
            raise PitbossError(
                "somebody else has entered bots in this tournament in the meantime; open it and add again"
            )
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

    def profiles(self, bots: Sequence[str] = ()) -> list[BotProfile]:
        """Why these bots, or all, won or lost: figures beside those of the others, and what their decisions cost."""
        from pitboss.tournament.profile import profiles

        return profiles(self.store, self.id, bots)

    def _plan(self, folder: Path) -> MatchPlan:
        """What a worker must know. A bot whose file is not what it was is played as it was entered, from a folder."""
        settings = self.settings
        game = load(self._stored.spec)
        bots = tuple(
            bot.as_entered(self.store.source(self.id, number), folder / str(number))
            for number, bot in enumerate(self.contestants)
        )
        plan = MatchPlan(
            self._stored.spec, bots, self._stored.key, settings.best_of, settings.limits, settings.strikes,
            self._require_isolation,
        )  # fmt: skip
        verify_upgrade(self.store, self.id, plan, game, settings.engine)
        return plan

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
        tally = LiveTally(self.store, self._stored, left)
        refresher = Refresher(self.store, self.id)
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
        """Plan the next round of a Swiss tournament, unless another driver has. Whether there is more to play."""
        settings, bots = self.settings, len(self.contestants)
        if settings.format != "swiss":
            return False
        played = Matches(self.store, self._stored)
        if len(played.players) < played.planned:
            return True
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
        pairs = schedule.swiss(bots, settings.seats, done, points, met, sat_out)
        self.store.extend(self._stored, [], pairs, after=len(played.block_of))
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

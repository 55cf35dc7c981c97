"""How far a tournament is while it is played, for those who watch."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pitboss.tournament.match import Done
from pitboss.tournament.results import Matches
from pitboss.tournament.standings import QUICK, keep_standings
from pitboss.tournament.store import Store, Stored

REFRESH_SHARE = 0.05  # of the time, at most, goes into tables that are kept for readers


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


class LiveTally:
    """Who leads while a tournament runs."""

    def __init__(self, store: Store, stored: Stored, planned: int) -> None:
        self._names = [bot.name for bot in stored.entries]
        before = Matches(store, stored)
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


class Refresher:
    """Keeps a table for readers now and then: of a large tournament nobody else works it out."""

    def __init__(self, store: Store, id: str) -> None:
        self._store, self._id, self._took = store, id, 1.0
        self._last = time.monotonic()

    def saved(self, games: int) -> None:
        """So many games have been played in this run, and are saved."""
        if games > QUICK and time.monotonic() - self._last > self._took / REFRESH_SHARE:
            began = time.monotonic()
            keep_standings(self._store, self._id)
            self._last = time.monotonic()
            self._took = self._last - began

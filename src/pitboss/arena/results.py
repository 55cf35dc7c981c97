"""What has been played in a tournament, as arrays in the order of the schedule."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np
import sqlalchemy as sql

from pitboss.arena.ratings.luce import Array, IntArray
from pitboss.arena.referee.endings import Ending
from pitboss.arena.store import Store, Stored
from pitboss.arena.store import schema as t

UNREPEATABLE = (Ending.TIMEOUT, Ending.STALL, Ending.MEMORY)  # faults that need not happen again in the same game


class Matches:
    """Who sat where in each match that was played, and what came of it."""

    players: IntArray  # [match, seat] the number of the entry
    shares: Array  # [match, seat]
    places: IntArray
    blocks: IntArray  # [match]

    def __init__(self, store: Store, stored: Stored) -> None:
        self.store, self.id = store, stored.id
        self.seats: int = stored.settings["seats"]
        m, every = t.matches.c, range(self.seats)
        read = store.arrays(
            t.matches, self.id, sitting=m.sitting, rotation=m.rotation,
            **{f"share{s}": m.shares[s].as_float() for s in every},
            **{f"place{s}": m.places[s].as_integer() for s in every},
        )  # fmt: skip
        self.sitting, self.rotation = read["sitting"].astype(np.int64), read["rotation"].astype(np.int64)
        self.shares = np.stack([read[f"share{s}"] for s in every], axis=1)
        self.places = np.stack([read[f"place{s}"] for s in every], axis=1).astype(np.int64)
        seat = (np.arange(self.seats) - self.rotation[:, None]) % self.seats  # as Sitting.seats has it
        self.players = np.take_along_axis(self.bots[self.sitting], seat, axis=1)
        self.blocks = self.block_of[self.sitting]

    @cached_property
    def _sittings(self) -> dict[str, Any]:
        s = t.sittings.c
        bots = {f"bot{n}": s.bots[n].as_integer() for n in range(self.seats)}
        return self.store.arrays(t.sittings, self.id, block=s.block, **bots)

    @property
    def planned(self) -> int:
        """How many matches there will be, as far as they are planned."""
        return len(self.block_of) * self.seats

    @cached_property
    def block_of(self) -> IntArray:
        """The block of each sitting."""
        block: IntArray = self._sittings["block"].astype(np.int64)
        return block

    @cached_property
    def bots(self) -> IntArray:
        """[sitting, place] who sits down together, also in those still to be played."""
        return np.stack([self._sittings[f"bot{n}"] for n in range(self.seats)], axis=1).astype(np.int64)

    def forfeits(self) -> Counter[int]:
        """How many matches each bot forfeited."""
        m, out = t.matches.c, Counter[int]()
        some = sql.select(m.sitting, m.rotation, m.forfeits).where(m.tournament == self.id)
        for sitting, rotation, seats in self.store.query(some.where(sql.cast(m.forfeits, sql.Text) != "[]")):
            out.update(int(self.bots[sitting, (seat - rotation) % self.seats]) for seat in seats)
        return out


class Games:
    """How each seat did in each game that was played."""

    def __init__(self, store: Store, stored: Stored, matches: Matches) -> None:
        self.store, self.id, seats = store, stored.id, stored.settings["seats"]
        r = t.results.c
        read = store.arrays(
            t.results, self.id, game=r.game, entry=r.entry, share=r.share, place=r.place, score=r.score
        )  # fmt: skip
        by_game = {name: column.reshape(-1, seats) for name, column in read.items()}
        self.players: IntArray = by_game["entry"].astype(np.int64)
        self.shares: Array = by_game["share"]
        self.places: IntArray = by_game["place"].astype(np.int64)
        self.scores: IntArray = by_game["score"].astype(np.int64)
        numbers = by_game["game"][:, 0].astype(np.int64)
        self.blocks: IntArray = matches.block_of[numbers // (seats * stored.settings["best_of"])]
        self.cut = self.shares.sum(axis=1) == 0

    def not_needed(self) -> int:
        """How many games the matches did without."""
        g = t.games.c
        unneeded = sql.select(sql.func.count()).where(g.tournament == self.id, g.state == t.NOT_NEEDED)
        return int(self.store.query(unneeded)[0][0])

    def times(self) -> dict[int, tuple[int, float, float]]:
        """For each bot: its decisions, their seconds, and the most that one took."""
        r = t.results.c
        sums = (sql.func.sum(r.decisions), sql.func.sum(r.cpu), sql.func.max(r.most))
        select = sql.select(r.entry, *sums).where(r.tournament == self.id).group_by(r.entry)
        return {entry: (int(n), float(cpu), float(most)) for entry, n, cpu, most in self.store.query(select)}

    def faults(self, bots: int) -> tuple[list[Counter[str]], int]:
        """The faults of each bot by kind, and how many games had some that need not happen again."""
        faults: list[Counter[str]] = [Counter() for _ in range(bots)]
        unrepeatable = set()
        for game, entry, kind in self.store.rows(t.faults, self.id, "game", "entry", "kind"):
            if kind != Ending.FORFEIT:
                faults[entry][kind] += 1
            if kind in UNREPEATABLE:
                unrepeatable.add(game)
        return faults, len(unrepeatable)

"""What has been played in a tournament, as arrays in the order of the schedule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import sqlalchemy as sql

from pitboss.core.types import Floats, Ints
from pitboss.sandbox.limits import Ending
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.faults import said
from pitboss.tournament.store import Store, Stored
from pitboss.tournament.store import schema as t

UNREPEATABLE = (Ending.TIMEOUT, Ending.STALL, Ending.MEMORY)  # faults that need not happen again in the same game


class Matches:
    """Who sat where in each match that was played, and what came of it.

    Bots that play alone meet on the same deals: every two of them on a block are a match, and the shorter game wins.
    """

    players: Ints  # [match, seat] the number of the entry
    shares: Floats  # [match, seat]
    places: Ints
    blocks: Ints  # [match]
    block_of: Ints  # [sitting], also of those still to be played
    bots: Ints  # [sitting, place] who sits down together

    def __init__(self, store: Store, stored: Stored) -> None:
        self.store, self.id = store, stored.id
        self.seats: int = stored.settings["seats"]
        m, every = t.matches.c, range(self.seats)
        read = store.arrays(
            t.matches, self.id, sitting=m.sitting, rotation=m.rotation,
            **{f"share{s}": m.shares[s].as_float() for s in every},
            **{f"place{s}": m.places[s].as_integer() for s in every},
        )  # fmt: skip
        self.block_of, self.bots = store.schedule(stored)  # after the matches: it only grows
        self.sitting, self.rotation = read["sitting"].astype(np.int64), read["rotation"].astype(np.int64)
        self.shares = np.stack([read[f"share{s}"] for s in every], axis=1)
        self.places = np.stack([read[f"place{s}"] for s in every], axis=1).astype(np.int64)
        seat = (np.arange(self.seats) - self.rotation[:, None]) % self.seats  # as Sitting.seats has it
        self.players = np.take_along_axis(self.bots[self.sitting], seat, axis=1)
        self.blocks = self.block_of[self.sitting]
        if self.seats == 1 and len(stored.entries) > 1:
            self._meet()

    def _meet(self) -> None:
        """Bring together those who played alone. A game without an end, and a forfeit, are longer than any other."""
        g, length = t.games.c, np.full(len(self.block_of), np.inf)
        cut = sql.func.sum(sql.case((g.ended == "cut", 1), else_=0))
        played = (g.tournament == self.id) & (g.state == t.PLAYED)
        for sitting, sum_, cuts in self.store.query(
            sql.select(g.sitting, sql.func.sum(g.length), cut).where(played).group_by(g.sitting)
        ):
            length[sitting] = np.inf if cuts else sum_
        length[self.sitting[self.shares[:, 0] == 0]] = np.inf
        pairs = self.sitting[_pairs(self.blocks)]
        first, second = length[pairs[:, 0]], length[pairs[:, 1]]
        behind = np.stack([first > second, second > first], axis=1)
        self.players = self.bots[pairs, 0]
        self.places = 1 + behind.astype(np.int64)
        self.shares = (1 - behind + behind[:, ::-1]) / 2
        self.blocks = self.block_of[pairs[:, 0]]

    @property
    def planned(self) -> int:
        """How many matches there will be, as far as they are planned."""
        if self.seats == 1 and self.players.shape[1] == 2:
            return len(_pairs(self.block_of))
        return len(self.block_of) * self.seats

    def forfeits(self) -> Counter[int]:
        """How many matches each bot forfeited."""
        m, out = t.matches.c, Counter[int]()
        some = sql.select(m.sitting, m.rotation, m.forfeits).where(m.tournament == self.id)
        for sitting, rotation, seats in self.store.query(some.where(sql.cast(m.forfeits, sql.Text) != "[]")):
            out.update(int(self.bots[sitting, (seat - rotation) % self.seats]) for seat in seats)
        return out


def _pairs(blocks: Ints) -> Ints:
    """[pair, 2] where in an array there are two of the same block."""
    order = np.argsort(blocks, kind="stable")
    groups = np.split(order, 1 + np.flatnonzero(np.diff(blocks[order])))
    pairs = [np.stack(np.triu_indices(len(group), 1), axis=1) for group in groups]
    return np.concatenate([group[pair] for group, pair in zip(groups, pairs, strict=True)])


class Games:
    """How each seat did in each game that was played."""

    def __init__(self, store: Store, stored: Stored, matches: Matches) -> None:
        self.store, self.id, seats = store, stored.id, stored.settings["seats"]
        r = t.results.c
        read = store.arrays(
            t.results, self.id, game=r.game, entry=r.entry, share=r.share, place=r.place, score=r.score
        )  # fmt: skip
        by_game = {name: column.reshape(-1, seats) for name, column in read.items()}
        self.players: Ints = by_game["entry"].astype(np.int64)
        self.shares: Floats = by_game["share"]
        self.places: Ints = by_game["place"].astype(np.int64)
        self.scores: Ints = by_game["score"].astype(np.int64)
        numbers = by_game["game"][:, 0].astype(np.int64)
        self.blocks: Ints = matches.block_of[numbers // (seats * stored.settings["best_of"])]
        self.cut = self.shares.sum(axis=1) == 0

    def lengths(self) -> Ints:
        """How long each game was."""
        g = t.games.c
        played = sql.select(g.length).where(g.tournament == self.id, g.state == t.PLAYED).order_by(g.number)
        return np.array([length for (length,) in self.store.query(played)], np.int64)

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

    def faults(self, bots: Sequence[Contestant]) -> tuple[list[Counter[str]], dict[int, str], int]:
        """The faults of each bot by kind, why the first one was ruled, and how many games had some that need not happen
        again."""
        faults, first = [Counter[str]() for _ in bots], dict[int, str]()
        unrepeatable = set()
        for game, entry, kind, text in self.store.rows(t.faults, self.id, "game", "entry", "kind", "text"):
            if kind != Ending.FORFEIT:
                faults[entry][kind] += 1
                if entry not in first:
                    first[entry] = said(kind, text, bots[entry].path)
            if kind in UNREPEATABLE:
                unrepeatable.add(game)
        return faults, first, len(unrepeatable)

"""The table of a tournament: who won how much, how sure that is, and what went wrong.

Everything but the times is worked out from the results alone, in a fixed order: the same games give
the same table to the last bit, however often the run was stopped and on however many workers it ran.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from pitboss.core.notebook import DataFrame, csv_text, data_frame, html_table
from pitboss.core.text import counted, listed, sentence
from pitboss.core.types import Array, Data
from pitboss.former import AsDict
from pitboss.stats.ratings import Finishes, HeadToHead, Strengths, block_interval, head_to_head, strengths
from pitboss.stats.ratings.ranks import FEWEST
from pitboss.tournament.faults import FaultsOfBot, in_words
from pitboss.tournament.results import Games, Matches
from pitboss.tournament.store import Store, Stored
from pitboss.tournament.store import schema as t

Interval = list[float] | None

if TYPE_CHECKING:
    from pitboss.core.plots import Plot

MANY = 10  # bots; of more, not everything is said in words
MOST_MORE = 1000  # times as many games are not worth telling
QUICK = 50_000  # games whose table is worked out whenever somebody asks; of more, the one that was kept is shown


@dataclass(frozen=True)
class StandingsRow:
    """One bot's line of the table. Intervals are at 95 %, over deal blocks."""

    rank: int
    name: str
    kind: str
    version: str
    matches: int
    wins: int
    draws: int
    forfeits: int
    win_share: float
    ci95: Interval
    strength: float
    strength_ci95: Interval
    p_best: float | None  # None: one block cannot tell
    games: int
    game_wins: int
    game_win_share: float
    game_ci95: Interval
    game_strength: float
    game_strength_ci95: Interval
    mean_place: float
    place_ci95: Interval
    mean_score: float
    score_ci95: Interval
    faults: dict[str, int]  # by kind; decisions that it was no longer asked, having forfeited, are not counted
    steady: bool | None  # played the same game alike when asked again; None: not tried
    mean_length: float | None = None  # of a game, where bots play alone
    length_ci95: Interval = None
    first_fault: str = ""  # why, and in which line of its file
    rank_ci95: list[int] | None = None  # the ranks that it can have, at 95 % for all bots together
    games_to_tell: int | None = None  # how many in all would tell it from the next, if they differ as it seems

    @property
    def fault_summary(self) -> FaultsOfBot:
        """Its faults, to be told in words."""
        return FaultsOfBot(self.name, self.faults, self.first_fault, self.forfeits, self.matches)


@dataclass(frozen=True)
class ShareDifference:
    """Two bots beside each other: how much larger the share of the one is, and which is stronger for certain.

    Where not all have the same opponents (in a Swiss tournament the strong meet the strong, in a gauntlet all meet the
    one), only the matches count in which the two met: how many more of them the one won.
    """

    a: str
    b: str
    difference: float
    better: str | None  # None: too close to call


@dataclass(frozen=True)
class Times:
    """How long one bot thought, by the clock that counts (`Limits.clock`); 0 for bots that are built in."""

    name: str
    decisions: int
    ms_per_decision: float
    ms_most: float


@dataclass(frozen=True, repr=False)
class Standings(AsDict):
    """The table and what belongs to it; a notebook shows it as a table."""

    id: str
    game: str
    created: str
    finished: bool
    settings: Data
    key: str | None  # told when all is played
    key_hash: str
    matches: int
    matches_planned: int
    games: int
    games_not_needed: int
    games_cut: int
    games_unrepeatable: int
    rows: tuple[StandingsRow, ...]
    times: tuple[Times, ...]
    names: tuple[str, ...]  # in the order of entry, as in the head-to-head tables
    wins: tuple[tuple[int, ...], ...]  # matches in which the one (row) was placed before the other (column)
    meetings: tuple[tuple[int, ...], ...]
    versus: tuple[ShareDifference, ...]
    behind: bool = False  # more has been played since the table was worked out

    def to_dict(self) -> Data:
        """For JSON."""
        plain = {name: value for name, value in vars(self).items() if name not in ("rows", "names", "wins", "meetings")}
        return {
            **plain,
            "standings": [asdict(row) for row in self.rows],
            "head_to_head": {"names": self.names, "wins": self.wins, "matches": self.meetings},
            "versus": [asdict(versus) for versus in self.versus],
            "times": [asdict(times) for times in self.times],
        }

    @classmethod
    def from_dict(cls, data: Data) -> Standings:
        """What `to_dict` wrote down."""
        faced = data["head_to_head"]
        plain = {k: v for k, v in data.items() if k not in ("standings", "head_to_head", "versus", "times")}
        return cls(
            **plain,
            rows=tuple(StandingsRow(**row) for row in data["standings"]),
            times=tuple(Times(**times) for times in data["times"]),
            names=tuple(faced["names"]),
            wins=tuple(map(tuple, faced["wins"])),
            meetings=tuple(map(tuple, faced["matches"])),
            versus=tuple(ShareDifference(**versus) for versus in data["versus"]),
        )

    def as_csv(self) -> str:
        """The table for spreadsheets."""
        return csv_text([asdict(row) for row in self.rows])

    def statements(self) -> list[str]:
        """Which bots differ significantly, in words; of a large field who can be the best, and what else is sure."""
        sure = [versus for versus in self.versus if versus.better is not None]
        rest, large = len(self.versus) - len(sure), len(self.rows) > MANY
        out = []
        for row in self.rows:
            beaten = [v.a if v.better == v.b else v.b for v in sure if v.better == row.name]
            if beaten:
                below = len(beaten) > 3 and set(beaten) == {other.name for other in self.rows[row.rank :]}
                whom = "all below it" if below else f"{len(beaten)} others" if len(beaten) > MANY else listed(beaten)
                out.append(f"{row.name} is better than {whom}")
        if large and sure:
            out = [self._top(), f"{len(sure):,} of {len(self.versus):,} pairs differ significantly", *out[:3]]
        elif sure and rest:
            out.append(f"the other {'pair is' if rest == 1 else f'{rest} pairs are'} too close to call")
        elif rest:
            out.append("every pair is too close to call" + self._too_few())
        return [*out, *self._more_games()]

    def _top(self) -> str:
        """Who can be the best."""
        top = [row.name for row in self.rows if row.rank_ci95 is None or row.rank_ci95[0] == 1]
        if len(top) == 1:
            return f"{top[0]} is the best"
        many = f" and {len(top) - MANY} others" if len(top) > MANY else ""
        return f"one of these {len(top)} is the best: {', '.join(top[:MANY]) if many else listed(top)}{many}"

    def _more_games(self) -> list[str]:
        """How many games would tell apart the first two neighbours in the table that are not yet."""
        for row, after in zip(self.rows, self.rows[1:], strict=False):
            if row.games_to_tell is not None:
                return [f"it would take about {row.games_to_tell:,} games to tell {row.name} from {after.name}"]
        return []

    def _too_few(self) -> str:
        """That nothing else could have come out, if the deals were too few to tell any two bots apart."""
        s = self.settings
        if s["games"] or s["format"] == "swiss" or s["blocks"] >= FEWEST:
            return ""
        return f"; {counted(s['blocks'], 'deal')} cannot say more, {FEWEST} or more could"

    def warnings(self) -> list[str]:
        """What a reader should know before believing the table to the last digit."""
        out = in_words(row.fault_summary for row in self.rows)
        if self.behind:
            out.append("more matches have been played since this table was computed; it is updated now and then")
        if self.games_unrepeatable:
            out.append(
                f"{self.games_unrepeatable} of {self.games:,} games had faults of time or memory, which need not "
                "happen again in the same way"
            )
        unsteady = [row.name for row in self.rows if row.steady is False]
        if unsteady:
            out.append(f"made different moves when the same game was played again: {listed(unsteady)}")
        if self.games_cut:
            out.append(f"{self.games_cut} of {self.games:,} games were cut: they took too long, and nobody won")
        return out

    def __repr__(self) -> str:
        shares = ", ".join(f"{row.name} {row.win_share:.1%}" for row in self.rows[:5])
        return f"<{self.matches:,} matches of {self.game}: {shares}>"

    def _repr_html_(self) -> str:
        from pitboss.tournament.columns import columns

        shown = columns(self)
        rows = [
            [row.rank, row.name, *(f"{c.text(row)} ({c.span(row)})" if c.span(row) else c.text(row) for c in shown)]
            for row in self.rows
        ]
        names = [row.name for row in self.rows]
        said = " ".join(sentence(text, names) for text in (*self.warnings(), *self.statements()))
        return html_table(["#", "bot", *(c.title for c in shown)], rows, said)

    def plot(self) -> Plot:
        """The share of matches of each bot with its interval, in the order of the table."""
        from pitboss.core.plots import share_plot

        rows = ((row.name, row.win_share, row.ci95) for row in self.rows if row.matches)
        return share_plot(f"Share of {self.matches:,} matches of {self.game}", rows)

    def to_pandas(self) -> DataFrame:
        """A data frame with a row for each bot; it needs the extra `pandas`."""
        return data_frame([asdict(row) for row in self.rows])


def standings(store: Store, id: str) -> Standings:
    """The table of a tournament, as far as it has been played.

    Of a large one it is the table that whoever plays it has kept, and may be behind.
    """
    stored, kept = store.tournament(id), store.standings(id)
    if kept is not None:
        revision, content = kept
        known = all("rank_ci95" in row for row in content["standings"])  # not if an earlier version worked it out
        if (known and revision == stored.revision) or content["games"] > QUICK:
            return replace(Standings.from_dict(content), behind=revision != stored.revision)
    return _Reading(store, stored).table()


def keep_standings(store: Store, id: str) -> Standings:
    """Work out the table, and keep it for readers."""
    stored = store.tournament(id)
    table = _Reading(store, stored).table()
    store.keep_standings(id, stored.revision, table.to_dict())
    return table


class _Reading:
    """The results of a tournament, and what they tell."""

    def __init__(self, store: Store, stored: Stored) -> None:
        self.stored, self.bots = stored, len(stored.entries)
        self._steady = dict(store.rows(t.entries, stored.id, "number", "steady"))
        self.matches = Matches(store, stored)
        self.games = Games(store, stored, self.matches)

    def per_block(self, values: Array, players: Array, blocks: Array) -> tuple[Array, Array]:
        """Sums and counts for each block and bot."""
        _, block = np.unique(blocks, return_inverse=True)
        shape = (int(block.max(initial=-1)) + 1, self.bots)
        sums, counts = np.zeros(shape), np.zeros(shape)
        where = (np.broadcast_to(block[:, None], players.shape), players)
        np.add.at(sums, where, values)
        np.add.at(counts, where, 1)
        return sums, counts

    def _lengths(self) -> list[tuple[float | None, Interval]]:
        """For each bot: how long its games were, if it was alone in them."""
        if self.stored.settings["seats"] > 1:
            return [(None, None)] * self.bots
        games = self.games
        found = block_interval(*self.per_block(games.lengths()[:, None], games.players, games.blocks))
        return [(each.mean, each.ci95) for each in found]

    def table(self) -> Standings:
        """All of it."""
        stored, names = self.stored, [bot.name for bot in self.stored.entries]
        matches, games = self.matches, self.games
        sums, counts = self.per_block(matches.shares, matches.players, matches.blocks)
        share = block_interval(sums, counts, share=True)
        game_share = block_interval(*self.per_block(games.shares, games.players, games.blocks), share=True)
        place = block_interval(*self.per_block(games.places, games.players, games.blocks))
        score = block_interval(*self.per_block(games.scores, games.players, games.blocks))
        length = self._lengths()
        whole = Finishes(self.bots, matches.players, matches.places, matches.blocks)
        kept = ~games.cut
        single = Finishes(self.bots, games.players[kept], games.places[kept], games.blocks[kept])
        strength = strengths(whole)
        # With best of one, games are matches, and need not be fitted twice.
        game_strength = strength if whole.same_as(single) else strengths(single)
        faced = head_to_head(whole)
        shared = (matches.shares > 0) & (matches.shares < 1)
        sat, won, drawn, sat_game, won_game = (
            np.bincount(players.reshape(-1), minlength=self.bots)
            for players in (
                matches.players, matches.players[matches.shares == 1], matches.players[shared],
                games.players, games.players[games.shares > 0],
            )
        )  # fmt: skip
        forfeits, thought = matches.forfeits(), games.times()
        faults, first, unrepeatable = games.faults(stored.entries)
        rows, times = [], []
        for i, bot in enumerate(stored.entries):
            steady = self._steady.get(i)
            rows.append(
                StandingsRow(
                    rank=0, name=bot.name, kind=bot.kind, version=bot.version,
                    matches=int(sat[i]), wins=int(won[i]), draws=int(drawn[i]), forfeits=forfeits[i],
                    win_share=share[i].mean, ci95=share[i].ci95,
                    strength=float(strength.strength[i]), strength_ci95=_pair(strength, i),
                    p_best=_known(strength.best[i]),
                    games=int(sat_game[i]), game_wins=int(won_game[i]),
                    game_win_share=game_share[i].mean, game_ci95=game_share[i].ci95,
                    game_strength=float(game_strength.strength[i]), game_strength_ci95=_pair(game_strength, i),
                    mean_place=place[i].mean, place_ci95=place[i].ci95,
                    mean_score=score[i].mean, score_ci95=score[i].ci95,
                    faults=dict(sorted(faults[i].items())), steady=None if steady is None else bool(steady),
                    mean_length=length[i][0], length_ci95=length[i][1], first_fault=first.get(i, ""),
                )
            )  # fmt: skip
            decisions, cpu, most = thought.get(i, (0, 0.0, 0.0))
            times.append(Times(bot.name, decisions, 1e3 * cpu / max(decisions, 1), 1e3 * most))
        # by what the verdicts are about: a share alone depends on whom a bot met
        order = sorted(range(self.bots), key=lambda i: (-rows[i].strength, -rows[i].win_share, i))
        told = strength.ranks
        for n, i in enumerate(order):
            more = told.more[i, order[n + 1]] if n + 1 < self.bots else 1.0
            ranks = [int(told.low[i]), int(told.high[i])] if len(matches.players) else None
            to_tell = _rounded(len(games.players) * more) if 1 < more < MOST_MORE else None
            rows[i] = replace(rows[i], rank=n + 1, rank_ci95=ranks, games_to_tell=to_tell)
        return Standings(
            id=stored.id, game=stored.spec, created=stored.created, finished=stored.finished, settings=stored.settings,
            key=str(stored.key) if stored.finished else None, key_hash=stored.key_hash,
            matches=len(matches.players), matches_planned=matches.planned,
            games=len(games.players), games_not_needed=games.not_needed(), games_cut=int(games.cut.sum()),
            games_unrepeatable=unrepeatable,
            rows=tuple(rows[i] for i in order), times=tuple(times[i] for i in order),
            names=tuple(names), wins=_table(faced.wins), meetings=_table(faced.games),
            versus=_versus(strength, faced, rows if stored.settings["format"] == "round-robin" else None, names),
        )  # fmt: skip


def _known(x: float) -> float | None:
    return None if np.isnan(x) else float(x)


def _pair(estimate: Any, i: int) -> Interval:
    low, high = float(estimate.low[i]), float(estimate.high[i])
    return None if np.isnan(low) or np.isnan(high) else [low, high]


def _versus(
    found: Strengths, faced: HeadToHead, rows: Sequence[StandingsRow] | None, names: list[str]
) -> tuple[ShareDifference, ...]:
    """All pairs, by the shares of `rows`, or those that met by their meetings."""
    out = []
    for a, b in combinations(range(len(names)), 2):
        difference = rows[a].win_share - rows[b].win_share if rows else float(faced.difference[a, b])
        if not np.isnan(difference):
            better = names[a] if found.ranks.better[a, b] else names[b] if found.ranks.better[b, a] else None
            out.append(ShareDifference(names[a], names[b], difference, better))
    return tuple(out)


def _rounded(count: float) -> int:
    """Two digits of it: it is a guess."""
    return int(float(f"{count:.1e}"))


def _table(counts: Array) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(n) for n in row) for row in counts)

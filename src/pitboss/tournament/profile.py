"""Why a bot won or lost: what it did otherwise than the rest of its field, where it won, and which decisions cost most.

Everything here is measured on the games of the tournament, by deal block, and compared with all other bots. What a
decision cost is the game's own judgement (`Analysis.cost`), from what the bot could know.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import TypeAlias

import numpy as np

from pitboss.analysis import analysis_of
from pitboss.analysis.regret import LEAST, hand
from pitboss.core.analysis import Analysis
from pitboss.core.figure import Figure
from pitboss.core.game import Game, Position
from pitboss.core.record import Record
from pitboss.core.registry import load
from pitboss.core.text import counted
from pitboss.core.types import Data, Floats
from pitboss.stats.intervals import Estimate, quantile, ratio_of
from pitboss.stats.ratings import block_interval
from pitboss.tournament.faults import in_words
from pitboss.tournament.results import Games, Matches
from pitboss.tournament.standings import Standings, StandingsRow, standings
from pitboss.tournament.store import Store, Stored
from pitboss.tournament.store import schema as t

MOST_GAMES = 2000  # of a tournament that are looked at
MOST_JUDGED = 40  # games of a bot whose decisions are judged
SECONDS = 3.0  # for judging, for each bot
WORST = 5
MOST_SAID = 4  # figures that are told in words

Pair: TypeAlias = Callable[..., Floats]  # of a bot and a block: a sum, and what it is divided by


@dataclass(frozen=True)
class FieldFigure:
    """A number of a bot beside the same of all others in its games."""

    name: str
    about: str
    percent: bool
    mean: float
    ci95: list[float] | None
    others: float
    difference_ci95: list[float] | None  # of the bot's minus the others'

    @property
    def differs(self) -> bool:
        """Whether the difference is more than luck."""
        return self.difference_ci95 is not None and self.difference_ci95[0] * self.difference_ci95[1] > 0

    @property
    def beyond(self) -> float:
        """How many times as large as its error the difference is."""
        low, high = self.difference_ci95 or (0.0, 0.0)
        return abs(low + high) / (high - low) if high > low else 0.0

    def format(self, value: float) -> str:
        """A value as people read it."""
        return f"{100 * value:.1f} %" if self.percent else f"{value:.2f}"


@dataclass(frozen=True)
class SharePart:
    """How much a bot won at one seat, or against one opponent."""

    name: str
    games: int
    share: float
    ci95: list[float] | None


@dataclass(frozen=True)
class CostlyDecision:
    """A decision that gave something away."""

    game: int
    step: int  # of the replay, to which it led
    hand: str
    played: str
    better: str
    lost: float


@dataclass(frozen=True)
class CostlyHabit:
    """Decisions of one kind that another kind would have bettered."""

    played: str
    better: str
    count: int
    lost: float  # in a game
    ci95: list[float] | None


@dataclass(frozen=True)
class BotProfile:
    """All that can be said about one bot of a tournament."""

    row: StandingsRow
    games: int  # that were looked at
    figures: tuple[FieldFigure, ...]
    moves: tuple[FieldFigure, ...]  # how often it made which move, of all its decisions
    seats: tuple[SharePart, ...]
    opponents: tuple[SharePart, ...]
    judged: int = 0  # games whose decisions were judged
    decisions: int = 0
    unit: str = ""
    how: str = ""
    habits: tuple[CostlyHabit, ...] = ()
    worst: tuple[CostlyDecision, ...] = ()
    bots: int = 0
    words: list[str] = field(default_factory=list)

    def to_dict(self) -> Data:
        """For JSON."""
        figures = {
            name: [{**asdict(each), "differs": each.differs} for each in getattr(self, name)]
            for name in ("figures", "moves")
        }
        return {**asdict(self), **figures}


def profiles(store: Store, id: str, bots: Sequence[str] = ()) -> list[BotProfile]:
    """The profiles of these bots of a tournament, or of all, in the order of its table."""
    stored, table = store.tournament(id), standings(store, id)
    names = [entry.name for entry in stored.entries]
    wanted = [names.index(row.name) for row in table.rows if not bots or row.name in bots]
    look = _ReplayedGames(store, stored, wanted)
    rows = {row.name: row for row in table.rows}
    return [look.profile(number, rows[names[number]], table) for number in wanted]


class _Habits:
    """What the decisions of one bot cost."""

    def __init__(self) -> None:
        self.games, self.decisions = 0, 0
        self.blocks: Counter[int] = Counter()  # games by block
        self.lost: defaultdict[tuple[str, str], defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
        self.count: Counter[tuple[str, str]] = Counter()
        self.worst: list[tuple[float, int, int, CostlyDecision]] = []

    def found(self) -> tuple[CostlyHabit, ...]:
        """The kinds of decisions that cost something for certain, the most expensive first."""
        blocks = sorted(self.blocks)
        games = np.array([self.blocks[block] for block in blocks], float)
        out = []
        for (played, better), lost in self.lost.items():
            cost = ratio_of(np.array([lost[block] for block in blocks], float), games)
            if cost.low is None or cost.low > 0:
                out.append(CostlyHabit(played, better, self.count[played, better], cost.mean, cost.ci95))
        return tuple(sorted(out, key=lambda habit: -habit.lost)[:WORST])


class _ReplayedGames:
    """The games of a tournament, played again once for all bots."""

    def __init__(self, store: Store, stored: Stored, wanted: Sequence[int]) -> None:
        self.game: Game = load(stored.spec)
        self.names = [entry.name for entry in stored.entries]
        self.analysis: Analysis = analysis_of(self.game)
        matches = Matches(store, stored)
        self.results, self.seats_count = Games(store, stored, matches), stored.settings["seats"]
        self.columns: defaultdict[int, dict[int, Floats]] = defaultdict(dict)  # by bot, by block: sums of tally, games
        self.made: defaultdict[int, dict[int, Counter[str]]] = defaultdict(dict)  # by bot, by block: kinds of moves
        self.looked: Counter[int] = Counter()
        self.habits = {bot: _Habits() for bot in wanted}
        self._until = time.monotonic() + SECONDS * len(wanted)
        per_block = self.seats_count * stored.settings["best_of"]
        numbers = [n for n, state in store.rows(t.games, stored.id, "number", "state") if state == t.PLAYED][
            :MOST_GAMES
        ]
        seated = dict(store.rows(t.games, stored.id, "number", "seats"))
        for number, record in zip(numbers, store.records(stored.id, numbers), strict=True):
            self._add(number, record, seated[number], int(matches.block_of[number // per_block]))

    def _add(self, number: int, record: Record, bots: Sequence[int], block: int) -> None:
        moves, rows = iter(record.moves), np.zeros((len(bots), self.game.width))
        made: list[Counter[str]] = [Counter() for _ in bots]
        judged = {bot: self.habits[bot] for bot in bots if bot in self.habits and self._judges(self.habits[bot])}
        for habit in judged.values():
            habit.games += 1
            habit.blocks[block] += 1
        for step, (position, _, _) in enumerate(record.replay(), 1):
            if position.over:
                self.game.loops.tally(position.states, rows)
            elif position.to_act >= 0:
                move = next(moves)
                if move >= 0:
                    made[position.to_act][self._kind(position, move)] += 1
                if bots[position.to_act] in judged:
                    self._judge(judged[bots[position.to_act]], (number, step, block), record, position, move)
        for seat, bot in enumerate(bots):
            self.looked[bot] += 1
            sums = self.columns[bot].setdefault(block, np.zeros(self.game.width + 1))
            sums += [*rows[seat], 1]
            self.made[bot].setdefault(block, Counter()).update(made[seat])

    def _judges(self, habit: _Habits) -> bool:
        """Whether the decisions of one more game are to be judged: of some games, and for some seconds."""
        return habit.games < MOST_JUDGED and time.monotonic() < self._until

    def _kind(self, position: Position, move: int) -> str:
        """A move without whom or what it is for; what is no word is called by what was asked."""
        word = self.game.format_move(move).split()[0]
        return word if word.isalpha() else str(position.view(position.to_act).question)

    def _judge(self, habit: _Habits, at: tuple[int, int, int], record: Record, position: Position, move: int) -> None:
        """What a decision cost: of a game, at a step, on a block."""
        number, step, block = at
        cost = self.analysis.cost(position, move)
        if cost is None:
            return
        habit.decisions += 1
        if cost.lost < LEAST:
            return
        kinds = self._kind(position, move), self._kind(position, cost.better)
        habit.lost[kinds][block] += cost.lost
        habit.count[kinds] += 1
        entry = (cost.lost, -number, -step)
        if len(habit.worst) == WORST and entry <= habit.worst[0][:3]:
            return
        view, labels = position.view(position.to_act), record.labels
        played, better = (self.game.describe_move(view, each, labels) for each in (move, cost.better))
        decision = CostlyDecision(number, step, hand(self.game, view, labels), played, better, cost.lost)
        (heapq.heappushpop if len(habit.worst) == WORST else heapq.heappush)(habit.worst, (*entry, decision))

    def profile(self, bot: int, row: StandingsRow, table: Standings) -> BotProfile:
        """What was found out about one bot."""
        habit, terms = self.habits[bot], self.analysis.terms
        figures = tuple(self._figure(bot, figure) for figure in self.game.figures)
        found = BotProfile(
            row, self.looked[bot], figures, self._moves(bot), self._seats(bot), self._opponents(bot), habit.games,
            habit.decisions, terms.unit if habit.decisions else "", terms.how if habit.decisions else "", habit.found(),
            tuple(entry[3] for entry in sorted(habit.worst, reverse=True)), len(table.rows),
        )  # fmt: skip
        found.words.extend(_paragraph(found))
        return found

    def _figure(self, bot: int, figure: Figure) -> FieldFigure:
        i, j = figure.place, figure.per_place if figure.per else self.game.width
        own, others = self._pairs(bot, lambda number, block: self.columns[number][block][[i, j]])
        return _beside(figure.name, figure.about, figure.percent, own, others)

    def _moves(self, bot: int) -> tuple[FieldFigure, ...]:
        kinds = sorted({kind for made in self.made[bot].values() for kind in made})
        out = []
        for kind in kinds:
            own, others = self._pairs(
                bot,
                lambda n, block, kind=kind: np.array([self.made[n][block][kind], self.made[n][block].total()], float),
            )
            out.append(_beside(kind, kind, True, own, others))
        return tuple(out)

    def _pairs(self, bot: int, of: Pair) -> tuple[Floats, Floats]:
        """By block on which the bot sat: sums [block, 2] of it, and of all others on these blocks."""
        blocks = sorted(self.columns[bot])
        own = np.array([of(bot, block) for block in blocks])
        others = np.zeros_like(own)
        for other in self.columns:
            if other != bot:
                for n, block in enumerate(blocks):
                    if block in self.columns[other]:
                        others[n] += of(other, block)
        return own, others

    def _seats(self, bot: int) -> tuple[SharePart, ...]:
        r = self.results
        return tuple(
            self._part(f"seat {seat + 1}", r.shares[at, seat], r.blocks[at])
            for seat in range(self.seats_count)
            if (at := r.players[:, seat] == bot).any()
        )

    def _opponents(self, bot: int) -> tuple[SharePart, ...]:
        """In how many of the games with another the bot was placed before it; a tie is half."""
        r, out = self.results, []
        mine = r.players == bot
        sat = mine.any(axis=1)
        place = np.where(mine, r.places, 0).sum(axis=1)
        for other, name in enumerate(self.names):
            theirs = r.players == other
            met = sat & theirs.any(axis=1)
            if other != bot and met.any():
                ahead = np.sign(np.where(theirs, r.places, 0).sum(axis=1) - place)[met]
                out.append(self._part(name, (1 + ahead) / 2, r.blocks[met]))
        return tuple(sorted(out, key=lambda part: part.share))

    def _part(self, name: str, shares: Floats, blocks: Floats) -> SharePart:
        _, block = np.unique(blocks, return_inverse=True)
        sums, counts = np.bincount(block, shares).astype(float), np.bincount(block).astype(float)
        [found] = block_interval(sums[:, None], counts[:, None], share=True)
        return SharePart(name, len(shares), found.mean, found.ci95)


def _beside(name: str, about: str, percent: bool, own: Floats, others: Floats) -> FieldFigure:
    """A ratio of a bot beside that of the others on the same blocks."""
    one, rest = ratio_of(*own.T, share=percent), ratio_of(*others.T)
    return FieldFigure(name, about, percent, one.mean, one.ci95, rest.mean, _difference(own, others, one, rest))


def _difference(own: Floats, others: Floats, one: Estimate, rest: Estimate) -> list[float] | None:
    """The interval of a difference of two ratios that were measured on the same blocks."""
    n = len(own)
    if n < 2 or not own[:, 1].any() or not others[:, 1].any():
        return None
    off = sum(
        sign * (part[:, 0] - ratio.mean * part[:, 1]) / part[:, 1].mean()
        for sign, part, ratio in ((1, own, one), (-1, others, rest))
    )
    spread = float((np.asarray(off) ** 2).sum()) / (n - 1) / n
    half = quantile(0.95, n - 1) * sqrt(spread)
    return [one.mean - rest.mean - half, one.mean - rest.mean + half] if half else None


def _paragraph(found: BotProfile) -> list[str]:
    """Why it won or lost, in sentences; each is a measured difference that is more than luck."""
    row = found.row
    out = in_words([row.fault_summary])
    place = "" if row.rank_ci95 is None else f" (at 95 %: {' to '.join(map(str, sorted(set(row.rank_ci95))))})"
    out.append(
        f"{row.name} is number {row.rank} of {found.bots}{place} and won {100 * row.win_share:.1f} % of its matches"
    )
    for habit in found.habits[:2]:
        interval = "" if habit.ci95 is None else f" (95 %: {habit.ci95[0]:.3g} to {habit.ci95[1]:.3g})"
        what = "another choice" if habit.better == habit.played else f"“{habit.better}”"
        out.append(
            f"it answered “{habit.played}” {counted(habit.count, 'time')} where {what} was better: in its first "
            f"{found.judged} games that cost {habit.lost:.3g} {found.unit.split(' (')[0]} a game{interval}"
        )
    for figure in sorted((*found.figures, *found.moves), key=lambda figure: -figure.beyond)[:MOST_SAID]:
        if figure.differs:
            low, high = (figure.format(end) for end in figure.difference_ci95 or ())
            out.append(
                f"“{figure.about}”: {figure.format(figure.mean)}, the others on the same deals "
                f"{figure.format(figure.others)} (difference at 95 %: {low} to {high})"
            )
    return out

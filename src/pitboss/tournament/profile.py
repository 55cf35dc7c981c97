"""Why a bot won or lost: what it did otherwise than the rest of its field, where it won, and which decisions cost most.

Everything here is measured on the games of the tournament, by deal block, and compared with all other bots. What a
decision cost is the game's own judgement (`judging`), from what the bot could know.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import TypeAlias

import numpy as np

from pitboss.core.figure import Figure
from pitboss.core.game import Game, Position
from pitboss.core.notebook import html_table
from pitboss.core.record import Record
from pitboss.core.registry import load
from pitboss.core.text import sentence
from pitboss.core.types import Data, Floats
from pitboss.stats.intervals import Estimate, quantile, ratio_of
from pitboss.stats.ratings import block_interval
from pitboss.tournament.faults import in_words
from pitboss.tournament.judging import DecisionSample, Judge, SampledDecision, Verdicts
from pitboss.tournament.results import Games, Matches
from pitboss.tournament.standings import Standings, StandingsRow, standings
from pitboss.tournament.store import Store, Stored
from pitboss.tournament.store import schema as t

GAMES_EACH = 120  # of a bot that are looked at
MOST_GAMES = 1200  # of a tournament, about
MOST_JUDGED, LEAST_JUDGED = 6000, 10  # decisions: of all bots together, and of each
OFTEN = 0.05  # of its decisions: how much was at stake is told of moves that are not rarer
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


@dataclass(frozen=True, repr=False)
class BotProfile:
    """All that can be said about one bot of a tournament."""

    row: StandingsRow
    games: int  # that were looked at
    figures: tuple[FieldFigure, ...]
    moves: tuple[FieldFigure, ...]  # how often it made which move, of all its decisions
    seats: tuple[SharePart, ...]
    opponents: tuple[SharePart, ...]
    verdicts: Verdicts = field(default_factory=Verdicts)
    bots: int = 0
    words: list[str] = field(default_factory=list)

    def to_dict(self) -> Data:
        """For JSON."""
        figures = {
            name: [{**asdict(each), "differs": each.differs} for each in getattr(self, name)]
            for name in ("figures", "moves")
        }
        return {**asdict(self), **figures}

    def __repr__(self) -> str:
        return f"<{self._said}>"

    def _repr_html_(self) -> str:
        rows = [
            [each.about, each.format(each.mean), each.format(each.others), "more than luck" if each.differs else ""]
            for each in (*self.figures, *self.moves)
        ]
        return html_table(["", self.row.name, "the others", ""], rows, self._said)

    @property
    def _said(self) -> str:
        return " ".join(sentence(text, [self.row.name]) for text in self.words)


def profiles(store: Store, id: str, bots: Sequence[str] = ()) -> list[BotProfile]:
    """The profiles of these bots of a tournament, or of all, in the order of its table."""
    stored, table = store.tournament(id), standings(store, id)
    names = [entry.name for entry in stored.entries]
    wanted = [names.index(row.name) for row in table.rows if not bots or row.name in bots]
    look = _ReplayedGames(store, stored, wanted)
    rows = {row.name: row for row in table.rows}
    return [look.profile(number, rows[names[number]], table) for number in wanted]


class _ReplayedGames:
    """Games of a tournament, played again once for all bots: the first games of each."""

    def __init__(self, store: Store, stored: Stored, wanted: Sequence[int]) -> None:
        self.game: Game = load(stored.spec)
        self.names = [entry.name for entry in stored.entries]
        self.judge = Judge(self.game, self._kind)
        matches = Matches(store, stored)
        self.results, self.seats_count = Games(store, stored, matches), stored.settings["seats"]
        self.columns: defaultdict[int, dict[int, Floats]] = defaultdict(dict)  # by bot, by block: sums of tally, games
        self.made: defaultdict[int, dict[int, Counter[str]]] = defaultdict(dict)  # by bot, by block: kinds of moves
        self.stakes: defaultdict[int, dict[int, Counter[str]]] = defaultdict(dict)  # the sums of what was at stake
        self.looked: Counter[int] = Counter()
        judged = max(LEAST_JUDGED, min(self.judge.analysis.sample, MOST_JUDGED // len(self.names)))
        self.samples = {bot: DecisionSample(bot, judged) for bot in wanted}
        per_block = self.seats_count * stored.settings["best_of"]
        each = max(8, min(GAMES_EACH, MOST_GAMES * self.seats_count // max(1, len(wanted))))
        numbers, seated, chosen = list[int](), dict[int, Sequence[int]](), Counter[int]()
        for number, state, bots in store.rows(t.games, stored.id, "number", "state", "seats"):
            if state == t.PLAYED and any(bot in self.samples and chosen[bot] < each for bot in bots):
                chosen.update(bots)
                numbers.append(number)
                seated[number] = bots
        for number, record in zip(numbers, store.records(stored.id, numbers), strict=True):
            self._add(number, record, seated[number], int(matches.block_of[number // per_block]))

    def _add(self, number: int, record: Record, bots: Sequence[int], block: int) -> None:
        moves, rows, stake = iter(record.moves), np.zeros((len(bots), self.game.width)), self.game.stake
        made: list[Counter[str]] = [Counter() for _ in bots]
        stakes: list[Counter[str]] = [Counter() for _ in bots]
        for step, (position, _, _) in enumerate(record.replay(), 1):
            if position.over:
                self.game.loops.tally(position.states, rows)
            elif position.to_act >= 0:
                move, seat = next(moves), position.to_act
                if move >= 0:
                    kind = self._kind(position, move)
                    made[seat][kind] += 1
                    if stake:
                        stakes[seat][kind] += getattr(position.view(seat), stake)
                if bots[seat] in self.samples:
                    self.samples[bots[seat]].offer(SampledDecision(number, step, block, record, position, move))
        for seat, bot in enumerate(bots):
            self.looked[bot] += 1
            sums = self.columns[bot].setdefault(block, np.zeros(self.game.width + 1))
            sums += [*rows[seat], 1]
            self.made[bot].setdefault(block, Counter()).update(made[seat])
            self.stakes[bot].setdefault(block, Counter()).update(stakes[seat])

    def _kind(self, position: Position, move: int) -> str:
        """A move without whom or what it is for; what is no word is called by what was asked."""
        word = self.game.format_move(move).split()[0]
        return word if word.isalpha() else str(position.view(position.to_act).question)

    def profile(self, bot: int, row: StandingsRow, table: Standings) -> BotProfile:
        """What was found out about one bot."""
        figures = tuple(self._figure(bot, figure) for figure in self.game.figures if self.looked[bot])
        games = {block: int(sums[-1]) for block, sums in self.columns[bot].items()}
        found = BotProfile(
            row, self.looked[bot], figures, self._moves(bot), self._seats(bot), self._opponents(bot),
            self.judge.verdicts(self.samples[bot], games), len(table.rows),
        )  # fmt: skip
        found.words.extend(_paragraph(found, self.game.stake))
        return found

    def _figure(self, bot: int, figure: Figure) -> FieldFigure:
        i, j = figure.place, figure.per_place if figure.per else self.game.width
        own, others = self._pairs(bot, lambda number, block: self.columns[number][block][[i, j]])
        return _beside(figure.name, figure.about, figure.percent, own, others)

    def _moves(self, bot: int) -> tuple[FieldFigure, ...]:
        kinds = sorted({kind for made in self.made[bot].values() for kind in made})
        out = []
        for kind in kinds:

            def share(n: int, block: int, kind: str = kind) -> Floats:
                made = self.made[n][block]
                return np.array([made[kind], made.total()], float)

            def stake(n: int, block: int, kind: str = kind) -> Floats:
                return np.array([self.stakes[n][block][kind], self.made[n][block][kind]], float)

            out.append(_beside(kind, kind, True, *self._pairs(bot, share)))
            if self.game.stake and out[-1].mean >= OFTEN:
                about = f"{self.game.stake} at “{kind}”"
                out.append(_beside(f"{kind}_{self.game.stake}", about, False, *self._pairs(bot, stake)))
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


def _worth(lost: float, interval: Sequence[float] | None, verdicts: Verdicts, room: float) -> str:
    """What a bot gives away in a game, in words; it cannot win more than all, so much more is `room`."""
    if verdicts.percent:
        lost, interval = min(lost, room), interval and [min(end, room) for end in interval]
        span = "" if interval is None else f" (95 %: {100 * interval[0]:.1f} to {100 * interval[1]:.1f})"
        return f"by the game's estimate that costs it about {100 * lost:.1f} % of its games{span}"
    span = "" if interval is None else f" (95 %: {interval[0]:.3g} to {interval[1]:.3g})"
    return f"that cost {lost:.3g} {verdicts.unit.split(' (')[0]} a game{span}"


def _of_moves(figure: FieldFigure, stake: str) -> tuple[str, str, str]:
    """How often it makes a kind of move, or with how much at stake: words before and between the numbers."""
    kind = figure.name if figure.percent else figure.name.removesuffix(f"_{stake}")
    does = f"it {'is asked' if kind.endswith('?') else 'answers'} “{kind}”"
    if figure.percent:
        return f"{does} in", "the others on the same deals in", " of its decisions"
    return f"{does} with", "the others on the same deals with", f" {stake} on average"


def _paragraph(found: BotProfile, stake: str) -> list[str]:
    """Why it won or lost, in sentences; each is a measured difference that is more than luck."""
    row = found.row
    out = in_words([row.fault_summary])
    low_rank, high_rank = row.rank_ci95 or (row.rank, row.rank)
    place = "" if low_rank == high_rank else f" (between {low_rank} and {high_rank} at 95 %)"
    out.append(
        f"{row.name} is number {row.rank} of {found.bots}{place} and won {100 * row.win_share:.1f} % of its matches"
    )
    verdicts = found.verdicts
    for habit in verdicts.habits[:2]:
        what = "another choice" if habit.better == habit.played else f"“{habit.better}”"
        with_ = ""
        if habit.stakes and stake:
            low, high = (f"{end:g}" for end in habit.stakes)
            with_ = f", mostly with {low if low == high else f'{low} to {high}'} {stake}"
        out.append(
            f"it answered “{habit.played}” where {what} was better in {habit.count} of {verdicts.judged} judged "
            f"decisions{with_}: {_worth(habit.lost, habit.ci95, verdicts, 1 - row.game_win_share)}"
        )
    said = [
        *((figure, f"{figure.about}:", "the others on the same deals", "") for figure in found.figures),
        *((figure, *_of_moves(figure, stake)) for figure in found.moves),
    ]
    for figure, does, others, what in sorted(said, key=lambda each: -each[0].beyond)[:MOST_SAID]:
        if figure.differs:
            low, high = (figure.format(end) for end in figure.difference_ci95 or ())
            out.append(
                f"{does} {figure.format(figure.mean)}{what}, {others} {figure.format(figure.others)} "
                f"(difference at 95 %: {low} to {high})"
            )
    return out

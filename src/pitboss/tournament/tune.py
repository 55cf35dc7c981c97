"""`tune`: which values of a bot's parameters win most? A race that drops a value as soon as it is known to be worse.

All values play the same deals, at every seat, against the same opponents. After each round, every value is compared
with the one that leads, deal by deal. One that is worse is dropped, and the games go to those that are left. The
comparisons hold at any time and for all pairs together: whenever one stops, the best of the values that were tried is,
with probability 1 - alpha, among those that are left.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from pitboss.core.bot import PLACE
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key, Seed
from pitboss.core.notebook import DataFrame, data_frame, html_table, share
from pitboss.core.registry import bot, load
from pitboss.core.types import Data, Floats
from pitboss.run.batch import win_shares
from pitboss.run.executors import Threads
from pitboss.run.processes import Processes
from pitboss.sandbox.limits import Limits
from pitboss.stats.ratings.sequential import interval_at_any_time
from pitboss.stats.stopping import StopSign
from pitboss.tournament.entering import contestants
from pitboss.tournament.match import MatchPlan
from pitboss.tournament.referee.seats import Referee
from pitboss.tournament.schedule import Sitting

if TYPE_CHECKING:
    from pitboss.core.plots import Plot

MOST_TRIED = 40  # values of one parameter, or combinations of several
USUAL = 13  # values of one parameter that is not a whole number
FIRST_ROUND = 10  # deals
GROWTH = 1.5  # of a round, in deals

_VARY = re.compile(r"\s*(\w+)\s*=\s*(-?[\d.]+?)\s*\.\.\s*(-?[\d.]+)(?:\s*:\s*([\d.]+))?\s*")
Tell = Callable[[int, int], None]  # games so far, at most


@dataclass(frozen=True)
class Vary:
    """A parameter and the values to try: `n=15..35`, `limit=0.15..0.40`, or with steps `limit=0.1..0.5:0.05`.

    >>> Vary.parse("n=15..18").values, Vary.parse("limit=0..1:0.5").values
    (('15', '16', '17', '18'), ('0', '0.5', '1'))
    """

    name: str
    values: tuple[str, ...]

    @classmethod
    def parse(cls, text: str, most: int = MOST_TRIED) -> Vary:
        """What a text says, with at most so many values."""
        found = _VARY.fullmatch(text)
        try:
            name, low, high, step = found.groups() if found else ("", "", "", "")
            ends = float(low), float(high)
            width = float(step) if step else 0.0
        except ValueError:
            raise PitbossError(f"{text!r} names no values to try; write it as limit=0.15..0.40 or n=15..35") from None
        if ends[1] <= ends[0] or width < 0:
            raise PitbossError(f"{text!r}: the second number must be larger than the first")
        whole = "." not in f"{low}{high}"
        if width:
            count = int((ends[1] - ends[0]) / width + 1e-9) + 1
            values = [ends[0] + n * width for n in range(min(count, most + 1))]
        else:
            count = int(ends[1] - ends[0]) + 1 if whole else USUAL
            values = np.linspace(*ends, min(count, most)).tolist()
            values = [round(value) for value in values] if whole else values
        if len(values) > most:
            raise PitbossError(f"{text!r} means more than {most} values; take larger steps")
        return cls(name, tuple(dict.fromkeys(f"{value:.4g}" for value in values)))


@dataclass(frozen=True)
class Tried:
    """One set of values, and how it did."""

    bot: str
    values: dict[str, float]
    blocks: int
    share: float  # of the wins
    interval: tuple[float, float]  # for all that were tried together, at any time
    left: bool  # it may still be the best
    faults: int = 0

    @property
    def label(self) -> str:
        """The values as a plot names them."""
        return ("● " if self.left else "○ ") + ", ".join(f"{name} = {value:g}" for name, value in self.values.items())

    def to_dict(self) -> Data:
        """For JSON."""
        return dict(vars(self))


@dataclass(frozen=True, repr=False)
class Tuning:
    """What `tune` found out. `tried` is in the order of the values."""

    game: str
    against: tuple[str, ...]
    tried: tuple[Tried, ...]
    games: int
    alpha: float
    seed: str
    seconds: float
    interrupted: bool

    @property
    def best(self) -> Tried:
        """The best so far: of those that are left, the one with the largest share."""
        return max((one for one in self.tried if one.left), key=lambda one: one.share)

    def sentence(self) -> str:
        """The answer in words."""
        best, left = self.best, sum(one.left for one in self.tried)
        if left == 1:
            return f"{best.bot} is the best of the {len(self.tried)} that were tried"
        return f"{best.bot} is the best so far; {left} of {len(self.tried)} are too close to call"

    def __repr__(self) -> str:
        return f"<{self.sentence()}, {self.games:,} games of {self.game}>"

    def _repr_html_(self) -> str:
        rows = [
            [one.bot, share(one.share, one.interval), f"{one.blocks:,}", "may be the best" if one.left else "dropped"]
            for one in self.tried
        ]
        return html_table(["bot", "share of wins (at any time)", "deals", ""], rows, f"{self.sentence()}.")

    def to_pandas(self) -> DataFrame:
        """A data frame with a row for each set of values; it needs the extra `pandas`."""
        return data_frame(
            [
                {**one.values, "bot": one.bot, "share": one.share, "share_ci95": one.interval, "left": one.left}
                for one in self.tried
            ]
        )

    def plot(self) -> Plot:
        """What was tried, with intervals, to look at in a notebook or to save."""
        from pitboss.core.plots import share_plot

        title = f"Share of wins against {', '.join(self.against)}: ● may be the best, ○ dropped"
        return share_plot(title, ((one.label, one.share, one.interval) for one in self.tried))

    def to_dict(self) -> Data:
        """For JSON."""
        tried = [one.to_dict() for one in self.tried]
        return {**vars(self), "tried": tried, "best": self.best.to_dict(), "sentence": self.sentence()}


@dataclass(frozen=True)
class TuneSettings:
    """How a search is played."""

    against: Sequence[str] = ()  # the game's own choice if empty
    seats: int | None = None
    games: int = 20_000  # at most
    alpha: float = 0.05
    seed: Seed = None
    limits: Limits = field(default_factory=Limits)
    workers: int | None = None


def tune(
    text: str, vary: Sequence[str], spec: str | Game, settings: TuneSettings | None = None, tell: Tell | None = None
) -> Tuning:
    """Find the values of a bot's parameters that win most. Ctrl-C ends the search with the best so far.

    >>> found = tune("stay", ["n=10..20:10"], "flip7:tournament", TuneSettings(["ev"], games=2000, seed=1))
    >>> found.best.bot
    'stay-20'
    """
    game, how = load(spec), settings or TuneSettings()
    race = _Race(game, named(text, vary), how)
    began, interrupted = time.perf_counter(), False
    with StopSign(b"\nStopping after this round. Ctrl-C again stops at once.\n") as sign:
        size = FIRST_ROUND
        while (deals := race.next_round(size)) and not interrupted:
            race.play(deals, tell)
            interrupted = sign.pressed
            size = int(size * GROWTH)
    return Tuning(
        str(game), tuple(race.against), tuple(race.tried()), race.games, how.alpha,
        str(race.key if how.seed is None else how.seed), time.perf_counter() - began, interrupted,
    )  # fmt: skip


def named(text: str, vary: Sequence[str]) -> dict[str, dict[str, float]]:
    """All bots to try, as they are written, with the values that differ.

    >>> list(named("stay", ["n=15..17"])), list(named("mine.py:Bot", ["limit=0..1:0.5", "n=1..2"]))[:2]
    (['stay-15', 'stay-16', 'stay-17'], ['mine.py:Bot(limit=0, n=1)', 'mine.py:Bot(limit=0, n=2)'])
    """
    each = max(2, int(MOST_TRIED ** (1 / max(1, len(vary)))))
    parsed = [Vary.parse(one, each) for one in vary]
    if not parsed or len({one.name for one in parsed}) < len(parsed) or prod(len(one.values) for one in parsed) > 64:
        raise PitbossError("give one to six different parameters to vary, each as limit=0.15..0.40")
    out = {}
    for values in product(*(one.values for one in parsed)):
        pairs = {one.name: value for one, value in zip(parsed, values, strict=True)}
        out[_written(text.strip(), pairs)] = {name: float(value) for name, value in pairs.items()}
    return out


def _written(text: str, pairs: dict[str, str]) -> str:
    """A bot with these values. `n` is what a built-in bot has after its dash: stay-25."""
    given = dict(pairs)
    name, _, inside = text.partition("(")
    if not PLACE.fullmatch(text) and "n" in given:
        name = f"{name}-{given.pop('n')}"
    arguments = [part for part in (inside.removesuffix(")"), *(f"{k}={v}" for k, v in given.items())) if part]
    return f"{name}({', '.join(arguments)})" if arguments else name


class _Race:
    """All that are tried, and what each has won on each deal so far."""

    def __init__(self, game: Game, candidates: dict[str, dict[str, float]], how: TuneSettings) -> None:
        usual = 2 if 2 in game.rules.seats else game.rules.seats[0]
        self.seats = how.seats or (len(how.against) + 1 if how.against else usual)
        game.verify_seats(self.seats)
        rivals = list(how.against) or list(dict.fromkeys(reversed(game.default_bots())))
        if self.seats < 2 or not rivals:
            raise PitbossError(f"tune needs opponents, and {game} is played at {self.seats} seats; choose other rules")
        if not 0 < how.alpha < 1:
            raise PitbossError(f"the probability of an error must lie between 0 and 1, not at {how.alpha}")
        self.against = [rivals[n % len(rivals)] for n in range(self.seats - 1)]
        self.game, self.how, self.key, self.games = game, how, Key.of(how.seed).in_full(), 0
        with Referee(game, how.limits) as referee:
            self._bots = contestants([*candidates, *self.against], game, referee)
        if len(self._bots) != len(candidates) + len(self.against):
            raise PitbossError("a file has several bots; say which: mine.py:MyBot")
        self._values = list(candidates.values())
        self._shares: list[Floats] = [np.zeros(0) for _ in candidates]
        self._faults = [0] * len(candidates)
        self._left = list(range(len(candidates)))
        self._blocks = 0

    def next_round(self, size: int) -> int:
        """How many deals to play next, of so many: fewer if the games run out, none if there is nothing to find out."""
        if not self._blocks:
            return size
        return min(size, (self.how.games - self.games) // (len(self._left) * self.seats)) if len(self._left) > 1 else 0

    def play(self, blocks: int, tell: Tell | None) -> None:
        """One more round of those that are left, and drop those that are known to be worse."""
        if all(each.kind == "built-in" for each in self._bots):
            parts = self._inside(blocks)
        else:
            parts = self._guarded(blocks)
        for who, shares in parts:
            self._shares[who] = np.concatenate([self._shares[who], shares])
            self.games += self.seats * blocks
            if tell:
                tell(self.games, self.how.games)
        self._blocks += blocks
        means = {who: float(self._shares[who].mean()) for who in self._left}
        leader = max(means, key=lambda who: means[who])
        pairs = len(self._shares) * (len(self._shares) - 1) / 2
        self._left = [who for who in self._left if who == leader or not self._worse(who, leader, pairs)]

    def _worse(self, who: int, leader: int, pairs: float) -> bool:
        differences = self._shares[who] - self._shares[leader]
        return interval_at_any_time(differences.tolist(), self.how.alpha / pairs)[1] < 0

    def _inside(self, blocks: int) -> Iterator[tuple[int, Floats]]:
        """At compiled speed."""
        others = [bot(name, self.game) for name in self.against]
        for who in self._left:
            entrants = [bot(self._bots[who].text, self.game), *others]
            yield who, win_shares(self.game, entrants, self.key, self._blocks, blocks, self.seats)[:, 0]

    def _guarded(self, blocks: int) -> Iterator[tuple[int, Floats]]:
        """Under the referee, each bot from a file in its sandbox."""
        how, first = self.how, len(self._shares)
        field = tuple(range(first, first + len(self.against)))
        plan = MatchPlan(str(self.game), tuple(self._bots), self.key, 1, how.limits, 10**9)
        units = [
            (who, Sitting(self._blocks + block, (who, *field)), rotation)
            for rotation in range(self.seats)
            for who in self._left
            for block in range(blocks)
        ]
        workers = how.workers or os.cpu_count() or 1
        executor = Threads(1) if workers == 1 else Processes(workers)
        won = {who: np.zeros((blocks, self.seats)) for who in self._left}
        missing = dict.fromkeys(self._left, blocks * self.seats)
        for part in executor.run(plan, iter(units)):
            for who, sitting, match in part or ():
                seat = sitting.seats(match.rotation).index(who)
                game = match.games[0]
                won[who][sitting.block - self._blocks, match.rotation] = game.seats[seat].share
                self._faults[who] += sum(fault.seat == seat for fault in game.faults)
                missing[who] -= 1
                if not missing[who]:
                    yield who, won[who].mean(axis=1)

    def tried(self) -> Iterator[Tried]:
        """How each did, with an interval that holds for all together."""
        alpha = self.how.alpha / len(self._shares)
        for who, shares in enumerate(self._shares):
            low, high = interval_at_any_time((2 * shares - 1).tolist(), alpha)
            share = float(shares.mean()) if len(shares) else 0.0
            yield Tried(
                self._bots[who].text, self._values[who], len(shares), share, ((1 + low) / 2, (1 + high) / 2),
                who in self._left, self._faults[who],
            )  # fmt: skip

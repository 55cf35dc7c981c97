"""`compare`: is one bot better than another? Play until the answer is known, and no longer."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from pitboss.core.counts import Count, whole_number
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.game import Game
from pitboss.core.keys import Key, Seed
from pitboss.core.notebook import DataFrame, data_frame, html_table
from pitboss.core.registry import bot, load
from pitboss.core.types import Array, Data
from pitboss.former import AsDict
from pitboss.run.batch import win_shares
from pitboss.run.executors import Executor, Threads
from pitboss.run.processes import Processes
from pitboss.sandbox.limits import Limits
from pitboss.stats.ratings.sequential import Sequential, Verdict
from pitboss.stats.stopping import StopSign
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.entering import contestants
from pitboss.tournament.faults import FaultsOfBot, FaultTally, in_words
from pitboss.tournament.match import MatchPlan, MatchRow
from pitboss.tournament.referee.seats import Referee
from pitboss.tournament.schedule import Sitting

if TYPE_CHECKING:
    from pitboss.core.plots import Plot

SEATINGS = 2  # A, B, A, B and B, A, B, A
APART = 20  # blocks that are played at one seating before they are at the other; a verdict can be so much later
FAST_CHUNK = 1000  # blocks of built-in bots between two looks

Watcher = Callable[[int, int, Sequential], None]  # blocks so far, at most


@dataclass(frozen=True)
class Comparison(AsDict):
    """What `compare` found out about A against B."""

    game: str
    a: str
    b: str
    seats: int
    seed: str
    verdict: Verdict
    blocks: int
    games: int
    difference: float  # A's share of the wins minus B's
    interval: tuple[float, float]  # holds at whatever moment one stops
    alpha: float
    margin: float
    seconds: float
    limits: Limits
    interrupted: bool = False
    faults: tuple[FaultsOfBot, ...] = ()  # of bots that were at fault; read these first

    def to_dict(self) -> Data:
        """For JSON."""
        faults = [asdict(each) for each in self.faults]
        return {**vars(self), "verdict": self.verdict.value, "limits": asdict(self.limits), "faults": faults}

    def __repr__(self) -> str:
        return f"<{self.sentence()}: {self._difference()}, {self.games:,} games of {self.game}>"

    def _repr_html_(self) -> str:
        head = ["A", "B", "share of wins, A minus B", "deals", "games"]
        row = [self.a, self.b, self._difference(), f"{self.blocks:,}", f"{self.games:,}"]
        return html_table(head, [row], ". ".join([*in_words(self.faults), self.sentence()]))

    def _difference(self) -> str:
        low, high = self.interval
        return f"{100 * self.difference:+.2f} % ({100 * low:+.2f} to {100 * high:+.2f})"

    def to_pandas(self) -> DataFrame:
        """A data frame with one row; it needs the extra `pandas`."""
        low, high = self.interval
        left_out = ("interval", "limits", "faults")
        row = {name: value for name, value in self.to_dict().items() if name not in left_out}
        return data_frame([{**row, "interval_low": low, "interval_high": high}])

    def plot(self) -> Plot:
        """How much more A wins than B, with its interval, to look at in a notebook or to save."""
        from pitboss.core.plots import Dot, Plot, whiskers

        low, high = (100 * end for end in self.interval)
        dot = Dot(f"{self.a} – {self.b}", 100 * self.difference, low, high, f"{100 * self.difference:+.1f} %")
        drawing = whiskers("Share of wins, A minus B", [dot], "{:+g} %".format, (0, "equal"))
        return Plot(self.sentence(), drawing)

    def sentence(self) -> str:
        """The answer in words."""
        if self.verdict is Verdict.BETTER:
            return f"{self.a} is better than {self.b}"
        if self.verdict is Verdict.WORSE:
            return f"{self.b} is better than {self.a}"
        if self.verdict is Verdict.SAME:
            return f"{self.a} and {self.b} are the same, to within {100 * self.margin:g} points of a hundred"
        return f"{self.a} and {self.b} are too close to call after {self.blocks:,} deals"


class CompareOptions(TypedDict, total=False):
    """What can be set for a comparison; all of it can be left out."""

    seats: int | None  # as few as the table allows
    blocks: Count  # give up after so many deals
    alpha: float  # the probability of a wrong answer
    margin: float  # a difference that would not matter
    seed: Seed
    limits: Limits | None
    workers: int | None  # processes; all cores
    require_isolation: bool  # refuse to run bots where the sandbox does not hold
    watch: Watcher | None  # told how far it is


def compare(spec: str | Game, a: Any, b: Any, **options: Unpack[CompareOptions]) -> Comparison:
    """Play A against B on one deal after another until it is known which is better, or that neither is.

    Half of the seats are A's and half are B's; there are as few as the table allows, unless `seats` says otherwise.
    Each deal is played twice, with the seats changed over, on at most 20,000 deals (`blocks`). A wrong answer has a
    probability of `alpha` at most, at whatever moment the test stops: see `Sequential`. A bot that cannot play at all
    is an error; faults of others are in `faults`.

    >>> compare("flip7:tournament", "stay-25", "random", seed=1).verdict.value
    'better'
    """
    for name in options:
        if name not in CompareOptions.__annotations__:
            raise PitbossError(unknown("option of a comparison:", name, CompareOptions.__annotations__))
    game, seed, limits = load(spec), options.get("seed"), options.get("limits") or Limits()
    seats = _seats(game, options.get("seats"))
    workers, isolated = options.get("workers"), options.get("require_isolation", False)
    if workers is not None and workers < 1:
        raise PitbossError(f"the number of workers must be 1 or more, not {workers}")
    key, most = Key.of(seed).in_full(), whole_number(options.get("blocks", 20_000), "blocks")
    with Referee(game, limits, isolated) as referee:
        entered = contestants([a, b], game, referee)
    if len(entered) != 2:
        raise PitbossError(f"compare takes two bots, and {a},{b} names {len(entered)}; say which: file.py:MyBot")
    test, tally = Sequential(options.get("alpha", 0.05), options.get("margin", 0.01)), FaultTally(entered)
    began = time.perf_counter()
    if all(each.kind == "built-in" for each in entered):
        parts = _built_in(game, entered, key, seats, most)
    else:
        plan = MatchPlan(str(game), tuple(entered), key, 1, limits, 10**9, isolated)
        alone = workers == 1 or any(each.kind == "class" for each in entered)  # a class of the caller's cannot travel
        executor = Threads(1) if alone else Processes(workers or os.cpu_count() or 1)
        parts = _guarded(plan, seats, most, executor, tally)
    interrupted = _test(test, parts, most, options.get("watch"))
    return Comparison(
        str(game), entered[0].name, entered[1].name, seats, str(key if seed is None else seed), test.verdict, test.n,
        test.n * SEATINGS, test.mean, test.interval, test.alpha, test.margin, time.perf_counter() - began, limits,
        interrupted, tally.result(),
    )  # fmt: skip


def _seats(game: Game, wanted: int | None) -> int:
    """How many seats there are, half of them for each bot."""
    seats = next((n for n in game.rules.seats if n % 2 == 0), 2) if wanted is None else wanted
    if seats % 2 or seats < 2:
        raise PitbossError(f"compare shares the seats between the two bots: give an even number of them, not {seats}")
    game.verify_seats(seats)
    return seats


def _test(test: Sequential, parts: Generator[Array, None, None], most: int, watch: Watcher | None) -> bool:
    """Look at the differences until there is a verdict; whether somebody stopped it before."""
    done = 0
    with StopSign() as sign, closing(parts):
        for differences in parts:
            test.add(differences)
            done += len(differences)
            if watch:
                watch(done, most, test)
            if test.verdict is not Verdict.UNDECIDED or sign.pressed:
                return sign.pressed
    return False


def _built_in(game: Game, pair: list[Contestant], key: Key, seats: int, blocks: int) -> Generator[Array, None, None]:
    """Differences by block, at compiled speed."""
    entrants = [bot(each.text, game) for each in pair] * (seats // 2)
    for first in range(0, blocks, FAST_CHUNK):
        shares = win_shares(game, entrants, key, first, min(FAST_CHUNK, blocks - first), SEATINGS)
        yield shares[:, 0::2].sum(axis=1) - shares[:, 1::2].sum(axis=1)


def _guarded(
    plan: MatchPlan, seats: int, blocks: int, executor: Executor, tally: FaultTally
) -> Generator[Array, None, None]:
    """Differences by block, in the order of the blocks, under the referee.

    Both seatings of a block are played some blocks apart, lest a bot remember the cards.
    """
    jobs = (
        (block, Sitting(block, (0, 1) * (seats // 2)), seating)
        for first in range(0, blocks, APART)
        for seating in range(SEATINGS)
        for block in range(first, min(first + APART, blocks))
    )
    halves: dict[int, list[float]] = defaultdict(list)
    following = 0
    parts = executor.run(plan, jobs)
    try:
        for part in parts:
            for number, sitting, match in part or ():
                bots = sitting.seats(match.rotation)
                tally.add(bots, match)
                halves[number].append(_difference(bots, match))
            tally.verify()
            ready = []
            while len(halves[following]) == SEATINGS:
                ready.append(sum(halves.pop(following)) / SEATINGS)
                following += 1
            if ready:
                yield np.array(ready)
    finally:
        parts.close()


def _difference(bots: tuple[int, ...], match: MatchRow) -> float:
    return sum(row.share if who == 0 else -row.share for who, row in zip(bots, match.games[0].seats, strict=True))

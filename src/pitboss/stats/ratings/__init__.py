"""What the results of a tournament tell about its bots, with intervals.

The unit of every interval is the deal block: all games that were played on the same cards. Games of one
block share luck; blocks do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.types import Floats, Ints
from pitboss.stats.intervals import Estimate, quantile, within
from pitboss.stats.ratings.luce import Chain, Prior
from pitboss.stats.ratings.ranks import Ranks, ranks

NORMAL = quantile(0.95, 10**9)
EXACT, NEAR = 1e-10, 0.02  # how far the last step of a fit may go: its error is about the square of that
ROOM = 4_000_000  # numbers held at once while fitting resamples
LIGHTEST = 1e-4  # made-up games of a resample weigh at least this, far out in the tail: fits stay short


@dataclass(frozen=True)
class Finishes:
    """Many games or matches: who sat there, and in which place each ended.

    >>> Finishes(bots=3, players=[[0, 1], [2, 1]], places=[[1, 2], [1, 1]], blocks=[0, 0]).rows
    2
    """

    bots: int  # how many there are in all
    players: Ints  # [row, seat] numbers of bots, each at most once in a row
    places: Ints  # [row, seat] 1 is best; equal places are ties, and gaps do not matter
    blocks: Ints  # [row] the deal block

    def __post_init__(self) -> None:
        for name in ("players", "places", "blocks"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.int64))
        if self.players.size == 0:
            object.__setattr__(self, "players", self.players.reshape(0, 2))
            object.__setattr__(self, "places", self.places.reshape(0, 2))
        if self.players.ndim != 2 or self.places.shape != self.players.shape or self.blocks.shape != (self.rows,):
            raise PitbossError(
                "finishes need players and places of one shape, and a block for each row, not "
                f"{self.players.shape}, {self.places.shape} and {self.blocks.shape}"
            )
        if self.players.size and not 0 <= self.players.min() <= self.players.max() < self.bots:
            raise PitbossError(f"players are numbers from 0 to {self.bots - 1}")
        seated = np.sort(self.players, axis=1)
        if (seated[:, 1:] == seated[:, :-1]).any():
            raise PitbossError("a bot can sit at a table only once")

    @property
    def rows(self) -> int:
        """How many games or matches."""
        return len(self.players)

    def same_as(self, other: Finishes) -> bool:
        """Whether these are the same finishes, in the same order."""
        fields = ("players", "places", "blocks")
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in fields)

    def blocks_of_bots(self) -> Ints:
        """In how many blocks each bot sat."""
        seats = self.players.shape[1]
        pairs = np.unique(np.stack([self.players.reshape(-1), np.repeat(self.blocks, seats)]), axis=1)
        return np.bincount(pairs[0], minlength=self.bots)


@dataclass(frozen=True)
class Strengths:
    """How strong each bot is: logarithms of worths.

    Of two bots at a table of two, the first wins `exp(a - b)` games for each that the second wins. Only
    differences have a meaning. Zero is the mean of all bots, in which each counts by its `weight`: by how much
    its results tell. A bot that always loses is far down, nobody knows how far, and should not move the others.
    """

    strength: Floats  # [bot]
    low: Floats  # [bot] 95 % interval; nan where a bot was seen in fewer than two blocks
    high: Floats
    best: Floats  # [bot] the probability of being the strongest; nan if there are fewer than two blocks
    ties: dict[int, float]  # per size that was seen: how likely a tie is among equals, against the win of one of them
    weight: Floats  # [bot] sums to 1
    ranks: Ranks  # which bots are told apart
    linked: bool  # False: some bots never met, not even through others; only made-up games compare them
    converged: bool


def strengths(finishes: Finishes, resamples: int = 1000, prior: float = 1.0, seed: int = 0) -> Strengths:
    """The strengths that make the finishes most likely (see `pitboss.stats.ratings.luce` for the model).

    Made-up games are added, so that a bot that always won is not infinitely strong: for n bots, `prior` times
    n - 1 of them, shared out evenly, of each bot against the mean of the others, half won and half lost. With
    more than a few real games they make no difference.

    Intervals come from fits in which each block counts by a random weight, and so do the made-up games (the
    Bayesian bootstrap); they are stretched as Student's t is against the normal distribution. The same
    finishes give the same numbers, in whatever order they are listed.

    >>> places = [[1, 2]] * 20 + [[2, 1]] * 10  # the first bot won two games for each that it lost
    >>> found = strengths(Finishes(2, [[0, 1]] * 30, places, range(30)))
    >>> print(f"{np.exp(found.strength[0] - found.strength[1]):.2f}, the better one with {found.best[0]:.0%}")
    1.95, the better one with 95%
    """
    n = finishes.bots
    met = head_to_head(finishes)
    linked = _all_reach(met.games)
    if prior < 0:
        raise PitbossError(f"the number of made-up games must be 0 or more, not {prior}")
    if prior == 0 and not _all_reach(met.wins + met.ties):
        raise PitbossError("without made-up games, no strengths can be found unless each bot, or bots that it "
                           "beat, and so on, beat each other one")  # fmt: skip
    unknown = np.full(n, np.nan)
    if not finishes.rows or finishes.players.shape[1] < 2:
        return Strengths(np.zeros(n), unknown, unknown, unknown, {}, np.full(n, 1 / n), Ranks.nothing(n), linked, True)
    names, blocks = np.unique(finishes.blocks, return_inverse=True)
    chain = Chain(n, finishes.players, finishes.places, blocks.reshape(-1))
    half = np.full(chain.numbers, 0.5)  # of a made-up game is won, half is lost
    half[:n] *= (n - 1) / n
    made_up = Prior(prior * half[None], prior * half[None]) if prior else None
    fit, converged = chain.fit(np.ones((1, len(names))), chain.middle, made_up, EXACT)
    theta = fit[0]
    told = chain.information(theta)[:n]
    weight = told / told.sum()
    strength = theta[:n] - weight @ theta[:n]
    ties = {size: float(np.exp(x)) for size, x in zip(chain.ties, theta[n:], strict=True)}
    if len(names) < 2 or resamples < 1:
        return Strengths(strength, unknown, unknown, unknown, ties, weight, Ranks.nothing(n), linked, converged)

    fits, near = _resample(chain, theta, half, prior, resamples, seed)
    off = fits[:, :n] - theta[:n]
    off -= off @ weight[:, None]
    seen = finishes.blocks_of_bots()
    off *= [_stretch(int(count)) for count in seen]
    low, high = strength + np.quantile(off, [0.025, 0.975], axis=0)
    low[seen < 2] = high[seen < 2] = np.nan
    drawn = np.where(seen > 0, strength + off, -np.inf)
    first = drawn == drawn.max(axis=1, keepdims=True)
    best = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    order = ranks(chain, theta, seen)
    return Strengths(strength, low, high, best, ties, weight, order, linked, converged and near)


def _resample(
    chain: Chain, start: Floats, half: Floats, prior: float, resamples: int, seed: int
) -> tuple[Floats, bool]:
    """Fits under random weights of the blocks and of the made-up games, and whether all were found."""
    luck = np.random.Generator(np.random.PCG64(seed))
    chunk = max(1, ROOM // chain.room)
    fits, found = [], True
    for done in range(0, resamples, chunk):
        count = min(chunk, resamples - done)
        weights = luck.standard_exponential((count, chain.blocks))
        won, lost = np.maximum(luck.standard_gamma(half, (2, count, chain.numbers)), LIGHTEST) * prior
        fit, near = chain.fit(weights, start, Prior(won, lost) if prior else None, NEAR)
        fits.append(fit)
        found = found and near
    return np.concatenate(fits), found


def _stretch(blocks: int) -> float:
    """What makes the spread under exponential weights, 1/(n + 1), as wide as Student's interval, of 1/(n - 1)."""
    n = max(blocks, 2)
    return quantile(0.95, n - 1) / NORMAL * sqrt((n + 1) / (n - 1))


def _all_reach(steps: Ints) -> bool:
    """Whether one can get from each bot to each other along pairs whose number is not zero."""
    reach = (steps > 0) | np.eye(len(steps), dtype=bool)
    for _ in range(len(steps).bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    return bool(reach.all())


@dataclass(frozen=True)
class HeadToHead:
    """Each bot against each other, [a, b]."""

    wins: Ints  # rows in which a placed before b
    ties: Ints
    games: Ints  # rows in which both sat
    difference: Floats  # (wins of a - wins of b) / games; nan if they never met


def head_to_head(finishes: Finishes) -> HeadToHead:
    """Wins of each bot against each other.

    >>> table = head_to_head(Finishes(2, [[0, 1]] * 3, [[1, 2], [1, 2], [1, 1]], [0, 1, 2]))
    >>> int(table.wins[0, 1]), int(table.ties[0, 1])
    (2, 1)
    """
    n, seats = finishes.bots, finishes.players.shape[1]
    left, right = np.nonzero(~np.eye(seats, dtype=bool))  # all ordered pairs of seats
    a, b = finishes.players[:, left].reshape(-1), finishes.players[:, right].reshape(-1)
    ahead = np.sign(finishes.places[:, right] - finishes.places[:, left]).reshape(-1)
    pair = a * n + b
    wins, ties, games = (
        np.bincount(pair[chosen], minlength=n * n).reshape(n, n) for chosen in (ahead > 0, ahead == 0, ahead == ahead)
    )
    with np.errstate(invalid="ignore"):
        difference = (wins - wins.T) / games
    return HeadToHead(wins, ties, games, difference)


def block_interval(sums: Floats, counts: Floats, *, share: bool = False) -> list[Estimate]:
    """Per bot, the mean of something that was summed up by block: sums[block, bot] over counts[block, bot], with
    its 95 % interval; no interval from a single block, and 0 where nothing was counted.

    The interval is Student's, over blocks. With `share` the mean is one of numbers from 0 to 1, and the interval
    is Wilson's for as many independent games as have the same error: it stays within 0 and 1, and is not empty when
    all blocks agree.

    >>> wins, games = [[2], [1], [2], [2]], [[2], [2], [2], [2]]
    >>> [estimate] = block_interval(np.array(wins), np.array(games), share=True)
    >>> print(f"{estimate.mean:.1%}, {estimate.low:.0%} to {estimate.high:.0%}")
    87.5%, 32% to 99%
    """
    sums, counts = np.asarray(sums, float), np.asarray(counts, float)
    return [_interval(sums[:, bot], counts[:, bot], share) for bot in range(sums.shape[1])]


def _interval(sums: Floats, counts: Floats, share: bool) -> Estimate:
    there = counts > 0
    n, total = int(there.sum()), float(counts.sum())
    if n == 0:
        return Estimate(0.0, None, None)
    mean = float(sums.sum()) / total
    if n == 1:
        return Estimate(mean, None, None)
    variance = float(((sums - mean * counts)[there] ** 2).sum()) * n / (n - 1) / total**2
    if share:
        return within(mean, variance, n)
    half = quantile(0.95, n - 1) * sqrt(variance)
    return Estimate(mean, mean - half, mean + half)

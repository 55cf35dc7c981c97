"""What blocks of games tell, with intervals.

A block is one deal played in every rotation of the bots over the seats. Its games share luck, so
the block, not the game, is the unit of every interval. Sums are kept for fixed chunks of blocks and
added in order: the result does not depend on how many threads made them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import pi, sqrt, tan
from statistics import NormalDist

import numpy as np

from pitboss.core.figure import Figure
from pitboss.core.step import OUTRIGHT, SHARE, SHARED_WIN
from pitboss.core.types import Data, Floats
from pitboss.former import AsDict


@dataclass(frozen=True)
class Estimate(AsDict):
    """A mean and its 95 % interval; no interval if there is a single block."""

    mean: float
    low: float | None
    high: float | None

    @property
    def ci95(self) -> list[float] | None:
        """The interval as a pair."""
        return None if self.low is None or self.high is None else [self.low, self.high]

    def to_dict(self) -> Data:
        return {"mean": self.mean, "ci95": self.ci95}


def quantile(confidence: float, freedom: int) -> float:
    """Two-sided quantile of Student's t: of the normal distribution, widened for few blocks.

    >>> round(quantile(0.95, 10**9), 3), round(quantile(0.95, 10), 2)
    (1.96, 2.23)
    """
    if freedom <= 2:  # the expansion below is for more; these are exact
        tail = (1 + confidence) / 2
        if freedom == 1:
            return tan(pi * (tail - 0.5))
        a = 4 * tail * (1 - tail)
        return 2 * (tail - 0.5) * sqrt(2 / a)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    n = freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def mean(total: float, squares: float, n: int, confidence: float = 0.95) -> Estimate:
    """The mean of n numbers from their sum and their sum of squares."""
    m = total / n
    if n < 2:
        return Estimate(m, None, None)
    error = sqrt(max(0.0, squares - n * m * m) / (n - 1) / n)
    half = quantile(confidence, n - 1) * error
    return Estimate(m, m - half, m + half)


def share(total: float, squares: float, n: int) -> Estimate:
    """The mean of n numbers from 0 to 1, with an interval as `within` finds it."""
    m = total / n
    return within(m, max(0.0, squares - n * m * m) / (n - 1) / n if n > 1 else 0.0, n)


def within(mean: float, variance: float, n: int) -> Estimate:
    """The interval of a share, from its variance over n blocks: Wilson's, with Student's t, for as many independent
    games as have the same error. It stays between 0 and 1; where all blocks agree, each counts as one game.

    >>> print(within(1.0, 0.0, 20).ci95[0].__format__(".2f"))
    0.82
    """
    if n < 2:
        return Estimate(mean, None, None)
    t = quantile(0.95, n - 1)
    narrow = t * t * (variance / (mean * (1 - mean)) if variance > 0 and 0 < mean < 1 else 1 / n)
    centre = (mean + narrow / 2) / (1 + narrow)
    half = sqrt(max(0.0, narrow * mean * (1 - mean) + narrow**2 / 4)) / (1 + narrow)
    return Estimate(mean, min(mean, max(0.0, centre - half)), max(mean, min(1.0, centre + half)))


def between_pairs(
    total: Floats, squares: Floats, n: int, wide: float, confidence: float = 0.95
) -> tuple[Floats, Floats, Floats]:
    """Mean, low and high of differences from -1 to 1, from their sums and sums of squares over n blocks, 2 or more.

    Student's interval after two imaginary blocks, which differ by `wide` in favour of the one and of the other: where a
    few blocks agree by luck, or nearly all of them say the same, it still has the width that luck needs. And where even
    blocks that all favour the same bot could be luck (each favours either of two equal bots with the same chance), it
    reaches 0.
    """
    mean, centre = total / n, total / (n + 2)
    spread = np.maximum(0.0, squares + 2 * wide**2 - (n + 2) * centre**2) / (n + 1) / (n + 2)
    half = quantile(confidence, n - 1) * np.sqrt(spread)
    low = np.maximum(-1.0, np.minimum(mean, centre - half))
    high = np.minimum(1.0, np.maximum(mean, centre + half))
    if 2.0 ** (1 - n) > 1 - confidence:
        low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
    return mean, low, high


def ratio_of(a: Floats, b: Floats, *, share: bool = False) -> Estimate:
    """Sum of a over sum of b, of pairs of numbers, one for each block."""
    return ratio([float(x) for x in (a.sum(), a @ a, b.sum(), b @ b, a @ b)], len(a), share=share)


def ratio(sums: Sequence[float], n: int, *, share: bool = False) -> Estimate:
    """Sum of a over sum of b, from n pairs: the sum and the sum of squares of a, the same of b, the sum of products.
    A share lies between 0 and 1."""
    a, aa, b, bb, ab = sums
    if b == 0:
        return Estimate(0.0, None, None)
    r = a / b
    if n < 2:
        return Estimate(r, None, None)
    variance = max(0.0, aa - 2 * r * ab + r * r * bb) / (n - 1) * n / b**2
    if share and 0 <= r <= 1:
        return within(r, variance, n)
    half = quantile(0.95, n - 1) * sqrt(variance)
    return Estimate(r, r - half, r + half)


def widest(bots: int, rotations: int) -> float:
    """By how much a block can be expected to differ at most between two of so many bots: the root of 2 / bots in a full
    block, 1 for two bots."""
    return min(1.0, sqrt(2 / sqrt(bots * rotations)))


@dataclass
class Sums:
    """Sums over blocks; `of` makes them for a chunk, `+` adds them up.

    A block counts with the sums of its games, not their means: mostly whole numbers, which add up
    exactly in any order.
    """

    blocks: int
    rotations: int
    columns: Floats  # [bot, column]
    products: Floats  # [bot, column, column]
    all_products: Floats  # [column, column] of the sum over all bots
    shares: Floats  # [bot, bot]: products of win shares
    seat_share: Floats  # [bot, seat]
    seat_squares: Floats

    @classmethod
    def of(cls, rows: Floats) -> Sums:
        """From rows[block, rotation, seat, column]."""
        blocks, rotations, seats, _ = rows.shape
        bot, rotation = np.meshgrid(np.arange(seats), np.arange(rotations), indexing="ij")
        seat = (bot + rotation) % seats
        by_bot = rows[:, rotation, seat]  # [block, bot, rotation, column]
        x = by_bot.sum(axis=2)
        every = x.sum(axis=1)
        seat_share, seat_squares = np.zeros((seats, seats)), np.zeros((seats, seats))
        np.add.at(seat_share, (bot, seat), by_bot[..., SHARE].sum(axis=0))
        np.add.at(seat_squares, (bot, seat), (by_bot[..., SHARE] ** 2).sum(axis=0))
        return cls(
            blocks,
            rotations,
            x.sum(axis=0),
            x.transpose(1, 2, 0) @ x.transpose(1, 0, 2),
            every.T @ every,
            x[:, :, SHARE].T @ x[:, :, SHARE],
            seat_share,
            seat_squares,
        )

    def __add__(self, other: Sums) -> Sums:
        assert self.rotations == other.rotations
        added = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        return Sums(**{**added, "rotations": self.rotations})

    def win_share(self, bot: int) -> Estimate:
        """A bot's share of wins."""
        k = self.rotations
        return share(float(self.columns[bot, SHARE]) / k, float(self.shares[bot, bot]) / k**2, self.blocks)

    def gain(self, bot: int) -> Estimate:
        """By how much a bot's share of wins is more than even, from deals that are played in all rotations.

        One of equal bots that use no luck of their own wins exactly its even share of every such deal."""
        k, n, seats = self.rotations, self.blocks, len(self.columns)
        even, total = 1 / seats, self.columns[bot, SHARE] / k
        if n < 2:
            return Estimate(float(total) - even, None, None)
        squares = self.shares[bot, bot] / k**2 - 2 * even * total + n * even**2
        wide = widest(seats, k) * (1 - even)  # of the difference to one other bot, as much as is this one's own
        return Estimate(*map(float, between_pairs(total - n * even, squares, n, wide)))

    def at_seat(self, bot: int, seat: int) -> Estimate:
        """A bot's share of wins at one seat."""
        return share(float(self.seat_share[bot, seat]), float(self.seat_squares[bot, seat]), self.blocks)

    def difference(self, a: int, b: int, confidence: float = 0.95) -> Estimate:
        """How much more bot a wins than bot b, on the same deals: see `between_pairs`."""
        k, n = self.rotations, self.blocks
        total = (self.columns[a, SHARE] - self.columns[b, SHARE]) / k
        if n < 2:
            return Estimate(float(total), None, None)
        squares = (self.shares[a, a] - 2 * self.shares[a, b] + self.shares[b, b]) / k**2
        return Estimate(*map(float, between_pairs(total, squares, n, widest(len(self.columns), k), confidence)))

    def figure(self, figure: Figure, bot: int | None) -> Estimate:
        """A figure that the game declares, of one bot or of all."""
        x = self.columns[bot] if bot is not None else self.columns.sum(axis=0)
        xx = self.products[bot] if bot is not None else self.all_products
        i, j = figure.place, figure.per_place
        if figure.per is None:
            games = self.rotations if bot is not None else self.rotations * len(self.columns)
            of = share if figure.percent else mean
            return of(float(x[i]) / games, float(xx[i, i]) / games**2, self.blocks)
        return ratio([float(y) for y in (x[i], xx[i, i], x[j], xx[j, j], xx[i, j])], self.blocks, share=figure.percent)

    def wins(self, bot: int) -> int:
        """Games won outright."""
        return int(self.columns[bot, OUTRIGHT])

    def ties(self, bot: int) -> int:
        """Games won together with others."""
        return int(self.columns[bot, SHARED_WIN])

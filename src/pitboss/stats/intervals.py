"""What blocks of games tell, with intervals.

A block is one deal played in every rotation of the bots over the seats. Its games share luck, so
the block, not the game, is the unit of every interval. Sums are kept for fixed chunks of blocks and
added in order: the result does not depend on how many threads made them.
"""

from __future__ import annotations

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
    """The mean of n numbers from 0 to 1. Where all were equal, luck is not excluded: the interval is
    that of a proportion seen n times (Wilson)."""
    return _unsure(mean(total, squares, n), n)


def _unsure(e: Estimate, n: int) -> Estimate:
    """The estimate of a share, kept between 0 and 1, and never surer than n sightings allow."""
    if e.low is None or e.high is None:
        return e
    if e.high > e.low:
        return Estimate(e.mean, max(0.0, e.low), min(1.0, e.high))
    z2 = quantile(0.95, 10**9) ** 2
    centre = (e.mean + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(z2 * (e.mean * (1 - e.mean) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return Estimate(e.mean, max(0.0, min(e.mean, centre - half)), min(1.0, max(e.mean, centre + half)))


def ratio(a: float, aa: float, b: float, bb: float, ab: float, n: int) -> Estimate:
    """Sum of a over sum of b, from n pairs: sums, sums of squares, sum of products."""
    if b == 0:
        return Estimate(0.0, None, None)
    r = a / b
    if n < 2:
        return Estimate(r, None, None)
    spread = max(0.0, aa - 2 * r * ab + r * r * bb) / (n - 1)
    half = quantile(0.95, n - 1) * sqrt(spread / n) / (b / n)
    return Estimate(r, r - half, r + half)


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

    def at_seat(self, bot: int, seat: int) -> Estimate:
        """A bot's share of wins at one seat."""
        return share(float(self.seat_share[bot, seat]), float(self.seat_squares[bot, seat]), self.blocks)

    def difference(self, a: int, b: int, confidence: float = 0.95) -> Estimate:
        """How much more bot a wins than bot b, on the same deals.

        A few blocks can agree by luck, so their spread alone proves nothing. To what was seen we add the spread of two
        blocks of equal bots: the interval always has a width, and with many blocks this changes nothing. And where even
        blocks that all favour the same bot could be luck (each block favours either of two equal bots with the same
        chance), the interval reaches 0.
        """
        k, n = self.rotations, self.blocks
        total = float(self.columns[a, SHARE] - self.columns[b, SHARE]) / k
        squares = float(self.shares[a, a] - 2 * self.shares[a, b] + self.shares[b, b]) / k**2
        usual = 2 / (len(self.columns) * k)  # the variance of a block, if all bots are equal
        e = mean(total, squares + 2 * usual, n, confidence)
        if e.low is None or e.high is None:
            return e
        luck = 2.0 ** (1 - n) > 1 - confidence
        low, high = max(-1.0, e.low), min(1.0, e.high)
        return Estimate(e.mean, min(low, 0.0) if luck else low, max(high, 0.0) if luck else high)

    def figure(self, figure: Figure, bot: int | None) -> Estimate:
        """A figure that the game declares, of one bot or of all."""
        x = self.columns[bot] if bot is not None else self.columns.sum(axis=0)
        xx = self.products[bot] if bot is not None else self.all_products
        i, j = figure.place, figure.per_place
        if figure.per is None:
            games = self.rotations if bot is not None else self.rotations * len(self.columns)
            found = mean(float(x[i]) / games, float(xx[i, i]) / games**2, self.blocks)
            return _unsure(found, self.blocks) if figure.percent else found
        rate = ratio(float(x[i]), float(xx[i, i]), float(x[j]), float(xx[j, j]), float(xx[i, j]), self.blocks)
        return _unsure(rate, self.blocks) if figure.percent else rate

    def wins(self, bot: int) -> int:
        """Games won outright."""
        return int(self.columns[bot, OUTRIGHT])

    def ties(self, bot: int) -> int:
        """Games won together with others."""
        return int(self.columns[bot, SHARED_WIN])

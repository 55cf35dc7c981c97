"""Intervals cover what they say they cover."""

from itertools import combinations

import numpy as np
import pytest

from pitboss.core.game import Figure
from pitboss.core.step import SHARE
from pitboss.stats.intervals import Sums, mean, quantile, ratio, share


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (100, 1.984), (10**6, 1.960)],
)
def test_quantiles_of_student(freedom, expected):
    """From the tables in every textbook."""
    assert quantile(0.95, freedom) == pytest.approx(expected, rel=0.003)


def test_mean_covers_at_its_rate():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(2000):
        x = rng.exponential(size=40)
        e = mean(float(x.sum()), float((x * x).sum()), 40)
        hits += e.low <= 1 <= e.high
    assert 0.91 < hits / 2000 < 0.97


def test_ratio_covers_at_its_rate():
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(2000):
        b = rng.integers(5, 15, size=60).astype(float)
        a = 0.3 * b + rng.normal(size=60)
        e = ratio(a.sum(), (a * a).sum(), b.sum(), (b * b).sum(), (a * b).sum(), 60)
        hits += e.low <= 0.3 <= e.high
    assert 0.93 < hits / 2000 < 0.97


def test_one_block_has_no_interval_and_sure_things_are_not_sure():
    assert mean(3.0, 9.0, 1).ci95 is None
    always = share(50.0, 50.0, 50)
    assert always.mean == 1
    assert 0.9 < always.low < 1
    assert always.high == 1
    never = share(0.0, 0.0, 50)
    assert never.low == 0 < never.high < 0.1


def test_sums_of_chunks_are_the_sum_of_all():
    rng = np.random.default_rng(3)
    rows = rng.random((30, 4, 4, 7))
    whole, parts = Sums.of(rows), Sums.of(rows[:10]) + Sums.of(rows[10:])
    assert whole.blocks == parts.blocks == 30
    assert np.allclose(whole.columns, parts.columns)
    assert np.allclose(whole.shares, parts.shares)
    assert np.allclose(whole.seat_share, parts.seat_share)


def test_rotation_is_undone():
    """Rows tell seats; sums tell bots: in rotation j, bot i sat at seat (i + j) mod seats."""
    rows = np.zeros((1, 3, 3, 7))
    for j in range(3):
        for bot in range(3):
            rows[0, j, (bot + j) % 3, 2] = bot + 1
    sums = Sums.of(rows)
    assert sums.columns[:, 2].tolist() == [3, 6, 9]
    assert sums.seat_share.tolist() == [[1, 1, 1], [2, 2, 2], [3, 3, 3]]
    assert sums.difference(2, 0).mean == 2


def seen(rng, blocks, bots, chances, settled=0.0):
    """Sums of games that bots win with these chances; in some blocks the seat decides, and everybody wins once."""
    winners = rng.choice(bots, size=(blocks, bots), p=chances)
    settled_blocks = rng.random(blocks) < settled
    winners[settled_blocks] = np.arange(bots)
    rows = np.zeros((blocks, bots, bots, 3))
    block, rotation = np.indices(winners.shape)
    rows[block, rotation, (winners + rotation) % bots, SHARE] = 1
    return Sums.of(rows)


@pytest.mark.parametrize("settled", [0.0, 0.7])
@pytest.mark.parametrize(("bots", "runs"), [(2, 3000), (4, 1000), (10, 150), (30, 20)])
@pytest.mark.parametrize("blocks", [2, 3, 5, 10, 60])
def test_equal_bots_are_seldom_called_different(blocks, bots, runs, settled):
    """All pairs together, at 95 %, also where blocks agree by luck."""
    rng, pairs = np.random.default_rng([blocks, bots]), list(combinations(range(bots), 2))
    wrong = covered = 0
    for _ in range(runs):
        sums = seen(rng, blocks, bots, np.full(bots, 1 / bots), settled)
        found = [sums.difference(a, b, 1 - 0.05 / len(pairs)) for a, b in pairs]
        wrong += any(e.low * e.high > 0 for e in found)
        covered += sum(e.low <= 0 <= e.high for e in (sums.difference(a, b) for a, b in pairs))
        assert all(-1 <= e.low < e.high <= 1 for e in found)
    assert wrong <= 0.05 * runs + 3 * np.sqrt(0.05 * runs)
    assert covered / (runs * len(pairs)) > 0.94
    if blocks < 6:
        assert not wrong  # nothing can be known yet


@pytest.mark.parametrize("blocks", [3, 5, 10, 20, 60])
def test_differences_cover_at_their_rate_and_are_found_in_the_end(blocks):
    rng, chances = np.random.default_rng(blocks), np.array([0.5, 0.3, 0.15, 0.05])
    covered = found = 0
    for _ in range(1000):
        sums = seen(rng, blocks, 4, chances)
        e = sums.difference(0, 3)
        covered += e.low <= 0.45 <= e.high
        found += e.low > 0
    assert covered / 1000 > 0.935
    assert found / 1000 > 0.99 or blocks < 20


def test_a_share_of_games_that_was_never_seen_is_not_sure():
    rows = np.zeros((10, 2, 2, 4))
    rare = Figure("rare", "rare", "rare", percent=True, place=3)
    e = Sums.of(rows).figure(rare, None)
    assert e.mean == e.low == 0
    assert 0.2 < e.high < 0.4

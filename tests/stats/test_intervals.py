"""Intervals cover what they say they cover."""

import numpy as np
import pytest

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

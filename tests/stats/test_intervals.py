"""Intervals cover what they say they cover."""

import numpy as np
import pytest

from pitboss.core.game import Figure
from pitboss.core.step import SHARE
from pitboss.stats.intervals import Sums, between_pairs, mean, quantile, ratio_of, share, widest


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
        e = ratio_of(a, b)
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


def differences(rng, runs, blocks, chances, settled=0.0):
    """Sums and sums of squares [run, pair] of the differences between bots that win games with these chances. In some
    blocks the seat decides, and everybody wins once."""
    bots = len(chances)
    wins = rng.multinomial(bots, chances, size=(runs, blocks))
    wins[rng.random((runs, blocks)) < settled] = 1
    shares, (i, j) = wins / bots, np.triu_indices(bots, 1)
    total, both = shares.sum(axis=1), shares.transpose(0, 2, 1) @ shares
    squares = np.diagonal(both, axis1=1, axis2=2)
    return total[:, i] - total[:, j], squares[:, i] + squares[:, j] - 2 * both[:, i, j]


@pytest.mark.parametrize("settled", [0.0, 0.7])
@pytest.mark.parametrize(("bots", "runs"), [(2, 5000), (4, 5000), (10, 2000), (30, 1000)])
@pytest.mark.parametrize("blocks", [2, 3, 5, 10, 60])
def test_equal_bots_are_seldom_called_different(blocks, bots, runs, settled):
    """All pairs together, at 95 %, also where blocks agree by luck."""
    rng = np.random.default_rng([blocks, bots])
    total, squares = differences(rng, runs, blocks, np.full(bots, 1 / bots), settled)
    wide = widest(bots, bots)
    _, low, high = between_pairs(total, squares, blocks, wide, 1 - 0.05 / total.shape[1])
    false = ((low > 0) | (high < 0)).any(axis=1).mean()
    assert false <= 0.055
    assert not false or blocks >= 6  # before that nothing can be known
    assert (low >= -1).all()
    assert (low < high).all()
    assert (high <= 1).all()
    _, low, high = between_pairs(total, squares, blocks, wide)
    assert ((low <= 0) & (high >= 0)).mean() >= 0.945


LEVEL = [0.25, 0.25, 0.25, 0.25]


@pytest.mark.parametrize(
    ("chances", "settled"),
    [([0.6, 0.4], 0.0), ([0.95, 0.05], 0.0), ([0.95, 0.05], 0.7), (LEVEL, 0.7), ([0.5, 0.3, 0.15, 0.05], 0.0),
     ([0.85, 0.05, 0.05, 0.05], 0.7)],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("blocks", [2, 3, 5, 10, 20, 30, 60])
def test_differences_cover_at_their_rate(blocks, chances, settled):
    """At 10 to 30 blocks, too, where Student's interval alone covers 80 to 94 %."""
    rng, bots = np.random.default_rng(blocks), len(chances)
    found = between_pairs(*differences(rng, 5000, blocks, chances, settled), blocks, widest(bots, bots))
    truth = (1 - settled) * np.subtract(*np.array(chances)[list(np.triu_indices(bots, 1))])
    covered = ((found[1] <= truth + 1e-9) & (truth - 1e-9 <= found[2])).mean(axis=0)
    assert (covered >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 5000)).all()


def test_what_differs_is_found():
    rng = np.random.default_rng(5)
    found = [between_pairs(*differences(rng, 1000, n, [0.5, 0.3, 0.15, 0.05]), n, widest(4, 4))[1] for n in (10, 20)]
    assert [(low[:, 2] > 0).mean() > least for low, least in zip(found, (0.6, 0.99), strict=True)] == [True, True]


def test_bots_of_a_simulation_are_compared_in_this_way():
    """Two blocks, both won wholly by the first: the interval reaches 0, and lies where shares can."""
    rows = np.zeros((2, 2, 2, 4))
    for rotation in range(2):
        rows[:, rotation, rotation, SHARE] = 1
    e = Sums.of(rows).difference(0, 1)
    assert e.mean == 1
    assert -1 <= e.low <= 0 < e.high == 1


@pytest.mark.parametrize("blocks", [2, 3, 5, 10, 30, 60])
@pytest.mark.parametrize(("bots", "chance"), [(2, 0.5), (2, 0.9), (4, 0.25), (10, 0.1), (4, 0.02)])
def test_shares_of_wins_cover_at_their_rate(bots, chance, blocks):
    rng = np.random.default_rng([blocks, bots])
    shares = rng.binomial(bots, chance, size=(1500, blocks)) / bots
    sums = zip(shares.sum(axis=1), (shares**2).sum(axis=1), strict=True)
    found = [share(float(total), float(squares), blocks) for total, squares in sums]
    assert all(0 <= e.low < e.high <= 1 for e in found)
    assert np.mean([e.low <= chance <= e.high for e in found]) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 1500)


def test_a_share_of_games_that_was_never_seen_is_not_sure():
    rows = np.zeros((10, 2, 2, 4))
    rare = Figure("rare", "rare", "rare", percent=True, place=3)
    e = Sums.of(rows).figure(rare, None)
    assert e.mean == e.low == 0
    assert 0.2 < e.high < 0.4

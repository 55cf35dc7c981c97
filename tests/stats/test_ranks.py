"""Which bots are told apart: seldom equals, all pairs together, and different ones sooner than by pairs alone."""

import numpy as np
import pytest

from pitboss.stats.ratings import Finishes, strengths
from pitboss.stats.ratings.ranks import FEWEST
from tests.stats.test_ratings import played


def told(finishes):
    return strengths(finishes, resamples=1).ranks


def a_class(truth, rng, sittings=91, shared=0.3):
    """A sample as in a class: four at a table, each table a deal of its own, at all four rotations."""
    bots, order = len(truth), []
    while len(order) < 4 * sittings:
        order += rng.permutation(bots).tolist()
    sets = [s for s in np.reshape(order[: 4 * sittings], (sittings, 4)) if len(set(s)) == 4]
    players = np.repeat(sets, 4, axis=0)
    common = np.repeat(rng.gumbel(size=(len(sets), 4)), 4, axis=0)
    noise = np.where(rng.random(players.shape) < shared, common, rng.gumbel(size=players.shape))
    places = (-(truth[players] + noise)).argsort(axis=1).argsort(axis=1) + 1
    return Finishes(bots, players, places, np.repeat(np.arange(len(sets)), 4))


@pytest.mark.parametrize(
    ("bots", "seats", "blocks", "shared", "runs"),
    [(2, 2, 10, 0.0, 1000), (2, 2, 60, 0.4, 500), (4, 2, 3, 0.0, 200), (4, 2, 5, 0.0, 200), (4, 2, 10, 0.0, 1000),
     (5, 2, 10, 0.9, 500), (6, 4, 20, 0.3, 300), (10, 2, 10, 0.3, 200)],
    ids=str,
)  # fmt: skip
def test_equals_are_seldom_told_apart(bots, seats, blocks, shared, runs):
    """At most one tournament in twenty, over all its pairs."""
    rng = np.random.default_rng(11)
    wrong = sum(told(played([0] * bots, seats, blocks, rng, shared=shared)).better.any() for _ in range(runs)) / runs
    assert wrong <= 0.055 + 2 * np.sqrt(0.05 * 0.95 / runs)
    assert not wrong or blocks >= FEWEST


def test_a_class_of_28_is_told_apart_as_far_as_it_can_be():
    """Ten that lose everything, 18 of different strength, 13 tables each: by pairs alone, nothing would be said."""
    rng, wrong, found = np.random.default_rng(12), 0, []
    truth = np.concatenate([np.linspace(1, -1, 18), np.full(10, -9.0)])
    place = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    last = place + (truth[None, :] == truth[:, None]).sum(axis=1) - 1
    for _ in range(12):
        ranks = told(a_class(truth, rng))
        wrong += bool((ranks.better & (truth[:, None] <= truth)).any())
        wrong += not ((ranks.low <= place) & (last <= ranks.high)).all()
        found.append(ranks.better[:18, 18:].mean())
        assert (ranks.more[ranks.better] == 1).all()
    assert wrong <= 2
    assert np.mean(found) > 0.95


def test_more_games_tell_more():
    rng = np.random.default_rng(13)
    few, many = (told(played([0.8, 0.3, -0.3, -0.8], 2, blocks, rng)) for blocks in (12, 400))
    assert few.better.sum() < many.better.sum() == 6
    assert 1 < few.more[~few.better & ~few.better.T & ~np.eye(4, dtype=bool)].min() < 200
    assert many.low.tolist() == many.high.tolist() == [1, 2, 3, 4]


def test_the_same_finishes_in_another_order_give_the_same_ranks():
    rng = np.random.default_rng(14)
    f = played([0.8, 0.3, 0, -0.8], 2, 30, rng)
    rows = rng.permutation(f.rows)
    again = told(Finishes(f.bots, f.players[rows], f.places[rows], f.blocks[rows]))
    assert np.array_equal(told(f).better, again.better)
    assert np.allclose(told(f).more, again.more)

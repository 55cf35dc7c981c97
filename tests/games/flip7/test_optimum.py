"""Per cent of optimal: what 100 % is, and that best play gets it."""

import pytest

from pitboss import load, simulate
from pitboss.games.flip7.optimum import optimum
from pitboss.games.flip7.solver.race import race


@pytest.mark.parametrize("spec", ["flip7:official", "flip7:numbers", "flip7:solo(actions=true)", "show:fair"])
def test_not_comparable(spec):
    assert optimum(load(spec)) is None


def test_the_optimum_of_the_solo_book():
    best = optimum(load("flip7:solo"))
    assert best.points == pytest.approx(20.2291054, abs=1e-6)
    assert best.rounds == pytest.approx(race(load("flip7:solo")).rounds[0])


def test_shares_and_their_intervals():
    game = load("flip7:solo(target=60)")
    best, result = optimum(game), simulate(game, ["stay-15"], games=2000, seed=1)
    data = result.to_dict()["bots"][0]
    points, rounds = best.of_points(result, 0), best.of_rounds(result, 0)
    assert points.mean == pytest.approx(data["mean_round_score"]["mean"] / best.points)
    assert rounds.mean == pytest.approx(best.rounds / data["rounds_per_game"]["mean"])
    assert points.low < points.mean < points.high < 1
    assert rounds.low < rounds.mean < rounds.high < 1
    percents = best.percents(result, 0)
    assert percents["points"]["ci95"] == pytest.approx([100 * points.low, 100 * points.high])
    assert percents["rounds"]["mean"] == pytest.approx(100 * rounds.mean)


def test_best_play_of_first_rounds_is_about_100_per_cent():
    """In a game of one round there is nothing to count, so the oracle is worth exactly the optimum."""
    game = load("flip7:solo(max_rounds=1)")
    share = optimum(game).of_points(simulate(game, ["oracle"], games=20_000, seed=1), 0)
    assert share.low < 1 < share.high


def test_a_single_game_has_no_interval():
    game = load("flip7:solo(target=20)")
    result = simulate(game, ["ev"], games=1, seed=1)
    best = optimum(game)
    assert best.of_points(result, 0).ci95 is None
    assert best.percents(result, 0)["rounds"]["ci95"] is None

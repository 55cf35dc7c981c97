"""Per cent of optimal: what 100 % is, and that best play gets it."""

import pytest

from pitboss import load, simulate
from pitboss.analysis import analysis_of
from pitboss.cli.results import of_best, to_dict
from pitboss.core.keys import Key
from pitboss.games.flip7.solver.race import race


def optimum(game):
    """What 100 % is: rounds, and points."""
    return analysis_of(game).benchmark()


@pytest.mark.parametrize("spec", ["flip7:official", "flip7:numbers", "flip7:solo(actions=true)", "show:fair"])
def test_not_comparable(spec):
    assert optimum(load(spec)) is None


def test_the_optimum_of_the_solo_book():
    rounds, points = optimum(load("flip7:solo")).best
    assert points.value == pytest.approx(20.2291054, abs=1e-6)
    assert rounds.value == pytest.approx(race(load("flip7:solo")).rounds[0])


def test_shares_and_their_intervals():
    game = load("flip7:solo(target=60)")
    best, result = optimum(game), simulate(game, ["stay-15"], games=2000, seed=Key.from_seed(1))
    data = result.to_dict()["bots"][0]
    rounds, points = (of_best(result, each) for each in best.best)
    best_rounds, best_points = (each.value for each in best.best)
    assert points.mean == pytest.approx(data["mean_round_score"]["mean"] / best_points)
    assert rounds.mean == pytest.approx(best_rounds / data["rounds_per_game"]["mean"])
    assert points.low < points.mean < points.high < 1
    assert rounds.low < rounds.mean < rounds.high < 1


def test_best_play_of_first_rounds_is_about_100_per_cent():
    """In a game of one round there is nothing to count, so the oracle is worth exactly the optimum."""
    game = load("flip7:solo(max_rounds=1)")
    _, points = optimum(game).best
    share = of_best(simulate(game, ["oracle"], games=20_000, seed=Key.from_seed(1)), points)
    assert share.low < 1 < share.high


def test_a_single_game_has_no_interval():
    game = load("flip7:solo(target=20)")
    result = simulate(game, ["ev"], games=1, seed=1)
    assert [of_best(result, best).ci95 for best in optimum(game).best] == [None, None]


def test_how_long_games_last_cannot_be_told_if_some_were_cut():
    """A bot that never stays hardly ever gets there: its rounds would seem to be few."""
    game = load("flip7:solo(target=60, max_rounds=3)")
    result = simulate(game, ["always-hit"], games=50, seed=1)
    assert result.cut > 0
    rounds, points = (of_best(result, each) for each in optimum(game).best)
    assert rounds is None
    assert 0 < points.mean < 1
    assert to_dict([result], optimum(game))["bots"][0]["percent_of_optimum"]["rounds"] is None

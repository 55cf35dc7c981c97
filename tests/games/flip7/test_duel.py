"""The duel of two players, and the best answer to a bot."""

import numpy as np
import pytest

from pitboss import load
from pitboss.core.errors import PitbossError
from pitboss.games.flip7.solver import duel as duels
from pitboss.games.flip7.solver import table_cache
from pitboss.games.flip7.solver.duel import best_response, duel, equilibrium
from pitboss.games.flip7.solver.hands import POINTS
from pitboss.games.flip7.solver.oracle import solve_round
from pitboss.games.flip7.solver.rounds import opponent

SHORT = "flip7:numbers(target=24)"


@pytest.fixture(scope="module")
def short():
    return equilibrium(load(SHORT))


def test_chances_of_two_equals(short):
    found, _ = short
    assert found.gap < 2 * duels.GAP
    np.testing.assert_allclose(found.wins + found.wins.T, 1)
    assert np.all(np.diff(found.wins, axis=0) > -2 * duels.GAP)  # a point more is never worse
    assert found.wins[0, 23] < 0.2 < 0.8 < found.wins[23, 0]


def test_nobody_gains_on_the_equilibrium(short):
    """Against somebody who plays it in every round, the best play of the whole game wins no more than it says."""
    found, ways = short

    def plays(own, other):
        return ways[own, other][0] if own <= other else ways[other, own][1]

    shared = load("flip7:numbers(target=24, tie=shared)")  # a tie is then worth one half, as it is to two equals
    best = best_response(shared, plays)
    assert np.all(best > found.wins - 1e-4)
    assert np.all(best < found.wins + 5 * duels.GAP)


@pytest.mark.parametrize("name", ["stay-10", "ev", "always-hit"])
def test_a_bot_is_beaten_by_the_best_answer_to_it(short, name):
    found, _ = short
    best = best_response(load(SHORT), opponent(load(SHORT), name))
    assert np.all(best > found.wins - 2 * duels.GAP)
    assert best[0, 0] > 0.52


@pytest.mark.parametrize("tie", ["shared", "extra_round"])
def test_the_best_answer_is_what_a_plain_recursion_finds(tie):
    """An opponent that makes 0 or 9 points with equal chance, solved by iteration over the oracle."""
    game = load(f"flip7:numbers(target=12, tie={tie})")
    other = np.zeros(POINTS)
    other[0] = other[9] = 0.5
    known = {}

    def chance(a, b):
        if max(a, b) >= 12 and (a != b or tie == "shared"):
            return 0.5 if a == b else float(a > b)
        if a == b >= 12 and (a, b) != (12, 12):
            return chance(12, 12)  # the opponent plays on as before
        if (a, b) not in known:
            x = 0.5
            for _ in range(60):
                known[a, b] = x
                x = solve_round(game, utility=[(chance(a + n, b) + chance(a + n, b + 9)) / 2 for n in range(30)]).value
            known[a, b] = x
        return known[a, b]

    best = best_response(game, lambda own, total: other)
    for a, b in ((11, 11), (11, 3), (2, 8), (0, 0)):
        assert best[a, b] == pytest.approx(chance(a, b), abs=1e-7)


def test_a_tie_at_the_target_is_worth_more_against_a_weaker_bot():
    """Who plays the extra rounds better wins more than half of them; the figure was checked independently."""
    game = load("flip7:numbers(target=40)")
    assert best_response(game, opponent(game, "oracle"))[0, 0] == pytest.approx(0.5735674, abs=1e-7)
    shared = load("flip7:numbers(target=40, tie=shared)")
    assert best_response(shared, opponent(shared, "oracle"))[0, 0] == pytest.approx(0.5724756, abs=1e-7)


def test_pairs_that_are_not_solved_are_played_like_their_neighbours(short, monkeypatch):
    found, _ = short
    monkeypatch.setattr(duels, "FEW_HANDS", 0)
    monkeypatch.setattr(duels, "CLOSE", 8)
    quick, ways = equilibrium(load(SHORT))
    assert len(ways) < 24 * 25 // 2
    assert np.abs(quick.wins - found.wins).max() < 0.05


def test_the_table_is_kept_and_asks_for_sensible_targets(monkeypatch):
    game = load("flip7:official(target=6)")
    first = duel(game)
    monkeypatch.setattr(table_cache, "ProgressBar", None)  # nothing is worked out again
    np.testing.assert_array_equal(duel(game).wins, first.wins)
    assert str(first.game) == "flip7:numbers(modifiers=true, target=6)"
    with pytest.raises(PitbossError, match="targets up to 400"):
        duel(load("flip7:numbers(target=500)"))


def test_rounds_of_a_bot():
    """Bots that play for points alone make of a round what the oracle says, whatever the totals."""
    game = load("flip7:solo")
    rounds = opponent(load("flip7:official"), "oracle")
    exact = solve_round(game).outcome
    np.testing.assert_allclose(rounds(0, 0), exact.points, atol=1e-12)
    np.testing.assert_allclose(rounds(150, 20), exact.points, atol=1e-12)
    with pytest.raises(PitbossError, match="no compiled bot"):
        opponent(game, "examples/bots/gambler.py")

"""Any small game of two players is solved; its payoff is the share of the win, unless it has one of its own."""

import numpy as np
import pytest

from pitboss import load
from pitboss.analysis.solve import BestAnswer, Exact, solve
from pitboss.analysis.trees.policy import expected_value, uniform
from pitboss.analysis.trees.tree import SolveError, build
from pitboss.core.analysis import Grid, Problem
from pitboss.core.errors import PitbossError
from tests.core.dice import BETS, SIDES, Cups

linprog = pytest.importorskip("scipy.optimize", reason="exact answers need SciPy: pip install pitboss[solve]").linprog


@pytest.fixture(scope="module")
def cups():
    return Cups.parse("short(rounds=1)")


def test_a_game_that_says_nothing_about_payoffs_is_solved_for_the_win(cups):
    found = solve(cups, Problem())
    assert isinstance(found, Exact)
    assert found.win_share == 0.5 + found.value
    assert 0 < found.exploitability < 0.01
    assert found.cfr_value == pytest.approx(found.value, abs=0.01)
    facts = found.to_dict()
    assert (facts["kind"], facts["win_share"]) == ("exact", found.win_share)
    assert "of the wins" in " ".join(map(str, found.report()))


def test_the_value_is_that_of_a_linear_programme_written_by_hand(cups):
    """Nothing that a seat sees before its bet tells of the other's die or bet. So a strategy is how often to bet what
    with each die: p[a, x]. Seat 1 with the die b answers best, which leaves t[b] to seat 0."""
    a, x, b, y, cup, other_cup = np.ogrid[:SIDES, :BETS, :SIDES, :BETS, :SIDES, :SIDES]
    ahead = cup - other_cup + np.where(a >= b, x + y, -x - y)  # of equal dice the first seat's counts
    share = np.sign(ahead).mean(axis=(4, 5)) / 2  # less one half
    answers = share.transpose(2, 3, 0, 1).reshape(SIDES * BETS, SIDES * BETS) / SIDES
    best = linprog(
        np.concatenate([np.zeros(SIDES * BETS), -np.ones(SIDES) / SIDES]),
        A_ub=np.hstack([-answers, np.repeat(np.eye(SIDES), BETS, axis=0)]),
        b_ub=np.zeros(SIDES * BETS),
        A_eq=np.hstack([np.repeat(np.eye(SIDES), BETS, axis=1), np.zeros((SIDES, SIDES))]),
        b_eq=np.ones(SIDES),
        bounds=[(0, None)] * SIDES * BETS + [(None, None)] * SIDES,
    )
    assert solve(cups, Problem()).value == pytest.approx(-best.fun, abs=1e-9)
    tree = build(cups)
    assert expected_value(tree, uniform(tree)) == pytest.approx(float(share.mean()))


def test_a_tree_that_is_too_large_says_how_large_and_what_to_do(cups):
    with pytest.raises(SolveError, match=r"too large to solve: it has 1,\d+ positions after \d moves.*limit is 1,000"):
        build(cups, most_nodes=1000)


def test_show_keeps_its_payoff():
    found = solve(load("show:classic(deck=* * * 2 2 2)"), Problem())
    assert found.value == pytest.approx(0.3, abs=1e-9)
    assert found.win_share is None


def test_the_best_answer_to_a_bot():
    game = load("show:classic(deck=* * * 2 2 2)")
    found = solve(game, Problem(against="random"))
    assert isinstance(found, BestAnswer)
    perfect = solve(game, Problem()).value
    assert found.values[0] > perfect
    assert found.values[1] > -perfect


def test_near_equilibrium_play_is_measured():
    found = solve(load("show:fair"), Problem(games=2000, seed=1))
    facts = found.to_dict()
    assert facts["games"] == 2000
    low, high = facts["value"]["ci95"]
    assert low < 0 < high
    assert {"wins", "call_rate", "caller_win_rate"} <= facts["players"][0].keys()
    (grid,) = (part for part in found.report() if isinstance(part, Grid))
    assert "calls won" in grid.header


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (Problem(objective="rounds"), "one objective, to win"),
        (Problem(seats=3), "for two players only"),
        (Problem(seats=4), "2 to 3 seats, not 4"),
    ],
)
def test_what_cannot_be_asked(cups, problem, said):
    with pytest.raises(PitbossError, match=said):
        solve(cups, problem)

"""Exact values of small decks: against the rules page, against OpenSpiel, and against play."""

import random
from itertools import pairwise

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.analysis.trees.lp import solve
from pitboss.analysis.trees.policy import (
    best_response_value,
    cfr_plus,
    expected_value,
    exploitability,
    pair,
    policy_of_bot,
    uniform,
)
from pitboss.analysis.trees.tree import SolveError, build
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.step import DEALER, OVER
from pitboss.games.show import ShowBot

PAGE = {"* * * 2 2 2": 0.300000, "* * A A 3 3": 0.344444, "* A A 2 2 3": 0.244444}
SPECS = [f"show:classic(deck={deck})" for deck in PAGE]
POWERS = {"classic": ["10", "J"], "full": ["10", "J", "Q", "Kh", "Ks"], "fair": ["10", "J"]}


def drawn_specs():
    """Ten decks from a fixed seed: six cards of two kinds, or five of four (more take OpenSpiel minutes:
    its programme is dense), with none, one or two powers among them.

    Under `fair` so few cards never last to a call, and every game is a tie: there, calls are allowed at
    once.
    """
    rng = random.Random(20260928)
    out = []
    for i in range(10):
        preset = ("classic", "full", "fair")[i % 3]
        size, kinds = ((5, 4), (6, 2))[i % 5 == 1]
        powers = rng.sample(POWERS[preset], min(i // 3 % 3, kinds - 1))
        cards = rng.sample(["*", "A", "2", "3", "5"], kinds - len(powers)) + powers
        deck = " ".join(cards + rng.choices(cards, k=size - kinds))
        out.append(f"show:{preset}({'call_from_turn=1, ' if preset == 'fair' else ''}deck={deck})")
    return out


@pytest.fixture(scope="module")
def solved():
    """Solutions by spec, each made once."""
    known = {}

    def get(spec):
        if spec not in known:
            known[spec] = solve(load(spec))
        return known[spec]

    return get


@pytest.mark.parametrize("spec", SPECS)
def test_values_of_the_rules_page(spec, solved):
    deck = spec.partition("deck=")[2].rstrip(")")
    assert round(solved(spec).value, 6) == PAGE[deck]


def test_ten_drawn_decks_against_openspiel(solved, monkeypatch):
    """Another tree, other information sets, another programme, the same value."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install pitboss[spiel]")
    pytest.importorskip("cvxpy", reason="OpenSpiel's solver needs cvxpy: pip install pitboss[spiel]")
    from open_spiel.python.algorithms import lp_solver, sequence_form_lp

    from tests.analysis.spiel import SpielGame

    # Its default options are those of a solver that no longer comes with cvxpy; HiGHS does.
    monkeypatch.setattr(lp_solver.LinearProgram.solve, "__defaults__", ("HIGHS", {}))
    specs = drawn_specs()
    assert len({*specs}) == 10
    values = set()
    for spec in specs:
        game = load(spec)
        first, second, policy, _ = sequence_form_lp.solve_zero_sum_game(SpielGame(game), solver="HIGHS")
        solution = solved(spec)
        assert solution.value == pytest.approx(first, abs=1e-6), spec
        assert -solution.value == pytest.approx(second, abs=1e-6), spec
        assert solution.tree.sets == sum(map(len, policy.states_per_player)), spec
        values.add(round(solution.value, 6))
    assert len(values) > 5  # the decks are different games


def test_fair_needs_more_cards():
    """Six cards are gone before a third turn: nobody can call, so all is worth nothing."""
    assert solve(load("show:fair(deck=* A 2 10 J 5)")).value == 0


@pytest.mark.parametrize("spec", [*SPECS, *drawn_specs()])
def test_perfect_play_gives_nothing_away(spec, solved):
    solution = solved(spec)
    tree, policy = solution.tree, solution.policy
    assert abs(exploitability(tree, policy)) < 1e-6
    assert expected_value(tree, policy) == pytest.approx(solution.value, abs=1e-6)
    # Neither seat can do better than the value, and each secures it against anybody.
    assert best_response_value(tree, 0, policy) == pytest.approx(solution.value, abs=1e-6)
    assert best_response_value(tree, 1, policy) == pytest.approx(-solution.value, abs=1e-6)
    assert expected_value(tree, pair(tree, policy, uniform(tree))) >= solution.value - 1e-6
    assert expected_value(tree, pair(tree, uniform(tree), policy)) <= solution.value + 1e-6


@pytest.mark.parametrize("spec", [*SPECS, *drawn_specs()])
def test_cfr_converges(spec, solved):
    solution = solved(spec)
    tree = solution.tree
    left = []
    for iterations in (1, 10, 100, 400):
        policy = cfr_plus(tree, iterations)
        left.append(exploitability(tree, policy))
        assert left[-1] > -1e-9
        assert np.allclose(np.add.reduceat(policy, tree.set_choices[:-1]), 1)
    assert abs(expected_value(tree, policy) - solution.value) < 0.01
    assert left[-1] < 0.01
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(left))


@pytest.mark.parametrize("spec", [*SPECS, *drawn_specs()])
def test_bots_can_be_exploited(spec, solved):
    tree = solved(spec).tree
    lost = {bot: exploitability(tree, policy_of_bot(tree, bot)) for bot in ("random", "show-6", "counter")}
    assert min(lost.values()) > -1e-9
    assert lost["random"] >= max(lost.values()) - 0.05
    assert lost["random"] > 0.1
    # Playing at random is playing uniformly: the values of luck are evenly spaced.
    assert lost["random"] == pytest.approx(exploitability(tree, uniform(tree)), abs=1e-9)


@pytest.mark.parametrize("bots", [("show-6", "counter"), ("random", "show-2"), ("random", "counter")])
@pytest.mark.parametrize("spec", [SPECS[2], "show:full(deck=* 2 J Q Kh)"])
def test_expected_values_agree_with_play(spec, bots):
    """simulate plays every deal twice, with the seats exchanged."""
    game = load(spec)
    tree = build(game)
    one, other = (policy_of_bot(tree, bot) for bot in bots)
    exact = (expected_value(tree, pair(tree, one, other)) - expected_value(tree, pair(tree, other, one))) / 2
    result = simulate(game, [*bots], games=100_000, seed=Key.from_seed(11))
    payoff = next(f for f in game.figures if f.name == "payoff")
    estimate = result.sums.figure(payoff, 0)
    slack = (estimate.high - estimate.low) / 2  # twice the interval: six comparisons are made
    assert estimate.low - slack <= exact <= estimate.high + slack


def test_expected_values_agree_with_walking_the_tree(solved):
    """The value of a mixed policy, from the nodes instead of the pairs of choices."""
    tree = solved(SPECS[1]).tree
    policy = cfr_plus(tree, 3)
    probability = np.ones(tree.nodes)
    for node in range(1, tree.nodes):
        parent = tree.parent[node]
        information = tree.information[parent]
        edge = tree.chance[node]
        if information >= 0:
            start = tree.set_choices[information]
            edge = policy[start + int(np.searchsorted(tree.choice_move[start : start + 2], tree.move[node]))]
        probability[node] = probability[parent] * edge
    ends = tree.player == OVER
    assert probability[ends].sum() == pytest.approx(1)
    assert (probability * tree.payoff).sum() == pytest.approx(expected_value(tree, policy))
    assert set(tree.player[~ends]) == {DEALER, 0, 1}


class AsShow6(ShowBot):
    """The defaults of a Python bot are those of show-6."""


class Coin(ShowBot):
    def decide(self, view):
        return self.rng.choice([0, 1])


def test_python_bots_are_asked_too(solved):
    tree = solved(SPECS[0]).tree
    assert np.array_equal(policy_of_bot(tree, AsShow6, lucks=1), policy_of_bot(tree, "show-6", lucks=1))
    assert np.allclose(policy_of_bot(tree, Coin), uniform(tree))


class Listener(ShowBot):
    def saw(self, event):
        pass


class Wrong(ShowBot):
    def decide(self, view):
        return 2


class Broken(ShowBot):
    def decide(self, view):
        raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        (Listener, "the bot Listener listens to events"),
        (Wrong, "the bot Wrong answered 2, which is not legal; legal: 0, 1"),
        (Broken, "the bot Broken raised RuntimeError: no idea"),
    ],
)
def test_bots_that_cannot_be_asked(bot, sentence, solved):
    with pytest.raises(BotError, match=sentence):
        policy_of_bot(solved(SPECS[0]).tree, bot)


def test_sentences():
    with pytest.raises(
        SolveError,
        match="is too large to solve: it has 1,073 positions after 10 moves and cards, and the limit is 1,000",
    ):
        build(load("show:classic(deck=* * * 2 2 2)"), most_nodes=1000)
    with pytest.raises(SolveError, match="the tree of flip7:official is too large to solve"):
        build(load("flip7:official"), most_nodes=1000)
    tree = build(load("show:classic(deck=* * * 2 2)"))
    with pytest.raises(SolveError, match="190 probabilities, not 3"):
        exploitability(tree, np.zeros(3))


def test_no_information_set_holds_what_its_seat_could_tell_apart(solved):
    """All nodes of a set show the same view; seats recall their own moves."""
    tree = solved("show:full(deck=* 2 Q Kh Ks)").tree
    later = tree.set_parent < tree.choices
    assert np.all(tree.set_parent[later] < tree.set_choices[:-1][later])
    for information in range(0, tree.sets, 7):
        view = tree.view(information)
        assert view.to_act == view.seat == tree.set_seat[information]


def test_views_tell_apart_what_events_do():
    """After a king's exchange of two cards that a seat did not know, the cards lie as if they had been left alone; that
    there was one is noted in the view.

    The information sets are counted again, move by move in Python, with and without events.
    """
    game = load("show:full(deck=Ks Ks Ks Ks * *)")
    with_events, views_only = set(), set()

    def walk(position, logs):
        if position.over:
            return
        seat = position.to_act
        if seat >= 0:
            with_events.add((seat, logs[seat]))
            views_only.add((seat, tuple((own, view) for own, view, _ in logs[seat])))
        for move in position.legal:
            after = position.copy()
            events = after.apply(move)
            walk(after, [_log(after, i, move if i == seat else None, events, logs[i]) for i in (0, 1)])

    def _log(position, seat, own, events, log):
        return (*log, (own, position.view(seat).record.tobytes(), tuple(e.seen_by(seat) for e in events)))

    walk(game.start(2), [(), ()])
    assert build(game).sets == len(with_events)
    assert len(views_only) == len(with_events)

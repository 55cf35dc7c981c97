"""The games in OpenSpiel pass its own checks, and its algorithms find in them what ours find."""

import random
from pathlib import Path

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install pitboss[spiel]")
pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")
pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")

from absl import flags  # noqa: E402
from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    best_response,
    cfr,
    expected_game_score,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
)
from open_spiel.python.algorithms.get_all_states import get_all_states  # noqa: E402

from pitboss import load  # noqa: E402
from pitboss.analysis.trees.lp import solve  # noqa: E402
from pitboss.analysis.trees.policy import best_response_value, uniform  # noqa: E402
from pitboss.analysis.trees.tree import build  # noqa: E402
from pitboss.envs import spiel  # noqa: E402

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
SMALL = "show:classic(deck=A 3 5 7 10)"


@pytest.mark.parametrize(
    ("spec", "seats"),
    [
        ("show:fair", 2),
        ("show:full(call_penalty=0.5)", 2),
        ("flip7:official(target=30)", 3),
        ("flip7:solo(target=40)", 1),
        ("vengeance:standard(target=40)", 3),
    ],
)
def test_openspiels_own_check(spec, seats):
    """It plays, copies, saves and loads games, and compares all that can be asked of them."""
    game = spiel.load(spec, seats)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert game.num_players() == seats


def test_specs_survive_openspiels_texts():
    game = spiel.load("show:classic(call_from_turn=2, deck=A 3 5 7 10)")
    again = pyspiel.load_game(str(game))
    assert again.table == game.table == load("show:classic(call_from_turn=2, deck=A 3 5 7 10)")
    assert pyspiel.load_game("pitboss_flip7(rules=tournament,seats=4)").num_players() == 4


@pytest.mark.parametrize("name", ["show", "flip7"])
def test_golden_playthrough(name):
    """A changed rule, text or number shows as a difference; `python -m tests.envs.test_spiel` writes them anew."""
    flags.FLAGS.mark_as_parsed()
    written, made = generate_playthrough.replay(str(PLAYTHROUGHS / f"{name}.txt"))
    assert made == written


def information_states(game):
    states = get_all_states(game, depth_limit=-1, include_terminals=False, include_chance_states=False)
    return {state.information_state_string() for state in states.values()}


@pytest.mark.parametrize("spec", [SMALL, "show:full(deck=A 3 Q Kh 5)", "show:classic(deck=* * * 2 2)"])
def test_information_states_are_those_of_our_own_tree(spec):
    assert len(information_states(spiel.load(spec))) == build(load(spec)).sets


def test_its_cfr_comes_near_our_exact_value():
    game, exact = spiel.cached_tree(SMALL), solve(load(SMALL))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)[0]
    assert value == pytest.approx(exact.value, abs=0.02)
    assert exploitability.exploitability(game, policy) < 0.02


def test_its_best_response_beats_a_policy_by_what_ours_says():
    game = spiel.cached_tree(SMALL)
    uniform_policy = policies.UniformRandomPolicy(game)
    best = best_response.BestResponsePolicy(game, 0, uniform_policy)
    tree = build(load(SMALL))
    assert best.value(game.new_initial_state()) == pytest.approx(best_response_value(tree, 0, uniform(tree)))


def test_its_mcts_plays():
    game = spiel.load("flip7:numbers(target=30)", 2)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.5, 20, evaluator, random_state=np.random.RandomState(1))
    state, rng = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        if state.current_player() == 0:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 1


def test_its_ismcts_plays_in_worlds_that_fit_what_a_player_knows():
    game = spiel.load("show:fair")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 30, random_state=np.random.RandomState(1))
    state, rng = game.new_initial_state(), random.Random(1)
    for _ in range(40):
        if state.is_terminal():
            break
        ours = state.current_player() == 0
        state.apply_action(bot.step(state) if ours else rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0


def test_an_imagined_state_is_the_same_to_its_player_and_hides_the_others_secrets():
    game, rng = spiel.load("show:full"), random.Random(3)
    state, others = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.current_player() >= 0:
            me, you = state.current_player(), 1 - state.current_player()
            worlds = [state.resample_from_infostate(me, rng.random) for _ in range(4)]
            for world in worlds:
                assert world.information_state_string(me) == state.information_state_string(me)
                assert world.information_state_tensor(me) == state.information_state_tensor(me)
                assert world.legal_actions() == state.legal_actions()
                others += str(world.walk.position.states) != str(state.walk.position.states)
                # What the other is said to have been told in the past tells nothing of what it really saw.
                assert world.information_state_tensor(you) == worlds[0].information_state_tensor(you)
            world.apply_action(world.legal_actions()[0])
            assert world.information_state_string(me).startswith(state.information_state_string(me))
        state.apply_action(rng.choice(state.legal_actions()))
    assert others > 10


def test_information_state_tensors_tell_apart_what_the_texts_do():
    for spec in (SMALL, "show:full(deck=A 3 Q Kh 5)"):
        states = get_all_states(spiel.load(spec), -1, include_terminals=False, include_chance_states=False)
        told = {(s.current_player(), s.information_state_string()): tuple(s.information_state_tensor())
                for s in states.values()}  # fmt: skip
        assert len({(player, tensor) for (player, _), tensor in told.items()}) == len(told)
    game = spiel.load("flip7:numbers", 2)
    state = game.new_initial_state()
    assert len(state.information_state_tensor(0)) == game.information_state_tensor_shape()[0] > 100


def test_nobody_in_particular_sees_no_secrets():
    """OpenSpiel can ask for what is public; we say nothing of a game with secrets then."""
    nobody = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    for spec, wanted in (("show:classic", ""), ("flip7:numbers", "Flip 7 · Numbers, round 1")):
        game = spiel.load(spec)
        seen = game.make_py_observer(nobody).string_from(game.new_initial_state(), 0)
        assert seen.startswith(wanted)
        assert bool(seen) == bool(wanted)


def test_observations_are_those_of_the_environments():
    game = spiel.load("show:classic")
    state, rng = game.new_initial_state(), random.Random(1)
    while state.current_player() != 1:
        state.apply_action(rng.choice(state.legal_actions()))
    row, *_ = game.look(state.walk.position, 1)
    assert state.observation_tensor(1) == pytest.approx(row.tolist())
    assert state.observation_string(1).startswith("Show · Classic, first look: 50 cards to draw")
    copy = state.clone()
    copy.apply_action(0)
    assert str(copy) != str(state)
    assert copy.information_state_string(0) != state.information_state_string(0)


def write_playthroughs() -> None:
    """Play one game of each by chance, and keep it."""
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for name, text in (
        ("show", "pitboss_show(rules=full)"),
        ("flip7", "pitboss_flip7(rules=official[target:40],seats=3)"),
    ):
        (PLAYTHROUGHS / f"{name}.txt").write_text(
            generate_playthrough.playthrough(text, None, seed=7), encoding="utf-8"
        )


if __name__ == "__main__":
    write_playthroughs()

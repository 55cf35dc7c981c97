"""The environments of PettingZoo pass its own checks; every agent has its own mask."""

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")
pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install pitboss[rl]")

from pettingzoo.test import api_test, render_test, seed_test

from pitboss import PitbossError, load
from pitboss.core.errors import IllegalMove
from pitboss.envs.aec import TableEnv, env
from pitboss.run.tables import LEARNER, Tables

TABLES = [("flip7:official", 3), ("flip7:tournament", 18), ("flip7:solo", 1), ("show:full", 2), ("show:fair", None)]


@pytest.mark.parametrize(("spec", "seats"), TABLES)
def test_pettingzoos_own_checks(spec, seats, capsys):
    api_test(env(spec, seats), num_cycles=60)
    seed_test(lambda: env(spec, seats), num_cycles=30)
    render_test(lambda render_mode: env(spec, seats, render_mode=render_mode))
    assert load(spec).full_title in capsys.readouterr().out  # what the mode for people has printed


@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # of those whose game is over
)
def test_masks_can_be_in_the_observation():
    api_test(env("flip7:tournament", 4, masks="observation"), num_cycles=60)
    with pytest.raises(PitbossError, match="in the info or in the observation"):
        env("show", masks="elsewhere")


@pytest.mark.parametrize("spec", ["flip7:tournament(target=50)", "show:full"])
def test_it_plays_the_games_of_tables_in_which_all_learn(spec):
    """The same keys, the same actions, the same observations, masks and rewards, in the same order."""
    seats = 2 if spec.startswith("show") else 3
    tables, table = Tables(spec, [LEARNER] * seats, 1, seat=0), TableEnv(spec, seats)
    tables.reset(seed=4)
    table.reset(seed=4)
    rng = np.random.default_rng(1)
    for _ in range(400):
        agent = table.agent_selection
        assert agent == f"player_{tables.players[0]}"
        np.testing.assert_array_equal(table.observe(agent), tables.observations[0])
        np.testing.assert_array_equal(table.infos[agent]["action_mask"], tables.masks[0])
        for other in table.agents:
            assert table.infos[other]["action_mask"].any() == (other == agent)
        action = rng.choice(np.flatnonzero(tables.masks[0]))
        tables.step([action])
        table.step(action)
        assert list(table.rewards.values()) == tables.rewards[0].tolist()
        if tables.terminated[0]:
            assert all(table.terminations.values())
            table.reset()
    assert tables.tables["deal"][0] > 0


def test_an_illegal_action_is_refused():
    table = env("flip7:official", 3)
    table.reset(seed=1)
    with pytest.raises(IllegalMove, match=r"action 4 is not legal for player_0 now; legal: \[0, 1\] \(stay, hit\)"):
        table.step(4)


def test_a_cut_game_is_truncated():
    table = TableEnv("flip7:numbers(max_rounds=1)", 2)
    table.reset(seed=1)
    table.step(0)
    table.step(0)
    assert table.truncations == {"player_0": True, "player_1": True}
    assert table.terminations == {"player_0": False, "player_1": False}

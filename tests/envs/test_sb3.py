"""Our environment for Stable-Baselines3 is its own over single environments, step by step."""

import numpy as np
import pytest

pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not installed: pip install pitboss[sb3]")

import gymnasium as gym
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from pitboss import PitbossError
from pitboss.envs.sb3 import make

CASES = [("pitboss/Flip7Solo-v1", {}), ("pitboss/Flip7-v1", {"game": "flip7:official(target=50)"})]


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_step_by_step_it_is_its_own_over_single_environments(name, settings):
    ours, theirs = make(name, 4, seed=3, **settings), DummyVecEnv([lambda: gym.make(name, **settings)] * 4)
    theirs.seed(3)
    mine, other, rng, ends = ours.reset(), theirs.reset(), np.random.default_rng(1), 0
    for _ in range(200):
        np.testing.assert_array_equal(mine, other)
        masks = np.stack(ours.env_method("action_masks"))
        np.testing.assert_array_equal(masks, np.stack(theirs.env_method("action_masks")))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        mine, rewards, done, infos = ours.step(actions)
        other, paid, over, told = theirs.step(actions)
        np.testing.assert_array_equal(rewards, paid)
        np.testing.assert_array_equal(done, over)
        for i in np.flatnonzero(done):
            np.testing.assert_array_equal(infos[i]["terminal_observation"], told[i]["terminal_observation"])
            assert infos[i]["TimeLimit.truncated"] == told[i]["TimeLimit.truncated"]
            ends += 1
    assert ends > 5


def test_what_it_is_asked_for():
    envs = VecMonitor(make("pitboss/Flip7Solo-v1", 3, seed=1, render_mode="rgb_array"))
    envs.reset()
    *_, infos = envs.step(np.array([0, 1, 0]))
    assert [info["episode"]["l"] for info in infos if "episode" in info] == [1, 1]
    assert envs.get_attr("seat", indices=[0, 2]) == [0, 0]
    assert len(envs.get_images()) == 3
    assert envs.env_is_wrapped(gym.Wrapper) == [False] * 3
    with pytest.raises(PitbossError, match="unknown environment"):
        make("pitboss/Chess-v0", 2)
    with pytest.raises(PitbossError, match="for all environments at once"):
        envs.set_attr("render_mode", None, indices=0)


def test_an_old_id_says_what_to_use_instead():
    with pytest.warns(DeprecationWarning, match="Flip7Solo-v0 is out of date; use pitboss/Flip7Solo-v1"):
        make("pitboss/Flip7Solo-v0", 2)


def test_maskable_ppo_learns_in_it():
    contrib = pytest.importorskip("sb3_contrib")
    model = contrib.MaskablePPO("MlpPolicy", make("pitboss/Flip7Solo-v1", 16, seed=1), n_steps=8, batch_size=64, seed=1)
    model.learn(256)
    assert model.num_timesteps == 256

"""The vector environment is the single one, many times over."""

import numpy as np
import pytest

gym = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")
pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")

from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from gymnasium.wrappers.vector import DictInfoToList, FlattenObservation, RecordEpisodeStatistics, RescaleObservation  # noqa: E402

import pitboss.envs  # noqa: E402
from pitboss import PitbossError  # noqa: E402
from pitboss.core.errors import IllegalMove  # noqa: E402

CASES = [
    ("pitboss/Flip7Solo-v1", {"episode": "game"}),
    ("pitboss/Flip7Solo-v1", {"reward": "rounds"}),
    ("pitboss/Flip7-v1", {"opponents": "random,ev,stay-25"}),
    ("pitboss/Flip7-v1", {"game": "flip7:tournament(target=60)", "opponents": "ev", "episode": "round", "seat": 1}),
    ("pitboss/Flip7-v1", {"penalty": -2.0, "game": "flip7:official(target=40)"}),
    ("pitboss/Show-v1", {}),
    ("pitboss/Show-v1", {"game": "show:full", "observation": "rich", "opponents": "random"}),
    ("pitboss/Show-v1", {"observation": "tensor"}),
]
MODES = {mode.value: mode for mode in AutoresetMode}


def actions_for(masks, rng, penalised):
    """Legal ones at random; where these are penalised, illegal ones, too."""
    if penalised and rng.random() < 0.1:
        return rng.integers(masks.shape[1], size=len(masks))
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


@pytest.mark.parametrize(("name", "settings"), CASES)
@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_step_by_step_it_is_gymnasiums_own_over_single_ones(name, settings, mode):
    count = 5
    ours = gym.make_vec(name, num_envs=count, autoreset_mode=mode, **settings)
    assert isinstance(ours, pitboss.envs.SeatVectorEnv)
    theirs = SyncVectorEnv([lambda: gym.make(name, **settings)] * count, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    rng = np.random.default_rng(1)
    mine, infos = ours.reset(seed=11)
    other, wanted = theirs.reset(seed=11)
    ends = 0
    for _ in range(250):
        np.testing.assert_array_equal(mine, other)
        for name in ("action_mask", "seat", "deal"):
            np.testing.assert_array_equal(infos[name], wanted[name])
            np.testing.assert_array_equal(infos[f"_{name}"], wanted[f"_{name}"])
        actions = actions_for(infos["action_mask"], rng, "penalty" in settings)
        mine, rewards, *over, infos = ours.step(actions)
        other, paid, *done, wanted = theirs.step(actions)
        np.testing.assert_array_equal(rewards, paid)
        np.testing.assert_array_equal(over, done)
        np.testing.assert_array_equal(infos.get("_final_obs", []), wanted.get("_final_obs", []))
        for i in np.flatnonzero(infos.get("_final_obs", [])):
            np.testing.assert_array_equal(infos["final_obs"][i], wanted["final_obs"][i])
            for name in ("action_mask", "seat", "deal"):
                np.testing.assert_array_equal(infos["final_info"][name][i], wanted["final_info"][name][i])
            ends += 1
    assert ends > 0 or mode is AutoresetMode.NEXT_STEP


def test_make_vec_picks_ours_and_says_how_it_resets():
    envs = gym.make_vec("pitboss/Flip7Solo-v1", num_envs=4096)
    assert isinstance(envs, pitboss.envs.SeatVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (4096, 40)
    assert envs.spec.id == "pitboss/Flip7Solo-v1"


def test_disabled_autoreset_waits_for_a_mask():
    envs = gym.make_vec("pitboss/Flip7Solo-v1", num_envs=3, autoreset_mode="disabled")
    envs.reset(seed=1)
    _, _, terminated, _, _ = envs.step(np.array([0, 1, 1]))
    assert terminated.tolist() == [True, False, False]
    with pytest.raises(PitbossError, match="the episode at table 0 is over"):
        envs.step(np.array([0, 1, 1]))
    observations, _ = envs.reset(options={"reset_mask": terminated})
    assert observations[:, 39].tolist() == [2, 1, 1]  # the same game goes on with its second round
    envs.step(np.array([1, 0, 0]))
    with pytest.raises(PitbossError, match="3 places"):
        envs.reset(options={"reset_mask": np.array([True])})


def test_arrays_are_copies_unless_that_is_declined():
    for copy in (True, False):
        envs = gym.make_vec("pitboss/Flip7Solo-v1", num_envs=2, copy=copy)
        first, infos = envs.reset(seed=1)
        kept = first.copy()
        again, *_ = envs.step(np.array([1, 1]))
        assert (first.tolist() == kept.tolist()) is copy
        assert (first is again) is not copy
        assert (infos["action_mask"] is envs.tables.masks) is not copy


def test_gymnasiums_wrappers_work_on_it():
    envs = DictInfoToList(RecordEpisodeStatistics(gym.make_vec("pitboss/Flip7Solo-v1", num_envs=3)))
    _, infos = envs.reset(seed=1)
    assert [info["action_mask"].tolist() for info in infos] == [[1, 1]] * 3
    _, rewards, _, _, infos = envs.step(np.array([0, 0, 1]))
    assert infos[0]["episode"]["l"] == 1
    assert infos[0]["episode"]["r"] == rewards[0] == 0
    assert "episode" not in infos[2]


def test_observation_wrappers_work_by_default():
    envs = FlattenObservation(RescaleObservation(gym.make_vec("pitboss/Flip7-v1", num_envs=3, seat=0), 0, 1))
    observations, _ = envs.reset(seed=1)
    assert observations.max() <= 1
    assert observations.min() >= 0


@pytest.mark.parametrize("mode", MODES.values())
def test_sampled_actions_are_legal(mode):
    envs = gym.make_vec("pitboss/Flip7-v1", game="flip7:tournament(target=40)", num_envs=20, autoreset_mode=mode)
    envs.action_space.seed(1)
    envs.reset(seed=1)
    used = set()
    for _ in range(120):
        actions = envs.action_space.sample()
        _, rewards, terminated, truncated, infos = envs.step(actions)
        assert rewards.min() >= 0  # no penalty
        assert infos["action_mask"].any(axis=1).all()  # at the end, too: zeros would make probabilities NaN
        used |= set(actions.tolist())
        if mode is AutoresetMode.DISABLED and (terminated | truncated).any():
            envs.reset(options={"reset_mask": terminated | truncated})
    assert len(used) > 3


def test_environments_can_be_asked_one_by_one():
    envs = gym.make_vec("pitboss/Flip7-v1", num_envs=4)
    envs.reset(seed=1)
    assert [masks.tolist() for masks in envs.call("action_masks")] == envs.action_masks().tolist()
    assert envs.get_attr("seat") == (0, 0, 0, 0)
    assert {str(game) for game in envs.get_attr("game")} == {"flip7:official"}
    with pytest.raises(AttributeError):
        envs.get_attr("nothing")


def test_several_line_ups_in_one_vector():
    envs = gym.make_vec(
        "pitboss/Flip7-v1", num_envs=4, opponents=[["ev", "ev"], ["random", "stay-25"]], render_mode="ansi", seat=0
    )
    _, infos = envs.reset(seed=1)
    assert infos["lineup"].tolist() == [0, 1, 0, 1]
    assert ["random" in frame for frame in envs.render()] == [False, True, False, True]


def test_seeds_in_a_list_and_illegal_actions():
    envs = gym.make_vec("pitboss/Flip7-v1", num_envs=2, seat=0, penalty=None)
    one, _ = envs.reset(seed=[6, 7])
    two, _ = envs.reset(seed=np.int64(6))
    np.testing.assert_array_equal(one, two)
    with pytest.raises(IllegalMove, match="at table 1 now"):
        envs.step(np.array([1, 7]))
    with pytest.raises(PitbossError, match="written in Python"):
        gym.make_vec("pitboss/Flip7-v1", num_envs=2, opponents="examples/bots/gambler.py")
    with pytest.raises(PitbossError, match="autoreset_mode='sometimes'"):
        gym.make_vec("pitboss/Flip7-v1", num_envs=2, autoreset_mode="sometimes")
    assert envs.action_masks().tolist() == envs.tables.masks.astype(bool).tolist()


def test_tables_can_be_looked_at():
    envs = gym.make_vec("pitboss/Flip7-v1", num_envs=2, render_mode="ansi", seat=1)
    envs.reset(seed=1)
    frames = envs.render()
    assert len(frames) == 2
    assert all("> agent: " in frame for frame in frames)
    assert frames[0].splitlines()[1].strip().startswith("bust-0.25")  # the agent sits at seat 1

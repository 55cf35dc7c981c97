"""A data set has the games that the bot plays, and makes its environment again."""

import pytest

minari = pytest.importorskip("minari", reason="Minari is not installed: pip install pitboss[minari]")
pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")

from pitboss import PitbossError, play  # noqa: E402
from pitboss.envs.dataset import record  # noqa: E402


def test_a_data_set_has_the_games_that_the_bot_plays(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    spec, others = "flip7:official(target=40)", "ev,stay-20"
    facts = record("flip7/test-v0", spec, "random", 7, seed=3, opponents=others)
    data = minari.load_dataset("flip7/test-v0")
    assert (data.total_episodes, data.total_steps) == (facts["episodes"], facts["steps"]) == (7, facts["steps"])
    env = data.recover_environment()
    assert str(env.unwrapped.game) == spec
    env.reset(seed=3)
    paid = [float(episode.rewards.sum()) for episode in data]
    shares = []
    for deal in range(7):
        seated = [["random", *others.split(",")][(seat - deal % 3) % 3] for seat in range(3)]
        outcome = play(spec, seated, env.unwrapped._key, deal=deal, rotation=deal % 3).outcome
        shares.append(outcome.shares[deal % 3])
    assert paid == shares
    first = next(iter(data.iterate_episodes()))
    observation, _ = env.reset(seed=3)
    for action, reward, seen in zip(first.actions, first.rewards, first.observations, strict=False):
        assert seen.tolist() == observation.tolist()
        observation, got, *_ = env.step(action)
        assert got == reward
    with pytest.raises(PitbossError, match="cannot be made"):
        record("flip7/test-v0", spec, "random", 1, opponents=others)

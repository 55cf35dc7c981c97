"""Training: the same for a seed, stopped or not, and better than luck."""

import os
import signal
import threading

import numpy as np
import pytest

import pitboss
from pitboss import PitbossError
from pitboss.learn import agent as agents
from pitboss.learn import train as learn
from pitboss.learn.agent import read_arrays

METHODS = {"qlearn": ("flip7:solo", 400_000), "ppo": ("flip7:solo", 200_000), "league": ("flip7:official", 200_000)}


def run(name, folder, steps=None, seed=1, progress=None, **more):
    spec, usual = METHODS[name]
    return learn.train(
        name, spec, folder / "agent.npz", seed, steps=steps or usual, games=200, progress=progress, **more
    )


@pytest.mark.parametrize("name", METHODS)
def test_a_stopped_training_goes_on_to_the_same_agent_and_a_seed_decides_everything(name, tmp_path):
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    whole.mkdir()
    stopped.mkdir()
    assert not run(name, whole)["stopped"]
    first = threading.Event()

    def interrupt(done, total):
        if not first.is_set():
            first.set()
            os.kill(os.getpid(), signal.SIGINT)

    facts = run(name, stopped, progress=interrupt)
    assert facts["stopped"]
    assert 0 < facts["steps"] < METHODS[name][1]
    assert not (stopped / "agent.npz").exists()
    assert not run(name, stopped)["stopped"]
    a, b = (read_arrays(folder / "agent.npz") for folder in (whole, stopped))
    assert a.keys() == b.keys()
    assert all(np.array_equal(a[key], b[key]) for key in a)
    assert not list(tmp_path.glob("*/*.part"))


def test_another_seed_gives_another_agent(tmp_path):
    out = []
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        run("qlearn", folder, steps=200_000, seed=seed)
        out.append(read_arrays(folder / "agent.npz")["values"])
    assert not np.array_equal(*out)


@pytest.mark.parametrize("name", ["qlearn", "ppo"])
def test_a_short_training_is_better_than_luck(name, tmp_path):
    """With half of these steps ppo has hardly begun: rounding decides how far it is."""
    run(name, tmp_path, steps=400_000)
    bots = [f"agent:{tmp_path / 'agent.npz'}", "random"]
    agent, luck = (pitboss.simulate("flip7:solo", [bot], games=400, seed=5) for bot in bots)
    rounds = next(figure for figure in agent.game.figures if figure.name == "rounds_per_game")
    assert agent.sums.figure(rounds, 0).high < luck.sums.figure(rounds, 0).low


def test_a_short_training_among_others_is_better_than_luck(tmp_path):
    run("league", tmp_path)
    result = pitboss.simulate("flip7:official", [f"agent:{tmp_path / 'agent.npz'}", "random"], games=400, seed=5)
    assert result.win_share(0).low > 0.5


def test_targets_are_learned_too(tmp_path):
    learn.train("qlearn", "flip7:official", tmp_path / "agent.npz", 1, steps=300_000, seats=[3], games=100)
    result = pitboss.simulate(
        "flip7:official", [f"agent:{tmp_path / 'agent.npz'}", "random", "random"], games=300, seed=0
    )
    assert result.win_share(0).low > 1 / 3


def test_the_curve_and_the_page_tell_what_happened(tmp_path):
    facts = run("qlearn", tmp_path)
    agent = agents.load(facts["agent"])
    assert agent.about["seed"] == 1
    assert agent.about["settings"]["game"] == agent.game == "flip7:solo"
    assert len(agent.about["curve"]) > 3
    assert agent.about["curve"][0][1] < agent.about["curve"][-1][1]
    assert (tmp_path / "agent.svg").read_text().startswith("<svg")
    assert agent.about["command"] in (tmp_path / "agent.md").read_text()


def test_a_checkpoint_of_other_settings_is_refused(tmp_path):
    run("qlearn", tmp_path, progress=lambda done, total: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(PitbossError, match="other settings; continue with those, or delete it"):
        run("qlearn", tmp_path, seed=2)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    (tmp_path / "agent.npz.part").write_bytes(b"PK nonsense")
    with pytest.raises(PitbossError, match="cannot be read .* delete it to start again"):
        run("qlearn", tmp_path)


def test_settings_for_experts_are_named_on_the_page(tmp_path):
    facts = run("qlearn", tmp_path, steps=20_000, tables=256)
    assert facts["settings"]["tables"] == 256
    assert "--settings more.toml  # which says: tables = 256" in (tmp_path / "agent.md").read_text()
    with pytest.raises(PitbossError, match="unknown setting of qlearn 'hidden'"):
        run("qlearn", tmp_path, hidden=64)


def test_what_cannot_be_trained_is_refused(tmp_path):
    with pytest.raises(PitbossError, match="unknown method 'dqn'"):
        learn.train("dqn", "flip7:solo", tmp_path / "a")
    with pytest.raises(PitbossError, match="has no table of values"):
        learn.train("qlearn", "show:fair", tmp_path / "a")
    with pytest.raises(PitbossError, match="exactly 1 seat"):
        learn.train("ppo", "flip7:solo", tmp_path / "a", seats=[2])
    with pytest.raises(PitbossError, match="`steps` must be a whole number from 1 up"):
        learn.train("ppo", "flip7:solo", tmp_path / "a", steps=0)

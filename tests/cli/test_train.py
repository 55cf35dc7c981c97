"""`pitboss train`, and agents in other commands."""

import json


def test_train_and_play(good, pitboss, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = json.loads(good("train", "qlearn", "flip7:solo", "--out", "a", "--seed", "1", "--steps", "150000", "--games",
                           "50", "--json"))  # fmt: skip
    assert data["agent"] == "a.npz"
    assert data["steps"] >= 150_000
    assert {line["what"] for line in data["score"]} >= {"rounds", "a round"}
    out = good("simulate", "flip7:solo", "--bots", "agent:a.npz", "--games", "50", "--json")
    assert json.loads(out)["bots"][0]["name"] == "agent:a.npz"
    assert "agent:a.npz" in good("play", "flip7:solo", "--watch", "--bots", "agent:a.npz", "--seed", "1")
    code, _, err = pitboss("simulate", "flip7:numbers", "--bots", "agent:a.npz,ev", "--games", "50")
    assert code == 2
    assert "has learned flip7:solo" in err


def test_what_cannot_be_trained(pitboss, tmp_path):
    for args, sentence in [
        (("dqn", "flip7:solo"), "unknown method 'dqn'"),
        (("ppo", "flip7:solo", "--seats", "two"), "takes numbers with commas"),
        (("ppo", "flip7:solo", "--reward", "fame"), "unknown reward 'fame'"),
        (("ppo", "flip7:official", "--opponents", "nobody"), "unknown bot 'nobody'"),
    ]:
        code, _, err = pitboss("train", *args, "--out", tmp_path / "a.npz")
        assert code == 2
        assert sentence in err


def test_shipped_agents_are_listed(good):
    assert json.loads(good("bots", "flip7:solo", "--json"))["agents"] == ["agent:racer", "agent:solo"]
    assert "agent:official" in good("bots", "flip7:official")


def test_agents_take_part_in_tournaments(good, tmp_path):
    store = tmp_path / "cup.db"
    bots = "agent:official,ev,random"
    out = good("tournament", "run", "flip7:official", "--bots", bots, "--blocks", "2", "--store", store, "--json")
    assert "agent:official" in out

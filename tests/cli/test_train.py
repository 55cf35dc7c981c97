"""`pitboss train`, and agents in other commands."""

import json

import pytest


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


def test_settings_from_a_file_and_what_a_training_leaves(good, pitboss, tmp_path, monkeypatch):
    """Options come before the file; figures and agents of each point are kept, and those agents can be met again."""
    monkeypatch.chdir(tmp_path)
    settings = tmp_path / "small.toml"
    settings.write_text('steps = "9k"\nhidden = 8\ntables = 16\nlearning_rate = 0.002\nseats = [2]\ngames = 20\n')
    words = ["league", "flip7:numbers(target=30)", "--settings", settings, "--out", "a.npz", "--games", "10", "--json"]
    facts = json.loads(good("train", *words, "--checkpoints", "kept", "--tensorboard", "runs"))["settings"]
    assert (facts["steps"], facts["hidden"], facts["tables"], facts["learning_rate"]) == (9000, 8, 16, 0.002)
    kept = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert kept[0] == "a-0000000000.npz"
    assert len(kept) > 5
    (events,) = (tmp_path / "runs").iterdir()
    names = {b"share of wins against", b"steps a second", b"interval/low"}
    assert all(name in events.read_bytes() for name in names)
    words[words.index("a.npz")] = "b.npz"
    facts = json.loads(good("train", *words, "--opponents", "agent:kept", "--steps", "2000"))["settings"]
    assert facts["opponents"] == [f"agent:kept/{name}" for name in kept]
    settings.write_text("width = 3")
    assert "unknown setting of league 'width'" in pitboss("train", *words)[2]
    settings.write_text("width")
    assert "is not a TOML file" in pitboss("train", *words)[2]


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


def test_an_agent_as_an_onnx_file(good, pitboss, tmp_path):
    pytest.importorskip("onnx", reason="onnx is not installed: pip install pitboss[onnx]")
    facts = json.loads(good("export", "agent:show", "--out", tmp_path / "show.onnx", "--json"))
    assert (facts["game"], facts["bytes"]) == ("show:fair", (tmp_path / "show.onnx").stat().st_size)
    assert "must end in" in pitboss("export", "show", "--out", tmp_path / "show.txt")[2]


def test_a_data_set(good, tmp_path, monkeypatch):
    pytest.importorskip("minari", reason="Minari is not installed: pip install pitboss[minari]")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    facts = json.loads(good("dataset", "flip7:solo", "solo-v0", "--bot", "ev", "--episodes", "20", "--json"))
    assert facts["environment"] == "pitboss/Flip7Solo-v1"
    assert facts["mean_return"] > 10


def test_shipped_agents_are_listed(good):
    assert json.loads(good("bots", "flip7:solo", "--json"))["agents"] == ["agent:racer", "agent:solo"]
    assert "agent:official" in good("bots", "flip7:official")


def test_agents_take_part_in_tournaments(good, tmp_path):
    store = tmp_path / "cup.db"
    bots = "agent:official,ev,random"
    out = good("tournament", "run", "flip7:official", "--bots", bots, "--blocks", "2", "--store", store, "--json")
    assert "agent:official" in out

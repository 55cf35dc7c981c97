"""`pitboss new-bot`: what it writes works at once, for every game."""

import json
import subprocess
import sys

import pytest

from pitboss import load, play
from pitboss.core.bot import Bot
from pitboss.core.errors import PitbossError
from pitboss.tournament.starter import Starter

GAMES = ["flip7:tournament", "flip7:solo", "show:full", "flip7:official(target=50)", "vengeance:brutal"]


@pytest.mark.parametrize("game", GAMES)
def test_the_bot_plays_and_its_test_passes(good, tmp_path, game):
    made = json.loads(good("new-bot", "my-bot", "--game", game, "--out", tmp_path, "--json"))
    assert made["class"] == "MyBot"
    table = load(game)
    seats = len(table.default_bots())
    assert play(table, [f"{made['bot']}:MyBot"] * seats, seed=1).verify()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", made["test"]],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert f"{5 * seats + 1} passed" in done.stdout


def test_the_test_notices_a_bot_that_cannot_play(good, tmp_path):
    good("new-bot", "broken", "--out", tmp_path)
    file = tmp_path / "broken.py"
    file.write_text(file.read_text().replace("self.rng.choice(view.legal)", "'fold'"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "'fold' is not a move" in done.stdout


def test_every_decision_of_the_game_is_there(tmp_path):
    text = Starter(load("show"), "reader").bot_text()
    for method in ("peek", "keep", "choose_slot", "use_power", "swap", "call_show"):
        assert f"    def {method}(self, view" in text
        assert f"return super().{method}(view" in text
    assert "view.expected_total" in text
    text = Starter(load("flip7"), "hitter").bot_text()
    assert "self.rng.choice(view.legal)  # your idea goes here" in text.partition("def use_second_chance")[0]


def test_a_base_class_that_splits_nothing_will_do(monkeypatch):
    """Then there is one method, `decide`."""
    game = load("flip7:numbers")
    monkeypatch.setattr(type(game), "python_bot", lambda self: Bot)
    text = Starter(game, "plain").bot_text()
    namespace = {}
    exec(text, namespace)
    assert text.count("    def ") == 1
    assert play(game, [namespace["Plain"], "ev"], seed=1).verify()


def test_what_to_do_next_is_said_and_can_be_done(good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = good("new-bot", "careful", "--game", "show:fair")
    assert "python -m pytest test_careful.py" in out
    commands = [line.split()[1:] for line in out.splitlines() if line.startswith("    pitboss ")]
    assert [command[0] for command in commands] == ["check-bot", "play", "simulate", "tournament"]
    assert commands[0] == ["check-bot", "careful.py:Careful", "--game", "show:fair"]
    good(*commands[1], "--seed", "1", typed="quit\n")
    good(*commands[2], "--games", "10")


def test_nothing_is_overwritten(pitboss, good, tmp_path):
    good("new-bot", "mine", "--out", tmp_path)
    (tmp_path / "mine.py").write_text("precious")
    (tmp_path / "test_mine.py").unlink()
    code, _, err = pitboss("new-bot", "mine", "--out", tmp_path)
    assert code == 2
    assert "mine.py exists already and is left as it is" in " ".join(err.split())
    assert (tmp_path / "mine.py").read_text() == "precious"
    assert not (tmp_path / "test_mine.py").exists()


@pytest.mark.parametrize(
    ("name", "file", "class_name"),
    [
        ("careful", "careful.py", "Careful"),
        ("MyBot", "my_bot.py", "MyBot"),
        ("my bot-2.py", "my_bot_2.py", "MyBot2"),
        ("stay_or_go", "stay_or_go.py", "StayOrGo"),
    ],
)
def test_names(name, file, class_name):
    starter = Starter(load("flip7"), name)
    assert (starter.file, starter.class_name, starter.test_file) == (file, class_name, f"test_{file}")


@pytest.mark.parametrize("name", ["", "--", "7up", "größer"])
def test_names_that_make_no_class_are_refused(name):
    with pytest.raises(PitbossError, match="makes no name for a class; use letters and digits, such as careful-2"):
        Starter(load("flip7"), name)


@pytest.mark.parametrize("name", ["random", "pitboss", "class"])
def test_names_that_would_hide_a_module_are_refused(name):
    with pytest.raises(PitbossError, match=f"would stand in the way of Python's own {name}; call it my-{name}?"):
        Starter(load("flip7"), name)


def test_a_folder_that_cannot_be_made_is_a_sentence(pitboss, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = pitboss("new-bot", "mine", "--out", tmp_path / "file" / "bots")
    assert code == 2
    assert "cannot write to" in err

"""`pitboss new-game`: what it writes is a whole game at once, in a package of its own."""

import json
from pathlib import Path

import pytest

from tests.packages import install, python


@pytest.mark.parametrize(("more", "bot", "tests"), [([], "ev", 14), (["--secrets"], "hold-5", 11)])
def test_the_game_passes_its_tests_and_is_played(good, tmp_path, more, bot, tests):
    made = json.loads(good("new-game", "my-game", *more, "--out", tmp_path, "--json"))
    folder, site = Path(made["folder"]), tmp_path / "site"
    assert not [file for file in made["files"] if "toy" in file or "nerve" in file]
    text = "".join((folder / file).read_text(encoding="utf-8") for file in made["files"]).lower()
    assert "toy" not in text
    assert "nerve" not in text
    install(folder, site)
    assert f"{tests} passed" in python(site, tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder)
    command = ["-m", "pitboss", "simulate", "my-game", "--bots", f"{bot},{bot}", "--games", 50, "--seed", 1, "--json"]
    data = json.loads(python(site, tmp_path, *command))
    assert (data["games"], data["bots"][0]["name"]) == (50, bot)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Game", "'My Game' cannot name a game; use small letters, digits and dashes, such as my-game"),
        ("flip7", "there is a game flip7 already"),
        ("here", "exists already and is left as it is"),
    ],
)
def test_names_that_are_refused(pitboss, folder, name, said):
    (folder / "here").mkdir()
    code, _, err = pitboss("new-game", name)
    assert code == 2
    assert said in err
    assert not list((folder / "here").iterdir())

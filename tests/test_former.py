"""Names of modules from before version 0.2 lead to the modules that took their place."""

import importlib
import pkgutil
import subprocess
import sys

import pytest

import pitboss
from pitboss.former import MOVED, RENAMED, present_name, view_as_dict

OLD_BOT = """
from pitboss.flip7 import HIT, STAY, compiled_bot
from pitboss.flip7.bots import FREEZE_LEADER, choose
from pitboss.flip7.odds import duplicates_coming
from pitboss.flip7.state import HIT_OR_STAY
from pitboss.table.compile import compiled

@compiled
def numbers(view, seat):
    return duplicates_coming(view, seat) > 12

@compiled_bot
def wary(view, rules, seat, params, luck):
    if int(view["decision"]) != HIT_OR_STAY:
        return choose(view, rules, seat, FREEZE_LEADER, luck)
    return STAY if numbers(view, seat) else HIT
"""


@pytest.mark.parametrize("name", ["flip7.view", "flip7.bots", "show.bots", "table", "table.record", "sim", "sim.batch"])
def test_it_is_the_very_module(name):
    former = f"pitboss.{name}"
    module = importlib.import_module(former)
    assert module is importlib.import_module(present_name(former))
    assert module.__spec__.name == module.__name__ == present_name(former)


@pytest.mark.parametrize("short", ["flip7", "show"])
def test_the_short_name_of_a_game_has_all_that_bots_need(short):
    face, game = (importlib.import_module(f"pitboss.{place}{short}") for place in ("", "games."))
    assert all(getattr(face, name) is getattr(game, name) for name in face.__all__)


def test_classes_answer_to_their_former_names():
    for present, names in RENAMED.items():
        former = importlib.import_module(present.replace("pitboss.games.", "pitboss."))
        for old, new in names.items():
            assert getattr(former, old) is getattr(importlib.import_module(present), new)


def test_no_present_module_is_hidden():
    for module in pkgutil.walk_packages(pitboss.__path__, "pitboss."):
        assert not present_name(module.name)
    for present in MOVED.values():
        importlib.import_module(present)


def test_what_never_was_is_missed_under_its_own_name():
    with pytest.raises(ModuleNotFoundError, match="pitboss.nowhere"):
        importlib.import_module("pitboss.nowhere")
    with pytest.raises(ModuleNotFoundError, match="nothing"):
        importlib.import_module("pitboss.table.nothing")


def test_a_bot_of_the_last_version_plays(tmp_path):
    (tmp_path / "wary.py").write_text(OLD_BOT)
    command = [sys.executable, "-m", "pitboss", "simulate", "flip7:numbers", "--bots", "wary.py,ev", "--games", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_as_dict_still_answers_and_says_its_new_name():
    view = pitboss.load("flip7:numbers").start(2).view(0)
    with pytest.warns(DeprecationWarning, match="to_dict"):
        assert view.as_dict() == view.to_dict()


def test_a_view_of_an_older_game_is_a_dictionary_too():
    class Older:
        def as_dict(self):
            return {"question": "Hit or stay?"}

    assert view_as_dict(Older()) == {"question": "Hit or stay?"}
    assert view_as_dict(object()) is None

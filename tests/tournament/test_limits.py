"""The limits that bots play under: which clock counts, what may be allowed, and how both are kept."""

import json
import sqlite3
from dataclasses import asdict

import pytest

from pitboss import Tournament
from pitboss.core.errors import PitbossError
from pitboss.sandbox.limits import Ending, Limits
from pitboss.sandbox.readable import modules_of, package_called
from pitboss.tournament.report import settings_in_words
from tests.tournament.tables import endings, guarded, tight

BOT = """
{imports}
from pitboss.flip7 import HIT, STAY, Flip7Bot

class Mine(Flip7Bot):
    awake = False

    def hit_or_stay(self, view):
        {first}
        return HIT if view.points < 20 else STAY
"""
ASLEEP = """if not self.awake:
            time.sleep({seconds})
            self.awake = True"""
THREAD = """thread = threading.Thread(target=print)
        thread.start()
        thread.join()"""


@pytest.fixture
def bot(tmp_path):
    """Writes a bot that imports something, and does something before it decides."""

    def write(imports, first="pass"):
        path = tmp_path / "mine.py"
        path.write_text(BOT.format(imports=imports, first=first))
        return path

    return write


def sleeper(bot, seconds):
    return bot("import time", ASLEEP.format(seconds=seconds))


def test_by_the_processors_clock_a_bot_may_sleep(bot):
    with tight(limits=Limits(decision=0.2, wall=300.0)) as referee:
        _, seats = guarded(referee, sleeper(bot, 0.3))
    assert not seats.faults
    assert seats.cpu[0][2] < 0.2  # of processor time


def test_by_the_walls_clock_it_may_not(bot):
    with tight(limits=Limits(decision=0.2, wall=300.0, clock="wall")) as referee:
        _, seats = guarded(referee, sleeper(bot, 0.3))
    assert endings(seats) == {Ending.TIMEOUT}
    assert seats.cpu[0][2] > 0.2


def test_by_the_processors_clock_a_bot_that_never_wakes_is_stopped_by_the_wall(bot):
    with tight(limits=Limits(decision=0.1, wall=3.0)) as referee:
        _, seats = guarded(referee, sleeper(bot, 3600))
    assert endings(seats) == {Ending.STALL}


@pytest.mark.parametrize("allow", [(), ("scipy",)])
def test_packages_are_there_if_they_are_allowed(bot, allow):
    pytest.importorskip("scipy")
    with tight(limits=Limits(start=60.0, decision=60.0, allow=allow)) as referee:
        _, seats = guarded(referee, bot("import scipy.special"))
    if allow:
        assert not seats.faults
    else:
        assert "ModuleNotFoundError: No module named 'scipy'" in seats.faults[0][3]


@pytest.mark.parametrize("allow", [(), ("threads",)])
def test_threads_are_there_if_they_are_allowed(bot, allow):
    with tight(limits=Limits(decision=60.0, allow=allow)) as referee:
        _, seats = guarded(referee, bot("import threading", THREAD))
    if allow:
        assert not seats.faults
    else:
        assert "RuntimeError: can't start new thread (line" in seats.faults[0][3]
        assert "mine.py" in seats.faults[0][3]


def test_packages_have_names_of_their_own():
    """Which need not be those of their modules."""
    assert package_called("pytest_timeout").name == package_called("pytest-timeout").name == "pytest-timeout"
    assert modules_of("pytest-timeout") == ["pytest_timeout"]
    assert package_called("_pytest").name == "pytest"
    assert package_called("nothing-of-the-kind") is None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"clock": "sundial"}, "unknown clock 'sundial'; the choices are: processor, wall"),
        ({"allow": "nothing-of-the-kind"}, "python -m pip install nothing-of-the-kind"),
        ({"allow": ["json"]}, "json is part of Python"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_kept(tmp_path, wrong, sentence):
    store = tmp_path / "games.db"
    with pytest.raises(PitbossError, match=sentence):
        Tournament("flip7:tournament", "ev,stay-25", store=str(store), **wrong)
    assert not store.exists()


def test_a_tournament_keeps_its_limits(tmp_path):
    store = str(tmp_path / "games.db")
    made = Tournament(
        "flip7:tournament", "ev,stay-25", blocks=1, clock="wall", allow="numba, threads", id="cup", store=store
    )
    again = Tournament.open("cup", store)
    assert again.settings == made.settings
    assert again.settings.limits == Limits(clock="wall", allow=("numba", "threads"))
    words = dict(settings_in_words(again.play()))
    assert words["note"] == "time is taken by the clock on the wall; bots may import numba; bots may have threads"


def test_a_tournament_from_before_there_were_clocks_can_be_opened(tmp_path):
    store = str(tmp_path / "games.db")
    Tournament("flip7:tournament", "ev,stay-25", blocks=1, time_limit=0.25, id="cup", store=store)
    with sqlite3.connect(store) as database:
        ((text,),) = database.execute("select settings from tournaments")
        settings = json.loads(text)
        for name in ("clock", "allow"):
            del settings["limits"][name]
        database.execute("update tournaments set seal = null, settings = ?", [json.dumps(settings)])
    database.close()
    opened = Tournament.open("cup", store)
    assert opened.settings.limits == Limits(decision=0.25)
    assert "note" not in dict(settings_in_words(opened.play()))


def test_limits_survive_json():
    limits = Limits(0.1, clock="wall", allow=("scipy", "threads"))
    assert Limits.from_dict(json.loads(json.dumps(asdict(limits)))) == limits

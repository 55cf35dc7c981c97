"""`pitboss compare` and `check-bot` as people use them."""

import json

import pytest

from pitboss.core.registry import load
from pitboss.tournament.check import check_bot
from pitboss.tournament.referee.seats import Referee
from tests.cli.conftest import BOT

pytestmark = pytest.mark.usefixtures("folder")


def test_compare(good):
    out = good("compare", "stay-25", "random", "--seed", 1)
    assert out.startswith("stay-25 is better than random")
    data = json.loads(good("compare", "random", "stay-25", "--seed", 1, "--json"))
    assert data["verdict"] == "worse"
    assert data["interval"][1] < 0
    same = json.loads(good("compare", "stay-25", "stay-25", "--seed", 1, "--json"))
    assert same["verdict"] in ("same", "undecided")
    assert same["interval"][0] < 0 < same["interval"][1]
    more = json.loads(good("compare", "ev", "random", "--game", "flip7:official", "--seats", 4, "--seed", 1, "--json"))
    assert more["verdict"] == "better"


def test_compare_bots_of_files(good, folder):
    (folder / "mine.py").write_text(BOT.format(limit=25))
    one = json.loads(good("compare", "mine.py", "random", "--seed", 1, "--workers", 1, "--json"))
    two = json.loads(good("compare", "mine.py", "random", "--seed", 1, "--workers", 2, "--json"))
    assert one["verdict"] == "better"
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


def test_compare_names_faults_first(pitboss, folder):
    (folder / "kim.py").write_text("class Kim(Flip7Bot)\n    pass\n")
    code, out, err = pitboss("compare", "kim.py", "ev", "--blocks", 2, "--workers", 1)
    assert code == 2
    assert not out
    assert "kim cannot play: kim.py does not import, line 1: SyntaxError" in err
    (folder / "lou.py").write_text(BOT.format(limit=25).replace("return", "1 / (view.points % 2)\n        return"))
    code, out, _ = pitboss("compare", "lou.py", "stay-25", "--blocks", 2, "--workers", 1, "--seed", 1)
    assert code == 1
    first, then = " ".join(out.split()).split("too close to call")
    assert "at fault" in first
    assert "ZeroDivisionError" in first
    assert "of lou.py)" in first
    assert "deals" in then
    data = json.loads(pitboss("compare", "lou.py", "stay-25", "--blocks", 2, "--workers", 1, "--seed", 1, "--json")[1])
    [faults] = data["faults"]
    assert faults["kinds"]["exception"] > 0


def test_simulate_names_the_line_of_the_bots_own_file(pitboss, folder):
    (folder / "lou.py").write_text(BOT.format(limit=25).replace("return", "1 / 0\n        return"))
    code, _, err = pitboss("simulate", "flip7:tournament", "--bots", "lou.py,ev", "--games", 4)
    assert code == 2
    assert "raised ZeroDivisionError: division by zero (line" in err
    assert "of lou.py)" in err


def test_compare_refuses(pitboss):
    for args, sentence in (
        (("ev", "random", "--seats", 3), "an even number"),
        (("ev", "random", "--blocks", 0), "a whole number from 1 up"),
        (("ev",), "Missing argument"),
    ):
        code, _, err = pitboss("compare", *args)
        assert code == 2
        assert sentence in err


def test_check_bot(pitboss, folder):
    (folder / "mine.py").write_text(BOT.format(limit=25))
    code, out, _ = pitboss("check-bot", "mine.py", "--games", 6)
    assert code == 0, out
    assert "Careful: ready for a tournament" in out
    assert "all of them legal" in out
    data = json.loads(pitboss("check-bot", "mine.py", "--games", 6, "--json")[1])
    assert data[0]["fine"] is True
    assert data[0]["decisions"] > 20


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 'fly'", "view.legal"),
        ("raise ValueError('my mistake')", "my mistake"),
        ("raise ValueError('my mistake')", "What to do: look at line 6 of bad.py"),
        ("open('/tmp/numbers.txt')", "What to do: a bot reads only its own folder"),
        ("import os; os._exit(3)", "do not end the process"),
        ("import random; return random.SystemRandom().choice(view.legal)", "take random numbers from the rng"),
    ],
)
def test_check_bot_says_what_is_wrong(pitboss, folder, body, says):
    (folder / "bad.py").write_text(BOT.format(limit=25).replace("return HIT if view.points < 25 else STAY", body))
    code, out, _ = pitboss("check-bot", "bad.py", "--games", 4)
    assert code == 1
    assert "not ready yet" in out
    assert says in " ".join(out.split())


def test_check_bot_that_does_not_load(pitboss, folder):
    (folder / "bad.py").write_text("import nothing_of_the_kind\n")
    code, out, _ = pitboss("check-bot", "bad.py")
    assert code == 1
    assert "nothing_of_the_kind" in out
    assert "python -m pip install nothing_of_the_kind) and allow it: --allow nothing_of_the_kind" in " ".join(
        out.split()
    )
    (folder / "bad.py").write_text("import beside\n")
    (folder / "beside.py").write_text("limit = 20\n")
    assert (
        "put both into a folder, call the first one bot.py, and enter the folder" in pitboss("check-bot", "bad.py")[1]
    )


def test_check_bot_says_what_must_be_allowed(pitboss, folder):
    pytest.importorskip("yaml")
    (folder / "mine.py").write_text("import yaml\n" + BOT.format(limit=25))
    code, out, _ = pitboss("check-bot", "mine.py", "--games", 2)
    assert code == 1
    assert "No module named 'yaml'. What to do: do without it, or allow it: --allow PyYAML" in " ".join(out.split())
    assert pitboss("check-bot", "mine.py", "--games", 2, "--allow", "PyYAML")[0] == 0


def test_check_bot_says_that_threads_must_be_allowed(pitboss, folder):
    start = "import threading; threading.Thread(target=print).start(); return STAY"
    (folder / "mine.py").write_text(BOT.format(limit=25).replace("return HIT if view.points < 25 else STAY", start))
    code, out, _ = pitboss("check-bot", "mine.py", "--games", 2)
    assert code == 1
    assert "can't start new thread (line" in out
    assert "--allow threads" in out
    assert pitboss("check-bot", "mine.py", "--games", 2, "--allow", "numba,threads", "--time-limit", 60)[0] == 0


def test_by_which_clock(pitboss, good, folder):
    (folder / "mine.py").write_text(BOT.format(limit=25))
    settings = ("--clock", "wall", "--time-limit", 60)
    assert "the limit is 60000 ms by the clock on the wall" in good("check-bot", "mine.py", "--games", 2, *settings)
    found = json.loads(good("compare", "mine.py", "ev", "--blocks", 2, "--workers", 1, "--json", *settings))
    assert found["limits"]["clock"] == "wall"
    told = good("compare", "mine.py", "ev", "--blocks", 2, "--workers", 1, "--allow", "threads", *settings)
    assert told.endswith("time is taken by the clock on the wall; bots may have threads\n")
    assert "unknown clock 'sun'" in pitboss("check-bot", "mine.py", "--clock", "sun")[2]


def test_check_bot_of_a_class_is_short(pitboss, folder):
    (folder / "bots").mkdir()
    for name, text in {
        "ann": BOT.format(limit=20),
        "ben": "import nothing_of_the_kind\n",
        "old": "class Old:\n    pass\n",
    }.items():
        (folder / "bots" / f"{name}.py").write_text(text)
    code, out, err = pitboss("check-bot", "bots/", "--games", 2)
    assert code == 1
    assert "Careful: ready for a tournament" in out.splitlines()[0]
    assert out.splitlines()[-1] == "1 of 2 bots are ready; not ready: ben"
    assert len(out.splitlines()) == 5
    assert "Left out: bots/old.py has no bot of this game: no class in it inherits from Flip7Bot." in err
    both = json.loads(pitboss("check-bot", "bots/", "--games", 2, "--json")[1])
    assert [bot["fine"] for bot in both] == [True, False]


def test_checks_count_the_games_of_all_bots(folder):
    (folder / "bots").mkdir()
    for name in ("ann", "ben"):
        (folder / "bots" / f"{name}.py").write_text(BOT.format(limit=20))
    told = []
    with Referee(load("flip7:tournament")) as referee:
        check_bot("bots/", referee, 2, progress=lambda done, most: told.append((done, most)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]

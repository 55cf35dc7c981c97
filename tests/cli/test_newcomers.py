"""What people try first, and what may be odd about the place where they try it."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import pitboss
from pitboss.cli.commands import COMMANDS
from pitboss.cli.common import RunProgress, time_left, waiting
from pitboss.cli.non_utf8 import spell
from pitboss.cli.screen import Screen
from pitboss.cli.standings import running
from pitboss.tournament.progress import Progress
from tests.cli.conftest import BOT


def script(*args, **environment):
    """A command as a shell runs it; the pages of a terminal are 100 columns wide."""
    return {
        "args": [sys.executable, "-m", "pitboss", *args],
        "env": {**os.environ, "COLUMNS": "100", **environment},
        "check": False,
    }


# --- odd places ---


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_is_not_in_utf_8(encoding):
    done = subprocess.run(**script("rules", "show:fair", PYTHONIOENCODING=encoding), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "As ×1".replace("×", "x" if encoding == "ascii" else "×") in done.stdout.decode(encoding)
    done = subprocess.run(**script("rules", "show:fair", "--json", PYTHONIOENCODING=encoding), capture_output=True)
    assert json.loads(done.stdout.decode(encoding))["cards"] == 54
    done = subprocess.run(**script("rules", "–", PYTHONIOENCODING=encoding), capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"unknown game" in done.stderr


def test_signs_are_spelled():
    assert spell("✓ 2–18 ± 3 × 4 • … é ♥") == "+ 2-18 +- 3 x 4 * ... e h"


@pytest.mark.parametrize("args", [("games",), ("games", "--json"), ("--help",), ("--version",)])
def test_a_full_disk_is_one_sentence(args):
    with open("/dev/full", "w") as full:
        done = subprocess.run(**script(*args), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "pitboss: cannot write all of it: No space left on device; make room, and try again\n"


def test_nobody_reads_on():
    """As after `| head`."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(**script("games", "--json"), stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert done.stderr == ""


@pytest.mark.parametrize("module", ["typer", "pitboss.cli.games", "pitboss.core.side"])
def test_ctrl_c_while_importing(module):
    program = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "sys.argv = ['pitboss', 'games']\n"
        "from pitboss.cli.app import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "pitboss: interrupted; nothing was saved\n")


@pytest.mark.parametrize("columns", ["0", "-3", "wide", ""])
def test_a_width_that_cannot_be_is_ignored(good, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    assert "flip7:official" in good("games")


def test_light_commands_import_neither_numpy_nor_numba():
    program = (
        "import sys; sys.argv = ['pitboss', *sys.argv[1:]]\n"
        "from pitboss.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'numba', 'sqlalchemy'} & set(sys.modules)), file=sys.stderr)\n"
    )
    for args in (["games"], ["rules", "flip7:solo"], ["rules", "show:full", "--json"], ["--version"]):
        done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, check=False)
        assert (done.stderr, bool(done.stdout)) == ("[]\n", True), args


# --- help ---


def test_help_names_no_python_types(good):
    for words in (
        [],
        *([name] for name in COMMANDS),
        ["tournament", "run"],
        ["tournament", "show"],
        ["arena", "doctor"],
    ):
        text = good(*words, "--help")
        assert not re.search(r"<[\w ]+>", text), words
    assert re.search(r"--watch +Only bots play", good("play", "--help"))
    assert re.search(r"--record +FILE ", good("play", "--help"))


# --- guesses ---


def test_the_version_by_any_name(good):
    assert good("-V") == good("version") == good("--version")


def test_help_by_another_name(good):
    assert good("help", "rules") == good("rules", "--help")
    assert good("help") == good("--help")


def test_game_as_an_option(good):
    assert good("bots", "--game", "show") == good("bots", "show") == good("bots", "--game=show")
    assert good("advise", "--game", "flip7:solo", "5", "9") == good("advise", "flip7:solo", "--hand", "5 9")


def test_cards_as_words(good):
    assert good("advise", "5", "9", "12") == good("advise", "--hand", "5 9 12")
    assert json.loads(good("advise", "flip7:solo", "5", "+4", "--json"))["hand"] == ["5", "+4"]


def test_bots_in_capitals(good, folder):
    args = ("--games", "20", "--seed", "1", "--json")
    assert [bot["name"] for bot in json.loads(good("simulate", "--bots", "EV,Stay-25", *args))["bots"]] == [
        "ev",
        "stay-25",
    ]
    assert "ev (0)" in good("play", "--bots", "EV,ev", "--watch", "--seed", "1")
    standings = json.loads(good("tournament", "run", "--bots", "EV,random", "--blocks", "1", "--json"))
    assert {row["name"] for row in standings["standings"]} == {"ev", "random"}


def test_players(good):
    data = json.loads(good("simulate", "--players", "6", "--games", "6", "--seed", "1", "--json"))
    assert [bot["name"] for bot in data["bots"]] == [
        "random",
        "conservative",
        "stay-25",
        "ev",
        "random#2",
        "conservative#2",
    ]
    record = json.loads(good("play", "--players", "3", "--bots", "ev", "--watch", "--seed", "1", "--json"))
    assert record["seats"] == ["ev", "ev", "ev"]
    assert "stay-25" in good("play", "--players", "4", "--seed", "4", typed="quit\n")


def test_compare_takes_games(good):
    args = ("compare", "ev", "ev", "--seed", "1", "--json")
    assert (
        json.loads(good(*args, "--games", "101"))["blocks"] == json.loads(good(*args, "--blocks", "51"))["blocks"] == 51
    )


def test_a_simulation_as_csv(good, folder):
    args = ("simulate", "--games", "40", "--seed", "1")
    text = good(*args, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(text)))
    bots = json.loads(good(*args, "--json"))["bots"]
    assert [row["name"] for row in rows] == [bot["name"] for bot in bots]
    assert [float(row["ci95_low"]) for row in rows] == [bot["ci95"][0] for bot in bots]
    assert "share ± 95 %" in good(*args, "--csv", "table.csv")
    assert (folder / "table.csv").read_text() == text


def test_quiet_goes_with_every_command(good, monkeypatch):
    monkeypatch.delenv("PITBOSS_QUIET", raising=False)
    assert good("--quiet", "games") == good("games", "--quiet") == good("games")
    assert os.environ["PITBOSS_QUIET"] == "1"


def test_completion():
    """What the tab key asks for, as the script of --install-completion does."""
    tab = script("", _PITBOSS_COMPLETE="complete_bash", COMP_WORDS="pitboss tourn", COMP_CWORD="1")
    assert subprocess.run(**tab, capture_output=True, text=True).stdout.split() == ["tournament"]
    tab = script("", _PITBOSS_COMPLETE="complete_bash", COMP_WORDS="pitboss simulate --pl", COMP_CWORD="2")
    assert subprocess.run(**tab, capture_output=True, text=True).stdout.split() == ["--players"]


def test_the_latest_game_of_a_tournament(good, pitboss, folder):
    run = ("tournament", "run", "flip7:numbers(target=40)", "--bots", "ev,random", "--blocks", "2")
    good(*run, "--id", "first", "--json")
    good(*run, "--id", "second", "--json")
    last = json.loads(good("replay", "latest", "--json"))["record"]
    assert (
        last
        == json.loads(good("replay", "second", "--json"))["record"]
        == json.loads(good("replay", "second/3", "--json"))["record"]
    )
    assert pitboss("replay", "third")[0] == 2


def test_delete_a_tournament(good, pitboss, folder):
    run = ("tournament", "run", "flip7:numbers(target=40)", "--bots", "ev,random", "--blocks", "1")
    good(*run, "--id", "first", "--json")
    kept = good(*run, "--id", "second", "--json")
    code, _, err = pitboss("tournament", "delete", "first")
    assert (code, "add --yes" in err) == (2, True)
    assert "Deleted: the tournament first of flip7:numbers(target=40) (2 bots, 2 matches)" in good(
        "tournament", "delete", "first", "--yes"
    )
    assert [row["id"] for row in json.loads(good("tournament", "list", "--json"))] == ["second"]
    assert json.loads(good("tournament", "show", "second", "--json"))["standings"] == json.loads(kept)["standings"]
    assert "'first'" in pitboss("tournament", "show", "first")[2]
    good(*run, "--id", "first", "--json")  # the name is free again


# --- a real table ---


LIVE = ("play", "flip7:official", "--bots", "stay-15,stay-15", "--live")


def test_cards_of_a_real_table(good, folder):
    """Several on a line; whose card it is; help; and nothing is used before somebody decides."""
    out = good(*LIVE, typed="help\n5 7\n9 12\nquit\n")
    assert "human: which card fell?" in out
    assert "stay-15 (2): which card fell?" in out
    assert "undo takes back the last entry" in out
    assert "stay-15 (1) gets 7" in out
    assert "Not used: 12, because human decides first." in out


def test_entries_are_taken_back(good, tmp_path):
    """A card, several, a move: as if they had never been typed."""
    straight, mended = tmp_path / "straight.json", tmp_path / "mended.json"
    args = ("play", "flip7:numbers(target=20)", "--bots", "stay-10", "--live", "--seed", "1", "--record")
    good(*args, straight, typed="12 11\nhit\n9\nstay\n")
    out = good(*args, mended, typed="3\nundo\n12 5\nu\n11\nundo 2\nundo 9\n12 11\nstay\n")
    assert "Taken back: 3." in out
    assert "Taken back: 12 11." in out
    assert "There is nothing to undo." in out
    out = good(*args, mended, typed="12 11\nhit\n8\nundo\n9\nundo 2\nhit\n9\nundo\n9\nstay\n")
    assert "Taken back: hit 9." in out
    assert json.loads(straight.read_text())["moves"] == json.loads(mended.read_text())["moves"]
    assert json.loads(straight.read_text())["cards"] == json.loads(mended.read_text())["cards"]


def test_while_others_play_advice_is_short(good):
    table = ("advise", "flip7:numbers(target=30)", "--live", "--names", "ann,me", "--me", "1")
    before = good(*table, typed="")
    after = good(*table, typed="12 5\nhit\n")
    assert "undo" in after.splitlines()[-2]  # beside the question for the card
    assert len(after.splitlines()) - len(before.splitlines()) < 8
    assert good(*table, typed="12\ntable\n").count("cards in the deck") == 2


# --- how long it takes ---


def test_no_bar_says_that_nothing_is_left():
    assert time_left(60, 0, 10) == ""
    assert time_left(60, 1, 3) == ", 2:00 left"
    screen = Screen(file=io.StringIO(), width=80)
    for matches in (0, 9, 10):
        screen.print(running(Progress(matches, 0, 10, 9, 0.001, {"ev": (0.5, 3)}), screen))
    assert "0:00" not in screen.file.getvalue()
    assert "All 10 matches are played" in screen.file.getvalue()


def test_who_waits_long_sees_a_bar(monkeypatch):
    shown = threading.Event()
    monkeypatch.setattr(RunProgress, "__enter__", lambda self: shown.set())
    with waiting(False, after=0.0):
        assert shown.wait(60)
    shown.clear()
    with waiting(False, after=600.0):
        pass
    assert not shown.is_set()


def test_the_command_imports_next_to_nothing_before_it_minds_ctrl_c():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(pitboss.__file__).parents[1])!r}); before = set(sys.modules); "
        "import pitboss.cli.app; print(*sorted(set(sys.modules) - before))"
    )
    found = subprocess.run([sys.executable, "-ISc", code], capture_output=True, text=True, check=True).stdout.split()
    assert "pitboss.cli.app" in found
    assert "typing" not in found


# --- odd file names ---


def test_a_file_with_commas_in_its_name(good, tmp_path, monkeypatch):
    """Where there is such a file it is meant; otherwise commas part bots."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a,b,c.py").write_text(BOT.format(limit=20))
    for bots in ("a,b,c.py", "a,b,c.py:Careful"):
        out = json.loads(good("simulate", "--bots", f"ev,{bots}*2", "--games", "30", "--seed", "1", "--json"))
        assert len(out["bots"]) == 3
    found = json.loads(good("check-bot", "a,b,c.py", "--games", "2", "--json"))
    assert [each["bot"] for each in found] == ["Careful"]


def test_a_file_that_looks_like_an_option(pitboss, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def bad(*args):
        code, out, error = pitboss(*args)
        assert (code, out) == (2, "")
        return error

    (tmp_path / "-dash.py").write_text(BOT.format(limit=20))
    assert "-dash.py reads like an option; for the file, write ./-dash.py" in bad("check-bot", "-dash.py")
    assert "write ./-gone.py" in bad("compare", "-gone.py", "ev")
    assert "No such option" in bad("check-bot", "--pyramid", "x.py")

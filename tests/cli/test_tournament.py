"""`pitboss tournament` as people use it."""

import csv
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pitboss import Tournament
from pitboss.core.record import read
from tests.cli.conftest import BOT
from tests.tournament.tables import SlowBot

pytestmark = pytest.mark.usefixtures("folder")

RUN = (
    "tournament",
    "run",
    "flip7:tournament",
    "--bots",
    "random,stay-25,ev",
    "--blocks",
    4,
    "--best-of",
    3,
    "--seed",
    1,
)


def test_run_prints_json(good):
    data = json.loads(good(*RUN, "--json"))
    assert data["game"] == "flip7:tournament"
    assert [row["rank"] for row in data["standings"]] == [1, 2, 3]
    first = data["standings"][0]
    assert {"name", "matches", "wins", "win_share", "ci95", "strength"} <= set(first)
    assert first["matches"] == 16
    assert data["matches"] == data["matches_planned"] == 24
    assert data["key"].startswith("key:")
    again = json.loads(good(*RUN, "--workers", 2, "--json"))
    assert again["standings"] == data["standings"]
    assert again["id"] != data["id"]
    shown = json.loads(good("tournament", "show", data["id"], "--json"))
    assert [each["row"]["name"] for each in shown.pop("profiles")] == [row["name"] for row in shown["standings"]]
    assert shown == data


def test_run_prints_a_table(good):
    out = good(*RUN, "--id", "cup")
    assert "Tournament cup: 3 bots, 2 seats, best of 3" in out
    assert re.search(r"1\s+(ev|stay-25)\s+1 to 3\s+16\s", out)
    assert "every pair is too close to call" in out  # four deals are few
    assert re.search(r"\d\d\.\d % \(\d+\.\d to \d+\.\d\)", out)


@pytest.mark.parametrize("columns", [80, 100, 120, 200])
def test_a_table_fits_the_terminal(pitboss, folder, monkeypatch, columns):
    """Also with long names, draws and faults: nothing is cut off."""
    monkeypatch.setenv("COLUMNS", str(columns))
    (folder / "a_student_with_a_long_name.py").write_text("import nothing_of_the_kind\n")
    _, out, _ = pitboss(
        "tournament", "run", "show:fair", "--bots", "counter,show-6,a_student_with_a_long_name.py", "--blocks", 4,
        "--best-of", 2, "--seed", 1, "--workers", 1,
    )  # fmt: skip
    lines = out.splitlines()
    [heads] = [line for line in lines if "share (95 %)" in line]
    assert heads.rstrip().endswith(("strength", "best?", "faults"))
    assert "ranks" in heads
    assert ("strength (95 %)" in heads) == (columns >= 120)
    assert max(map(len, lines[2:9])) <= columns
    assert not any("…" in line for line in lines)
    assert "a_student_with_a_long_name was at fault" in out.split("share (95 %)")[0]  # faults come first
    assert "No module named 'nothing_of_the_kind'" in " ".join(out.split())


def test_without_seed_the_key_is_told_at_the_end(good):
    out = good("tournament", "run", "flip7:tournament", "--bots", "stay-25,ev", "--blocks", 1)
    key = re.search(r"Key: (key:[0-9a-f]{32})", out)[1]
    assert out.splitlines()[1] == f"Key hash: {hashlib.sha256(key.encode()).hexdigest()}"


def test_list_show_and_csv(good, folder):
    assert "No tournaments" in good("tournament", "list")
    good(*RUN, "--id", "cup", "--csv", "table.csv")
    assert "cup" in good("tournament", "list")
    assert [row["id"] for row in json.loads(good("tournament", "list", "--json"))] == ["cup"]
    assert "24 matches" in good("tournament", "show", "latest")
    rows = list(csv.DictReader((folder / "table.csv").read_text().splitlines()))
    assert [row["rank"] for row in rows] == ["1", "2", "3"]


def test_report_and_replays(good, folder):
    out = good(*RUN, "--id", "cup", "--report", "out")
    index = folder / "out" / "index.html"
    assert "Report:" in out
    assert "stay-25" in index.read_text()
    pages = sorted(p.name for p in (folder / "out").glob("game-*.html"))
    assert pages
    assert all(f'href="{page}"' in index.read_text() for page in pages)
    data = json.loads(good("tournament", "report", "cup", "--out", "again", "--json"))
    assert data["report"] == "again/index.html"
    assert len(data["replays"]) == len(pages)


def test_export(good, folder):
    good(*RUN, "--id", "cup")
    good("tournament", "export", "cup", "games.jsonl")
    records = read(folder / "games.jsonl")
    games = json.loads(good("tournament", "show", "cup", "--json"))["games"]
    assert len(records) == games
    assert "Verified" in good("replay", "games.jsonl", "--verify")
    good("tournament", "export", "cup", "ev.txt", "--bot", "ev")
    assert all("ev" in record.seats for record in read(folder / "ev.txt"))
    good("tournament", "export", "cup", "games.csv")
    rows = list(csv.DictReader((folder / "games.csv").read_text().splitlines()))
    assert len(rows) == 2 * games
    assert {row["bot"] for row in rows} == {"random", "stay-25", "ev"}
    assert sum(float(row["share"]) for row in rows) == games


def test_a_game_of_a_tournament_replays(good):
    good(*RUN, "--id", "cup")
    assert "ev" in good("replay", "cup/12")
    assert "Verified" in good("replay", "cup/12", "--verify")


def test_add_plays_only_what_is_missing(good, folder, pitboss):
    (folder / "mine.py").write_text(BOT.format(limit=25))
    good(*RUN, "--id", "cup")
    _, out, _ = pitboss("tournament", "add", "cup", "mine.py", "--workers", 1)
    assert "Entered: Careful" in out
    data = json.loads(good("tournament", "show", "cup", "--json"))
    row = {row["name"]: row for row in data["standings"]}
    assert row["Careful"]["matches"] == row["ev"]["matches"] == 24
    assert row["Careful"]["version"]
    assert row["Careful"]["steady"] is True
    assert row["Careful"]["faults"] == {}
    # the first version is played as it was entered, though its file has changed
    (folder / "mine.py").write_text(BOT.format(limit=18))
    _, out, _ = pitboss("tournament", "add", "cup", "mine.py", "--workers", 1)
    assert "Entered: Careful v2" in out
    data = json.loads(good("tournament", "show", "cup", "--json"))
    rows = {row["name"]: row for row in data["standings"]}
    assert rows["Careful"]["matches"] == rows["Careful v2"]["matches"] == 32
    assert rows["Careful"]["version"] == row["Careful"]["version"] != rows["Careful v2"]["version"]
    assert rows["Careful"]["steady"] is True
    code, _, err = pitboss("tournament", "add", "cup", "mine.py")
    assert code == 2
    assert "its source has not changed" in err


def test_a_bot_written_otherwise_is_the_same_bot(pitboss, folder):
    (folder / "bots").mkdir()
    for name, limit in (("ann", 20), ("ben", 25)):
        (folder / "bots" / f"{name}.py").write_text(BOT.format(limit=limit))
    (folder / "bots" / "helper.py").write_text("x = 1\n")
    code, out, err = pitboss(
        "tournament", "run", "flip7:tournament", "--bots", "bots/", "--blocks", 1, "--id", "cup", "--workers", 1
    )
    assert code == 0
    assert "Left out: bots/helper.py has no bot of this game" in err
    assert "ann" in out
    code, _, err = pitboss("tournament", "add", "cup", "bots/ann.py")
    assert code == 2
    assert "its source has not changed" in err
    (folder / "bots" / "cem.py").write_text(BOT.format(limit=30))
    code, out, err = pitboss("tournament", "add", "cup", "bots/cem.py", "--workers", 1)
    assert "Entered: Careful" in out
    assert "the key of this tournament is public" in err


def test_a_budget_is_not_spent_again_by_those_who_join(good):
    names = ",".join(f"stay-{n}" for n in range(15, 25))
    good("tournament", "run", "flip7:tournament", "--bots", names, "--games", 400, "--id", "cup")
    before = json.loads(good("tournament", "show", "cup", "--json"))
    good("tournament", "add", "cup", "stay-30")
    after = json.loads(good("tournament", "show", "cup", "--json"))
    row = {row["name"]: row for row in after["standings"]}
    assert after["matches"] - before["matches"] == row["stay-30"]["matches"]
    assert row["stay-30"]["matches"] > 0


def test_the_key_is_not_told_before_the_end(good, folder):
    from pitboss.tournament.tournament import Tournament

    t = Tournament("flip7:tournament", "random,stay-25,ev", blocks=2, store="pitboss.db", id="cup")
    key = str(t._stored.key)

    class First:
        """Plays one match, the one with game 0."""

        workers = 1

        def run(self, plan, jobs):
            from pitboss.run.executors import Threads

            yield from Threads(1).run(plan, [job for job in jobs if job[0] == job[2] == 0])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        t.play(executor=First())
    good("tournament", "report", "cup", "--out", "out")
    good("tournament", "export", "cup", "half.jsonl")
    told = good("replay", "cup/0", "--json") + good("tournament", "show", "cup", "--json")
    told += "".join(path.read_text() for path in [*folder.glob("out/**/*.*"), folder / "half.jsonl"])
    assert "stay-25" in told
    assert key not in told
    assert key.removeprefix("key:") not in told
    good("tournament", "resume", "cup")
    assert key in good("replay", "cup/0", "--json")


def test_faults_are_told_below_the_table(pitboss, folder):
    (folder / "bad.py").write_text(BOT.format(limit=25).replace("return HIT", "return 1 / 0 or HIT"))
    code, out, _ = pitboss(
        "tournament",
        "run",
        "flip7:tournament",
        "--bots",
        "bad.py,stay-25",
        "--blocks",
        2,
        "--id",
        "cup",
        "--workers",
        1,
    )
    assert code == 0
    told = re.search(r"Careful was at fault \d+ times \(exception\) and forfeited 4 of 4 matches; the first (.*)", out)
    assert told
    assert out.index(told[0]) < out.index("share (95 %)")
    out = pitboss("replay", "cup/0")[1]
    assert "ZeroDivisionError" in out


def test_a_cup_in_a_file(pitboss, folder):
    (folder / "bots").mkdir()
    (folder / "bots" / "a.py").write_text(BOT.format(limit=20))
    (folder / "cup.toml").write_text(
        'game = "flip7:tournament"\nbots = ["stay-25", "bots/"]\nbest_of = 3\nblocks = 2\nseed = 1\nid = "file"\n'
    )
    data = json.loads(pitboss("tournament", "run", "cup.toml", "--workers", 1, "--blocks", 3, "--json")[1])
    assert data["id"] == "file"
    assert data["settings"]["blocks"] == 3
    assert {row["name"] for row in data["standings"]} == {"stay-25", "Careful"}


def test_files_of_a_cup_lie_beside_it_whatever_they_are_called(pitboss, folder):
    (folder / "cup" / "bots").mkdir(parents=True)
    (folder / "cup" / "two words.py").write_text(BOT.format(limit=20))
    (folder / "cup" / "bots" / "öre.py").write_text(BOT.format(limit=21))
    program = Path(__file__).parents[2] / "examples" / "bots" / "lines.py"
    (folder / "cup" / "lines.py").write_text(program.read_text())
    (folder / "cup" / "cup.toml").write_text(
        'bots = ["two words.py:Careful", "bots", "cmd:python lines.py", "ev"]\nblocks = 1\n'
    )
    data = json.loads(pitboss("tournament", "run", "cup/cup.toml", "--workers", 1, "--json")[1])
    assert {row["name"] for row in data["standings"]} == {"two words", "öre", "lines", "ev"}


def test_what_bots_may_do_is_kept_and_told(pitboss, good, folder):
    """From a file, and from flags, which win; resume and add go by what was written down."""
    (folder / "mine.py").write_text("import yaml\n" + BOT.format(limit=20))
    (folder / "cup.toml").write_text(
        'bots = ["ev", "stay-25"]\nblocks = 1\nclock = "wall"\ntime_limit = 60\nallow = ["threads"]\nid = "file"\n'
    )
    pytest.importorskip("yaml")
    assert json.loads(good("tournament", "run", "cup.toml", "--json"))["settings"]["limits"]["allow"] == ["threads"]
    allowed = ("--allow", "yaml, threads", "--allow", "numba", "--id", "flags")
    made = json.loads(good("tournament", "run", "cup.toml", *allowed, "--json"))
    assert made["settings"]["limits"]["allow"] == ["yaml", "threads", "numba"]
    code, out, err = pitboss("tournament", "add", "flags", "mine.py", "--workers", 1)
    assert code == 0, err
    assert "faults" not in out
    assert good("tournament", "show", "flags").splitlines()[1] == (
        "time is taken by the clock on the wall; bots may import yaml, numba; bots may have threads"
    )
    good("tournament", "run", "--bots", "ev,stay-25", "--blocks", 1, "--seed", 1)
    assert good("tournament", "show").splitlines()[1] == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("bots = [", "is not TOML"),
        ("clock = 3", "clock must be a text, not 3"),
        ("allow = [3]", "'3' cannot be allowed"),
        ("seed = 1.5", "seed must be a whole number or a text, not 1.5"),
        ('time_limit = "short"', "time_limit must be a number, not 'short'"),
        ("botz = []", "unknown setting 'botz' (did you mean 'bots'?)"),
        ('blocks = "many"', "blocks must be a whole number"),
        ("blocks = true", "blocks must be a number or a text, not True"),
    ],
)
def test_a_wrong_cup_is_explained(pitboss, folder, text, sentence):
    (folder / "cup.toml").write_text(text)
    code, _, err = pitboss("tournament", "run", "cup.toml")
    assert code == 2
    assert sentence in err


def test_a_seed_and_strangers_bots_are_warned_about(pitboss, folder):
    (folder / "mine.py").write_text(BOT.format(limit=20))
    code, _, err = pitboss(
        "tournament", "run", "flip7:tournament", "--bots", "stay-25,mine.py", "--blocks", 1, "--seed", 1, "--workers", 1
    )
    assert code == 0
    assert "a bot can guess the cards" in err


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--bots", "ev"), "cannot fill a table of 2 seats"),
        (("--bots", "ev,nobody"), "unknown bot 'nobody'"),
        (("--bots", "ev,stay-25", "--time-limit", "0"), "--time-limit must be more than 0"),
        (("--bots", "ev,stay-25", "--clock", "sun"), "unknown clock 'sun'; the choices are: processor, wall"),
        (("--bots", "ev,stay-25", "--allow", "none-such"), "install it beside pitboss first: python -m pip install"),
        (("--bots", "ev,none.py"), "there is no bot file none.py"),
        (("--bots", "ev,stay-25", "--seed", "x"), "is not a seed"),
        (("--bots", "ev,stay-25", "--store", "no/where.db"), "no such folder"),
        (("--sets", "3"), "pitboss tournament run --help has the details"),
        (("--bots", "ev,stay-25", "--store", "."), "it is a folder"),
        (("--bots", "ev,stay-25", "--store", "mysql://host/cups"), "a store is a file, or in PostgreSQL"),
        (("--bots", "ev,stay-25", "--store", "letter.db"), "not a database); give --store another file"),
        (("--bots", "ev,stay-25", "--workers", "0"), "--workers must be 1 or more"),
        (("--bots", "ev,stay-25", "--csv", "no/x.csv"), "cannot write no/x.csv"),
        (("--bots", "ev,stay-25", "--blocks", "3", "--games", "50"), "one of them"),
        (("--bots", "ev,stay-25", "--rounds", "3"), "--rounds is for --format swiss"),
        (("--bots", "ev,stay-25", "--id", "latest"), "cannot be the id"),
    ],
)
def test_mistakes_are_sentences(pitboss, folder, args, sentence):
    (folder / "letter.db").write_text("Dear all, this is no database, and long enough to be looked at as one." * 9)
    code, out, err = pitboss("tournament", "run", "flip7:tournament", *args)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(folder, good):
    run = [sys.executable, "-c", "from pitboss.cli.app import main; main()", "tournament", "run", "flip7:tournament"]
    with SlowBot(folder, seconds=0.05) as slow:  # all of it would take half an hour
        process = subprocess.Popen(
            [*run, "--bots", f"{slow.path},ev", "--blocks", "1000", "--id", "cup"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=folder, env={**os.environ, "PITBOSS_QUIET": "1"},
        )  # fmt: skip
        line = process.stdout.readline()
        assert "Tournament cup" in line
        made = Tournament.open("cup", str(folder / "pitboss.db"))
        while process.poll() is None and not made.standings().matches:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "pitboss tournament resume cup" in err
    kept = int(re.search(r"Stopped: ([\d,]+) of", err)[1].replace(",", ""))
    assert json.loads(good("tournament", "show", "cup", "--json"))["matches"] == kept > 0


def test_resume(good, folder):
    whole = json.loads(good(*RUN, "--json"))
    from pitboss.run.executors import Threads
    from pitboss.tournament.tournament import Tournament

    class Half(Threads):
        """Stops in the middle, as Ctrl-C would."""

        def run(self, plan, jobs):
            yield from super().run(plan, list(jobs)[:5])
            raise KeyboardInterrupt

    t = Tournament("flip7:tournament", "random,stay-25,ev", blocks=4, best_of=3, seed=1, store="pitboss.db", id="half")
    with pytest.raises(KeyboardInterrupt):
        t.play(executor=Half())
    assert "still to play" in good("tournament", "show", "half")
    resumed = json.loads(good("tournament", "resume", "half", "--json"))
    assert resumed["standings"] == whole["standings"]


@pytest.mark.parametrize("command", ["show", "report", "resume"])
def test_a_store_that_is_not_there_is_not_made(pitboss, folder, command):
    code, _, err = pitboss("tournament", command, "latest", "--store", "none.db")
    assert code == 2
    assert "there is no store none.db" in err
    assert not (folder / "none.db").exists()


def test_export_refuses_unknown_endings(pitboss, good):
    good(*RUN, "--id", "cup")
    code, _, err = pitboss("tournament", "export", "cup", "games.xml")
    assert code == 2
    assert "ends in none of" in err


def test_ask_about_a_game_of_a_tournament(good):
    good(*RUN, "--id", "cup")
    assert json.loads(good("ask", "stay-25", "cup/0@2", "--json"))["move"] == 2

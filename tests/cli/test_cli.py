"""The command line as people use it: what it prints, and how it refuses."""

import json
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

from pitboss.core.record import read
from pitboss.run.special import WORTH_GAMES


def test_games(good):
    assert "flip7:official" in good("games")
    rows = json.loads(good("games", "--json"))
    assert [row["spec"] for row in rows if row["default"]] == ["flip7:official", "show:fair", "vengeance:standard"]
    assert len(rows) == 13


def test_rules_in_plain_words(good, preset):
    text = good("rules", f"flip7:{preset}")
    assert "busts you" in text
    data = json.loads(good("rules", f"flip7:{preset}", "--json"))
    assert data["cards"] == {"solo": 85, "numbers": 79}.get(preset, 94)
    assert data["deck"]["12"] == 12


def test_every_switch_is_told(good):
    """Changing any switch changes the words, the deck or the switches shown."""
    from pitboss.games.flip7.rules import Flip7Rules
    from pitboss.games.show.rules import ShowRules

    for game, every in (("flip7", Flip7Rules), ("show", ShowRules)):
        for preset, rules in every.presets.items():
            before = json.loads(good("rules", f"{game}:{preset}", "--json"))
            for name, switch in every.switches().items():
                if name in rules.needless():
                    continue
                for value in switch.others(getattr(rules, name)):
                    after = json.loads(good("rules", f"{game}:{rules.change({name: value})}", "--json"))
                    assert after["words"] != before["words"], (preset, name, value)


def test_deck_by_kind(good):
    assert "Second Chance ×3" in good("rules", "flip7:official", "--deck")


def test_bots(good):
    assert "bust-P" in good("bots")
    data = json.loads(good("bots", "--json"))
    assert {b["name"] for b in data["bots"]} >= {"random", "conservative", "stay", "cards", "bust", "ev"}
    assert [j["name"] for j in data["join"]] == ["random-targets", "freeze-leader", "freeze-risky"]


def test_simulate_without_arguments_does_something_useful(good):
    out = good("simulate")
    assert "flip7:official" in out
    assert re.search(r"ev +\d+ +\d+\.\d\d % ± \d", out)
    assert "too close to call" in out or "is better" in out


def test_simulate_prints_the_object_that_programs_expect(good):
    args = ["flip7:numbers", "--bots", "stay-20,stay-23,stay-26,stay-30", "--games", "2000", "--seed", "1", "--json"]
    data = json.loads(good("simulate", *args))
    assert list(data)[:6] == ["game", "seed", "key", "games", "blocks", "seconds"]
    assert data["seed"] == 1
    assert data["games"] == 4 * data["blocks"] == 2000
    assert {"games_per_second", "threads", "cut", "decisions", "cards", "rounds_per_game", "versus"} <= set(data)
    names = list(data["bots"][0])
    assert names[:5] == ["name", "wins", "ties", "win_share", "ci95"]
    assert {"mean_total", "mean_round_score", "bust_rate", "flip7_rate", "seats"} <= set(names)
    assert list(data["bots"][0]["seats"][0]) == ["seat", "games", "win_share", "ci95"]
    again = json.loads(good("simulate", *args, "--threads", "1"))
    assert again["bots"] == data["bots"]


def test_rounding_is_said(good):
    assert "10 games rounded up to 12: whole blocks of 4" in good("simulate", "--games", "10", "--seed", "1")


def test_many_of_one_bot(good):
    data = json.loads(good("simulate", "flip7:official", "--bots", "stay-25*17,ev", "--games", "18", "--json"))
    assert len(data["bots"]) == 18
    assert "pairs differ significantly" in good("simulate", "--bots", "stay-25*17,ev", "--games", "18", "--seed", "1")


def test_record_and_replay(good, tmp_path):
    file = tmp_path / "games.jsonl"
    out = good("simulate", "flip7:tournament", "--games", "20", "--seed", "3", "--record", "5", file)
    assert str(file) in out.replace("\n", "")
    assert len(read(file)) == 5
    assert "Verified: 5 games" in good("replay", file, "--verify")
    assert json.loads(good("replay", file, "--verify", "--json"))["games"] == 5
    log = good("replay", file, "--game", "5")
    assert "--- Round 1:" in log
    assert "wins" in log
    assert "cards in the deck" in good("replay", file, "--step", "9")
    moment = json.loads(good("replay", file, "--step", "9", "--json"))
    assert [len(scene["seats"]) for scene in moment["scenes"]] == [4]
    whole = json.loads(good("replay", file, "--json"))
    assert whole["record"]["game"] == "flip7:tournament"
    assert whole["log"][0]["events"] == ["--- Round 1: ev deals ---"]


def test_watch_with_the_full_log(good, tmp_path):
    """The lines that the simulation's document tells people to look for."""
    file = tmp_path / "g.json"
    bots = ["--bots", "bust-0.5,cards-7"]
    out = good("play", "flip7:simulation", *bots, "--watch", "--verbose", "--seed", "3", "--record", file)
    assert "SECOND CHANCE USED!" in out
    assert "drawing 3 card(s)" in out
    assert re.search(r"scores \d+, total \d+", out)
    short = good("play", "flip7:simulation", *bots, "--watch", "--seed", "3")
    assert len(short) < len(out)
    assert "drawing" not in short
    assert "Verified: 1 game" in good("replay", file, "--verify")


def test_play_as_a_person(good):
    """Odds on request, nonsense refused, action cards above the numbers, totals after every round."""
    typed = "odds\nrules\njump\nsty\nyes\n\nhelp\ntable\n" + "stay\n" * 400
    out = good("play", "flip7:numbers(target=40)", "--bots", "stay-15", "--seat", "1", "--seed", "4", typed=typed)
    assert "The next card busts you with probability" in out
    assert "'jump' is not a move; you may: stay, hit" in out
    assert "'sty' is not a move (did you mean 'stay'?); you may: stay, hit" in out  # and no move of another moment
    assert "yes is not possible now; you may: stay, hit" in out
    assert "Be ahead when" in out
    assert "human scores" in out
    assert "wins" in out


def test_leaving_a_game(good):
    out = good("play", "--seed", "4", typed="hit\nquit\n")
    assert "left unfinished; --seed 4 deals it again" in out
    assert "left unfinished" in good("play", "--seed", "4", typed="")


@pytest.mark.parametrize("answer", ["to ev", "EV", "@2"])
def test_what_a_question_offers_can_be_typed(good, answer):
    """A −4 falls for seat 0, who may give it to anybody; the question says `to yourself, to stay-25, to ev`."""
    out = good("play", "vengeance", "--bots", "stay-25,ev", "--live", "--seed", "1", typed=f"-4\n{answer}\nquit\n")
    assert "is not a move" not in out
    assert "ev gets −4, by human" in out


def test_a_person_chooses_targets(good, tmp_path):
    """Type the cards of a real table: a Freeze for seat 0, who may choose."""
    typed = "fz\n@1\n5\n7\nquit\n"
    out = good("play", "flip7:tournament", "--bots", "stay-15,stay-15", "--live", "--seed", "1", typed=typed)
    assert "Who gets the Freeze?" in out
    assert "stay-15 (1) is frozen by human" in out


def test_action_cards_are_drawn_above_the_numbers(good):
    typed = "5\n7\nhit\nsc\nhit\n9\nquit\n"
    out = good("play", "flip7:official", "--bots", "always-hit", "--live", typed=typed)
    scene = out.rsplit("human", 1)[1].splitlines()
    assert "Second Chance" in scene[1]
    assert "5" in scene[2]


def test_play_as_json(good):
    data = json.loads(good("play", "--watch", "--seed", "1", "--json"))
    assert data["format"] == "pitboss-record"


def test_show_hides_the_opponents_cards(good):
    out = good("play", "show:classic", "--bots", "show-6", "--seed", "5", typed="0\nodds\ndiscard\nplay on\nquit\n")
    assert "Which of your cards do you look at?" in out
    assert "human looks at their left card: 10♠" in out
    assert "If the hands were compared now" in out
    assert "show-6 looks at their left card\n" in out
    assert "show-6 draws a card" in out


def test_two_people_share_a_terminal(good):
    """Before a secret is shown, the program waits for a key; the other person's log does not have it."""
    typed = "\n0\n\n\n\n1\n\n\n\nquit\n"
    out = good("play", "show:fair", "--seats", "human,human", "--seed", "5", typed=typed)
    assert out.count("press Enter when only you are looking") >= 3
    before, _, after = out.partition("looks at their left card: 10♠")
    assert before.rstrip().endswith("only you are looking. human (0)")
    assert after.startswith("\nPress Enter to hide it.")


def test_show_in_all_commands(good, tmp_path):
    file = tmp_path / "g.jsonl"
    data = json.loads(good("simulate", "show:full", "--games", "50", "--seed", "1", "--record", "3", file, "--json"))
    assert [b["name"] for b in data["bots"]] == ["show-6", "counter"]
    assert "Verified: 3 games" in good("replay", file, "--verify")
    assert "wins with" in good("replay", file, "--verbose") or "tie" in good("replay", file)
    assert "graveyard" in good("replay", file, "--step", "12") or "cards to draw" in good("replay", file, "--step", "6")
    assert "cfr" in good("bots", "show")


BAD = [
    (["simulate", "chess"], "unknown game 'chess'; the choices are: flip7"),
    (["simulate", "flip7:offical"], "unknown preset 'offical' (did you mean 'official'?)"),
    (["rules", "flip7:solo(tie=shared)"], "tie=shared changes nothing here"),
    (["simulate", "flip7:official(zebra=1)"], "unknown switch 'zebra'"),
    (["simulate", "--bots", "nobody,ev"], "unknown bot 'nobody'"),
    (["simulate", "--bots", ""], "names no bot in"),
    (["simulate", "--bots", "ev"], "is for 2 to 18 seats, not 1"),
    (["simulate", "--bots", "ev*19"], "copies=2 makes room for 36"),
    (["simulate", "--games", "-5"], "give a whole number from 1 up, such as 1000, 10k, 2.5M or 1e6, not '-5'"),
    (["simulate", "--seed", "abc"], "'abc' is not a seed"),
    (["simulate", "--threads", "0"], "the number of threads must be 1 or more"),
    (["simulate", "--bots", "none.py:A,ev"], "there is no bot file none.py"),
    (["simulate", "--record", "0", "x.json"], "--record takes a number from 1"),
    (["simulate", "--games", "4", "--record", "1", "no/such/folder/x.json"], "give a file in a folder that exists"),
    (["simulate", "--games", "4", "--record", "3", "r.xml"], "its name must end in .json, .jsonl or .txt"),
    (["play", "--watch", "--record", "r.xml"], "its name must end in .json, .jsonl or .txt"),
    (["simulate", "--games", "4", "--out", "/proc/x.parquet"], "cannot write /proc/x.parquet: /proc takes no files"),
    (["simulate", "--bots", "ev*99999999"], "names more than 10,000 bots"),
    (["tournament", "run", "--blocks", "1000000000000"], "give fewer --blocks, or a smaller budget of --games"),
    (["tournament", "run", "--games", "1e15"], "give fewer --blocks, or a smaller budget of --games"),
    (["play", "--watch", "--delay", "-1"], "--delay takes seconds from 0 to 3600, not -1"),
    (["play", "--watch", "--delay", "nan"], "--delay takes seconds from 0 to 3600, not nan"),
    (["compare", "ev", "random", "--time-limit", "nan"], "--time-limit takes seconds, more than 0, not nan"),
    (["advise", "5", "--hand", "9"], "give the cards in front of you once"),
    (["replay", "latest"], "there is no store pitboss.db yet"),
    (["play", "--json"], "--json goes with --watch"),
    (["play", "show:fair", "--live"], "--live is for open games"),
    (["play", "--seat", "9"], "seat 9 does not exist at this table; seats are 0 to 3"),
    (["play", "--bots", "ev", "--seat", "-1"], "seat -1 does not exist"),
    (["replay", "no.json"], "cannot read no.json"),
    (["simulate", "show:classic(deck=A A)"], "a deck of Show has 5 to 54 cards"),
    (["simulate", "show:fair", "--bots", "ev,show-6"], "unknown bot 'ev'"),
    (["simulate", "show:fair", "--bots", "show-6*3"], "is for exactly 2 seats, not 3"),
]


@pytest.mark.parametrize(("args", "sentence"), BAD)
def test_bad_input_is_one_sentence_and_code_2(pitboss, args, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = pitboss(*args)
    assert code == 2
    assert sentence in err
    assert err.startswith("pitboss: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_bot_that_fails_leaves_no_half_written_file(pitboss, tmp_path):
    (tmp_path / "b.py").write_text(
        "from pitboss.flip7 import Flip7Bot\n"
        "class B(Flip7Bot):\n    def hit_or_stay(self, view):\n        return None\n"
    )
    code, _, err = pitboss("simulate", "--bots", f"{tmp_path}/b.py:B,ev", "--record", "2", tmp_path / "out.json")
    assert code == 2
    assert "answered None, which is no move" in err
    assert [f.name for f in tmp_path.iterdir() if f.is_file()] == ["b.py"]


def test_an_edited_record_is_refused(pitboss, tmp_path):
    file = tmp_path / "g.json"
    assert pitboss("play", "--watch", "--seed", "1", "--record", file, "--json")[0] == 0
    file.write_text(file.read_text().replace("hit", "stay", 1))
    code, _, err = pitboss("replay", file, "--verify")
    assert code == 2
    assert re.search(r"game 1: step \d+ \(stay\) did not do what the record says|goes astray", err)
    for game in ("0", "2"):
        code, _, err = pitboss("replay", file, "--game", game)
        assert code == 2
        assert "has 1 game; --game" in err


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["simulate", "--games", "many"], "--games"),
        (["simulate", "--games", "1.5"], "such as 1000, 10k, 2.5M or 1e6, not '1.5'"),
        (["simulate", "--gamez", "3"], "--gamez"),
        (["deal"], "deal"),
        (["replay"], "Missing argument"),
    ],
)
def test_options_that_cannot_be_read(pitboss, args, sentence):
    code, out, err = pitboss(*args)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "--help has the details" in err
    assert err.count("\n") == 1


def test_help_is_light():
    """`--help` loads neither NumPy nor Numba."""
    script = (
        "import sys; sys.argv = ['pitboss', '--help']\n"
        "from pitboss.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "assert not {'numpy', 'numba'} & set(sys.modules), 'heavy'"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in ("games", "rules", "bots", "simulate", "play", "replay", "solve", "advise", "chart"):
        assert command in done.stdout


def test_every_command_has_help_with_an_example(good):
    for command in ("games", "rules", "bots", "simulate", "play", "replay", "solve", "advise", "chart"):
        assert f"pitboss {command}" in good(command, "--help")


def test_ctrl_c_keeps_what_is_done(good):
    """A real interrupt in the middle of a long run: a table of what was played, and exit code 130."""
    command = [sys.executable, "-u", "-m", "pitboss", "simulate", "flip7:numbers", "--players", "4", "--bots",
               "stay-20,stay-25", "--seed", "1", "--games"]  # fmt: skip
    most = WORTH_GAMES - 4  # so that no loop is compiled for this table
    command.append(str(most))
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        used = ["ps", "-o", "time=", "-p", str(running.pid)]
        while float(subprocess.check_output(used, text=True).rpartition(":")[2]) < 3:  # of more than fifteen
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert re.search(rf"Stopped early: these are the first [\d,]+ of {most:,} games", out)
    assert "stay-25" in out
    assert err == ""
    again = re.search(r"Continue with: pitboss (simulate .* --resume)\n", out)
    [games] = re.findall(r"the first ([\d,]+) of", out)
    words = shlex.split(again[1])
    words[words.index("--games") + 1] = str(int(games.replace(",", "")) + 1000)  # and not for hours
    assert f"Continued after {games} games." in good(*words)


def test_games_in_powers_of_ten(good):
    for text in ("2e1", "2E+1", "20", "2_0", "20.0"):
        assert json.loads(good("simulate", "flip7:solo", "--bots", "ev", "--games", text, "--json"))["games"] == 20


def test_games_in_a_parquet_file(good, tmp_path):
    pytest.importorskip("pyarrow", reason="needs PyArrow: make test-all installs it")
    out = good("simulate", "flip7:solo", "--bots", "ev", "--games", "50", "--out", tmp_path / "games.parquet")
    assert "a row for each seat and game" in out
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


def test_as_a_module():
    done = subprocess.run([sys.executable, "-m", "pitboss", "--version"], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"pitboss \d+\.\d+\.\d+\n", done.stdout)

"""Liar's Dice, a package of its own with hidden dice and 181 moves, goes wherever a game can go."""

import json
import subprocess
import sys

import httpx
import pytest

from tests.packages import EXAMPLES, environment, install, python

LIAR = EXAMPLES / "liars-dice"
PITBOSS = ("-m", "pitboss")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return install(LIAR, tmp_path_factory.mktemp("site"))


@pytest.fixture
def run(site, tmp_path):
    """Run a command; what it printed."""
    return lambda *args, **more: python(site, tmp_path, *PITBOSS, *args, **more)


def test_its_own_tests_pass(site, tmp_path):
    done = python(site, tmp_path, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", LIAR, LIAR / "tests")
    assert "16 passed" in done


def test_terminal(run):
    """Moves of several words are typed; what is not possible is said."""
    typed = "rules\nodds\nbid 9 9\nbid 1 3\nquit\n"
    out = run("play", "liar:tiny", "--seats", "human,doubt-100", "--seed", 1, typed=typed)
    assert "Everybody has one die with 3 sides" in out
    assert "3: you have" in out
    assert "'bid 9 9' is not a move; you may: bid … 1, 2" in out
    assert "human bids 1 × 3" in out
    assert "doubt-100 rolls a die" in out, "and not what it shows"


def test_simulate(run):
    args = ("simulate", "liar", "--bots", "doubt-150,doubt-50,random", "--games", 300, "--seed", 1, "--json")
    data = json.loads(run(*args))
    assert data["bots"][0]["win_share"] > data["bots"][2]["win_share"]
    assert 0 < data["calls_won_rate"]["mean"] < 1
    assert json.loads(run(*args, "--threads", 1))["bots"] == data["bots"]


FILE_BOT = '''
from pitboss_liar import LiarBot


class Mine(LiarBot):
    """Bids the least, until four dice were bid."""

    def decide(self, view):
        if view.last_bid and view.last_bid[0] > 3:
            return "liar"
        return min(move for move in view.legal if move)
'''


def test_tournament_with_a_file_bot_report_and_mistakes(run, tmp_path):
    (tmp_path / "mine.py").write_text(FILE_BOT, encoding="utf-8")
    args = ("liar:full(dice=2)", "--bots", "mine.py:Mine,doubt-150,random", "--seats", 2, "--blocks", 2)
    data = json.loads(run("tournament", "run", *args, "--seed", 1, "--workers", 1, "--json"))
    assert data["finished"]
    assert {row["name"]: row["faults"] for row in data["standings"]} == {"Mine": {}, "doubt-150": {}, "random": {}}
    run("tournament", "report", "latest", "--out", "report")
    assert "doubt-150" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    run("tournament", "export", "latest", "games.jsonl")
    assert "bid~" in (tmp_path / "games.jsonl").read_text(encoding="utf-8")
    assert json.loads(run("replay", "games.jsonl", "--verify", "--json"))["verified"]


BLUNDERS = """
import sys
from pitboss import load, play
from pitboss.web.hints import Made, blunders

record = play("liar:tiny", ["random", "random"], seed=2)
moves = iter(record.moves)
made = [
    Made(step, position.copy(), next(moves))
    for step, (position, _, _) in enumerate(record.replay(), 1)
    if position.to_act >= 0
]
found = blunders(record.game, made, record.labels, chances=False)
print(len(made), len(found), all(each.lost > 0 for each in found))
"""


def test_replay_with_blunders_and_advice(run, site, tmp_path):
    run("play", "liar:tiny", "--watch", "--bots", "random,doubt-100", "--seed", 3, "--record", "game.json")
    assert json.loads(run("replay", "game.json", "--verify", "--json"))["verified"]
    run("replay", "game.json", "--html", "game.html")
    assert "calls doubt-100 a liar" in run("replay", "game.json") or "calls random a liar" in run("replay", "game.json")
    said = json.loads(run("advise", "--record", "game.json@1", "--json"))
    assert {"move", "value", "rollouts"} <= set(said["advice"]["moves"][0])
    assert "playing on as doubt-150" in said["advice"]["how"]
    decisions, found, losing = python(site, tmp_path, "-c", BLUNDERS).split()
    assert 0 < int(found) <= int(decisions)
    assert losing == "True"


def test_solve_a_small_version(run):
    """Who begins tells something, and wins four games of nine; and the linear programme and CFR agree."""
    facts = json.loads(run("solve", "liar:tiny", "--json"))
    assert facts["kind"] == "exact"
    assert facts["win_share"] == pytest.approx(4 / 9)
    assert facts["cfr"]["value"] == pytest.approx(facts["value"], abs=1e-3)
    assert facts["cfr"]["exploitability"] < 1e-3


ENVIRONMENTS = """
import gymnasium, pitboss.envs
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from pitboss.envs.aec import env
name = next(name for name in gymnasium.registry if name.startswith("pitboss/Liar"))
one = gymnasium.make(name, penalty=-1).unwrapped  # the check chooses an action, resets, and takes it all the same
check_env(one)
assert one.action_space.n == 181
api_test(env("liar:full(dice=2)", seats=3), num_cycles=50)
"""


def test_the_best_answer_to_a_bot_that_draws_lots_among_five_moves(run):
    """What `random` plays is even, whatever the number of moves: found with far more lots, too."""
    facts = json.loads(run("solve", "liar:tiny", "--against", "random", "--json"))
    assert facts["values"] == pytest.approx([0.384568, 0.333642], abs=1e-6)


def test_environments_and_their_checkers(site, tmp_path):
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install pitboss[rl]")
    python(site, tmp_path, "-W", "ignore", "-c", ENVIRONMENTS)


def test_training(run, tmp_path):
    args = ("--seats", 2, "--opponents", "doubt-100", "--steps", 2000, "--games", 50, "--seed", 1)
    run("train", "ppo", "liar:tiny", "--out", "mine.npz", *args)
    data = json.loads(run("simulate", "liar:tiny", "--bots", "agent:mine.npz,random", "--games", 50, "--json"))
    assert data["games"] == 50


@pytest.fixture
def room(site, tmp_path):
    """The address of a card room that knows the game."""
    command = [sys.executable, *PITBOSS, "serve", "--port", "0", "--json"]
    server = subprocess.Popen(command, cwd=tmp_path, env=environment(site), stdout=subprocess.PIPE, text=True)
    lines = ""
    while "}" not in lines:
        line = server.stdout.readline()
        assert line, lines
        lines += line
    yield json.loads(lines)["url"].rstrip("/")
    server.terminate()
    server.wait(60)
    server.stdout.close()


def test_a_table_in_the_browser_with_a_hint(room, browser):
    """A person bids in steps, and is told what bids are worth."""
    places = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "name": "doubt-100"}]
    asked = {"spec": "liar:tiny", "places": places, "hints": True}
    made = httpx.post(f"{room}/api/tables", json=asked, timeout=240).json()
    page = browser.new_page()
    page.set_default_timeout(240_000)
    page.goto(f"{room}/table/{made['id']}#{made['token']}")
    page.wait_for_selector("[data-state=asked]")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint .best")
    assert "worlds that fit what you know" in page.locator(".hint").inner_text()
    page.locator(".choices button", has_text="bid").first.click()
    page.close()

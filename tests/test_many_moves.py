"""A game of 361 moves, which pitboss does not know, in all that plays games: environments, tournaments, trees, agents,
the GPU and the terminal. The rule book itself is looked at in tests/core/test_many_moves.py, pages in tests/web."""

import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from pitboss import load, play
from pitboss.analysis.trees.tree import build
from pitboss.cli.app import main
from pitboss.core.keys import Key
from pitboss.core.play import Runner
from pitboss.learn import train as learn
from pitboss.sandbox.limits import Limits
from pitboss.tournament.entering import contestants
from pitboss.tournament.match import pack, unpack
from pitboss.tournament.referee.seats import Referee

pytestmark = pytest.mark.usefixtures("bids")

BOT = """
from bids import BidsBot

class Bold(BidsBot):
    '''Says its moves in words, with the position at hand.'''
    def decide(self, view):
        move = self.rng.choice(view.legal)
        return view.game.format_move_at(view, move)
"""


@pytest.fixture
def bold(tmp_path):
    (tmp_path / "bold.py").write_text(BOT, encoding="utf-8")
    return str(tmp_path / "bold.py")


# --- environments ---


@pytest.fixture
def gymnasium():
    pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")
    return pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")


def test_environments_one_by_one_and_many_at_once_have_the_same_masks(gymnasium):
    from gymnasium.utils import env_checker

    import pitboss.envs

    pitboss.envs.register()
    one = gymnasium.make("pitboss/Bids-v0", opponents="careful", seat=0)
    many = gymnasium.make_vec("pitboss/Bids-v0", num_envs=3, opponents="careful", seat=0)
    env_checker.check_env(one.unwrapped)
    (row, info), (rows, infos) = one.reset(seed=3), many.reset(seed=3)
    assert info["action_mask"].shape == (361,)
    assert info["action_mask"].sum() > 300
    over = False
    while not over:
        np.testing.assert_array_equal(row, rows[0])
        np.testing.assert_array_equal(info["action_mask"], infos["action_mask"][0])
        actions = [int(np.flatnonzero(mask)[len(mask) // 100]) for mask in infos["action_mask"]]
        row, reward, over, _, info = one.step(actions[0])
        rows, rewards, ends, _, infos = many.step(np.array(actions))
        assert (reward, over) == (rewards[0], ends[0])


def test_pettingzoo(gymnasium):
    checks = pytest.importorskip("pettingzoo.test", reason="PettingZoo is not installed: pip install pitboss[rl]")
    from pitboss.envs.aec import env

    checks.api_test(env("bids", 3), num_cycles=20)


def test_openspiel(gymnasium):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install pitboss[spiel]")
    from pitboss.envs import spiel

    game = spiel.load("bids", 2)
    assert game.num_distinct_actions() == 361
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


# --- tournaments ---


def test_a_bot_from_a_file_is_asked_in_its_sandbox(bold):
    """It plays the game that it plays inside, move by move and in the fast loop."""
    game = load("bids")
    lineup = [f"{bold}:Bold", "random", f"{bold}:Bold"]
    with Referee(game, Limits(start=120.0, decision=20.0)) as referee:
        seats = referee.seats(contestants(lineup, game, referee))
        runner = Runner(seats, faults=True)
        for deal in range(2):
            inside = play(game, lineup, seed=5, deal=deal)
            outside = play(game, [], seed=5, deal=deal, seats=seats)
            assert (outside.moves, outside.trail) == (inside.moves, inside.trail)
            runner.play(Key.from_seed(5), deal, 0, np.zeros((3, game.width)))
            assert (runner.moves, runner.faults) == (inside.moves, {})
            assert unpack(pack(runner.moves)) == inside.moves


def test_a_tournament_with_a_bot_from_a_file(bold, pitboss):
    names = f"random,careful,{bold}:Bold"
    made = ["--seats", 3, "--blocks", 2, "--seed", 1, "--workers", 1, "--store", "cup.db", "--json"]
    data = json.loads(pitboss("tournament", "run", "bids", "--bots", names, *made))
    assert data["finished"]
    assert all(row["faults"] == {} for row in data["standings"])


# --- trees, agents, the GPU ---


def test_a_small_version_is_a_tree():
    """Bids of one die: a set for each pair of dice, and each set of bids made so far."""
    tree = build(load("bids(most=1)"))
    assert tree.sets == 36 * 2**6
    assert {*tree.choice_move.tolist()} == {*range(7)}


def test_agents_learn_it(tmp_path):
    assert learn.train("ppo", "bids", tmp_path / "agent.npz", 1, steps=1000, games=30, tables=8)["steps"] >= 1000
    assert play("bids", [f"agent:{tmp_path / 'agent.npz'}", "random"], seed=1).verify()


SIMULATED = """
import numpy as np
from pitboss import load
from pitboss.core.keys import Key
from pitboss.core.registry import line_up
from pitboss.core.seating import seating
from pitboss.run.device import Gpu

game, key = load("bids"), Key.from_seed(4)
entrants = line_up("random,careful,random", game)
at = seating(entrants, game.view_dtype, game.rules_class.dtype())
rows, counts = np.zeros((3, 3, 3, game.width)), np.zeros(3, np.int64)
table = np.zeros(1, game.state_dtype), np.zeros(1, game.view_dtype), game.record
assert game.loops.play_blocks(table, at, key.words, (7, 3), rows, counts) == -1
there = Gpu(game, entrants, key, 3, None)
print((there.rows(7, 3) == rows).all(), rows[..., 4].max() > 62)
"""


@pytest.mark.interpreted
def test_a_kernel_plays_the_games_of_the_cpu():
    pytest.importorskip("numba_cuda")
    simulator = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, "-c", SIMULATED], env={**os.environ, **simulator}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "True"]


# --- the terminal ---


@pytest.fixture
def pitboss(monkeypatch, capsys, tmp_path):
    """Run a command, with what a person types; what it printed."""

    def run(*args, typed=""):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["pitboss", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            main()
        except SystemExit as leave:
            assert not leave.code, capsys.readouterr()
        return " ".join(capsys.readouterr().out.split())

    return run


def test_a_person_is_told_word_by_word(pitboss):
    typed = "bid\nbid 3\nbid 3 ?\nbid 99 1\nbid 3 7\nliar\nbid 3 5\nquit\n"
    out = pitboss("play", "bids", "--bots", "careful", "--seed", 1, "--record", "game.json", typed=typed)
    assert "What do you bid? (bid …) bid … 1 to 60 What" in out
    assert out.count("bid 3 … 1/1, 2/0, 3/1, 4/0, 5/0, 6/0 What") == 3
    assert "bid 99 1/1 is not possible now; you may: bid … 1 to 60 What" in out
    assert "'bid 3 7' is not a move; you may: bid 3 … 1/1, 2/0" in out
    assert "liar is not possible now; you may: bid … What" in out
    assert "human: bid 3 5" in out
    assert "verified" in pitboss("replay", "game.json", "--verify", "--json")


def test_the_tab_key_completes_words():
    readline = pytest.importorskip("readline")
    from pitboss.cli.completion import WordTree

    before = readline.get_completer()
    with WordTree(["liar", "bid 1 5", "bid 1 6", "bid 12 1"]).completed():
        complete = readline.get_completer()
        readline.insert_text("")
        assert [complete("", state) for state in range(3)] == ["liar ", "bid ", None]
        assert [complete("B", state) for state in range(2)] == ["bid ", None]
    assert readline.get_completer() == before

"""`tree`: legal everywhere, the same every time, and sees what `rollout` cannot."""

import json
import os
import subprocess
import sys

import pytest

from pitboss import bot, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.games.flip7.bots.rollout import PLAYOUTS
from tests.games.flip7.test_rollout import at_the_table, decide

SCRIPT = """
import json
from pitboss import simulate

out = []
for name, seats in {"tournament": 2, "simulation": 3, "solo": 1}.items():
    result = simulate(f"flip7:{name}(target=30)", ["tree-40", "adaptive", "ev"][:seats], games=2 * seats, seed=5)
    out.append([result.sums.columns.tolist(), result.decisions])
print(json.dumps(out))
"""


@pytest.mark.parametrize(
    ("words", "totals", "move"),
    [
        ("12 5 stay", (190, 150), "hit"),  # the other has won if this seat stays
        ("12 5 stay", (100, 197), "stay"),  # wins, with 5 points in hand
        ("12 5 hit 10 stay", (180, 150), "stay"),  # wins
        ("12 5 hit fz", (195, 190), "@1"),  # holds the other below
    ],
)
def test_what_wins_and_what_loses(words, totals, move):
    assert decide("tree-64", at_the_table(words, totals)) == move


def test_it_looks_two_moves_ahead():
    """The other holds 207 points, 11 of them in hand, this seat 201 with 31, and it has a Freeze to give. The other, if
    frozen, has won unless this seat draws on. By habit it would not, so `rollout` freezes itself, and hopes that the
    other draws on by habit and busts. But whoever is ahead stays."""
    position = at_the_table("12 10 hit 11 hit 0 hit 8 hit 1 hit fz", (170, 196))
    assert decide("rollout-400", position) == "@0"
    assert decide("tree-400", position) == "@1"


def test_a_save_is_accepted():
    position = at_the_table("12 5 hit sc @0 hit 7 hit 12", (0, 0), "flip7:tournament")
    assert decide("tree-64", position) == "yes"


def test_it_plays_every_preset(preset):
    """The loop refuses illegal moves."""
    seats = 1 if preset == "solo" else 3
    result = simulate(f"flip7:{preset}(target=60)", ["tree-40"] * seats, games=30, seed=1)
    assert (result.games, result.cut) == (30, 0)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_it_plays_at_every_table(seats):
    assert simulate("flip7:official", ["tree-40"] * seats, games=2 * seats, seed=1).games == 2 * seats


@pytest.mark.parametrize("spec", ["flip7:official(target=20)", "flip7:tournament(target=20)"])
def test_it_sits_at_full_tables(spec):
    """With fewer playouts than moves, too."""
    bots = ["tree-4", "tree-100", *["random"] * 16]
    assert simulate(spec, bots, games=18, seed=1).games == 18
    assert simulate(spec.replace(")", ", copies=2)"), bots * 2, games=36, seed=1).games == 36


@pytest.mark.parametrize("spec", ["flip7:official", "flip7:numbers"])
def test_threads_change_nothing(spec):
    one, two = (simulate(spec, ["tree-40", "ev+freeze-leader"], games=300, seed=3, threads=n) for n in (1, 2))
    assert one.sums.columns.tolist() == two.sums.columns.tolist()
    assert one.decisions == two.decisions


def test_interpreted_and_compiled_play_the_same_games():
    def run(**more):
        env = {**os.environ, **more}
        done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    compiled = run()  # leaves its tables on disk, which take long without machine code
    assert run(NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error") == compiled


def test_it_is_better_than_ev():
    share = simulate("flip7:official", ["tree-64", "ev"], games=2000, seed=Key.from_seed(1)).win_share(0)
    assert share.low is not None
    assert share.low > 1 / 2


def test_alone_it_needs_hardly_more_rounds_than_race():
    """`race` plays the round exactly."""
    rounds = {}
    for name in ("tree-64", "adaptive", "race"):
        result = simulate("flip7:solo", [name], games=2000, seed=Key.from_seed(1))
        rounds[name] = result.sums.figure(next(f for f in result.game.figures if f.name == "rounds_per_game"), 0).mean
    assert rounds["tree-64"] < rounds["adaptive"] - 0.1
    assert abs(rounds["tree-64"] - rounds["race"]) < 0.2


def test_how_it_is_written():
    assert bot("tree-50", "flip7").params[0] == 50
    assert bot("tree", "flip7").params.tolist() == bot(f"tree-{PLAYOUTS}", "flip7").params.tolist()
    for text, problem in [
        ("tree-1", "a whole number from 2 to 100000 after a dash, such as tree-200"),
        ("tree(playouts=3)", "takes a number of playouts, such as tree-200"),
        ("tree+freeze-leader", "chooses its targets itself"),
    ]:
        with pytest.raises(BotError, match=problem):
            bot(text, "flip7")

"""`rollout`: legal everywhere, the same every time, better than the habit that it searches with."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from pitboss import bot, load, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.play import Seats
from pitboss.core.playouts import best_of, drop_worse
from pitboss.games.flip7.bots.rollout import PLAYOUTS

SCRIPT = """
import json
import numpy as np
from pitboss import load, simulate
from pitboss.games.flip7.bots.playout import sample_rounds

out = []
for name, seats in {"tournament": 2, "simulation": 3, "solo": 1}.items():
    spec = f"flip7:{name}(target=30)"
    result = simulate(spec, ["rollout-12", "adaptive", "ev"][:seats], games=2 * seats, seed=5)
    points = np.zeros((20, seats), np.int64)
    sample_rounds(load(spec).record, seats, points)
    out.append([result.sums.columns.tolist(), result.decisions, points.tolist()])
print(json.dumps(out))
"""


def at_the_table(words, totals, spec="flip7:official"):
    """Cards and moves from the start of a game in which these totals have been reached."""
    position = load(spec).start(len(totals))
    position.states["total"][0, : len(totals)] = totals
    for word in words.split():
        position.apply(word)
    return position


def decide(name, position):
    seats = Seats(position.game, [bot(name, position.game)] * position.seats)
    seats.start(Key.from_seed(0), 0, 0)
    return position.game.format_move(seats.decide(position, position.to_act))


@pytest.mark.parametrize(
    ("words", "totals", "move"),
    [
        ("12 5 stay", (190, 150), "hit"),  # the other has won if this seat stays
        ("12 11 stay hit 10 hit 9", (195, 170), "hit"),  # the same, with 30 points in hand
        ("12 5 stay", (100, 197), "stay"),  # wins, with 5 points in hand
        ("12 5 hit 10 stay", (180, 150), "stay"),  # wins
        ("12 5 hit fz", (195, 190), "@1"),  # holds the other below
    ],
)
def test_what_wins_and_what_loses(words, totals, move):
    position = at_the_table(words, totals)
    assert decide("rollout-64", position) == move


def test_a_save_is_accepted():
    position = at_the_table("12 5 hit sc @0 hit 7 hit 12", (0, 0), "flip7:tournament")
    assert decide("rollout-64", position) == "yes"


def test_only_clearly_worse_moves_are_dropped():
    """Three moves by their values in 40 playouts: the last is the best, the first close, the second far behind."""
    wave = np.sin(np.arange(40.0))
    values = np.array([wave, wave / 2 - 1, 0.1 - wave])
    moves = np.array([7, 5, 6])
    assert best_of(values, 3, 40) == 2
    assert drop_worse(moves, values, 3, 40) == 2
    assert moves[:2].tolist() == [7, 6]
    assert values[:2].tolist() == [wave.tolist(), (0.1 - wave).tolist()]
    assert drop_worse(moves, values, 2, 40) == 2


def test_the_best_stays_the_measure_when_it_moves_up():
    """The best of four is second; the first is dropped, and the others are compared with the best all the same."""
    wave = np.sin(np.arange(40.0))
    values = np.array([wave - 9, wave + 1, wave + 0.9, 1 - wave])
    moves = np.array([4, 5, 6, 7])
    assert drop_worse(moves, values, 4, 40) == 2
    assert moves[:2].tolist() == [5, 7]


def test_it_plays_every_preset(preset):
    """The loop refuses illegal moves."""
    seats = 1 if preset == "solo" else 3
    result = simulate(f"flip7:{preset}(target=60)", ["rollout-8"] * seats, games=30, seed=1)
    assert (result.games, result.cut) == (30, 0)


@pytest.mark.parametrize("spec", ["flip7:official(target=20)", "flip7:tournament(target=20)"])
def test_it_sits_at_full_tables(spec):
    bots = ["rollout-4", *["random"] * 17]
    assert simulate(spec, bots, games=18, seed=1).games == 18
    assert simulate(spec.replace(")", ", copies=2)"), bots * 2, games=36, seed=1).games == 36


@pytest.mark.parametrize("spec", ["flip7:official", "flip7:tournament", "flip7:numbers"])
def test_threads_change_nothing(spec):
    one, two = (simulate(spec, ["rollout-16", "ev+freeze-leader"], games=600, seed=3, threads=n) for n in (1, 2))
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


@pytest.mark.parametrize(("spec", "seats"), [("flip7:official", 2), ("flip7:official", 4), ("flip7:numbers", 2)])
def test_it_is_better_than_its_own_habit(spec, seats):
    result = simulate(
        spec, ["rollout-64", *["adaptive+freeze-leader"] * (seats - 1)], games=2000, seed=Key.from_seed(1)
    )
    share = result.win_share(0)
    assert share.low is not None
    assert share.low > 1 / seats


def test_alone_it_needs_fewer_rounds_than_its_habit_and_hardly_more_than_race():
    rounds = {}
    for name in ("rollout-64", "adaptive", "race"):
        result = simulate("flip7:solo", [name], games=2000, seed=Key.from_seed(1))
        rounds[name] = result.sums.figure(next(f for f in result.game.figures if f.name == "rounds_per_game"), 0).mean
    assert rounds["rollout-64"] < rounds["adaptive"] - 0.1
    assert abs(rounds["rollout-64"] - rounds["race"]) < 0.2


def test_how_it_is_written():
    assert bot("rollout-50", "flip7").params[0] == 50
    with pytest.warns(FutureWarning, match="called rollout-50 now"):
        assert bot("mcts-50", "flip7").function is bot("rollout-50", "flip7").function  # its former name
    assert bot("rollout", "flip7").params.tolist() == bot(f"rollout-{PLAYOUTS}", "flip7").params.tolist()
    for text, problem in [
        ("rollout-1", "a whole number from 2 to 100000 after a dash, such as rollout-200"),
        ("rollout-2.5", "a whole number"),
        ("rollout(playouts=3)", "takes a number of playouts, such as rollout-200"),
        ("rollout+freeze-leader", "chooses its targets itself"),
    ]:
        with pytest.raises(BotError, match=problem):
            bot(text, "flip7")

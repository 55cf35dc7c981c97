"""A game of more moves than one integer has bits is played, written down and checked like any other."""

import os
import subprocess
import sys

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.core import contract
from pitboss.core.bot import Bot
from pitboss.core.errors import IllegalMove, PitbossError
from pitboss.core.keys import Key
from pitboss.core.legal import moves_of
from pitboss.core.play import Runner, Seats, play
from pitboss.core.record import Record
from pitboss.core.registry import line_up

pytestmark = pytest.mark.usefixtures("bids")


def bidding(*dice):
    position = load("bids").start(len(dice) // 2)
    for die in dice:
        position.apply(die)
    return position


def test_it_keeps_the_contract():
    game = load("bids")
    contract.verify(type(game), "bids")
    assert contract.check(game, 3, seed=1, games=2)["decisions"] > 4


def test_there_are_4096_moves_at_most():
    kind = type(load("bids"))
    crowded = type("Crowded", (kind,), {"step": kind.step._replace(moves=4097)})
    with pytest.raises(PitbossError, match="its step has 4097 moves; from 1 to 4,096 are possible"):
        contract.verify(crowded, "bids")


def test_its_legal_moves_are_one_integer():
    position = bidding("1", "2", "3", "4")
    assert len(position.legal) == 360
    position.apply("bid 59 6")
    assert [*position.legal] == [0, *range(355, 361)]
    assert "liar" in position.legal
    assert "bid 60 1" in position.legal
    assert "bid 59 5" not in position.legal
    assert "bid 61 1" not in position.legal
    view = position.view(1)
    assert view.legal == [*position.legal]
    assert moves_of(position.game.legal_bits(view.raw)) == view.legal


def test_moves_are_read_with_the_position_at_hand():
    position = bidding("1", "2", "3", "4")
    assert str(position.legal).startswith("bid 1 1/1, bid 1 2/1, bid 1 3/0")
    assert str(position.legal).endswith("… and 340 others")
    position.apply("bid 2 3/0")
    with pytest.raises(IllegalMove, match=r"bid 1 1/0 is not legal for seat 1 now; legal: liar, bid 2 4/1, bid"):
        position.apply("bid 1 1")


def shares(bots, **how):
    result = simulate("bids", bots, games=300, seed=5, **how)
    return [result.win_share(i).mean for i in range(len(bots))]


def test_threads_and_python_bots_change_nothing():
    """A Python bot that chooses at random makes the choices of the compiled one."""

    class Same(load("bids").python_bot()):
        def decide(self, view):
            return self.rng.choice(view.legal)

    one = shares(["random", "careful", "random"], threads=1)
    assert one == shares(["random", "careful", "random"], threads=2) == shares([Same, "careful", "random"], threads=1)
    assert one[1] > one[0]


INTERPRETED = """
from pitboss import simulate
print(simulate("bids", ["random", "careful"], 30, 1))
"""


def test_interpreted_it_is_the_same():
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", INTERPRETED], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(simulate("bids", ["random", "careful"], 30, 1))


def test_a_record_reads_back():
    record = play("bids", ["careful", "careful", "random"], seed=1)
    assert record.verify() > 6
    line = record.to_line()
    assert "|bid~" in line
    assert Record.from_line(line) == record == Record.from_dict(record.to_dict())


def test_the_fast_loop_logs_large_moves():
    class High(Bot):
        def decide(self, view):
            return view.legal[-1]

    game = load("bids")
    runner = Runner(Seats(game, line_up([High, "random"], game)))
    runner.play(Key.from_seed(1), 0, 0, np.zeros((2, game.width)))
    assert runner.moves == [360, 0]

"""A search for the best values of a bot's parameters."""

import json
import os
import signal

import numpy as np
import pytest

from pitboss.core.errors import PitbossError
from pitboss.stats.ratings.sequential import interval_at_any_time
from pitboss.tournament.tune import TuneSettings, Vary, named, tune

BOT = """
from pitboss.flip7 import HIT, STAY, Flip7Bot

class Mine(Flip7Bot):
    def __init__(self, limit=20, name="x"):
        self.limit = limit

    def hit_or_stay(self, view):
        return HIT if view.points < self.limit else STAY
"""
FEW = TuneSettings(["ev"], games=6000, seed=1)


def test_games_go_to_values_that_may_be_the_best():
    found = tune("stay", ["n=10..40:5"], "flip7:tournament", FEW)
    by_value = {one.values["n"]: one for one in found.tried}
    assert found.best.values["n"] in (25, 30)
    assert not by_value[10].left
    assert by_value[10].blocks < found.best.blocks / 5
    assert found.games <= 6000
    assert found.games == 2 * sum(one.blocks for one in found.tried)
    assert all(one.interval[0] <= one.share <= one.interval[1] for one in found.tried)
    assert json.loads(json.dumps(found.to_dict()))["best"]["bot"] == found.best.bot
    assert tune("stay", ["n=10..40:5"], "flip7:tournament", FEW).tried == found.tried, "the same seed, the same search"


def test_a_bot_of_a_file_plays_in_its_sandbox_whoever_works(tmp_path):
    (tmp_path / "mine.py").write_text(BOT)
    text = f"{tmp_path}/mine.py:Mine(name=y)"
    few = TuneSettings(["ev"], games=150, seed=1, workers=1)
    alone = tune(text, ["limit=5..25:10"], "flip7:tournament(target=60)", few)
    assert [one.values["limit"] for one in alone.tried] == [5, 15, 25]
    assert alone.tried[0].bot == f"{tmp_path}/mine.py:Mine(name=y, limit=5)"
    assert alone.best.values["limit"] > 5
    many = TuneSettings(["ev"], games=150, seed=1, workers=2)
    assert tune(text, ["limit=5..25:10"], "flip7:tournament(target=60)", many).tried == alone.tried
    with pytest.raises(PitbossError, match="unexpected keyword argument 'risk'"):
        tune(text, ["risk=1..2"], "flip7:tournament(target=60)", few)


def test_another_game_and_more_seats():
    found = tune("show", ["n=4..8:2"], "show:fair", TuneSettings(games=600, seed=1))
    assert len(found.tried) == 3
    four = tune("stay", ["n=10..20:10"], "flip7:official", TuneSettings(["ev", "random"], seats=4, games=800, seed=1))
    assert four.against == ("ev", "random", "ev")
    assert four.best.bot == "stay-20"


def test_ctrl_c_leaves_the_best_so_far():
    def press(done, most):
        os.kill(os.getpid(), signal.SIGINT)

    found = tune("stay", ["n=24..25"], "flip7:tournament", TuneSettings(["ev"], games=10**6, seed=1), _once(press))
    assert found.interrupted
    assert found.best.blocks == 10


def _once(tell):
    told = []

    def first(done, most):
        if not told:
            told.append(tell(done, most))

    return first


def test_equal_values_are_rarely_told_apart():
    """Three copies of one bot differ only by the luck of their names: none is dropped in 19 of 20 searches."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(200):
        shares = rng.integers(0, 3, (3, 150)) / 2
        ends = [interval_at_any_time((shares[i] - shares[j]).tolist(), 0.05 / 3) for i, j in ((0, 1), (0, 2), (1, 2))]
        wrong += any(low > 0 or high < 0 for low, high in ends)
    assert wrong <= 10


@pytest.mark.parametrize(
    ("vary", "sentence"),
    [
        (["limit"], "names no values to try; write it as"),
        (["n=5..3"], "the second number must be larger"),
        (["n=0..1:0.001"], "larger steps"),
        (["n=1..2", "n=1..2"], "different parameters"),
        ([], "give one to six"),
    ],
)
def test_what_cannot_be_tried_is_refused(vary, sentence):
    with pytest.raises(PitbossError, match=sentence):
        named("stay", vary)


def test_values_are_read():
    assert Vary.parse("limit=0.15..0.40:0.05").values == ("0.15", "0.2", "0.25", "0.3", "0.35", "0.4")
    assert len(Vary.parse("limit=0.15..0.40").values) == 13
    assert len(Vary.parse("n=0..1000").values) == 40
    assert Vary.parse("n=-3..-1").values == ("-3", "-2", "-1")
    assert list(named("cards", ["n=3..4"])) == ["cards-3", "cards-4"]
    with pytest.raises(PitbossError, match="needs opponents"):
        tune("stay", ["n=10..20"], "flip7:solo")

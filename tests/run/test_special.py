"""The loop that is made for one table plays the games of the loop that serves all."""

import numpy as np
import pytest

from pitboss import load
from pitboss.core.errors import BotError
from pitboss.core.keys import Key, draw, word
from pitboss.core.machine import INTERPRETED
from pitboss.core.registry import line_up
from pitboss.core.vector_draw import drawer
from pitboss.run import special
from pitboss.run.work import CompiledJob, Work

KEY, FULL_KEY = Key.from_seed(11, quick=True), Key.from_seed(11)

WRONG = """
from pitboss.core.bot import compiled_bot

@compiled_bot
def wrong(v, r, seat, params, luck):
    return 7
"""

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a loop of its own is machine code")


def both(monkeypatch, spec, bots, rotations, key=KEY):
    """A job that plays in the general loop, and one that does not."""
    monkeypatch.setattr(special, "WORTH_GAMES", special.LOADED_GAMES)
    game = load(spec)
    entrants = line_up(bots, game)
    jobs = [CompiledJob(game, entrants, key, rotations, games) for games in (0, special.LOADED_GAMES)]
    for job in jobs:
        job.warm_up()
    return jobs


@pytest.mark.parametrize(
    ("spec", "bots", "rotations"),
    [
        ("flip7:numbers", "stay-20,ev", 2),
        ("flip7:official", "stay-25,ev,bust-0.25,random", 4),
        ("flip7:tournament", "cards-4(all=true)+freeze-leader,random,stay-25+freeze-risky", 3),
        ("flip7:simulation", "ev,random", 1),
        ("flip7:solo", "bust-0.25", 1),
        ("flip7:official(copies=2)", "stay-25,ev,random,stay-30,random,cards-4,stay-20,random,ev,random", 10),
        ("flip7:official(target=100000,max_rounds=5,copies=2)", "always-hit,random", 2),
        ("show:classic", "show-6,random", 2),
        ("vengeance:brutal", "stay-25,random,bust-0.25+random-targets", 3),
    ],
)
def test_the_same_games(monkeypatch, spec, bots, rotations):
    key = FULL_KEY if spec == "flip7:simulation" else KEY
    general, own = both(monkeypatch, spec, bots, rotations, key)
    assert own._special
    assert not general._special
    for first, count in ((0, 300), (70_000, 40)):
        for a, b in zip(general.rows(first, count), own.rows(first, count), strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_short_run_compiles_nothing():
    game = load("flip7:official(target=187)")  # a table that nobody else has compiled a loop for
    entrants = line_up("stay-20,stay-30", game)
    assert special.special_loop(game, entrants, KEY, special.LOADED_GAMES) is None
    assert special.special_loop(game, entrants, KEY, special.WORTH_GAMES - 1) is None


def test_bots_that_need_a_record_play_in_the_general_loop(monkeypatch):
    _, job = both(monkeypatch, "flip7:numbers", "rollout,ev", 2)
    assert not job._special
    assert job.rows(0, 1)[1][0] > 0


def test_untrusted_bots_play_in_the_general_loop(monkeypatch, tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    work = Work(load("flip7:numbers"), tuple(line_up([f"{file}:wrong", "ev"], load("flip7:numbers"))), KEY, 2)
    with pytest.raises(BotError, match="illegal move"):
        work.open()
    assert special.special_loop(work.game, work.entrants, KEY, special.WORTH_GAMES) is None


@pytest.mark.parametrize("spec", ["flip7:official", "flip7:official(copies=2)", "show:classic", "vengeance"])
@pytest.mark.parametrize("smaller", [False, True])
def test_cards_are_drawn_alike(spec, smaller):
    game = load(spec)
    dtype = game.compact(2) if smaller else game.state_dtype
    states = special.resized(game.start(2).states, dtype)
    left, fast, of = states[0]["left"], drawer(dtype), FULL_KEY.stream(0)
    n = 0
    while left.sum() > 0:
        bits = np.uint64(word(of, np.uint64(n)))
        card = draw(left, int(left.sum()), bits)
        assert fast(left, int(left.sum()), bits) == card
        left[card] -= 1
        n += 1


def test_machine_code_is_kept_apart_from_that_of_another_lowering(monkeypatch):
    """What `packed` tells LLVM is no part of any function's fingerprint."""
    game = load("flip7:numbers")
    bots = special.bot_set(line_up(["stay-25", "stay-20"], game))
    monkeypatch.setattr(special, "lowered_by", lambda: "as it was")
    before = special.SpecialLoop(game, bots, 2, KEY.way)
    monkeypatch.setattr(special, "lowered_by", lambda: "as it is")
    after = special.SpecialLoop(game, bots, 2, KEY.way)
    names = [loop._play._cache._titled(loop._signature) for loop in (before, after)]
    assert names[0] != names[1]

"""The small record for devices: the rule book plays the same games on it."""

import numpy as np
import pytest

from pitboss import load
from pitboss.core.keys import Key
from pitboss.core.loop import loops
from pitboss.core.registry import line_up
from pitboss.core.seating import seating
from pitboss.core.step import FINE
from pitboss.games.flip7.state import STATE


@pytest.mark.parametrize(
    "spec", ["numbers", "official", "tournament(copies=2)", "solo", "official(target=100000,max_rounds=100000)"]
)
def test_it_has_the_fields_of_the_state_and_is_small(spec):
    game = load(f"flip7:{spec}")
    seats = game.rules.seats[-1]
    small = game.compact(seats)
    assert set(small.names) == set(STATE.names)
    (kinds,) = STATE["left"].shape
    assert small["left"].shape == (kinds + -kinds % 4,)  # whole words, of which a GPU draws; it is walked to its end
    for name in STATE.names:
        assert len(small[name].shape) == len(STATE[name].shape)
        assert small[name].base.itemsize <= STATE[name].base.itemsize
    assert 5 * game.compact(4).itemsize < STATE.itemsize


def test_the_same_games_are_played_on_it():
    """Compiled, with every action card, many games long enough to overflow what is too small."""
    game, key = load("flip7:official(target=3000,copies=2)"), Key.from_seed(2)
    entrants = line_up("always-hit+freeze-leader,ev,random,stay-30", game)
    rules, words, found = game.rules_class.dtype(), key.words, []
    for dtype in (STATE, game.compact(4)):
        rows, counts = np.zeros((100, 4, 4, game.width)), np.zeros(3, np.int64)
        play = loops(game.step, dtype, dtype, rules).play_blocks
        at = seating(entrants, dtype, rules)
        table = np.zeros(1, dtype), np.zeros(1, dtype), game.record
        assert play(table, at, words, (0, 4), rows, counts) == FINE
        found.append((rows, counts))
    assert (found[0][0] == found[1][0]).all()
    assert (found[0][1] == found[1][1]).all()
    assert found[0][1][1] > 400_000  # cards

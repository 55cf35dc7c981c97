"""The small record of Vengeance: the rule book plays the same games on it."""

import numpy as np
import pytest

from pitboss import load
from pitboss.core.keys import Key
from pitboss.core.loop import loops
from pitboss.core.registry import line_up
from pitboss.core.seating import seating
from pitboss.core.step import FINE
from pitboss.games.vengeance.state import LAYOUT


@pytest.mark.parametrize("spec", ["standard", "brutal(copies=2)", "numbers", "solo", "standard(max_rounds=100000)"])
def test_it_has_the_fields_of_the_state_and_is_small(spec):
    game, whole = load(f"vengeance:{spec}"), LAYOUT.dtype
    small = game.compact(game.rules.seats[-1])
    assert set(small.names) == set(whole.names)
    assert small["left"].shape == whole["left"].shape  # it is walked to its end
    for name in whole.names:
        assert len(small[name].shape) == len(whole[name].shape)
        assert small[name].base.itemsize <= whole[name].base.itemsize
    assert 8 * game.compact(4).itemsize < whole.itemsize


def test_the_same_games_are_played_on_it():
    """Compiled, with all cards of two decks, scores below 0, and games long enough to overflow what is too small."""
    game, key = load("vengeance:brutal(target=3000,copies=2)"), Key.from_seed(2)
    entrants = line_up("always-hit,bust-0.2,random,stay-30+random-targets", game)
    rules, words, found = game.rules_class.dtype(), key.words, []
    for dtype in (LAYOUT.dtype, game.compact(4)):
        rows, counts = np.zeros((60, 4, 4, game.width)), np.zeros(3, np.int64)
        play = loops(game.step, dtype, dtype, rules).play_blocks
        table = np.zeros(1, dtype), np.zeros(1, dtype), game.record
        assert play(table, seating(entrants, dtype, rules), words, (0, 4), rows, counts) == FINE
        found.append((rows, counts))
    assert (found[0][0] == found[1][0]).all()
    assert (found[0][1] == found[1][1]).all()
    assert found[0][1][1] > 100_000  # cards

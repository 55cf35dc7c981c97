"""No observation and no mask changes when what the seat cannot see is dealt anew."""

import random

import numpy as np
import pytest

from pitboss import load
from pitboss.core.step import DEALER

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")
pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")

from pitboss.envs.observation import SeatObserver


def compare(spec, observation, peep=lambda position, seat, row: row):
    """How many other worlds were looked at; every seat must see the same in them."""
    game, rng, others = load(spec), random.Random(1), 0
    look = SeatObserver(game, 2, observation, None, None)
    for _ in range(6):
        position = game.start(2)
        while not position.over:
            for seat in range(2):
                world = game.imagine(position.view(seat), rng.getrandbits(64))
                (row, mask, _, _), (same, masked, _, _) = look(position, seat), look(world, seat)
                np.testing.assert_array_equal(peep(position, seat, row), peep(world, seat, same))
                if position.to_act != DEALER:
                    np.testing.assert_array_equal(mask, masked)
                others += bool(world.states != position.states)
            position.apply(rng.choice(list(position.legal)))
    return others


@pytest.mark.parametrize("observation", ["features", "tensor", "rich"])
@pytest.mark.parametrize("spec", ["show:full", "show:classic(deck=* * A A 3 3 10 J)"])
def test_observations_and_masks_keep_secrets(spec, observation):
    assert compare(spec, observation) > 50


def test_a_leak_would_be_noticed():
    def blab(position, seat, row):
        return [*row, position.states["hand"][0][1 - seat][0]]

    with pytest.raises(AssertionError):
        compare("show:full", "features", blab)

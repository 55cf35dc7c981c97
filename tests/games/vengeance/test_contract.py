"""What pitboss takes for granted about any game, at every kind of table."""

import pytest

from pitboss import load
from pitboss.core.contract import check


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("preset", ["standard", "brutal", "quick", "numbers"])
def test_everything_fits_together(preset, seats):
    seen = check(load(f"vengeance:{preset}(target=100)"), seats, seed=seats, games=3)
    assert seen["games"] == 3


def test_the_smallest_and_the_largest_table():
    assert check(load("vengeance:solo"), 1, seed=1, games=2)["games"] == 2
    assert check(load("vengeance:standard(copies=2, target=40)"), 36, seed=1, games=1)["games"] == 1

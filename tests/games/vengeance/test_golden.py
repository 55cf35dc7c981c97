"""The same seeds give the same games, in the same words, until somebody changes a rule on purpose."""

from tests.games.vengeance.make_golden import PLACE, lines


def test_games_are_as_they_were():
    """If a rule has changed on purpose: `python -m tests.games.vengeance.make_golden`, and look at the difference."""
    assert lines() == PLACE.read_text().splitlines()

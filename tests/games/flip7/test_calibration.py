"""Chances to win that come true: what advice tells, beside what strong bots win with it."""

from itertools import pairwise

import numpy as np
import pytest

from pitboss import load
from pitboss.games.flip7.calibration import (
    KNOTS,
    TOLD,
    WITH_ACTIONS,
    WITHOUT,
    corrected,
    crossed,
    line,
    put_right,
    sample,
    tenths,
)

GAME = load("flip7:official")
GAMES = 150


@pytest.fixture(scope="module")
def decisions():
    """Some of the decisions of games that no line was made from, at four seats."""
    return sample(GAME, 4, GAMES, 987)


def test_what_is_told_is_won(decisions):
    """In every tenth, within two points and what luck explains in so few games: four standard errors."""
    found = tenths(decisions, put_right(decisions[:, TOLD], GAME, 4))
    assert sum(tenth.decisions for tenth in found) == len(decisions) > 5 * GAMES
    for tenth in found:
        if tenth.decisions > 20:
            assert abs(tenth.told - tenth.won) < 0.02 + 4 * tenth.error


def test_the_model_alone_promises_too_much_to_who_is_ahead(decisions):
    """So the lines matter: without them the same games lie further from what is told, by more than luck."""
    told = decisions[:, TOLD]
    ahead = decisions[told > 0.45]
    off = tenths(ahead, np.full(len(ahead), 0.5))[0]
    assert off.won + 3 * off.error < ahead[:, TOLD].mean()


@pytest.mark.parametrize("lines", [WITH_ACTIONS, WITHOUT])
def test_more_by_the_model_is_always_more(lines):
    assert set(lines) == set(range(2, 7))
    for each in lines.values():
        assert len(each) == len(KNOTS)
        assert all(low < high for low, high in pairwise(each))
        assert 0 <= each[0] < each[-1] <= 1000


def test_a_line_finds_what_was_won():
    """Games that are won half as often as the model says, and a bit more."""
    rng = np.random.default_rng(1)
    told = rng.random(100_000)
    won = rng.random(len(told)) < 0.1 + told / 2
    found = np.array(line(np.stack([told, won, np.arange(len(told))], axis=1))) / 1000
    np.testing.assert_allclose(found, 0.1 + np.array(KNOTS) / 2, atol=0.03)


def test_lines_are_compared_with_games_that_they_were_not_made_from():
    """Games that were won anyhow: a line that had seen them would tell some of their luck."""
    rng = np.random.default_rng(2)
    games = np.arange(2000)
    decisions = np.stack([rng.random(len(games)), (games % 10 < 5) * 1.0, games], axis=1)
    told = crossed(decisions)
    for fold in range(10):
        won_by_others = (4 if fold < 5 else 5) / 9
        assert told[games % 10 == fold].mean() == pytest.approx(won_by_others, abs=0.02)


def test_a_decided_game_is_not_put_right():
    position = load("flip7:numbers(target=20)").start(2)
    for entry in ("12", "3", "hit", "9"):
        position.apply(entry)
    assert corrected(1.0, position.view(0)) < 1  # the other can still draw
    position.apply("stay")
    assert corrected(1.0, position.view(0)) == 1

"""Moves on trial, and what totals are worth, for bots of any game."""

import numpy as np
import pytest

from pitboss import load
from pitboss.core.playouts import best_of, drop_worse
from pitboss.core.standing import table_of, worth

WAVE = np.sin(np.arange(40.0))
SCORES = np.zeros(41)
SCORES[[0, 7, 15, 22, 40]] = 0.3, 0.1, 0.25, 0.25, 0.1
TABLE = table_of(SCORES, 200)


def test_only_clearly_worse_moves_are_dropped():
    """The last of three is the best, the first close, the second far behind."""
    values, moves = np.array([WAVE, WAVE / 2 - 1, 0.1 - WAVE]), np.array([7, 5, 6])
    assert best_of(values, 3, 40) == 2
    assert drop_worse(moves, values, 3, 40) == 2
    assert moves[:2].tolist() == [7, 6]
    assert values[:2].tolist() == [WAVE.tolist(), (0.1 - WAVE).tolist()]


def test_the_best_stays_the_measure_when_it_moves_up():
    values, moves = np.array([WAVE - 9, WAVE + 1, WAVE + 0.9, 1 - WAVE]), np.array([4, 5, 6, 7])
    assert drop_worse(moves, values, 4, 40) == 2
    assert moves[:2].tolist() == [5, 7]


def chances(*totals):
    """Chances to win of all seats between two rounds."""
    s = load("vengeance").start(len(totals)).states
    s["total"][0, : len(totals)] = totals
    return [worth(s[0], 200, seat, TABLE) for seat in range(len(totals))]


def by_lot(totals, games):
    """How often each seat wins if all scores are drawn from SCORES; ties share."""
    scores = np.random.default_rng(1).choice(41, size=(games, 80, len(totals)), p=SCORES)
    after = np.array(totals) + scores.cumsum(axis=1)
    final = after[np.arange(games), (after.max(axis=2) >= 200).argmax(axis=1)]
    best = final == final.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)


@pytest.mark.parametrize("totals", [(150, 100), (60, 120, 180), (100, 100, 110, 150)])
def test_chances_are_those_of_the_model(totals):
    """Within luck, and a percent for the steps in which points beyond the target are counted."""
    for ours, drawn in zip(chances(*totals), by_lot(totals, 4000), strict=True):
        assert ours == pytest.approx(drawn, abs=0.01 + 4 * (drawn * (1 - drawn) / 4000) ** 0.5)


def test_who_is_tied_at_the_target_plays_on():
    tied = chances(203, 203, 150)
    assert tied[0] == tied[1] == pytest.approx(0.5, abs=0.01)

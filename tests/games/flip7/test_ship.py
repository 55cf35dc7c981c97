"""The tables that come with pitboss: nobody waits for them, and they are what would be worked out."""

import numpy as np
import pytest

from pitboss.games.flip7.solver import duel, race
from pitboss.games.flip7.solver.oracle import begin
from pitboss.games.flip7.solver.ship import BOOKS, books


@pytest.fixture(autouse=True)
def nothing_is_worked_out(monkeypatch):
    monkeypatch.setattr(duel, "found", None)
    monkeypatch.setattr(race, "found", None)


@pytest.mark.parametrize("game", books(), ids=BOOKS)
def test_duels(game):
    """Solved anew, pairs drawn by lot come out as the table says."""
    found = duel.duel(game)
    assert found.wins.shape == (200, 200)
    np.testing.assert_allclose(found.wins + found.wins.T, 1)
    table = begin(found.game).table
    for a, b in np.random.default_rng(1).integers(200, size=(12, 2)):
        chances = duel.DuelChances(found.wins.copy(), duel.EVEN)
        duel.solve_pair(table, chances, a, b, duel.for_points(table), duel.for_points(table))
        assert chances.wins[a, b] == pytest.approx(found.wins[a, b], abs=2 * found.gap)


@pytest.mark.parametrize("game", books(), ids=BOOKS)
def test_races(game):
    """Every total is what its equation says, given those above it; some are looked at."""
    found = race.race(race.without_targets(game))
    assert len(found.rounds) == 201
    assert found.rounds[200] == 0
    for total in (199, 180, 77, 0):
        again = found.rounds.copy()
        again[: total + 1] = np.nan
        assert race._equation(begin(found.game), again, total) == pytest.approx(found.rounds[total], abs=1e-9)

"""What totals are worth, against the same model played out by lot."""

import numpy as np
import pytest

from pitboss import load
from pitboss.core.standing import MOST_NEED, table_of, worth
from pitboss.games.flip7.bots import standing as module
from pitboss.games.flip7.bots.playout import sample_rounds
from pitboss.games.flip7.bots.standing import round_scores, standing
from pitboss.games.flip7.solver import table_cache

GAME = load("flip7:official")
SCORES = np.zeros(41)
SCORES[[0, 7, 15, 22, 40]] = 0.3, 0.1, 0.25, 0.25, 0.1
TABLE = table_of(SCORES, 200)


def between_rounds(totals, game=GAME):
    """A game in which nothing but the totals matters any more."""
    s = game.start(len(totals)).states
    s["total"][0, : len(totals)] = totals
    return s[0]


def chances(totals, game=GAME, table=TABLE):
    s = between_rounds(totals, game)
    return [worth(s, game.rules.target, seat, table) for seat in range(len(totals))]


def by_lot(totals, games, target=200):
    """How often each seat wins if all scores are drawn from SCORES: the most points at the target win, ties share."""
    scores = np.random.default_rng(1).choice(41, size=(games, 80, len(totals)), p=SCORES)
    totals = np.array(totals) + scores.cumsum(axis=1)
    last = (totals.max(axis=2) >= target).argmax(axis=1)
    final = totals[np.arange(games), last]
    best = final == final.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)


@pytest.mark.parametrize("totals", [(0, 0), (150, 100), (190, 195), (60, 120, 180), (100, 100, 110, 150)])
def test_chances_are_those_of_the_model(totals):
    """Within luck, and a percent for the steps in which points beyond the target are counted."""
    games = 4000
    for ours, drawn in zip(chances(totals), by_lot(totals, games), strict=True):
        assert ours == pytest.approx(drawn, abs=0.01 + 4 * (drawn * (1 - drawn) / games) ** 0.5)


@pytest.mark.parametrize("totals", [(0, 0), (31, 170), (5, 20, 199), (100,) * 18])
def test_all_chances_together_are_certain(totals):
    assert sum(chances(totals)) == pytest.approx(1, abs=0.02)


def test_more_points_are_better():
    mine = [chances((total, 120))[0] for total in range(0, 200, 5)]
    assert np.all(np.diff(mine) > 0)


def test_who_is_tied_at_the_target_plays_on_for_more():
    tied = chances((203, 203, 150))
    assert tied[0] == tied[1] == pytest.approx(0.5, abs=0.01)
    assert tied[2] < 0.01


def test_far_from_the_target_only_differences_count():
    far = load("flip7:official(target=5000)")
    table = table_of(SCORES, MOST_NEED)
    assert chances((1000, 1030), far, table) == chances((2000, 2030), far, table)
    assert chances((1000, 1030), far, table)[0] < 0.5


def test_a_lone_player_counts_rounds():
    solo = load("flip7:solo")
    rng, taken = np.random.default_rng(2), []
    for _ in range(4000):
        total, rounds = 120, 0
        while total < 200:
            total, rounds = total + rng.choice(41, p=SCORES), rounds + 1
        taken.append(rounds)
    error = np.std(taken) / len(taken) ** 0.5
    assert -chances((120,), solo)[0] == pytest.approx(np.mean(taken), abs=4 * error)
    far = load("flip7:solo(target=5000)")
    assert chances((1000,), far)[0] < chances((1020,), far)[0] < chances((4990,), far)[0]


def test_a_finished_game_is_what_it_is():
    s = between_rounds((210, 190, 210))
    s["to_act"], s["won"][:3] = -2, (1, 0, 1)
    assert [worth(s, GAME.rules.target, seat, TABLE) for seat in range(3)] == [0.5, 0, 0.5]


def test_scores_of_the_habit_are_those_of_the_game():
    """A lone player's mean is near the exact optimum of that table, and never above it by more than luck."""
    scores = round_scores(load("flip7:simulation(solo=true)"))
    points = np.arange(len(scores))
    mean = scores @ points
    error = (scores @ (points - mean) ** 2 / module.SAMPLES) ** 0.5
    assert scores.sum() == pytest.approx(1)
    assert mean == pytest.approx(22.0848723, abs=4 * error)


def test_samples_are_the_same_every_time():
    first, again = np.zeros((20, 3), np.int64), np.zeros((20, 3), np.int64)
    sample_rounds(GAME.record, 3, first)
    sample_rounds(GAME.record, 3, again)
    assert first.tolist() == again.tolist()
    assert len(np.unique(first)) > 10


def test_a_table_is_kept_on_disk(monkeypatch):
    game = load("flip7:numbers(target=30)")
    first = standing(game)
    monkeypatch.setattr(table_cache, "ProgressBar", None)  # nothing is worked out again
    assert np.array_equal(standing(game), first)

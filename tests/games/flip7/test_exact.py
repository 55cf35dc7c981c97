"""Simulated against exact: small facts that can be computed without the engine."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.core.keys import Key
from pitboss.games.flip7.odds import all_coming, duplicates_coming
from pitboss.stats.intervals import mean

NUMBERS = [1, *range(1, 13)]  # how many of each number


def test_busting_on_the_second_card():
    """cards-2 in a one-round game of numbers: it busts if its second card pairs with the first.

    By symmetry every two cards of the deck are equally likely to be a seat's first two.
    """
    exact = sum(Fraction(n, 79) * Fraction(n - 1, 78) for n in NUMBERS)
    result = simulate("flip7:numbers(max_rounds=1)", ["cards-2", "cards-2"], games=100_000, seed=Key.from_seed(2))
    estimate = result.sums.figure(next(f for f in result.game.figures if f.name == "bust_rate"), None)
    assert estimate.low < float(exact) < estimate.high


def test_the_mean_of_two_different_cards():
    """What cards-2 scores on average, by listing all pairs of cards."""
    exact = sum(
        Fraction(a * (b - (i == j)), 79 * 78) * (i + j)
        for (i, a), (j, b) in product(enumerate(NUMBERS), repeat=2)
        if i != j
    )
    result = simulate("flip7:numbers(max_rounds=1)", ["cards-2", "cards-2"], games=100_000, seed=Key.from_seed(3))
    estimate = result.sums.figure(next(f for f in result.game.figures if f.name == "mean_total"), None)
    assert estimate.low < float(exact) < estimate.high


@pytest.mark.parametrize("cards", [3, 4])
def test_the_chance_to_survive_several_cards(cards):
    """Drawing without replacement: elementary symmetric polynomials of the counts."""
    poly = [Fraction(1)] + [Fraction(0)] * cards
    for n in NUMBERS:
        for k in range(cards, 0, -1):
            poly[k] += poly[k - 1] * n
    orders = 1
    for k in range(cards):
        orders *= 79 - k
    ways = poly[cards]
    for k in range(2, cards + 1):
        ways *= k
    exact = 1 - ways / orders
    result = simulate(
        "flip7:solo(modifiers=false, max_rounds=1, target=1000)",
        [f"cards-{cards}"],
        games=60_000,
        seed=Key.from_seed(4),
    )
    bust = result.sums.figure(next(f for f in result.game.figures if f.name == "bust_rate"), 0)
    assert bust.low < float(exact) < bust.high


def test_stopping_at_23_reaches_998_of_the_best():
    """Known from exact solutions: the best possible round on the 79 numbers is worth 18.5652."""
    result = simulate(
        "flip7:solo(modifiers=false, max_rounds=1, target=1000)", ["stay-23"], games=400_000, seed=Key.from_seed(5)
    )
    score = result.sums.figure(next(f for f in result.game.figures if f.name == "mean_total"), 0)
    assert score.high > 0.998 * 18.5652
    assert score.low < 18.5652


def test_odds_of_views_equal_the_compiled_ones_and_the_truth():
    game = load("flip7:official")
    position = game.start(3)
    rng = np.random.default_rng(8)
    checked = 0
    while not position.over and checked < 400:
        if position.to_act >= 0:
            s = position.states[0]
            for seat in range(3):
                odds = position.view(seat).odds
                cards = all_coming(s)
                assert odds.cards == cards
                assert odds.duplicate == duplicates_coming(s, seat) / cards
                assert abs(sum(odds.kinds.values()) - 1) < 1e-9
                checked += 1
        legal = position.legal
        position.apply(int(legal[int(rng.integers(len(legal)))]))


def test_odds_look_into_the_discards_when_the_deck_is_empty():
    position = load("flip7:solo").start(1)
    s = position.states[0]
    s["discards"][:] = s["left"]
    s["left"][:] = 0
    s["left_total"] = 0
    assert position.view(0).odds.cards == 85
    assert position.view(0).odds.kinds[12] == 12 / 85
    assert position.view(0).odds.bust == 0


def test_seats_are_not_all_equal_and_rotation_makes_up_for_it():
    """Four equal bots: each wins a quarter, up to ties of luck; every seat has its interval."""
    result = simulate("flip7:official", ["stay-24"] * 4, games=20_000, seed=Key.from_seed(6))
    for i in range(4):
        share = result.win_share(i)
        assert share.low <= 0.25 <= share.high
        assert [s["games"] for s in result.to_dict()["bots"][i]["seats"]] == [5000] * 4
    assert mean(1.0, 1.0, 1).ci95 is None

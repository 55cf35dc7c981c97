"""How few rounds are possible at all: the bound, and hindsight by a plain search."""

from functools import cache

import numpy as np
import pytest

from pitboss import load
from pitboss.analysis import analysis_of
from pitboss.core.analysis import Problem
from pitboss.core.errors import PitbossError
from pitboss.games.flip7.cards import FREEZE, NUMBERS, TIMES_2
from pitboss.games.flip7.solver.hands import SETS
from pitboss.games.flip7.solver.oracle import begin
from pitboss.games.flip7.solver.race import race
from pitboss.games.flip7.solver.race_bound import MODIFIER_SETS, Deal, Guess, least_rounds, race_bound


def in_hindsight(order, target):
    """The fewest rounds of one who knows the order; one that begins or goes on when the deck is empty is the last."""

    @cache
    def rounds(at, total):
        if total >= target:
            return 0
        if at == len(order):
            return 1
        hand, best = [], len(order)
        for i in range(at, len(order)):
            kind = order[i]
            if kind < NUMBERS and kind in hand:
                return 1 + min(best, rounds(i + 1, total))
            hand.append(kind)
            numbers = [k for k in hand if k < NUMBERS]
            points = sum(numbers) * (2 if TIMES_2 in hand else 1) + (15 if len(numbers) == 7 else 0)
            points += sum(2 * (k - NUMBERS + 1) for k in hand if NUMBERS <= k < TIMES_2)
            best = min(best, rounds(i + 1, total + points))
            if len(numbers) == 7:
                return 1 + best
        return 1  # the deck is empty in mid-round, and the search ends

    return rounds(0, 0)


def test_without_payments_it_is_hindsight():
    """Where every hand is guessed to cost nothing, foresight is free."""
    game, luck = load("flip7:solo(target=60)"), np.random.default_rng(1)
    nothing = Guess(
        np.full((60, SETS), -1), np.zeros((60, 1, MODIFIER_SETS), np.float32), np.zeros(MODIFIER_SETS, np.int64),
        np.zeros(61),
    )  # fmt: skip
    deck = np.repeat(np.arange(FREEZE), np.array(game.rules.deck[:FREEZE]))
    found = []
    for _ in range(6):
        order = luck.permutation(deck)
        seconds = np.zeros((len(deck), len(deck)), np.int64)
        for first in range(len(deck)):
            seconds[first, :first] = luck.permutation(order[:first])
        deal = Deal(order, seconds, luck.permutation(deck))
        found.append(least_rounds(deal, begin(game).plan.lines, nothing))
        assert found[-1] == in_hindsight(tuple(order.tolist()), 60)
    assert len(set(found)) > 1


def test_the_bound_is_close_to_what_is_possible():
    """To 20 points the deck hardly matters: a fresh deck each round is as good as one that is counted."""
    game = load("flip7:solo(target=20)")
    found, possible = race_bound(game, 30, 1), race(game).rounds[0]
    assert found.spread < 0.005
    assert possible - 0.005 < found.rounds < possible + found.spread


def test_asked_by_name():
    game, told = load("flip7:solo(target=20)"), []
    found = analysis_of(game).solve(
        Problem(objective="bound", games=5, seed=2), lambda done, of: told.append((done, of))
    )
    data = found.to_dict()
    assert told == [(n, 5) for n in range(1, 6)]
    assert data["ci95"][0] < data["value"] < data["ci95"][1]
    assert f"than {data['value']:.3f} ±" in found.report()[1]


@pytest.mark.parametrize(
    ("spec", "deals", "why"),
    [("flip7:solo(actions=true)", 5, "without action cards"), ("flip7:solo(target=20)", 1, "two deals or more")],
)
def test_what_it_cannot_say(spec, deals, why):
    with pytest.raises(PitbossError, match=why):
        race_bound(load(spec), deals, 1)

"""The exact round of a lone player: against a reference that knows no tables, and against play."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.games.vengeance.cards import KINDS, TEXT, parse_cards
from pitboss.games.vengeance.solver.round import lone_round
from tests.games.vengeance.conformance.taped import numbers, worth

NUMBER = {text: 7 if text == "u7" else 13 if text == "l13" else int(text) for text in TEXT[:16]}


def reference(hand, deck, everything, twice=False):
    """What a card is worth and what staying is: words of the rules, all ways to go on written out, in fractions."""

    @cache
    def card(hand, deck, shuffled):
        if not deck:
            if shuffled:
                return stay(hand)
            rest = list(everything)
            for each in hand:
                rest.remove(each)
            return card(hand, tuple(sorted(rest)), True)
        total = Fraction(0)
        for each in set(deck):
            rest = list(deck)
            rest.remove(each)
            total += deck.count(each) * received(hand, each, tuple(rest), shuffled)
        return total / len(deck)

    def received(hand, each, deck, shuffled):
        if each == "u7":
            return best(("u7",), deck, shuffled)
        if each in NUMBER:
            if each in ("13", "l13"):
                thirteens = numbers([*hand, each]).count(13)
                if thirteens == 3 or (thirteens == 2 and "l13" not in (*hand, each)):
                    return Fraction(0)
            elif NUMBER[each] in numbers(list(hand)):
                return Fraction(0)
            hand = tuple(sorted((*hand, each)))
            have = numbers(list(hand))
            if len(have if twice else set(have)) == 7:
                return Fraction(worth(list(hand), False, True) + 15)
        else:
            hand = tuple(sorted((*hand, each)))
        return best(hand, deck, shuffled)

    def best(hand, deck, shuffled):
        return card(hand, deck, shuffled) if "0" in hand else max(stay(hand), card(hand, deck, shuffled))

    def stay(hand):
        return Fraction(worth(list(hand), False, False))

    return card(tuple(sorted(hand)), tuple(sorted(deck)), False), stay(hand)


def ours(spec, hand, deck, everything):
    game = load(f"vengeance:{spec}")
    counts = [everything.count(text) for text in TEXT]
    game.record["deck"][0] = counts
    line = sum(1 << kind for kind in parse_cards(" ".join(hand) or "-"))
    left = np.zeros(KINDS, np.int64)
    np.add.at(left, parse_cards(" ".join(deck) or "-"), 1)
    return lone_round(game, line, 0, left)


DECKS = {
    "solo": "0 u7 l13 13 13 13 7 7 7 3 3 3 12 12 12 5",
    "solo(thirteens=twice)": "u7 l13 13 13 13 2 3 5 6 8 8 8",
    "solo(modifiers=true)": "0 u7 5 5 5 9 9 9 12 12 12 -10 /2 -2",
}


@pytest.mark.parametrize("spec", DECKS)
@pytest.mark.parametrize("hand", ["", "12", "13 5", "0 3", "9 -4 5", "13 12 9"])
def test_tables_find_what_the_words_of_the_rules_say(spec, hand):
    hand, deck = hand.split(), DECKS[spec].split()
    found = ours(spec, hand, deck, [*deck, *hand])
    hit, stay = reference(tuple(hand), tuple(deck), (*deck, *hand), "twice" in spec)
    assert (found.hit, found.stay) == (pytest.approx(float(hit), abs=1e-9), float(stay))


@pytest.mark.parametrize("deck", ["5 9", "u7 5", "5 u7 9", "9", "-"])
@pytest.mark.parametrize("hand", ["12", "0 3", "7 12"])
def test_a_deck_that_runs_out_is_shuffled_in_mid_round(hand, deck):
    """The discards have three of a kind, so that the new deck cannot run out as well."""
    hand, deck = hand.split(), deck.replace("-", "").split()
    rest = ["12", "12", "12", "3", "3", "3", "1"]
    found = ours("solo", hand, deck, [*deck, *hand, *rest])
    hit, stay = reference(tuple(hand), tuple(deck), (*deck, *hand, *rest))
    assert (found.hit, found.stay) == (pytest.approx(float(hit), abs=1e-9), float(stay))


def test_the_best_round_is_what_the_counting_bot_gets():
    """Games of one round, from a full deck: within four standard errors."""
    from pitboss.analysis.solve import Problem, solve

    best = solve(load("vengeance:solo"), Problem(seats=1)).value
    assert best == pytest.approx(20.733904220204344, abs=1e-12)
    result = simulate("vengeance:solo(max_rounds=1)", "counter", 10_000, seed=Key.from_seed(1))
    total = result.sums.figure(next(f for f in result.game.figures if f.name == "mean_total"), 0)
    assert total.mean == pytest.approx(best, abs=2 * (total.high - total.low) / 2)


def test_what_cannot_be_solved_says_what_can():
    from pitboss.analysis.solve import Problem, solve

    for spec in ("solo(copies=2)", "solo(actions=true)"):
        with pytest.raises(PitbossError, match=r"solve vengeance:solo"):
            solve(load(f"vengeance:{spec}"), Problem(seats=1))

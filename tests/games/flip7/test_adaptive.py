"""`adaptive`: the same as `ev` where there is nothing to adapt to, and close to exact play where there is."""

import itertools

import numpy as np
import pytest

from pitboss import bot, load, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.play import Seats
from pitboss.games.flip7.bots.adaptive import _sevens
from pitboss.games.flip7.solver.oracle import solve_round

ONE_ROUND = "flip7:simulation(solo=true, max_rounds=1, target=1000)"
OPTIMUM = 22.0848723  # pitboss solve flip7:simulation --seats 1


def at(hand, spec="flip7:simulation"):
    """A lone seat in its first round; `hand` may hold a Second Chance and a Flip Three that waits for its next hit."""
    position = load(spec).start(2)
    s = position.states[0]
    position.apply("0")  # opening cards, replaced below
    position.apply("0" if s["left"][0] else "1")
    s["front"][:2], s["sum"][:2], s["numbers"][:2], s["points"][:2] = 0, 0, 0, 0
    s["left"], s["left_total"] = position.game.record["deck"][0], position.game.record["deck"][0].sum()
    s["turn"] = s["to_act"] = 0
    for card in hand.split():
        s["taker"], s["to_take"], s["to_act"], s["decision"] = 0, 9, -1, 0
        position.apply(card)
    s["taker"], s["to_take"], s["to_act"], s["decision"] = -1, 0, 0, 1
    return position


def decide(name, position):
    seats = Seats(position.game, [bot(name, position.game)] * position.seats)
    seats.start(Key.from_seed(0), 0, 0)
    return position.game.format_move(seats.decide(position, 0))


@pytest.mark.parametrize("spec", ["flip7:numbers", "flip7:solo", "flip7:official(second_chance=absent)"])
def test_without_its_cards_it_plays_as_ev(spec):
    seats = 1 if spec == "flip7:solo" else 3
    ours, theirs = (simulate(spec, [name] * seats, games=600, seed=2) for name in ("adaptive", "ev"))
    assert ours.sums.columns.tolist() == theirs.sums.columns.tolist()


@pytest.mark.parametrize("spec", ["flip7:simulation", "flip7:official", "flip7:tournament"])
def test_with_them_it_does_not(spec):
    ours, theirs = (simulate(spec, [name] * 2, games=600, seed=2) for name in ("adaptive", "ev"))
    assert ours.sums.columns.tolist() != theirs.sums.columns.tolist()


@pytest.mark.parametrize(
    "hand",
    [
        "f3 5 9 12", "f3 1 4 6 9", "f3 3 5 9 12", "f3 0 1 2 3 4", "f3 x2 1 2 3 4", "f3 sc 7 8 9 10 12", "f3 sc 3 5 8 9",
        "sc 5 9 12 11", "sc 12 11 10 9 8", "sc 12 11 10 9 8 7", "2 5 8 10", "2 3 4 5 6", "+4 1 2 3 4",
    ],
)  # fmt: skip
def test_it_does_what_is_exactly_best_unless_that_matters_little(hand):
    position = at(hand)
    cards = hand.split()
    exact = solve_round(position.game, hand, second_chance="sc" in cards, draws_three="f3" in cards)
    assert position.view(0).points == exact.points
    assert decide("adaptive", position) == exact.best or abs(exact.hit - exact.stay) < 1


def test_three_cards_at_once_are_a_greater_risk():
    """With a Flip Three before it `ev` takes the next hit for one card; the exact answer is to stay."""
    hand = "f3 5 7 8"
    exact = solve_round(load("flip7:simulation"), hand, draws_three=True)
    assert exact.best == "stay"
    assert exact.stay - exact.hit > 1
    assert [decide(name, at(hand)) for name in ("ev", "adaptive", "adaptive(risk=0)")] == ["hit", "stay", "hit"]
    assert [decide(name, at("5 7 8")) for name in ("ev", "adaptive")] == ["hit", "hit"]


@pytest.mark.parametrize(("missing", "wanted"), [(1, 1), (2, 2), (3, 3), (4, 4)])
def test_ways_to_make_seven_are_counted_right(missing, wanted):
    ways = sum(sum(card < 5 for card in three) >= wanted for three in itertools.product(range(8), repeat=3))
    assert _sevens(missing, 5, 8) == ways


def test_a_second_chance_is_worth_something():
    """To draw one makes a hit better; to use one up costs a little, and nothing where the save banks."""
    assert [decide(f"adaptive(gained={n})", at("12 4")) for n in (0, 500)] == ["hit", "hit"]
    assert [decide(f"adaptive(gained={n})", at("12 10 9")) for n in (0, 500)] == ["stay", "hit"]
    assert [decide(f"adaptive(spent={n})", at("sc 12 10 9")) for n in (3, 500)] == ["hit", "stay"]
    banked = at("sc 12 10 9", "flip7:simulation(after_save=banks)")
    assert decide("adaptive(spent=500)", banked) == "hit"


def mean_of_rounds(name, games):
    result = simulate(ONE_ROUND, [name], games=games, seed=Key.from_seed(5))
    return result.sums.figure(next(f for f in result.game.figures if f.name == "mean_total"), 0)


def test_it_makes_nearly_all_of_the_exact_optimum():
    """And no more, which would be a bug in one of the two."""
    made = mean_of_rounds("adaptive", 400_000)
    assert made.low > 0.99 * OPTIMUM
    assert made.low < OPTIMUM
    assert made.mean > mean_of_rounds("ev", 400_000).mean


def test_it_plays_every_preset(preset):
    seats = 1 if preset == "solo" else 3
    for name in ("adaptive", "adaptive+freeze-leader", "adaptive(gained=1000, spent=1000, risk=1000)+freeze-risky"):
        result = simulate(f"flip7:{preset}(max_rounds=50)", [name] * seats, games=30, seed=1)
        assert result.games == 30


def test_how_it_is_written():
    assert bot("adaptive(risk=50)+freeze-leader", "flip7").params.tolist() == [1, 15, 3, 50]
    assert np.array_equal(
        bot("adaptive", "flip7").params, bot("adaptive(gained=15, spent=3, risk=100)", "flip7").params
    )
    for text, problem in [
        ("adaptive-3", "takes no number but named parameters"),
        ("adaptive(luck=1)", "parameter of adaptive: 'luck'"),
        ("adaptive(risk=-1)", "risk=-1 of adaptive is not a whole number from 0 to 1000"),
        ("adaptive(risk=1001)", "is not a whole number"),
        ("adaptive+nobody", "target rule"),
    ]:
        with pytest.raises(BotError, match=problem):
            bot(text, "flip7")

"""The bots `oracle` and `race`, and the race itself."""

import random

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.registry import bot
from pitboss.games.flip7.bots.counting import LonePlayer, chance_plan, hit_value, oracle_bot
from pitboss.games.flip7.cards import FREEZE, KINDS, NUMBERS, SECOND_CHANCE, TIMES_2
from pitboss.games.flip7.rules import BANKS, RETURN
from pitboss.games.flip7.solver import table_cache
from pitboss.games.flip7.solver.hands import POINTS, OwnCards
from pitboss.games.flip7.solver.oracle import IDENTITY, solve_round
from pitboss.games.flip7.solver.plan import explore, lone_seat
from pitboss.games.flip7.solver.race import race, race_utility

KEPT = "flip7:solo(second_chance=kept)"
BANKED = "flip7:solo(second_chance=kept, after_save=banks)"
STAY_OUT = "flip7:solo(second_chance=flag, round_discards=stay_out)"
ONE_ROUND = "max_rounds=1, target=1000"


def figure(result, name):
    return result.sums.figure(next(f for f in result.game.figures if f.name == name), 0)


def canonical(lines):
    """A plan without the order of its lines: each as what it is and, in depth, what follows it."""

    def tree(z):
        line = lines[z].tolist()
        after = [then if then in (-1, z) else tree(then) for then in line[3:9]]
        return (*line[:3], *(("self",) if then == z else then for then in after), *line[9:])

    return tree(len(lines) - 1)


@pytest.mark.parametrize("spec", [KEPT, BANKED])
@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("chances", range(4))
def test_the_compiled_plan_of_second_chances_is_that_of_the_rule_book(spec, held, chances):
    game = load(spec)
    left = [*game.rules.deck[:SECOND_CHANCE], chances]
    hand = [12, SECOND_CHANCE] if held else [12]
    found = explore(game, lone_seat(game, hand, left, [0] * KINDS, held, False), False, 100).lines
    assert canonical(chance_plan(chances, int(held), int(spec == BANKED))) == canonical(found)


@pytest.mark.parametrize("spec", ["flip7:solo", KEPT, BANKED, STAY_OUT])
@pytest.mark.parametrize("seed", range(40))
def test_what_bots_think_is_what_the_oracle_says(spec, seed):
    """From whole decks and from nearly empty ones, with something to reshuffle."""
    game, rng = load(spec), random.Random(f"{spec} {seed}")
    cards = [kind for kind, n in enumerate(game.rules.deck) for _ in range(n)]
    rng.shuffle(cards)
    hand = []
    for card in cards[: rng.randrange(1, 8)]:
        if card < FREEZE and (card >= NUMBERS or card not in hand) and sum(k < NUMBERS for k in hand) < 6:
            hand.append(card)
    few = [card for card in cards[10:] if card >= NUMBERS or card in hand or card < 4]
    left = np.bincount(few[:5] if seed % 4 else cards[10:60], minlength=KINDS)
    discards = np.bincount(few[5:9] if seed % 4 else cards[60:], minlength=KINDS)
    if seed % 8 == 1:
        left, discards = np.zeros(KINDS, np.int64), left
    held = spec != "flip7:solo" and left[21] + discards[21] < 3 and rng.random() < 0.5
    worth = np.cumsum([rng.random() for _ in range(POINTS)])
    answer = solve_round(
        game, [*hand, SECOND_CHANCE] if held else hand, left=left, discards=discards, second_chance=held, utility=worth
    )
    bits = sum(1 << kind for kind in hand if kind < NUMBERS)
    plus = sum(2 * (kind - 12) for kind in hand if NUMBERS <= kind < TIMES_2)
    banks, returns = (
        game.record[name][0] == value for name, value in (("after_save", BANKS), ("round_discards", RETURN))
    )
    own = OwnCards(bits, plus, int(TIMES_2 in hand))
    lone = LonePlayer(left, discards, own, int(held), int(banks), int(returns))
    assert hit_value(lone, worth, True) == pytest.approx(answer.hit)
    assert (hit_value(lone, worth, False) > answer.stay) == (answer.hit > answer.stay)


@pytest.mark.parametrize("spec", ["flip7:solo", "flip7:solo(modifiers=false)", KEPT])
def test_the_oracle_scores_its_exact_value(spec):
    joint = ", " if "(" in spec else "("
    table = load(f"{spec.rstrip(')')}{joint}{ONE_ROUND})")
    exact = solve_round(table).outcome
    result = simulate(table, ["oracle"], games=60_000 if spec != KEPT else 15_000, seed=Key.from_seed(11))
    for name, value in (("mean_total", exact.mean), ("bust_rate", exact.bust), ("flip7_rate", exact.flip7)):
        estimate = figure(result, name)
        assert estimate.low - 1e-3 < value < estimate.high + 1e-3


def test_the_race_is_the_fixed_point_of_its_own_play():
    """Rounds from each total, put together anew from how the best round of that total ends."""
    game = load("flip7:solo(target=60)")
    found = race(game)
    assert found.rounds[60] == 0
    assert found.rounds[59] == found.rounds[58] == 1
    assert np.all(np.diff(found.rounds) <= 0)
    for total in (0, 17, 45, 59):
        outcome = found.outcome(total)
        assert 1 - outcome.points @ race_utility(found.rounds, total) == pytest.approx(found.rounds[total])


def test_known_rounds_to_200():
    assert race(load("flip7:solo")).rounds[0] == pytest.approx(10.1930482, abs=5e-8)


def test_points_are_the_best_utility_for_points_and_rounds_for_rounds():
    found = race(load("flip7:solo"))
    for total in (0, 150, 185):
        greedy, racing = solve_round(found.game).outcome, found.outcome(total)
        worth = found.utility(total)
        assert racing.points @ worth >= greedy.points @ worth - 1e-9
        assert racing.points @ IDENTITY <= greedy.points @ IDENTITY + 1e-9


def test_a_race_is_kept_on_disk(monkeypatch):
    game = load("flip7:solo(target=25)")
    first = race(game).rounds
    monkeypatch.setattr(table_cache, "ProgressBar", None)  # nothing is worked out again
    assert np.array_equal(race(game).rounds, first)


def test_race_needs_fewer_rounds_than_any_other_bot():
    rounds = [
        figure(simulate("flip7:solo", [name], games=2000, seed=Key.from_seed(1)), "rounds_per_game").mean
        for name in ("race", "oracle")
    ]
    assert rounds[0] < 10.4
    assert rounds[0] < rounds[1]


@pytest.mark.parametrize("spec", ["flip7:official", "flip7:tournament", "flip7:simulation", "flip7:numbers"])
def test_the_oracle_sits_at_every_table(spec):
    result = simulate(spec, ["oracle+freeze-leader", "stay-25+freeze-leader"], games=100, seed=3)
    assert result.games == 100
    assert result.cut == 0


def test_how_the_bots_are_written():
    assert bot("oracle", "flip7:solo").function is oracle_bot
    with pytest.raises(BotError, match="takes no number"):
        bot("oracle-3", "flip7:solo")
    with pytest.raises(BotError, match="target rule"):
        bot("race+nobody", "flip7:solo(target=25)")

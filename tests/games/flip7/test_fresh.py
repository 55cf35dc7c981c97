"""The bots that play by the table of a fresh deck."""

import random

import pytest

from pitboss import load, simulate
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.registry import bot
from pitboss.games.flip7.cards import FREEZE, KINDS, NUMBERS, SECOND_CHANCE
from pitboss.games.flip7.solver.oracle import solve_round
from pitboss.games.flip7.solver.plan import lone_seat
from pitboss.games.flip7.solver.race import race, race_utility
from pitboss.games.flip7.state import HIT
from tests.asking import ask


@pytest.mark.parametrize("name", ["oracle", "race"])
@pytest.mark.parametrize("spec", ["flip7:solo(target=50)", "flip7:numbers(target=50)"])
def test_the_table_says_what_the_oracle_says(name, spec):
    game, rng = load(spec), random.Random(f"{name} {spec}")
    entrant = bot(f"{name}(deck=fresh)", game)
    rounds = race(game).rounds
    kinds = [kind for kind in range(FREEZE) if game.rules.deck[kind]]
    hits = 0
    for _ in range(60):
        hand = rng.sample(kinds, rng.randrange(1, 7))
        if sum(kind < NUMBERS for kind in hand) > 6:
            continue
        left = [n - hand.count(kind) for kind, n in enumerate(game.rules.deck)]
        s, total = lone_seat(game, hand, left, [0] * KINDS, False, False), rng.randrange(50)
        s["total"][0] = total
        best = solve_round(game, hand, utility=race_utility(rounds, total) if name == "race" else None).best
        move = ask(entrant, game, s, luck=1)
        assert (move == HIT) == (best == "hit"), (hand, total)
        hits += move == HIT
    assert 5 < hits < 55


def test_a_second_chance_in_hand():
    game = load("flip7:solo(second_chance=kept, target=50)")
    entrant = bot("oracle(deck=fresh)", game)
    for numbers in ([12, 11, 10], [12, 11, 10, 9], [12, 11, 10, 9, 8, 7]):
        hand = [*numbers, SECOND_CHANCE]
        left = [n - hand.count(kind) for kind, n in enumerate(game.rules.deck)]
        s = lone_seat(game, hand, left, [0] * KINDS, True, False)
        best = solve_round(game, hand, second_chance=True).best
        assert (ask(entrant, game, s, luck=1) == HIT) == (best == "hit")


def test_the_race_by_table_takes_the_rounds_it_says():
    """Each round of a long deck begins nearly fresh, so the exact answer is close."""
    game = load("flip7:solo(target=50)")
    result = simulate(game, ["race(deck=fresh)"], games=20_000, seed=Key.from_seed(2))
    figure = next(f for f in game.figures if f.name == "rounds_per_game")
    measured = result.sums.figure(figure, 0)
    assert measured.low - 0.03 < race(game).rounds[0] < measured.high + 0.03


def test_other_parameters_are_refused():
    for text in ("race(deck=old)", "oracle-5", "race(fresh=true)"):
        with pytest.raises(BotError, match=r"\(deck=fresh\)"):
            bot(text, "flip7:solo")

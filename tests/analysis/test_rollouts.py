"""Games that say nothing about good play are analysed by rollouts."""

import random
import statistics
import sys
from itertools import product
from pathlib import Path

import pytest

from pitboss import load
from pitboss.analysis import analysis_of
from pitboss.analysis.regret import regret
from pitboss.analysis.rollouts import Rollouts, _Trial
from pitboss.core.analysis import MoveValue, Opinion
from pitboss.core.bot import RandomBot
from tests.core.dice import BETS, SIDES, Cups

TOY = Path(__file__).resolve().parents[2] / "examples" / "toy-game" / "src"


@pytest.fixture(scope="module")
def toy():
    """A game of another package, with open cards and bots."""
    sys.path.insert(0, str(TOY))
    from pitboss_toy.game import Toy

    yield Toy.parse("race")
    sys.path.remove(str(TOY))


def last_bet(die):
    """Cups for two, when all that is left is the second bet of the last round: seat 0's."""
    position = Cups.parse("short(rounds=1)").start(2)
    for side in (3, 4, 2, die, 5):  # under the cups; who begins: seat 1; what they rolled
        position.apply(side - 1)
    position.apply(1)
    assert position.to_act == 0
    return position


def exact(die):
    """What each bet is worth at `last_bet`: every die and bet that the seat cannot see is equally likely."""
    out = []
    for bet in range(BETS):
        shares = []
        for other_die, other_bet, *cups in product(range(SIDES), range(BETS), range(SIDES), range(SIDES)):
            totals = [cup + 1 for cup in cups]
            totals[1 if other_die > die - 1 else 0] += bet + other_bet  # of equal dice the first seat's counts
            shares.append(1 / totals.count(max(totals)) if totals[0] == max(totals) else 0.0)
        out.append(sum(shares) / len(shares))
    return out


@pytest.mark.parametrize("die", range(1, SIDES + 1))
def test_intervals_cover_the_exact_answer(die):
    position = last_bet(die)
    said = Rollouts(position.game, seconds=60).opinion(position.view(0))
    for worth, value in zip(said.moves, exact(die), strict=True):
        assert worth.ci95[0] < worth.value < worth.ci95[1]
        middle, half = worth.value, (worth.ci95[1] - worth.ci95[0]) / 2
        assert value == pytest.approx(middle, abs=2 * half)  # 18 intervals: one of them may miss at 95 %
        assert half < 0.07


def test_most_intervals_cover_the_exact_answer():
    covered = [
        worth.ci95[0] < value < worth.ci95[1]
        for die in range(1, SIDES + 1)
        for worth, value in zip(
            Rollouts(Cups.parse("short(rounds=1)"), seconds=60).opinion(last_bet(die).view(0)).moves,
            exact(die),
            strict=True,
        )
    ]
    assert sum(covered) >= len(covered) - 3


def test_the_answer_knows_no_more_than_the_seat_and_is_repeatable():
    position = last_bet(4)
    other = position.copy()
    other.states["die"][0][1], other.states["cup"][0][:2] = 0, 5
    assert position != other
    first, second = (Rollouts(p.game, 300, seconds=60).opinion(p.view(0)) for p in (position, other))
    assert first == second


def test_games_without_bots_go_on_with_any_move():
    analysis = analysis_of(Cups.parse("short"))
    assert analysis.policy.make is RandomBot
    assert "with any legal move" in analysis.terms.how


def test_who_plays_on_is_the_last_compiled_bot_of_the_line_up(toy):
    assert analysis_of(toy).policy.name == "ev"
    assert Rollouts(load("flip7:official")).policy.name == "ev"


def test_a_sure_win_is_seen_and_its_opposite_is_a_blunder(toy):
    position = toy.start(2)
    position.states["total"][0] = [28, 29, 0, 0, 0, 0]
    position.apply("5")
    said = analysis_of(toy).opinion(position.view(0))
    bank, draw = said.moves
    assert (bank.text, bank.value, draw.text) == ("bank", 1.0, "draw")
    assert said.best == bank.move
    assert said.is_blunder(draw.move)
    assert not said.is_blunder(bank.move)
    assert said.to_dict()["best"] == "bank"
    cost = analysis_of(toy).cost(position, draw.move)
    assert cost.lost == pytest.approx(1 - draw.value, abs=0.15)
    assert (cost.better, cost.worth_of_better) == (bank.move, 1.0)


def test_nobody_is_told_anything_out_of_turn(toy):
    position = toy.start(2)
    position.apply("5")
    assert analysis_of(toy).opinion(position.view(1)) is None


def test_many_moves_share_the_budget():
    trial, rng = _Trial(list(range(100)), 4000), random.Random(1)
    while trial.goes_on:
        for k in trial.open:
            trial.shares[k, trial.worlds] = rng.random() < (0.9 if k == 37 else 0.3)
        trial.next_world()
    assert trial.best == 37
    assert trial.used <= 4000
    assert min(trial.counts) >= 10
    assert trial.counts[37] == max(trial.counts) == 200


def test_thousands_of_moves_are_tried_twice_each():
    trial, rng = _Trial(list(range(4096)), 4000), random.Random(1)
    while trial.goes_on:
        for k in trial.open:
            trial.shares[k, trial.worlds] = k == 5 or rng.random() < 0.1
        trial.next_world()
    assert trial.used == 2 * 4096
    assert trial.mean(trial.best) == trial.mean(5) == 1.0


def test_regret_of_a_bot_that_never_draws(toy):
    found = regret(toy, "ev,bank-1", games=20, seed=1)
    assert found.names == ["ev", "bank-1"]
    assert found.lost(1).low > 0.1 > found.lost(0).mean
    assert found.mistakes[0].bot == "bank-1"
    assert (found.mistakes[0].did, found.mistakes[0].better) == ("bank", "draw")
    assert "lost_per_game" in found.to_dict()["bots"][0]


def test_luck_is_not_counted_as_merit():
    """Of moves that are all worth the same one always seems better; what the others lose is nothing, on average."""
    rng, costs, seeming = random.Random(2), [], []
    for _ in range(300):
        trial = _Trial([0, 1, 2], 300, keep=0)
        while trial.goes_on:
            for k in trial.open:
                trial.shares[k, trial.worlds] = rng.random() < 0.5
            trial.next_world()
        costs.append(trial.lost(0))
        seeming.append(trial.mean(trial.best) - trial.mean(0))
    assert abs(statistics.mean(costs)) < 3 * statistics.stdev(costs) / len(costs) ** 0.5
    assert statistics.mean(seeming) > 0.03


def test_a_move_that_was_dropped_is_not_the_best_though_it_was_lucky():
    lucky, sound = MoveValue(0, "a", 0.7, rollouts=10), MoveValue(1, "b", 0.6, rollouts=500)
    poor = MoveValue(2, "c", 0.3, behind=(0.1, 0.5), rollouts=10)
    said = Opinion("share of the win", "", (lucky, sound, poor), 0.05)
    assert (said.best, said.lost(0), said.lost(2)) == (1, 0.0, pytest.approx(0.3))
    assert [said.is_blunder(move) for move in range(3)] == [False, False, True]

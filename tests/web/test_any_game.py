"""Hints, blunders and mistakes for games that pitboss does not know."""

import sys
from pathlib import Path

import pytest

from pitboss.core.bot import RandomBot
from pitboss.core.play import play
from pitboss.tournament.judging import DecisionSample, Judge, SampledDecision
from pitboss.web.hints import Made, blunders, hint
from tests.core.dice import Cups

TOY = Path(__file__).resolve().parents[2] / "examples" / "toy-game" / "src"


@pytest.fixture(scope="module")
def toy():
    sys.path.insert(0, str(TOY))
    from pitboss_toy.game import Toy

    yield Toy.parse("fair")
    sys.path.remove(str(TOY))


def decisions(record):
    """All decisions of a record."""
    moves = iter(record.moves)
    return [
        Made(step, position.copy(), next(moves))
        for step, (position, _, _) in enumerate(record.replay(), 1)
        if position.to_act >= 0
    ]


def test_people_read_its_title_and_its_rules_in_words(toy):
    assert toy.full_title == f"Toy · {toy.rules.title}"
    assert type(toy).parse("fair(target=12)").full_title == "Toy · Fair (target: 12)"
    assert toy.scene(toy.start(2).view(0), ["Ann", "Bob"]).title.startswith(toy.full_title)


def test_a_hint_in_shares_of_the_win(toy):
    position = toy.start(2)
    position.apply("5")
    said = hint(toy, position, 0, ["Ann", "Bob"])
    assert (said.unit, said.percent, said.more) == ("share of the win", True, False)
    assert [worth.move for worth in said.worth] == ["bank", "draw"]
    assert sum(worth.best for worth in said.worth) == 1
    assert all(worth.ci95[0] <= worth.value <= worth.ci95[1] for worth in said.worth)
    assert "playing on as ev" in said.how


def test_a_hint_for_hidden_dice():
    game = Cups.parse("short(rounds=1)")
    position = game.start(2)
    for side in (3, 4, 1, 6, 2):
        position.apply(side - 1)
    said = hint(game, position, 0, ["Ann", "Bob"])
    assert [worth.move for worth in said.worth if worth.best] == ["bet-2"]  # nobody rolls more than 6
    assert "worlds that fit what you know" in said.how


def test_blunders_and_mistakes_of_a_bot_that_never_draws(toy):
    record = play(toy, ["ev", "bank-1"], seed=1)
    made = decisions(record)
    found = blunders(toy, made, record.labels, chances=False)
    assert {blunder.seat for blunder in found} == {1}
    assert {(blunder.played, blunder.better) for blunder in found} == {("bank", "draw")}
    assert all(blunder.percent and blunder.lost >= 0.05 for blunder in found)
    judge, sample = Judge(toy, lambda position, move: toy.format_move(move)), DecisionSample(1, 150)
    own = [each for each in made if each.before.to_act == 1]
    for each in own:
        sample.offer(SampledDecision(0, each.step, 0, record, each.before, each.move))
    result = judge.verdicts(sample, {0: 1})
    assert (result.unit, result.percent) == ("share of the win", True)
    assert result.judged == result.decisions == len(own)
    assert result.lost > 0.05
    assert {mistake.better for mistake in result.worst if mistake.lost > 0.05} == {"draw"}


def test_moves_that_a_referee_made_are_no_blunders():
    game = Cups.parse("short(rounds=1)")
    record = play(game, [RandomBot, RandomBot], seed=1)
    made = [Made(each.step, each.before, -1) for each in decisions(record)]
    assert blunders(game, made, record.labels, chances=False) == []

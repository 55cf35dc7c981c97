"""What the game says about good play: points alone, chances to win at a table, advice, regret."""

import pytest

from pitboss import load, play
from pitboss.analysis.regret import regret
from pitboss.analysis.rollouts import Rollouts
from pitboss.core.analysis import Described
from pitboss.core.errors import PitbossError
from pitboss.games.vengeance.solver.round import lone_round
from tests.games.vengeance.conformance.taped import Table, holding


def opinion(table):
    position = table.position
    return position.game.analysis.opinion(position.view(position.to_act))


def said(table):
    """What the person is told first."""
    found, game, view = opinion(table), table.position.game, table.view
    return found.sentence(lambda move: game.describe_move(view, move, ["you", "ann", "bob"]))


@pytest.mark.parametrize("cards", ["12 9 3", "13 l13", "11 10 8 7", "0 5 6 8"])
def test_alone_moves_are_worth_what_the_exact_round_says(cards):
    """But for an Unlucky 7 that comes later."""
    table = holding("solo", cards)
    view = table.view
    exact = lone_round(table.position.game, int(view.state["line"][0]), 0, view.left)
    if "0" in cards.split():
        assert opinion(table) is None  # nobody is asked
        assert exact.stay == 0
        return
    found = opinion(table)
    assert found.value(1) == pytest.approx(exact.hit, abs=0.005)
    assert found.value(0) == exact.stay
    assert found.best == (1 if exact.hit > exact.stay else 0)


def test_at_a_table_moves_are_worth_chances_to_win():
    table = Table("standard", seats=2).arrange(total=[190, 150]).tell("12 5 0:hit 9 1:stay")
    found = opinion(table)
    assert found.best == 0
    assert found.value(0) == 1
    assert not found.is_blunder(1)  # it wins 97 %
    assert said(table) == "Stay. It wins 100 %, hit 97 %."
    table = Table("standard", seats=2).arrange(total=[178, 190]).tell("12 11 0:hit 9 1:stay")
    assert opinion(table).is_blunder(0)


def test_playouts_of_the_round_agree_with_rollouts_to_the_end():
    table = Table("standard").arrange(total=[120, 150, 90]).tell("12 11 9 0:hit 4 1:hit 2 2:hit 13 0:hit -10")
    ours = opinion(table)
    theirs = Rollouts(table.position.game, 1500, seconds=60).opinion(table.view)
    for move in ours.moves:
        other = next(each for each in theirs.moves if each.move == move.move)
        assert move.value == pytest.approx(other.value, abs=0.04 + (other.ci95[1] - other.ci95[0]) / 2)
    assert ours.best == theirs.best


def test_regret_counts_every_decision():
    """Who plays as the playouts do loses less than who moves by luck; alone, who counts loses almost nothing."""
    found = regret("vengeance(target=60)", "ev,random", games=4, seed=1)
    assert found.lost(0).mean < found.lost(1).mean
    alone = regret("vengeance:solo(target=100)", "counter", games=5, seed=1)
    assert alone.lost(0).mean == pytest.approx(0, abs=1e-9)
    assert alone.terms.exact


def test_the_same_question_gets_the_same_answer():
    record = play("vengeance(target=50)", "ev,ev,ev", seed=3)
    position = next(position for position, _, _ in record.replay() if position.to_act >= 0)
    view = position.view(position.to_act)
    assert record.game.analysis.opinion(view) == load("vengeance(target=50)").analysis.opinion(view)


def test_advice_from_cards():
    advice = load("vengeance").analysis.advise(Described("13 l13 -4", seen="5 sw"))
    assert (advice.headline, advice.facts["stay"], advice.facts["busts"], advice.facts["cards"]) == ("Hit", 22, 11, 103)
    assert advice.reason.startswith("Hit. It is worth 27.0")
    assert load("vengeance:solo").analysis.advise(Described("0 4")).reason == "The Zero must hit."


@pytest.mark.parametrize(
    ("hand", "seen", "problem"),
    [
        ("12 12", "-", "another 12: that is a bust"),
        ("sw", "-", "name it among the cards seen"),
        ("5", "1 1", "you named 2 of the card 1, but vengeance:standard has 1"),
    ],
)
def test_cards_that_cannot_lie_so_are_refused(hand, seen, problem):
    with pytest.raises(PitbossError, match=problem):
        load("vengeance").analysis.advise(Described(hand, seen))

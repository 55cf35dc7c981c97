"""Advice from a view: what the oracle says of that hand and that deck, and nothing else."""

import pytest

from pitboss import bot, load
from pitboss.core.errors import PitbossError
from pitboss.games.flip7 import prospects
from pitboss.games.flip7.advice import advice, advise
from pitboss.games.flip7.calibration import corrected
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.moves import Move
from pitboss.games.flip7.solver.oracle import solve_round
from pitboss.games.flip7.solver.race import race
from tests.asking import ask


def at(spec, seats, *entries):
    """A position after some cards and moves."""
    position = load(spec).start(seats)
    for entry in entries:
        position.apply(entry)
    return position


@pytest.mark.parametrize(
    ("spec", "entries"),
    [
        ("flip7:official", ["12", "11", "hit", "7", "hit", "5"]),
        ("flip7:tournament", ["12", "11", "hit", "7", "hit", "11"]),
        ("flip7:official", ["12", "sc", "hit", "4", "stay", "hit", "9"]),
    ],
)
def test_cards_that_go_to_others_do_nothing(spec, entries):
    """Freeze and Flip Three are left out of the sum, and then put back as cards after which one may still stay."""
    position = at(f"{spec}(modifiers=false, target=20)", 2, *entries)
    view = position.view(0)
    idle = Flip7(view.rules.change({"freeze": "inert", "flip_three": "inert"}))
    exact = solve_round(idle, view.cards, left=view.left, discards=view.discards, second_chance=view.second_chance)
    facts = advice(view)
    assert facts["hit"] == pytest.approx(exact.hit, abs=1e-9)
    assert (facts["stay"], facts["best"], facts["cards"]) == (exact.stay, exact.best, exact.cards)
    assert facts["risk"] == exact.risk


def test_three_cards_at_once_are_known():
    position = at("flip7:simulation(modifiers=false, target=20)", 2, "10", "11", "hit", "f3", "stay")
    view = position.view(0)
    assert view.draws_three
    inert = solve_round(view.game, view.cards, left=view.left, draws_three=True)
    facts = advice(view, outlook=False)
    assert facts["hit"] == pytest.approx(inert.hit, abs=1e-9)
    assert facts["my_turn"]


def test_named_cards_give_the_advice_of_their_position():
    """The same table, once followed and once told: told, nobody knows that the other has busted."""
    position = at("flip7:numbers(target=30)", 2, "12", "9", "hit", "7", "hit", "9")
    told = advise(load("flip7:numbers(target=30)"), "12 7", seen="9 9", totals=[0, 0])
    followed = advice(position.view(0))
    assert followed.pop("win")["chance"] > told.pop("win")["chance"]
    assert followed == told


def test_rounds_are_those_of_the_race():
    game = load("flip7:solo(target=60)")
    rounds = race(game).rounds
    facts = advise(game, "12", totals=[48])
    assert facts["rounds"]["stay"] == 1
    facts = advise(game, "11", totals=[40])
    assert facts["rounds"]["stay"] == pytest.approx(1 + rounds[51])
    assert facts["rounds"]["hit"] < facts["rounds"]["stay"]


def test_who_is_out_of_the_round_is_not_advised():
    position = at("flip7:numbers(target=30)", 2, "12", "9", "hit", "12")
    facts = advice(position.view(0))
    assert not facts["in_round"]
    assert "hit" not in facts
    other = advice(position.view(1))
    assert other["in_round"]
    assert other["my_turn"]
    assert other["best"] == "hit"


def test_a_second_chance_takes_the_risk_away():
    position = at("flip7:official(modifiers=false, target=20)", 2, "sc", "9", "hit", "12")
    facts = advice(position.view(0))
    assert (facts["risk"], facts["busts"]) == (0, 0)
    assert not facts["my_turn"]


def test_the_chance_to_win_is_the_oracles_with_chances_as_points():
    position = at("flip7:numbers(target=30)", 2, "12", "9", "hit", "7", "stay")
    view = position.view(0)
    worth = prospects.worth(view)
    exact = solve_round(view.game, "12 7", left=view.left, utility=worth)
    facts = advice(view)
    hit, stay = corrected(exact.hit, view), corrected(worth[19], view)
    assert facts["win"] == {"chance": max(hit, stay), "hit": hit, "stay": stay, "best": exact.best}
    assert 0 < facts["win"]["stay"] < facts["win"]["chance"] < 1
    behind = advise(load("flip7:numbers(target=30)"), "12 7", totals=[0, 25])
    assert behind["win"]["chance"] < facts["win"]["chance"]


def test_who_has_banked_enough_wins():
    position = at("flip7:numbers(target=10)", 2, "12", "9", "stay", "hit", "9")
    assert position.over
    position = at("flip7:numbers(target=10)", 3, "12", "9", "3", "hit", "12", "hit", "9")
    facts = advice(position.view(2))
    assert facts["in_round"]
    assert advice(position.view(0))["win"].keys() == {"chance"}
    chances = [advice(position.view(seat))["win"]["chance"] for seat in range(3)]
    assert chances[2] > chances[0] == pytest.approx(chances[1])


@pytest.mark.parametrize("card", ["fz", "f3"])
def test_targets_are_those_of_the_hunter(card):
    spec = "flip7:official(modifiers=false, target=30)"
    position = at(spec, 3, "5", "12", "3", "hit", "4", "hit", "11", "stay", "hit", card)
    view = position.view(0)
    facts = advice(view)
    assert facts["card"] == card
    assert {target["seat"] for target in facts["targets"]} == {move.seat for move in view.legal}
    chances = [target["win"] for target in facts["targets"]]
    assert chances == sorted(chances, reverse=True)
    hunted = ask(bot("hunter", view.game), view.game, view.state, luck=1)
    assert facts["best_target"] == Move(hunted).seat
    assert "targets" not in advice(position.view(1))


def test_no_chances_where_there_are_none():
    assert "win" not in advise(load("flip7:solo(target=30)"), "5", totals=[10])
    assert "win" not in advise(load("flip7:numbers(target=30)"), "5")


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        ("sc sc 5", "two Second Chances: nobody may hold more than one"),
        ("freeze 5", "Freeze cannot lie in your hand: whoever it is put on is out"),
        ("f3 5", "Flip Three cannot lie in your hand: it is used up"),
    ],
)
def test_hands_that_cannot_be(hand, why):
    with pytest.raises(PitbossError, match=why):
        advise(load("flip7:official"), hand)
    told = advise(load("flip7:simulation(freeze=inert, second_chance=inert)"), hand)  # where they do nothing they stay
    assert told["points"] == 5

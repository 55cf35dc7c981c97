"""Advice from a view: what the oracle says of that hand and that deck, and nothing else."""

import pytest

from pitboss import load
from pitboss.flip7.game import Flip7
from pitboss.solve.advice import advice, advise
from pitboss.solve.oracle import solve_round
from pitboss.solve.race import race


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
        ("flip7:official", ["12", "sc", "hit", "+4", "stay", "hit", "9"]),
    ],
)
def test_cards_that_go_to_others_do_nothing(spec, entries):
    """Freeze and Flip Three are left out of the sum, and then put back as cards after which one may still stay."""
    position = at(f"{spec}(target=20)", 2, *entries)
    view = position.view(0)
    idle = Flip7(view.rules.change({"freeze": "inert", "flip_three": "inert"}))
    exact = solve_round(idle, view.cards, left=view.left, discards=view.discards, second_chance=view.second_chance)
    facts = advice(view)
    assert facts["hit"] == pytest.approx(exact.hit, abs=1e-9)
    assert (facts["stay"], facts["best"], facts["cards"]) == (exact.stay, exact.best, exact.cards)
    assert facts["risk"] == exact.risk


def test_three_cards_at_once_are_known():
    position = at("flip7:simulation(target=20)", 2, "10", "11", "hit", "f3", "stay")
    view = position.view(0)
    assert view.draws_three
    inert = solve_round(view.game, view.cards, left=view.left, draws_three=True)
    facts = advice(view, outlook=False)
    assert facts["hit"] == pytest.approx(inert.hit, abs=1e-9)
    assert facts["my_turn"]


def test_named_cards_give_the_advice_of_their_position():
    """The same table, once followed and once told."""
    position = at("flip7:numbers(target=60)", 2, "12", "9", "hit", "7", "hit", "9")
    told = advise(load("flip7:numbers(target=60)"), "12 7", seen="9 9", totals=[0, 0])
    assert advice(position.view(0)) == told


def test_rounds_are_those_of_the_race():
    game = load("flip7:solo(target=60)")
    rounds = race(game).rounds
    facts = advise(game, "12", totals=[48])
    assert facts["rounds"]["stay"] == 1
    facts = advise(game, "11", totals=[40])
    assert facts["rounds"]["stay"] == pytest.approx(1 + rounds[51])
    assert facts["rounds"]["hit"] < facts["rounds"]["stay"]


def test_who_is_out_of_the_round_is_not_advised():
    position = at("flip7:numbers(target=60)", 2, "12", "9", "hit", "12")
    facts = advice(position.view(0))
    assert not facts["in_round"]
    assert "hit" not in facts
    other = advice(position.view(1))
    assert other["in_round"]
    assert other["my_turn"]
    assert other["best"] == "hit"


def test_a_second_chance_takes_the_risk_away():
    position = at("flip7:official(target=20)", 2, "sc", "9", "hit", "12")
    facts = advice(position.view(0))
    assert (facts["risk"], facts["busts"]) == (0, 0)
    assert not facts["my_turn"]

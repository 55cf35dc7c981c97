"""Games are named by text that round-trips; what cannot be is refused by a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss import load
from pitboss.core.errors import SpecError
from pitboss.games.flip7.rules import Flip7Rules

SWITCHES = Flip7Rules.switches()


def some_value(switch):
    if switch.choices:
        return st.sampled_from(switch.choices)
    return st.integers(switch.least, min(switch.most, 500)) if switch.most else st.booleans()


changes = st.dictionaries(st.sampled_from(sorted(SWITCHES)), st.none(), max_size=6).flatmap(
    lambda names: st.fixed_dictionaries({name: some_value(SWITCHES[name]) for name in names})
)


def test_presets_round_trip(preset):
    game = load(f"flip7:{preset}")
    assert str(game) == f"flip7:{preset}"
    assert load(str(game)) == game
    assert eval(repr(game), {"load": load}) == game


@given(st.sampled_from(sorted(Flip7Rules.presets)), changes)
def test_any_mixture_round_trips_or_is_refused(preset, wanted):
    try:
        rules = Flip7Rules.presets[preset].change(wanted)
    except SpecError as problem:
        assert any(name in str(problem) for name in wanted)
        return
    assert Flip7Rules.parse(str(rules)) == rules
    for name, value in wanted.items():
        assert getattr(rules, name) == value


def test_spaces_and_words_for_truth():
    assert load(" flip7 : numbers ( modifiers = YES , target=100 ) ") == load(
        "flip7:numbers(target=100,modifiers=true)"
    )
    assert load("flip7(target=50)") == load("flip7:official(target=50)")


def test_actions_is_short_for_three_switches():
    assert load("flip7:official(actions=false)") == load("flip7:numbers(modifiers=true)")
    assert load("flip7:numbers(actions=true)").rules.second_chance == "kept"
    assert load("flip7:tournament(actions=true)") == load("flip7:tournament")
    assert sum(load("flip7:solo(second_chance=kept)").rules.deck) == 88


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("chess", "unknown game 'chess'; the choices are: flip7"),
        ("flip7:offical", "did you mean 'official'.*the choices are: official, tournament"),
        ("flip7:solo(zebra=red)", "unknown switch 'zebra'; the choices are: solo, modifiers.*actions"),
        ("flip7:official(save=maybe)", "save=maybe is not possible; save takes one of automatic, asked"),
        ("flip7:official(target=0)", "target takes a whole number from 1 to"),
        ("flip7:official(target=ten)", "target takes a whole number"),
        ("flip7:official(solo=perhaps)", "solo takes true or false"),
        ("flip7:official(target)", "not of the form switch=value"),
        ("flip7:official(target=1, target=2)", "given twice"),
        ("flip7:official(", "not of the form preset"),
        ("flip7:numbers(set_aside=one_by_one)", "changes nothing here: it needs flip_three=targeted"),
        ("flip7:solo(tie=shared)", "it needs solo=false"),
        ("flip7:numbers(round_discards=stay_out)", "that can be used up"),
    ],
)
def test_refusals_say_what_would_do(spec, sentence):
    with pytest.raises(SpecError, match=sentence):
        load(spec)


@pytest.mark.parametrize(
    ("spec", "seats", "sentence"),
    [
        ("flip7:solo", 2, "for exactly 1 seat, not 2"),
        ("flip7:numbers", 1, "for 2 to 18 seats, not 1"),
        ("flip7:official", 19, "not 19; copies=2 makes room for 36"),
        ("flip7:official(copies=2)", 37, "for 2 to 36 seats, not 37"),
    ],
)
def test_seats_outside_the_range_are_refused(spec, seats, sentence):
    with pytest.raises(SpecError, match=sentence):
        load(spec).start(seats)

"""What a page is told of a game, games of other packages, and what is refused."""

import hashlib
import json

import numpy as np
import pytest
from numba import njit, types

from pitboss.core.bot import RANDOM
from pitboss.core.dealer import Keyed
from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.core.legal import moves_of
from pitboss.core.registry import bot, load
from pitboss.page import linking
from pitboss.page.bots import MOST_NUMBERS, ParamTables, describe_bots, describe_function, functions_of
from pitboss.page.lowering import lowered
from pitboss.page.target import describe_layout
from tests.page.test_engine import GAMES, SEED, rows_of


def wandered(spec, seats):
    """What `wander` of drive.mjs says."""
    game, seen, steps, dealer = load(spec), hashlib.sha256(), 0, Keyed(Key.parse(SEED))
    position = game.start(seats)
    while True:
        legal = [] if position.over else moves_of(int(game.loops.legal(position.states, game.record)))
        seen.update(position.states.tobytes())
        for seat in range(seats):
            game.loops.observe(position.states, game.record, seat, position.views)
            seen.update(position.views.tobytes())
        seen.update(json.dumps(legal, separators=(",", ":")).encode())
        if position.over:
            return [seen.hexdigest(), steps]
        position.apply(dealer.card(position) if position.to_act < 0 else legal[(17 * steps) % len(legal)])
        steps += 1


def test_a_game_of_another_package_with_hundreds_of_moves(engine, bids):
    described = engine.describe(bids)
    assert described["moves"] > 62
    assert described["secrets"]
    spec = described["presets"][0]["text"]
    seats = described["presets"][0]["seats"][0]
    assert engine.run([{"do": "wander", "spec": spec, "seats": seats, "seed": SEED}]) == [wandered(spec, seats)]
    names = ["careful", "random"][:seats] + ["random"] * (seats - 2)
    job = {"do": "simulate", "spec": spec, "names": names, "seed": SEED, "first": 3, "blocks": 20, "rotations": seats}
    assert engine.run([job]) == [rows_of(spec, names, 3, 20)]


def test_bots_in_python_are_refused(monkeypatch):
    game = load("flip7:numbers")
    monkeypatch.setattr(type(game), "bots", lambda self: {"random": RANDOM})
    refused = describe_bots(game, functions_of({"flip7:numbers": game}), {}, ParamTables())["refused"]
    assert {"name": "random", "why": "random is written in Python, not compiled"} in refused


def test_functions_that_a_browser_has_not_are_named():
    def logarithm(x: float) -> float:
        return np.log(x)

    unit = linking.Unit("logarithm", lowered(logarithm).lower(types.float64(types.float64)))
    assert unit.missing() == ["llvm.log.f64"]
    assert describe_function(unit.missing()) == "calls llvm.log.f64, which WebAssembly has not"


def test_what_this_process_has_compiled_for_this_machine_is_lowered_all_the_same():
    """As on a machine where nothing is compiled yet: Numba finds its own functions once for each target."""

    def first_of_copy(values):
        return values.copy()[0]

    assert njit(first_of_copy)(np.ones(3)) == 1  # not kept in the cache, so it is compiled here
    unit = linking.Unit("first", lowered(first_of_copy).lower(types.float64(types.Array(types.float64, 1, "C"))))
    assert unit.missing() == []


@pytest.mark.parametrize("name", GAMES)
def test_every_bot_is_there_or_refused_with_a_reason(engine, name):
    for preset in engine.describe(name)["presets"]:
        there, refused = (
            {each["name"] for each in preset["bots"]},
            {each["name"]: each["why"] for each in preset["refused"]},
        )
        known = {"flip7": {"mcts", "rollout", "tree"}, "show": {"cfr"}, "vengeance": {"rollout"}}[name]
        alone = {"winner", "hunter", "modeller"} if preset["seats"] == [1, 1] and name == "flip7" else set()
        learned = {"veteran"} if name == "flip7" and preset["text"] != "flip7:official" else set()
        assert refused.keys() == known | alone | learned
        assert all(" " in why for why in refused.values())
        assert {*preset["lineUp"]} <= there


@pytest.mark.parametrize(
    "name",
    [
        "stay-31",
        "bust-0.333",
        "bust-0.0000005",
        "cards-6",
        "ev+freeze-leader",
        "stay-40+freeze-risky",
        "winner",
        "modeller",
    ],
)
def test_a_page_can_seat_bots_with_any_number_and_rule(engine, name):
    (params,) = engine.run([{"do": "params", "spec": "flip7:official", "name": name}])
    assert params == bot(name, "flip7:official").params.tolist()


def test_records_are_read_by_their_layout(engine):
    jobs = [
        {"do": "read", "spec": "flip7:official", "seats": 3, "which": which} for which in ("state", "view", "rules")
    ]
    state, view, rules = engine.run(jobs)
    position = load("flip7:official").start(3)
    assert state == view == {name: position.states[0][name].tolist() for name in position.states.dtype.names}
    record = position.game.record[0]
    assert rules == {name: record[name].tolist() for name in record.dtype.names}


@pytest.mark.parametrize(
    ("attempt", "sentence"),
    [
        ("memory", "there is no memory left for flip7"),
        ("room", "flip7 needs more than the 16 MB of memory that it may have here"),
        ("thought", "flip7 needs more than the 16 MB of memory that it may have here"),
        ("seats", "flip7:official is for 2 to 18 seats, not 99"),
        ("preset", "there is no table flip7:officialx in flip7; there are flip7:official, "),
        ("bot", "there is no bot nobody at flip7:official; there are random, conservative, stay-N, "),
        ("seed", "x is not a seed; give a whole number from 0 up"),
        ("move", "-5 is not legal now; legal: "),
    ],
)
def test_the_engine_refuses_with_a_sentence(engine, attempt, sentence):
    (said,) = engine.run([{"do": "refusal", "spec": "flip7:official", "attempt": attempt}])
    assert said.startswith(sentence)


def test_what_bots_borrow_is_given_back(engine):
    names = ["winner", "oracle", "race", "modeller"]
    (used,) = engine.run([{"do": "steady", "spec": "flip7:official", "names": names, "times": 3}])
    assert used[0] == used[1] == used[2]


def test_without_a_linker_nothing_is_built(monkeypatch):
    monkeypatch.setattr(linking, "find_spec", lambda name: None)
    with pytest.raises(PitbossError, match=r"needs the linker wasm-ld; install it with: pip install 'pitboss\[page\]'"):
        linking.verify_linker()


def test_tables_are_kept_once():
    long = bot("winner", "flip7:official").params
    tables = ParamTables()
    assert tables.split(long)["table"] == tables.split(bot("hunter", "flip7:official").params)["table"] == 0
    told = tables.split(bot("modeller", "flip7:official").params)
    assert told["table"] == 0
    assert [*told["params"], *tables.arrays[0]] == bot("modeller", "flip7:official").params.tolist()
    assert len(tables.to_list()) == 1
    assert len(long) <= MOST_NUMBERS


def test_a_layout_says_where_fields_lie():
    game = load("flip7:numbers")
    fields = describe_layout(game.state_dtype)["fields"]
    assert fields["front"][1:] == ["b", [36, 22]]
    assert fields["left"][0] == game.state_dtype.fields["left"][1]

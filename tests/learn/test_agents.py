"""Agents as files and as bots."""

import json
import re

import numpy as np
import pytest

import pitboss
from pitboss import PitbossError
from pitboss.core.game import Game
from pitboss.core.registry import load
from pitboss.games.show.game import Show
from pitboss.learn import agent as agents
from pitboss.learn import net
from pitboss.learn.agent import NETWORK, TABLE, Agent, Sight, cells_of
from pitboss.learn.player import entrant
from pitboss.learn.report import CARD_GAMES
from pitboss.run.tables import LEARNER, Tables
from tests.asking import ask

SPECS = [
    "flip7:solo",
    "flip7:official",
    "flip7:tournament",
    "flip7:simulation",
    "flip7:numbers",
    "show:fair",
    "show:full",
]


def network(game, seed=0, hidden=8):
    """An agent that has learned nothing."""
    sight = Sight.of(game)
    weights = net.make(sight.state, sight.choice, hidden, np.random.default_rng(seed))
    return Agent(NETWORK, str(game), sight.encoding, {name: weights[name] for name in net.SCORER}, {"seed": seed})


def table(game, seed=0):
    values = np.random.default_rng(seed).standard_normal(cells_of(game)).astype(np.float32)
    return Agent(TABLE, str(game), "cells", {"values": values}, {})


@pytest.mark.parametrize("spec", SPECS)
def test_agents_play_legally_whatever_comes(spec):
    game = load(spec)
    made = [network(game, seed) for seed in range(2)]
    made += [table(game, seed) for seed in range(2)] if game.name == "flip7" else []
    for agent in made:
        for seats in {game.rules.seats[0], min(game.rules.seats[-1], 5)}:
            result = pitboss.simulate(game, [entrant(agent, game), *["random"] * (seats - 1)], games=100, seed=seats)
            assert result.games >= 100


@pytest.mark.parametrize("name", sorted(agents.shipped()))
def test_shipped_agents_play_legally_at_tables_of_any_size(name):
    game = load(agents.shipped()[name])
    for seats in game.rules.seats:
        assert pitboss.simulate(game, [f"agent:{name}", *["random"] * (seats - 1)], games=3 * seats, seed=1).games


def test_shipped_agents_are_small_and_have_pages():
    files = list(agents.SHIPPED.glob("*.npz"))
    assert len(files) >= 3
    assert sum(file.stat().st_size for file in files) < 2_000_000
    for file in files:
        page, about = file.with_suffix(".md").read_text(), agents.load(file.stem).about
        assert about["command"] in page
        for line in about["score"]:
            assert line["games"] >= CARD_GAMES
            assert line["what"] in page
        assert re.search(r"\(\S+ to \S+\)", page)


def test_a_compiled_agent_scores_as_the_network_that_learned():
    game = load("flip7:official")
    agent, sight = network(game, 3), Sight.of(game)
    tables = Tables(game, [LEARNER] * 4, 64, encoding=sight.encoding)
    tables.reset(seed=1)
    bot = entrant(agent, game)
    for _ in range(20):
        rows, actions = np.nonzero(tables.masks)
        seen = tables.observations
        batch = net.Batch(sight.states(seen), sight.choices(seen, rows, actions), rows, actions, tables.masks.shape[1])
        best = net.score(dict(agent.arrays), batch).logs.argmax(1)
        for i in range(0, 64, 16):
            state, seat = tables.position(i).states[0], tables.position(i).to_act
            move = ask(bot, game, state, seat)
            assert move == game.learning.move_of(int(best[i]), 4, seat)
        tables.step(best)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "mine.npz"
    network(load("flip7:solo")).save(path)
    return path


def refusal(path, spec="flip7:solo"):
    with pytest.raises(PitbossError) as found:
        pitboss.bot(f"agent:{path}", spec)
    return str(found.value)


def test_an_agent_reads_back(saved):
    game = load("flip7:solo")
    again, first = agents.load(str(saved)), network(game)
    assert (again.kind, again.game, again.encoding, again.about) == (
        first.kind,
        first.game,
        first.encoding,
        first.about,
    )
    for name, array in first.arrays.items():
        assert np.array_equal(again.arrays[name], array)
    assert pitboss.bot(f"agent:{saved}", game).version == agents.version(str(saved))


def test_an_agent_for_another_table_is_refused(saved):
    assert "has learned flip7:solo, and cannot play flip7:numbers" in refusal(saved, "flip7:numbers")
    assert "cannot play flip7:solo(target=100)" in refusal(saved, "flip7:solo(target=100)")


def test_no_file_is_refused(tmp_path):
    assert "unknown agent" in refusal(tmp_path / "none.npz")


def test_a_damaged_file_is_refused(saved):
    """Wherever it is damaged; only what an archive notes about itself, such as times, may be lost without harm."""
    data, first, refused, tried = saved.read_bytes(), network(load("flip7:solo")), 0, 0
    for place in range(0, len(data), 17):
        saved.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        tried += 1
        try:
            found = agents.load(str(saved))
        except PitbossError as problem:
            assert "cannot be used as an agent" in str(problem)
            refused += 1
        else:
            assert all(np.array_equal(found.arrays[name], array) for name, array in first.arrays.items())
    assert refused > 0.7 * tried


@pytest.mark.parametrize("size", [0, 1, 100, 2000])
def test_a_file_that_was_cut_off_is_refused(saved, size):
    saved.write_bytes(saved.read_bytes()[:size])
    assert "cannot be used as an agent" in refusal(saved)


def test_numbers_that_were_changed_are_refused(saved):
    arrays = agents.read_arrays(saved)
    arrays["bias"] = arrays["bias"] + 1
    agents.write_arrays(saved, arrays)
    assert "checksum" in refusal(saved)


def test_infinite_weights_are_refused(saved):
    agent = network(load("flip7:solo"))
    arrays = dict(agent.arrays) | {"bias": np.full(8, np.inf, np.float32)}
    Agent(agent.kind, agent.game, agent.encoding, arrays, {}).save(saved)
    assert "not all numbers" in refusal(saved)


def test_a_network_of_another_form_is_refused(saved):
    agent = network(load("flip7:solo"))
    arrays = dict(agent.arrays) | {"state": np.zeros((3, 8), np.float32)}
    Agent(agent.kind, agent.game, agent.encoding, arrays, {}).save(saved)
    assert "another form" in refusal(saved)


def test_another_format_is_refused(saved):
    arrays = agents.read_arrays(saved)
    facts = json.loads(arrays["about"].tobytes()) | {"format": 99}
    arrays["about"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    agents.write_arrays(saved, arrays)
    assert "format 99" in refusal(saved)


def test_code_in_a_file_is_never_run(saved):
    arrays = agents.read_arrays(saved)
    np.savez(saved, **{**arrays, "bias": np.array([print], object)})
    assert "cannot be used as an agent" in refusal(saved)


def test_an_agent_needs_views_that_tell_what_is_legal():
    """Without a word about learning, Show's would not: an agent that guesses would be ruled out for it."""

    class Silent(Show):
        name = "silent"
        make_learning = Game.make_learning

    game = Silent.parse("fair")
    with pytest.raises(PitbossError, match="views of silent:fair do not say what is legal, so no agent can play"):
        entrant(network(game), game)

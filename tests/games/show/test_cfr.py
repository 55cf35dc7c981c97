"""Learning near-equilibrium play: repeatable, and as good as it says."""

import numpy as np
import pytest

from pitboss import load, simulate
from pitboss.analysis import analysis_of
from pitboss.analysis.solve import solve
from pitboss.core.analysis import Problem
from pitboss.core.bot import Entrant
from pitboss.core.errors import PitbossError
from pitboss.core.registry import bot
from pitboss.games.show.bots import cfr, sets, training
from pitboss.games.show.worlds import imagine


@pytest.fixture(scope="module")
def small():
    """A table after a short training."""
    return training.learn(load("show:classic"), 150_000, seed=2)


def test_learning_is_repeatable(small):
    again = training.learn(load("show:classic"), 150_000, seed=2)
    assert (again.keys == small.keys).all()
    assert (again.chances == small.chances).all()
    assert (again.fine_keys == small.fine_keys).all()
    assert (again.fine_chances == small.fine_chances).all()
    other = training.learn(load("show:classic"), 150_000, seed=3)
    assert len(other) != len(small) or (other.chances != small.chances).any()


def test_threads_learn_together(small):
    """Not the same table, because none waits for another; but about as large and as good a one."""
    ours = training.learn(load("show:classic"), 150_000, seed=2, threads=3)
    assert 0.7 < len(ours.keys) / len(small.keys) < 1.4  # which sets are met depends on who learned what first
    assert len(set(ours.keys.tolist())) > 0.999 * len(ours.keys)
    one, three = (
        Entrant(n, function=t.player, params=t.params(), trusted=True) for n, t in (("1", small), ("3", ours))
    )
    (pair,) = simulate("show:classic", [three, one], games=20_000, seed=1).versus()
    assert abs(pair.difference.mean) < 0.1


def test_the_newest_table_keeps_what_is_met_most(monkeypatch, small):
    monkeypatch.setattr(cfr, "MOST_BROAD", 1000)
    few = training.learn(load("show:classic"), 150_000, seed=2)
    assert 900 < len(few.keys) < 1000
    assert set(few.keys.tolist()) <= set(small.keys.tolist())


@pytest.mark.parametrize("preset", ["fair", "full"])
def test_the_newest_table_beats_the_first(preset):
    (pair,) = simulate(f"show:{preset}", ["cfr", "cfr(version=1)"], games=600_000, seed=1).versus()
    assert pair.better == "cfr"


def test_tables_survive_the_disk(small, tmp_path):
    small.save(tmp_path / "t.npz")
    back = cfr.PolicyTable.load(tmp_path / "t.npz")
    assert (back.keys == small.keys).all()
    assert (back.chances == small.chances).all()
    assert (back.fine_keys == small.fine_keys).all()
    assert (back.params() == small.params()).all()
    assert (tmp_path / "t.npz").stat().st_size < 400_000


def test_a_short_training_already_beats_random_play(small):
    player = Entrant("cfr", function=small.player, params=small.params(), trusted=True)
    (pair,) = simulate("show:classic", [player, "random"], games=4000, seed=1).versus()
    assert pair.better == "cfr"


def test_slots_that_look_alike_are_alike():
    """The same cards in the other order are the same information set, with answers exchanged."""
    game = load("show:classic")
    a, b = game.start(2), game.start(2)
    for card in ("9h", "5d", "2s", "7c"):
        a.apply(card)
    for card in ("2s", "5d", "9h", "7c"):
        b.apply(card)
    for position, slot in ((a, 0), (b, 1)):
        position.apply(slot)
        position.apply(0)
        position.apply("*1")
        position.apply("keep")
    key_a, own_a, _ = sets.describe(a.view(0).record)
    key_b, own_b, _ = sets.describe(b.view(0).record)
    assert key_a == key_b
    assert own_a != own_b


def test_a_fine_set_remembers_what_the_opponent_threw_out():
    """The same cards in hand: after a king from its hand, or a two that it had drawn, the opponent holds others."""
    game = load("show:classic")
    keys = []
    for first in ("discard", "keep 0"):
        position = game.start(2)
        for word in ("Ks", "5d", "2s", "7c", "0", "0", "2h", *first.split(), "no", "9c"):
            position.apply(word)
        view = position.view(1).record
        key, own_turned, _ = sets.describe(view)
        keys.append((key, sets.refine(view, key, own_turned)))
    (one, fine), (other, finer) = keys
    assert one == other
    assert fine != finer
    assert fine // sets.FINER == one


def test_the_first_tables_can_still_be_played():
    for spec in ("show:fair", "show:classic", "show:full"):
        first = bot("cfr(version=1)", spec)
        assert first.function is cfr.cfr_bot
        assert len(first.params) <= len(bot("cfr", spec).params)
    with pytest.raises(PitbossError, match="no version 7 of cfr for show:fair"):
        bot("cfr(version=7)", "show:fair")
    with pytest.raises(PitbossError, match="is a number"):
        bot("cfr(version=old)", "show:fair")


def test_the_facts_for_people():
    """Classic is unfair by about 0.31 a game and over after a turn or so; fair is even and lasts six turns."""
    classic = solve(load("show:classic"), Problem(games=100_000, seed=5)).to_dict()
    fair = solve(load("show:fair"), Problem(games=100_000, seed=5)).to_dict()
    full = solve(load("show:full"), Problem(games=100_000, seed=5)).to_dict()
    assert 0.29 < classic["value"]["mean"] < 0.34
    assert 0.35 < full["value"]["mean"] < 0.40
    assert abs(fair["value"]["mean"]) < 0.015
    assert classic["turns_per_game"]["mean"] < 1.5 < 5 < fair["turns_per_game"]["mean"] < 7
    assert 0.61 < classic["players"][0]["wins"] < 0.66


def test_always_calling_at_once_is_worth_what_enumeration_says():
    """Known without powers: keeping well and always calling on turn one is worth +0.2965, whatever comes."""
    game = load("show:classic(ten=false, jack=false)")
    result = simulate(game, ["show-26", "random"], games=200_000, seed=3, rotate=False)
    value = result.sums.figure(game.figures[0], 0)
    assert value.low < 0.2965 + 0.004
    assert value.high > 0.2965 - 0.02


def test_imagined_worlds_are_even():
    """Each unseen card is equally likely in a hidden place."""
    game = load("show:classic(deck=A 2 3 4 5 6)")
    position = game.start(2)
    for word in ("A", "2", "3", "4", "0", "0"):
        position.apply(word)
    view = position.view(0)
    seen = np.zeros(55)
    world = np.zeros(1, game.state_dtype)
    for luck in range(6000):
        imagine(view.record, game.record[0], world[0], np.uint64(luck * 0x9E3779B9))
        seen[int(world["hand"][0, 1, 1])] += 1
    assert (abs(seen[2:7] - 1200) < 150).all()
    assert seen[1] == 0


def test_other_games_are_refused_politely():
    with pytest.raises(PitbossError, match="no near-equilibrium play of flip7:official"):
        analysis_of(load("flip7:official")).train(None, None, 1)


def test_training_writes_where_it_is_told(tmp_path):
    facts = analysis_of(load("show:classic")).train(tmp_path / "t.npz", 20_000, 1)
    assert facts.sets == len(cfr.PolicyTable.load(tmp_path / "t.npz"))
    (pair,) = simulate("show:classic", [f"cfr(file={tmp_path / 't.npz'})", "random"], games=4000, seed=1).versus()
    assert pair.difference.mean > 0
    with pytest.raises(PitbossError, match="say where to write the table: `out=FILE`"):
        analysis_of(load("show:classic")).train(None, 20_000, 1)

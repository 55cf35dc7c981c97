"""Every game has an observation that leaves nothing out: histories that differ in what a seat was told differ in what
it has observed at its decisions."""

import random
import runpy
from collections import defaultdict

import pytest

from pitboss import load
from pitboss.core.registry import game_classes

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install pitboss[rl]")
pytest.importorskip("PIL", reason="Pillow is not installed: pip install pitboss[rl]")

from pitboss.envs.observation import SeatObserver

FEW_KINDS = "show:fair(deck=A A A A A 2 2 2 2 2 10 10 J J)"
TABLES = [
    *((name, None) for name in game_classes(pytest.fail)),
    ("show:full(deck=A A 5 5 10 10 J J Q Q Ks Ks Kh Kh 2 2)", 2),
    (FEW_KINDS, 2),
    ("flip7:tournament", 3),
    ("flip7:solo", 1),
    ("flip7:simulation", 2),
]


def confused(spec, seats, encoding, prefixes=25, ways=40):
    """Pairs of histories that a seat has been told apart, and that look the same to it; and how many looked the same.

    A game is played up to a decision of the seat, which is made; then it goes on in many ways up to the next.
    """
    game, rng, alike = load(spec), random.Random(1), 0
    seats = seats or max(2, game.rules.seats[0])
    look = SeatObserver(game, seats, encoding, None, None)
    for _ in range(prefixes):
        position, wait = game.start(seats), rng.randrange(30)
        while not position.over and (wait > 0 or position.to_act < 0):
            position.apply(rng.choice(position.legal))
            wait -= 1
        if position.over:
            continue
        seat = position.to_act
        position.apply(rng.choice(position.legal))
        seen = defaultdict(list)
        for _ in range(ways):
            way, told = position.copy(), []
            while not way.over and way.to_act != seat:
                told += [event.seen_by(seat) for event in way.apply(rng.choice(way.legal))]
            if not way.over:
                view = way.view(seat).to_dict()  # of an open game, all that lies there
                story = sorted(map(repr, told)) if game.has_secrets else []
                seen[look(way, seat)[0].tobytes()].append((view, story))
        for first, *others in seen.values():
            for other in others:
                alike += 1
                if other != first:
                    return first, other
    assert alike > 20, "nothing looked the same, so nothing was compared"
    return None


def test_the_page_of_observations_is_up_to_date():
    script = runpy.run_path("docs/make_observations.py")
    assert script["PAGE"].read_text(encoding="utf-8") == script["page"](), "run python docs/make_observations.py"


@pytest.mark.parametrize(("spec", "seats"), TABLES)
def test_the_sufficient_observation_leaves_nothing_out(spec, seats):
    assert confused(spec, seats, load(spec).learning.sufficient) is None


@pytest.mark.parametrize(("spec", "encoding"), [(FEW_KINDS, "features"), (FEW_KINDS, "rich"), (FEW_KINDS, "tensor")])
def test_one_that_leaves_something_out_is_found(spec, encoding):
    assert confused(spec, 2, encoding) is not None


def observed(position, seat):
    game = position.game
    names = game.learning.encodings
    return {name: SeatObserver(game, position.seats, name, None, None)(position, seat)[0].tolist() for name in names}


def told_apart(one, two):
    return {name for name in one if one[name] != two[name]}


def test_flip_7_shows_who_holds_which_cards():
    rows = []
    for cards in ("1 5 4 hit 2 hit 7 hit 8", "1 4 5 hit 2 hit 8 hit 7"):
        position = load("flip7:numbers").start(3)
        for word in cards.split():
            position.apply(word)
        rows.append(observed(position, 0))
    assert told_apart(*rows) == {"complete"}


def test_show_tells_a_card_thrown_out_from_one_drawn_and_discarded():
    """Player 1 has looked at its slot 0, a 5♠: it goes to the graveyard, or another 5♠ does that was drawn."""
    rows = []
    for story in ("5s 3h 8s 9h 0 1 2h keep 0", "2h 3h 8s 9h 0 1 5s discard"):
        position = load("show:full(call_from_turn=1)").start(2)
        for word in (*story.split(), "0", "7c"):
            position.apply(word)
        rows.append(observed(position, 1))
    assert told_apart(*rows) == {"complete"}

"""What pitboss takes for granted about a game is said in a sentence where it does not hold."""

import numpy as np
import pytest

from pitboss import PitbossError, load
from pitboss.core import contract, events, leak
from pitboss.core.compile import compiled
from pitboss.core.game import Game, Position
from pitboss.core.learning import generic
from pitboss.games.flip7.game import Flip7
from pitboss.games.show.game import Show


@pytest.mark.parametrize(
    ("spec", "seats"), [("flip7:official(target=60)", 4), ("flip7:solo(target=60)", 1), ("show:full", 2)]
)
def test_our_games_keep_it(spec, seats):
    game = load(spec)
    contract.verify(type(game), game.name)
    seen = contract.check(game, seats, seed=1, games=4)
    assert seen["games"] == 4
    assert min(seen["cards"], seen["decisions"], seen["events"]) > 20
    assert ("views" in seen) == game.has_secrets


def test_a_class_is_told_all_that_it_lacks():
    class Half(Game):
        name = "half"

    lacks = (
        "Half is not a valid game: the method `words` is missing; `move_names` is missing, or the methods `format_move`"
    )
    with pytest.raises(PitbossError, match=lacks):
        contract.verify(Half, "half")

    class Careless(Show):
        state_dtype = np.dtype([("to_act", np.int32), ("left", np.int8, 3)])
        preset_about = {"fair": "as it is"}  # noqa: RUF012

    lacks = "its state has no decision, seats, ended, left_total; preset_about says nothing of classic, full"
    with pytest.raises(PitbossError, match=lacks):
        contract.verify(Careless, "show")


COLUMNS = Flip7.width


@compiled
def nowhere(s):
    return 7


@compiled
def too_much(s, rows):
    for seat in range(int(s["seats"])):
        rows[seat, 2] = 1 / int(s["seats"])
    rows[0, COLUMNS] = 1


@pytest.mark.parametrize(
    ("part", "said"), [({"where": nowhere}, "the same luck twice"), ({"tally": too_much}, "tally writes beyond its")]
)
def test_what_compiled_code_would_not_notice(part, said):
    class Strange(Flip7):
        name = "strange-" + "-".join(part)  # machine code is kept by name
        step = Flip7.step._replace(**part)

    with pytest.raises(AssertionError, match=said):
        contract.check(Strange.parse("numbers(target=20)"), 2, seed=1, games=1)


def test_more_events_than_there_is_room_for_are_an_error_and_no_broken_memory():
    whole = np.zeros((4, 4), np.int32)
    buffer = whole[:3]  # room for two, and a row that is not ours
    for kind in range(3):
        events.emit(buffer, kind, 0, 1, 2)
    assert not whole[3].any()
    with pytest.raises(PitbossError, match="one move caused 3 events, but most_events of the game is 2"):
        events.drain(buffer)
    events.emit(buffer, 1, 0, 5, 6)
    assert events.drain(buffer) == [[1, 0, 5, 6]]


def test_a_game_with_secrets_must_imagine(monkeypatch):
    game = load("show:fair")
    monkeypatch.delattr(Show, "imagine")
    with pytest.raises(PitbossError, match=r"show has secrets, so its class must define imagine"):
        contract.check(game, 2, games=1)


def test_secrets_that_nobody_keeps_are_found(monkeypatch):
    """A view that shows everything fits one world only: then there is nothing to compare."""
    latest = []
    original = Position.view

    def remembered(self, seat):
        latest[:] = [self]
        return original(self, seat)

    monkeypatch.setattr(Position, "view", remembered)
    monkeypatch.setattr(Show, "imagine", lambda self, view, luck: latest[0].copy())
    with pytest.raises(AssertionError, match="has secrets, but no view of a seat ever hid anything"):
        leak.check(load("show:fair"), 2, seed=1, games=1)


def test_what_is_legal_in_a_view_is_asked_of_the_rule_book_where_that_can_be():
    state = np.dtype([("to_act", np.int32), ("left", np.int8, 3)])
    covered = np.dtype([("to_act", np.int32), ("left", np.int8, 3), ("seat", np.int32)])
    smaller = np.dtype([("to_act", np.int32), ("seat", np.int32)])
    step = Flip7.step
    assert generic(step, state, covered, 3).legal is step.legal
    assert generic(step, state, smaller, 3).legal is None

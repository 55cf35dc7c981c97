"""Keys that make moves."""

import pytest

from pitboss import load
from pitboss.core.shortcuts import shortcuts
from tests.core.dice import Cups


def keys(position):
    view = position.view(position.to_act)
    names = ["Ann", "Bob", "Cy"]
    return shortcuts(position.game, view, [position.game.describe_move(view, move, names) for move in view.legal])


def betting(kind=Cups):
    """A position in which somebody bets 0, 1 or 2."""
    position = kind.parse("short").start(2)
    while position.to_act < 0:
        position.apply(position.legal[0])
    return position


def test_words_are_called_by_their_letters_or_places():
    position = load("flip7:solo").start(1)
    position.apply("hit")
    position.apply("5")
    assert keys(position) == [["s", "1"], ["h", "2"]]


def test_a_sign_that_stands_for_one_move_never_makes_another():
    """The first of these moves is 0: as the first, it would have the key 1."""
    assert keys(betting()) == [["0"], ["1"], ["2"]]
    show = load("show:fair").start(2)
    while show.to_act < 0:
        show.apply(show.legal[0])
    assert [some[-1] for some in keys(show)] == ["0", "1"]


def test_the_game_may_say_which():
    class Keyed(Cups):
        def key(self, move):
            return "xyz"[move]

    assert [some[0] for some in keys(betting(Keyed))] == ["x", "y", "z"]


@pytest.mark.parametrize("typed", ["h", "2"])
def test_keys_are_typed_in_the_terminal(pitboss_typed, typed):
    assert "hits" in pitboss_typed(typed)


@pytest.fixture
def pitboss_typed(monkeypatch, capsys):
    """What is printed when this is typed in a game alone."""

    def run(typed):
        import io
        import sys

        from pitboss.cli.app import main

        monkeypatch.setattr(sys, "argv", ["pitboss", "play", "flip7:solo", "--seats", "human", "--seed", "1"])
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\nquit\n"))
        with pytest.raises(SystemExit):
            main()
        return capsys.readouterr().out

    return run

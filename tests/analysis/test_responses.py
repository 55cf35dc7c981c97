"""The best answer that is found without a tree is the one that is found on it."""

import pytest

from pitboss import load
from pitboss.analysis.trees import responses
from pitboss.analysis.trees.policy import best_response_value, policy_of_bot
from pitboss.analysis.trees.responses import best_response
from pitboss.analysis.trees.tree import SolveError, build
from pitboss.core.registry import bot

CARDS = "show:classic(deck=* * A A 3 3)"
POWERS = "show:full(deck=* A J Q Kh)"  # a seat that knew neither card of an exchange sees it happen and nothing else


@pytest.mark.parametrize("spec", [CARDS, POWERS])
def test_it_is_the_best_answer_on_the_tree(spec):
    """Against a bot that makes every move, each information set is met."""
    game = load(spec)
    tree, found = build(game), [best_response(game, bot("random", game), seat) for seat in (0, 1)]
    policy = policy_of_bot(tree, "random")
    for seat in (0, 1):
        assert found[seat].value == pytest.approx(best_response_value(tree, seat, policy), abs=1e-9)
        assert found[seat].sets == (tree.set_seat == seat).sum()
        assert found[seat].positions == tree.nodes - 1


def test_an_event_that_nobody_had_met_is_learned(monkeypatch):
    monkeypatch.setattr(responses, "GAMES", 0)
    game = load(CARDS)
    assert best_response(game, bot("random", game), 0).value == pytest.approx(0.3777777777)


def test_a_game_that_is_too_large_says_what_to_do(monkeypatch):
    monkeypatch.setattr(responses, "DEPTH", 5)
    game = load(CARDS)
    with pytest.raises(SolveError, match="too large for the best answer to a bot"):
        best_response(game, bot("random", game), 0)

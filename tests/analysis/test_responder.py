"""A local best response wins more than the bot it knows, and never more than the best answer."""

import pytest

from pitboss import load
from pitboss.analysis.solve import BestAnswer, LowerBound, solve
from pitboss.core.analysis import Problem
from pitboss.core.errors import PitbossError

SMALL = "show:classic(deck=* * A A 3 3)"


def bound(spec, against, games=800):
    found = solve(load(spec), Problem(objective="bound", against=against, games=games))
    assert isinstance(found, LowerBound)
    return found


def test_it_wins_no_more_than_the_best_answer_and_nearly_as_much():
    """Who saw what is hidden would win more than that."""
    best = solve(load(SMALL), Problem(against="show-0"))
    assert isinstance(best, BestAnswer)
    found = bound(SMALL, "show-0")
    for mine, most in zip(found.values, best.values, strict=True):
        assert mine.low < most
    exploitable = sum(best.values) / 2
    assert found.value.high > 0.7 * exploitable
    assert found.value.low < exploitable
    assert found.value.low > 0
    assert found.others > 0


def test_the_whole_deck_and_what_is_said():
    found = bound("show:fair", "show-2", games=100)
    assert found.value.low > 0
    assert found.to_dict()["exploitability_at_least"]["mean"] == found.value.mean
    assert bound("show:fair", "show-2", games=100) == found
    assert "show-2 is exploitable by +0." in found.report()[-1]


def test_what_it_cannot_answer_is_refused(tmp_path):
    (tmp_path / "bot.py").write_text(
        "from pitboss.show import ShowBot\n\n\nclass Mine(ShowBot):\n    def decide(self, view):\n        return 0\n"
    )
    with pytest.raises(PitbossError, match="needs a compiled bot"):
        solve(load("show:fair"), Problem(objective="bound", against=f"{tmp_path}/bot.py:Mine"))

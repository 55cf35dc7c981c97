"""What the first command of a game leaves to compile is compiled behind it, once, and only if it had to compile."""

import pytest

from pitboss.analysis import precompile
from pitboss.core.code_cache import COMPILING
from pitboss.core.registry import load
from pitboss.run import quick


@pytest.fixture
def started(monkeypatch):
    """What would be started; tests are quiet, so that nothing is."""
    calls = []
    monkeypatch.setattr(precompile, "start", lambda *words, **_: calls.append(words))
    monkeypatch.delenv("PITBOSS_QUIET", raising=False)
    return calls


def test_a_command_that_compiled_has_the_rest_compiled(started, monkeypatch):
    load("show")
    monkeypatch.setattr(COMPILING, "happened", True)
    precompile.in_background()
    ((module, *names),) = started
    assert module == "pitboss.analysis.precompile"
    assert "show" in names


@pytest.mark.parametrize(("happened", "quiet"), [(False, ""), (True, "1")])
def test_others_start_nothing(happened, quiet, started, monkeypatch):
    load("show")
    monkeypatch.setattr(COMPILING, "happened", happened)
    monkeypatch.setenv("PITBOSS_QUIET", quiet)
    precompile.in_background()
    assert started == []


def test_what_is_compiled_is_not_compiled_again(monkeypatch, tmp_path):
    """By several processes that wait for one another."""
    done = []
    monkeypatch.setattr(quick, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(precompile, "precompile", done.append)
    for _ in range(2):
        precompile.compile_all(["show"])
    assert done == ["show"]
    assert quick.is_ready("simulate", "show")


@pytest.mark.parametrize("name", ["flip7", "show", "vengeance"])
def test_everything_that_a_game_needs_can_be_called(name):
    precompile.precompile(name)

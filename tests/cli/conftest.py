"""Running commands as people do."""

import io
import sys

import pytest

from pitboss.cli.app import main

BOT = """
from pitboss.flip7 import HIT, STAY, Flip7Bot

class Careful(Flip7Bot):
    def hit_or_stay(self, view):
        return HIT if view.points < {limit} else STAY
"""


@pytest.fixture
def pitboss(monkeypatch, capsys):
    """Run a command: exit code, standard output, standard error."""

    def run(*args, typed=""):
        monkeypatch.setattr(sys, "argv", ["pitboss", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            main()
            code = 0
        except SystemExit as leave:
            code = leave.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def good(pitboss):
    """Run a command that must succeed; what it printed."""

    def run(*args, typed=""):
        code, out, err = pitboss(*args, typed=typed)
        assert (code, err) == (0, "")
        return out

    return run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A test in a folder of its own, where pitboss.db will be."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path

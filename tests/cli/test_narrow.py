"""Narrow terminals: whatever has to go, the names of the bots stay."""

import io
import os

import pytest

from pitboss import Tournament, simulate
from pitboss.cli import results
from pitboss.cli.screen import Screen
from pitboss.cli.standings import print_standings, print_tournaments, running
from pitboss.tournament.progress import Progress

BOTS = "stay-25,conservative,ev"


@pytest.fixture(scope="module")
def tournament():
    made = Tournament("flip7:tournament(target=60)", BOTS, blocks=2, seed=1)
    made.play(workers=1)
    return made


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_names_are_whole_in_every_table(tournament, columns, monkeypatch, capsys):
    monkeypatch.setitem(os.environ, "COLUMNS", str(columns))
    print_standings(tournament.standings(), None, json=False)
    table = capsys.readouterr().out
    assert ("strength" in table) == (columns > 40)
    print_tournaments([tournament.store.tournament("latest")])
    results.show([simulate("flip7:tournament(target=60)", BOTS, games=60, seed=1)], None, 60, "1")
    others = capsys.readouterr().out
    screen = Screen(file=io.StringIO(), width=columns)
    screen.print(running(Progress(5, 0, 10, 9, 1.0, dict.fromkeys(BOTS.split(","), (0.5, 3))), screen))
    for name in BOTS.split(","):
        for text in (table, others, screen.file.getvalue()):
            assert name in text
    rows = [line for text in (table, screen.file.getvalue()) for line in text.splitlines() if "conservative  " in line]
    assert rows
    assert max(map(len, rows)) <= columns


def test_a_screen_shows_what_it_is_told_and_obeys_nobody():
    screen = Screen(file=io.StringIO(), width=80, force_terminal=True, highlight=False)
    screen.print("[bold]a\x1b]0;owned\x07b\x9bc[/]")
    text = screen.file.getvalue()
    assert "\x1b]" not in text
    assert "\x9b" not in text
    assert "a\\x1b]0;owned" in text
    assert "\x1b[1m" in text  # what is ours

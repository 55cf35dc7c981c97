"""`pitboss advise --live` as a person at a table uses it."""

import json
import os
import pty
import re
import select
import subprocess
import sys

import pytest

SPEC = "flip7:official(modifiers=false, target=30)"
TABLE = ("advise", SPEC, "--live", "--names", "ann,bob,me", "--me", "2", "--totals", "12,16,9")


def test_a_table_is_followed(good):
    out = good(*TABLE, typed="12 5 3\ns\n5\nundo\n4\nfz\nbob\nhelp\n\nquit\n")
    assert "ann: opening card?" in out
    assert "bob: card, or s to stay?" in out
    assert "bob busts on a second 5" in out
    assert "Taken back: 5" in out
    assert "me: who gets the Freeze? (bob, me)" in out
    assert re.search(r"Put the fz on (bob|me) \(\d+\.\d% to win\); (me|bob) \(", out)
    assert "chance to win" in out
    assert "bob is frozen by me and banks 9" in out
    assert "The next card busts you with probability 2.4%: 2 of 83 cards" in out
    assert "hit is best" in out
    assert "If you had to hit or stay: " in out
    assert "shuffle    the discards go back" in out
    assert out.rstrip().endswith("The game is left unfinished.")


def test_what_is_impossible_is_refused_and_changes_nothing(good):
    out = good(*TABLE, typed="2 2\n2\n7\n")
    assert "no 2 is left in the deck: all 2 2 are 1 with ann, 1 with bob" in out
    assert "me gets 7" in out  # the third card of the opening deal is still due
    assert "left unfinished" in out  # where the input ends


def test_out_of_the_round_and_to_the_end(good):
    out = good("advise", "flip7:numbers(target=30)", "--live", "--totals", "25,0", typed="6 5 6\ns\n6 7\nundo\nq\n")
    assert re.search(r"You are out of this round with 0 points, and win with probability \d+\.\d%\.", out)
    assert "A scores 5, total 5" in out
    out = good("advise", "flip7:numbers(target=30)", "--live", "--totals", "25,0", typed="6 5 s s\nquit\n")
    assert "me wins with 31 points" in out
    assert "The game is over: undo or quit?" in out
    assert "left unfinished" not in out


def test_a_line_of_json_for_each_line_typed(good):
    lines = good(*TABLE, "--json", typed="12 5 3\nx9\nu\nquit\n").splitlines()
    first, second, third = map(json.loads, lines)
    assert first["told"][0] == "ann gets 12"
    assert first["due"] == "ann: card, or s to stay?"
    assert first["advice"]["hand"] == ["3"]
    assert first["advice"]["risk"] == 2 / 85
    assert second["refused"].startswith("'x9' is neither a card")
    assert "advice" not in second
    assert third["refused"] is None
    assert third["due"] == "me: opening card?"


@pytest.mark.parametrize(("typed", "code"), [(b"12 5\rq\r", 0), (b"12 5\r\x03", 130)])
def test_in_a_terminal_nothing_is_drawn_twice(typed, code):
    """A real terminal: while others play, no table is drawn, and Ctrl-C leaves without a traceback."""
    ours, theirs = pty.openpty()
    arguments = [sys.executable, "-c", OF_A_TERMINAL, "advise", "flip7:numbers(target=30)", "--live", "--totals", "0,0"]
    with subprocess.Popen(
        arguments, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        start_new_session=True,
    ) as running:  # fmt: skip
        os.close(theirs)
        seen = until(ours, b"opening card?")
        os.write(ours, typed[: typed.index(b"\r") + 1])
        seen += until(ours, b"card, or s to stay?")
        try:
            seen += until(ours, b"left unfinished", again=typed[typed.index(b"\r") + 1 :])
            assert running.wait(60) == code
        finally:
            running.kill()
    os.close(ours)
    assert seen.count(b"cards in the deck") == 2  # at first, and where the person has to decide
    assert b"\x1b[2J" not in seen
    assert b"Traceback" not in seen


# The process itself makes the terminal on standard input the one whose Ctrl-C reaches it: between fork and exec no
# Python should run in the child of a process with threads. And it hears Ctrl-C even if who started it did not.
OF_A_TERMINAL = """
import fcntl, signal, termios
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from pitboss.cli.app import main
main()
"""


def until(terminal, text, again=b""):
    """Read until a text was shown. `again` is typed at first, and once more whenever nothing happens for a while: a
    Ctrl-C that comes while machine code is made can be lost, as if it had not been pressed."""
    seen = b""
    for _ in range(24):
        os.write(terminal, again)
        while select.select([terminal], [], [], 5)[0]:
            seen += os.read(terminal, 4096)
            if text in seen:
                return seen
    raise AssertionError(f"{text!r} was never shown: {seen!r}")

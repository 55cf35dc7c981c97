"""A tournament killed at any moment and resumed has the table of one that was not.

The driver is a process of its own and is really killed (SIGKILL): a hundred times at random moments,
and a dozen times inside a commit, when all rows are written and the transaction is still open.
"""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from pitboss.tournament.store import Store
from pitboss.tournament.tournament import Tournament

CUP = {
    "spec": "flip7:tournament",
    "bots": "random,conservative,stay-25,bust-0.25,ev",
    "best_of": 3,
    "blocks": 12,
    "seed": 9,
}

# Forks a driver for every line it reads: a store, the save inside whose commit it kills itself (0: none), workers.
LAUNCHER = """
import os, signal, sys
from sqlalchemy import event
from pitboss.tournament import tournament
from pitboss.tournament.store import Store

tournament.COMMIT_SECONDS = 0.0  # as many commits as can be

def drive(path, deadly, workers):
    store, saves = Store(path), 0

    @event.listens_for(store.engine, "before_cursor_execute")
    def count(connection, cursor, statement, *_):
        nonlocal saves
        saves += statement.startswith("UPDATE tournaments")  # the last of a save: all rows are written, none committed
        if deadly and saves == deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    tournament.Tournament.open("cup", store).play(workers=workers)

for line in sys.stdin:
    path, deadly, workers = line.split()
    pid = os.fork()
    if pid == 0:
        drive(path, int(deadly), int(workers))
        os._exit(0)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


class Launcher:
    """Runs drivers that can be killed, without paying for imports each time."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PITBOSS_QUIET": "1"},
        )  # fmt: skip

    def drive(self, path, deadly=0, workers=1, kill_after=None):
        """One run; its exit code."""
        print(path, deadly, workers, file=self.process.stdin, flush=True)
        pid = int(self.process.stdout.readline())
        if kill_after is not None:
            time.sleep(kill_after)
            with contextlib.suppress(ProcessLookupError):  # it was through
                os.kill(pid, signal.SIGKILL)
        return int(self.process.stdout.readline())


@pytest.fixture(scope="module")
def launcher():
    launcher = Launcher()
    yield launcher
    launcher.process.communicate()


def make(path):
    Tournament(**CUP, store=str(path), id="cup").store.close()


def content(path):
    """All rows of all tables but what may differ: when it began."""
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = ("entries", "sittings", "matches", "games", "results", "faults")
        return {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3").fetchall() for name in tables}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "games.db"
    make(path)
    Tournament.open("cup", str(path)).play()
    return content(path)


@pytest.mark.parametrize("seed", range(5))
def test_killed_at_random_moments(tmp_path, undisturbed, launcher, seed):
    kills, path, luck = 0, tmp_path / "games.db", random.Random(seed)
    make(path)
    while kills < 20:
        code = launcher.drive(path, kill_after=luck.uniform(0.0, 0.3))
        assert code in (0, -signal.SIGKILL)
        kills += code != 0
        if not Store(str(path)).left("cup"):  # it came through: check, and begin anew
            Tournament.open("cup", str(path)).play()
            assert content(path) == undisturbed
            path = tmp_path / f"games{kills}.db"
            make(path)
    Tournament.open("cup", str(path)).play()
    assert content(path) == undisturbed


def test_killed_inside_commits(tmp_path, undisturbed, launcher):
    path = tmp_path / "games.db"
    make(path)
    for deadly in [1, 2] * 6:
        before = Store(str(path)).left("cup")
        assert launcher.drive(path, deadly) == -signal.SIGKILL
        after = Store(str(path)).left("cup")
        assert (after == before) == (deadly == 1)  # what was being committed is gone, what was committed is not
    assert launcher.drive(path) == 0
    assert content(path) == undisturbed


def test_killed_with_workers(tmp_path, undisturbed, launcher):
    path, luck = tmp_path / "games.db", random.Random(6)
    make(path)
    for _ in range(4):
        assert launcher.drive(path, workers=2, kill_after=luck.uniform(0.5, 2.5)) in (0, -signal.SIGKILL)
    assert launcher.drive(path, workers=2) == 0
    assert content(path) == undisturbed

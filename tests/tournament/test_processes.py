"""The processes of bots: none outlives its game or its referee, and none takes what no limit counts."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pitboss import play
from pitboss.core.bot import Bot
from pitboss.core.keys import Key
from pitboss.sandbox.limits import Ending, Limits
from pitboss.tournament.referee.seats import Referee
from tests.tournament.tables import EXAMPLES, GAME, TIGHT, ZOO, clean, endings, guarded, printed, seated, tight


def test_no_process_and_no_descriptor_leaks(file):
    with clean(), Referee(GAME, TIGHT) as referee:
        seats = seated(referee, f"{file}:Lucky", f"{file}:quick", ZOO / "nonsense.py:Raises")
        counts = []
        for deal in range(150):
            play(GAME, [], seed=1, deal=deal, seats=seats, faults=True)
            counts.append(len(os.listdir("/proc/self/fd")))
        assert len(set(counts)) == 1
        other = seated(referee, f"{file}:Lucky", "ev")
        play(GAME, [], seed=1, seats=other)
        assert len(os.listdir("/proc/self/fd")) == counts[0]


@pytest.mark.parametrize("victim", ["zygote", "template"])
def test_processes_that_are_killed_from_outside_cost_one_game(file, victim):
    """As the system does for want of memory: the game goes on without them, and the next one as ever."""
    with tight(limits=Limits(start=60.0)) as referee:
        seats = seated(referee, f"{file}:Lucky", "cmd:python " + str(EXAMPLES / "lines.py"))
        play(GAME, [], seed=1, seats=seats)

        def kill(position, events):
            if position.to_act == 0 and position.over is False and not killed:
                template = referee.template(seats.contestants[0])
                pid = referee.supervisor.pid if victim == "zygote" else template._sandbox.pid
                handle = os.pidfd_open(pid)
                os.kill(pid, signal.SIGKILL)
                killed.append(bool(select.select([handle], [], [], 30)[0]))
                os.close(handle)

        killed = []
        play(GAME, [], seed=1, seats=seats, faults=True, watch=kill)
        assert killed == [True]
        assert endings(seats) <= {Ending.CRASH, Ending.MEMORY}
        play(GAME, [], seed=1, seats=seats)
        assert seats.faults == []


def test_memory_that_no_limit_counts_is_not_given(referee):
    _, seats = guarded(referee, f"cmd:python {ZOO / 'maps.py'}")
    assert seats.faults == []
    assert set(printed(seats).split()) == {"refused"}


def test_when_memory_runs_out_bots_go_first(referee, file):
    first = Path("/proc/self/oom_score_adj").read_text()
    seats = seated(referee, f"{file}:Lucky", "cmd:python " + str(EXAMPLES / "lines.py"))
    seats.start(Key.from_seed(1), 0, 0)
    for guest in seats.guests.values():
        assert Path(f"/proc/{guest.process.pid}/oom_score_adj").read_text() == "1000\n"
    seats.leave()
    assert Path("/proc/self/oom_score_adj").read_text() == first != "1000\n"


KILLED = """
import sys, time
from tests.tournament.tables import *
referee = Referee(GAME, Limits(decision=60.0))
seats = seated(referee, ZOO / "infinite_loop.py", "ev")
print("ready", flush=True)
play(GAME, [], seed=1, seats=seats)
"""


def test_a_referee_that_is_killed_takes_its_bots_with_it():
    from tests.tournament.tables import descendants

    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])},
    ) as process:  # fmt: skip
        assert process.stdout.readline() == b"ready\n"
        while len(started := descendants(process.pid)) < 3:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    until = time.monotonic() + 30
    while any(os.path.exists(f"/proc/{pid}") for pid in started):
        assert time.monotonic() < until, "they run on"
        time.sleep(0.05)


def test_a_referee_without_strangers_starts_no_process():
    with clean(), Referee(GAME) as referee:
        before = os.listdir("/proc/self/fd")
        play(GAME, [], seed=1, seats=seated(referee, "ev", "stay-20"))
        assert os.listdir("/proc/self/fd") == before


def test_bots_that_are_told_nothing_inherit_it_from_the_base(referee, file):
    """Which the fast path relies on."""
    assert Bot.wants_events is False
    assert seated(referee, f"{file}:quick", "ev").tells_end

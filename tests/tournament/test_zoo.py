"""Hostile bots: each ends as it should, the game goes on, and the others get what they would have had."""

import os
import random
import shutil
import statistics
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from pitboss import load, play
from pitboss.core.cache_folder import cache_folder
from pitboss.core.keys import Key
from pitboss.sandbox import doctor
from pitboss.sandbox.limits import Ending, Limits
from tests.tournament.tables import GAME, HASTY, TIGHT, ZOO, descendants, endings, guarded, printed, seated, tight

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="Linux shuts bots in")


@pytest.mark.parametrize(
    ("bot", "ending", "text"),
    [
        ("infinite_loop.py", Ending.TIMEOUT, "it used"),
        ("c_loop.py", Ending.TIMEOUT, "it used"),
        ("sleeper.py", Ending.STALL, "it did not answer for"),
        ("swallower.py", Ending.TIMEOUT, "it used"),
        ("exits.py:Exits", Ending.CRASH, "SystemExit(3)"),
        ("exits.py:ExitsAtOnce", Ending.CRASH, "exit code 7"),
        ("exits.py:Aborts", Ending.CRASH, "by signal"),
        ("exits.py:ExitsInStart", Ending.CRASH, "exit code 7"),
        ("raises_in_import.py", Ending.EXCEPTION, "does not import: RuntimeError: not today"),
        ("hangs_in_import.py", Ending.TIMEOUT, "it used"),
        ("exits_in_import.py", Ending.CRASH, "its process ended"),
        ("lingers.py", Ending.EXCEPTION, "can't start new thread"),
        ("nonsense.py:Nonsense", Ending.ILLEGAL, "which is no move"),
        ("nonsense.py:Raises", Ending.EXCEPTION, "ZeroDivisionError: once too often (line "),
        ("nonsense.py:RaisesStrangely", Ending.EXCEPTION, "it raised Strange, and then Strange"),
        ("glutton.py:Glutton", Ending.MEMORY, "MemoryError"),
        ("forks.py:Fork", Ending.EXCEPTION, "PermissionError"),
        ("late.py:Late", Ending.TIMEOUT, "it used"),
        ("late.py:Twice", Ending.PROTOCOL, "answer"),
        ("late.py:Garbage", Ending.PROTOCOL, "bytes"),
        ("late.py:Huge", Ending.PROTOCOL, "bytes"),
        ("late.py:HangsUp", Ending.PROTOCOL, "it hung up"),
        ("late.py:Ponders", Ending.EXCEPTION, "can't start new thread"),
        ("late.py:Beyond", Ending.ILLEGAL, "is not legal"),
        (f"late.py:Beyond(answer={-(1 << 63)})", Ending.ILLEGAL, "is not legal"),
        ("misleads.py", Ending.STALL, "did not make one"),
        ("overstates.py", Ending.PROTOCOL, "something else than it was asked"),
    ],
)
def test_each_ends_as_it_should(referee, bot, ending, text):
    with tight(limits=HASTY) if ending == Ending.STALL else nullcontext(referee) as judge:
        record, seats = guarded(judge, ZOO / bot)
    assert endings(seats) == {ending}
    assert all(seat == 0 for _, seat, _, _ in seats.faults)
    assert text in seats.faults[0][3]
    assert record.outcome.ended == "won"
    assert record.outcome.shares[0] == 0


THREADS = replace(TIGHT, allow=("threads",))


@pytest.mark.parametrize(
    ("bot", "ending", "text"),
    [
        ("lingers.py", Ending.PROTOCOL, "it left a thread running"),
        ("late.py:Ponders", Ending.TIMEOUT, "it used"),
        ("misleads.py", Ending.STALL, "did not make one"),
    ],
)
def test_each_ends_as_it_should_where_threads_are_allowed(bot, ending, text):
    with tight(limits=replace(THREADS, wall=HASTY.wall) if ending == Ending.STALL else THREADS) as referee:
        _, seats = guarded(referee, ZOO / bot)
    assert endings(seats) == {ending}
    assert text in seats.faults[0][3]


def test_a_thread_that_is_left_running_later_is_found_too():
    with tight(limits=THREADS) as referee:
        seats = seated(referee, ZOO / "lingers_later.py", "ev")
        for deal in range(2):
            play(GAME, [], seed=3, deal=deal, seats=seats, faults=True)
    assert endings(seats) == {Ending.PROTOCOL}
    assert "it left a thread running" in seats.faults[0][3]


@pytest.mark.parametrize(
    "bot", ["forks.py:Forks", "reaches_out.py", "reads.py", "writes.py", "kills.py", "corrupts.py"]
)
def test_what_they_try_is_refused_and_they_play_on(referee, bot):
    _, seats = guarded(referee, ZOO / bot)
    assert seats.faults == []
    said = printed(seats)
    assert "refused" in said
    assert "worked" not in said


def test_a_bot_can_read_its_own_file(referee):
    assert "own file: Reads" in printed(guarded(referee, ZOO / "reads.py")[1])


def test_who_allows_threads_can_have_them():
    with tight(limits=THREADS) as referee:
        assert "threads work" in printed(guarded(referee, ZOO / "forks.py:Threads")[1])


def test_memory_that_is_taken_bit_by_bit_ends_too():
    with tight(limits=Limits(decision=60.0, memory=1 << 28)) as referee:
        _, seats = guarded(referee, ZOO / "glutton.py:Nibbler")
    assert endings(seats) == {Ending.MEMORY}


@pytest.mark.parametrize("limits", [TIGHT, THREADS], ids=["refused", "allowed"])
def test_threads_are_not_given_without_end(limits):
    if "start threads without end" in doctor.examine().open:
        pytest.skip("here threads of a bot are not counted apart")
    with tight(limits=limits) as referee:
        _, seats = guarded(referee, ZOO / "multiplies.py")
    assert seats.faults == []
    assert set(printed(seats).split()) == {"refused"}


def test_nonsense_of_every_kind_is_illegal():
    """A game of more than fourteen rounds: each kind of answer comes up."""
    with tight(load("flip7:tournament(target=500)")) as referee:
        _, seats = guarded(referee, ZOO / "nonsense.py:Nonsense")
    assert endings(seats) == {Ending.ILLEGAL}
    assert len(seats.faults) > 14


def test_a_gigabyte_is_read_and_almost_all_of_it_dropped():
    with tight(limits=Limits(decision=60.0, output=1000)) as referee:
        _, seats = guarded(referee, ZOO / "gigabyte.py")
    assert seats.faults == []
    assert 1000 <= len(printed(seats)) < 1100
    assert "\x1b" not in printed(seats)


def test_patching_pitboss_changes_nothing_outside(referee):
    record, seats = guarded(referee, ZOO / "patches.py")
    assert seats.faults == []
    assert max(record.outcome.scores) >= 40


def test_nothing_is_remembered_and_luck_is_the_games_own(referee):
    said = [printed(guarded(referee, ZOO / "remembers.py", deal=deal)[1]) for deal in (0, 1, 0)]
    assert all(text.startswith("before: 0\nluck: 0.") for text in said)
    assert said[0] == said[2] != said[1]
    lucks = said[0].splitlines()[1].split()[1:] + said[1].splitlines()[1].split()[1:]
    assert len(set(lucks)) == 8


def test_nothing_is_found_of_the_last_game_in_what_the_kernel_keeps(referee):
    for deal in range(3):
        _, seats = guarded(referee, ZOO / "hoards.py", deal=deal)
        assert seats.faults == []
        assert printed(seats).startswith("found: []")


def test_what_a_game_leaves_behind_no_other_game_can_see(referee):
    """No counter, no number and no other process is seen, and what is seen is the same in every game."""
    if not referee.supervisor.apart:
        pytest.skip("this machine allows no namespaces")
    said = [printed(guarded(referee, ZOO / "leaks.py:Leaks", deal=deal)[1]) for deal in range(3)]
    assert not [line for text in said for line in text.split("\n") if line.startswith("sees")]
    assert said[0].startswith("same host")
    assert len(set(said)) == 1


def test_files_take_no_longer_to_read_in_a_game_that_reads_them_first(tmp_path):
    """What bots can read is in memory before anybody plays: as long as a disk takes, nothing takes."""
    with tight(limits=Limits(start=60.0, output=100_000)) as referee:
        said = [printed(guarded(referee, ZOO / "leaks.py:Times", deal=deal)[1]) for deal in range(4)]
    first, *later = [[int(word) for word in text.split("\n")[0].split()[1:]] for text in said]
    assert len(first) > 50
    assert statistics.median(first) < 10 * statistics.median(map(min, zip(*later, strict=True)))


def test_the_process_that_games_come_from_plays_none_of_them(referee):
    for deal in range(2):
        _, seats = guarded(referee, ZOO / "plays_on.py", deal=deal)
        assert seats.faults == []
        assert "remembers" not in printed(seats)
        assert seats.cpu[0][1] > 0


def test_two_at_a_table_cannot_whisper():
    with tight(limits=THREADS) as referee:
        seats = seated(referee, ZOO / "whispers.py:Listens", ZOO / "whispers.py:Whispers")
        play(GAME, [], seed=3, seats=seats, faults=True)
    assert seats.faults == []
    assert set(printed(seats).split("\n")) == {"heard: 0", "woken: 0", ""}


@pytest.mark.parametrize("limits", [TIGHT, THREADS], ids=["no threads", "threads"])
def test_nobody_gets_the_place_of_another_seat(limits):
    """The same bot at two seats has a process at each, and the one that asks for the other's files is told no."""
    with tight(limits=replace(limits, start=10.0)) as referee:
        seats = seated(referee, *[ZOO / "impersonates.py"] * 3)
        play(GAME, [], seed=3, seats=seats, faults=True)
    assert seats.faults == []
    assert "worked" not in printed(seats)


def test_who_works_while_others_are_asked_is_stopped_when_its_own_time_is_spent():
    with tight(limits=Limits(decision=0.2, start=5.0, wall=60.0, allow=("threads",))) as referee:
        seats = seated(referee, ZOO / "late.py:Steals", ZOO / "late.py:Waits")
        stopped = []  # before it is asked, and at fault

        def look(position, _):
            if position.to_act == 0 and not seats.faults:
                stopped.append(seats.guests[0].process is None)

        play(GAME, [], seed=3, seats=seats, faults=True, watch=look)
    assert endings(seats) == {Ending.TIMEOUT}
    assert {seat for _, seat, _, _ in seats.faults} == {0}
    assert stopped[-1]


# As fresh as `Key.fresh()` makes them, but the same in every run: a short seed may fit five cards of one by chance.
LONG_KEYS = [Key(random.Random(n).getrandbits(128)) for n in range(3)]


def test_a_short_seed_can_be_guessed_and_a_fresh_key_cannot():
    bot = ZOO / "guesses_seeds.py"
    with tight(load("flip7:tournament"), Limits()) as referee:
        assert "found the seed" in printed(guarded(referee, bot, ["stay-20"], seed=17)[1])
        said = [printed(guarded(referee, bot, ["stay-20"], seed=key)[1]) for key in LONG_KEYS]
    assert all(set(text.split("\n")) == {"no seed explains it", ""} for text in said)


def test_the_key_is_nowhere_to_be_found(referee):
    said = printed(guarded(referee, ZOO / "brings_the_seed.py", seed=Key.fresh())[1])
    assert set(said.split("\n")) == {"found: []", ""}


def test_the_whole_zoo_leaves_nothing_running():
    before = descendants(os.getpid())
    with tight() as referee:
        for bot in ("forks.py:Fork", "corrupts.py", "late.py:HangsUp", "exits.py:Exits"):
            guarded(referee, ZOO / bot)
        assert descendants(os.getpid()) - before


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("setpriv"), reason="only root can become another user")
def test_the_zoo_as_an_ordinary_user(tmp_path):
    """Everything above once more, by a user who may read root's interpreter, and is nobody otherwise."""
    cache = tmp_path / "cache"
    shutil.copytree(cache_folder(), cache / cache_folder().name)
    for path in (tmp_path, cache, *cache.rglob("*")):
        os.chown(path, 65534, 65534)
    right = "+dac_read_search"
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", f"--inh-caps={right}"]
    test = ["-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path}/base", __file__]
    environment = {"PATH": os.environ["PATH"], "PITBOSS_CACHE": str(cache), "PITBOSS_QUIET": "1", "HOME": str(tmp_path)}
    done = subprocess.run(
        [*user, f"--ambient-caps={right}", sys.executable, *test],
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(".") > 30

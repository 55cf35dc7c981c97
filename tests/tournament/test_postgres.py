"""Tournaments kept in PostgreSQL: the same tables, several at once, and nothing lost when something is killed."""

import json
import random
import signal
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing

import pytest
import sqlalchemy as sql

from pitboss.core.errors import PitbossError
from pitboss.tournament.report import write_report
from pitboss.tournament.schedule import Sitting
from pitboss.tournament.store import Store
from pitboss.tournament.store import schema as t
from pitboss.tournament.tournament import Tournament
from tests.children import Ended, run_together
from tests.tournament.test_crash import CUP, Launcher

TABLES = (t.entries, t.sittings, t.matches, t.games, t.results, t.faults)


def make(url, **changes):
    """The cup of the crash tests, planned in a store."""
    Tournament(**{**CUP, **changes}, store=url, id="cup").store.close()


def content(url):
    """All rows of all tables but what may differ: when it began."""
    store = Store(url)
    try:
        with store.engine.connect() as connection:
            return {
                table.name: [tuple(row) for row in connection.execute(sql.select(table).order_by(*table.primary_key))]
                for table in TABLES
            }
    finally:
        store.close()


def play(url):
    store = Store(url)
    try:
        return Tournament.open("cup", store).play()
    finally:
        store.close()


def left(url):
    store = Store(url)
    try:
        return store.left("cup")
    finally:
        store.close()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Every row of the cup, played in peace on SQLite."""
    url = str(tmp_path_factory.mktemp("whole") / "games.db")
    make(url)
    play(url)
    return content(url)


@pytest.fixture(scope="module")
def launcher():
    launcher = Launcher()
    yield launcher
    launcher.process.communicate()


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"spec": "flip7:official", "seats": 4, "best_of": 1},
        {"format": "swiss", "blocks": 20},
        {"spec": "show:fair", "bots": "random,show-6,counter", "blocks": 3},
    ],
)
def test_the_table_is_that_of_sqlite(postgres, tmp_path, changes):
    here, there = str(tmp_path / "games.db"), postgres.new()
    made = []
    for url in (here, there):
        make(url, **changes)
        made.append({**play(url).to_dict(), "created": None})
    assert made[0] == made[1]
    assert content(here) == content(there)


def test_the_driver_is_killed(postgres, undisturbed, launcher):
    url, luck = postgres.new(), random.Random(3)
    make(url)
    for _ in range(12):
        assert launcher.drive(url, kill_after=luck.uniform(0.0, 0.3)) in (0, -signal.SIGKILL)
    play(url)
    assert content(url) == undisturbed


def test_the_driver_is_killed_inside_commits(postgres, undisturbed, launcher):
    url = postgres.new()
    make(url)
    for deadly in [1, 2] * 3:
        before = left(url)
        assert launcher.drive(url, deadly) == -signal.SIGKILL
        assert (left(url) == before) == (deadly == 1)
    assert launcher.drive(url) == 0
    assert content(url) == undisturbed


def test_the_server_is_killed(postgres, undisturbed, monkeypatch):
    monkeypatch.setattr("pitboss.tournament.tournament.COMMIT_SECONDS", 0.0)
    url = postgres.new()
    make(url)
    store = Store(url)
    try:
        for kill in range(1, 4):  # each time after some more has been saved
            saves = 0

            def cut(progress, last=kill):
                nonlocal saves
                saves += 1
                if saves == last:
                    postgres.kill()

            with pytest.raises(PitbossError, match="what was saved is kept"):
                Tournament.open("cup", store).play(watch=cut)
            postgres.start()
        # connections of before are dead, and the same store is of use again
        Tournament.open("cup", store).play()
    finally:
        store.close()
    assert content(url) == undisturbed


def test_two_drivers_and_four_readers_at_once(postgres, undisturbed):
    url = postgres.new()
    make(url)
    over = threading.Event()

    def read():
        store, seen = Store(url), [0]
        try:
            while not over.is_set():
                seen.append(Tournament.open("cup", store).standings().matches)
        finally:
            store.close()
        return seen

    driver = f"from pitboss import Tournament; Tournament.open('cup', {url!r}).play()"
    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        try:
            drivers = run_together(driver, driver)
        finally:
            over.set()  # whatever happened: readers that go on for ever would hide it
        assert [(each.code, each.err) for each in drivers] == [(0, "")] * 2
        for seen in (reader.result() for reader in readers):
            assert seen == sorted(seen)  # nothing that was there is ever gone
    assert content(url) == undisturbed


CHANGES = {
    "standings": lambda store: store.keep_standings("cup", 1, {"games": 0}),
    "finish": lambda store: store.finish("cup"),
    "plan": lambda store: store.extend(store.tournament("cup"), [], [Sitting(99, (0, 1))], after=120),
}


@pytest.mark.parametrize("change", CHANGES)
def test_two_that_change_the_same_come_one_after_the_other(postgres, change):
    url = postgres.new()
    make(url)
    others = []
    with closing(Store(url)) as first, closing(Store(url)) as second, ThreadPoolExecutor(1) as pool:
        revision = first.tournament("cup").revision

        @sql.event.listens_for(first.engine, "before_cursor_execute")
        def meanwhile(connection, cursor, statement, *_):
            if statement.startswith(("INSERT", "UPDATE")) and not others:
                others.append(pool.submit(CHANGES[change], second))
                wait(others, 1.0)  # the other one is through, unless it must wait for us

        CHANGES[change](first)
        [other] = others
        other.result(60)
        made = first.tournament("cup")
    assert made.revision - revision == {"standings": 0, "finish": 2, "plan": 1}[change]
    assert left(url) == 240 + 2 * (change == "plan")


def test_several_that_start_at_once_make_one_schema(postgres):
    code = f"from pitboss.tournament.store import Store; print(Store({postgres.new()!r}).ids())"
    assert run_together(*[code] * 4) == [Ended(0, "[]\n", "")] * 4


def test_passwords_are_not_shown(postgres):
    url = postgres.url().replace("pitboss@", "pitboss:opensesame@")
    store = Store(url)
    with pytest.raises(PitbossError, match="no tournament") as problem:
        store.tournament("latest")
    store.close()
    assert "opensesame" not in str(problem.value)
    away = Store("postgresql+psycopg://pitboss:opensesame@127.0.0.1:1/cups")
    with pytest.raises(PitbossError, match="cannot be used as a store") as problem:
        away.ids()
    assert "opensesame" not in str(problem.value)


def test_a_report_reads_from_it(postgres, tmp_path):
    url = postgres.new()
    make(url, blocks=2)
    play(url)
    store = Store(url)
    try:
        written = write_report(store, "cup", tmp_path / "report")
        [record] = store.records("cup", [7])
    finally:
        store.close()
    assert "bust-0.25" in written.index.read_text()
    assert json.loads(json.dumps(record.to_dict()))
    assert record.verify() > 0

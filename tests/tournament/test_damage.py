"""A store that was damaged: it gives the same table as before, or a sentence, and never a wrong table."""

import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict

import pytest

from pitboss.core.errors import PitbossError
from pitboss.core.registry import load
from pitboss.tournament.export import export
from pitboss.tournament.match import MatchWorker
from pitboss.tournament.report import write_report
from pitboss.tournament.standings import standings
from pitboss.tournament.store import Store
from pitboss.tournament.store import schema as t
from pitboss.tournament.tournament import Tournament
from tests.tournament.test_store import as_of_old

CASES = 200  # of each kind of store and damage
NAMES = "stay-25,random,ev"
SOURCE = "from pitboss.flip7 import Flip7Bot\nclass Raises(Flip7Bot):\n    def hit_or_stay(self, view): 1 / 0\n"


def make(path, finished):
    """A small tournament in which somebody is at fault, played to the end or half of it."""
    file = path.with_name("raises.py")
    file.write_text(SOURCE)
    made = Tournament(
        "flip7:tournament(target=8)", f"{NAMES},{file}", blocks=2, best_of=2, seed=1, store=str(path), id="cup"
    )
    if finished:
        made.play(workers=1)
    else:
        plan = made._plan(path.parent)
        some = [*made.store.planned("cup")][:15]  # of 24 matches: some sittings are half played
        with MatchWorker(plan) as worker:
            made.store.save("cup", worker.play_all(some), 2)
    made.store.close()


def facts(path, folder, most=3):
    """What a store tells: its bots and its schedule; its table and its results; everything else. Each takes longer."""
    store = Store.existing(str(path))
    try:
        out = [[asdict(stored := store.tournament(id)), stored.key_hash] for id in store.ids()]
        out.append([*store.planned("cup")])
        out.append([*store.rows(t.results, "cup", "game", "entry", "share", "score")])
        if most > 1:
            out.append(standings(store, "cup").to_dict())
        for name in ("all.csv", "all.jsonl")[: most - 1]:
            export(store, "cup", folder / name)
            out.append((folder / name).read_text())
        if most > 2:
            written = write_report(store, "cup", folder / "report")
            out += [page.read_text() for page in (written.index, *written.replays)]
        return out
    finally:
        store.close()


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """A finished and an unfinished tournament, what each tells, and how."""
    folder = tmp_path_factory.mktemp("stores")
    load("flip7:tournament(target=8)")
    out = {}
    for name in ("finished", "unfinished"):
        path = folder / name / "cup.db"
        path.parent.mkdir()
        make(path, finished=name == "finished")
        out[name] = path, facts(path, path.parent)
    return out


def flip(path, rng):
    """Some bytes are others."""
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 1, 1, 8])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def tear(path, rng):
    """The end is missing, or a page is another's, or nothing."""
    data = bytearray(path.read_bytes())
    pages = len(data) // 4096
    a, b = rng.randrange(pages) * 4096, rng.randrange(pages) * 4096
    match rng.randrange(4):
        case 0:
            del data[rng.randrange(len(data)) :]
        case 1:
            del data[a:]
        case 2:
            data[a : a + 4096] = data[b : b + 4096]
        case 3:
            data[a : a + 4096] = bytes(4096)
    path.write_bytes(data)


def edit(path, rng):
    """One value of one row is another, whatever the database thinks of it; or a row is gone, or there twice."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [table for table in t.metadata.sorted_tables if table.name != "standings"]
        table = rng.choice(tables)
        count = connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0]
        if not count:
            return
        (row,) = connection.execute(f"SELECT rowid FROM {table.name} LIMIT 1 OFFSET {rng.randrange(count)}").fetchone()
        column = rng.choice([column.name for column in table.columns if column.name != "source"])
        (value,) = connection.execute(f"SELECT {column} FROM {table.name} WHERE rowid = {row}").fetchone()
        match value:
            case int() | float():
                new = rng.choice([value + 1, -value - 1, value / 2, "x", None])
            case str():
                i = rng.randrange(len(value) or 1)
                new = rng.choice([value[:i] + chr(rng.randrange(32, 128)) + value[i + 1 :], value[:i], "[]", "{}", 7])
            case _:
                new = rng.choice([b"", "x", 3, "[[0, 1]]"])
        try:
            if rng.random() < 0.1:
                connection.execute(f"DELETE FROM {table.name} WHERE rowid = {row}")
            else:
                connection.execute(f"UPDATE {table.name} SET {column} = ? WHERE rowid = {row}", (new,))
        except sqlite3.IntegrityError:
            return
        connection.commit()


@pytest.mark.parametrize("damage", [flip, tear, edit])
@pytest.mark.parametrize("state", ["finished", "unfinished"])
def test_a_damaged_store_tells_the_truth_or_a_sentence(stores, tmp_path, state, damage):
    (path, whole), told = stores[state], 0
    copy = tmp_path / "cup.db"
    for seed in range(CASES if damage is not tear else CASES // 2):
        for old in tmp_path.glob("cup.db*"):
            old.unlink()
        shutil.copy(path, copy)
        damage(copy, random.Random(f"{state} {damage.__name__} {seed}"))
        try:
            found = facts(copy, tmp_path, most=3 if seed % 20 == 0 else 2 if seed % 10 == 0 else 1)
        except PitbossError as problem:
            assert str(problem)
            told += 1
        else:
            differs = [i for i, (a, b) in enumerate(zip(found, whole, strict=seed % 20 == 0)) if a != b]
            assert not differs, f"case {seed} tells something else"
    assert told


@pytest.mark.parametrize("column", ["share", "place", "entry"])
def test_results_without_seals_are_checked_against_each_other(stores, tmp_path, column):
    shutil.copy(stores["finished"][0], tmp_path / "cup.db")
    as_of_old(Store(str(tmp_path / "cup.db")))
    store = Store(str(tmp_path / "cup.db"))
    table = standings(store, "cup")
    assert table.rows[0].wins == stores["finished"][1][3]["standings"][0]["wins"]
    store.close()
    with closing(sqlite3.connect(tmp_path / "cup.db")) as connection:
        connection.execute(f"UPDATE results SET {column} = 1 - {column} WHERE game = 0 AND seat = 1")
        connection.commit()
    with pytest.raises(PitbossError, match="sitting 0 of the tournament cup is not what was written"):
        standings(Store(str(tmp_path / "cup.db")), "cup")


DAMAGES = (
    "DELETE FROM matches WHERE sitting = 0 AND rotation = 0",
    "UPDATE results SET share = 1 - share WHERE game = (SELECT min(game) FROM results)",
    "UPDATE games SET deal = deal + 1 WHERE number = (SELECT max(number) FROM games WHERE state = 0)",
    "UPDATE sittings SET state = 1 WHERE number = (SELECT max(number) FROM sittings WHERE state = 0)",
    "UPDATE sittings SET bots = '[0,0]' WHERE number = 1",
    "UPDATE entries SET name = 'another' WHERE number = 1",
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_nobody_goes_on_with_a_damaged_store(stores, tmp_path, damage):
    path = tmp_path / "cup.db"
    shutil.copy(stores["unfinished"][0], path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(damage)
        connection.commit()
        before = [*connection.iterdump()]
    for go_on in (lambda cup: cup.play(workers=1), lambda cup: cup.add("stay-20"), lambda cup: cup.standings()):
        with pytest.raises(PitbossError, match="is damaged: .* is not what was written; put a copy from before"):
            go_on(Tournament.open("cup", str(path)))
    with closing(sqlite3.connect(path)) as connection:
        assert [*connection.iterdump()] == before
    if damage in DAMAGES[::3]:
        command = [sys.executable, "-m", "pitboss", "tournament", "resume", "cup", "--store", path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "damaged" in done.stderr
        assert "Traceback" not in done.stderr


def test_what_is_damaged_is_not_sealed_again(stores, tmp_path):
    shutil.copy(stores["unfinished"][0], tmp_path / "cup.db")
    with closing(sqlite3.connect(tmp_path / "cup.db")) as connection:
        connection.execute("UPDATE tournaments SET key = replace(key, '1', '2'), created = 'today'")
        connection.commit()
    store = Store(str(tmp_path / "cup.db"))
    with pytest.raises(PitbossError, match="the tournament cup is not what was written"):
        store.finish("cup")
    store.close()


def test_a_damaged_copy_of_a_source_is_not_played(tmp_path):
    """Should the file have changed since, the bot is played from the copy that the store keeps."""
    (tmp_path / "mine.py").write_text(SOURCE)
    made = Tournament("flip7:tournament(target=8)", f"{tmp_path}/mine.py,ev", blocks=1, store=str(tmp_path / "cup.db"))
    made.store.close()
    (tmp_path / "mine.py").write_text("another")
    with closing(sqlite3.connect(tmp_path / "cup.db")) as connection:
        connection.execute("UPDATE entries SET source = replace(source, 'hit', 'shy') WHERE number = 0")
        connection.commit()
    again = Tournament.open("latest", str(tmp_path / "cup.db"))
    with pytest.raises(PitbossError, match="the copy of it that was kept is damaged; put .*mine.py back"):
        again.play()
    again.store.close()

"""The store: nothing lost, nothing twice, and a schema that can move on."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sql
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.match import MatchPlan, MatchWorker
from pitboss.tournament.schedule import Sitting, round_robin
from pitboss.tournament.settings import TournamentSettings
from pitboss.tournament.standings import standings
from pitboss.tournament.store import HEAD, Store
from pitboss.tournament.store import schema as t

BOTS = tuple(Contestant(name, name, "built-in", "") for name in ("stay-25", "random", "ev"))
KEY = Key.from_seed(5)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path):
    url = str(tmp_path / "games.db") if request.param == "sqlite" else request.getfixturevalue("postgres").new()
    store = Store(url)
    yield store
    store.close()


def create(store, id="cup", best_of=3, blocks=2):
    settings = TournamentSettings(best_of=best_of).to_dict()
    return store.create(id, "flip7:tournament", settings, KEY, BOTS, round_robin(3, 2, blocks))


def play(jobs, best_of=3):
    with MatchWorker(MatchPlan("flip7:tournament", BOTS, KEY, best_of)) as worker:
        return worker.play_all(jobs)


def dump(store):
    """Everything in the store."""
    with store.engine.connect() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(sql.select(table).order_by(*table.primary_key))]
            for table in t.metadata.sorted_tables
        }


def as_of_old(store):
    """Take everything out of a store that was not there in its first schema."""
    with store.engine.begin() as connection:
        connection.execute(sql.text("DROP TABLE standings"))
        for table, column in (
            ("tournaments", "revision"), ("tournaments", "planned"), ("tournaments", "seal"), ("entries", "seal"),
            ("sittings", "seal"), ("matches", "seal"),
        ):  # fmt: skip
            connection.execute(sql.text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        connection.execute(sql.text("UPDATE alembic_version SET version_num = '0001'"))
    store.close()


def test_the_migrations_make_the_schema(store):
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == HEAD
        assert compare_metadata(context, t.metadata) == []


FULL = """
import resource, sys
from pitboss.tournament.store import Store
from pitboss.core.errors import PitbossError
for size in range(20, 200, 20):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size << 10, resource.RLIM_INFINITY))
    try:
        Store(f"{sys.argv[1]}/{size}.db").ids()
    except PitbossError:
        print(size)
"""


def test_a_store_is_made_wholly_or_not_at_all(tmp_path):
    """Also where the disk is full: when there is room again, so is the store."""
    done = subprocess.run([sys.executable, "-c", FULL, tmp_path], capture_output=True, text=True, check=True)
    assert 2 < len(done.stdout.split()) < 9
    for path in tmp_path.glob("*.db"):
        store = Store(str(path))
        assert store.ids() == []
        store.close()


def test_a_store_of_a_newer_pitboss_is_refused(store):
    with store.engine.begin() as connection:
        connection.execute(sql.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(PitbossError, match="newer pitboss"):
        _ = Store(store.url).engine


def test_the_schedule_is_written_before_play(store):
    create(store)
    games = list(store.rows(t.games, "cup", "number", "sitting", "rotation", "game", "deal", "seats", "state"))
    assert len(games) == 3 * 2 * 2 * 3
    assert [game[0] for game in games] == [*range(36)]
    assert {game[6] for game in games} == {t.PLANNED}
    sittings = [sitting for _, sitting, _ in store.sittings("cup")]
    for _, number, rotation, game, deal, seats, _ in games:
        assert tuple(seats) == sittings[number].seats(rotation)
        assert deal == sittings[number].block * 3 + game


def test_saving_twice_changes_nothing(store):
    create(store)
    all_of_them = [*store.planned("cup")]
    played = play(all_of_them[:2])
    store.save("cup", played, 3)
    once = dump(store)
    store.save("cup", played, 3)
    assert dump(store) == once
    assert [*store.planned("cup")] == all_of_them[2:]
    assert store.left("cup") == len(all_of_them) - 2 == 10


def test_several_may_save_at_once(store):
    """Two who resume the same tournament play it twice, and it is saved once."""
    create(store, blocks=10)
    batches = [[one] for one in play(store.planned("cup"))]
    together = threading.Barrier(2)

    def save():
        own = Store(store.url)
        try:
            for batch in batches:
                together.wait()
                own.save("cup", batch, 3)
        except Exception:
            together.abort()  # the other must not wait for this one
            raise
        finally:
            own.close()

    with ThreadPoolExecutor(2) as threads:
        for saved in [threads.submit(save) for _ in range(2)]:
            saved.result()
    assert store.left("cup") == 0


def test_games_not_needed_stay_in_the_schedule(store):
    create(store)
    store.save("cup", play(store.planned("cup")), 3)
    states = [state for (state,) in store.rows(t.games, "cup", "state")]
    assert t.PLANNED not in states
    assert states.count(t.PLAYED) == len({game for (game,) in store.rows(t.results, "cup", "game")})
    assert states.count(t.NOT_NEEDED) > 0
    for sitting, rotation, wins in store.rows(t.matches, "cup", "sitting", "rotation", "wins"):
        needed = [
            s for s, r, state in store.rows(t.games, "cup", "sitting", "rotation", "state")
            if (s, r) == (sitting, rotation) and state == t.PLAYED
        ]  # fmt: skip
        assert sum(wins) == len(needed)


def test_a_failed_save_leaves_nothing(store):
    create(store)
    played = play([*store.planned("cup")][:2])
    before = dump(store)
    broken = [played[0], (played[1][0], Sitting(0, (7, 8)), replace(played[1][2], games=(None,)))]
    with pytest.raises(AttributeError):
        store.save("cup", broken, 3)
    assert dump(store) == before


def test_records_come_back_whole(store):
    create(store)
    store.save("cup", play(store.planned("cup")), 3)
    for number, state in store.rows(t.games, "cup", "number", "state"):
        if state == t.PLAYED:
            record = store.record("cup", number)
            record.verify()
            scores = [r[1] for r in store.rows(t.results, "cup", "game", "score") if r[0] == number]
            assert [*record.outcome.scores] == scores
        else:
            with pytest.raises(PitbossError, match="not needed"):
                store.record("cup", number)


def test_what_cannot_be_found_is_said(store):
    with pytest.raises(PitbossError, match="no tournament in .* yet"):
        store.tournament("latest")
    create(store)
    with pytest.raises(PitbossError, match="no tournament 'pokal' .* it has cup"):
        store.tournament("pokal")
    with pytest.raises(PitbossError, match="already a tournament cup"):
        create(store)
    with pytest.raises(PitbossError, match="no such folder"):
        _ = Store("/nowhere/at/all/x.db").engine
    with pytest.raises(PitbossError, match="is not a store"):
        _ = Store("carrot://x").engine
    assert store.tournament("latest").id == "cup"


def test_a_store_of_the_first_schema_is_brought_up_to_date(store, monkeypatch):
    """With everything that was in it; and one that was half played, sitting by sitting as it once was, is played on."""
    create(store)
    for job in sorted(store.planned("cup"), key=lambda job: (job[0], job[2]))[:6]:
        store.save("cup", play([job]), 3)
    before, table = dump(store), standings(store, "cup")
    as_of_old(store)
    again = Store(store.url)
    after = dump(again)
    new = {"tournaments": 3, "entries": 1, "sittings": 1, "matches": 1, "standings": 1}  # columns added at the end
    for name, rows in after.items():
        kept = -new[name] if name in new else None
        assert [row[:kept] for row in rows] == [row[:kept] for row in before[name]]
    assert standings(again, "cup").to_dict() == table.to_dict()  # what has no seals is checked against itself
    again.extend(again.tournament("cup"), [], [Sitting(9, (0, 1))])
    assert again.left("cup") == 8
    for job in again.planned("cup"):
        again.save("cup", play([job]), 3)
        once_more = Store(store.url)
        once_more.verify("cup")
        once_more.close()
    assert standings(again, "cup").matches == table.matches + 8
    again.close()


def test_numbers_come_back_as_arrays(store):
    create(store)
    store.save("cup", play(store.planned("cup")), 3)
    r, m = t.results.c, t.matches.c
    read = store.arrays(t.results, "cup", game=r.game, share=r.share, score=r.score)
    assert [*zip(*(column.tolist() for column in read.values()), strict=True)] == [
        tuple(row) for row in store.rows(t.results, "cup", "game", "share", "score")
    ]
    read = store.arrays(t.matches, "cup", first=m.shares[0].as_float(), place=m.places[1].as_integer())
    rows = list(store.rows(t.matches, "cup", "shares", "places"))
    assert read["first"].tolist() == [shares[0] for shares, _ in rows]
    assert read["place"].tolist() == [places[1] for _, places in rows]
    assert {name: len(column) for name, column in store.arrays(t.results, "none", game=r.game).items()} == {"game": 0}


def test_the_newest_table_is_kept(store):
    create(store)
    assert store.standings("cup") is None
    store.keep_standings("cup", 3, {"games": 1})
    store.keep_standings("cup", 5, {"games": 2})
    store.keep_standings("cup", 4, {"games": 3})  # of somebody who took longer
    assert store.standings("cup") == (5, {"games": 2})


def test_every_change_is_a_revision(store):
    create(store)
    seen = [store.tournament("cup").revision]
    store.save("cup", play([*store.planned("cup")][:2]), 3)
    seen.append(store.tournament("cup").revision)
    store.mark_steady("cup", 0, True)
    seen.append(store.tournament("cup").revision)
    assert store.extend(store.tournament("cup"), [], [Sitting(9, (0, 1))])
    seen.append(store.tournament("cup").revision)
    store.finish("cup")
    seen.append(store.tournament("cup").revision)
    assert seen == [0, 1, 2, 3, 4]

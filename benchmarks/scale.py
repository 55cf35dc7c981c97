"""What large things cost: a store of ten million games, games written to Parquet, a cluster on this machine.

python benchmarks/scale.py store [GAMES]     needs psycopg and the system's package postgresql
python benchmarks/scale.py parquet
python benchmarks/scale.py cluster
python benchmarks/scale.py driver

Each prints rows for BENCHMARKS.md.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sql

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import postgres  # noqa: E402

from pitboss import Tournament, simulate  # noqa: E402
from pitboss.tournament.match import MatchWorker  # noqa: E402
from pitboss.tournament.standings import keep_standings, standings  # noqa: E402
from pitboss.tournament.store import Store  # noqa: E402
from pitboss.tournament.store import schema as t  # noqa: E402

Row = tuple[str, str, str, str]
FIELD = "random,conservative,stay-20,stay-23,stay-25,stay-28,cards-4,bust-0.25,bust-0.3,ev"
PLAYERS = ["stay-25", "ev", "bust-0.25", "random"]
BLOCKS, BEST_OF = 100, 9


def copies(store: Store, id: str, times: int) -> None:
    """Repeat what was played on further blocks: rows of the kind and number that playing on would have written."""
    sittings = len(store.sittings(id))
    games = sittings * 2 * BEST_OF
    shifts = {
        "sittings": {"number": sittings, "block": BLOCKS},
        "games": {"number": games, "sitting": sittings, "deal": BLOCKS * BEST_OF},
        "matches": {"sitting": sittings},
        "results": {"game": games},
    }
    with store.engine.begin() as connection:
        for table in (t.sittings, t.games, t.matches, t.results):
            names = [column.name for column in table.columns]
            moved = ", ".join(f"{n} + k * {shifts[table.name][n]}" if n in shifts[table.name] else n for n in names)
            connection.execute(
                sql.text(
                    f"INSERT INTO {table.name} ({', '.join(names)}) SELECT {moved} FROM {table.name}, "
                    f"generate_series(1, {times - 1}) AS k WHERE tournament = '{id}'"
                )
            )
        connection.execute(sql.text(f"UPDATE tournaments SET revision = revision + {times} WHERE id = '{id}'"))
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sql.text("VACUUM ANALYZE"))


def store_rows(wanted: int = 10_000_000) -> Iterator[Row]:
    """PostgreSQL: playing into it, and the table of a large tournament."""
    server = postgres.Server()
    try:
        rates = {}
        with tempfile.TemporaryDirectory() as folder:
            for name, url in (("SQLite", f"{folder}/games.db"), ("PostgreSQL", server.new())):
                began = time.perf_counter()
                cup = Tournament("flip7:tournament", FIELD, best_of=BEST_OF, blocks=BLOCKS, seed=1, store=url, id="cup")
                games = cup.play().games
                rates[name] = games / (time.perf_counter() - began)
        store = cup.store
        yield (
            "a tournament of built-in bots, PostgreSQL / SQLite", f"{rates['PostgreSQL'] / rates['SQLite']:.2f}", "",
            f"{rates['PostgreSQL']:,.0f} against {rates['SQLite']:,.0f} games/s, {games:,} games",
        )  # fmt: skip
        copies(store, "cup", -(-wanted // games))
        began = time.perf_counter()
        whole = keep_standings(store, "cup")
        took = time.perf_counter() - began
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        yield (
            "working out the table of a large tournament", f"{took:.0f} s", "",
            f"{whole.games:,} games, {whole.matches:,} matches, {len(whole.rows)} bots; {most:.1f} GB",
        )  # fmt: skip
        seconds = []
        for _ in range(5):
            began = time.perf_counter()
            standings(store, "cup")
            seconds.append(time.perf_counter() - began)
        show = [sys.executable, "-m", "pitboss", "tournament", "show", "cup", "--store", store.url, "--json"]
        began = time.perf_counter()
        subprocess.run(show, check=True, stdout=subprocess.DEVNULL)
        process = time.perf_counter() - began
        store.close()
        yield (
            "the table of a large tournament, for a reader", f"{min(seconds) * 1e3:.0f} ms", "under 1 s",
            f"the same {whole.games:,} games in PostgreSQL; {process:.1f} s as a whole process",
        )  # fmt: skip
    finally:
        server.close()


def driver_rows() -> Iterator[Row]:
    """What one driver can take in, however many play; and the table by the number of bots. In processor time."""
    server = postgres.Server()
    detail = "processor time of one driver; best of 1, 2 seats; the database's own apart"
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, url in (("SQLite", f"{folder}/games.db"), ("PostgreSQL", server.new())):
                cup = Tournament("flip7:tournament", FIELD, blocks=40, seed=1, store=url, id="cup")
                with TemporaryDirectory() as home, MatchWorker(cup._plan(Path(home))) as worker:
                    played = worker.play_all(cup.store.planned("cup"))
                began = time.process_time()
                for first in range(0, len(played), 1000):
                    cup.store.save("cup", played[first : first + 1000], 1)
                rate = len(played) / (time.process_time() - began)
                cup.store.close()
                yield f"saving results, {name}", f"{rate:,.0f} games/s", "", detail
        for bots in (20, 60, 180):
            names = [f"bust-{n / 1000:.3f}" for n in range(100, 100 + bots)]
            cup = Tournament("flip7:tournament", names, format="swiss", rounds=10, seed=1)
            games = cup.play().games
            began = time.process_time()
            keep_standings(cup.store, cup.id)
            took = time.process_time() - began
            yield f"the table of {bots} bots", f"{took:.1f} s", "", f"{games:,} games, 10 Swiss rounds; processor time"
    finally:
        server.close()


def parquet_rows(games: int = 400_000) -> Iterator[Row]:
    """Writing every game, against only summing up, in turn."""
    plain, written = float("inf"), float("inf")
    with tempfile.TemporaryDirectory() as folder:
        for n in range(3):
            out = Path(folder, f"{n}.parquet")
            plain = min(plain, simulate("flip7:official", PLAYERS, games, 1, 1).seconds)
            written = min(written, simulate("flip7:official", PLAYERS, games, 1, 1, out=out).seconds)
        size = out.stat().st_size / (games * len(PLAYERS))
    yield (
        "simulation with --out / without", f"{written / plain:.2f}", "",
        f"{games / written:,.0f} against {games / plain:,.0f} games/s on a thread; {size:.1f} bytes a row",
    )  # fmt: skip


def cluster_rows(games: int = 1_000_000) -> Iterator[Row]:
    """Ray on this machine, against threads."""
    from pitboss.run.cluster import Cluster

    here = min(simulate("flip7:official", PLAYERS, games, 1).seconds for _ in range(2))
    there: Any = min((simulate("flip7:official", PLAYERS, games, 1, executor=Cluster()) for _ in range(2)),
                     key=lambda result: result.seconds)  # fmt: skip
    yield (
        "simulation with Ray on this machine / threads", f"{here / there.seconds:.2f}", "",
        f"{games / there.seconds:,.0f} against {games / here:,.0f} games/s, {games:,} games, Ray's start included",
    )  # fmt: skip


if __name__ == "__main__":
    what, *rest = sys.argv[1:] or ["store"]
    made = {"store": store_rows, "parquet": parquet_rows, "cluster": cluster_rows, "driver": driver_rows}[what]
    for row in made(*map(int, rest)):
        print("| " + " | ".join(row) + " |", flush=True)

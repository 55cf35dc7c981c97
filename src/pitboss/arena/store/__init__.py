"""Where tournaments are kept: a SQLite file by default, a PostgreSQL database by its URL.

A sitting and all that belongs to it is saved in one transaction, and saving it again changes
nothing. So a run that was killed has each sitting wholly or not at all, and `resume` plays the rest.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from pitboss.arena.contestant import Contestant
from pitboss.arena.match import MatchRow, unpack
from pitboss.arena.schedule import Sitting
from pitboss.arena.store import database, writing
from pitboss.arena.store import schema as t
from pitboss.arena.store.database import HEAD, upgrade
from pitboss.table.errors import PitbossError
from pitboss.table.keys import Key
from pitboss.table.record import Record
from pitboss.table.registry import load

__all__ = ["DEFAULT_STORE", "HEAD", "Store", "Stored", "new_id"]

DEFAULT_STORE = "pitboss.db"
PAGE = 5000  # sittings that are read ahead of play
OPEN, FINISHED = "unfinished", "finished"


@dataclass(frozen=True)
class Stored:
    """A tournament as it is written down."""

    id: str
    created: str
    spec: str
    settings: dict[str, Any]
    key: Key
    state: str
    entries: tuple[Contestant, ...]
    revision: int  # one more with each change: what was worked out at the same revision still holds

    @property
    def finished(self) -> bool:
        """Whether everything planned has been played."""
        return self.state == FINISHED

    @property
    def key_hash(self) -> str:
        """SHA-256 of the key: told at the beginning, so that anyone can check the key against it at the end."""
        return hashlib.sha256(str(self.key).encode()).hexdigest()


def new_id() -> str:
    """A short name that no other tournament has: letters and digits that are not mistaken for others."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(6))


class Store:
    """Tournaments in a database. `Store()` is a file here, `Store(":memory:")` is gone afterwards."""

    def __init__(self, url: str = DEFAULT_STORE) -> None:
        self.name = database.readable(url)  # as the user writes it
        if url == ":memory:":
            url = "sqlite://"
        self.url = url if "://" in url else f"sqlite:///{url}"

    @classmethod
    def existing(cls, url: str) -> Store:
        """A store to read from: a file that is not there is not made."""
        if "://" not in url and not Path(url).exists():
            raise PitbossError(f"there is no store {url} yet; pitboss tournament run makes one, --store names another")
        return cls(url)

    @cached_property
    def engine(self) -> Engine:
        """The database, its schema brought up to date."""
        engine = database.open_engine(self.url)
        try:
            with engine.connect() as connection:
                upgrade(connection)
                connection.commit()
        except BaseException as problem:
            engine.dispose()
            if isinstance(problem, sql.exc.DatabaseError):
                raise PitbossError(
                    f"{self.name} cannot be used as a store ({problem.orig}); give --store another file, or a "
                    "copy of this one in a folder where you may write"
                ) from problem
            raise
        return engine

    def close(self) -> None:
        """Let go of the database."""
        if "engine" in self.__dict__:
            self.engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with database.told(self.name), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with database.told(self.name), self.engine.begin() as connection:
            database.begin(connection)
            yield connection

    # --- writing ---

    def create(
        self, id: str, spec: str, settings: dict[str, Any], key: Key, entries: Sequence[Contestant],
        sittings: Iterable[Sitting],
    ) -> Stored:  # fmt: skip
        """Write down a tournament and its whole schedule."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with self._writing() as connection:
            if connection.execute(sql.select(t.tournaments.c.id).where(t.tournaments.c.id == id)).first():
                raise PitbossError(
                    f"there is already a tournament {id} in {self.name}; choose another --id, or resume it"
                )
            connection.execute(
                t.tournaments.insert(),
                {"id": id, "created": created, "spec": spec, "settings": settings, "key": str(key), "state": OPEN},
            )
            writing.add_entries(connection, id, 0, entries)
            writing.add_sittings(connection, id, 0, sittings, settings["best_of"])
        return self.tournament(id)

    def extend(self, id: str, entries: Sequence[Contestant], sittings: Iterable[Sitting]) -> None:
        """More bots, more sittings, or both: in one transaction."""
        stored = self.tournament(id)
        with self._writing() as connection:
            writing.add_entries(connection, id, len(stored.entries), entries)
            count = sql.select(sql.func.count()).select_from(t.sittings).where(t.sittings.c.tournament == id)
            first = connection.execute(count).scalar_one()
            writing.add_sittings(connection, id, first, sittings, stored.settings["best_of"])
            writing.change(connection, id, state=OPEN)

    def save(self, id: str, played: Sequence[tuple[int, Sitting, tuple[MatchRow, ...]]], best_of: int) -> None:
        """Results of whole sittings, in one transaction; those saved before are left as they are."""
        with self._writing() as connection:
            # where several save at once, one after the other: the next one sees what is saved by then
            connection.execute(sql.select(t.tournaments.c.id).where(t.tournaments.c.id == id).with_for_update())
            numbers = [number for number, _, _ in played]
            open_ones = set(
                connection.execute(
                    sql.select(t.sittings.c.number).where(
                        t.sittings.c.tournament == id, t.sittings.c.number.in_(numbers), t.sittings.c.state == t.PLANNED
                    )
                ).scalars()
            )
            new = [each for each in played if each[0] in open_ones]
            if new:
                writing.save(connection, id, new, best_of)
                writing.change(connection, id)

    def finish(self, id: str) -> None:
        """All is played."""
        with self._writing() as connection:
            writing.change(connection, id, state=FINISHED)

    def mark_steady(self, id: str, entry: int, steady: bool) -> None:
        """Whether a bot played the same game alike when asked a second time."""
        with self._writing() as connection:
            where = (t.entries.c.tournament == id) & (t.entries.c.number == entry)
            connection.execute(sql.update(t.entries).where(where).values(steady=int(steady)))
            writing.change(connection, id)

    # --- reading ---

    def ids(self) -> list[str]:
        """All tournaments, the oldest first."""
        with self._reading() as connection:
            order = (t.tournaments.c.created, t.tournaments.c.id)
            return list(connection.execute(sql.select(t.tournaments.c.id).order_by(*order)).scalars())

    def tournament(self, id: str) -> Stored:
        """One tournament; `latest` is the one made last."""
        with self._reading() as connection:
            if id == "latest":
                known = self.ids()
                if not known:
                    raise PitbossError(f"there is no tournament in {self.name} yet: pitboss tournament run")
                id = known[-1]
            row = connection.execute(sql.select(t.tournaments).where(t.tournaments.c.id == id)).mappings().first()
            if row is None:
                known = self.ids()
                some = f"it has {', '.join(known[-8:])}" if known else "it has none yet"
                raise PitbossError(f"there is no tournament {id!r} in {self.name}; {some}")
            select = sql.select(t.entries.c.contestant).where(t.entries.c.tournament == id).order_by(t.entries.c.number)
            entries = tuple(Contestant.from_dict(data) for data in connection.execute(select).scalars())
        return Stored(
            id, row["created"], row["spec"], dict(row["settings"]), Key.parse(row["key"]), row["state"], entries,
            row["revision"],
        )  # fmt: skip

    def source(self, id: str, entry: int) -> bytes | None:
        """The source of a bot as it was entered."""
        with self._reading() as connection:
            where = (t.entries.c.tournament == id) & (t.entries.c.number == entry)
            return connection.execute(sql.select(t.entries.c.source).where(where)).scalar()

    def planned(self, id: str) -> Iterator[tuple[int, Sitting]]:
        """The sittings that are still to be played, in order; read in pages, so that none of them is held long."""
        s, last = t.sittings.c, -1
        while True:
            page = sql.select(s.number, s.block, s.bots).where(s.tournament == id, s.state == t.PLANNED)
            with self._reading() as connection:
                rows = connection.execute(page.where(s.number > last).order_by(s.number).limit(PAGE)).all()
            for last, block, bots in rows:
                yield last, Sitting(block, tuple(bots))
            if len(rows) < PAGE:
                return

    def left(self, id: str) -> int:
        """How many sittings are still to be played."""
        s = t.sittings.c
        with self._reading() as connection:
            return connection.execute(
                sql.select(sql.func.count()).where(s.tournament == id, s.state == t.PLANNED)
            ).scalar_one()

    def sittings(self, id: str) -> list[tuple[int, Sitting, int]]:
        """All sittings: number, who and on what block, state."""
        with self._reading() as connection:
            rows = connection.execute(
                sql.select(t.sittings).where(t.sittings.c.tournament == id).order_by(t.sittings.c.number)
            ).mappings()
            return [(r["number"], Sitting(r["block"], tuple(r["bots"])), r["state"]) for r in rows]

    def rows(self, table: sql.Table, id: str, *columns: str) -> Generator[Any, None, None]:
        """Some columns of all rows of a tournament, in the order of the primary key."""
        select = sql.select(*(table.c[name] for name in columns)).where(table.c.tournament == id)
        select = select.order_by(*_number(table)).execution_options(yield_per=PAGE)
        with self._reading() as connection:
            yield from connection.execute(select)

    def arrays(self, table: sql.Table, id: str, **columns: sql.ColumnElement[Any]) -> dict[str, database.Array]:
        """The same of numbers, as arrays: each name is given with the column, or with what is worked out from one."""
        select = sql.select(*(column.label(name) for name, column in columns.items()))
        with self._reading() as connection:
            return database.arrays(connection, select.where(table.c.tournament == id).order_by(*_number(table)))

    def query(self, select: sql.Select[Any]) -> list[Any]:
        """The rows of a selection that has few."""
        with self._reading() as connection:
            return list(connection.execute(select))

    def standings(self, id: str) -> tuple[int, dict[str, Any]] | None:
        """The table that was kept last, and the revision at which it was worked out."""
        select = sql.select(t.standings.c.revision, t.standings.c.content).where(t.standings.c.tournament == id)
        with self._reading() as connection:
            row = connection.execute(select).first()
        return None if row is None else (row[0], row[1])

    def keep_standings(self, id: str, revision: int, content: dict[str, Any]) -> None:
        """Keep a table for readers, worked out at a revision; one of a later revision is left as it is."""
        with self._writing() as connection:
            of_it = t.standings.c.tournament == id
            connection.execute(sql.delete(t.standings).where(of_it, t.standings.c.revision <= revision))
            if not connection.execute(sql.select(t.standings.c.revision).where(of_it)).first():
                connection.execute(t.standings.insert(), {"tournament": id, "revision": revision, "content": content})

    def record(self, id: str, number: int) -> Record:
        """A game that was played, as a record; without the key as long as it may not be known."""
        for record in self.records(id, [number]):
            return record
        with self._reading() as connection:
            where = (t.games.c.tournament == id) & (t.games.c.number == number)
            known = connection.execute(sql.select(t.games.c.number).where(where)).first()
        why = "has not been played, or was not needed" if known else "is not in its schedule"
        raise PitbossError(f"game {number} of the tournament {id} {why}")

    def records(
        self, id: str, numbers: sql.Select[tuple[int]] | Sequence[int] | None = None
    ) -> Generator[Record, None, None]:
        """The games that were played (of these numbers, or all), in order, as records."""
        stored = self.tournament(id)
        game, why = load(stored.spec), dict[int, dict[int, str]]()

        def among(column: sql.Column[int]) -> sql.ColumnElement[bool]:
            return sql.true() if numbers is None else column.in_(numbers)

        with self._reading() as connection:
            select = sql.select(t.faults.c.game, t.faults.c.move, t.faults.c.text).where(t.faults.c.tournament == id)
            for number, move, text in connection.execute(
                select.where(among(t.faults.c.game)).order_by(t.faults.c.game, t.faults.c.move)
            ):
                why.setdefault(number, {})[move] = text
            chosen = (t.games.c.tournament == id) & (t.games.c.state == t.PLAYED) & among(t.games.c.number)
            for row in connection.execute(sql.select(t.games).where(chosen).order_by(t.games.c.number)).mappings():
                bots = [stored.entries[entry] for entry in row["seats"]]
                record = Record(
                    game, [bot.name for bot in bots], [bot.version for bot in bots], stored.key, row["deal"],
                    row["rotation"], moves=unpack(row["moves"]), faults=why.get(row["number"], {}),
                    output={int(n): text for n, text in row["output"] or []},
                ).deal_again()  # fmt: skip
                yield record if stored.finished else replace(record, key=None)


def _number(table: sql.Table) -> list[sql.Column[Any]]:
    """What numbers the rows of a tournament in a table."""
    return [column for column in table.primary_key.columns if column.name != "tournament"]

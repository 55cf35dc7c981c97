"""Where tournaments are kept: a SQLite file by default, a PostgreSQL database by its URL.

A match and all that belongs to it is saved in one transaction, and saving it again changes
nothing. So a run that was killed has each match wholly or not at all, and `resume` plays the rest.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.core.record import Record
from pitboss.core.registry import load
from pitboss.core.types import Array, Data
from pitboss.tournament import DEFAULT_STORE
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.match import MatchRow, unpack
from pitboss.tournament.order import play_order
from pitboss.tournament.schedule import Sitting
from pitboss.tournament.store import database, seals, verifying, writing
from pitboss.tournament.store import schema as t
from pitboss.tournament.store.connection import StoreConnection
from pitboss.tournament.store.database import HEAD

__all__ = ["DEFAULT_STORE", "HEAD", "Store", "Stored", "new_id"]

PAGE = 5000  # rows that are read together
OPEN, FINISHED = "unfinished", "finished"


@dataclass(frozen=True)
class Stored:
    """A tournament as it is written down."""

    id: str
    created: str
    spec: str
    settings: Data
    key: Key
    state: str
    entries: tuple[Contestant, ...]
    revision: int  # one more with each change: what was worked out at the same revision still holds
    planned: int | None  # how many sittings there are, if that was written down

    @property
    def finished(self) -> bool:
        """Whether everything planned has been played."""
        return self.state == FINISHED

    @property
    def key_hash(self) -> str:
        """SHA-256 of the key: published at the start, so that anyone can check the key at the end."""
        return hashlib.sha256(str(self.key).encode()).hexdigest()


def new_id() -> str:
    """A short name that no other tournament has: letters and digits that are not mistaken for others."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(6))


class Store(StoreConnection):
    """Tournaments in a database. `Store()` is a file here, `Store(":memory:")` is gone afterwards."""

    def __init__(self, url: str = DEFAULT_STORE) -> None:
        super().__init__(url)
        self._verified: dict[str, int] = {}  # tournaments of which we know that they are as written, at which revision

    def verify(self, id: str) -> None:
        """Refuse a tournament that is not as it was written. What has not changed since is not looked at again."""
        with self.reading() as connection:
            stored = self._stored(connection, id)
            if stored and self._verified.get(id) != stored.revision:
                verifying.verify(connection, id, stored.settings, stored.planned)
                self._verified[id] = stored.revision

    def _changed(self, id: str, revision: int) -> None:
        """We have changed a tournament: if it was as written before, it still is."""
        if self._verified.get(id) == revision - 1:
            self._verified[id] = revision

    # --- writing ---

    @contextmanager
    def _changing(self, id: str) -> Iterator[Connection]:
        """A transaction that changes a tournament. Of several at once, one after the other: the next one sees what is
        written by then."""
        with self.writing() as connection:
            connection.execute(sql.select(t.tournaments.c.id).where(t.tournaments.c.id == id).with_for_update())
            yield connection

    def create(
        self, id: str, spec: str, settings: Data, key: Key, entries: Sequence[Contestant],
        sittings: Iterable[Sitting],
    ) -> Stored:  # fmt: skip
        """Write down a tournament and its whole schedule."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with self.writing() as connection:
            if connection.execute(sql.select(t.tournaments.c.id).where(t.tournaments.c.id == id)).first():
                raise PitbossError(
                    f"there is already a tournament {id} in {self.name}; choose another `id`, or resume it"
                )
            row = {
                "id": id, "created": created, "spec": spec, "settings": settings, "key": str(key), "state": OPEN,
                "revision": 0,
            }  # fmt: skip
            connection.execute(t.tournaments.insert(), row)
            writing.add_entries(connection, id, 0, entries)
            row["planned"] = writing.add_sittings(connection, id, 0, sittings, settings["best_of"])
            sealed = {"planned": row["planned"], "seal": seals.of_tournament(row, len(entries))}
            connection.execute(sql.update(t.tournaments).where(t.tournaments.c.id == id).values(**sealed))
        self._verified[id] = 0
        return self.tournament(id)

    def extend(
        self, stored: Stored, entries: Sequence[Contestant], sittings: Iterable[Sitting], after: int | None = None
    ) -> bool:
        """More bots, more sittings, or both: in one transaction. False, and nothing is written, if others were quicker:
        if there are more bots by now, or more sittings than those `after` which these are planned."""
        self.verify(stored.id)
        with self._changing(stored.id) as connection:
            bots, first = (writing.count(connection, table, stored.id) for table in (t.entries, t.sittings))
            if bots != len(stored.entries) or after not in (None, first):
                return False
            writing.add_entries(connection, stored.id, bots, entries)
            planned = writing.add_sittings(connection, stored.id, first, sittings, stored.settings["best_of"])
            self._changed(stored.id, writing.change(connection, stored.id, len(entries), state=OPEN, planned=planned))
        return True

    def save(self, id: str, played: Sequence[tuple[int, Sitting, MatchRow]], best_of: int) -> None:
        """Results of matches, each with the number of its sitting, in one transaction; those saved before are left
        as they are."""
        with self._changing(id) as connection:
            m, numbers = t.matches.c, {number for number, _, _ in played}
            known = sql.select(m.sitting, m.rotation).where(m.tournament == id, m.sitting.in_(numbers))
            saved = {tuple(row) for row in connection.execute(known)}
            new = [each for each in played if (each[0], each[2].rotation) not in saved]
            if new:
                rotations = Counter([*(number for number, _ in saved), *(number for number, _, _ in new)])
                whole = [number for number, sitting, _ in new if rotations[number] == len(sitting.bots)]
                writing.save(connection, id, new, whole, best_of)
                self._changed(id, writing.change(connection, id))

    def finish(self, id: str) -> None:
        """All is played."""
        with self._changing(id) as connection:
            self._changed(id, writing.change(connection, id, state=FINISHED))

    def mark_steady(self, id: str, entry: int, steady: bool) -> None:
        """Whether a bot played the same game alike when asked a second time."""
        with self._changing(id) as connection:
            writing.mark_steady(connection, id, entry, steady)
            self._changed(id, writing.change(connection, id))

    # --- reading ---

    def ids(self) -> list[str]:
        """All tournaments, the oldest first."""
        with self.reading() as connection:
            order = (t.tournaments.c.created, t.tournaments.c.id)
            return list(connection.execute(sql.select(t.tournaments.c.id).order_by(*order)).scalars())

    def tournament(self, id: str) -> Stored:
        """One tournament; `latest` is the one made last."""
        with self.reading() as connection:
            if id == "latest":
                known = self.ids()
                if not known:
                    raise PitbossError(f"there is no tournament in {self.name} yet: pitboss tournament run")
                id = known[-1]
            stored = self._stored(connection, id)
            if stored is None:
                known = self.ids()
                some = f"it has {', '.join(known[-8:])}" if known else "it has none yet"
                raise PitbossError(f"there is no tournament {id!r} in {self.name}; {some}")
        return stored

    def _stored(self, connection: Connection, id: str) -> Stored | None:
        row = connection.execute(sql.select(t.tournaments).where(t.tournaments.c.id == id)).mappings().first()
        if row is None:
            return None
        columns = (column for column in t.entries.c if column.name != "source")
        select = sql.select(*columns).where(t.entries.c.tournament == id).order_by(t.entries.c.number)
        entries = connection.execute(select).mappings().all()
        seals.verify(row["seal"], seals.of_tournament(row, len(entries)), f"the tournament {id}")
        for number, entry in enumerate(entries):
            seals.verify(entry["seal"], seals.of_entry(entry), f"bot {number} of the tournament {id}")
        bots = tuple(Contestant.from_dict(entry["contestant"]) for entry in entries)
        return Stored(
            id, row["created"], row["spec"], dict(row["settings"]), Key.parse(row["key"]), row["state"], bots,
            row["revision"], row["planned"],
        )  # fmt: skip

    def source(self, id: str, entry: int) -> bytes | None:
        """The source of a bot as it was entered."""
        with self.reading() as connection:
            where = (t.entries.c.tournament == id) & (t.entries.c.number == entry)
            return connection.execute(sql.select(t.entries.c.source).where(where)).scalar()

    def schedule(self, stored: Stored) -> tuple[Array, Array]:
        """Of each sitting the block, and the bots: [sitting] and [sitting, place]."""
        s, places = t.sittings.c, range(stored.settings["seats"])
        bots = {f"bot{n}": s.bots[n].as_integer() for n in places}
        read = self.arrays(t.sittings, stored.id, block=s.block, **bots)
        members = np.stack([read[f"bot{n}"] for n in places], axis=1)
        return read["block"].astype(np.int64), members.astype(np.int64)

    def planned(self, id: str) -> Iterator[tuple[int, Sitting, int]]:
        """The matches that are still to be played, in the order of play: the number of a sitting, the sitting, and the
        rotation."""
        played = self.arrays(t.matches, id, sitting=t.matches.c.sitting, rotation=t.matches.c.rotation)
        blocks, bots = self.schedule(self.tournament(id))  # which only grows: whoever has played is in it
        missing = np.ones(bots.shape, bool)
        missing[played["sitting"], played["rotation"]] = False
        for numbers, rotation in play_order(blocks, bots):
            for number in numbers[missing[numbers, rotation]].tolist():
                yield number, Sitting(int(blocks[number]), tuple(bots[number].tolist())), rotation

    def left(self, id: str) -> int:
        """How many matches are still to be played."""
        self.verify(id)
        counts = [sql.select(sql.func.count()).where(table.c.tournament == id) for table in (t.sittings, t.matches)]
        seats = self.tournament(id).settings["seats"]
        with self.reading() as connection:
            sittings, played = (connection.execute(count).scalar_one() for count in counts)
        return int(sittings * seats - played)

    def sittings(self, id: str) -> list[tuple[int, Sitting, int]]:
        """All sittings: number, who and on what block, state."""
        self.verify(id)
        with self.reading() as connection:
            rows = connection.execute(
                sql.select(t.sittings).where(t.sittings.c.tournament == id).order_by(t.sittings.c.number)
            ).mappings()
            return [(r["number"], Sitting(r["block"], tuple(r["bots"])), r["state"]) for r in rows]

    def rows(self, table: sql.Table, id: str, *columns: str) -> Generator[Any, None, None]:
        """Some columns of all rows of a tournament, in the order of the primary key."""
        select = sql.select(*(table.c[name] for name in columns)).where(table.c.tournament == id)
        select = select.order_by(*_number(table)).execution_options(yield_per=PAGE)
        self.verify(id)
        with self.reading() as connection:
            yield from connection.execute(select)

    def arrays(self, table: sql.Table, id: str, **columns: t.Element) -> dict[str, Array]:
        """The same of numbers, as arrays: each name is given with the column, or with what is worked out from one."""
        select = sql.select(*(column.label(name) for name, column in columns.items()))
        self.verify(id)
        with self.reading() as connection:
            return database.arrays(connection, select.where(table.c.tournament == id).order_by(*_number(table)))

    def query(self, select: sql.Select[Any]) -> list[Any]:
        """The rows of a selection that has few."""
        with self.reading() as connection:
            return list(connection.execute(select))

    def standings(self, id: str) -> tuple[int, Data] | None:
        """The table that was kept last, and the revision at which it was worked out; none if it is not as written."""
        s = t.standings.c
        select = sql.select(s.revision, sql.cast(s.content, sql.Text), s.seal).where(s.tournament == id)
        with self.reading() as connection:
            row = connection.execute(select).first()
        if row is None:
            return None
        revision, text, seal = row
        with suppress(ValueError, TypeError):
            content = json.loads(text)
            if seal is None or seal == seals.of_table(revision, content):
                return revision, content
        return None

    def keep_standings(self, id: str, revision: int, content: Data) -> None:
        """Keep a table for readers, worked out at a revision; one of a later revision is left as it is."""
        with self._changing(id) as connection:
            of_it = t.standings.c.tournament == id
            connection.execute(sql.delete(t.standings).where(of_it, t.standings.c.revision <= revision))
            if not connection.execute(sql.select(t.standings.c.revision).where(of_it)).first():
                row = {"tournament": id, "revision": revision, "content": content}
                connection.execute(t.standings.insert(), {**row, "seal": seals.of_table(revision, content)})

    def record(self, id: str, number: int) -> Record:
        """A game that was played, as a record; without the key as long as it may not be known."""
        for record in self.records(id, [number]):
            return record
        with self.reading() as connection:
            where = (t.games.c.tournament == id) & (t.games.c.number == number)
            known = connection.execute(sql.select(t.games.c.number).where(where)).first()
        why = "has not been played, or was not needed" if known else "is not in its schedule"
        raise PitbossError(f"game {number} of the tournament {id} {why}")

    def last_game(self, id: str) -> int:
        """The number of the last game that was played."""
        played = (t.games.c.tournament == id) & (t.games.c.state == t.PLAYED)
        [(last,)] = self.query(sql.select(sql.func.max(t.games.c.number)).where(played))
        if last is None:
            raise PitbossError(f"no game of the tournament {id} has been played yet")
        return int(last)

    def delete(self, id: str) -> None:
        """Forget a tournament, and all that was played in it."""
        with self.writing() as connection:
            for table in reversed(t.metadata.sorted_tables):
                column = table.c.id if table is t.tournaments else table.c.tournament
                connection.execute(sql.delete(table).where(column == id))
        self._verified.pop(id, None)

    def records(
        self, id: str, numbers: sql.Select[tuple[int]] | Sequence[int] | None = None
    ) -> Generator[Record, None, None]:
        """The games that were played (of these numbers, or all), in order, as records."""
        stored = self.tournament(id)
        game, why = load(stored.spec), dict[int, dict[int, str]]()
        if not isinstance(numbers, Sequence):
            self.verify(id)

        def among(column: sql.Column[int]) -> sql.ColumnElement[bool]:
            return sql.true() if numbers is None else column.in_(numbers)

        with self.reading() as connection:
            if isinstance(numbers, Sequence) and self._verified.get(id) != stored.revision:
                verifying.verify_games(connection, id, stored.settings, numbers)
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


def _number(table: sql.Table) -> list[t.AnyColumn]:
    """What numbers the rows of a tournament in a table."""
    return [column for column in table.primary_key.columns if column.name != "tournament"]

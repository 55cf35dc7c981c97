"""Games played here, in the same store as tournaments: a restart finds those in progress, and replays stay.

A running game is kept as what it is made of: who sits where, the key, and the moves so far. Of the tokens of seats, and
of those who started a tournament, only hashes are kept.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import asdict
from itertools import islice

import sqlalchemy as sql

from pitboss.core.keys import Key
from pitboss.core.record import Record
from pitboss.core.types import Data
from pitboss.tournament.store import Store, database
from pitboss.web.room.company import HouseRules, Stood, Why, new_code
from pitboss.web.room.table import Place, RoomTable, SeatKind, TablePlan, Ticket, hashed

metadata = sql.MetaData()
tables = sql.Table(
    "web_tables",
    metadata,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("touched", sql.Float, nullable=False, index=True),
    sql.Column("over", sql.Boolean, nullable=False),
    sql.Column("setup", sql.JSON, nullable=False),  # what it was made of
    sql.Column("held", sql.JSON, nullable=False),  # hashes of tokens, and where play goes on
    sql.Column("moves", sql.JSON, nullable=False),
    sql.Column("record", sql.JSON),  # of a finished game
)
runs = sql.Table(
    "web_runs",
    metadata,
    sql.Column("tournament", sql.String(40), primary_key=True),
    sql.Column("hash", sql.String(64), nullable=False),  # of the token of the person who started it here
)
names = sql.Table(
    "web_names",
    metadata,
    sql.Column("tournament", sql.String(40), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),  # given by the person who started it here
)


codes = sql.Table(
    "web_codes",
    metadata,
    sql.Column("code", sql.String(12), primary_key=True),
    sql.Column("table", sql.String(40), nullable=False),  # where guests may sit down who type it
)


class TableStore:
    """Reads and writes tables; slow work, for a thread."""

    def __init__(self, url: str) -> None:
        self.store = Store(url)

    def prepare(self) -> None:
        """Make our tables, if they are not there; before anything else, and not by two at once."""
        metadata.create_all(self.engine)
        self._hash_tokens()

    def _hash_tokens(self) -> None:
        """Older versions kept tokens themselves. Their seats stay good, their invitations can no longer be shown."""
        with self.engine.connect() as connection:
            rows = connection.execute(sql.select(tables.c.id, tables.c.held)).all()
            old = [(id, held) for id, held in rows if any("token" in ticket for ticket in held["tickets"])]
            if not old:
                return
            on_file = connection.dialect.name == "sqlite"
            if on_file:
                connection.exec_driver_sql("PRAGMA secure_delete = ON")  # not even on pages that are free
            for id, held in old:
                tickets = [{"hash": hashed(ticket.pop("token")), **ticket} for ticket in held["tickets"]]
                changed = {"tickets": tickets, "next": None}
                connection.execute(sql.update(tables).where(tables.c.id == id).values(held=changed))
            connection.commit()
            if on_file:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def engine(self) -> sql.Engine:
        """The database."""
        return self.store.engine

    def save(self, *saved: RoomTable) -> None:
        """Write down tables as they are now, in one transaction."""
        now = time.time()
        with self.store.writing() as connection:
            for table in saved:
                changing = {
                    "touched": now,
                    "setup": _setup(table),  # a guest may have chosen a name
                    "over": table.over,
                    "held": _held(table),
                    "moves": list(table.record.moves),
                    "record": table.record.to_dict() if table.over else None,
                }
                done = connection.execute(sql.update(tables).where(tables.c.id == table.id).values(changing))
                if done.rowcount == 0:
                    new = {"id": table.id, "created": now, **changing}
                    connection.execute(tables.insert(), new)

    def find(self, id: str) -> sql.RowMapping | None:
        """What is written down about a table."""
        with self.store.reading() as connection:
            return connection.execute(sql.select(tables).where(tables.c.id == id)).mappings().first()

    def places(self, row: sql.RowMapping) -> list[Place]:
        """Who sits at a table that was put away."""
        return [Place(SeatKind(place["kind"]), place["name"]) for place in row["setup"]["places"]]

    def load(self, row: sql.RowMapping, most_steps: int) -> RoomTable:
        """A table that was put away, as it was."""
        with database.told(self.store.name), database.readable_rows():
            setup, held = row["setup"], row["held"]
            house = HouseRules(**setup.get("house", {}))
            plan = TablePlan(
                setup["spec"], tuple(self.places(row)), Key.parse(setup["key"]), setup["hints"], house=house
            )
            table = RoomTable(row["id"], plan, most_steps=most_steps)
            table.tickets = [Ticket(**{**ticket, "seats": tuple(ticket["seats"])}) for ticket in held["tickets"]]
            table.next, table.seeded, table.code = held["next"], setup.get("seeded", False), setup.get("code", "")
            table.stood = [Stood(step, seat, Why(why)) for step, seat, why in held.get("stood", [])]
            table.go_again(row["moves"], row["over"])
            return table

    def keep_code(self, table: str) -> str:
        """A new code that leads to a table."""
        with self.store.writing() as connection:
            code = new_code(connection.execute(sql.select(codes.c.code)).scalars())
            connection.execute(codes.insert(), {"code": code, "table": table})
            return code

    def table_by_code(self, code: str) -> str | None:
        """The table that a code leads to."""
        with self.store.reading() as connection:
            return connection.execute(sql.select(codes.c.table).where(codes.c.code == code)).scalar()

    def record(self, id: str) -> Record | None:
        """The record of a finished game."""
        with self.store.reading() as connection:
            data = connection.execute(sql.select(tables.c.record).where(tables.c.id == id)).scalar()
            return Record.from_dict(data) if data else None

    def next_after(self, id: str) -> str | None:
        """The table at which the same people played on."""
        row = self.find(id)
        return row["held"]["next"] if row else None

    def recent(self, count: int, offset: int = 0, player: str = "") -> list[tuple[str, float, Record]]:
        """The games that ended last, or those of one player: id, when, record."""
        select = sql.select(tables.c.id, tables.c.touched, tables.c.setup).where(tables.c.over)
        with self.store.reading() as connection:
            rows = connection.execute(select.order_by(tables.c.touched.desc(), tables.c.id))
            own = (row for row in rows if not player or any(p["name"] == player for p in row.setup["places"]))
            return [
                (id, touched, record)
                for id, touched, _ in islice(own, offset, offset + count)
                if (record := self.record(id))
            ]

    def forget(self, unfinished: float, finished: float) -> None:
        """Drop games that have not been touched for so many seconds."""
        now = time.time()
        old = sql.or_(
            sql.and_(tables.c.over.is_(False), tables.c.touched < now - unfinished), tables.c.touched < now - finished
        )
        with self.store.writing() as connection:
            connection.execute(tables.delete().where(old))
            connection.execute(codes.delete().where(codes.c.table.not_in(sql.select(tables.c.id))))

    def keep_run(self, tournament: str, token: str, name: str = "") -> None:
        """Remember that whoever has this token started a tournament here, and what they call it."""
        with self.store.writing() as connection:
            connection.execute(runs.insert(), {"tournament": tournament, "hash": hashed(token)})
            if name:
                connection.execute(names.insert(), {"tournament": tournament, "name": name})

    def names(self) -> dict[str, str]:
        """What tournaments are called, by id, if they have a name."""
        with self.store.reading() as connection:
            rows = connection.execute(sql.select(names.c.tournament, names.c.name))
            return {row.tournament: row.name for row in rows}

    def began(self, tournament: str, token: str) -> bool:
        """Whether a token belongs to the person who started a tournament."""
        with self.store.reading() as connection:
            kept = connection.execute(sql.select(runs.c.hash).where(runs.c.tournament == tournament)).scalar()
        return kept is not None and secrets.compare_digest(kept, hashed(token))

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()


def _held(table: RoomTable) -> Data:
    """What changes at a table besides the game: tickets, where play goes on, and who was played for."""
    stood = [(each.step, each.seat, each.why) for each in table.stood]
    return {"tickets": [_kept(ticket) for ticket in table.tickets], "next": table.next, "stood": stood}


def _kept(ticket: Ticket) -> Data:
    """A ticket as it is written down."""
    return {name: getattr(ticket, name) for name in ("hash", "seats", "host", "invitation", "number")}


def _setup(table: RoomTable) -> Data:
    """What a table is made of."""
    return {
        "spec": str(table.game),
        "places": [asdict(place) for place in table.places],
        "key": str(table.key),
        "hints": table.hints,
        "seeded": table.seeded,
        "house": asdict(table.house),
        "code": table.code,
    }

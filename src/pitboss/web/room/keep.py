"""Games played here, in the same store as tournaments: a restart finds those in progress, and replays stay.

A running game is kept as what it is made of: who sits where, the key, and the moves so far.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sql

from pitboss.arena.store import Store
from pitboss.table.keys import Key
from pitboss.table.record import Record
from pitboss.web.room.table import Kind, Place, Table, Ticket

metadata = sql.MetaData()
tables = sql.Table(
    "web_tables",
    metadata,
    sql.Column("id", sql.String(40), primary_key=True),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("touched", sql.Float, nullable=False, index=True),
    sql.Column("over", sql.Boolean, nullable=False),
    sql.Column("setup", sql.JSON, nullable=False),  # what it was made of
    sql.Column("held", sql.JSON, nullable=False),  # tokens, and where play goes on
    sql.Column("moves", sql.JSON, nullable=False),
    sql.Column("record", sql.JSON),  # of a finished game
)


class Keeper:
    """Reads and writes tables; slow work, for a thread."""

    def __init__(self, url: str) -> None:
        self.store = Store(url)

    def prepare(self) -> None:
        """Make our table, if it is not there; before anything else, and not by two at once."""
        metadata.create_all(self.engine)

    @property
    def engine(self) -> sql.Engine:
        """The database."""
        return self.store.engine

    def save(self, *saved: Table) -> None:
        """Write down tables as they are now, in one transaction."""
        now = time.time()
        with self.engine.begin() as connection:
            for table in saved:
                changing = {
                    "touched": now,
                    "over": table.over,
                    "held": {"tickets": [asdict(ticket) for ticket in table.tickets], "next": table.next},
                    "moves": list(table.record.moves),
                    "record": table.record.to_dict() if table.over else None,
                }
                done = connection.execute(sql.update(tables).where(tables.c.id == table.id).values(changing))
                if done.rowcount == 0:
                    new = {"id": table.id, "created": now, "setup": _setup(table), **changing}
                    connection.execute(tables.insert(), new)

    def load(self, id: str, most_steps: int) -> Table | None:
        """A table that was put away, as it was."""
        with self.engine.connect() as connection:
            row = connection.execute(sql.select(tables).where(tables.c.id == id)).mappings().first()
        if row is None:
            return None
        setup, held = row["setup"], row["held"]
        places = [Place(Kind(place["kind"]), place["name"]) for place in setup["places"]]
        table = Table(id, setup["spec"], places, Key.parse(setup["key"]), hints=setup["hints"], most_steps=most_steps)
        table.tickets = [Ticket(**{**ticket, "seats": tuple(ticket["seats"])}) for ticket in held["tickets"]]
        table.next = held["next"]
        table.go_again(row["moves"])
        return table

    def record(self, id: str) -> Record | None:
        """The record of a finished game."""
        with self.engine.connect() as connection:
            data = connection.execute(sql.select(tables.c.record).where(tables.c.id == id)).scalar()
        return Record.from_dict(data) if data else None

    def recent(self, count: int) -> Sequence[Any]:
        """The games that ended last: id, when, setup."""
        select = sql.select(tables.c.id, tables.c.touched, tables.c.setup).where(tables.c.over)
        with self.engine.connect() as connection:
            return connection.execute(select.order_by(tables.c.touched.desc()).limit(count)).all()

    def forget(self, unfinished: float, finished: float) -> None:
        """Drop games that have not been touched for so many seconds."""
        now = time.time()
        old = sql.or_(
            sql.and_(tables.c.over.is_(False), tables.c.touched < now - unfinished), tables.c.touched < now - finished
        )
        with self.engine.begin() as connection:
            connection.execute(tables.delete().where(old))

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()


def _setup(table: Table) -> dict[str, Any]:
    """What a table is made of, and does not change."""
    return {
        "spec": str(table.game),
        "places": [asdict(place) for place in table.places],
        "key": str(table.key),
        "hints": table.hints,
    }

"""What a store needs of its database: to be opened, brought up to date, filled in bulk, and read as arrays.

SQLite and PostgreSQL are told apart here and nowhere else.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from pitboss.core.errors import PitbossError
from pitboss.core.text import printable
from pitboss.core.types import Array, Data

HEAD = "0003"  # the newest migration
UPGRADING = 0x7069_7462  # the number of PostgreSQL's lock under which schemas are changed
AT_ONCE = 50_000  # rows that are turned into arrays together
BINARY_HEADER, BINARY_TRAILER = 19, 2  # bytes before the first row, and after the last, of PostgreSQL's binary COPY

Row = Mapping[str, Any]
Numbers = sql.Select[Any]  # a selection of numbers


def dumps(data: object) -> str:
    """JSON as it is stored."""
    return json.dumps(data, separators=(",", ":"))


def open_engine(url: str) -> Engine:
    """The database that a URL means; nothing is connected yet."""
    # a file is opened for each use and closed again, so that nothing of it is held between two
    options: Data = {"poolclass": sql.NullPool} if url.startswith("sqlite:///") else {}
    if url.startswith("postgresql"):
        options = {"pool_pre_ping": True}  # the server may have been started anew since
    try:
        engine = sql.create_engine(url, json_serializer=dumps, **options)
    except ModuleNotFoundError as problem:
        if not url.startswith("postgresql"):
            raise PitbossError(f"{readable(url)} is of another kind: a store is a file, or in PostgreSQL") from None
        raise PitbossError(
            f"{readable(url)} needs the module {problem.name}: pip install 'pitboss[postgres]'"
        ) from None
    except Exception as problem:
        raise PitbossError(
            f"{url!r} is not a store: give a file, or a URL such as sqlite:///games.db or "
            f"postgresql+psycopg://user@host/database ({problem})"
        ) from problem
    if engine.dialect.name == "sqlite":
        path = engine.url.database
        if path and path != ":memory:" and (Path(path).is_dir() or not Path(path).resolve().parent.is_dir()):
            why = "it is a folder; name a file in it" if Path(path).is_dir() else "there is no such folder"
            raise PitbossError(f"cannot keep a store in {path}: {why}")
        if path and path != ":memory:" and not path.startswith("file:"):
            _make_private(Path(path))

        @sql.event.listens_for(engine, "connect")
        def _settle(connection: Any, _: object) -> None:
            for pragma in ("busy_timeout=30000", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
                connection.execute(f"PRAGMA {pragma}")

    return engine


def _make_private(path: Path) -> None:
    """Make a file that only its owner may read, since it holds the keys of games that are not over.

    One that is there keeps its mode, and what SQLite puts beside it gets the same.
    """
    with suppress(OSError):  # it is there, or cannot be made, which SQLite will say itself
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def readable(url: str) -> str:
    """A URL as it may be shown: without its password.

    >>> readable("postgresql+psycopg://ann:secret@host/cups"), readable("games.db")
    ('postgresql+psycopg://ann:***@host/cups', 'games.db')
    """
    try:
        return sql.make_url(url).render_as_string(hide_password=True)
    except sql.exc.ArgumentError:
        return url


class Damaged(Exception):
    """What was read is not what was written."""


def _damaged(name: str, what: object) -> PitbossError:
    return PitbossError(
        f"the store {name} is damaged: {printable(str(what))}; put a copy from before in its place, or run what is "
        "lost again into another `store`"
    )


@contextmanager
def told(name: str) -> Iterator[None]:
    """Turn every failure of the database (gone, full, locked, damaged) into a sentence."""
    try:
        yield
    except Damaged as problem:
        raise _damaged(name, problem) from problem
    except (sql.exc.ProgrammingError, sql.exc.NotSupportedError):  # ours, not the store's
        raise
    except (sql.exc.DatabaseError, sql.exc.InterfaceError) as problem:
        if not isinstance(problem, sql.exc.OperationalError | sql.exc.InterfaceError):
            raise _damaged(name, problem.orig) from problem
        raise PitbossError(
            f"the store {name} does not answer as it should ({problem.orig}); what was saved is kept, and "
            "pitboss tournament resume goes on when the database is back"
        ) from problem


@contextmanager
def readable_rows() -> Iterator[None]:
    """Know from the nonsense that comes of it that what was read is not of the kind that was written."""
    try:
        yield
    except PitbossError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, zlib.error) as problem:
        raise Damaged(f"what is in it cannot be read ({type(problem).__name__}: {problem})") from problem


def snapshot(connection: Connection) -> None:
    """From now on and until this transaction ends, it reads what is there now, whatever others write."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    elif connection.engine.url.database:  # in memory there are no others
        connection.exec_driver_sql("BEGIN")


def verify_file(connection: Connection, *tables: str) -> None:
    """Let the database look for damage in its own file: where it keeps these tables, or everywhere."""
    for table in tables or ("1",):
        if connection.dialect.name == "sqlite":  # a server looks after its files
            found = connection.exec_driver_sql(f"PRAGMA integrity_check({table})").scalar()
            if found != "ok":
                raise Damaged(found)


def begin(connection: Connection) -> None:
    """From now on and until this transaction ends, nobody else writes (where the database has no finer locks).

    By itself SQLite begins with the first change, when others may have changed what was read before; and what
    changes the schema it would do piece by piece, with no way back.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def upgrade(connection: Connection) -> None:
    """Bring the schema up to date, wholly or not at all. A store of a newer pitboss is refused."""
    if connection.dialect.name == "postgresql":  # of several that start at once, one makes the tables
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(UPGRADING)))
    if _up_to_date(connection):
        return
    begin(connection)
    if _up_to_date(connection):  # by another, since
        return
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as problem:
        raise Damaged(problem) from problem


def _up_to_date(connection: Connection) -> bool:
    if not sql.inspect(connection).has_table("alembic_version"):
        return False
    version = connection.execute(sql.text("SELECT version_num FROM alembic_version")).scalar()
    if version is not None and version > HEAD:
        raise PitbossError(f"the store was written by a newer pitboss (its schema is {version}); update pitboss")
    return version == HEAD


# --- many rows at once ---


def insert(connection: Connection, table: sql.Table, rows: Sequence[Row]) -> None:
    """Add rows that all have the same columns; with PostgreSQL by COPY."""
    if not rows:
        return
    if connection.dialect.name == "postgresql":
        _copy(connection, table, table.name, rows)
    else:
        connection.execute(table.insert(), rows)


def update(connection: Connection, table: sql.Table, rows: Sequence[Row]) -> None:
    """Write columns of rows that are there, found by their primary key; all rows give the same columns."""
    if not rows:
        return
    keys = [column.name for column in table.primary_key.columns]
    values = [name for name in rows[0] if name not in keys]
    if connection.dialect.name == "postgresql":
        fresh = f"fresh_{table.name}"
        names = ", ".join([*keys, *values])
        connection.exec_driver_sql(
            f"CREATE TEMPORARY TABLE {fresh} ON COMMIT DROP AS SELECT {names} FROM {table.name} WITH NO DATA"
        )
        _copy(connection, table, fresh, rows)
        connection.exec_driver_sql(f"ANALYZE {fresh}")  # so that a few rows are found by the index, not by reading all
        sets = ", ".join(f"{name} = {fresh}.{name}" for name in values)
        same = " AND ".join(f"{table.name}.{key} = {fresh}.{key}" for key in keys)
        connection.exec_driver_sql(f"UPDATE {table.name} SET {sets} FROM {fresh} WHERE {same}")
        connection.exec_driver_sql(f"DROP TABLE {fresh}")
        return
    this = sql.and_(*(table.c[key] == sql.bindparam(f"_{key}") for key in keys))
    new = {name: sql.bindparam(name, type_=table.c[name].type) for name in values}
    renamed = [{f"_{name}" if name in keys else name: value for name, value in row.items()} for row in rows]
    connection.execute(sql.update(table).where(this).values(**new), renamed)


def _copy(connection: Connection, table: sql.Table, into: str, rows: Sequence[Row]) -> None:
    names = list(rows[0])
    as_json = [isinstance(table.c[name].type, sql.JSON) for name in names]
    with _cursor(connection) as cursor, cursor.copy(f"COPY {into} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(
                [dumps(row[n]) if js and row[n] is not None else row[n] for n, js in zip(names, as_json, strict=True)]
            )


def _cursor(connection: Connection) -> Any:
    """A cursor of psycopg's own kind, which knows COPY, in the transaction of the connection."""
    return connection.connection.cursor()


def arrays(connection: Connection, select: Numbers) -> dict[str, Array]:
    """The columns of a selection as arrays, by name. All must be whole numbers or floats, and none NULL."""
    columns = list(select.selected_columns)
    kinds = ["i4" if isinstance(column.type, sql.Integer) else "f8" for column in columns]
    names = [f"c{n}" for n in range(len(columns))]
    dtype = np.dtype(list(zip(names, kinds, strict=True)))
    read = _read_binary if connection.dialect.name == "postgresql" else _read_rows
    parts = list(read(connection, select, dtype))
    whole = np.concatenate(parts) if parts else np.zeros(0, dtype)
    return {column.key or "": whole[name].copy() for column, name in zip(columns, names, strict=True)}


def _read_rows(connection: Connection, select: Numbers, dtype: Any) -> Iterator[Array]:
    for part in connection.execute(select.execution_options(yield_per=AT_ONCE)).partitions():
        yield np.array([tuple(row) for row in part], dtype)


def _read_binary(connection: Connection, select: Numbers, dtype: Any) -> Iterator[Array]:
    """By COPY in PostgreSQL's binary form, in which rows of plain numbers all look alike: how many fields, then for
    each its length and its bytes."""
    fields: list[tuple[str, str]] = [("fields", ">i2")]
    for name in dtype.names:
        fields += [(f"{name}_length", ">i4"), (name, f">{dtype[name].str[1:]}")]
    form = np.dtype(fields)
    text = select.compile(connection, compile_kwargs={"literal_binds": True}).string.replace("%%", "%")
    held = bytearray()
    begun = False

    def turn(data: bytes) -> Array:
        rows = np.frombuffer(data, form)
        assert (rows["fields"] == len(dtype.names)).all()
        out = np.empty(len(rows), dtype)
        for name in dtype.names:
            assert (rows[f"{name}_length"] == dtype[name].itemsize).all(), f"{name} is no plain number"
            out[name] = rows[name]
        return out

    with _cursor(connection) as cursor, cursor.copy(f"COPY ({text}) TO STDOUT (FORMAT BINARY)") as copy:
        for data in copy:
            held += data
            if not begun and len(held) >= BINARY_HEADER:
                begun = True
                del held[:BINARY_HEADER]
            if len(held) > AT_ONCE * form.itemsize:
                size = len(held) // form.itemsize * form.itemsize
                yield turn(bytes(held[:size]))
                del held[:size]
    yield turn(bytes(held[:-BINARY_TRAILER]))

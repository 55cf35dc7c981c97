"""The database of a store: opened when it is first needed, read at one moment, written in whole transactions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Self

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from pitboss.core.errors import PitbossError
from pitboss.tournament.ownership import JOURNALS
from pitboss.tournament.store import database
from pitboss.tournament.store import schema as t


class StoreConnection:
    """A store as a database: a file, `:memory:`, or a URL."""

    def __init__(self, url: str) -> None:
        self.name = database.readable(url)  # as the user writes it
        if url == ":memory:":
            url = "sqlite://"
        self.url = url if "://" in url else f"sqlite:///{url}"

    @property
    def files(self) -> list[Path]:
        """The file in which it is kept, and those that the database puts beside it; none if it is on a server."""
        if not self.url.startswith("sqlite"):
            return []
        path = (sql.make_url(self.url).database or "").removeprefix("file:").partition("?")[0]
        return [Path(path + ending) for ending in ("", *JOURNALS)] if path not in ("", ":memory:") else []

    @classmethod
    def existing(cls, url: str) -> Self:
        """A store to read from: a file that is not there is not made."""
        if "://" not in url and not Path(url).exists():
            raise PitbossError(f"there is no store {url} yet; pitboss tournament run makes one, `store` names another")
        return cls(url)

    @cached_property
    def engine(self) -> Engine:
        """The database, its schema brought up to date."""
        engine = database.open_engine(self.url)
        try:
            with engine.connect() as connection:
                database.upgrade(connection)
                connection.commit()
            with database.told(self.name), engine.connect() as connection:
                database.verify_file(connection, *(t.tournaments.name, t.entries.name, t.standings.name))
        except BaseException as problem:
            engine.dispose()
            if isinstance(problem, sql.exc.DBAPIError | database.Damaged):
                why = getattr(problem, "orig", problem)
                raise PitbossError(
                    f"{self.name} cannot be used as a store ({why}); give `store` another file, or a copy of this one "
                    "in a folder where you may write"
                ) from problem
            raise
        return engine

    def close(self) -> None:
        """Let go of the database."""
        if "engine" in self.__dict__:
            self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Everything as it is at one moment. What cannot be read becomes a sentence."""
        with database.told(self.name), database.readable_rows(), self.engine.connect() as connection:
            database.snapshot(connection)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, which nobody else comes between."""
        with database.told(self.name), self.engine.begin() as connection:
            database.begin(connection)
            yield connection

"""The tables of the store. A change here needs a new file in `migrations/versions`.

The schedule is written before play: a sitting is one set of bots on one deal block, and every game
it may come to is a row of `games` from the beginning, with its seats and its deal. Play fills the
rows in, match by match, and adds `matches`, `results` (a row for each seat and game) and `faults`. A `seal`
tells whether a row, and what belongs to it, is as it was written (see `seals`); rows of older stores have none.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from sqlalchemy import JSON, Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.types import TypeEngine

metadata = MetaData()

# the state of a game; a sitting is PLAYED when all its matches are, until then PLANNED
PLANNED, PLAYED, NOT_NEEDED = range(3)


AnyColumn: TypeAlias = Column[Any]
Element: TypeAlias = ColumnElement[Any]  # a column, or what is computed from some
Kind: TypeAlias = TypeEngine[Any] | type[TypeEngine[Any]]


def _all(kind: Kind, *names: str, key: bool = False) -> list[AnyColumn]:
    """Columns of a kind that every row has."""
    return [Column(name, kind, primary_key=key, nullable=False) for name in names]


def _of_tournament(name: str, *columns: AnyColumn) -> Table:
    tournament = ForeignKey("tournaments.id", ondelete="CASCADE")
    return Table(name, metadata, Column("tournament", String(40), tournament, primary_key=True), *columns)


def _seal() -> Column[str]:
    return Column("seal", String(16))


tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(40), primary_key=True),
    *_all(String(32), "created"),
    *_all(Text, "spec"),
    *_all(JSON, "settings"),
    *_all(String(40), "key"),
    *_all(String(16), "state"),  # running, finished
    Column("revision", Integer, server_default="0", nullable=False),  # one more with each change
    Column("planned", Integer),  # how many sittings there are
    _seal(),
)
entries = _of_tournament(
    "entries",
    *_all(Integer, "number", key=True),
    *_all(Text, "name"),
    *_all(String(16), "version"),
    *_all(JSON, "contestant"),
    Column("source", LargeBinary),
    Column("steady", Integer),  # whether it plays the same game twice alike: 1, 0, or not known
    _seal(),
)
sittings = _of_tournament(
    "sittings", *_all(Integer, "number", key=True), *_all(Integer, "block"), *_all(JSON, "bots"),
    *_all(Integer, "state"), _seal(),
)  # fmt: skip
matches = _of_tournament(
    "matches",
    *_all(Integer, "sitting", "rotation", key=True),
    *_all(JSON, "wins", "shares", "places", "forfeits"),
    _seal(),
)
games = _of_tournament(
    "games",
    *_all(Integer, "number", key=True),
    *_all(Integer, "sitting", "rotation", "game", "deal"),  # the game is its number in its match
    *_all(JSON, "seats"),  # the number of the entry at each seat
    *_all(Integer, "state"),
    Column("ended", String(8)),
    Column("length", Integer),
    Column("cards", Integer),
    Column("moves", LargeBinary),
    Column("output", JSON),
)
results = _of_tournament(
    "results", *_all(Integer, "game", "seat", key=True), *_all(Integer, "entry"), *_all(Float, "share"),
    *_all(Integer, "place", "score", "decisions"), *_all(Float, "cpu", "most"),
)  # fmt: skip
Index("results_by_entry", results.c.tournament, results.c.entry)
faults = _of_tournament(
    "faults", *_all(Integer, "game", "move", key=True), *_all(Integer, "seat", "entry"), *_all(String(20), "kind"),
    *_all(Text, "text"),
)  # fmt: skip
standings = _of_tournament(  # what readers see of a large tournament: worked out now and then by whoever plays it
    "standings",
    *_all(Integer, "revision"),  # of the tournament, when it was worked out
    *_all(JSON, "content"),
    _seal(),
)

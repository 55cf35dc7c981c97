"""The tables of the store. A change here needs a new file in `migrations/versions`.

The schedule is written before play: a sitting is one set of bots on one deal block, and every game
it may come to is a row of `games` from the beginning, with its seats and its deal. Play fills the
rows in, match by match, and adds `matches`, `results` (a row for each seat and game) and `faults`. A `seal`
tells whether a row, and what belongs to it, is as it was written (see `seals`); rows of older stores have none.
"""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

PLANNED, PLAYED, NOT_NEEDED = (
    0,
    1,
    2,
)  # the state of a game; a sitting is PLAYED when all its matches are, until then PLANNED


def _seal() -> Column[str]:
    return Column("seal", String(16))


def _of_tournament() -> Column[str]:
    return Column("tournament", String(40), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)


tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("created", String(32), nullable=False),
    Column("spec", Text, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("key", String(40), nullable=False),
    Column("state", String(16), nullable=False),  # running, finished
    Column("revision", Integer, server_default="0", nullable=False),  # one more with each change
    Column("planned", Integer),  # how many sittings there are
    _seal(),
)

entries = Table(
    "entries",
    metadata,
    _of_tournament(),
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("version", String(16), nullable=False),
    Column("contestant", JSON, nullable=False),
    Column("source", LargeBinary),
    Column("steady", Integer),  # whether it plays the same game twice alike: 1, 0, or not known
    _seal(),
)

sittings = Table(
    "sittings",
    metadata,
    _of_tournament(),
    Column("number", Integer, primary_key=True),
    Column("block", Integer, nullable=False),
    Column("bots", JSON, nullable=False),
    Column("state", Integer, nullable=False),
    _seal(),
)

matches = Table(
    "matches",
    metadata,
    _of_tournament(),
    Column("sitting", Integer, primary_key=True),
    Column("rotation", Integer, primary_key=True),
    Column("wins", JSON, nullable=False),
    Column("shares", JSON, nullable=False),
    Column("places", JSON, nullable=False),
    Column("forfeits", JSON, nullable=False),
    _seal(),
)

games = Table(
    "games",
    metadata,
    _of_tournament(),
    Column("number", Integer, primary_key=True),
    Column("sitting", Integer, nullable=False),
    Column("rotation", Integer, nullable=False),
    Column("game", Integer, nullable=False),  # in its match
    Column("deal", Integer, nullable=False),
    Column("seats", JSON, nullable=False),  # the number of the entry at each seat
    Column("state", Integer, nullable=False),
    Column("ended", String(8)),
    Column("length", Integer),
    Column("cards", Integer),
    Column("moves", LargeBinary),
    Column("output", JSON),
)

results = Table(
    "results",
    metadata,
    _of_tournament(),
    Column("game", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("entry", Integer, nullable=False),
    Column("share", Float, nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("cpu", Float, nullable=False),
    Column("most", Float, nullable=False),
)
Index("results_by_entry", results.c.tournament, results.c.entry)

faults = Table(
    "faults",
    metadata,
    _of_tournament(),
    Column("game", Integer, primary_key=True),
    Column("move", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("entry", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("text", Text, nullable=False),
)

standings = Table(  # what readers see of a large tournament: worked out now and then by whoever plays it
    "standings",
    metadata,
    _of_tournament(),
    Column("revision", Integer, nullable=False),  # of the tournament, when it was worked out
    Column("content", JSON, nullable=False),
    _seal(),
)

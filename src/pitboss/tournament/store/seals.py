"""Seals: a checksum beside what is written, so that a disk that forgets or a hand that edits does not go unnoticed.

A match is saved at once, and has one seal for all that belongs to it: its games, their moves, results and faults. The
seal of a sitting is for what was planned. So have an entry, a tournament (its settings, its key, how many entries and
sittings it has) and a table that was kept a seal each. They are no signatures: who can write to the store can write
others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sql

from pitboss.core.side import Outcome
from pitboss.core.types import Data
from pitboss.tournament.match import game_places, unpack, verdict
from pitboss.tournament.schedule import Sitting
from pitboss.tournament.store import schema as t
from pitboss.tournament.store.database import Damaged, dumps

Row = Mapping[Any, Any]
Values = tuple[Any, ...]  # of a row, as the database holds them: JSON is text


# a bot's version is a hash of its source, and the matches of a sitting tell its state
NOT_COVERED = frozenset({t.entries.c.source, t.sittings.c.state})


class Belongs(NamedTuple):
    """The rows that belong to a match, in the order of their primary keys."""

    games: Sequence[Values] = ()
    results: Sequence[Values] = ()
    faults: Sequence[Values] = ()


def columns(table: sql.Table) -> list[t.Element]:
    """What a seal covers of a table's rows, to be selected: the number comes first, and JSON as the text it is."""
    own = [
        column for column in table.columns if column.name not in ("tournament", "seal") and column not in NOT_COVERED
    ]
    return [_as_text(column) if isinstance(column.type, sql.JSON) else column for column in own]


def _as_text(column: t.AnyColumn) -> t.Element:
    return sql.func.nullif(sql.cast(column, sql.Text), "null").label(column.name)  # both are written for nothing


def values(table: sql.Table, row: Row) -> Values:
    """The same of a row that is written, or was read as objects."""
    return tuple(
        dumps(value) if value is not None and isinstance(table.c[name].type, sql.JSON) else value
        for name in NAMES[table]
        for value in (row.get(name),)
    )


def row_of(table: sql.Table, found: Values) -> Data:
    """The row, as objects, of which these are the values."""
    return {
        name: json.loads(value) if value is not None and isinstance(table.c[name].type, sql.JSON) else value
        for name, value in zip(NAMES[table], found, strict=True)
    }


NAMES = {table: [str(column.name) for column in columns(table)] for table in t.metadata.sorted_tables}


def _seal(content: object) -> str:
    return hashlib.blake2b(ascii(content).encode(), digest_size=8).hexdigest()


def verify(seal: str | None, content: str, what: str) -> None:
    """Refuse what its seal does not fit; what is older than seals has none."""
    if seal not in (None, content):
        raise Damaged(f"{what} is not what was written")


def of_tournament(row: Row, entries: int) -> str:
    """The seal of a tournament that has so many entries."""
    return _seal((values(t.tournaments, row), entries))


def of_entry(row: Row) -> str:
    """The seal of a bot that was entered."""
    return _seal(values(t.entries, row))


def of_table(revision: int, content: Data) -> str:
    """The seal of a table that is kept for readers."""
    return _seal((revision, dumps(content)))


def of_sitting(sitting: Values) -> str:
    """The seal of a sitting, as it was planned."""
    return _seal(sitting)


def of_match(sitting: Values, match: Values, own: Belongs) -> str:
    """The seal of a match of a sitting, and of all that belongs to it."""
    return _seal((sitting, match, *map(tuple, own)))


def planned_games(number: int, sitting: Sitting, rotation: int, best_of: int) -> list[Data]:
    """Every game that a match may come to, in order, as it is written before play."""
    seats = [*sitting.seats(rotation)]
    return [
        {
            "number": (number * len(seats) + rotation) * best_of + game, "sitting": number, "rotation": rotation,
            "game": game, "deal": sitting.block * best_of + game, "seats": seats, "state": t.PLANNED,
        }
        for game in range(best_of)
    ]  # fmt: skip


def contradiction(found: Values, rotation: int, match: Values | None, own: Belongs, best_of: int) -> bool:
    """Whether the rows of a match of a sitting cannot all be true. So it is asked of a match that is older than seals,
    and of one that has not been played, of which there must be nothing but its games, as they were planned."""
    row, kinds = row_of(t.sittings, found), (t.games, t.results, t.faults)
    games, results, faults = ([row_of(table, one) for one in rows] for table, rows in zip(kinds, own, strict=True))
    planned = planned_games(row["number"], Sitting(row["block"], tuple(row["bots"])), rotation, best_of)
    if match is None:
        written = [{name: value for name, value in game.items() if value is not None} for game in games]
        return written != planned or bool(results or faults)
    same = ("number", "sitting", "rotation", "game", "deal", "seats")
    if [[game[name] for name in same] for game in games] != [[game[name] for name in same] for game in planned]:
        return True
    of_game: dict[int, list[Row]] = {}
    for result in results:
        of_game.setdefault(result["game"], []).append(result)
    played = [game for game in games if game["state"] == t.PLAYED]
    return (
        [*of_game] != [game["number"] for game in played]
        or any(_no_game(game, of_game[game["number"]]) for game in played)
        or _no_match(row_of(t.matches, match), games, of_game)
        or any(fault["game"] not in of_game for fault in faults)
    )


def _no_game(game: Row, results: Sequence[Row]) -> bool:
    shares, scores = (tuple(result[name] for result in results) for name in ("share", "score"))
    unpack(game["moves"])  # which has a checksum of its own
    return (
        [(result["seat"], result["entry"]) for result in results] != [*enumerate(game["seats"])]
        or abs(sum(shares) - (game["ended"] != "cut")) > 1e-9
        or tuple(result["place"] for result in results) != game_places(Outcome(game["ended"], (), shares, scores))
    )


def _no_match(match: Row, games: Sequence[Row], of_game: Mapping[int, Sequence[Row]]) -> bool:
    count = sum(game["state"] == t.PLAYED for game in games)
    wins = [0] * len(match["wins"])
    for game in games[:count]:
        for result in of_game.get(game["number"], ()):
            wins[result["seat"]] += result["share"] > 0
    shares, places = verdict(wins, frozenset(match["forfeits"]))
    return (
        not count
        or any(game["state"] != t.NOT_NEEDED for game in games[count:])
        or match["wins"] != wins
        or (tuple(match["shares"]), tuple(match["places"])) != (shares, places)
    )

"""Whether a tournament in a store is what was written: asked once, before anything is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from pitboss.core.types import Data
from pitboss.tournament.store import database, seals
from pitboss.tournament.store import schema as t

AT_ONCE = 1000  # sittings that are looked at together
FIRST, LAST = -(1 << 31), (1 << 31) - 1  # of all numbers: what lies outside of the schedule is found, too


def verify(connection: Connection, id: str, settings: Data, planned: int | None) -> None:
    """Refuse a tournament of which any sitting, or what belongs to it, is not as it was written."""
    database.verify_file(connection)
    if planned is None:  # it is older than that number
        highest = sql.func.coalesce(sql.func.max(t.sittings.c.number), -1)
        planned = 1 + connection.execute(sql.select(highest).where(t.sittings.c.tournament == id)).scalar_one()
    for low, high in _ranges(planned):
        verify_sittings(connection, id, settings, low, high, planned)


def verify_games(connection: Connection, id: str, settings: Data, games: Sequence[int]) -> None:
    """The same of the sittings in which these games are played, as far as they are in the schedule."""
    for sitting in sorted({game // (settings["seats"] * settings["best_of"]) for game in games}):
        number = t.sittings.c.number
        there = sql.select(number).where(t.sittings.c.tournament == id, number == sitting)
        if connection.execute(there).first():
            verify_sittings(connection, id, settings, sitting, sitting + 1, sitting + 1)


def _ranges(planned: int) -> Iterator[tuple[int, int]]:
    """Ranges of sittings that cover everything, also what should not be there."""
    bounds = [FIRST, *range(AT_ONCE, planned, AT_ONCE), LAST]
    return pairwise(bounds)


def verify_sittings(connection: Connection, id: str, settings: Data, low: int, high: int, planned: int) -> None:
    """The same of the sittings from `low` on and below `high`."""
    seats, best_of = settings["seats"], settings["best_of"]

    def read(table: sql.Table, column: t.AnyColumn, of_sitting: int, *more: t.AnyColumn) -> Iterator[Any]:
        between = (column >= max(FIRST, low * of_sitting)) & (column < min(LAST, high * of_sitting))
        order = [key for key in table.primary_key.columns if key.name != "tournament"]
        select = sql.select(*seals.columns(table), *more).where(table.c.tournament == id, between).order_by(*order)
        return map(tuple, connection.execute(select))

    def by_match(table: sql.Table, column: t.AnyColumn) -> dict[int, list[seals.Values]]:
        out: dict[int, list[seals.Values]] = {}
        for row in read(table, column, seats * best_of):
            out.setdefault(row[0] // best_of, []).append(row)
        return out

    s, m = t.sittings.c, t.matches.c
    sittings = [*read(t.sittings, s.number, 1, s.state, s.seal)]
    matches = {row[:2]: row for row in read(t.matches, m.sitting, 1, m.seal)}
    parts = (
        by_match(t.games, t.games.c.number),
        by_match(t.results, t.results.c.game),
        by_match(t.faults, t.faults.c.game),
    )
    whole = [row[0] for row in sittings] == [*range(max(0, low), min(high, planned))]
    for *found, state, seal in sittings if whole else ():
        sitting, there = tuple(found), 0
        fits = seal in (None, seals.of_sitting(sitting))
        for rotation in range(seats):
            own = seals.Belongs(*(part.pop(sitting[0] * seats + rotation, ()) for part in parts))
            match = matches.pop((sitting[0], rotation), None)
            there += match is not None
            fits = fits and _fits(sitting, rotation, match, own, best_of)
        if not fits or state != (t.PLAYED if there == seats else t.PLANNED):
            raise database.Damaged(f"sitting {sitting[0]} of the tournament {id} is not what was written")
    if not whole or matches or any(parts):  # what is left belongs to no sitting
        raise database.Damaged(f"the schedule of the tournament {id} is not the one that was written")


def _fits(sitting: seals.Values, rotation: int, match: seals.Values | None, own: seals.Belongs, best_of: int) -> bool:
    """Whether a match, if there is one, and all that belongs to it are as written."""
    if match is None or match[-1] is None:
        return not seals.contradiction(sitting, rotation, match and match[:-1], own, best_of)
    return bool(match[-1] == seals.of_match(sitting, match[:-1], own))

"""How a schedule and what was played become rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from pitboss.core.types import Data
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.match import MatchRow
from pitboss.tournament.schedule import Sitting
from pitboss.tournament.store import database, seals
from pitboss.tournament.store import schema as t

AT_ONCE = 5000  # games of a schedule that are written together
# of a game, when it has been played
FILLED_IN = ("tournament", "number", "state", "ended", "length", "cards", "moves", "output")


def count(connection: Connection, table: sql.Table, id: str) -> int:
    """How many rows of a table belong to a tournament."""
    return int(connection.execute(sql.select(sql.func.count()).where(table.c.tournament == id)).scalar_one())


def add_entries(connection: Connection, id: str, first: int, entries: Sequence[Contestant]) -> None:
    """Bots, numbered from `first`."""
    rows = [
        {
            "tournament": id, "number": number, "name": entry.name, "version": entry.version,
            "contestant": entry.to_dict(), "source": entry.source(), "steady": None,
        }
        for number, entry in enumerate(entries, first)
    ]  # fmt: skip
    database.insert(connection, t.entries, [{**row, "seal": seals.of_entry(row)} for row in rows])


def mark_steady(connection: Connection, id: str, entry: int, steady: bool) -> None:
    """What was found out about a bot."""
    where = (t.entries.c.tournament == id) & (t.entries.c.number == entry)
    before = connection.execute(sql.select(t.entries).where(where)).mappings().one()
    seals.verify(before["seal"], seals.of_entry(before), f"bot {entry} of the tournament {id}")
    seal = seals.of_entry({**before, "steady": int(steady)})
    connection.execute(sql.update(t.entries).where(where).values(steady=int(steady), seal=seal))


def add_sittings(connection: Connection, id: str, first: int, sittings: Iterable[Sitting], best_of: int) -> int:
    """Sittings and every game that may be played in them; how many sittings there are now."""
    rows: list[Data] = []
    games: list[Data] = []

    def write() -> None:
        database.insert(connection, t.sittings, rows)
        database.insert(connection, t.games, games)
        rows.clear()
        games.clear()

    number = first - 1
    for number, sitting in enumerate(sittings, first):
        row = {"number": number, "block": sitting.block, "bots": sitting.bots}
        seal = seals.of_sitting(seals.values(t.sittings, row))
        rows.append({"tournament": id, **row, "state": t.PLANNED, "seal": seal})
        for rotation in range(len(sitting.bots)):
            own = seals.planned_games(number, sitting, rotation, best_of)
            games += [{"tournament": id, **game} for game in own]
        if len(games) > AT_ONCE:
            write()
    write()
    return number + 1


def change(connection: Connection, id: str, new_entries: int = 0, **values: Any) -> int:
    """A tournament has changed: what was worked out before holds no longer. Its new revision."""
    of_it = t.tournaments.c.id == id
    before = connection.execute(sql.select(t.tournaments).where(of_it)).mappings().one()
    row = {**before, **values, "revision": before["revision"] + 1}
    bots = count(connection, t.entries, id)
    seals.verify(before["seal"], seals.of_tournament(before, bots - new_entries), f"the tournament {id}")
    changed = {name: row[name] for name in ("revision", *values)}
    connection.execute(sql.update(t.tournaments).where(of_it).values(**changed, seal=seals.of_tournament(row, bots)))
    return int(row["revision"])


def save(
    connection: Connection, id: str, played: Sequence[tuple[int, Sitting, MatchRow]], whole: Sequence[int], best_of: int
) -> None:
    """Everything that belongs to matches that were played, and which sittings are wholly played with them."""
    matches: list[Data] = []
    rows: dict[sql.Table, list[Data]] = {table: [] for table in (t.games, t.results, t.faults)}
    for number, sitting, match in played:
        own = _rows(number, sitting, match, best_of)
        row = {
            "sitting": number, "rotation": match.rotation, "wins": match.wins, "shares": match.shares,
            "places": match.places, "forfeits": match.forfeits,
        }  # fmt: skip
        plan = {"number": number, "block": sitting.block, "bots": sitting.bots}
        belongs = seals.Belongs(*([seals.values(table, one) for one in own[table]] for table in rows))
        seal = seals.of_match(seals.values(t.sittings, plan), seals.values(t.matches, row), belongs)
        matches.append({"tournament": id, **row, "seal": seal})
        for table, some in rows.items():
            some += [{"tournament": id, **one} for one in own[table]]
    filled_in = [{name: game.get(name) for name in FILLED_IN} for game in rows.pop(t.games)]
    database.update(connection, t.games, filled_in)
    database.insert(connection, t.matches, matches)
    for table, some in rows.items():
        database.insert(connection, table, some)
    if whole:
        of_them = (t.sittings.c.tournament == id) & t.sittings.c.number.in_(whole)
        connection.execute(sql.update(t.sittings).where(of_them).values(state=t.PLAYED))


def _rows(number: int, sitting: Sitting, match: MatchRow, best_of: int) -> dict[sql.Table, list[Data]]:
    """What belongs to a match, as the rows of each table."""
    entries = sitting.seats(match.rotation)
    games = seals.planned_games(number, sitting, match.rotation, best_of)
    results, faults = [], []
    for row in games[len(match.games) :]:
        row["state"] = t.NOT_NEEDED
    for row, game in zip(games, match.games, strict=False):
        row |= {
            "state": t.PLAYED, "ended": game.ended, "length": game.length, "cards": game.cards, "moves": game.moves,
            "output": game.output or None,
        }  # fmt: skip
        results += [
            {
                "game": row["number"], "seat": seat, "entry": entries[seat], "share": float(r.share),
                "place": r.place, "score": r.score, "decisions": r.decisions, "cpu": float(r.cpu),
                "most": float(r.most),
            }
            for seat, r in enumerate(game.seats)
        ]  # fmt: skip
        faults += [
            {
                "game": row["number"], "move": f.move, "seat": f.seat, "entry": entries[f.seat],
                "kind": str(f.kind), "text": f.text,
            }
            for f in sorted(game.faults, key=lambda fault: fault.move)
        ]  # fmt: skip
    return {t.games: games, t.results: results, t.faults: faults}

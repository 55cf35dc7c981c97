"""How a schedule and what was played become rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from pitboss.arena.contestant import Contestant
from pitboss.arena.match import MatchRow
from pitboss.arena.schedule import Sitting
from pitboss.arena.store import database
from pitboss.arena.store import schema as t

AT_ONCE = 5000  # games of a schedule that are written together


def add_entries(connection: Connection, id: str, first: int, entries: Sequence[Contestant]) -> None:
    """Bots, numbered from `first`."""
    rows = [
        {
            "tournament": id, "number": number, "name": entry.name, "version": entry.version,
            "contestant": entry.as_dict(), "source": entry.source(),
        }
        for number, entry in enumerate(entries, first)
    ]  # fmt: skip
    database.insert(connection, t.entries, rows)


def add_sittings(connection: Connection, id: str, first: int, sittings: Iterable[Sitting], best_of: int) -> None:
    """Sittings and every game that may be played in them."""
    rows: list[dict[str, Any]] = []
    games: list[dict[str, Any]] = []

    def write() -> None:
        database.insert(connection, t.sittings, rows)
        database.insert(connection, t.games, games)
        rows.clear()
        games.clear()

    for number, sitting in enumerate(sittings, first):
        rows.append(
            {"tournament": id, "number": number, "block": sitting.block, "bots": sitting.bots, "state": t.PLANNED}
        )
        for rotation in range(len(sitting.bots)):
            seats = sitting.seats(rotation)
            games += [
                {
                    "tournament": id, "number": game_number(number, len(seats), rotation, best_of, game),
                    "sitting": number, "rotation": rotation, "game": game,
                    "deal": sitting.block * best_of + game, "seats": seats, "state": t.PLANNED,
                }
                for game in range(best_of)
            ]  # fmt: skip
        if len(games) > AT_ONCE:
            write()
    write()


def change(connection: Connection, id: str, **values: Any) -> None:
    """A tournament has changed: what was worked out before holds no longer."""
    of_it = sql.update(t.tournaments).where(t.tournaments.c.id == id)
    connection.execute(of_it.values(revision=t.tournaments.c.revision + 1, **values))


def game_number(sitting: int, seats: int, rotation: int, best_of: int, game: int) -> int:
    """The number of a game in its tournament."""
    return (sitting * seats + rotation) * best_of + game


def save(
    connection: Connection, id: str, played: Sequence[tuple[int, Sitting, tuple[MatchRow, ...]]], best_of: int
) -> None:
    """Everything that belongs to sittings that were played."""
    matches, games, unneeded, results, faults = [], [], [], [], []
    for number, sitting, rows in played:
        for match in rows:
            matches.append(
                {
                    "tournament": id, "sitting": number, "rotation": match.rotation, "wins": match.wins,
                    "shares": match.shares, "places": match.places, "forfeits": match.forfeits,
                }
            )  # fmt: skip
            entries = sitting.seats(match.rotation)
            place = game_number(number, len(entries), match.rotation, best_of, 0)
            for game in match.games:
                n = place + game.number
                games.append(
                    {
                        "tournament": id, "number": n, "state": t.PLAYED, "ended": game.ended, "length": game.length,
                        "cards": game.cards, "moves": game.moves, "output": game.output or None,
                    }
                )  # fmt: skip
                for seat, r in enumerate(game.seats):
                    results.append(
                        {
                            "tournament": id, "game": n, "seat": seat, "entry": entries[seat], "share": r.share,
                            "place": r.place, "score": r.score, "decisions": r.decisions, "cpu": r.cpu, "most": r.most,
                        }
                    )  # fmt: skip
                faults += [
                    {
                        "tournament": id, "game": n, "move": f.move, "seat": f.seat, "entry": entries[f.seat],
                        "kind": str(f.kind), "text": f.text,
                    }
                    for f in game.faults
                ]  # fmt: skip
            unneeded += [
                {"tournament": id, "number": place + g, "state": t.NOT_NEEDED}
                for g in range(len(match.games), best_of)
            ]  # fmt: skip
    database.update(connection, t.games, games)
    database.update(connection, t.games, unneeded)
    database.insert(connection, t.matches, matches)
    database.insert(connection, t.results, results)
    database.insert(connection, t.faults, faults)
    numbers = [number for number, _, _ in played]
    connection.execute(
        sql.update(t.sittings)
        .where(t.sittings.c.tournament == id, t.sittings.c.number.in_(numbers))
        .values(state=t.PLAYED)
    )

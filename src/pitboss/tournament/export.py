"""The games of a tournament as files: records that replay, or a table of results."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from pitboss.core.errors import PitbossError, unknown
from pitboss.core.files import whole_file
from pitboss.core.text import cell
from pitboss.tournament.store import Store
from pitboss.tournament.store import schema as t

COLUMNS = ("game", "sitting", "block", "rotation", "game_in_match", "deal", "seat", "bot", "version", "ended", "share",
           "place", "score", "length", "decisions", "cpu_seconds", "most_seconds", "faults")  # fmt: skip


ENDINGS = (".csv", ".jsonl", ".json", ".txt")


def export(
    store: Store, id: str, path: Path, bot: str | None = None, progress: Callable[[int, int], None] | None = None
) -> int:
    """Write all games, or those of one bot, one after the other; how many.

    The end of the file's name says how: `.csv` a row for each seat of each game, `.jsonl` and `.json` records,
    `.txt` a line of text for each. The file appears whole or not at all.
    """
    if path.suffix not in ENDINGS:
        raise PitbossError(f"{path} ends in none of {', '.join(ENDINGS)}: it is not clear how to write it")
    names = [entry.name for entry in store.tournament(id).entries]
    if bot is not None and bot not in names:
        raise PitbossError(unknown("bot in this tournament:", bot, names))
    wanted = None if bot is None else names.index(bot)
    rows = store.rows(t.games, id, "number", "seats", "state")
    numbers = [n for n, seats, state in rows if state == t.PLAYED and (wanted is None or wanted in seats)]
    if not numbers:
        raise PitbossError(f"no game of the tournament {id} has been played yet")
    with whole_file(path) as file:
        if path.suffix == ".csv":
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(map(cell, row) for row in _results(store, id, set(numbers)))
        else:
            for done, text in enumerate(_records(store, id, wanted, len(numbers) - 1, path.suffix), 1):
                file.write(text)
                if progress:
                    progress(done, len(numbers))
    return len(numbers)


def _records(store: Store, id: str, entry: int | None, last: int, suffix: str) -> Iterator[str]:
    of_bot = sql.select(t.results.c.game).where(t.results.c.tournament == id, t.results.c.entry == entry)
    records = store.records(id) if entry is None else store.records(id, of_bot)
    for i, record in enumerate(records):
        if suffix == ".txt":
            yield record.to_line() + "\n"
        elif suffix == ".jsonl":
            yield json.dumps(record.to_dict()) + "\n"
        else:
            yield ("[\n" if i == 0 else ",\n") + json.dumps(record.to_dict()) + ("\n]\n" if i == last else "")


def _results(store: Store, id: str, numbers: set[int]) -> Iterator[tuple[Any, ...]]:
    entries = store.tournament(id).entries
    block = {number: sitting.block for number, sitting, _ in store.sittings(id)}
    columns = ("number", "sitting", "rotation", "game", "deal", "ended", "length")
    games = {row[0]: row for row in store.rows(t.games, id, *columns) if row[0] in numbers}
    faults: dict[tuple[int, int], list[str]] = {}
    for game, seat, kind in store.rows(t.faults, id, "game", "seat", "kind"):
        faults.setdefault((game, seat), []).append(kind)
    names = ("game", "seat", "entry", "share", "place", "score", "decisions", "cpu", "most")
    for number, seat, entry, share, place, score, decisions, cpu, most in store.rows(t.results, id, *names):
        if number in games:
            _, sitting, rotation, in_match, deal, ended, length = games[number]
            bot = entries[entry]
            yield (
                number, sitting, block[sitting], rotation, in_match, deal, seat, bot.name, bot.version, ended, share,
                place, score, length, decisions, cpu, most, " ".join(faults.get((number, seat), [])),
            )  # fmt: skip

"""One decision of a recorded game: where it is found, and what its moves are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitboss.cli.common import find_records
from pitboss.core.errors import RecordError
from pitboss.core.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.table import Table

    from pitboss.core.analysis import MoveValue, Opinion
    from pitboss.core.game import Position
    from pitboss.core.record import Record
    from pitboss.core.types import GameEvent

PLACE = "A file of records (#2 for its second game) or a tournament's id/number, and which move, from 1."
MOST_SHOWN = 12  # moves whose worth is listed

Past = list[tuple["Position", list["GameEvent"]]]  # every position up to a decision, and what had just happened


def find_decision(where: str, store: str) -> tuple[Record, int]:
    """The record and the number of the move that a text such as `games.jsonl#3@7` means."""
    place, _, number = where.rpartition("@")
    if not place or not number.isdecimal():
        raise RecordError(f"{where!r} is not of the form RECORD@MOVE, such as game.json@12 or games.jsonl#3@7")
    file, _, game = place.rpartition("#")
    if not file or not game.isdecimal():
        file, game = place, "1"
    records = find_records(file, store)
    if not 1 <= int(game) <= len(records):
        raise RecordError(f"{file} has {counted(len(records), 'game')}; #{int(game)} is not one of them")
    record = records[int(game) - 1]
    if not 1 <= int(number) <= len(record.moves):
        raise RecordError(
            f"the players made {counted(len(record.moves), 'move')} in this game; @{int(number)} is not one of them"
        )
    return record, int(number)


def past_of(record: Record, number: int) -> Past:
    """All that led to a player's move, that decision last."""
    past: Past = []
    for position, events, _ in record.replay():
        past.append((position.copy(), events))
        number -= position.to_act >= 0
        if number == 0:
            return past
    raise RecordError("the record ends before this move")


def worth_table(said: Opinion, say: Callable[[int], str], notes: Mapping[int, list[str]]) -> Table:
    """What each move is worth, the best first, and last what was dropped; of very many moves only the best, and those
    that have notes."""
    from rich.table import Table
    from rich.text import Text

    ranked = sorted(said.moves, key=lambda worth: (worth.move != said.best, -worth.rollouts, -worth.value))
    shown = [worth for n, worth in enumerate(ranked) if n < MOST_SHOWN or worth.move in notes]
    wins = any(worth.win is not None for worth in said.moves)
    measured = any(worth.rollouts for worth in said.moves)
    header = ["", said.unit.partition(" (")[0], *(["rollouts"] if measured else []), *(["to win"] if wins else []), ""]
    table = Table(*header, box=None, header_style="dim", padding=(0, 2, 0, 0))
    for worth in shown:
        marks = ["best"] * (worth.move == said.best) + notes.get(worth.move, [])
        cells = [_value(said, worth)]
        cells += [f"{worth.rollouts:,}"] if measured else []
        cells += ["" if worth.win is None else f"{worth.win:.1%}"] if wins else []
        style = "bold green" if worth.move == said.best else ""
        table.add_row(Text(say(worth.move), style or "bold"), *(Text(cell, style) for cell in cells), ", ".join(marks))
    if len(shown) < len(ranked):
        table.add_row(f"… {len(ranked) - len(shown)} more")
    return table


def _value(said: Opinion, worth: MoveValue) -> str:
    if worth.ci95 is None:
        return said.format(worth.value)
    return f"{said.format(worth.value)} ± {said.format((worth.ci95[1] - worth.ci95[0]) / 2)}"

"""`pitboss replay`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from pitboss.cli.common import RunProgress, console, find_records, print_json
from pitboss.cli.options import DEFAULT_STORE, Json, StoreUrl
from pitboss.core.errors import RecordError
from pitboss.core.text import counted

if TYPE_CHECKING:
    from pitboss.cli.screen import Screen
    from pitboss.core.record import Record
    from pitboss.core.types import GameEvent


def replay(
    file: Annotated[
        str, Argument(metavar="RECORD", help="A file of records, or a game of a tournament: its id/number.")
    ],
    verify: Annotated[
        bool, Option("--verify", help="Rebuild every state of every game in the file and compare.")
    ] = False,
    game: Annotated[int, Option(help="Which game of the file, from 1.")] = 1,
    step: Annotated[int | None, Option(help="Show the table as it was after this many cards and moves.")] = None,
    verbose: Annotated[bool, Option("--verbose", help="Every card and decision, not only the main events.")] = False,
    html: Annotated[
        Path | None, Option(help="Write a page to look at the game, step by step, in a browser.", metavar="FILE")
    ] = None,
    store: StoreUrl = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Play a record again: as a log, as the table at one moment, as a page, or only to verify it.

    Examples:
      pitboss replay game.json --verbose
      pitboss replay games.jsonl --verify
      pitboss replay games.jsonl --game 2 --step 17
      pitboss replay game.json --html game.html
      pitboss replay latest/12 --html game.html
    """
    records = find_records(file, store)
    out = console()
    if verify:
        steps = []
        with RunProgress(json, "verifying") as progress:
            for n, record in enumerate(records, 1):
                try:
                    steps.append(record.verify())
                except RecordError as problem:
                    raise RecordError(f"{file}, game {n}: {problem}") from problem
                if progress:
                    progress(n, len(records))
        if json:
            print_json({"file": str(file), "verified": True, "games": len(records), "steps": steps})
        else:
            games = counted(len(records), "game")
            out.print(f"[green]Verified[/]: {games}, {sum(steps):,} steps; every state is as recorded.")
        return
    if not 1 <= game <= len(records):
        raise RecordError(f"{file} has {counted(len(records), 'game')}; --game {game} is not one of them")
    record = records[game - 1]
    if html is not None:
        _page(record, html, step, json, out)
    elif step is not None:
        _moment(record, step, json, out)
    elif json:
        log = [
            {"step": n, "move": move, "events": [event.text(record.seats) for event in events]}
            for n, (_, events, move) in enumerate(record.replay())
        ]
        print_json({"record": record.to_dict(), "log": log})
    else:
        _log(record, verbose, out)


def _log(record: Record, verbose: bool, out: Screen) -> None:
    from rich.markup import escape

    from pitboss.cli.draw import ending

    labels = record.labels
    out.print(f"[bold]{record.game}[/]: {', '.join(labels)}\n")
    margin = " " * 16 if verbose else ""
    for place, move, events in _numbered(record):
        for event in events:
            if verbose:
                out.print(f"[dim]{place:>14}[/]  {escape(event.text(labels))}")
                place = ""
            elif event.major:
                out.print(event.text(labels), markup=False)
        if move in record.faults:
            out.print(f"{margin}  [yellow]{escape(record.faults[move])}[/]")
        if verbose and move in record.output:
            out.print(f"{margin}  [dim]printed:[/] {escape(record.output[move].rstrip())}")
    out.print(ending(record, labels))


def _numbered(record: Record) -> Iterator[tuple[str, int | None, list[GameEvent]]]:
    """The events of every step, its number in words, and which of the players' moves it was, from 0."""
    from pitboss.core.step import DEALER

    moves, dealt = 0, True
    for step, (position, events, _) in enumerate(record.replay()):
        moves += not dealt
        yield (f"{step}", None, events) if dealt else (f"{step}, move {moves}", moves - 1, events)
        dealt = position.to_act == DEALER


def _page(record: Record, file: Path, step: int | None, json: bool, out: Screen) -> None:
    from pitboss.cli.common import writable
    from pitboss.core.files import write_whole
    from pitboss.render.replay import page

    write_whole(writable(file), page(record))
    link = file.resolve().as_uri() + (f"#{step}" if step is not None else "")
    if json:
        print_json({"html": str(file), "link": link})
    else:
        out.print(f"Written: {file}. Open it in a browser: {link}", soft_wrap=True)


def _moment(record: Record, step: int, json: bool, out: Screen) -> None:
    from pitboss.cli.draw import draw

    labels = record.labels
    n = -1
    for n, (position, events, move) in enumerate(record.replay()):
        if n == step:
            seats = range(position.seats) if record.game.has_secrets else [max(0, position.to_act)]
            scenes = [record.game.scene(position.view(seat), labels) for seat in seats]  # a record has no secrets
            if json:
                print_json({"step": step, "move": move, "scenes": [scene.to_dict() for scene in scenes]})
            else:
                for event in events:
                    out.print(event.text(labels), markup=False)
                for scene in scenes:
                    out.print(draw(scene))
            return
    raise RecordError(f"the game has {n} steps; --step {step} is not one of them")

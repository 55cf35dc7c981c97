"""`pitboss replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pitboss.cli.common import Json, console, print_json


def replay(
    file: Annotated[Path, typer.Argument(help="A file of records, as play and simulate write them.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Rebuild every state of every game in the file and compare.")
    ] = False,
    game: Annotated[int, typer.Option(help="Which game of the file, from 1.")] = 1,
    step: Annotated[int | None, typer.Option(help="Show the table as it was after this many cards and moves.")] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Every card and decision, not only the main events.")
    ] = False,
    json: Json = False,
) -> None:
    """Play a record again: as a log, as the table at one moment, or only to verify it.

    Examples:

    [bold]pitboss replay game.json --verbose[/]

    [bold]pitboss replay games.jsonl --verify[/]

    [bold]pitboss replay games.jsonl --game 2 --step 17[/]
    """
    from pitboss.table.errors import RecordError
    from pitboss.table.record import read

    records = read(file)
    out = console()
    if verify:
        steps = []
        for n, record in enumerate(records, 1):
            try:
                steps.append(record.verify())
            except RecordError as problem:
                raise RecordError(f"{file}, game {n}: {problem}") from problem
        if json:
            print_json({"file": str(file), "verified": True, "games": len(records), "steps": steps})
        else:
            many = "1 game" if len(records) == 1 else f"{len(records)} games"
            out.print(f"[green]Verified[/]: {many}, {sum(steps):,} steps; every state is as recorded.")
        return
    if not 1 <= game <= len(records):
        raise RecordError(f"{file} has {len(records)} games; --game {game} is not one of them")
    record = records[game - 1]
    if step is not None:
        _moment(record, step, json, out)
    elif json:
        log = [
            {"step": n, "move": move, "events": [event.text(record.seats) for event in events]}
            for n, (_, events, move) in enumerate(record.replay())
        ]
        print_json({"record": record.to_dict(), "log": log})
    else:
        _log(record, verbose, out)


def _log(record: Any, verbose: bool, out: Any) -> None:
    from pitboss.cli.draw import ending, labels_of

    labels = labels_of(record.seats)
    out.print(f"[bold]{record.game}[/]: {', '.join(labels)}\n")
    for _, events, _ in record.replay():
        for event in events:
            if verbose or event.major:
                out.print(event.text(labels), markup=False)
    out.print(ending(record, labels))


def _moment(record: Any, step: int, json: bool, out: Any) -> None:
    from pitboss.cli.draw import draw, labels_of
    from pitboss.table.errors import RecordError

    labels = labels_of(record.seats)
    n = -1
    for n, (position, events, move) in enumerate(record.replay()):
        if n == step:
            seats = range(position.seats) if record.game.has_secrets else [max(0, position.to_act)]
            scenes = [record.game.scene(position.view(seat), labels) for seat in seats]  # a record has no secrets
            if json:
                print_json({"step": step, "move": move, "scenes": [scene.as_dict() for scene in scenes]})
            else:
                for event in events:
                    out.print(event.text(labels), markup=False)
                for scene in scenes:
                    out.print(draw(scene))
            return
    raise RecordError(f"the game has {n} steps; --step {step} is not one of them")

"""`pitboss simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.common import DEFAULT_SPEC, Bots, Json, Progress, Seed, Spec, console, print_json, read_seed, writable
from pitboss.cli.results import as_dict, short, show, show_regret

if TYPE_CHECKING:
    from pitboss.sim.batch import Result
    from pitboss.solve.regret import Regret


def simulate(
    spec: Spec = DEFAULT_SPEC,
    bots: Bots = None,
    games: Annotated[int, typer.Option(help="How many games; rounded up to whole blocks.")] = 1000,
    seed: Seed = None,
    threads: Annotated[int | None, typer.Option(help="Threads to use; all cores if left out.")] = None,
    device: Annotated[
        str, typer.Option(metavar="cpu|cuda", help="Where to play: cuda is a GPU, for compiled built-in bots.")
    ] = "cpu",
    fixed_seats: Annotated[
        bool, typer.Option("--fixed-seats", help="Keep the bots in the order given instead of rotating them.")
    ] = False,
    record: Annotated[
        tuple[int, Path] | None,
        typer.Option(metavar="N FILE", help="Also write the records of the first N games (.json, .jsonl or .txt)."),
    ] = None,
    regret: Annotated[
        bool,
        typer.Option("--regret", help="Also say what each bot's hits and stays lost, against exact play (slower)."),
    ] = False,
    json: Json = False,
) -> None:
    """Let bots play many games, and report who wins, with intervals.

    Every deal is played once in each rotation of the bots over the seats, so luck and seats favour nobody.
    At a table for one, each bot plays the same deals alone; where best play is known, their figures stand beside it.

    With --regret each decision to hit or stay in Flip 7 is compared with the better one, counting all cards. That is
    exact for one seat; with several it leaves out what others draw, and Freeze and Flip Three.

    Examples:

    [bold]pitboss simulate[/]

    [bold]pitboss simulate flip7:numbers --bots stay-20,stay-23,stay-26,stay-30 --games 200000 --seed 1[/]

    [bold]pitboss simulate flip7:tournament --bots my_bot.py:MyBot,ev --record 3 games.jsonl[/]

    [bold]pitboss simulate flip7:solo --bots race,oracle,ev,stay-25 --games 5000[/]

    [bold]pitboss simulate flip7:solo --bots stay-25 --games 300 --regret[/]

    [bold]pitboss simulate flip7:numbers --bots stay-20,stay-25 --games 1000000000 --device cuda[/]
    """
    from pitboss.sim.batch import records
    from pitboss.sim.batch import simulate as run
    from pitboss.solve.optimum import optimum
    from pitboss.solve.regret import joined, verify_game
    from pitboss.solve.regret import regret as score
    from pitboss.table.errors import PitbossError
    from pitboss.table.record import write
    from pitboss.table.registry import line_up, load

    game = load(spec)
    start, seed_text = read_seed(seed)
    if record and (record[0] < 1 or record[0] > games):
        raise PitbossError(f"--record takes a number from 1 to the number of games ({games}), not {record[0]}")
    if regret:
        verify_game(game)
    file = writable(record[1]) if record else None
    entrants = line_up(game.default_bots() if bots is None else bots, game)
    alone = game.rules.seats[-1] == 1
    if alone and len(entrants) > 1 and record:
        raise PitbossError("--record goes with one bot at a table for one: each bot plays its own games")
    line_ups = [[entrant] for entrant in entrants] if alone else [entrants]
    results: list[Result] = []
    for line in line_ups:
        with Progress(json, f"playing {short(line[0].name)}:" if len(line_ups) > 1 else "playing") as progress:
            results.append(
                run(game, line, games, start, threads, rotate=not fixed_seats, device=device, progress=progress)
            )
        if results[-1].interrupted:
            break
    interrupted = results[-1].interrupted
    if record and file:
        with Progress(json) as progress:
            written = records(game, entrants, record[0], start, rotate=not fixed_seats, progress=progress)
        write(written, file)
    lost, best = None, None
    try:
        if not interrupted:
            with Progress(json, "solving", "totals") as progress:
                best = optimum(game, progress)
        if regret and not interrupted:
            parts: list[Regret] = []
            for line in line_ups:
                with Progress(json, f"scoring {short(line[0].name)}:" if len(line_ups) > 1 else "scoring") as progress:
                    parts.append(score(game, line, games, start, rotate=not fixed_seats, progress=progress))
                lost = joined(parts)
                interrupted = lost.interrupted
                if interrupted:
                    break
    except KeyboardInterrupt:  # what is known already is told
        interrupted = True
    if json:
        print_json({**as_dict(results, best), **({"regret": lost.as_dict()} if lost else {})})
    else:
        show(results, best, games, seed_text)
        if lost:
            show_regret(lost)
        elif regret:
            console().print("\n[yellow]Stopped before regret was known.[/]")
        if file:
            console().print(f"\nRecords: [bold]{file}[/]   [dim](pitboss replay {file})[/]")
    if interrupted:
        raise typer.Exit(130)

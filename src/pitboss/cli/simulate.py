"""`pitboss simulate`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from pitboss.cli.common import (
    RECORD_FILES,
    STANDARD_OUTPUT,
    RunProgress,
    cluster,
    console,
    fill_seats,
    print_json,
    read_seed,
    writable,
    write_csv,
)
from pitboss.cli.options import DEFAULT_SPEC, Address, Bots, Csv, Json, Players, Seed, Spec, number_of
from pitboss.cli.results import short, show, show_regret, to_dict
from pitboss.core.errors import PitbossError

if TYPE_CHECKING:
    from pitboss.analysis.regret import Regret
    from pitboss.run.batch import Result


def simulate(
    spec: Spec = DEFAULT_SPEC,
    bots: Bots = None,
    games: Annotated[int, number_of("How many games (also 10k, 2.5M or 1e9); rounded up to whole blocks.")] = 1000,
    players: Players = None,
    seed: Seed = None,
    threads: Annotated[int | None, Option(help="Threads to use; all cores if left out.")] = None,
    device: Annotated[
        str, Option(metavar="cpu|cuda", help="Where to play: cuda is a GPU, for compiled built-in bots.")
    ] = "cpu",
    executor: Annotated[
        str, Option(metavar="NAME", help="What runs the games: threads of this process, or ray (a cluster).")
    ] = "threads",
    address: Address = None,
    fixed_seats: Annotated[
        bool, Option("--fixed-seats", help="Keep the bots in the order given instead of rotating them.")
    ] = False,
    record: Annotated[
        tuple[int, Path] | None,
        Option(metavar="N FILE", help="Also write the records of the first N games (.json, .jsonl or .txt)."),
    ] = None,
    regret: Annotated[
        bool, Option("--regret", help="Also measure what each bot's decisions lost, against better ones (slower).")
    ] = False,
    out: Annotated[
        Path | None,
        Option(metavar="FILE", help="Also write every game to this .parquet file, or as parts to this folder."),
    ] = None,
    resume: Annotated[bool, Option("--resume", help="Continue where the same command was stopped.")] = False,
    csv: Csv = None,
    json: Json = False,
) -> None:
    """Let bots play many games, and report who wins, with intervals.

    Each deal is played once for every rotation of the bots, so neither cards nor seats favour anyone.
    At a table for one, each bot plays the same deals alone; where best play is known, the table compares them with it.

    On a cluster of machines (--executor ray) the same seed gives the same games, bit for bit.

    Ctrl-C prints the results so far and saves them. The same command with --resume continues, to the same result.
    --out writes a Parquet file while games are played: a row for each seat of each game.

    --regret compares each decision with the best one. For one seat of Flip 7 that is exact, and counts all cards; for
    several it ignores what others draw, Freeze and Flip Three. In other games it tries moves in rollouts.

    Examples:
      pitboss simulate
      pitboss simulate --players 6 --games 10k --csv table.csv
      pitboss simulate flip7:numbers --bots stay-20,stay-23,stay-26,stay-30 --games 200000 --seed 1
      pitboss simulate flip7:tournament --bots my_bot.py:MyBot,ev --record 3 games.jsonl
      pitboss simulate flip7:solo --bots race,oracle,ev,stay-25 --games 5000
      pitboss simulate flip7:solo --bots stay-25 --games 300 --regret
      pitboss simulate flip7:numbers --bots stay-20,stay-25 --games 1000000000 --device cuda
      pitboss simulate --games 1e8 --seed 1 --executor ray --address 10.0.0.1:6379
      pitboss simulate --games 1e9 --seed 1 --out games.parquet --resume
    """
    from pitboss.cli import early

    plain = device == "cpu" and executor == "threads" and not (record or regret or out or resume)
    words = (spec, bots, players)
    if plain:
        from pitboss.run import quick

        plain = games < quick.QUICK_GAMES
        if plain:
            quick.begin(words)
        if early.few(games, bots, players):
            early.begin("simulate", spec)
    from pitboss.analysis import analysis_of
    from pitboss.core.bot import split_bots
    from pitboss.core.record import write
    from pitboss.core.registry import line_up, load
    from pitboss.run.batch import records
    from pitboss.run.batch import simulate as run
    from pitboss.run.executors import playing_on

    game = load(spec)
    start, seed_text = read_seed(seed)
    if record and (record[0] < 1 or record[0] > games):
        raise PitbossError(f"--record takes a number from 1 to the number of games ({games}), not {record[0]}")
    file = writable(record[1], RECORD_FILES) if record else None
    for wanted in (csv, None if out and out.is_dir() else out):
        if wanted:
            writable(wanted)
    names = game.default_bots() if bots is None else split_bots(bots)
    entrants = line_up(fill_seats(names, players) if players else names, game)
    nodes = cluster(executor, "threads", address, threads)
    if nodes and device != "cpu":
        raise PitbossError("a cluster plays on its CPUs: leave out --device, or --executor ray")
    playing = nodes or playing_on(device, threads)
    alone = game.rules.seats[-1] == 1
    if alone and len(entrants) > 1 and (record or out):
        option = "--record" if record else "--out"
        raise PitbossError(f"{option} goes with one bot at a table for one: each bot plays its own games")
    line_ups = [[entrant] for entrant in entrants] if alone else [entrants]
    results: list[Result] = []
    for line in line_ups:
        with RunProgress(json, f"playing {short(line[0].name)}:" if len(line_ups) > 1 else "playing") as progress:
            results.append(
                run(
                    game, line, games, start, rotate=not fixed_seats, executor=playing, out=out, resume=resume,
                    progress=progress,
                )
            )  # fmt: skip
        if results[-1].interrupted:
            break
    interrupted = results[-1].interrupted
    if record and file:
        with RunProgress(json) as progress:
            written = records(game, entrants, record[0], start, rotate=not fixed_seats, progress=progress)
        write(written, file)
    lost, best = None, None
    try:
        if alone and not interrupted:
            with RunProgress(json, "solving", "totals") as progress:
                best = analysis_of(game).benchmark(progress)
        if regret and not interrupted:
            from pitboss.analysis.regret import joined
            from pitboss.analysis.regret import regret as score

            parts: list[Regret] = []
            for line in line_ups:
                with RunProgress(
                    json, f"scoring {short(line[0].name)}:" if len(line_ups) > 1 else "scoring"
                ) as progress:
                    parts.append(score(game, line, games, start, rotate=not fixed_seats, progress=progress))
                lost = joined(parts)
                interrupted = lost.interrupted
                if interrupted:
                    break
    except KeyboardInterrupt:  # what is known already is told
        interrupted = True
    early.settled()
    if csv:
        from pitboss.core.notebook import csv_text

        bots_of_table = to_dict(results, best)["bots"]
        write_csv(csv_text([{k: v for k, v in bot.items() if k != "seats"} for bot in bots_of_table]), csv)
    if json:
        print_json({**to_dict(results, best), **({"regret": lost.to_dict()} if lost else {})})
    elif csv != STANDARD_OUTPUT:
        show(results, best, games, seed_text)
        if lost:
            show_regret(lost)
        elif regret:
            console().print("\n[yellow]Stopped before regret was known.[/]")
        if out and not results[-1].interrupted:
            console().print(f"\nGames: [bold]{out}[/]   [dim](Parquet, a row for each seat and game)[/]")
        if file:
            console().print(f"\nRecords: [bold]{file}[/]   [dim](pitboss replay {file})[/]")
        if results[-1].interrupted:
            console().print("\nSaved. Continue with:", _again(seed_text), markup=False, soft_wrap=True)
    if interrupted:
        raise typer.Exit(130)
    if plain:
        quick.keep(words, game, entrants)


def _again(seed: str) -> str:
    """The command that goes on."""
    words = [word for word in sys.argv[1:] if word != "--resume"]
    if not any(word == "--seed" or word.startswith("--seed=") for word in words):
        words += ["--seed", seed]
    return shlex.join(["pitboss", *words, "--resume"])

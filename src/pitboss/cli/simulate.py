"""`pitboss simulate`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.common import (
    DEFAULT_SPEC,
    Address,
    Bots,
    Json,
    Progress,
    Seed,
    Spec,
    console,
    print_json,
    read_count,
    read_seed,
    writable,
)

if TYPE_CHECKING:
    from pitboss.sim.batch import Result
    from pitboss.sim.executors import Executor
    from pitboss.sim.stats import Estimate
    from pitboss.solve.regret import Regret


def simulate(
    spec: Spec = DEFAULT_SPEC,
    bots: Bots = None,
    games: Annotated[
        int, typer.Option(parser=read_count, metavar="N", help="How many games (also 1e9); rounded up to whole blocks.")
    ] = 1000,
    seed: Seed = None,
    threads: Annotated[int | None, typer.Option(help="Threads to use; all cores if left out.")] = None,
    executor: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays: threads of this process, or ray, a cluster.")
    ] = "threads",
    address: Address = None,
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
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write every game to this .parquet file, or as parts to this folder."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where the same command was stopped, if it was.")
    ] = False,
    json: Json = False,
) -> None:
    """Let bots play many games, and report who wins, with intervals.

    Every deal is played once in each rotation of the bots over the seats, so luck and seats favour nobody.

    On a cluster of machines (--executor ray) the same seed gives the same games, bit for bit.

    Ctrl-C prints what is known so far, and keeps it: the same command with --resume goes on, to the same result.
    With --out each game is a row for each seat, written as it is played, in Parquet.

    With --regret each decision to hit or stay in Flip 7 is compared with the better one, counting all cards. That is
    exact for one seat; with several it leaves out what others draw, and Freeze and Flip Three.

    Examples:

    [bold]pitboss simulate[/]

    [bold]pitboss simulate flip7:numbers --bots stay-20,stay-23,stay-26,stay-30 --games 200000 --seed 1[/]

    [bold]pitboss simulate flip7:tournament --bots my_bot.py:MyBot,ev --record 3 games.jsonl[/]

    [bold]pitboss simulate flip7:solo --bots stay-25 --games 300 --regret[/]

    [bold]pitboss simulate --games 1e8 --seed 1 --executor ray --address 10.0.0.1:6379[/]

    [bold]pitboss simulate --games 1e9 --seed 1 --out games.parquet --resume[/]
    """
    from rich.markup import escape

    from pitboss.sim.batch import records
    from pitboss.sim.batch import simulate as run
    from pitboss.solve.regret import regret as score
    from pitboss.solve.regret import verify_game
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
    if out and not out.is_dir():
        writable(out)
    entrants = line_up(game.default_bots() if bots is None else bots, game)
    players = _executor(executor, threads, address)
    with Progress(json) as progress:
        result = run(
            game, entrants, games, start, rotate=not fixed_seats, executor=players, out=out, resume=resume,
            progress=progress,
        )  # fmt: skip
    if record and file:
        with Progress(json) as progress:
            written = records(game, entrants, record[0], start, rotate=not fixed_seats, progress=progress)
        write(written, file)
    lost = None
    if regret and not result.interrupted:
        with Progress(json, "scoring") as progress:
            lost = score(game, entrants, games, start, rotate=not fixed_seats, progress=progress)
    if json:
        print_json({**result.as_dict(), **({"regret": lost.as_dict()} if lost else {})})
    else:
        _show(result, games, seed_text)
        if lost:
            _show_regret(lost)
        if out and not result.interrupted:
            console().print(f"\nGames: [bold]{out}[/]   [dim](Parquet, a row for each seat and game)[/]")
        if file:
            console().print(f"\nRecords: [bold]{file}[/]   [dim](pitboss replay {file})[/]")
    if result.interrupted:
        if not json:
            console().print(f"\nKept. Go on with: [bold]{escape(_again(seed_text))}[/]", soft_wrap=True)
        raise typer.Exit(130)


def _executor(name: str, threads: int | None, address: str | None) -> Executor:
    from pitboss.sim.executors import Threads
    from pitboss.table.errors import PitbossError, unknown

    if name == "threads":
        if address is not None:
            raise PitbossError("--address is the address of a cluster: add --executor ray")
        return Threads(threads)
    if name != "ray":
        raise PitbossError(unknown("executor", name, ["threads", "ray"]))
    from pitboss.sim.remote import OnCluster

    return OnCluster(address, threads)


def _again(seed: str) -> str:
    """The command that goes on."""
    words = [word for word in sys.argv[1:] if word != "--resume"]
    if not any(word == "--seed" or word.startswith("--seed=") for word in words):
        words += ["--seed", seed]
    return shlex.join(["pitboss", *words, "--resume"])


def _show(result: Result, asked: int, seed: str) -> None:
    from rich.markup import escape
    from rich.table import Table

    out = console()
    if result.interrupted:
        out.print(f"[yellow]Stopped early: these are the first {result.games:,} of {asked:,} games.[/]")
    elif result.games != asked:
        out.print(f"[dim]{asked:,} games rounded up to {result.games:,}: whole blocks of {result.rotations}.[/]")
    if result.resumed:
        out.print(f"[dim]Went on after {result.resumed:,} games.[/]")
    deals = f"{result.blocks:,} deals × {result.rotations} seatings" if result.rotations > 1 else "a deal each"
    out.print(f"[bold]{result.game}[/]: {result.games:,} games ({deals}), seed {seed}\n")
    table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column("bot", overflow="fold")
    alone = len(result.names) == 1
    if not alone:
        table.add_column("wins", justify="right", no_wrap=True)
        table.add_column("share ± 95 %", justify="right", no_wrap=True)
    for figure in result.game.figures:
        table.add_column(figure.about, justify="right", no_wrap=True)
    for i in sorted(range(len(result.names)), key=lambda i: -result.win_share(i).mean):
        cells = [f"[bold]{escape(_short(result.names[i]))}[/]"]
        if not alone:
            cells += [f"{result.sums.wins(i):,}", _plus_minus(result.win_share(i), True)]
        for figure in result.game.figures:
            estimate = result.sums.figure(figure, i)
            cells.append(_plus_minus(estimate, figure.percent) if alone else _number(estimate.mean, figure.percent))
        table.add_row(*cells)
    out.print(table)
    _verdict(result, out)
    speed = f"{result.games / result.seconds:,.0f} games/s" if result.seconds else ""
    cut = f", {result.cut} cut" if result.cut else ""
    nodes = len(result.executor.get("nodes", []))
    where = _many(nodes, "node") if nodes else _many(result.threads, "thread")
    out.print(f"\n[dim]{result.seconds:.1f} s on {where}: {speed}{cut}; {result.decisions:,} decisions[/]")


def _show_regret(regret: Regret) -> None:
    from rich.markup import escape
    from rich.table import Table

    out = console()
    exact = "exactly" if regret.exact else "as if each bot were alone with the deck, Freeze and Flip Three left out"
    out.print(f"\n[bold]Points lost by hits and stays[/] [dim]({exact})[/]")
    table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column("bot", overflow="fold")
    table.add_column("lost a round ± 95 %", justify="right", no_wrap=True)
    if regret.exact:
        table.add_column("of optimal", justify="right", no_wrap=True)
    for i in sorted(range(len(regret.names)), key=lambda i: regret.lost(i).mean):
        optimal = [_plus_minus(regret.optimal(i), True)] if regret.exact else []
        table.add_row(f"[bold]{escape(_short(regret.names[i]))}[/]", _plus_minus(regret.lost(i), False), *optimal)
    out.print(table)
    if not regret.mistakes:
        return
    out.print("\n[dim]The most expensive mistakes:[/]")
    table = Table("lost", "bot", "did", "with", "points", "a hit", "game", header_style="bold", box=None,
                  padding=(0, 2, 0, 0))  # fmt: skip
    for m in regret.mistakes:
        game = f"{m.deal}.{m.rotation}" if len(regret.names) > 1 else str(m.deal)
        table.add_row(
            f"{m.lost:.2f}", escape(_short(m.bot)), m.did, m.hand or "no cards", str(m.points), f"{m.hit:.2f}", game
        )
    out.print(table)


def _verdict(result: Result, out: Any) -> None:
    """Say which pairs differ by more than luck."""
    from rich.markup import escape

    pairs = result.versus()
    if not pairs:
        return
    if len(pairs) > 10:
        sure = sum(v.better is not None for v in pairs)
        out.print(f"\n{sure} of {len(pairs)} pairs differ by more than luck; --json lists them all.")
        return
    out.print("\n[dim]Difference in share of wins on the same deals:[/]")
    for v in pairs:
        better = f"[green]{escape(_short(v.better))} is better[/]" if v.better else "[dim]luck explains it[/]"
        out.print(
            f"  {escape(_short(v.a))} − {escape(_short(v.b))}: {_interval(v.difference, True, signed=True)}   {better}"
        )


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _short(name: str) -> str:
    """A bot from a file by its own name alone."""
    return name.rpartition(".py:")[2]


def _number(x: float, percent: bool, signed: bool = False) -> str:
    return f"{100 * x:{'+' if signed else ''}.2f} %" if percent else f"{x:{'+' if signed else ''}.2f}"


def _interval(e: Estimate, percent: bool, signed: bool = False) -> str:
    text = _number(e.mean, percent, signed)
    if e.low is None or e.high is None:
        return text
    return f"{text} [dim]({_number(e.low, percent, signed)} to {_number(e.high, percent, signed)})[/]"


def _plus_minus(e: Estimate, percent: bool) -> str:
    text = _number(e.mean, percent)
    if e.low is None or e.high is None:
        return text
    return f"{text} [dim]± {_number((e.high - e.low) / 2, percent).removesuffix(' %')}[/]"

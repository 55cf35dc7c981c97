"""`pitboss tune`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.common import RunProgress, console, print_json, writable
from pitboss.cli.options import Game, Json, Seed, TimeLimit, number_of

if TYPE_CHECKING:
    from pitboss.tournament.tune import Tuning


def tune(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot: mine.py:MyBot, or built in, such as stay.")],
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=LOW..HIGH",
            help="A parameter and its values: limit=0.15..0.40, n=15..35 (the number of a built-in bot), or with steps "
            "limit=0.1..0.5:0.05. Repeat it for several.",
        ),
    ],
    game: Game = "flip7:tournament",
    against: Annotated[str | None, typer.Option(metavar="A,B,…", help="Opponents; the game's own if left out.")] = None,
    seats: Annotated[int | None, typer.Option("--seats", "--players", help="Seats at the table.")] = None,
    games: Annotated[int, number_of("Stop after so many games.")] = 20_000,
    alpha: Annotated[float, typer.Option(help="The probability of a wrong answer, at most.")] = 0.05,
    seed: Seed = None,
    time_limit: TimeLimit = 0.5,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Also draw what was tried.")] = None,
    json: Json = False,
) -> None:
    """Which values of a bot's parameters win most? Those that are known to be worse are dropped on the way.

    Whenever you stop, with Ctrl-C or at --games, you get the best so far, with an interval that holds at any time.

    Examples:

    [bold]pitboss tune stay --vary n=15..35[/]

    [bold]pitboss tune mine.py:MyBot --vary limit=0.15..0.40 --against ev,stay-25 --plot limit.svg[/]
    """
    from pitboss.cli.common import read_key, read_limits
    from pitboss.core.bot import split_bots
    from pitboss.tournament.tune import TuneSettings
    from pitboss.tournament.tune import tune as search

    if plot:
        writable(plot, (".svg", ".png"))
    how = TuneSettings(
        against=split_bots(against) if against else (),
        seats=seats,
        games=games,
        alpha=alpha,
        seed=None if seed is None else read_key(str(seed)),
        limits=read_limits(time_limit, None, None),
    )
    with RunProgress(json, "tuning") as progress:
        found = search(bot, vary, game, how, progress)
    if plot:
        found.plot().save(plot)
    if json:
        print_json(found.to_dict())
    else:
        _print(found)
        if plot:
            console().print(f"\nPlot: [bold]{plot}[/]", soft_wrap=True)
    if found.interrupted:
        raise typer.Exit(130)


def _print(found: Tuning) -> None:
    from rich.markup import escape

    out, best = console(), found.best
    low, high = best.interval
    out.print(f"[bold]{escape(found.sentence())}[/]" + (" (stopped early)" if found.interrupted else ""))
    out.print(f"It wins {100 * best.share:.1f} % [dim]({100 * low:.1f} to {100 * high:.1f}, at any time)[/]\n")
    table = out.table("bot", "share of wins", "games", "")
    seats = len(found.against) + 1
    for one in sorted(found.tried, key=lambda one: (not one.left, -one.share)):
        low, high = one.interval
        share = f"{100 * one.share:.1f} % [dim]({100 * low:.1f} to {100 * high:.1f})[/]"
        note = "[green]may be the best[/]" if one.left else "[dim]dropped[/]"
        note += f" [yellow]{one.faults:,} faults[/]" if one.faults else ""
        table.add_row(escape(one.bot), share, f"{one.blocks * seats:,}", note)
    out.print(table)
    against = escape(", ".join(found.against))
    out.print(f"\n[dim]{found.games:,} games of {escape(found.game)} against {against}, {found.seconds:.1f} s[/]")

"""`pitboss compare`."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument, Option

from pitboss.cli.common import RunProgress, console, print_json, read_limits
from pitboss.cli.options import Allow, Clock, Game, Isolation, Json, Seed, TimeLimit, number_of
from pitboss.core.text import counted


def compare(
    a: Annotated[str, Argument(metavar="A", help="A bot: built in, path.py:MyBot or cmd:./program.")],
    b: Annotated[str, Argument(metavar="B", help="The bot to compare it with.")],
    spec: Game = "flip7:tournament",
    seats: Annotated[
        int | None, Option("--seats", "--players", help="Seats at the table, half for each bot; by default the fewest.")
    ] = None,
    games: Annotated[int | None, number_of("Stop undecided after this many games; each deal is played twice.")] = None,
    blocks: Annotated[int, number_of("Stop undecided after this many deals.")] = 20_000,
    alpha: Annotated[float, Option(help="The highest probability of a wrong answer.")] = 0.05,
    margin: Annotated[float, Option(help="A difference in the share of wins that does not matter.")] = 0.01,
    seed: Seed = None,
    time_limit: TimeLimit = 0.5,
    clock: Clock = None,
    allow: Allow = None,
    workers: Annotated[int | None, Option(help="Processes that play bots from files; all cores if left out.")] = None,
    require_isolation: Isolation = False,
    json: Json = False,
) -> None:
    """Find out which of two bots is better: play shared deals until that is clear, and no longer.

    The test looks at the result after every deal; a wrong answer is still no more likely than --alpha. Faults of the
    bots come first, and make the exit code 1; a bot that cannot play at all is an error.

    Examples:
      pitboss compare ev stay-25
      pitboss compare mine.py:New mine.py:Old --game flip7:official --seats 4
    """
    from rich.markup import escape

    from pitboss.tournament.compare import SEATINGS
    from pitboss.tournament.compare import compare as run
    from pitboss.tournament.faults import in_words

    limits = read_limits(time_limit, clock, allow)
    if games is not None:
        blocks = -(-games // SEATINGS)
    with RunProgress(json, "comparing", "deals") as progress:
        found = run(
            spec, a, b, seats=seats, blocks=blocks, alpha=alpha, margin=margin,
            seed=seed, limits=limits, workers=workers,
            require_isolation=require_isolation, watch=progress and (lambda done, most, _: progress(done, most)),
        )  # fmt: skip
    if json:
        print_json(found.to_dict())
    else:
        out, (low, high) = console(), found.interval
        for fault in in_words(found.faults):
            out.print(f"[yellow]{escape(fault)}[/]")
        out.print(f"[bold]{escape(found.sentence())}[/]" + (" (stopped early)" if found.interrupted else ""))
        out.print(
            f"Share of wins, {escape(found.a)} minus {escape(found.b)}: {100 * found.difference:+.2f} % "
            f"[dim]({100 * low:+.2f} % to {100 * high:+.2f} % with {100 - 100 * found.alpha:g} %, at any time)[/]"
        )
        played = f"{counted(found.blocks, 'deal')}, {counted(found.games, 'game')} of {found.game}"
        out.print(f"[dim]{played}, {found.seconds:.1f} s[/]")
        if limits.exceptions:
            out.print(f"[dim]{escape(limits.exceptions)}[/]", soft_wrap=True)
    if found.interrupted or found.faults:
        raise typer.Exit(130 if found.interrupted else 1)

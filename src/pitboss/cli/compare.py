"""`pitboss compare`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss.cli.common import Allow, Clock, Json, RunProgress, Seed, console, print_json, read_count


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A bot: built in, path.py:MyBot or cmd:./program.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The bot to compare it with.")],
    spec: Annotated[str, typer.Option("--game", metavar="SPEC", help="The game and its rules.")] = "flip7:tournament",
    seats: Annotated[
        int | None, typer.Option(help="Seats at the table, half of them for each; 2, or as few as it allows.")
    ] = None,
    blocks: Annotated[int, typer.Option(parser=read_count, metavar="N", help="Give up after so many deals.")] = 20_000,
    alpha: Annotated[float, typer.Option(help="The probability of a wrong answer, at most.")] = 0.05,
    margin: Annotated[float, typer.Option(help="A difference in shares of wins that would not matter.")] = 0.01,
    seed: Seed = None,
    time_limit: Annotated[float, typer.Option(help="Seconds of thinking for each decision.")] = 0.5,
    clock: Clock = None,
    allow: Allow = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that play bots from files; all cores by default.")
    ] = None,
    require_isolation: Annotated[
        bool, typer.Option("--require-isolation", help="Refuse to run bots where the sandbox does not hold.")
    ] = False,
    json: Json = False,
) -> None:
    """Is A better than B? Play on shared deals until that is known, and no longer.

    The answer may be looked at after every deal without making errors more likely than --alpha.

    Examples:

    [bold]pitboss compare ev stay-25[/]

    [bold]pitboss compare mine.py:New mine.py:Old --game flip7:official --seats 4[/]
    """
    from rich.markup import escape

    from pitboss.core.errors import PitbossError
    from pitboss.sandbox.limits import Limits, split_names
    from pitboss.tournament.compare import compare as run

    if time_limit <= 0:
        raise PitbossError("--time-limit must be more than 0")
    limits = Limits(time_limit, clock=clock or "processor", allow=split_names(allow or ()))
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
        out.print(f"[bold]{escape(found.sentence())}[/]" + (" (stopped early)" if found.interrupted else ""))
        out.print(
            f"Share of wins, {escape(found.a)} minus {escape(found.b)}: {100 * found.difference:+.2f} % "
            f"[dim]({100 * low:+.2f} % to {100 * high:+.2f} %, at any time, with {1 - found.alpha:.0%})[/]"
        )
        out.print(f"[dim]{found.blocks:,} deals, {found.games:,} games of {found.game}, {found.seconds:.1f} s[/]")
        if limits.exceptions:
            out.print(f"[dim]{escape(limits.exceptions)}[/]", soft_wrap=True)
    if found.interrupted:
        raise typer.Exit(130)

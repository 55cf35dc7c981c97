"""`pitboss check-bot`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss.cli.common import SPEC_HELP, Json, Progress, console, print_json


def check_bot(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A file, path.py:MyBot, a folder of bots, or cmd:./program.")
    ],
    game: Annotated[str, typer.Option("--game", metavar="SPEC", help=SPEC_HELP)] = "flip7:tournament",
    games: Annotated[int, typer.Option(help="How many games it plays.", min=1)] = 40,
    seed: Annotated[int, typer.Option(help="Which games.", min=0)] = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds of thinking for each decision.")] = 0.5,
    require_isolation: Annotated[
        bool, typer.Option("--require-isolation", help="Refuse to run a bot that cannot be shut in.")
    ] = False,
    json: Json = False,
) -> None:
    """Would this bot get through a tournament? Let it play under the referee and see.

    It is imported in a process of its own, plays at every seat against built-in bots, and some games twice. Exit code 1
    if something is wrong.

    Examples:

    [bold]pitboss check-bot mine.py[/]

    [bold]pitboss check-bot mine.py:Careful --game show:fair[/]
    """
    from rich.markup import escape

    from pitboss.arena.check import check_bot as check
    from pitboss.arena.referee.endings import Limits

    left_out: list[str] = []
    with Progress(json, "checking") as progress:
        found = check(bot, game, games, seed, Limits(decision=time_limit), progress, left_out, require_isolation)
    if json:
        print_json([checkup.as_dict() for checkup in found])
    else:
        out = console()
        for checkup in found:
            verdict = "[green]ready for a tournament[/]" if checkup.fine else "[red]not ready yet[/]"
            out.print(f"[bold]{escape(checkup.bot)}[/]: {verdict}  [dim]{checkup.games} games of {escape(game)}[/]")
            for finding in checkup.findings:
                mark = "[green]✓[/]" if finding.fine else "[red]✗[/]"
                out.print(f"  {mark} {escape(finding.about)}: {escape(finding.text)}")
        for why in left_out:
            out.print(f"[yellow]Left out:[/] {escape(why)}", soft_wrap=True)
    if not all(checkup.fine for checkup in found):
        raise typer.Exit(1)

"""`pitboss check-bot`."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument, Option

from pitboss.cli.common import RunProgress, console, in_flags, print_json, read_limits, tell_left_out
from pitboss.cli.options import Allow, Clock, Game, Isolation, Json, TimeLimit, number_of
from pitboss.core.text import counted


def check_bot(
    context: typer.Context,
    bot: Annotated[str, Argument(metavar="BOT", help="A file, path.py:MyBot, a folder of bots, or cmd:./program.")],
    game: Game = "flip7:tournament",
    games: Annotated[int, number_of("How many games it plays.")] = 40,
    seed: Annotated[int, Option(help="Chooses the games; another number plays different ones.", min=0)] = 0,
    time_limit: TimeLimit = 0.5,
    clock: Clock = None,
    allow: Allow = None,
    require_isolation: Isolation = False,
    json: Json = False,
) -> None:
    """Check whether a bot will pass in a tournament: it plays under the referee.

    The bot is imported in a process of its own. It plays at every seat against built-in bots, and some games twice. The
    exit code is 1 if something is wrong.

    Examples:
      pitboss check-bot mine.py
      pitboss check-bot mine.py:Careful --game show:fair
    """
    from rich.markup import escape

    from pitboss.core.registry import load
    from pitboss.tournament.check import check_bot as check
    from pitboss.tournament.referee.seats import Referee

    limits = read_limits(time_limit, clock, allow)
    left_out: list[str] = []
    with Referee(load(game), limits, require_isolation) as referee, RunProgress(json, "checking") as progress:
        found = check(bot, referee, games, seed, progress, left_out)
    bad = [checkup.bot for checkup in found if not checkup.fine]
    if json:
        print_json([checkup.to_dict() for checkup in found])
    else:
        out = console()
        for one in found:
            verdict = "[red]not ready yet[/]" if one.bot in bad else "[green]ready for a tournament[/]"
            facts = f"{counted(one.games, 'game')} of {game}"
            if len(found) > 1 and one.fine:  # of many bots, only what is wrong is told at length
                facts = f"{one.decisions:,} decisions, {one.ms_per_decision:.2f} ms each, {one.ms_most:.1f} ms at most"
            out.print(f"[bold]{escape(one.bot)}[/]: {verdict}  [dim]{escape(facts)}[/]", soft_wrap=True)
            for finding in one.findings if len(found) == 1 or not one.fine else ():
                mark = "[green]✓[/]" if finding.fine else "[red]✗[/]"
                text = in_flags(finding.text, context.command)
                out.print(f"  {mark} {escape(finding.about)}: {escape(text)}", soft_wrap=True)
        if len(found) > 1:
            rest = f"; not ready: {', '.join(bad)}" if bad else ""
            out.print(f"\n{len(found) - len(bad)} of {len(found)} bots are ready{escape(rest)}", soft_wrap=True)
    tell_left_out(left_out)
    if bad:
        raise typer.Exit(1)

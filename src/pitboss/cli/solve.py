"""`pitboss solve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from pitboss.cli.common import RunProgress, console, print_json, writable
from pitboss.cli.options import Json, Spec, number_of

if TYPE_CHECKING:
    from pitboss.core.analysis import Report


def solve(
    spec: Spec = "show:fair",
    seats: Annotated[int | None, Option(help="How many play; Flip 7 is solved for 1 and 2.")] = None,
    objective: Annotated[
        str | None,
        Option(
            help="What a lone player wants: points in a round; rounds, the fewest to the target; bound, how few rounds"
            " are possible at all with a deck that is carried over. With --against: bound, how much a bot loses at"
            " least."
        ),
    ] = None,
    against: Annotated[str | None, Option(help="For two players: the best answer to this bot.", metavar="BOT")] = None,
    games: Annotated[
        int | None,
        number_of(
            "Games to measure: 400,000 of near-equilibrium play, 2,000 of a bound against a bot, 100 deals of another."
        ),
    ] = None,
    seed: Annotated[int, Option(help="A number that decides all luck.")] = 1,
    train: Annotated[
        bool, Option("--train", help="Train near-equilibrium play, and write its table to --out.")
    ] = False,
    walks: Annotated[int | None, number_of("How long to learn; the default takes some minutes.")] = None,
    out: Annotated[
        Path | None, Option(help="The file for that table; for Show, the bot cfr(file=FILE) plays it.")
    ] = None,
    threads: Annotated[int, number_of("Threads that learn; with one, the same seed gives the same table.")] = 1,
    json: Json = False,
) -> None:
    """Compute what perfect play is worth: exactly where that is possible, otherwise as closely as can be measured.

    One player of Flip 7: the most points a round from a fresh deck, or the fewest rounds to the target; action cards
    fall on the player who draws them. Two players: the chance to win from all totals, if each plays its rounds alone,
    with a fresh deck and without action cards.

    Any other game of two players: the share of the win, by linear programming and by CFR+ with its exploitability, if
    the game has at most five million positions; choose rules that make it small. --against BOT finds the best answer
    to a bot, exactly; for a compiled bot a game may have hundreds of millions of positions, at about a million a
    second. Where it is too large for that, too, --against BOT --objective bound plays a local best response, which
    knows the bot's policy and looks one move ahead: the best answer wins at least as much. The whole deck of Show is
    measured by near-equilibrium play.

    Examples:
      pitboss solve flip7:solo --seats 1
      pitboss solve flip7:solo --seats 1 --objective rounds
      pitboss solve flip7:solo --objective bound   (two minutes)
      pitboss solve flip7:official --seats 1   (all 94 cards; 5 GB of memory and some ten seconds)
      pitboss solve flip7:numbers --seats 2
      pitboss solve flip7:numbers --seats 2 --against stay-25
      pitboss solve show:classic
      pitboss solve "show:classic(deck=* * A A 3 3)" --json
      pitboss solve "show:classic(deck=* A 2 3 5 8 10 J)" --against show-6   (ten seconds)
      pitboss solve show:fair --against show-6 --objective bound
      pitboss solve show:fair --train --out mine.npz
    """
    from pitboss.analysis import analysis_of
    from pitboss.analysis.solve import solve as answer
    from pitboss.core.analysis import Problem
    from pitboss.core.registry import load

    game = load(spec)
    file = writable(out) if out else None
    doing, what = ("learning", "walks") if train else ("solving", "steps") if seats in (1, 2) else ("playing", "games")
    with RunProgress(json, doing, what) as progress:
        if train:
            found = analysis_of(game).train(file, walks, seed, progress, threads)
        else:
            found = answer(game, Problem(seats, objective, against, games, seed), progress)
    if json:
        print_json(found.to_dict())
    else:
        _show(str(game), found.report())


def _show(game: str, report: Report) -> None:
    """A title, then paragraphs and grids."""
    from rich.markup import escape

    out = console()
    title, *rest = report
    out.print(f"[bold]{escape(game)}[/]{escape(str(title))}", soft_wrap=True)
    for part in rest:
        if isinstance(part, str):
            out.print(escape(part))
            continue
        table = out.table(*part.header)
        for row in part.rows:
            table.add_row(*row)
        out.print()
        out.print(table)

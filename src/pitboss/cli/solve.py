"""`pitboss solve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.common import Json, Progress, Spec, console, print_json, writable
from pitboss.core.types import Data

TOTALS = 8  # rows and columns of the table of chances


def solve(
    spec: Spec = "show:fair",
    seats: Annotated[int | None, typer.Option(help="How many play; Flip 7 is solved for 1 and 2.")] = None,
    objective: Annotated[
        str | None,
        typer.Option(help="What a lone player wants: points in a round, or rounds: the fewest to the target."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="With --seats 2: the best answer to this bot.", metavar="BOT")
    ] = None,
    games: Annotated[int, typer.Option(help="Games of near-equilibrium play to measure.")] = 400_000,
    seed: Annotated[int, typer.Option(help="A number that decides all luck.")] = 1,
    train: Annotated[
        bool, typer.Option("--train", help="Learn near-equilibrium play anew and write its table.")
    ] = False,
    walks: Annotated[int | None, typer.Option(help="How long to learn; the default takes a minute or two.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file for the table, instead of where the bot cfr looks.")
    ] = None,
    json: Json = False,
) -> None:
    """Say what perfect play of a table is worth: exactly where that can be, else as near as we can.

    For one player of Flip 7: the most points of a round from a fresh deck, on average, or the fewest rounds.
    The action cards it draws fall on itself. For two: the chance to win from all totals, when each plays its
    rounds alone, with a fresh deck of its own, without action cards.

    Examples:

    [bold]pitboss solve flip7:solo --seats 1[/]

    [bold]pitboss solve flip7:solo --seats 1 --objective rounds[/]

    [bold]pitboss solve flip7:official --seats 1[/]   (all 94 cards; 5 GB of memory and some ten seconds)

    [bold]pitboss solve flip7:numbers --seats 2[/]

    [bold]pitboss solve flip7:numbers --seats 2 --against stay-25[/]

    [bold]pitboss solve show:classic[/]

    [bold]pitboss solve "show:classic(deck=* * A A 3 3)" --json[/]

    [bold]pitboss solve show:fair --train[/]
    """
    from pitboss.analysis import answer
    from pitboss.core.registry import load

    game = load(spec)
    file = writable(out) if out else None
    doing, what = ("learning", "walks") if train else ("solving", "steps") if seats in (1, 2) else ("playing", "games")
    with Progress(json, doing, what) as progress:
        if train:
            facts = answer.train(game, file, walks or answer.WALKS, seed, progress)
        else:
            facts = answer.answer(game, games, seed, progress, seats=seats, objective=objective, against=against)
    if json:
        print_json(facts)
        return
    show = {
        "exact": _exact, "measured": _measured, "trained": _trained, "round": _round, "race": _race, "duel": _duel
    }  # fmt: skip
    show[facts["kind"]](facts)


def _exact(facts: Data) -> None:
    out = console()
    out.print(f"[bold]{facts['game']}[/]: {facts['nodes']:,} nodes, {facts['information_sets']:,} information sets\n")
    out.print(f"Value to Player 1 if both play perfectly: [bold]{facts['value']:+.6f}[/] (exact)")
    cfr = facts["cfr"]
    out.print(
        f"CFR+ after {cfr['iterations']:,} iterations: {cfr['value']:+.6f}, exploitable by {cfr['exploitability']:.6f}"
    )


def _measured(facts: Data) -> None:
    from rich.table import Table

    out = console()
    value = facts["value"]
    out.print(f"[bold]{facts['game']}[/]: near-equilibrium play against itself, {facts['games']:,} games\n")
    low, high = value["ci95"]
    out.print(f"Value to Player 1: [bold]{value['mean']:+.4f}[/] a game ({low:+.4f} to {high:+.4f})")
    luck = (
        "Neither seat is better, as far as these games tell."
        if low <= 0 <= high
        else (f"Player {1 if value['mean'] > 0 else 2} has the better seat.")
    )
    out.print(luck + "\n")
    table = Table("", "wins", "calls", "calls won", box=None, header_style="bold", padding=(0, 2, 0, 0))
    for p in facts["players"]:
        half = (p["ci95"][1] - p["ci95"][0]) / 2
        table.add_row(
            f"Player {p['player']}", f"{p['wins']:.1%} ± {half:.1%}", _rate(p["calls"]), _rate(p["calls_won"])
        )
    out.print(table)
    turns = facts["turns_per_game"]
    out.print(
        f"\n{turns['mean']:.2f} turns a game, {facts['ties']:.1%} ties, {_rate(facts['deck_out_rate'])} out of cards"
    )


def _round(facts: Data) -> None:
    out = console()
    out.print(f"[bold]{facts['game']}[/], one player, a fresh deck: {facts['hands']:,} hands\n")
    out.print(f"Points of a round under best play: [bold]{facts['value']:.7f}[/] on average (exact)")
    out.print(_ends(facts))


def _race(facts: Data) -> None:
    out = console()
    out.print(f"[bold]{facts['game']}[/], one player, a fresh deck every round\n")
    out.print(
        f"Rounds to {len(facts['rounds']) - 1} points under best play: [bold]{facts['value']:.7f}[/] on average (exact)"
    )
    out.print(f"The first round brings {facts['points']:.4f} points on average; {_ends(facts)}")


def _duel(facts: Data) -> None:
    from rich.table import Table

    out, wins = console(), facts["wins"]
    out.print(f"[bold]{facts['game']}[/], two players, each round from a fresh deck of their own\n")
    if "against" in facts:
        out.print(f"The best answer to {facts['against']} wins [bold]{facts['value']:.1%}[/] from the start\n")
    else:
        out.print(f"In equilibrium, to {facts['gap']:.1%}: how often a player wins, by both totals\n")
    shown = range(0, len(wins), max(len(wins) // TOTALS, 1))
    table = Table("own total", *(str(b) for b in shown), box=None, header_style="bold", padding=(0, 2, 0, 0))
    for a in shown:
        table.add_row(str(a), *(f"{wins[a][b]:.1%}" for b in shown))
    out.print(table)


def _ends(facts: Data) -> str:
    return f"{facts['cards']:.3f} cards, busts {facts['bust']:.3%}, Flip 7s {facts['flip7']:.3%}"


def _rate(estimate: Data) -> str:
    low, high = estimate["ci95"]
    return f"{estimate['mean']:.1%} ± {(high - low) / 2:.1%}"


def _trained(facts: Data) -> None:
    size = facts["bytes"] / 1000
    console().print(
        f"[bold]{facts['game']}[/]: {facts['sets']:,} information sets after {facts['walks']:,} walks, "
        f"written to {facts['file']} ({size:,.0f} kB)"
    )

"""`pitboss advise`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitboss.cli.common import DEFAULT_SPEC, Json, Spec, console, print_json


def advise(
    spec: Spec = DEFAULT_SPEC,
    hand: Annotated[str, typer.Option(help="The cards in front of you: '5 9 12 +4'.", metavar="CARDS")] = "-",
    seen: Annotated[str, typer.Option(help="Cards in front of others, busted ones included.", metavar="CARDS")] = "-",
    discards: Annotated[
        str, typer.Option(help="Cards on the discard pile, which a reshuffle would bring back.", metavar="CARDS")
    ] = "-",
    totals: Annotated[
        str | None, typer.Option(help="Everybody's points of finished rounds, with commas: 120,168.", metavar="N,…")
    ] = None,
    me: Annotated[int, typer.Option(help="Your place among the totals, from 0.")] = 0,
    second_chance: Annotated[bool, typer.Option("--second-chance", help="You hold a Second Chance.")] = False,
    json: Json = False,
) -> None:
    """Say whether to hit or to stay at a real table, exactly, from the cards that were seen.

    What others will draw is left out, and a Freeze or a Flip Three is taken to go to somebody else.

    Examples:

    [bold]pitboss advise flip7:solo --hand "5 9 12 +4" --seen "12 12 11 7"[/]

    [bold]pitboss advise --hand "3 8 10" --second-chance --totals 120,168 --me 0[/]
    """
    from pitboss.solve.advice import advise as ask
    from pitboss.table.registry import load

    facts = ask(
        load(spec), hand, seen=seen, discards=discards, totals=_numbers(totals), me=me, second_chance=second_chance
    )
    if json:
        print_json(facts)
        return
    _show(facts)


def _numbers(totals: str | None) -> list[int]:
    from pitboss.table.errors import PitbossError

    try:
        return [int(part) for part in totals.split(",")] if totals else []
    except ValueError as problem:
        raise PitbossError(f"--totals takes whole numbers with commas, such as 120,168, not {totals!r}") from problem


def _show(facts: dict[str, Any]) -> None:
    out = console()
    out.print(f"[bold]{facts['game']}[/]: {' '.join(facts['hand']) or 'no cards'}, {facts['points']} points")
    out.print(
        f"The next card busts you with probability {facts['risk']:.1%}: {facts['busts']} of {facts['cards']} cards\n"
    )
    out.print(f"Hit:  {facts['hit']:.3f} points on average, best play ever after")
    out.print(f"Stay: {facts['stay']:.0f}")
    out.print(f"For the most points: [bold]{facts['best']}[/]")
    if "rounds" in facts:
        rounds = facts["rounds"]
        out.print(
            f"For the fewest rounds to the target: [bold]{rounds['best']}[/] "
            f"(hit {rounds['hit']:.3f} rounds with this one, stay {rounds['stay']:.3f})"
        )

"""`pitboss advise`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss.cli.common import DEFAULT_SPEC, Json, Spec, print_json
from pitboss.cli.follow import follow, show


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
    live: Annotated[bool, typer.Option("--live", help="Follow a whole game: type the cards as they fall.")] = False,
    names: Annotated[
        str | None, typer.Option(help="With --live: who plays, clockwise, you included: ann,bob,me.", metavar="A,B,…")
    ] = None,
    dealer: Annotated[
        int | None, typer.Option(help="With --live: the place of who deals first; the last one if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Say whether to hit or to stay at a real table, exactly, from the cards that were seen.

    What others will draw is left out, and a Freeze or a Flip Three is taken to go to somebody else.

    With --live you type every card of a whole game, and see the table and the advice after each; with --json too, a
    line of JSON for each line typed.

    Examples:

    [bold]pitboss advise flip7:solo --hand "5 9 12 +4" --seen "12 12 11 7"[/]

    [bold]pitboss advise --hand "3 8 10" --second-chance --totals 120,168 --me 0[/]

    [bold]pitboss advise --live --names ann,bob,me --me 2 --totals 120,168,90[/]
    """
    from pitboss.analysis import analysis_of
    from pitboss.core.analysis import Described
    from pitboss.core.companion import TableSetup
    from pitboss.core.errors import PitbossError
    from pitboss.core.registry import load

    game = load(spec)
    if live:
        if hand != "-" or seen != "-" or second_chance:
            raise PitbossError(
                "--live begins with a round: leave out --hand, --seen and --second-chance, and type them"
            )
        who = [name.strip() for name in names.split(",")] if names else ()
        follow(game, TableSetup(who, _numbers(totals), me, dealer, discards), json)
        return
    if names is not None or dealer is not None:
        raise PitbossError("--names and --dealer go with --live")
    holds = ("second-chance",) if second_chance else ()
    described = Described(hand, seen, discards, tuple(_numbers(totals)), me, holds)
    advice = analysis_of(game).advise(described)
    if json:
        print_json(advice.to_dict())
        return
    show(advice)


def _numbers(totals: str | None) -> list[int]:
    from pitboss.core.errors import PitbossError

    try:
        return [int(part) for part in totals.split(",")] if totals else []
    except ValueError as problem:
        raise PitbossError(f"--totals takes whole numbers with commas, such as 120,168, not {totals!r}") from problem

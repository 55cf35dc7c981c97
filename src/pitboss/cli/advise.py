"""`pitboss advise`."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from pitboss.cli.common import console, print_json, waiting
from pitboss.cli.decisions import PLACE, find_decision, past_of, worth_table
from pitboss.cli.live_advice import follow, show
from pitboss.cli.options import DEFAULT_SPEC, DEFAULT_STORE, SPEC_HELP, Json, StoreUrl
from pitboss.core.errors import PitbossError


def advise(
    words: Annotated[
        list[str] | None, Argument(metavar="SPEC CARDS", help=f"{SPEC_HELP} Then your cards.", show_default=False)
    ] = None,
    hand: Annotated[str, Option(help="Your cards as one argument: '5 9 12 +4'.", metavar="CARDS")] = "-",
    seen: Annotated[str, Option(help="Cards in front of others, busted ones included.", metavar="CARDS")] = "-",
    discards: Annotated[
        str, Option(help="Cards on the discard pile, which a reshuffle would bring back.", metavar="CARDS")
    ] = "-",
    totals: Annotated[
        str | None, Option(help="Everybody's points of finished rounds, with commas: 120,168.", metavar="N,…")
    ] = None,
    me: Annotated[int, Option(help="Your place among the totals, from 0.")] = 0,
    second_chance: Annotated[bool, Option("--second-chance", help="You hold a Second Chance.")] = False,
    live: Annotated[bool, Option("--live", help="Follow a whole game: type the cards as they fall.")] = False,
    names: Annotated[
        str | None, Option(help="With --live: who plays, clockwise, you included: ann,bob,me.", metavar="A,B,…")
    ] = None,
    dealer: Annotated[
        int | None, Option(help="With --live: who deals first, from 0; by default the last player.")
    ] = None,
    record: Annotated[
        str | None, Option(metavar="RECORD@MOVE", help=f"Advise on a decision of a recorded game. {PLACE}")
    ] = None,
    store: StoreUrl = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Advise on a move: at a real table, from the cards you see, or in a recorded game.

    From cards, in Flip 7: whether to hit or stay, exactly. This ignores what others will draw, and gives a Freeze or a
    Flip Three to somebody else.

    --record, in any game: what each move was worth to the seat that decided, by what it could know. Games without exact
    answers try moves in rollouts, and the values have intervals.

    --live follows a whole game: you type every card, and get advice when it is your turn. With --json, each line typed
    gives a line of JSON.

    Examples:
      pitboss advise 5 9 12
      pitboss advise flip7:solo --hand "5 9 12 +4" --seen "12 12 11 7"
      pitboss advise --hand "3 8 10" --second-chance --totals 120,168 --me 0
      pitboss advise --live --names ann,bob,me --me 2 --totals 120,168,90
      pitboss advise --record game.json@12
    """
    from pitboss.cli import early

    spec, cards = _spec_and_cards(words or [])
    if not live:
        early.begin("advise", spec or DEFAULT_SPEC)
    from pitboss.analysis import analysis_of
    from pitboss.core.analysis import Described
    from pitboss.core.companion import TableSetup
    from pitboss.core.registry import load

    if cards:
        if hand != "-":
            raise PitbossError("give the cards in front of you once: as words, or with --hand")
        hand = " ".join(cards)
    if record is not None:
        _recorded(record, store, spec, json)
        return
    game = load(spec or DEFAULT_SPEC)
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
    with waiting(json):
        advice = analysis_of(game).advise(described)
    early.settled()
    if advice is None:
        raise PitbossError(
            f"a table of {game.name} cannot be described in cards: name a decision of a recorded game, "
            "such as --record game.json@12" + ("" if game.has_secrets else ", or follow a whole one with --live")
        )
    if json:
        print_json(advice.to_dict())
        return
    show(advice)


def _recorded(where: str, store: str, spec: str | None, json: bool) -> None:
    """Advice on one decision of a recorded game."""
    from pitboss.analysis import analysis_of
    from pitboss.cli import early
    from pitboss.core.registry import load

    record, number = find_decision(where, store)
    game = record.game
    if spec is not None and load(spec) != game:
        raise PitbossError(f"the record is a game of {game}, not of {load(spec)}: leave the game out")
    position = past_of(record, number)[-1][0]
    seat, played, labels = position.to_act, record.moves[number - 1], record.labels
    view, analysis = position.view(seat), analysis_of(game)
    with waiting(json):
        said = analysis.opinion(view, chances=analysis.knows_chances)
    early.settled()
    if json:
        asked = {"game": str(game), "move": number, "seat": seat, "question": view.question}
        print_json({**asked, "played": game.format_move(played), "advice": said.to_dict() if said else None})
        return
    from rich.text import Text

    from pitboss.cli.draw import draw

    def say(move: int) -> str:
        return game.describe_move(view, move, labels)

    out = console()
    out.print(draw(game.scene(view, labels)))
    out.print(Text.assemble(f"Move {number}, {labels[seat]} at seat {seat}: ", (view.question, "bold")))
    if said is None:
        out.print("Nothing can be said about this decision.")
        return
    out.print(worth_table(said, say, {played: ["played"]}))
    out.print(f"[dim]in {said.unit}, {said.how}[/]")


def _spec_and_cards(words: list[str]) -> tuple[str | None, list[str]]:
    """The first word, if it names a game, and the others."""
    from pitboss.core.entry_points import GAMES, places, split_spec

    if words and (":" in words[0] or split_spec(words[0])[0] in places(GAMES)):
        return words[0], words[1:]
    return None, words


def _numbers(totals: str | None) -> list[int]:
    try:
        return [int(part) for part in totals.split(",")] if totals else []
    except ValueError as problem:
        raise PitbossError(f"--totals takes whole numbers with commas, such as 120,168, not {totals!r}") from problem

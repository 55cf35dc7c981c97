"""`pitboss play`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from pitboss.cli.common import DEFAULT_SPEC, Bots, Json, Seed, Spec, console, print_json, read_seed, writable

HELP = "Type a move; odds for the next card, table to see it again, rules, or quit."


def play(
    spec: Spec = DEFAULT_SPEC,
    bots: Bots = None,
    seat: Annotated[int, typer.Option(help="The seat you take; bots fill the others in order.")] = 0,
    seed: Seed = None,
    watch: Annotated[bool, typer.Option("--watch", help="Only bots play; you look on.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every card and decision.")] = False,
    delay: Annotated[float, typer.Option(help="Seconds to wait after each move while watching.")] = 0.0,
    live: Annotated[bool, typer.Option("--live", help="Type the cards that fall at a real table.")] = False,
    record: Annotated[Path | None, typer.Option(help="Write the record of the game to this file.")] = None,
    json: Json = False,
) -> None:
    """Play against bots in the terminal, or watch them.

    Examples:

    [bold]pitboss play[/]

    [bold]pitboss play flip7:tournament --bots stay-25,ev --seat 1 --seed 7[/]

    [bold]pitboss play flip7:simulation --bots bust-0.5,cards-7 --watch --verbose[/]
    """
    from pitboss.cli.draw import ending, labels_of
    from pitboss.table.bot import Entrant
    from pitboss.table.dealer import Live
    from pitboss.table.errors import PitbossError
    from pitboss.table.play import play as run
    from pitboss.table.record import write
    from pitboss.table.registry import line_up, load

    game = load(spec)
    if json and not watch:
        raise PitbossError("--json goes with --watch: a person at the terminal needs to see the table")
    start, seed_text = read_seed(seed)
    file = writable(record) if record else None
    entrants = line_up(game.default_bots()[: None if watch else -1] if bots is None else bots, game)
    out = console()
    if not watch:
        if not 0 <= seat <= len(entrants):
            raise PitbossError(f"seat {seat} does not exist at this table; seats are 0 to {len(entrants)}")
        entrants.insert(seat, Entrant("human", make=lambda: _person(game, labels, out)))
    labels = labels_of([e.name for e in entrants])
    game.verify_seats(len(entrants))
    watcher = _Watcher(out, labels, everything=verbose or not watch, delay=delay if watch else 0.0, quiet=json)
    if not json:
        out.print(f"[bold]{game}[/], seed {seed_text}" + ("" if watch else f"   [dim]{HELP}[/]"))
    dealer = Live(lambda question: _ask(out, question), out.print) if live else None
    try:
        result = run(game, entrants, start, dealer=dealer, watch=watcher)
    except (_Quit, KeyboardInterrupt) as leaving:
        again = "" if live else f"; --seed {seed_text} deals it again"
        nothing = "; no record is written" if file else ""
        out.print(f"\nThe game is left unfinished{again}{nothing}.")
        raise typer.Exit(0 if isinstance(leaving, _Quit) else 130) from None
    if file:
        write([result], file)
    if json:
        print_json(result.to_dict())
        return
    out.print(ending(result, labels))
    if file:
        out.print(f"Record: [bold]{file}[/]   [dim](pitboss replay {file})[/]")


class _Quit(BaseException):
    """The person left. No error of a bot, so not an Exception."""


def _person(game: Any, labels: list[str], out: Any) -> Any:
    """A bot that asks the person at the terminal."""
    from pitboss.cli.draw import draw
    from pitboss.table.bot import Bot
    from pitboss.table.errors import PitbossError

    class Person(Bot):
        def decide(self, view: Any) -> int:
            out.print()
            out.print(draw(game.scene(view, labels)))
            choices = ", ".join(game.describe_move(view, move, labels) for move in view.legal)
            while True:
                answer = _ask(out, f"[bold]{view.question}[/] [dim]({choices})[/]")
                match answer.lower():
                    case "":
                        continue
                    case "table":
                        out.print(draw(game.scene(view, labels)))
                    case "rules":
                        for line in game.words():
                            out.print(f" • {line}")
                    case "odds" | "?":
                        _odds(game, view, out)
                    case "help":
                        out.print(HELP)
                    case _:
                        try:
                            move = game.parse_move(answer)
                        except PitbossError as problem:
                            out.print(f"[red]{problem}[/]")
                            continue
                        if move in view.legal:
                            return int(move)
                        out.print(f"[red]{game.format_move(move)} is not possible now; you may: {choices}[/]")

    return Person()


def _ask(out: Any, question: str) -> str:
    try:
        answer = str(out.input(f"{question} ")).strip()
    except EOFError:
        raise _Quit from None
    if answer.lower() in ("quit", "exit", "q"):
        raise _Quit
    return answer


def _odds(game: Any, view: Any, out: Any) -> None:
    odds = view.odds
    out.print(f"The next card busts you with probability [bold]{odds.bust:.1%}[/] ({odds.cards} cards to come from)")
    ranked = sorted(odds.kinds.items(), key=lambda item: -item[1])
    out.print("  " + "   ".join(f"{game.format_card(card)} [dim]{chance:.1%}[/]" for card, chance in ranked))


class _Watcher:
    """Tells the person what happens."""

    def __init__(self, out: Any, labels: list[str], everything: bool, delay: float, quiet: bool) -> None:
        self._out, self._labels, self._everything, self._delay, self._quiet = out, labels, everything, delay, quiet

    def __call__(self, position: Any, events: list[Any]) -> None:
        if self._quiet:
            return
        told = [e for e in events if e.major or self._everything]
        for event in told:
            self._out.print(event.text(self._labels), markup=False)
        if told and self._delay:
            time.sleep(self._delay)

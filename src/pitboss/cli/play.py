"""`pitboss play`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from pitboss.cli.common import RECORD_FILES, console, fill_seats, print_json, read_seed, writable
from pitboss.cli.completion import FEW, WordTree, offered
from pitboss.cli.live_cards import LIVE_HELP, Quit, TakenBack, TypedTable, ask
from pitboss.cli.options import DEFAULT_SPEC, Bots, Json, Players, Seed, Spec
from pitboss.core.errors import PitbossError, near

if TYPE_CHECKING:
    from pitboss.cli.screen import Screen
    from pitboss.core.bot import Bot
    from pitboss.core.game import Game, Position
    from pitboss.core.types import GameEvent, GameView


HELP = "Type a move; odds for the chances, table to see it again, rules, or quit."
PERSON = "human"
NOBODY = -1
LONGEST_WAIT = 3600.0


def play(
    spec: Spec = DEFAULT_SPEC,
    bots: Bots = None,
    players: Players = None,
    seat: Annotated[int, Option(help="The seat you take; bots fill the others in order.")] = 0,
    seats: Annotated[
        str | None, Option(help="All seats at once, people too: human,human or human,ev.", metavar="A,B,…")
    ] = None,
    seed: Seed = None,
    watch: Annotated[bool, Option("--watch", help="Only bots play; you watch.")] = False,
    verbose: Annotated[bool, Option("--verbose", help="Log every card and decision.")] = False,
    delay: Annotated[float, Option(metavar="SECONDS", help="How long to wait after each move you watch.")] = 0.0,
    live: Annotated[
        bool, Option("--live", help="You deal: type the cards that fall at a real table, and undo mistakes.")
    ] = False,
    record: Annotated[Path | None, Option(help="Write the record of the game (.json, .jsonl or .txt).")] = None,
    json: Json = False,
) -> None:
    """Play against bots in the terminal, or watch them.

    Examples:
      pitboss play
      pitboss play flip7:tournament --bots stay-25,ev --seat 1 --seed 7
      pitboss play --players 6 --watch --delay 0.5
      pitboss play flip7:simulation --bots bust-0.5,cards-7 --watch --verbose
      pitboss play show:fair --seats human,human
    """
    from pitboss.cli import early

    if bots is None and seats is None:  # the usual bots are quick ones
        early.begin("play", spec, takes_over=False)
    from pitboss.cli.draw import ending
    from pitboss.core.bot import Entrant, split_bots
    from pitboss.core.play import play as run
    from pitboss.core.record import labels_of, write
    from pitboss.core.registry import bot as find
    from pitboss.core.registry import load

    game = load(spec)
    if json and not watch:
        raise PitbossError("--json goes with --watch: a person at the terminal needs to see the table")
    if live and game.has_secrets:
        raise PitbossError(f"--live is for open games; the {game.deals[1]} of {game} lie face down")
    if not 0 <= delay <= LONGEST_WAIT:
        raise PitbossError(f"--delay takes seconds from 0 to {LONGEST_WAIT:.0f}, not {delay}")
    start, seed_text = read_seed(seed)
    file = writable(record, RECORD_FILES) if record else None
    if seats is not None:
        names = split_bots(seats)
    else:
        names = game.default_bots()[: None if watch else -1] if bots is None else split_bots(bots)
        if players is not None:
            names = fill_seats(names, players, people=0 if watch else 1)
        if not watch:
            if not 0 <= seat <= len(names):
                raise PitbossError(f"seat {seat} does not exist at this table; seats are 0 to {len(names)}")
            names.insert(seat, PERSON)
    out = console()
    table = _TableTop(game, out, people=[i for i, name in enumerate(names) if name == PERSON])
    entrants = [Entrant(PERSON, make=table.person) if name == PERSON else find(name, game) for name in names]
    game.verify_seats(len(entrants))
    table.labels = labels_of([entrant.name for entrant in entrants])
    table.everything, table.delay, table.quiet = verbose or not watch, delay if watch else 0.0, json
    if not json:
        out.print(f"[bold]{game}[/], seed {seed_text}" + ("" if watch else f"   [dim]{HELP}[/]"))
    if live:
        table.typed = TypedTable(out, table.labels)
        if not json:
            out.print(f"[dim]{LIVE_HELP}[/]")
    result = None
    while result is None:
        try:
            result = run(game, entrants, start, dealer=table.typed, watch=table.happened)
        except TakenBack as back:
            back.table.rewind()
            out.print(f"[dim]Taken back: {back}.[/]", highlight=False)
        except (Quit, KeyboardInterrupt) as leaving:
            again = "" if live else f"; --seed {seed_text} deals it again"
            nothing = "; no record is written" if file else ""
            out.print(f"\nThe game is left unfinished{again}{nothing}.")
            raise typer.Exit(0 if isinstance(leaving, Quit) else 130) from None
    if file:
        write([result], file)
    if json:
        print_json(result.to_dict())
        return
    out.print(ending(result, table.labels))
    if file:
        out.print(f"Record: [bold]{file}[/]   [dim](pitboss replay {file})[/]")


class _TableTop:
    """Shows the game to the people at the terminal, to each only what they may see."""

    def __init__(self, game: Game, out: Screen, people: list[int]) -> None:
        self.game, self.out, self.people = game, out, people
        self.labels: list[str] = []
        self.everything, self.delay, self.quiet = True, 0.0, False
        self.shared = game.has_secrets and len(people) > 1  # several people, one screen, and secrets
        self.typed: TypedTable | None = None  # where the cards are typed, if they are

    def happened(self, position: Position, events: list[GameEvent]) -> None:
        """Tell what happened: to one person what it may know, to several what all may."""
        if self.quiet or (self.typed and self.typed.replaying):
            return
        told = [event for event in events if event.major or self.everything]
        for event in told:
            alone = self.people[0] if len(self.people) == 1 else None
            public = event.seen_by(alone if alone is not None else NOBODY) if self.people else event
            self.out.print(public.text(self.labels), markup=False)
            secret = self.shared and event.seat in self.people and event.seen_by(event.seat) != public
            if secret and position.to_act != event.seat:  # who must decide now will see it then
                self.hand_over(event.seat)
                self.out.print(event.seen_by(event.seat).text(self.labels), markup=False)
                self.hide()
        if self.typed:
            self.typed.follow(position)
        if told and self.delay:
            time.sleep(self.delay)

    def hand_over(self, seat: int) -> None:
        """Wait until only one person looks."""
        if self.shared:
            ask(self.out, f"[bold]{self.labels[seat]}[/], press Enter when only you are looking.")

    def hide(self) -> None:
        """Clear the screen before the other person looks."""
        if self.shared:
            ask(self.out, "[dim]Press Enter to hide it.[/]")
            self.out.clear()

    def person(self) -> Bot:
        """A bot that asks the person at the terminal."""
        from pitboss.core.bot import Bot

        table = self

        class Person(Bot):
            def decide(self, view: GameView) -> int:
                if table.typed and table.typed.replaying:
                    return table.typed.next()
                table.hand_over(view.seat)
                move = table.choose(view)
                if table.shared:
                    table.out.clear()
                if table.typed:
                    table.typed.keep(move, table.game.format_move(move))
                return move

        return Person()

    def choose(self, view: GameView) -> int:
        """Show the table and ask until the answer is a legal move."""
        from pitboss.cli.draw import draw
        from pitboss.core.shortcuts import shortcuts
        from pitboss.core.step import FAULT

        game, out = self.game, self.out
        scene = draw(game.scene(view, self.labels))
        out.print()
        out.print(scene)
        texts = [game.format_move_at(view, move) for move in view.legal]
        moves = WordTree(texts)
        labels = [game.describe_move(view, move, self.labels) for move in view.legal]
        in_steps = len(view.legal) > max(FEW, len(moves.after([])))
        choices = moves.next([]) if in_steps else ", ".join(labels)
        keys = {key: move for move, some in zip(view.legal, shortcuts(game, view, labels), strict=True) for key in some}
        while True:
            with moves.completed():
                answer = ask(out, f"[bold]{view.question}[/] [dim]({choices})[/]")
            if self.typed and self.typed.is_undo(answer):
                continue
            match answer.lower():
                case "":
                    continue
                case "table":
                    out.print(scene)
                case "rules":
                    for line in game.words():
                        out.print(f" • {line}")
                case "odds" | "?":
                    for line in game.odds(view):
                        out.print(line)
                case "help":
                    out.print(f"{HELP} {LIVE_HELP}" if self.typed else HELP)
                case _:
                    try:
                        move, meant = game.parse_move_at(view, answer), ""
                        refusal = f"{game.format_move_at(view, move)} is not possible now"
                    except PitbossError:
                        move, refusal, meant = FAULT, f"{answer!r} is not a move", near(answer, texts)
                    if move not in view.legal:
                        place = offered(answer, labels)
                        move = view.legal[place] if place >= 0 else keys.get(answer.lower(), FAULT)
                    if move in view.legal:
                        return int(move)
                    out.print(
                        moves.advice(answer, refusal) or f"{refusal}{meant}; you may: {choices}",
                        style="red",
                        markup=False,
                    )

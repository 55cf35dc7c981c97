"""Advice on the screen: for one hand, and `pitboss advise --live`, which follows a whole game."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import typer

from pitboss.cli.common import console, print_json
from pitboss.core.errors import PitbossError

if TYPE_CHECKING:
    from pitboss.core.analysis import Advice
    from pitboss.core.companion import Companion, TableSetup
    from pitboss.core.game import Game

HELP = (  # at every table
    "undo, u    take back the last card or move; undo 3 the last three",
    "table      the whole table, and the advice; an empty line, too",
    "help, quit",
)
HINT = "(undo, table, help, quit)"


def follow(game: Game, setup: TableSetup, json: bool) -> None:
    """Ask what happens at the table, entry by entry, until the person leaves."""
    from pitboss.analysis.companion import companion_of

    if not setup.names and not setup.totals and len(game.rules.seats) > 1:
        raise PitbossError("say who plays: --names ann,bob,me, or --totals 120,168,90 with everybody's points")
    table = companion_of(game, setup)
    session = _Session(table, json)
    try:
        session.run()
        code = 0
    except KeyboardInterrupt:
        code = 130
    if not json:
        session.out.print("\nThe game is left unfinished." if not table.over else "")
    raise typer.Exit(code)


class _Session:
    """One person in front of one table."""

    def __init__(self, table: Companion, json: bool) -> None:
        self.table, self.json, self.out = table, json, console()

    def run(self) -> None:
        self.table.prepare()
        if not self.json:
            self.screen()
        while True:
            try:
                line = self.ask().strip()
            except EOFError:
                return
            if line.lower() in ("quit", "q", "exit"):
                return
            self.enter(line)

    def ask(self) -> str:
        if self.json:
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            return line
        return str(self.out.input(f"[bold]{self.table.due}[/] [dim]{HINT}[/] "))

    def enter(self, line: str) -> None:
        """Do what was typed, or say why not; then show where things stand."""
        table, problem, word = self.table, None, line.lower()
        told: list[str] = []
        undo = re.fullmatch(r"u(?:ndo)?(?:\s+(\d+))?", word)
        if not self.json and word in ("help", "?"):
            for text in (*table.help, *HELP):
                self.out.print(f"  {text}", markup=False)
            return
        if not self.json and word in ("table", ""):
            self.screen()
            return
        try:
            if undo:
                told = [f"Taken back: {' '.join(table.undo(int(undo[1] or 1)))}"]
            else:
                told = [event.text(table.names) for event in table.enter(line)]
        except PitbossError as refused:
            problem = str(refused)
        if self.json:
            said = None if problem or table.over else table.advice()
            found = {} if problem else {"told": told, "advice": said.to_dict() if said else {}}
            print_json({"typed": line, "refused": problem, **found, "due": table.due}, indent=None)
        elif problem:
            self.out.print(problem, style="red", markup=False)
        else:
            for text in told:
                self.out.print(text, style="dim", markup=False)
            self.screen(whole=table.position.to_act == table.me)

    def screen(self, whole: bool = True) -> None:
        """The table and the advice; while others are asked, only what the person should know."""
        from pitboss.cli.draw import draw

        table, out = self.table, self.out
        advice = None if table.over else table.advice()  # the first takes a while, and says so
        if whole:
            out.print()
            out.print(draw(table.game.scene(table.view, table.names)))
        if advice and whole:
            show(advice)
        elif advice:
            out.print(advice.reason, style="green", markup=False)


def show(advice: Advice) -> None:
    """Advice in a few lines: what to do, what else there is to know, and what the choices are worth."""
    from rich.markup import escape

    out = console()
    out.print(f"[bold green]{escape(advice.headline)}[/]")
    if advice.reason:
        out.print(advice.reason, markup=False)
    for line in advice.lines:
        out.print(line, markup=False)
    if not advice.goals:
        return
    table = out.table("", *(goal.about for goal in advice.goals))
    for i, choice in enumerate(advice.choices):
        cells = ((goal.format(goal.values[i]), i == goal.best) for goal in advice.goals)
        marked = (f"[bold green]{cell}[/]" if best else cell for cell, best in cells)
        table.add_row(f"[bold]{escape(choice)}[/]", *marked)
    out.print(table)

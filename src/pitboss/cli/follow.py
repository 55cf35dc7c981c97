"""Advice on the screen: for one hand, and `pitboss advise --live`, which follows a whole game."""

from __future__ import annotations

import json as js
import re
import sys
from typing import TYPE_CHECKING

import typer

from pitboss.cli.common import console
from pitboss.core.types import Data

if TYPE_CHECKING:
    from pitboss.core.game import Game
    from pitboss.games.flip7.companion import LiveTable

TOLD = 6  # events above the prompt


def follow(
    game: Game, names: str | None, totals: list[int], me: int, dealer: int | None, discards: str, json: bool
) -> None:
    """Ask what happens at the table, entry by entry, until the person leaves."""
    from pitboss.core.errors import PitbossError
    from pitboss.games.flip7.companion import LiveTable

    if names is None and not totals and len(game.rules.seats) > 1:
        raise PitbossError("say who plays: --names ann,bob,me, or --totals 120,168,90 with everybody's points")
    who = [name.strip() for name in names.split(",")] if names else ()
    table = LiveTable(game, who, totals=totals, me=me, dealer=dealer, discards=discards)
    session = _Session(table, json)
    try:
        session.run()
        code = 0
    except KeyboardInterrupt:
        code = 130
    if not json:
        session.out.print("\nThe table is left unfinished." if not table.position.over else "")
    raise typer.Exit(code)


class _Session:
    """One person in front of one table."""

    def __init__(self, table: LiveTable, json: bool) -> None:
        self.table, self.json, self.out = table, json, console()
        self.log: list[str] = []

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
        return str(self.out.input(f"[bold]{self.table.due}[/] "))

    def enter(self, line: str) -> None:
        """Do what was typed, or say why not; then show where things stand."""
        from pitboss.core.errors import PitbossError
        from pitboss.games.flip7.companion import HELP

        table, problem = self.table, None
        told: list[str] = []
        undo = re.fullmatch(r"u(?:ndo)?(?:\s+(\d+))?", line.lower())
        if line.lower() in ("help", "?") and not self.json:
            for text in HELP:
                self.out.print(f"  {text}", markup=False)
            return
        try:
            if undo:
                gone = table.undo(int(undo[1] or 1))
                told = [f"Taken back: {' '.join(gone)}"]
            elif line or self.json:
                told = [event.text(table.names) for event in table.enter(line)]
        except PitbossError as refused:
            problem = str(refused)
        if self.json:
            advice = {} if problem else {"told": told, "advice": table.advice()}
            typer.echo(js.dumps({"typed": line, "refused": problem, **advice, "due": table.due}, ensure_ascii=False))
        elif problem:
            self.out.print(f"[red]{problem}[/]", highlight=False)
        else:
            self.log = told or self.log
            self.screen()

    def screen(self) -> None:
        """The table, what happened, and the advice."""
        from pitboss.cli.draw import draw

        table, out = self.table, self.out
        advice = None if table.position.over else table.advice()  # the first takes a while, and says so
        if out.is_terminal:
            out.clear()
        out.print(draw(table.game.scene(table.view, table.names)))
        for text in self.log[-TOLD:]:
            out.print(f"[dim]{text}[/]")
        if advice:
            show(advice, table.names)
        out.print()


def show(facts: Data, names: list[str] | None = None) -> None:
    """Advice as a small table; for one hand at some table, or with names for one that is followed."""
    from rich.table import Table

    out = console()
    if names is None:
        out.print(f"[bold]{facts['game']}[/]: {' '.join(facts['hand']) or 'no cards'}, {facts['points']} points")
    if "targets" in facts and names is not None:
        first, *others = (f"{names[t['seat']]} ({t['win']:.1%} to win)" for t in facts["targets"])
        out.print(f"Put the {facts['card']} on [bold green]{first}[/]; " + ", ".join(others))
    if not facts["in_round"]:
        chance = f", and win with probability [bold]{facts['win']['chance']:.1%}[/]" if "win" in facts else ""
        out.print(f"You are out of this round with [bold]{facts['points']}[/] points{chance}.")
        return
    out.print(
        f"The next card busts you with probability [bold]{facts['risk']:.1%}[/]: "
        f"{facts['busts']} of {facts['cards']} cards"
    )
    aims: dict[str, Data] = {"points": facts, **{name: facts[name] for name in ("rounds", "win") if name in facts}}
    form = {"points": "{:.2f}", "rounds": "{:.2f}", "win": "{:.1%}"}
    about = {"points": "points", "rounds": "rounds to the target", "win": "chance to win"}
    table = Table("", *(about[aim] for aim in aims), box=None, header_style="dim", padding=(0, 2, 0, 0))
    for what in ("hit", "stay"):
        cells = [form[aim].format(found[what]) for aim, found in aims.items()]
        best = [found["best"] == what for found in aims.values()]
        row = [f"[bold green]{c}[/]" if good else c for c, good in zip(cells, best, strict=True)]
        table.add_row(f"[bold]{what}[/]", *row)
    out.print(table)
    asked = facts["my_turn"] and facts["decision"] == "hit_or_stay"
    out.print(("" if asked else "If you had to hit or stay: ") + _verdict(aims))


def _verdict(aims: dict[str, Data]) -> str:
    """What is best for what, in few words."""
    purpose = {"points": "for the most points", "rounds": "for the fewest rounds", "win": "to win"}
    best = {found["best"] for found in aims.values()}
    if len(best) == 1:
        return f"[bold green]{best.pop()}[/] is best " + (
            "for the most points" if len(aims) == 1 else "for all of these"
        )
    return ", ".join(f"[bold]{found['best']}[/] {purpose[aim]}" for aim, found in aims.items())

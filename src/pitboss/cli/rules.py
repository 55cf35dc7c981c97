"""`pitboss rules`."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from pitboss.cli.common import console, print_json
from pitboss.cli.options import DEFAULT_SPEC, Json, Spec


def rules(
    spec: Spec = DEFAULT_SPEC,
    deck: Annotated[bool, Option("--deck", help="Only the deck: how many cards of each kind.")] = False,
    json: Json = False,
) -> None:
    """Explain the rules of a table in plain words, with its switches.

    Example:
      pitboss rules "flip7:tournament(target=100)"
    """
    from pitboss.core.compile import begin_light

    begin_light()
    from pitboss.core.entry_points import split_spec
    from pitboss.core.rules import show
    from pitboss.core.side import rule_book_class

    name, text = split_spec(spec)
    game = rule_book_class(name).parse(text)
    cards = game.deck()
    needless = game.rules.needless()
    switches = {name: getattr(game.rules, name) for name in game.rules.switches()}
    if json:
        seats = game.rules.seats
        print_json(
            {
                "spec": str(game),
                "seats": [seats[0], seats[-1]],
                "words": game.words(),
                "switches": {name: value for name, value in switches.items() if name not in needless},
                "deck": dict(cards),
                "cards": sum(n for _, n in cards),
            }
        )
        return
    from rich.table import Table

    out = console()
    out.print(f"[bold]{game}[/]\n")
    if not deck:
        sentences = Table.grid(padding=(0, 1, 0, 0))
        for line in game.words():
            sentences.add_row(" •", line)
        out.print(sentences)
        table = out.table("switch", "here", "takes", "about")
        table.columns[0].no_wrap = True
        for name, switch in game.rules.switches().items():
            if name not in needless:
                allowed = " ".join(switch.choices) or switch.allowed.replace("a whole number from ", "")
                table.add_row(name, f"[bold]{show(switches[name])}[/]", f"[dim]{allowed}[/]", switch.about)
        out.print()
        out.print(table)
        out.print()
    out.print(f"[bold]The deck[/]: {sum(n for _, n in cards)} {game.deals[1]}")
    out.print("  " + "   ".join(f"{name} [dim]×[/]{n}" for name, n in cards))

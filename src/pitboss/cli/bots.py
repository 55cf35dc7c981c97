"""`pitboss bots`."""

from __future__ import annotations

from pitboss.cli.common import console, print_json
from pitboss.cli.options import DEFAULT_SPEC, Json, Spec


def bots(spec: Spec = DEFAULT_SPEC, json: Json = False) -> None:
    """List the built-in bots of a game, the rules that can be joined to them, and trained agents.

    Example:
      pitboss bots
    """
    from pitboss.core.registry import bots_of, load
    from pitboss.learn.agent import shipped

    game = load(spec)
    entries = bots_of(game)
    agents = [f"agent:{name}" for name, table in shipped().items() if table == str(game)]
    if json:
        print_json(
            {
                "bots": [{"name": name, "usage": e.usage, "about": e.about} for name, e in entries.items()],
                "agents": agents,
                "join": [{"name": name, "about": about} for name, about in game.joints().items()],
            }
        )
        return
    out = console()
    table = out.table("bot", "what it does")
    for entry in entries.values():
        table.add_row(f"[bold]{entry.usage}[/]", entry.about)
    for name in agents:
        table.add_row(f"[bold]{name}[/]", f"an agent trained for {game}; agent:FILE plays one of your own")
    table.add_row("[bold]file.py:MyBot[/]", f"your own: a subclass of {game.python_bot().__name__}, or a compiled bot")
    if game.joints():
        table.add_section()
        for name, about in game.joints().items():
            table.add_row(f"[bold]+{name}[/]", f"[dim]joins any of them:[/] {about}")
    out.print(table)
    example = ",".join(game.default_bots())
    out.print(f"\n[dim]Let them compete: pitboss simulate {game} --bots {example}[/]")

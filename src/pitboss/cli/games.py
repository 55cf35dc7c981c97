"""`pitboss games`."""

from __future__ import annotations

from typing import Any

from pitboss.cli.common import Json, console, errors, print_json


def games(json: Json = False) -> None:
    """List the games and their rule books.

    Example: [bold]pitboss games[/]
    """
    from rich.markup import escape

    from pitboss.table.registry import game_classes

    rows: list[dict[str, Any]] = []
    left_out: list[str] = []
    for name, kind in game_classes(left_out.append).items():
        for preset in kind.rules_class.presets:
            seats = kind.parse(preset).rules.seats
            default = preset == kind.rules_class.default_preset
            rows.append(
                {
                    "spec": f"{name}:{preset}",
                    "game": kind.about,
                    "about": kind.preset_about.get(preset, ""),
                    "seats": [seats[0], seats[-1]],
                    "default": default,
                }
            )
    for why in left_out:
        errors().print(f"[yellow]Left out:[/] {escape(why)}", soft_wrap=True)
    if json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table("spec", "seats", "what it is", box=None, header_style="bold")
    for row in rows:
        low, high = row["seats"]
        about = row["about"] + (" [dim](default)[/]" if row["default"] else "")
        table.add_row(f"[bold]{row['spec']}[/]", str(low) if low == high else f"{low}–{high}", about)
    console().print(table)
    console().print("\n[dim]pitboss rules SPEC explains one; pitboss play SPEC plays it.[/]")

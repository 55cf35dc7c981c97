"""`pitboss games`."""

from __future__ import annotations

from pitboss.cli.common import Json, console, print_json, tell_left_out
from pitboss.core.types import Data


def games(json: Json = False) -> None:
    """List the games and their rule books.

    Example: [bold]pitboss games[/]
    """
    from pitboss.core.registry import game_classes

    rows: list[Data] = []
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
    tell_left_out(left_out)
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

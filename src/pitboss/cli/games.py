"""`pitboss games`."""

from __future__ import annotations

from pitboss.cli.common import console, print_json, tell_left_out
from pitboss.cli.options import Json
from pitboss.core.types import Data


def games(json: Json = False) -> None:
    """List the games and their rule books.

    Example:
      pitboss games
    """
    left_out: list[str] = []
    rows = rule_books(left_out)
    tell_left_out(left_out)
    if json:
        print_json(rows)
        return
    out = console()
    table = out.table("spec", "seats", "what it is")
    for row in rows:
        low, high = row["seats"]
        about = row["about"] + (" [dim](default)[/]" if row["default"] else "")
        table.add_row(f"[bold]{row['spec']}[/]", str(low) if low == high else f"{low}–{high}", about)
    out.print(table)
    out.print("\n[dim]pitboss rules SPEC explains one; pitboss play SPEC plays it.[/]")


def rule_books(left_out: list[str]) -> list[Data]:
    """All rule books of all games; a game that cannot be loaded takes none of the others with it."""
    from pitboss.core.compile import begin_light

    begin_light()
    from pitboss.core import entry_points
    from pitboss.core.errors import PitbossError
    from pitboss.core.side import rule_book_class

    rows: list[Data] = []
    for name in entry_points.places(entry_points.GAMES):
        try:
            kind = rule_book_class(name)
        except PitbossError as problem:
            left_out.append(str(problem))
            continue
        for preset in kind.rules_class.presets:
            seats = kind.parse(preset).rules.seats
            rows.append(
                {
                    "spec": f"{name}:{preset}",
                    "game": kind.about,
                    "about": kind.preset_about.get(preset, ""),
                    "seats": [seats[0], seats[-1]],
                    "default": preset == kind.rules_class.default_preset,
                }
            )
    return rows

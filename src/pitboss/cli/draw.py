"""Tables in the terminal: scenes, and how a game ended."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss.core.record import Record
from pitboss.core.scene import Face, Scene, SeatScene

STYLE = {"number": "bold black on white", "modifier": "bold white on dark_orange3", "action": "bold white on blue",
         "hidden": "white on grey30"}  # fmt: skip


def card(face: Face) -> Text:
    """One card."""
    text = face.name if face.kind == "action" else face.text
    return Text(f" {text} ", style="dim strike" if face.faded else STYLE[face.kind])


def row(faces: tuple[Face, ...]) -> Text:
    """Cards side by side."""
    return Text(" ").join(card(face) for face in faces) if faces else Text("")


def seat(scene: SeatScene, number: int) -> RenderableType:
    """One player's place."""
    badges = Text("  ".join(scene.badges), style="italic")
    body = Group(*(row(faces) for faces in scene.rows), Text(scene.caption, style="dim"), badges)
    border = "green" if scene.to_act else "grey37" if scene.out else "white"
    return Panel(
        body,
        title=Text.assemble((f"@{number} ", "dim"), (scene.name, "bold")),
        title_align="left",
        border_style=border,
        width=38,
    )


def draw(scene: Scene) -> RenderableType:
    """A whole table."""
    centre = [Text.assemble((f"{name}: ", "dim"), row(faces)) for name, faces in scene.centre]
    head = Text.assemble((scene.title, "bold"), ("   " + scene.caption, "dim"))
    return Group(head, *centre, Columns([seat(s, i) for i, s in enumerate(scene.seats)], padding=(0, 1)))


def ending(record: Record, labels: Sequence[str]) -> RenderableType:
    """Who won, and with what."""
    outcome = record.outcome
    table = Table("seat", "who", "score", "", box=None, header_style="bold", padding=(0, 2, 0, 0))
    for i in sorted(range(len(labels)), key=lambda i: (-outcome.shares[i], -outcome.scores[i])):
        won = "[green]wins[/]" if i in outcome.winners else ""
        table.add_row(str(i), Text(labels[i]), str(outcome.scores[i]), won)
    cut = [Text("The game was cut: no winner.")] if outcome.ended == "cut" else []
    return Group(Text(""), table, *cut)

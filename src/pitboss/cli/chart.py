"""`pitboss chart`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from pitboss.cli.common import RunProgress, console, print_json, writable
from pitboss.cli.options import DEFAULT_SPEC, Json, Spec
from pitboss.core.errors import PitbossError

DEFAULT_FILE = Path("chart.svg")


def chart(
    spec: Spec = DEFAULT_SPEC,
    out: Annotated[
        Path | None, Option(help="The file for the picture, .svg or .png; chart.svg if left out.", metavar="FILE")
    ] = None,
    json: Json = False,
) -> None:
    """Draw a wall chart of what to do when, for games that have one.

    Flip 7: when to hit, by numbers held, by bust risk, and by the total so far. It is exact for a fresh deck without
    Freeze and Flip Three, when you do not count other players' cards.

    A PNG needs the extra pitboss\\[png], and a font on this machine. --json prints the numbers behind the picture, and
    writes a picture only if --out says where.

    Examples:
      pitboss chart flip7:solo
      pitboss chart flip7:official --out wall.svg
      pitboss chart flip7:numbers --json
    """
    from pitboss.core.files import write_whole
    from pitboss.core.picture import painter
    from pitboss.core.registry import load

    game = load(spec)
    path = out or (None if json else DEFAULT_FILE)
    paint = painter(path.suffix) if path else None
    file = writable(path) if path else None
    with RunProgress(json, "solving", "totals") as progress:
        made = game.make_chart(progress)
    if made is None:
        raise PitbossError(f"{game} has no chart; pitboss solve {game} says what best play is worth, if it is known")
    if file and paint:
        write_whole(file, paint(made.svg))
    if json:
        print_json(made.facts)
    else:
        console().print(f"[bold]{game}[/]: what to do when, on one page: [bold]{file}[/]")

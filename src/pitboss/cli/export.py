"""`pitboss export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pitboss.cli.common import console, print_json, writable
from pitboss.cli.options import Json


def export(
    agent: Annotated[str, Argument(metavar="AGENT", help="A shipped agent, such as official, or a file mine.npz.")],
    out: Annotated[Path, Option(help="The file to write.")],
    json: Json = False,
) -> None:
    """Write an agent as an ONNX file, which other programs can run.

    It takes observations and gives a score for each action. As a bot it is called onnx:FILE, like any network in such
    a file.

    Example:
      pitboss export official --out official.onnx
    """
    from pitboss.learn.agent import load
    from pitboss.learn.onnx_file import export as write

    found, file = load(agent.removeprefix("agent:")), writable(out, (".onnx",))
    write(found, file)
    size = file.stat().st_size
    facts = {"file": str(file), "game": found.game, "observation": found.encoding, "bytes": size}
    if json:
        print_json(facts)
        return
    screen = console()
    screen.print(f"Written to {file} ({size / 1000:,.0f} kB): scores actions from the observation {found.encoding}")
    screen.print(f"[dim]Let it play: pitboss simulate '{found.game}' --bots onnx:{file},…[/]")

"""`pitboss page build` and `pitboss page serve`: the page without a server, made of what is installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from pitboss.cli.command import Commands
from pitboss.cli.common import console, print_json
from pitboss.cli.options import Json

if TYPE_CHECKING:
    from pitboss.page.build import BuiltPage

page = Commands("page")
page.info.help = "The page without a server: play, advice, replays, training and simulations in any browser, offline."

Out = Annotated[Path, Option(help="The folder to write.", metavar="DIR")]
Games = Annotated[
    list[str] | None, Option("--game", help="A game that the page has; several times for several. All if left out.")
]
DEFAULT_FOLDER = Path("page")
HERE = "127.0.0.1"


@page.command("build")
def build(out: Out = DEFAULT_FOLDER, game: Games = None, json: Json = False) -> None:
    """Write the page as a folder of static files.

    Open its index.html, or put the folder on any web server; nothing runs there. Games of other packages are taken,
    too. It needs the extra pitboss\\[page], which brings a linker.

    Examples:
      pitboss page build
      pitboss page build --game flip7 --out public
    """
    built = _built(out, game, json)
    if json:
        print_json(built.to_dict())
        return
    for name, size in built.games.items():
        console().print(f"{name}: {(built.shared + size) / 1000:.0f} kB to load, gzipped")
    console().print(
        f"Open [bold]{built.folder / 'index.html'}[/], or put the folder on any web server.", soft_wrap=True
    )


@page.command("serve")
def serve(
    out: Out = DEFAULT_FOLDER,
    game: Games = None,
    port: Annotated[int, Option(help="The port to listen on; 0 takes any that is free.", min=0, max=65535)] = 7778,
    open: Annotated[bool, Option("--open", help="Open the page in a browser.")] = False,
    json: Json = False,
) -> None:
    """Write the page and show it on this machine, for a look.

    Examples:
      pitboss page serve --open
    """
    from pitboss.page.serve import server

    built = _built(out, game, json)
    with server(built.folder, HERE, port) as listening:
        address = f"http://localhost:{listening.server_address[1]}/"
        if json:
            print_json({"url": address, **built.to_dict()})
        else:
            console().print(f"The page is here: [bold]{address}[/]   [dim](Ctrl-C stops it)[/]")
        if open:
            typer.launch(address)
        listening.serve_forever()


def _built(out: Path, games: list[str] | None, json: bool) -> BuiltPage:
    from pitboss.page.build import build as write

    return write(out, games or (), (lambda _: None) if json else (lambda name: console().print(f"[dim]{name} …[/]")))

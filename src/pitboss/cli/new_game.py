"""`pitboss new-game`: a small game to begin with, as a package of its own.

What it writes is one of the two example games, under another name. They lie in `examples/`; a wheel has them as
`pitboss/templates`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pitboss.cli.common import console, print_json
from pitboss.cli.options import Json
from pitboss.core.errors import PitbossError

PACKAGE = Path(__file__).resolve().parent.parent
PLACES = (PACKAGE / "templates", PACKAGE.parent.parent / "examples")
OPEN, SECRET = "toy", "nerve"  # the example games
WRITTEN = (".py", ".toml", ".md")


def new_game(
    name: Annotated[str, Argument(metavar="NAME", help="What to call it, such as dice or my-game.")],
    secrets: Annotated[bool, Option("--secrets", help="A game in which players hide something.")] = False,
    out: Annotated[Path, Option(metavar="DIR", help="The folder to create it in.")] = Path(),
    json: Json = False,
) -> None:
    """Write a small starter game, as a package with tests. Existing files are never overwritten.

    Examples:
      pitboss new-game dice
      pitboss new-game bluff --secrets --out games
    """
    from shlex import quote

    from rich.markup import escape

    files = written(name, SECRET if secrets else OPEN)
    folder = out / name
    if folder.exists():
        raise PitbossError(f"{folder} exists already and is left as it is; choose another name, or --out DIR")
    try:
        for inside, text in files.items():
            file = folder / inside
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise PitbossError(f"cannot write to {folder}: {problem.strerror}") from problem
    steps = {
        "install it as it lies there": f"pip install --editable {quote(str(folder))}",
        "run its tests (with pytest installed)": f"python -m pytest {quote(str(folder / 'tests'))}",
        "read its rules": f"pitboss rules {name}",
        "play it": f"pitboss play {name}",
        "let its bots compete": f"pitboss simulate {name}",
    }
    if json:
        print_json({"folder": str(folder), "files": sorted(map(str, files)), "next": list(steps.values())})
        return
    to = console()
    to.print(f"Written: [bold]{escape(str(folder))}[/]. Its rule book is step.py. What next:\n", soft_wrap=True)
    for about, command in steps.items():
        to.print(f"  [dim]{about}:[/]\n    {escape(command)}", soft_wrap=True)


def written(name: str, example: str) -> dict[Path, str]:
    """The files of an example game under another name, by their places in its folder."""
    from pitboss.core.registry import games

    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise PitbossError(f"{name!r} cannot name a game; use small letters, digits and dashes, such as my-game")
    if name in games():
        raise PitbossError(f"there is a game {name} already; choose another name")
    source = next((place / f"{example}-game" for place in PLACES if place.is_dir()), None)
    if source is None:
        raise PitbossError("this installation of pitboss has no example games; install it again")
    module, title = name.replace("-", "_"), "".join(word.capitalize() for word in name.split("-"))
    names = {
        f"./examples/{example}-game": ".",
        f"pitboss_{example}": f"pitboss_{module}",
        f"test_{example}": f"test_{module}",
        example.capitalize(): title,
        example: name,
    }
    either = re.compile("|".join(map(re.escape, names)))

    def renamed(text: str) -> str:
        return either.sub(lambda found: names[found[0]], text)

    out = {}
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source).parts
        if path.suffix in WRITTEN and "build" not in inside and not any(part.startswith(".") for part in inside):
            text = path.read_text(encoding="utf-8").partition("\n`pitboss new-game")[0].rstrip() + "\n"
            out[Path(renamed(path.relative_to(source).as_posix()))] = renamed(text)
    return out

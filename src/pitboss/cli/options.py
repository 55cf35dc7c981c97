"""Options and arguments that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from pitboss.cli.command import Clicked
from pitboss.tournament import DEFAULT_STORE as DEFAULT_STORE


def number_of(help: str) -> Clicked:
    """An option that takes a number of games, deals or steps: 1000, 10k, 2.5M or 1e9."""
    return Option(parser=read_count, metavar="N", help=help)


def read_count(text: str | int) -> int:
    """The number that such a text means."""
    from pitboss.core.counts import NotACount, whole_number

    try:
        return whole_number(text)
    except NotACount as problem:
        raise typer.BadParameter(str(problem)) from None


SPEC_HELP = "The game and its rules, such as flip7:official, show:fair or 'flip7:tournament(target=100)'."
Spec = Annotated[str, Argument(metavar="SPEC", help=SPEC_HELP, show_default=False)]
Json = Annotated[bool, Option("--json", help="Print JSON instead of tables.")]
Bots = Annotated[
    str | None,
    Option(help="Bots, with commas between them: stay-25,ev,my.py:MyBot; stay-25*4 seats four.", metavar="A,B,…"),
]
Seed = Annotated[str | None, Option(help="A number (or a key) that decides all luck; random if left out.", metavar="N")]
Players = Annotated[int | None, Option(min=1, help="How many play; the bots are repeated until all seats are taken.")]
Id = Annotated[str, Argument(metavar="ID", help="The tournament's id, or latest.", show_default=False)]
StoreUrl = Annotated[
    str,
    Option("--store", metavar="URL", help="Where tournaments are kept: a file, or the URL of a PostgreSQL database."),
]
Address = Annotated[
    str | None, Option(metavar="HOST:PORT", help="The Ray cluster to play on, or auto; without it, this machine alone.")
]
Clock = Annotated[
    str | None,
    Option(
        metavar="processor|wall",
        help="What counts as thinking time: processor time, or time on the wall clock. \\[default: processor]",
    ),
]
Allow = Annotated[
    list[str] | None,
    Option(metavar="NAME", help="A package that bots may import besides NumPy, or threads; repeatable."),
]
TimeLimit = Annotated[float, Option(metavar="SECONDS", help="How long a bot may think about each decision.")]
Isolation = Annotated[bool, Option("--require-isolation", help="Refuse to run bots where the sandbox is not complete.")]
Csv = Annotated[Path | None, Option(help="Also write the table as CSV; - prints it instead of the table.")]
Game = Annotated[str, Option("--game", metavar="SPEC", help=SPEC_HELP)]
DEFAULT_SPEC = "flip7:official"

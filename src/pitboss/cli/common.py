"""What several commands share."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.tournament import DEFAULT_STORE as DEFAULT_STORE

if TYPE_CHECKING:
    from pitboss.cli.screen import Screen
    from pitboss.core.keys import Key
    from pitboss.core.record import Record

SPEC_HELP = "The game and its rules, such as flip7:official, show:fair or 'flip7:tournament(target=100)'."

Spec = Annotated[str, typer.Argument(metavar="SPEC", help=SPEC_HELP, show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Bots = Annotated[
    str | None,
    typer.Option(help="Bots, with commas between them: stay-25,ev,my.py:MyBot; stay-25*4 seats four.", metavar="A,B,…"),
]
Seed = Annotated[
    str | None, typer.Option(help="A number (or a whole key) that decides all luck; random if left out.", metavar="N")
]

StoreUrl = Annotated[
    str,
    typer.Option(
        "--store", metavar="URL", help="Where tournaments are kept: a file, or the URL of a PostgreSQL database."
    ),
]

Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="The Ray cluster to play on, or auto; without it, this machine alone."),
]

Clock = Annotated[
    str | None,
    typer.Option(
        metavar="processor|wall",
        help="What a decision is timed by: the bot's processor time, or the clock on the wall. \\[default: processor]",
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="An installed package that bots may import besides NumPy, or: threads."),
]

DEFAULT_SPEC = "flip7:official"


def print_json(data: object) -> None:
    """JSON for programs, to standard output."""
    from pitboss.core.text import as_json_text

    typer.echo(as_json_text(json.dumps(data, indent=2, ensure_ascii=False)))


def console() -> Screen:
    """Where tables are printed."""
    from pitboss.cli.screen import Screen

    return Screen(highlight=False)


def errors() -> Screen:
    """Where notes are printed that do not belong to the answer."""
    from pitboss.cli.screen import Screen

    return Screen(stderr=True, highlight=False)


def in_flags(sentence: str, command: Any) -> str:
    """What the library says, with its arguments named as this command names them: `seats=2` becomes --seats 2."""
    names = {
        param.name: param.opts[0] if param.param_type_name == "option" else param.metavar or str(param.name).upper()
        for param in command.params
    }

    def flag(found: re.Match[str]) -> str:
        name, value = names.get(found[1]), found[2]
        if name is None:
            return found[0]
        return f"{name} {value}" if value else name

    return re.sub(r"`([a-z_]+)(?:=([^`]*))?`", flag, sentence)


def tell_left_out(sentences: list[str]) -> None:
    """What is not entered or listed, and why."""
    from rich.markup import escape

    for why in sentences:
        errors().print(f"[yellow]Left out:[/] {escape(why)}.", soft_wrap=True)


def read_seed(text: str | None) -> tuple[int | Key, str]:
    """The seed to use and how to write it down; a new one if none is given."""
    from pitboss.core.keys import Key, new_seed

    if text is None:
        seed = new_seed()
        return seed, str(seed)
    key = Key.parse(text)
    return (key, str(key)) if text.strip().startswith("key:") else (int(text), str(int(text)))


def read_count(text: str | int) -> int:
    """A number of games, deals or steps: 1000, 10k, 2.5M or 1e9."""
    from pitboss.core.counts import NotACount, whole_number

    try:
        return whole_number(text)
    except NotACount as problem:
        raise typer.BadParameter(str(problem)) from None


def read_key(text: str) -> int | Key:
    """The seed or the whole key that a text means."""
    return read_seed(text)[0]


def games(records: list[Record]) -> str:
    """How many games there are, in words."""
    return "1 game" if len(records) == 1 else f"{len(records)} games"


def find_records(text: str, store: str) -> list[Record]:
    """The records of a file, or the one game of a tournament that `id/number` means."""
    from pitboss.core.record import read

    id, slash, number = text.rpartition("/")
    if slash and number.isdigit() and not Path(text).exists():
        from pitboss.tournament.store import Store

        kept = Store.existing(store)
        return [kept.record(kept.tournament(id).id, int(number))]
    return read(Path(text))


def writable(path: Path) -> Path:
    """A file that can be written, checked before the work is done."""
    from pitboss.core.errors import PitbossError

    if path.is_dir() or not path.resolve().parent.is_dir():
        raise PitbossError(f"cannot write {path}: give a file in a folder that exists")
    return path


class RunProgress:
    """A bar on stderr for runs that take longer than a moment."""

    def __init__(self, quiet: bool, doing: str = "playing", what: str = "games") -> None:
        self._doing, self._what = doing, what
        self._bar: Any = None
        self._task: Any = None
        self._quiet = quiet or not sys.stderr.isatty()

    def __enter__(self) -> Any:
        if self._quiet:
            return None
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn(self._doing),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(f"{self._what},"),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        self._task = self._bar.add_task("", total=None)
        return lambda done, total: self._bar.update(self._task, completed=done, total=total)

    def __exit__(self, *problem: object) -> None:
        if self._bar:
            self._bar.stop()

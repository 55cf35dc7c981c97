"""What several commands share."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

import typer

from pitboss.cli.command import Clicked
from pitboss.core.errors import PitbossError, unknown

if TYPE_CHECKING:
    from rich.progress import Progress

    from pitboss.cli.screen import Screen
    from pitboss.core.keys import Key
    from pitboss.core.record import Record
    from pitboss.run.cluster import Cluster
    from pitboss.sandbox.limits import Limits

STANDARD_OUTPUT = Path("-")


def print_json(data: object, indent: int | None = 2) -> None:
    """JSON for programs, to standard output."""
    from pitboss.core.text import as_json_text

    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    typer.echo(as_json_text(json.dumps(data, indent=indent, ensure_ascii=not unicode)))


def console() -> Screen:
    """Where tables are printed."""
    from pitboss.cli.screen import Screen

    return Screen(highlight=False)


def errors() -> Screen:
    """Where notes are printed that do not belong to the answer."""
    from pitboss.cli.screen import Screen

    return Screen(stderr=True, highlight=False)


def in_flags(sentence: str, command: Clicked) -> str:
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


def read_limits(time_limit: float, clock: str | None, allow: list[str] | None) -> Limits:
    """What bots from files may use."""
    from pitboss.sandbox.limits import Limits, split_names

    if not time_limit > 0:
        raise PitbossError(f"--time-limit takes seconds, more than 0, not {time_limit}")
    return Limits(time_limit, clock=clock or "processor", allow=split_names(allow or ()))


def cluster(executor: str, usual: str, address: str | None, workers: int | None) -> Cluster | None:
    """The Ray cluster that is to play; None if the usual executor of a command is."""
    if executor == usual:
        if address is not None:
            raise PitbossError("--address is the address of a cluster: add --executor ray")
        return None
    if executor != "ray":
        raise PitbossError(unknown("executor", executor, [usual, "ray"]))
    from pitboss.run.cluster import Cluster

    return Cluster(address, workers)


def write_csv(text: str, file: Path) -> None:
    """A table for a spreadsheet, to a file or to standard output."""
    from pitboss.core.files import write_whole

    if file == STANDARD_OUTPUT:
        typer.echo(text, nl=False)
    else:
        write_whole(file, text)


def fill_seats(bots: list[str], players: int, people: int = 0) -> list[str]:
    """So many of these bots, in turn, that with the people there are so many players.

    >>> fill_seats(["ev", "stay-25"], 3), fill_seats(["ev", "stay-25"], 2, people=1)
    (['ev', 'stay-25', 'ev'], ['ev'])
    """
    return [bots[i % len(bots)] for i in range(players - people)] if bots else []


def read_seed(text: str | None) -> tuple[int | Key, str]:
    """The seed to use and how to write it down; a new one if none is given."""
    from pitboss.core.keys import Key, new_seed

    if text is None:
        seed = new_seed()
        return seed, str(seed)
    key = Key.parse(text)
    return (key, str(key)) if ":" in text else (int(text), str(int(text)))


def read_key(text: str) -> int | Key:
    """The seed or the whole key that a text means."""
    return read_seed(text)[0]


def find_records(text: str, store: str) -> list[Record]:
    """The records of a file, the one game of a tournament that `id/number` means, or the last one of `id`."""
    from pitboss.core.record import read

    id, slash, number = text.rpartition("/") if text.rpartition("/")[2].isdigit() else (text, "", "")
    if Path(text).exists() or not (slash or _is_stored(id, store)):
        return read(Path(text))
    from pitboss.tournament.store import Store

    kept = Store.existing(store)
    stored = kept.tournament(id).id
    return [kept.record(stored, int(number) if slash else kept.last_game(stored))]


def _is_stored(id: str, store: str) -> bool:
    """Whether this names a tournament rather than a file."""
    from pitboss.tournament.store import Store

    return id == "latest" or (Path(store).exists() and id in Store.existing(store).ids())


RECORD_FILES = (".json", ".jsonl", ".txt")


def writable(path: Path, kinds: tuple[str, ...] = ()) -> Path:
    """A file that can be written, checked before the work is done; `kinds` are the ends its name may have."""
    from pitboss.core.files import is_special

    if path == STANDARD_OUTPUT:
        return path
    if kinds and path.suffix not in kinds:
        raise PitbossError(f"cannot write {path}: its name must end in {', '.join(kinds[:-1])} or {kinds[-1]}")
    folder = path.resolve().parent
    if path.is_dir() or not folder.is_dir():
        raise PitbossError(f"cannot write {path}: give a file in a folder that exists")
    if not is_special(path):
        from tempfile import TemporaryFile

        try:
            TemporaryFile(dir=folder).close()
        except OSError as problem:
            raise PitbossError(f"cannot write {path}: {folder} takes no files ({problem.strerror})") from problem
    return path


def quiet() -> bool:
    """Whether to hide progress bars."""
    return bool(os.environ.get("PITBOSS_QUIET")) or not sys.stderr.isatty()


def time_left(seconds: float, done: int, total: int) -> str:
    """How long the rest takes, if what is done tells.

    >>> time_left(10, 5, 65), time_left(0, 0, 65), time_left(10, 65, 65)
    (', 2:00 left', '', '')
    """
    left = round(seconds / done * (total - done)) if done else 0
    return f", {left // 60}:{left % 60:02d} left" if left else ""


@contextmanager
def waiting(hidden: bool, doing: str = "thinking", after: float = 2.0) -> Iterator[None]:
    """A bar on stderr if what is done meanwhile takes longer than a moment; nobody knows how long."""
    bar = RunProgress(hidden, doing)
    timer = Timer(after, bar.__enter__)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        bar.__exit__()


class RunProgress:
    """A bar on stderr for runs that take longer than a moment."""

    def __init__(self, hidden: bool, doing: str = "playing", what: str = "games") -> None:
        self._doing, self._what, self._hidden = doing, what, hidden or quiet()
        self._bar: Progress | None = None

    def __enter__(self) -> Callable[[int, int], None] | None:
        if self._hidden:
            return None
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        counted = TextColumn("{task.fields[counted]}")
        bar = self._bar = Progress(
            TextColumn(self._doing), BarColumn(), counted, console=Console(stderr=True), transient=True
        )
        bar.start()
        task, began = bar.add_task("", total=None, counted=""), time.monotonic()

        def show(done: int, total: int) -> None:
            left = time_left(time.monotonic() - began, done, total)
            bar.update(task, completed=done, total=total, counted=f"{done:,} of {total:,} {self._what}{left}")

        return show

    def __exit__(self, *problem: object) -> None:
        if self._bar:
            self._bar.stop()

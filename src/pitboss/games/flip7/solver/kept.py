"""Tables that take a while to find: worked out once, with a bar that says how far it is, then kept on disk."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import numpy as np

from pitboss.core.fingerprint import fingerprint
from pitboss.core.machine import cache_folder
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import Floats

Progress = Callable[[int, int], None]

WIDTH = 24  # of the bar
OFTEN = 0.1  # seconds between changes


def shipped(name: str, game: Flip7) -> Path:
    """Where the table of this name would lie if it came with pitboss."""
    return Path(__file__).parent / "tables" / f"{name}-{'-'.join(re.findall(r'[a-z0-9]+', str(game)))}.npy"


def kept(name: str, game: Flip7, find: Callable[[Progress], Floats], progress: Progress | None = None) -> Floats:
    """The table of this name for a rule book: the one that came with pitboss, from disk, or by `find`, which says how
    far it is.

    On disk it is named by the functions that find it: when these change, it is found anew.
    """
    with suppress(OSError):
        return np.load(shipped(name, game))  # type: ignore[no-any-return]
    finders = [find.__globals__[each] for each in find.__code__.co_names if each in find.__globals__]
    file = cache_folder() / f"{name}-{fingerprint(game.step, game.record, finders)[:32]}.npy"
    try:
        return np.load(file)  # type: ignore[no-any-return]
    except (OSError, ValueError, EOFError):
        with Ticker(f"working out the {name} of {game}, once") if progress is None else nullcontext(progress) as told:
            table = find(told)
        try:
            part = file.with_suffix(f".{os.getpid()}.npy")
            np.save(part, table)
            part.replace(file)
        except OSError:
            pass  # nowhere to keep it: found anew next time
        return table


class Ticker:
    """A bar on stderr while a table is worked out: a line once where that is no terminal, nothing if PITBOSS_QUIET.

    Called with how much is done, and how much there is; made for a `with` block, which wipes it in the end.
    """

    def __init__(self, what: str) -> None:
        self._what, self._last = what, 0.0
        self._quiet = bool(os.environ.get("PITBOSS_QUIET"))
        self._bar = not self._quiet and sys.stderr.isatty()

    def __enter__(self) -> Ticker:
        if not self._quiet and not self._bar:
            print(f"pitboss: {self._what} ...", file=sys.stderr, flush=True)
        return self

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if not self._bar or (now - self._last < OFTEN and done < total):
            return
        self._last = now
        full = WIDTH * done // total
        line = f"pitboss: {'█' * full}{'░' * (WIDTH - full)} {done / total:4.0%} {self._what}"
        # A longer line would wrap, and then there would be many.
        print("\r" + line[: shutil.get_terminal_size().columns - 1], end="", file=sys.stderr, flush=True)

    def __exit__(self, *problem: object) -> None:
        if self._bar:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

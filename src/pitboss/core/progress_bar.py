"""A bar on stderr, for what a person must wait for in libraries: commands have Rich's."""

from __future__ import annotations

import os
import shutil
import sys
import time

WIDTH = 24
OFTEN = 0.1  # seconds between changes


class ProgressBar:
    """A bar on stderr, in a `with` block, which wipes it in the end: one line where that is no terminal, and nothing if
    PITBOSS_QUIET is set. Call it with how much is done, and how much there is.
    """

    def __init__(self, what: str) -> None:
        self._what, self._last = what, 0.0
        self._quiet = bool(os.environ.get("PITBOSS_QUIET"))
        self._bar = not self._quiet and sys.stderr.isatty()

    def __enter__(self) -> ProgressBar:
        if not self._quiet and not self._bar:
            print(f"pitboss: {self._what} ...", file=sys.stderr, flush=True)
        self(0, 1)
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

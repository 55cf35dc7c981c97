"""A command that finds nothing compiled does not wait for it: it runs interpreted while another process compiles.

Compiling takes longer than a short simulation takes interpreted. So the first such command of a game does both at once:
it goes on as plain Python, and the other process runs the same command compiled. What is ready first counts. That is
the interpreted answer; or the machine code, and then the command begins again with it (`NeedsCompiler`), which takes a
moment. Both play the same games and print the same. The other process goes on in the background if it is the later one,
so that the next command finds its machine code.

This is for commands that change nothing before they print: what had been done until they begin again is forgotten.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

from pitboss.core.cache_folder import PREBUILT, cache_folder, cache_root
from pitboss.core.compile import NeedsCompiler, begin_interpreted, deferred, may_defer
from pitboss.core.entry_points import split_spec
from pitboss.core.files import one_at_a_time
from pitboss.core.launch import start
from pitboss.core.progress_bar import ProgressBar

PATIENCE = 6.0  # seconds of processor time after which plain Python is too slow for what was asked
FEW_SEATS = 4000  # of all games together: what plain Python plays about as soon as a compiler is ready

_compiler: subprocess.Popen[bytes] | None = None


def few(games: int, bots: str | None, players: int | None) -> bool:
    """Whether so few games of built-in bots are wanted that plain Python can play them."""
    names = bots or ""
    seats = players or names.count(",") + 1
    return games * seats <= FEW_SEATS and not any(sign in names for sign in (".py", ":", "/"))


def begin(command: str, spec: str, *, takes_over: bool = True) -> None:
    """Go on as plain Python if machine code is missing, and have it compiled meanwhile; call `settled` before printing.

    Without `takes_over` this process remains plain Python to its end, and all of the game is compiled meanwhile, at low
    priority.
    """
    global _compiler
    from pitboss.run.quick import is_ready

    game, _ = split_spec(spec)
    if not _possible() or is_ready(command, game):
        return
    import numpy as np

    begin_interpreted()  # before anything is imported that is marked
    np.seterr(over="ignore")  # as machine code does where it may overflow
    nowhere = subprocess.DEVNULL
    words = (__name__, *sys.argv[1:]) if takes_over else ("pitboss.analysis.precompile", game)
    _compiler = start(*words, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)
    if takes_over:
        signal.signal(signal.SIGCHLD, _compiled)
        signal.signal(signal.SIGVTALRM, _too_slow)
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)


def _possible() -> bool:
    """Whether there may be no machine code, and a second process can make it without anybody waiting for it."""
    if not may_defer() or deferred() or PREBUILT.is_dir():
        return False  # it is there, or soon made
    if os.environ.get("PITBOSS_QUIET") or not hasattr(signal, "SIGCHLD") or cache_folder().parent != cache_root():
        return False  # nothing may be left running, there are no such signals, or nothing can be kept
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1


def _compiled(number: int, frame: FrameType | None) -> None:
    """The other process has ended: its machine code is there."""
    if _compiler and _compiler.poll() is not None:
        settled()
        raise NeedsCompiler


def _too_slow(number: int, frame: FrameType | None) -> None:
    """Leave the processor to the compiler."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with ProgressBar("compiling for this machine, once (about half a minute)"):
        if _compiler:
            _compiler.wait()
    settled()
    raise NeedsCompiler


def settled() -> None:
    """The answer is known, and no other is wanted."""
    if _compiler and signal.getsignal(signal.SIGVTALRM) is _too_slow:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def stop() -> None:
    """Somebody has pressed Ctrl-C, and does not want the machine code either."""
    settled()
    if _compiler:
        _compiler.terminate()


def _run(words: list[str]) -> None:
    """The other process: one at a time, since the next one often needs the same."""
    from pitboss.cli.app import main

    os.environ["PITBOSS_WITH_COMPILER"] = "1"
    sys.argv[1:] = words
    with one_at_a_time(cache_folder() / "early.lock"):
        main()


if __name__ == "__main__":
    _run(sys.argv[1:])

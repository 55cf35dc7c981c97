"""Short simulations that begin at once: the same command as before needs neither Numba nor a look at what is installed.

When a simulation of built-in bots has used nothing but machine code that was in the cache, that code is kept together,
under the words of the command and the files of pitboss. With the same words and files the next process loads it
(`core.native`) and plays the same games. Whatever else is compiled cannot be called in such a process: it would begin
again (`NeedsCompiler`). So nothing that is compiled is imported here.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import llvmlite
import numpy as np

from pitboss.core import entry_points
from pitboss.core.cache_folder import cache_folder
from pitboss.core.compile import NeedsCompiler, begin_deferred, interpreted, may_defer
from pitboss.core.native import NativeCode, Piece, can_load, numba_folder, processor

if TYPE_CHECKING:
    from pitboss.core.bot import Entrant

PACKAGE = Path(__file__).resolve().parent.parent
QUICK_GAMES = 20_000  # below that nobody looks for a faster loop (`special`)

Words = tuple[str | int | None, ...]  # of a command: the game, the bots, how many players


class Kit(NamedTuple):
    """What a simulation needs besides Python code."""

    loop: Piece
    bots: tuple[Piece, ...]  # of the entrants, in order
    places: dict[str, dict[str, str]]  # of games and bots


_unpacked: tuple[Kit, NativeCode] | None = None


def begin(words: Words) -> None:
    """Do without Numba in this process, if what the command needs was kept."""
    global _unpacked
    if not may_defer():
        return
    with suppress(Exception):  # whatever it is: everything can be done without a kit
        file = _file(words)
        kit: Kit = pickle.loads(file.read_bytes())
        _unpacked = kit, NativeCode([kit.loop, *kit.bots])
        os.utime(file)  # it is in use
        begin_deferred()
        entry_points.remember(kit.places)


def keep(words: Words, game: Any, entrants: Sequence[Entrant]) -> None:
    """Keep what a simulation has used, unless it is kept, or was more than the machine code of its loop and bots."""
    if _unpacked or interpreted():
        return
    from pitboss.core.code_cache import COMPILING, USED, machine_code_in, write

    functions: list[Any] = [game.loops.play_blocks, *(entrant.function for entrant in entrants)]
    if COMPILING.happened or not all(functions):
        return
    plain = [function.py_func for function in functions]
    ours = all(each.__module__.startswith(entry_points.OWN) for each in (*plain, type(game)))
    if not ours or set(USED) != set(plain) or any(len(USED[each]) != 1 for each in plain):
        return
    loop, *bots = (machine_code_in(*USED[each]) for each in plain)
    if loop and all(bots) and all(can_load(piece.code) for piece in (loop, *bots) if piece):
        places = {group: entry_points.places(group) for group in entry_points.GROUPS}
        write(_file(words), Kit(loop, tuple(bot for bot in bots if bot), places))


def is_ready(command: str, game: str) -> bool:
    """Whether what a command needs of a game was compiled, from these files of pitboss."""
    return _file((command, game), "ready").exists()


def note_ready(command: str, game: str) -> None:
    """It is."""
    with suppress(OSError):
        _file((command, game), "ready").touch()


def _file(words: Words, kind: str = "quick") -> Path:
    """Where a kit is kept: named by the command, by all files of pitboss, and by all that makes machine code."""
    made_of = repr((words, *_around(), processor()))
    return cache_folder() / f"{kind}-{hashlib.sha256(made_of.encode()).hexdigest()[:32]}"


@cache
def _around() -> tuple[object, ...]:
    """The files of pitboss, and the tools."""
    seen = []
    for folder, _, files in os.walk(PACKAGE):
        for name in files:
            if name.endswith(".py"):
                about = os.stat(os.path.join(folder, name))
                seen.append((folder, name, about.st_size, about.st_mtime_ns))
    numba = (numba_folder() / "_version.py").stat()
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    tools = (sys.version, np.__version__, llvmlite.__version__, numba.st_size, numba.st_mtime_ns)
    return sorted(seen), tools, settings


def unpacked() -> tuple[Kit, NativeCode]:
    """The kit of this process, and its machine code."""
    if _unpacked is None:
        raise NeedsCompiler
    return _unpacked

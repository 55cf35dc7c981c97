"""Tables that take a while to find: worked out once, with a bar that says how far it is, then kept on disk."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import numpy as np

from pitboss.core.cache_folder import cache_folder
from pitboss.core.fingerprint import fingerprint
from pitboss.core.progress_bar import ProgressBar
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import Floats

Progress = Callable[[int, int], None]


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
    finders = tuple(find.__globals__[each] for each in find.__code__.co_names if each in find.__globals__)
    file = cache_folder() / f"{name}-{fingerprint(game.step, game.record, finders)[:32]}.npy"
    try:
        return np.load(file)  # type: ignore[no-any-return]
    except (OSError, ValueError, EOFError):
        bar = ProgressBar(f"working out the {name} of {game}, once") if progress is None else nullcontext(progress)
        with bar as told:
            table = find(told)
        try:
            part = file.with_suffix(f".{os.getpid()}.npy")
            np.save(part, table)
            part.replace(file)
        except OSError:
            pass  # nowhere to keep it: found anew next time
        return table

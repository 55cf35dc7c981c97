"""Where what can be made again is kept: machine code, tables that were worked out, simulations that were stopped."""

from __future__ import annotations

import functools
import os
from pathlib import Path

PREBUILT = Path(__file__).resolve().parent.parent / "prebuilt"  # what a wheel brings


def cache_root() -> Path:
    """The folder of all that can be made again."""
    home = os.environ.get("PITBOSS_CACHE")
    return Path(home) if home else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pitboss"


@functools.cache
def cache_folder() -> Path:
    """Where machine code and worked-out tables are kept."""
    folder = cache_root() / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK) and not any(folder.iterdir()):
            raise OSError
    except OSError:
        from pitboss.core.temporary import folder_until_exit

        return folder_until_exit("cache")
    return folder

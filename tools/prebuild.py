"""Compiles the installed games to bitcode for a wheel: `python tools/prebuild.py FOLDER`.

Everything that Python calls is compiled once for the plainest processor of this kind. Other processes then make machine
code of it, which stays in the cache of this machine: tests after `make build` try the wheel and compile little.

Without a folder, it compiles for this machine, which `make test` does first: tests run in two processes, and each would
compile the same.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROCESSES = 2
PLAINEST = {"x86_64": "x86-64"}.get(platform.machine(), "generic")


def exercise() -> None:
    """Call what commands, environments and pages call, for every game."""
    sys.path.insert(0, str(ROOT / "src"))
    os.environ["PITBOSS_QUIET"] = "1"
    from pitboss.analysis.precompile import precompile
    from pitboss.core.registry import games

    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        for _ in pool.map(precompile, games()):
            pass


def main(folder: Path) -> None:
    """Compile into the folder, and try what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        env = os.environ | {"PITBOSS_PREBUILD": str(folder.resolve()), "PYTHONDONTWRITEBYTECODE": "1"}
        plainest = {"NUMBA_CPU_NAME": PLAINEST, "NUMBA_CPU_FEATURES": ""}
        for cache, processor in ((Path(work, "plain"), plainest), (Path(work, "here"), {})):
            env["PITBOSS_CACHE"] = str(cache)
            subprocess.run([sys.executable, __file__], env=env | processor, check=True)
        for made in ("here", "plain"):  # of the latter what callers take over
            keep(Path(work, made, "compiled"))


def keep(compiled: Path) -> None:
    """Put code into the cache of this machine."""
    sys.path.insert(0, str(ROOT / "src"))
    from pitboss.core.cache_folder import cache_folder

    for file in compiled.iterdir():
        if not (cache_folder() / file.name).exists():
            shutil.copy(file, cache_folder())


if __name__ == "__main__":
    main(Path(sys.argv[1])) if len(sys.argv) > 1 else exercise()

"""Reads what is none of its business: passwords, its opponents, the referee."""

import os
import sys
from pathlib import Path

from pitboss.games.flip7 import Flip7Bot

HERE = Path(__file__)
WAYS = {
    "passwords": lambda: Path("/etc/passwd").read_text(),
    "opponent": lambda: (HERE.parent / "writes.py").read_text(),
    "own folder": lambda: os.listdir(HERE.parent),
    "root": lambda: os.listdir("/"),
    "environment": lambda: Path("/proc/self/environ").read_bytes(),
    "parent": lambda: Path(f"/proc/{os.getppid()}/cmdline").read_bytes(),
    "tests": lambda: (HERE.parents[1] / "test_zoo.py").read_text(),
}


def attempts():
    for name, way in WAYS.items():
        try:
            way()
            yield f"{name} worked"
        except OSError as problem:
            yield f"{name} refused: {problem.strerror}"
    sys.path.insert(0, str(HERE.parent))
    try:
        import writes  # noqa: F401

        yield "import worked"
    except ImportError:
        yield "import refused"
    finally:
        sys.path.pop(0)


AT_IMPORT = list(attempts())


class Reads(Flip7Bot):
    def hit_or_stay(self, view):
        print("\n".join([*AT_IMPORT, *attempts()]))
        print("own file:", HERE.read_text()[3:8])
        return "stay"

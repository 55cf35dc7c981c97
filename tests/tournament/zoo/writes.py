"""Writes to disk, or changes what is there."""

import os
import tempfile
from pathlib import Path

from pitboss.games.flip7 import Flip7Bot

HERE = Path(__file__)
WAYS = {
    "own file": lambda: HERE.write_text("nothing"),
    "beside it": lambda: (HERE.parent / "written.txt").write_text("hello"),
    "temporary": lambda: Path("/tmp/pitboss-zoo-was-here").write_text("hello"),
    "named temporary": lambda: tempfile.mkstemp(dir="/dev/shm"),
    "folder": lambda: os.mkdir("/tmp/pitboss-zoo-folder"),
    "mode": lambda: os.chmod(HERE, 0o600),
    "time": lambda: os.utime(HERE),
    "remove": lambda: os.unlink(HERE),
    "rename": lambda: os.rename(HERE, "/tmp/pitboss-zoo-moved.py"),
    "link": lambda: os.symlink(HERE, "/tmp/pitboss-zoo-link"),
    "memory file": lambda: os.memfd_create("zoo"),
}


def attempts():
    for name, way in WAYS.items():
        try:
            way()
            yield f"{name} worked"
        except OSError as problem:
            yield f"{name} refused: {problem.strerror}"


AT_IMPORT = list(attempts())


class Writes(Flip7Bot):
    def hit_or_stay(self, view):
        print("\n".join([*AT_IMPORT, *attempts()]))
        with open("/dev/null", "w") as nothing:
            nothing.write("this is fine")
        return "stay"

"""Which rules are played here: what two runs, or two machines, must have in common to be one."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version

from pitboss.core.game import Game
from pitboss.core.machine import PACKAGE, origin, sources


def installed() -> str:
    """The version of pitboss that is installed here."""
    try:
        return version("pitboss")
    except PackageNotFoundError:
        return "not installed as a package"


def engine_version(game: Game) -> str:
    """A hash of the sources that decide what is played: pitboss's own, and those of a game from another package."""
    digest = hashlib.sha256(origin(game.step.apply).encode())
    for path in sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def code_version() -> str:
    """A hash of all of pitboss but its command line: what machines that play together must have in common."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] != "cli":
            digest.update(inside.as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]

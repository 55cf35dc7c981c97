"""Which rules and bots are played here: what two runs, or two machines, must have in common to be one.

Versions are fingerprints: they change if games can be played differently, and not when a text or a page is edited.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from pitboss.core import keys, splitmix
from pitboss.core.bot import Entrant
from pitboss.core.fingerprint import by_source, fingerprint
from pitboss.core.game import Game

PACKAGE = Path(__file__).resolve().parent.parent

# Before there were fingerprints, a version was a hash of all sources. These played the games that are played now;
# tests/test_golden.py has some of them.
EARLIER = {"flip7": ("570effe233f6ce30",), "show": ("570effe233f6ce30",)}


def installed() -> str:
    """The version of pitboss that is installed here."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pitboss")
    except PackageNotFoundError:
        return "not installed as a package"


def engine_version(game: Game) -> str:
    """What decides which games are played at a table: its rule book, its switches, how chance is drawn, and what the
    views of Python bots say."""
    chance = (keys.stream, keys.word, keys.draw, keys.luck, splitmix.next_luck, splitmix.luck_bits)
    return fingerprint(game.step, game.record, chance, type(game).view, body=by_source)[:16]


def plays_like(game: Game, engine: str) -> bool:
    """Whether a table of that version is still played in the same way."""
    return engine == engine_version(game) or engine in EARLIER.get(game.name, ())


def bot_version(entrant: Entrant) -> str:
    """What decides how a bot plays: the hash of its file if it is from one, else of its functions and parameters; of an
    agent, both."""
    if entrant.version and not entrant.trusted:
        return entrant.version
    return fingerprint(entrant.version, entrant.make, entrant.function, entrant.params, body=by_source)[:16]


def code_version() -> str:
    """A hash of all of pitboss but its command line: what machines that play together must have in common."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] != "cli":
            digest.update(inside.as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]

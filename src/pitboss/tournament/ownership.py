"""What a bot may own of the disk: never the files of another bot, of a tournament, or of its results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.core.errors import BotError, PitbossError

if TYPE_CHECKING:
    from pitboss.tournament.contestant import Contestant

MOST_SOURCE = 1 << 24  # bytes of a file or a folder
MOST_FILES = 1000
MOST_FOUND = 10 * MOST_FILES  # where counting ends: it is too much anyway
DATABASE = b"SQLite format 3\0"  # how a file of SQLite begins
JOURNALS = ("-wal", "-shm", "-journal")  # what the files beside it are called


def files_in(folder: str) -> list[Path]:
    """The files of a folder that a bot owns: what its version is a hash of, and all that it may read there.

    So not what Python compiled them to. It comes and goes, and could be something else than what was entered. Nor
    what is hidden (`.git`, `.env`, `.DS_Store`): others put it there, and it can hold secrets.
    """
    top = Path(folder)
    found = (path for path in top.rglob("*") if not any(map(_left_out, path.relative_to(top).parts)))
    return sorted(path for path in islice(found, MOST_FOUND) if path.is_file() and not path.is_symlink())


def _left_out(part: str) -> bool:
    return part == "__pycache__" or part.startswith(".")


def verify_source(bot: Contestant, files: Sequence[Path]) -> None:
    """Refuse a bot that is too much to keep, or that holds a database, which could be a store with the keys of games.

    An author can write numbers of their own to any other kind of file.
    """
    if bot.folder and (len(files) > MOST_FILES or sum(file.stat().st_size for file in files) > MOST_SOURCE):
        raise BotError(
            f"{bot.folder} holds more than {MOST_SOURCE >> 20} MB or {MOST_FILES} files; "
            "a bot has its folder for itself"
        )
    for file in files:
        if file.name.endswith(JOURNALS) or _begins(file) == DATABASE:
            whose = f"{bot.folder} belongs to the bot, and holds {file.name}," if bot.folder else f"{file} is"
            raise BotError(
                f"{whose} a database; it could tell the cards of a tournament, so move it somewhere else, "
                "or keep what the bot needs of it in another kind of file"
            )


def _begins(file: Path) -> bytes:
    with file.open("rb") as content:
        return content.read(len(DATABASE))


def verify_apart(bots: Sequence[Contestant], private: Iterable[Path] = ()) -> None:
    """Refuse bots of which one owns a folder that holds another, or something private, which it could then read."""
    for owner in bots:
        for place in private:
            if owner.folder and place.resolve().is_relative_to(owner.folder):
                raise PitbossError(
                    f"{owner.text} owns the folder {owner.folder}, and could read {place} there; keep that "
                    "somewhere else, or give the bot a folder of its own"
                )
            if place.resolve() in map(Path.resolve, owner.files):
                raise PitbossError(f"{owner.text} could read {place}; keep that somewhere else")
        for other in bots:
            inside = owner.folder and other.path and Path(other.path).is_relative_to(owner.folder)
            if inside and other.path != owner.path:
                raise PitbossError(
                    f"{owner.text} owns the folder {owner.folder}, and could read {other.text} there; "
                    f"move one of them, or enter {Path(owner.path).name} as a file, by its own path"
                )

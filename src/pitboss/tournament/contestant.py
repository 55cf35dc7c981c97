"""A bot of a tournament: where it comes from, what it owns of the disk, and which version of it this is."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tarfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError
from pitboss.core.game import Game
from pitboss.core.registry import bot as find_bot
from pitboss.core.types import Data
from pitboss.sandbox.readable import SYSTEM, within
from pitboss.sandbox.supervisor import Source
from pitboss.tournament.ownership import files_in
from pitboss.tournament.ownership import verify_source as verify_files


@dataclass(frozen=True)
class Contestant:
    """One bot of a tournament."""

    name: str  # as shown, unique
    text: str  # as entered
    kind: str  # "built-in", "python", "command", or "class": the caller's own
    version: str = ""  # 16 hexadecimal digits of a hash of what it is made of
    path: str = ""  # of the file
    call: str = ""  # what in it: Careful(limit=30)
    argv: tuple[str, ...] = ()  # of a command
    folder: str = ""  # that it owns, if one was entered
    made: Any = field(default=None, compare=False, repr=False)  # the caller's own class

    def to_dict(self) -> Data:
        """For JSON."""
        return {name: value for name, value in asdict(replace(self, made=None)).items() if name != "made"}

    @classmethod
    def from_dict(cls, data: Data) -> Contestant:
        """What `to_dict` wrote down. Where it says nothing of folders, a file called bot owned the one it lies in."""
        path = Path(data["path"])
        before = str(path.parent) if path.stem == "bot" else ""
        return cls(**{"folder": before, **data, "argv": tuple(data["argv"])})

    @property
    def place(self) -> tuple[str, ...]:
        """Where it comes from: the same for all versions of a bot."""
        return (self.path, self.call, *self.argv) if self.path else (self.text,)

    def plays_like(self, other: Contestant) -> bool:
        """Whether it is the same bot, however it is written; once, the versions of built-in bots were not kept."""
        return self.place == other.place and (self.version == other.version or (self.inside and not other.version))

    @property
    def inside(self) -> bool:
        """Whether it runs in the referee's own process."""
        return self.kind in ("built-in", "class")

    @property
    def files(self) -> list[Path]:
        """The files that are its own: what its version is a hash of."""
        if not self.path:
            return []
        own = files_in(self.folder) if self.folder else [Path(self.path)]
        return [*own, *(file for file in map(Path, _files_of(self.argv)) if file not in own)]

    @property
    def readable(self) -> list[str]:
        """What of the disk it may read, besides what every bot may, and the files of its folder."""
        return [self.path, *_of_program(self.argv)] if self.path else _of_program(self.argv)

    @property
    def sandboxed(self) -> Source:
        """What of it goes into a sandbox."""
        own = tuple(map(str, self.files))
        return Source(self.path, self.call, own, self.folder, self.argv, tuple(self.readable))

    def source(self) -> bytes | None:
        """Its file, or its folder as a tar archive; None for what is not read from a file."""
        if not self.path:
            return None
        if not self.folder:
            return Path(self.path).read_bytes()
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as tar:
            for file in files_in(self.folder):
                tar.add(file, file.relative_to(self.folder))
        return out.getvalue()

    def as_entered(self, source: bytes | None, folder: Path) -> Contestant:
        """The bot as it was entered: itself if its file still is what it was, otherwise its kept source in a folder."""
        try:
            self.verify_source()
        except BotError:
            if self.kind != "python" or source is None:
                raise
            self._verify_kept(source)
            folder.mkdir()
            if not self.folder:
                path = folder / Path(self.path).name
                path.write_bytes(source)
                return replace(self, path=str(path))
            with tarfile.open(fileobj=io.BytesIO(source)) as tar:
                tar.extractall(folder, filter="data")
            found = replace(self, path=str(folder / Path(self.path).name), folder=str(folder))
            return replace(found, version=version_of(found))  # before, what is hidden was kept and counted, too
        return self

    def _verify_kept(self, source: bytes) -> None:
        """Refuse a kept source that is not what was entered."""
        try:
            if not self.folder:
                found = _digest([("", source)])
            else:
                with tarfile.open(fileobj=io.BytesIO(source)) as tar:
                    members = [(member.name, tar.extractfile(member)) for member in tar if member.isfile()]
                    found = _digest([(name, file.read()) for name, file in members if file])
        except (tarfile.TarError, EOFError, ValueError, TypeError):
            found = ""
        if found != self.version:
            raise BotError(
                f"{self.name} cannot play: its file has changed since it was entered, and the copy of it that was "
                f"kept is damaged; put {self.path} back as it was"
            )

    def verify_source(self) -> None:
        """Refuse to play if the source is not what was entered."""
        if self.kind == "class" and self.made is None:
            raise BotError(
                f"{self.name} was a class of the program that entered it; continue there, or enter it from a file"
            )
        if self.path and not Path(self.path).is_file():
            raise BotError(f"{self.name} cannot play: there is no file {self.path} any more")
        if self.path and self.version != version_of(self):
            raise BotError(
                f"{self.name} cannot play: {self.path} has changed since it was entered; "
                f"put it back, or enter it again as a new version"
            )


def _files_of(argv: Sequence[str]) -> list[str]:
    """The files of a command: those that it is given, and the program, if it is not the system's or Python."""
    given = [word for word in argv[1:] if Path(word).is_absolute() and Path(word).is_file()]
    common = not argv or argv[0] == sys.executable or within(argv[0], SYSTEM)
    return given if common else [argv[0], *given]


def _of_program(argv: Sequence[str]) -> list[str]:
    """What a program reads of its own: itself, files it was given, and the libraries beside it."""
    if not argv:
        return []
    out = [word for word in argv if Path(word).is_absolute() and Path(word).is_file()]
    for place in (Path(argv[0]), Path(argv[0]).resolve()):
        out.append(str(place))
        if place.parent.name == "bin":
            out += [str(place.parent.parent / name) for name in ("lib", "lib64", "pyvenv.cfg")]
    return out


def version_of(contestant: Contestant) -> str:
    """16 hexadecimal digits of a hash of what a bot is made of."""
    try:
        return _hash(contestant) if contestant.path else contestant.version
    except OSError as problem:
        raise BotError(f"{problem.filename} cannot be read: {problem.strerror}") from problem


def _hash(contestant: Contestant) -> str:
    files = contestant.files
    verify_files(contestant, files)
    if files == [Path(contestant.path)]:
        return _digest([("", files[0].read_bytes())])
    inside = [contestant.folder] if contestant.folder else []
    named = (
        file.relative_to(contestant.folder).as_posix() if within(str(file), inside) else file.name for file in files
    )
    return _digest((name, file.read_bytes()) for name, file in zip(named, files, strict=True))


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    """What tells one state of some files from another; one file without a name is only what is in it."""
    digest = hashlib.sha256()
    for name, data in files:
        digest.update(os.fsencode(f"{name}\0{len(data)}\0") + data if name else data)  # a name need not be text
    return digest.hexdigest()[:16]


def entrant_of(contestant: Contestant, game: Game) -> Entrant:
    """The bot for a table: the bot itself if it runs inside, otherwise a name for somebody who is asked outside."""
    if not contestant.inside:
        return Entrant(contestant.name, version=contestant.version)
    made = find_bot(contestant.text if contestant.made is None else contestant.made, game)
    return replace(made, name=contestant.name)

"""Who takes part: bots by name, from files and folders, in any language.

    stay-25                          a built-in bot
    bots/mine.py:Careful(limit=30)   a class (or a compiled bot) of a file
    bots/mine.py                     the same, if the file has just one
    bots/                            every bot of every file in a folder, and every subfolder with a bot.py
    cmd:./mybot --fast               a program that speaks the JSON-lines protocol

Nothing of a bot's file is run in this process: what a file holds is found out by the referee.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shlex
import shutil
import sys
import tarfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.arena.referee.sandbox import SYSTEM, within
from pitboss.table.bot import Entrant, split_bots
from pitboss.table.errors import BotError, PitbossError, unknown
from pitboss.table.game import Game
from pitboss.table.registry import Lineup
from pitboss.table.registry import bot as find_bot

if TYPE_CHECKING:
    from pitboss.arena.referee.seats import Referee

COMMAND = "cmd:"
FOLDER_BOT = "bot"  # a file of this name owns the folder it lies in
MOST_SOURCE = 1 << 24  # bytes of a file or a folder
MOST_FILES = 1000
MOST_FOUND = 10 * MOST_FILES  # where counting ends: it is too much anyway
MOST_BOTS = 20  # of one file in a folder
MOST_NAMED = 8  # files in one sentence
MOST_NAME = 60  # characters that are shown


@dataclass(frozen=True)
class Contestant:
    """One bot of a tournament."""

    name: str  # as shown, unique
    text: str  # as entered
    kind: str  # "built-in", "python", "command", or "class": the caller's own
    version: str = ""  # 16 hexadecimal digits of a hash of the source
    path: str = ""  # of the file
    call: str = ""  # what in it: Careful(limit=30)
    argv: tuple[str, ...] = ()  # of a command
    made: Any = field(default=None, compare=False, repr=False)  # the caller's own class

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: value for name, value in asdict(replace(self, made=None)).items() if name != "made"}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Contestant:
        """What `as_dict` wrote down."""
        return cls(**{**data, "argv": tuple(data["argv"])})

    @property
    def place(self) -> tuple[str, ...]:
        """Where it comes from: the same for all versions of a bot."""
        return (self.path, self.call, *self.argv) if self.path else (self.text,)

    @property
    def identity(self) -> tuple[str, ...]:
        """What makes it the same bot, however it is written."""
        return (*self.place, self.version)

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
    def folder(self) -> str:
        """The folder that it owns, or nothing."""
        return str(Path(self.path).parent) if self.path and Path(self.path).stem == FOLDER_BOT else ""

    @property
    def readable(self) -> list[str]:
        """What of the disk it may read, besides what every bot may, and the files of its folder."""
        return [self.path, *_of_program(self.argv)] if self.path else _of_program(self.argv)

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
            folder.mkdir()
            path = folder / Path(self.path).name
            if not self.folder:
                path.write_bytes(source)
            else:
                with tarfile.open(fileobj=io.BytesIO(source)) as tar:
                    tar.extractall(folder, filter="data")
            return replace(self, path=str(path))
        return self

    def verify_source(self) -> None:
        """Refuse to go on if the source is not what was entered."""
        if self.kind == "class" and self.made is None:
            raise BotError(
                f"{self.name} was a class of the program that entered it; go on there, or enter it from a file"
            )
        if self.path and not Path(self.path).is_file():
            raise BotError(f"{self.name} cannot play: there is no file {self.path} any more")
        if self.path and self.version != _version(self):
            raise BotError(
                f"{self.name} cannot play: {self.path} has changed since it was entered; "
                f"put it back, or enter it again as a new version"
            )


def files_in(folder: str) -> list[Path]:
    """The files of a folder that a bot owns: what its version is a hash of, and all that it may read there.

    So not what Python compiled them to. It comes and goes, and could be something else than what was entered.
    """
    found = (path for path in Path(folder).rglob("*") if "__pycache__" not in path.relative_to(folder).parts)
    return sorted(path for path in islice(found, MOST_FOUND) if path.is_file() and not path.is_symlink())


def contestants(texts: Lineup, game: Game, referee: Referee, left_out: list[str] | None = None) -> list[Contestant]:
    """Everybody whom these texts name, under names that differ.

    Files of a folder that cannot be entered are left out; a sentence about each is added to `left_out`.

    >>> from pitboss import load
    >>> from pitboss.arena.referee.seats import Referee
    >>> game = load("flip7:tournament")
    >>> with Referee(game) as referee:
    ...     [c.name for c in contestants("ev,stay-25,ev", game, referee)]
    ['ev', 'stay-25', 'ev#2']
    """
    found: list[Contestant] = []
    for text in split_bots(texts) if isinstance(texts, str) else texts:
        found += _enter(text, game, referee, [] if left_out is None else left_out)
    verify_apart(found)
    return _unique([replace(c, name=_short(c.name), version=_version(c)) for c in found])


def _enter(text: Any, game: Game, referee: Referee, left_out: list[str]) -> list[Contestant]:
    if not isinstance(text, str):
        entrant = find_bot(text, game)
        return [Contestant(entrant.name, entrant.name, "class", entrant.version, made=text)]
    text = text.strip()
    if text.startswith(COMMAND):
        return [_command(text)]
    if ".py" not in text and (text.endswith(os.sep) or Path(text).is_dir()):
        return _in_folder(text, game, referee, left_out)
    if ".py" not in text:
        return [Contestant(text, text, "built-in", find_bot(text, game).version)]
    parts = re.fullmatch(r"(.+\.py)(?::(\w+(?:\(.*\))?))?", text)
    if not parts:
        raise BotError(f"{text!r} is not of the form path/to/file.py:MyBot")
    path = Path(parts[1])
    if not path.exists():
        raise BotError(f"there is no bot file {path}")
    wrong = _unfit(path)
    if wrong:
        raise BotError(wrong)
    call, names = parts[2], referee.bots_in(path)
    if names == []:
        raise BotError(f"{path} has no bots: no subclass of {game.python_bot().__name__}, nothing @compiled_bot")
    if call is None:
        if names and len(names) > 1:
            raise BotError(f"{path} has {len(names)} bots; say which: {', '.join(f'{path}:{n}' for n in names)}")
        call = names[0] if names else ""
    elif names and call.partition("(")[0] not in names:
        raise BotError(unknown(f"bot in {path}:", call.partition("(")[0], names))
    found = _from_file(path, call, text)
    if "(" in call:  # its arguments come from whoever enters it, who is told at once what is wrong with them
        problem = referee.warm(replace(found, version=_version(found))).problem
        if problem:
            raise BotError(problem if found.path in problem else f"{text}: {problem}")
    return [found]


def _unfit(path: Path) -> str:
    """What is wrong with a file (and the folder that it owns) before it is imported; nothing if it is fit to be."""
    if not str(path).isprintable():  # also catches names that are not text at all
        return f"the file name {str(path)!r} cannot be shown; rename it"
    if not path.is_file():  # a pipe or a device would be read for ever
        return f"{path} is not a file"
    if path.stat().st_size > MOST_SOURCE:
        return f"{path} has more than {MOST_SOURCE >> 20} MB"
    try:
        _version(_from_file(path, "", ""))
    except BotError as problem:
        return str(problem)
    return ""


def _from_file(path: Path, call: str, text: str) -> Contestant:
    """A bot of a file; without `call`, one that could not be imported, as it will show in play."""
    return Contestant(call or _stem(path), text, "python", path=str(path.resolve()), call=call)


def _stem(path: Path) -> str:
    return path.resolve().parent.name if path.stem == FOLDER_BOT else path.stem


def _in_folder(text: str, game: Game, referee: Referee, left_out: list[str]) -> list[Contestant]:
    folder = Path(text)
    if not folder.is_dir():
        raise BotError(f"there is no folder {folder}")
    everything = sorted(p for p in folder.iterdir() if not p.name.startswith((".", "_", "test_")))
    files = [p for p in everything if p.suffix == ".py" and not p.is_dir()]
    folders = [p for p in everything if p.is_dir() and any(p.glob("*.py"))]
    own = folder / f"{FOLDER_BOT}.py"  # if it is there, whatever is no bot belongs to it
    out = []
    for path in [*files, *(p / own.name for p in folders)]:
        if path.is_symlink() or path.parent.is_symlink():
            wrong = f"{path} is a link"
        elif not path.exists():
            wrong = f"{path.parent} has no {own.name}, which a bot of several files begins with"
        else:
            wrong = _unfit(path)
        names = [] if wrong else referee.bots_in(path)
        if own in files and path != own and not names:
            continue
        if names == []:
            base = game.python_bot().__name__
            wrong = wrong or f"{path} has no bot of this game: no class in it inherits from {base}"
        elif names and len(names) > MOST_BOTS:
            wrong, names = f"{path} has {len(names)} bots, and {MOST_BOTS} are the most", []
        if wrong:
            left_out.append(wrong)
        out += [
            _from_file(path, name, f"{path}:{name}" if name else str(path))
            for name in ([""] if names is None else names)
        ]
    others = [p.name for p in everything if p.suffix != ".py" and p.is_file()]
    if others and own not in files:
        shown = ", ".join(name if name.isprintable() else ascii(name) for name in others[:MOST_NAMED])
        rest = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        left_out.append(f"what is no Python file in {folder}: {shown}{rest}")
    if not out:
        raise BotError(f"the folder {folder} has no bots: no file in it has a class or a compiled bot of this game")
    return out


def _command(text: str) -> Contestant:
    try:
        program, *rest = shlex.split(text.removeprefix(COMMAND))
    except ValueError:
        raise BotError(f"{text!r} names no program; write it as cmd:./mybot or cmd:'node mybot.js'") from None
    own = []
    if program in ("python", "python3"):
        program = sys.executable  # not some launcher that must start another process first
    elif os.sep in program:
        own.append(program)
        program = str(Path(program).absolute())
    else:
        program = shutil.which(program) or program
    if not os.access(program, os.X_OK) or not Path(program).is_file():
        raise BotError(f"{text}: there is no program {program} that could be run")
    files = [Path(word) for word in rest if Path(word).is_file()]
    argv = (program, *(str(Path(word).resolve()) if Path(word).is_file() else word for word in rest))
    main = files[0] if files else Path(own[0] if own else program)
    return Contestant(_stem(main), text, "command", path=str(main.resolve()), argv=argv)


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


def _version(contestant: Contestant) -> str:
    try:
        return _hash(contestant) if contestant.path else contestant.version
    except OSError as problem:
        raise BotError(f"{problem.filename} cannot be read: {problem.strerror}") from problem


def _hash(contestant: Contestant) -> str:
    digest = hashlib.sha256()
    files = contestant.files
    if files == [Path(contestant.path)]:
        digest.update(files[0].read_bytes())
        return digest.hexdigest()[:16]
    if contestant.folder and (len(files) > MOST_FILES or sum(file.stat().st_size for file in files) > MOST_SOURCE):
        raise BotError(
            f"{contestant.folder} holds more than {MOST_SOURCE >> 20} MB or {MOST_FILES} files; "
            "a bot called bot.py has its folder for itself"
        )
    for file in files:
        data = file.read_bytes()
        name = file.relative_to(contestant.folder).as_posix() if within(str(file), [contestant.folder]) else file.name
        digest.update(os.fsencode(f"{name}\0{len(data)}\0") + data)  # a name need not be text
    return digest.hexdigest()[:16]


def verify_apart(found: Sequence[Contestant]) -> None:
    """Refuse bots of which one owns a folder that holds another, whom it could then read."""
    for owner in found:
        for other in found:
            inside = owner.folder and other.path and Path(other.path).is_relative_to(owner.folder)
            if inside and other.path != owner.path:
                raise PitbossError(
                    f"{owner.text} owns the folder {owner.folder}, and could read {other.text} there; "
                    f"move one of them, or call the first file something other than {Path(owner.path).name}"
                )


def _short(name: str) -> str:
    return name if len(name) <= MOST_NAME else name[: MOST_NAME - 1] + "…"


def _unique(found: Sequence[Contestant]) -> list[Contestant]:
    """Names that differ: of bots from different files the file's name tells more than a number."""
    sharing = Counter(c.name for c in found)
    from_files = {name: len({c.path for c in found if c.name == name}) for name in sharing}
    taken: set[str] = set()
    out = []
    for c in found:
        name = c.name
        if sharing[name] > 1 and from_files[name] == sharing[name] and c.path:
            name = _short(_stem(Path(c.path)))
            if sum(other.path == c.path for other in found) > 1:
                name += f".{c.name}"
        base, n = name, 2
        while name in taken:
            name, n = f"{base}#{n}", n + 1
        taken.add(name)
        out.append(replace(c, name=name))
    return out


def entrant_of(contestant: Contestant, game: Game) -> Entrant:
    """The bot for a table: the bot itself if it runs inside, otherwise a name for somebody who is asked outside."""
    if not contestant.inside:
        return Entrant(contestant.name, version=contestant.version)
    made = find_bot(contestant.text if contestant.made is None else contestant.made, game)
    return replace(made, name=contestant.name)

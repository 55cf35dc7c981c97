"""What students handed in: for each of them one bot, or a sentence that says why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pitboss.core.errors import BotError, unknown
from pitboss.core.text import likeness, plain_name, printable
from pitboss.tournament.classroom.outline import Outline, read_outline
from pitboss.tournament.contestant import Contestant, version_of
from pitboss.tournament.entering import FOLDER_BOT, MOST_NAMED, unfit, without_call
from pitboss.tournament.ownership import files_in
from pitboss.tournament.referee.seats import Referee

IGNORED = (".", "_", "test_")


@dataclass(frozen=True)
class StudentFile:
    """What one student handed in: a file, or a folder of which the file is the beginning."""

    student: str
    path: Path
    in_folder: bool = False  # of the student's own
    owner: bool = False  # the folder is the bot's own

    @property
    def text(self) -> str:
        """Its file within the folder of all submissions, wherever that is: the same for all versions of a bot."""
        return f"{self.path.parent.name}/{self.path.name}" if self.in_folder else self.path.name


@dataclass(frozen=True)
class Entry:
    """A student's bot, and the outline of its source."""

    bot: Contestant
    outline: Outline | None


@dataclass(frozen=True)
class Refusal:
    """A submission that is not entered, and why."""

    student: str
    why: str


def submissions(folder: Path) -> list[StudentFile | Refusal]:
    """Everything in a folder that could be a student's bot, by name."""
    if not folder.is_dir():
        raise BotError(f"there is no folder {folder}; put the students' files there")
    found: dict[str, StudentFile | Refusal] = {}
    for path in sorted(path for path in folder.iterdir() if not path.name.startswith(IGNORED)):
        one = _submission(path)
        if one is None:
            continue
        like = likeness(one.student)
        if like in found:
            one = Refusal(one.student, f"there are two submissions called {one.student}; delete one of them")
        found[like] = one
    return list(found.values())


def _submission(path: Path) -> StudentFile | Refusal | None:
    student = plain_name(path.name if path.is_dir() else path.stem)
    if path.is_symlink():
        return Refusal(student, f"{printable(path.name)} is a link; put the file itself there")
    if not path.is_dir():
        return StudentFile(student, path) if path.suffix == ".py" else None
    files = [file for file in path.glob("*.py") if not file.name.startswith(IGNORED) and not file.is_symlink()]
    if path / FOLDER_BOT in files:
        return StudentFile(student, path / FOLDER_BOT, in_folder=True, owner=True)
    if len(files) == 1:
        return StudentFile(student, files[0], in_folder=True)
    many = f"{len(files)} Python files" if files else "no Python file"
    return Refusal(student, f"the folder has {many} and no {FOLDER_BOT}; call the file with the bot {FOLDER_BOT}")


def entries(
    found: Sequence[StudentFile | Refusal], chosen: Mapping[str, str], referee: Referee
) -> Iterator[Entry | Refusal]:
    """The bot of each submission, imported in a sandbox to see what it holds."""
    for one in found:
        yield one if isinstance(one, Refusal) else _entry(one, chosen.get(one.student), referee)


def _entry(one: StudentFile, chosen: str | None, referee: Referee) -> Entry | Refusal:
    wrong = unfit(one.path, one.owner)
    if wrong:
        return Refusal(one.student, told(wrong, one.path))
    bot = without_call(one.path, one.owner)
    own_files = files_in(bot.folder) if one.owner else [one.path]
    read = read_outline(b"\n".join(file.read_bytes() for file in own_files if file.suffix == ".py"))
    names = referee.bots_in(bot.sandboxed)
    if names is None:
        why = referee.template(replace(bot, version=version_of(bot))).problem
        return Refusal(one.student, told(why or "it was imported once and not again", one.path))
    base = referee.game.python_bot().__name__
    if not names:
        return Refusal(one.student, f"no class in {one.path.name} inherits from {base}")
    if chosen is not None and chosen not in names:
        return Refusal(one.student, unknown(f"bot in {one.path.name}:", chosen, names))
    helpers = read.bases if read else frozenset()
    own = [chosen] if chosen else [name for name in names if name not in helpers and not name.startswith("_")]
    if len(own) != 1:
        several = own or names
        shown = ", ".join(several[:MOST_NAMED]) + (", …" if len(several) > MOST_NAMED else "")
        key = one.student if re.fullmatch(r"[\w-]+", one.student, re.ASCII) else json.dumps(one.student)
        return Refusal(
            one.student,
            f"the file has {len(several)} bots ({shown}); "
            f'write {key} = "{several[0]}" under [choose] in class.toml, or ask for one bot',
        )
    made = replace(bot, name=one.student, text=one.text, call=own[0])
    return Entry(replace(made, version=version_of(made)), read)


def told(why: str, path: Path) -> str:
    """A sentence about a file without the folders that it lies in, which are nobody's business but the organiser's."""
    for place in (path, path.resolve()):
        why = why.replace(str(place), path.name).replace(f"{place.parent}/", "")
    return printable(why)

"""Who takes part: bots by name, from files and folders, in any language.

    stay-25                          a built-in bot
    bots/mine.py:Careful(limit=30)   a class (or a compiled bot) of a file
    bots/mine.py                     the same, if the file has just one
    bots/                            every bot of every file in a folder, and every subfolder with a bot.py
    bots/anna/                       a bot of several files: a folder with a bot.py, which is the bot's own
    bots/anna/:Careful(limit=30)     the same, with a class and its arguments
    cmd:./mybot --fast               a program that speaks the JSON-lines protocol
    cmd:node anna/                   the same, with a folder of its own

What a bot owns is its file. It owns a folder only if that was entered. Nothing of a bot's file is run in this
process: what a file holds is found out by the referee.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pitboss.core.bot import PLACE, split_bots
from pitboss.core.errors import BotError, unknown
from pitboss.core.game import Game
from pitboss.core.registry import Lineup
from pitboss.core.registry import bot as find_bot
from pitboss.core.text import printable
from pitboss.core.version import bot_version
from pitboss.tournament.contestant import Contestant, version_of
from pitboss.tournament.names import called_after, tell_apart
from pitboss.tournament.ownership import MOST_SOURCE, verify_apart
from pitboss.tournament.referee.seats import Referee

COMMAND = "cmd:"
FOLDER_BOT = "bot.py"  # what a bot of several files begins with
MOST_BOTS = 20  # of one file in a folder
MOST_NAMED = 8  # files in one sentence


def contestants(
    texts: Lineup | Sequence[Contestant],
    game: Game,
    referee: Referee,
    left_out: list[str] | None = None,
    private: Iterable[Path] = (),
) -> list[Contestant]:
    """Everybody whom these texts name, under names that differ.

    Files of a folder that cannot be entered are left out; a sentence about each is added to `left_out`. A bot that
    would own one of the files and folders that are private, or could read it, is refused.

    >>> from pitboss import load
    >>> from pitboss.tournament.referee.seats import Referee
    >>> game = load("flip7:tournament")
    >>> with Referee(game) as referee:
    ...     [c.name for c in contestants("ev,stay-25,ev", game, referee)]
    ['ev', 'stay-25', 'ev#2']
    """
    found: list[Contestant] = []
    for text in split_bots(texts) if isinstance(texts, str) else texts:
        found += _enter(text, game, referee, [] if left_out is None else left_out)
    verify_apart(found, private)
    return tell_apart([replace(c, version=version_of(c)) for c in found], game)


def _enter(text: Any, game: Game, referee: Referee, left_out: list[str]) -> list[Contestant]:
    if isinstance(text, Contestant):
        return [text]
    if not isinstance(text, str):
        entrant = find_bot(text, game)
        return [Contestant(entrant.name, entrant.name, "class", entrant.version, made=text)]
    text = text.strip()
    if text.startswith(COMMAND):
        return [_command(text)]
    if not text.endswith((os.sep, ".py")) and Path(text).is_dir():
        text += os.sep
    parts = PLACE.fullmatch(text)
    if parts and parts["path"].endswith(os.sep):
        if parts["call"] is None:
            return _in_folder(Path(text), game, referee, left_out)
        return [_in_file(Path(parts["path"], FOLDER_BOT), parts["call"], text, True, game, referee)]
    if parts:
        return [_in_file(Path(parts["path"]), parts["call"], text, False, game, referee)]
    if ".py" in text:
        raise BotError(f"{text!r} is not of the form path/to/file.py:MyBot")
    entrant = find_bot(text, game)
    return [Contestant(entrant.name, entrant.name, "built-in", bot_version(entrant))]


def _in_file(path: Path, call: str | None, text: str, owner: bool, game: Game, referee: Referee) -> Contestant:
    """The one bot that is meant, of a file; if it is an owner, the folder of the file is its own."""
    if not path.exists():
        raise BotError(f"there is no bot file {path}")
    wrong = unfit(path, owner)
    if wrong:
        raise BotError(wrong)
    names = referee.bots_in(without_call(path, owner).sandboxed)
    if names == []:
        raise BotError(f"{path} has no bots: no subclass of {game.python_bot().__name__}, nothing @compiled_bot")
    if call is None:
        if names and len(names) > 1:
            raise BotError(f"{path} has {len(names)} bots; say which: {', '.join(f'{path}:{n}' for n in names)}")
        call = names[0] if names else ""
    elif names and call.partition("(")[0] not in names:
        raise BotError(unknown(f"bot in {path}:", call.partition("(")[0], names))
    found = _from_file(path, call, text, owner)
    if "(" in call:  # its arguments come from whoever enters it, who is told at once what is wrong with them
        problem = referee.template(replace(found, version=version_of(found))).problem
        if problem:
            raise BotError(problem if found.path in problem else f"{text}: {problem}")
    return found


def unfit(path: Path, owner: bool) -> str:
    """What is wrong with a file (and the folder that it owns) before it is imported; nothing if it is fit to be."""
    if not str(path).isprintable():  # also catches names that are not text at all
        return f"the file name {printable(str(path))!r} cannot be shown; rename it"
    if not path.is_file():  # a pipe or a device would be read for ever
        return f"{path} is not a file"
    if path.stat().st_size > MOST_SOURCE:
        return f"{path} has more than {MOST_SOURCE >> 20} MB"
    try:
        version_of(without_call(path, owner))
    except BotError as problem:
        return str(problem)
    return ""


def without_call(path: Path, owner: bool) -> Contestant:
    """The only bot of a file, or one that cannot be imported, as it will show in play."""
    place = path.resolve()
    return Contestant(
        called_after(path), str(path), "python", path=str(place), folder=str(place.parent) if owner else ""
    )


def _from_file(path: Path, call: str, text: str, owner: bool) -> Contestant:
    """A bot of a file, by its name there if it has one."""
    bot = without_call(path, owner)
    return replace(bot, name=call or bot.name, text=text, call=call)


def _in_folder(folder: Path, game: Game, referee: Referee, left_out: list[str]) -> list[Contestant]:
    """Every bot of every file, and of every subfolder with a bot.py, which owns that subfolder.

    A folder that holds a bot.py itself is that bot's own, and whatever else is in it and is no bot belongs to it.
    """
    if not folder.is_dir():
        raise BotError(f"there is no folder {folder}")
    everything = sorted(p for p in folder.iterdir() if not p.name.startswith((".", "_", "test_")))
    files = [p for p in everything if p.suffix == ".py" and not p.is_dir()]
    folders = [p for p in everything if p.is_dir() and any(p.glob("*.py"))]
    own = folder / FOLDER_BOT
    out = []
    for path in [*files, *(p / FOLDER_BOT for p in folders)]:
        owner = path.name == FOLDER_BOT
        if path.is_symlink() or path.parent.is_symlink():
            wrong = f"{path} is a link"
        elif not path.exists():
            wrong = f"{path.parent} has no {FOLDER_BOT}, which a bot of several files begins with"
        else:
            wrong = unfit(path, owner)
        if wrong and path == own:  # the very bot that was meant
            raise BotError(wrong)
        names = [] if wrong else referee.bots_in(without_call(path, owner).sandboxed)
        if own in files and path != own and not names:
            continue
        if names == []:
            base = game.python_bot().__name__
            wrong = wrong or f"{path} has no bot of this game: no class in it inherits from {base}"
        elif names and len(names) > MOST_BOTS:
            wrong, names = f"{path} has {len(names)} bots, and {MOST_BOTS} are the most", []
        if wrong:
            left_out.append(printable(wrong))
        entered = f"{path.parent}{os.sep}" if owner else str(path)
        out += [
            _from_file(path, name, f"{entered}:{name}" if name else entered, owner)
            for name in ([""] if names is None else names)
        ]
    others = [p.name for p in everything if p.suffix != ".py" and p.is_file()]
    if others and own not in files:
        shown = ", ".join(others[:MOST_NAMED])
        rest = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        left_out.append(printable(f"what is no Python file in {folder}: {shown}{rest}"))
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
    folders = [Path(word) for word in rest if word.endswith(os.sep) and Path(word).is_dir()]
    if len(folders) > 1:
        raise BotError(f"{text}: a program owns one folder at most, and this one would own {len(folders)}")
    argv = (program, *(str(Path(word).resolve()) if Path(word) in (*files, *folders) else word for word in rest))
    main = files[0] if files else Path(own[0] if own else program)
    found = Contestant(called_after(main), text, "command", path=str(main.resolve()), argv=argv)
    if folders:
        found = replace(found, name=folders[0].resolve().name, folder=str(folders[0].resolve()))
    version_of(found)  # which says what is wrong with its files
    return found

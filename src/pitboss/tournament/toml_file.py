"""A tournament written down as a TOML file.

    game = "flip7:tournament"
    bots = ["stay-25", "ev", "bots/", "mine.py:Careful(limit=30)"]
    seats = 2
    best_of = 5
    blocks = 50
    time_limit = 0.2

Bots in files are looked for beside the TOML file.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path

from pitboss.core.bot import PLACE, split_bots
from pitboss.core.errors import PitbossError, unknown
from pitboss.core.types import Data
from pitboss.tournament.entering import COMMAND

KEYS: dict[str, tuple[type, ...]] = {
    "game": (str,), "bots": (list, str), "seats": (int,), "best_of": (int,), "blocks": (int, float, str),
    "games": (int, float, str),
    "format": (str,), "rounds": (int,), "seed": (int, str), "time_limit": (int, float), "start_limit": (int, float),
    "time_bank": (int, float), "memory": (int,), "strikes": (int,), "workers": (int,), "store": (str,), "id": (str,),
    "require_isolation": (bool,), "clock": (str,), "allow": (list, str),
}  # fmt: skip


KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    bool: "true or false",
    dict: "a table",
}


def read_cup(path: Path) -> Data:
    """The settings in a file, checked as far as one can without playing."""
    data = read_toml(path, KEYS)
    if "bots" in data:
        bots = data["bots"] if isinstance(data["bots"], list) else split_bots(data["bots"])
        data["bots"] = [beside(str(bot), path.parent) for bot in bots]
    return data


def read_toml(path: Path, keys: Mapping[str, tuple[type, ...]]) -> Data:
    """What a TOML file says, if it says nothing but these keys, each with a value of its kinds."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise PitbossError(f"cannot read {path}: {problem.strerror}") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise PitbossError(f"{path} is not TOML: {problem}") from problem
    for name, value in data.items():
        if name not in keys:
            raise PitbossError(f"{path}: {unknown('setting', name, keys)}")
        if not isinstance(value, keys[name]) or (isinstance(value, bool) and bool not in keys[name]):
            wanted = [KINDS[kind] for kind in keys[name] if kind is not int or float not in keys[name]]
            raise PitbossError(f"{path}: {name} must be {' or '.join(wanted)}, not {value!r}")
    if isinstance(data.get("allow"), list):
        data["allow"] = [str(name) for name in data["allow"]]
    return data


def beside(bot: str, folder: Path) -> str:
    """A bot's text with its files looked for in a folder."""
    if bot.startswith(COMMAND):
        try:
            words = shlex.split(bot.removeprefix(COMMAND))
        except ValueError:
            return bot  # to be refused where bots are entered
        here = [(i > 0 or "/" in word) and (folder / word).is_file() for i, word in enumerate(words)]
        found = (str(folder / word) if is_here else word for word, is_here in zip(words, here, strict=True))
        return COMMAND + shlex.join(found)
    if bot.endswith("/") or (folder / bot).is_dir():
        return f"{folder / bot}/"
    return str(folder / bot) if PLACE.fullmatch(bot) else bot

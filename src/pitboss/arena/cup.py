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

import re
import tomllib
from pathlib import Path
from typing import Any

from pitboss.table.errors import PitbossError, unknown

KEYS: dict[str, tuple[type, ...]] = {
    "game": (str,), "bots": (list, str), "seats": (int,), "best_of": (int,), "blocks": (int,), "games": (int,),
    "format": (str,), "rounds": (int,), "seed": (int, str), "time_limit": (int, float), "start_limit": (int, float),
    "time_bank": (int, float), "memory": (int,), "strikes": (int,), "workers": (int,), "store": (str,), "id": (str,),
    "require_isolation": (bool,),
}  # fmt: skip


def read_cup(path: Path) -> dict[str, Any]:
    """The settings in a file, checked as far as one can without playing."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise PitbossError(f"cannot read {path}: {problem.strerror}") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise PitbossError(f"{path} is not TOML: {problem}") from problem
    for name, value in data.items():
        if name not in KEYS:
            raise PitbossError(f"{path}: {unknown('setting', name, KEYS)}")
        if not isinstance(value, KEYS[name]) or (isinstance(value, bool) and bool not in KEYS[name]):
            kinds = {str: "a text", int: "a whole number", float: "a number", list: "a list", bool: "true or false"}
            raise PitbossError(f"{path}: {name} must be {kinds[KEYS[name][-1]]}, not {value!r}")
    if "bots" in data:
        from pitboss.table.bot import split_bots

        bots = data["bots"] if isinstance(data["bots"], list) else split_bots(data["bots"])
        data["bots"] = [_beside(str(bot), path.parent) for bot in bots]
    return data


def _beside(bot: str, folder: Path) -> str:
    """A bot's text with its file looked for in a folder."""
    found = re.match(r"(cmd:)?(?P<path>[^\s(]*(?:\.py|/)[^\s(:]*)", bot)
    if not found or Path(found["path"]).is_absolute() or folder == Path():
        return bot
    start, end = found.span("path")
    slash = "/" if found["path"].endswith("/") else ""
    return f"{bot[:start]}{folder / found['path']}{slash}{bot[end:]}"

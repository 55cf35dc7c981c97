"""The folder of a class: made by `pitboss class init`, read by `pitboss class run`.

class.toml        the settings, with the hidden opponents
handout/          for students: a README, a starter bot and its test
submissions/      what they hand in: anna.py, or a folder with a bot.py
class.db          all games that were played
results/public/   the leaderboard and a page for each student
results/organiser/  grades, Gradescope's files, and which bots are similar
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import cast

from pitboss.core.errors import PitbossError
from pitboss.core.files import write_whole
from pitboss.core.game import Game
from pitboss.core.registry import load
from pitboss.core.types import Data
from pitboss.tournament.settings import TournamentOptions, TournamentSettings
from pitboss.tournament.starter import Starter
from pitboss.tournament.toml_file import KEYS, beside, read_toml

OPTIONS = ("seats", "best_of", "games", "time_limit", "clock", "allow", "strikes", "require_isolation")
CLASS_KEYS: dict[str, tuple[type, ...]] = {
    "game": (str,), "title": (str,), "opponents": (list,), "points": (dict,), "choose": (dict,),
    **{name: KEYS[name] for name in OPTIONS},
}  # fmt: skip
POINTS = {"ready": 40, "opponents": 60}
MOST_SEATS = 4  # of the tables in a new class, if the game allows that many
GAMES = 6000  # that a new class plays

_TOML = """\
# How this class plays. `pitboss class run` reads this file; do not give it to students.
title = "{title}"
game = "{game}"

# Hidden opponents: built-in bots, or files such as "opponents/strong.py". Students see them as "opponent 1" and so on.
opponents = {opponents}

seats = {seats}           # at each table
games = {games:<6}      # for the whole class: every two bots meet, and all play equally often
time_limit = 0.1    # seconds of thinking for a decision
strikes = 3         # faults in a match that forfeit it
allow = []          # packages that bots may import besides NumPy

[points]            # for grades.csv and Gradescope
ready = {ready}          # for a bot that passes every check
opponents = {beaten}      # shared out over the opponents: a bot gets the part of those that it is placed before

[choose]            # where a file has several bots, the class that plays: anna = "Careful"
"""

_README = """\
# {title}

Write a bot for {game}. All bots of the class play against each other and against opponents that you do not know.

## What you have

- `{file}`: a bot to begin with. It plays legally, by luck. The comments say what it can see.
- `{test}`: its test. Run it with `python -m pytest {test}`.

## What to hand in

One file with **one** class that inherits from `{base}`, named after you: `anna.py`. If your bot needs more files, hand
in a folder with your name and a `bot.py`: `anna/bot.py`, `anna/table.txt`. Your bot can read that folder, and nothing
else.

A class that other classes of your file inherit from, or whose name begins with `_`, is a helper and does not play.

## Before you hand it in

```sh
{check}
```

Hand it in when this says "ready for a tournament". It also says what is wrong, and in which line.

- A decision may take {limit:g} seconds of processor time.
- You may use Python's standard library, NumPy and pitboss. Your bot runs in a sandbox: no network, no other files.
- Take random numbers from `self.rng`, so that a game can be repeated.
- Three faults (an exception, an illegal move, too much time) in a match lose it.

## Points

{ready} points for a bot that passes every check, and up to {beaten} for the opponents that it is placed before.

## The rules

{rules}
"""


@dataclass(frozen=True)
class ClassBox:
    """The folder of one class, with its settings."""

    folder: Path

    @property
    def submissions(self) -> Path:
        """Where students' files are put."""
        return self.folder / "submissions"

    @property
    def public(self) -> Path:
        """What may be given to everybody."""
        return self.folder / "results" / "public"

    @property
    def organiser(self) -> Path:
        """What is for the organiser alone."""
        return self.folder / "results" / "organiser"

    @property
    def store(self) -> str:
        """Where games are kept."""
        return str(self.folder / "class.db")

    @cached_property
    def data(self) -> Data:
        """What class.toml says."""
        path = self.folder / "class.toml"
        if not path.exists():
            raise PitbossError(
                f"{self.folder} is not the folder of a class: it has no class.toml; pitboss class init makes one"
            )
        data = read_toml(path, CLASS_KEYS)
        for name in data.get("points", {}):
            if name not in POINTS or not isinstance(data["points"][name], int | float):
                raise PitbossError(f"{path}: [points] has {' and '.join(POINTS)}, both numbers, and no {name!r}")
        return data

    @cached_property
    def game(self) -> Game:
        """What is played."""
        return load(self.data.get("game", "flip7:tournament"))

    @property
    def title(self) -> str:
        """What the class is called."""
        return str(self.data.get("title", self.folder.resolve().name))

    @property
    def opponents(self) -> list[str]:
        """The hidden opponents, as they are entered."""
        return [beside(str(bot), self.folder) for bot in self.data.get("opponents", [])]

    @property
    def points(self) -> dict[str, float]:
        """What there is to be had for what."""
        return {**POINTS, **self.data.get("points", {})}

    @property
    def choose(self) -> dict[str, str]:
        """Which class of a file plays, by student."""
        return {student: str(name) for student, name in self.data.get("choose", {}).items()}

    @property
    def options(self) -> TournamentOptions:
        """How the tournament is played."""
        given = {name: self.data[name] for name in OPTIONS if name in self.data}
        return cast(TournamentOptions, {"games": GAMES, **given})

    @property
    def settings(self) -> TournamentSettings:
        """The same, as it is written down with the tournament."""
        options = self.options
        options.pop("require_isolation", None)
        return TournamentSettings.of(self.game, options)


def init_class(folder: Path, spec: str = "flip7:tournament", games: int = GAMES) -> list[Path]:
    """Make the folder of a class; what was written. Nothing is overwritten."""
    game, title = load(spec), folder.resolve().name
    opponents = list(dict.fromkeys(game.default_bots()))
    possible = [n for n in game.rules.seats if n <= min(MOST_SEATS, len(opponents) + 1)]
    seats = possible[-1] if possible else game.rules.seats[0]
    starter = Starter(game, "my-bot")
    values = {
        "title": title.replace("\\", " ").replace('"', "'"), "game": str(game), "seats": seats, "games": games,
        "opponents": str(opponents).replace("'", '"'), "ready": POINTS["ready"], "beaten": POINTS["opponents"],
        "file": starter.file, "test": starter.test_file, "base": game.python_bot().__name__, "limit": 0.1,
        "check": f"pitboss check-bot {starter.file} --game '{game}' --time-limit 0.1",
        "rules": "\n".join(f"- {line}" for line in game.words()),
    }  # fmt: skip
    files = {
        folder / "class.toml": _TOML.format(**values),
        folder / "handout" / "README.md": _README.format(**values),
        folder / "handout" / starter.file: starter.bot_text(),
        folder / "handout" / starter.test_file: starter.test_text(),
        folder / "submissions" / ".keep": "",
    }
    for file in files:
        if file.exists():
            raise PitbossError(f"{file} exists already and is left as it is; choose another folder")
    for file, text in files.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise PitbossError(f"cannot make the folder {file.parent}: {problem.strerror}") from problem
        write_whole(file, text)
    return list(files)

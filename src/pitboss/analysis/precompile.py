"""Compile all that commands, environments and pages call of a game, before somebody waits for it.

From a source tree, the first command of a game compiles only what it needs itself. It then starts a process that
compiles the rest, at low priority, so that the next command finds its machine code (`in_background`). A wheel brings
all of it (`tools/prebuild.py`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from contextlib import suppress

from pitboss.analysis import analysis_of
from pitboss.core.bot import RandomBot
from pitboss.core.cache_folder import cache_folder
from pitboss.core.code_cache import COMPILING
from pitboss.core.errors import BotError
from pitboss.core.files import one_at_a_time
from pitboss.core.game import Game
from pitboss.core.launch import start
from pitboss.core.play import play
from pitboss.core.record import Record
from pitboss.core.registry import bots_of, games, load
from pitboss.run.batch import simulate
from pitboss.run.quick import is_ready, note_ready
from pitboss.run.tables import Tables

NICENESS = 15
ALL, COMMANDS = "all", ("simulate", "advise", "play")  # those that do not wait for it (`cli.early`)


def precompile(name: str) -> None:
    """Call once what is called of a game: compiled code is the same for all rule books with as many seats."""
    books = [load(f"{name}:{preset}") for preset in load(name).preset_about]
    for seats, game in {game.rules.seats[0]: game for game in books}.items():
        bots = [*dict.fromkeys([*game.default_bots(), *game.rivals(), *bots_of(game)])]
        record = play(game, bots[:1] * seats, 1)
        record.verify()
        form_opinion(game, record)
        simulate(game, [RandomBot] * seats, seats, 1)  # as bots in Python are played, in tournaments too
        tables = Tables(game, [None, *bots[:1] * (seats - 1)], 1)  # with the default encoding
        tables.reset(1)
        tables.step(tables.masks.argmax(axis=1))
        for text in bots:
            # Some need a number, and others like them are in the line-ups; some warn that their name is an old one.
            with suppress(BotError), warnings.catch_warnings(action="ignore"):
                simulate(game, [text] * seats, seats, 1, threads=1)


def form_opinion(game: Game, record: Record) -> None:
    """What the first decision of a game was worth."""
    for position, _, _ in record.replay():
        if position.to_act >= 0:
            analysis = analysis_of(game)
            analysis.opinion(position.view(position.to_act), chances=analysis.knows_chances)
            return


def games_in_use() -> list[str]:
    """The games that this process has loaded."""
    return [name for name, place in games().items() if place.partition(":")[0] in sys.modules]


def in_background() -> None:
    """If this process had to compile, start one that compiles the rest of the games it used."""
    used = games_in_use()
    if not used or not COMPILING.happened or os.environ.get("PITBOSS_QUIET"):
        return
    nowhere = subprocess.DEVNULL
    start(__name__, *used, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)


def compile_all(names: list[str]) -> None:
    """Compile these games, unless another process does or has."""
    for name in names:
        with one_at_a_time(cache_folder() / f"rest-{name}.lock"):
            if not is_ready(ALL, name):
                precompile(name)
                for command in (ALL, *COMMANDS):
                    note_ready(command, name)


if __name__ == "__main__":
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    compile_all(sys.argv[1:])

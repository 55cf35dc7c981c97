"""Compile each game before the first visitor would have to wait for it."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Callable

from pitboss.analysis.precompile import form_opinion
from pitboss.core.entry_points import split_spec
from pitboss.core.game import Game
from pitboss.core.play import play
from pitboss.core.registry import game_classes
from pitboss.web.startup import in_own_thread

log = logging.getLogger("pitboss.web")


def warm() -> None:
    """All games."""
    for kind in _all().values():
        _warm(kind)


def _all() -> dict[str, type[Game]]:
    return game_classes(lambda why: print(f"Left out: {why}", file=sys.stderr))


def _warm(kind: type[Game]) -> None:
    """Play one short game, and form one opinion about it."""
    game = kind.parse("")
    record = play(game, (game.default_bots() * game.rules.seats[0])[: max(game.rules.seats[0], 2)], seed=1)
    form_opinion(game, record)


class Warmup:
    """Which games are compiled. A room that does not `begin` takes all of them to be."""

    def __init__(self) -> None:
        self.compiling = ""  # the name of the game that is being compiled
        self._left: list[str] = []
        self._ready: dict[str, asyncio.Event] = {}

    async def begin(self, then: Callable[[], None]) -> None:
        """Compile one game after the other in the background, first those that somebody waits for."""
        kinds = _all()
        self._left, self._ready = list(kinds), {name: asyncio.Event() for name in kinds}
        while self._left:
            self.compiling = name = self._left.pop(0)
            try:
                await in_own_thread(lambda kind=kinds[name]: _warm(kind))  # type: ignore[misc]
            except Exception:  # whoever plays it is told
                log.exception("%s could not be compiled", name)
            self._ready[name].set()
        self.compiling = ""
        # The compiler's millions of objects stay; to look through them again and again would stop the room for
        # a quarter of a second each time.
        gc.collect()
        gc.freeze()
        then()

    async def of(self, spec: str) -> None:
        """Wait until the game of a spec is compiled; it is the next, if it is not."""
        name = split_spec(spec)[0]
        if name in self._left:
            self._left.remove(name)
            self._left.insert(0, name)
        if name in self._ready:
            await self._ready[name].wait()

"""Refuse bots that think too long: each is tried first, in a process that can be ended.

Some bots work out tables for the rules before they sit down, and some think as long as the number in their name says.
What costs too much is refused with a sentence, and tables that were worked out are kept on disk for the room.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from pitboss.core.errors import BotError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.registry import load
from pitboss.web.room.table import Place, RoomTable, SeatKind, TablePlan, verify_housed
from pitboss.web.worker_pool import TooCostly, WorkerPool

STEPS = 200  # of a game that is played to see how long a bot thinks
ENOUGH_SECONDS = 1.0  # of play that tell it as well
FEW = 4  # moves that tell nothing yet
MOST_KNOWN = 10_000


@dataclass(frozen=True)
class Bots:
    """Bots of one name at one table of bots."""

    spec: str
    name: str
    seats: int


def thinking(bots: Bots) -> float:
    """How long a bot thinks about a move, in seconds of a processor.

    It is nearly the longest of some moves, since once the bot may have to load something. The first one is left out.
    """
    table = RoomTable("tryout", TablePlan(bots.spec, (Place(SeatKind.BOT, bots.name),) * bots.seats, Key.parse("1")))
    until, times = time.monotonic() + ENOUGH_SECONDS, list[float]()
    for _ in range(STEPS):
        if table.over or (len(times) > FEW and time.monotonic() > until):
            break
        decides, began = table.position.to_act >= 0, time.thread_time()
        table.go()
        if decides:
            times.append(time.thread_time() - began)
    return sorted(times[1:])[-2] if len(times) > 2 else 0.0


class SpeedCheck:
    """Which bots have shown that they are quick enough."""

    def __init__(self, workers: WorkerPool, most_seconds: float) -> None:
        self._workers, self._most = workers, most_seconds
        self._known: dict[Bots, float] = {}

    async def verify(self, client: str, spec: str, names: Iterable[str], seats: int) -> None:
        """Refuse bots that would keep a table, or the room, waiting. Those that a game itself proposes are quick."""
        game = load(spec)
        game.verify_seats(seats)
        for name in dict.fromkeys(names):
            if name not in game.default_bots():
                await self._verify(client, game, name, seats)

    async def _verify(self, client: str, game: Game, name: str, seats: int) -> None:
        verify_housed(name)
        bots = Bots(str(game), name, seats)
        if bots not in self._known:
            try:
                seconds = await self._workers.ask(client, f"{name} {game} {seats}", partial(thinking, bots))
            except TooCostly as problem:
                raise BotError(f"the bot {name} cannot sit at {game} here: preparing it takes {problem}") from problem
            self._known[bots] = seconds
            while len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]
        if self._known[bots] > self._most:
            raise BotError(
                f"the bot {name} thinks for {self._known[bots]:.1f} seconds about a move, and {self._most:g} are the "
                "most for visitors; a smaller number after its name is quicker"
            )

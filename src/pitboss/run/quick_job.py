"""How a simulation is played that does without Numba (`quick`)."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from pitboss.core.bot import Entrant
from pitboss.core.compile import NeedsCompiler
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.native import SEATING, call
from pitboss.core.step import FINE
from pitboss.core.types import Array
from pitboss.run.quick import unpacked


class QuickJob:
    """Plays chunks of blocks with machine code from a kit."""

    def __init__(self, game: Game, entrants: Sequence[Entrant], key: Key, rotations: int) -> None:
        kit, code = unpacked()
        if len(kit.bots) != len(entrants):
            raise NeedsCompiler
        self._game, self._entrants, self._rotations = game, entrants, rotations
        self._loop, *bots = code.addresses
        self._key = key.words
        self._seating = np.zeros(len(entrants), SEATING)
        for seat, (address, entrant) in enumerate(zip(bots, entrants, strict=True)):
            self._seating[seat] = address, entrant.params.ctypes.data, len(entrant.params), entrant.trusted
        self._own = threading.local()

    def rows(self, first: int, count: int) -> tuple[Array, Array]:
        game, own = self._game, self._own
        rows = np.zeros((count, self._rotations, len(self._entrants), game.width))
        counts = np.zeros(3, np.int64)
        if not hasattr(own, "states"):
            own.states, own.views = np.zeros(1, game.state_dtype), np.zeros(1, game.view_dtype)
        table, span = (own.states, own.views, game.record), (first, self._rotations)
        if call(self._loop, table, self._seating, self._key, span, rows, counts) != FINE:
            raise NeedsCompiler  # to say who made an illegal move
        return rows, counts

    def warm_up(self) -> None:
        """It is warm."""

"""Games that are over, ready to be looked at: the newest of them are kept in memory."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any

from fastapi import Request

from pitboss.core.errors import PitbossError
from pitboss.core.game import Position
from pitboss.core.record import Record
from pitboss.core.types import Data
from pitboss.render import replay as shared
from pitboss.web.errors import conflict, not_found
from pitboss.web.hints import Made
from pitboss.web.room.room import Room, in_thread

KEPT = 32  # games
KEPT_STEPS = 20_000  # of all of them together, or the newest alone


@dataclass(frozen=True)
class PlayedGame:
    """A game: what the player wants, and the position before each step."""

    record: Record
    data: Data
    before: list[Position]
    told: dict[int, Any] = field(default_factory=dict)  # of its story, by step

    @cached_property
    def decisions(self) -> list[Made]:
        """The players' decisions, in order."""
        decided = [(n + 1, position) for n, position in enumerate(self.before) if position.to_act >= 0]
        return [Made(step, position, move) for (step, position), move in zip(decided, self.record.moves, strict=True)]

    def decision(self, step: int) -> Made:
        """The decision that led to a step."""
        if step >= len(self.before):
            raise not_found(f"the game has {len(self.before) - 1} steps")
        if self.before[step - 1].to_act < 0:
            raise conflict(f"at step {step} nobody decided")
        return next(made for made in self.decisions if made.step == step)


class Shelf:
    """The games that were looked at last."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._games: OrderedDict[str, PlayedGame] = OrderedDict()
        self._lock = Lock()

    def get(self, id: str) -> PlayedGame:
        """A game by its id; slow work, for a thread."""
        with self._lock:
            if id in self._games:
                self._games.move_to_end(id)
                return self._games[id]
        record = find(self._room, id)
        before = [position.copy() for position, _, _ in record.replay()]
        played = PlayedGame(record, shared.data(record), before)
        with self._lock:
            self._games[id] = played
            while len(self._games) > 1 and (len(self._games) > KEPT or self._steps() > KEPT_STEPS):
                self._games.popitem(last=False)
        return played

    def _steps(self) -> int:
        return sum(len(played.before) for played in self._games.values())


def find(room: Room, id: str) -> Record:
    """The record of a game that is over."""
    tournament, slash, number = id.partition("/")
    if slash:
        try:
            return room.keeper.store.record(room.keeper.store.tournament(tournament).id, int(number))
        except PitbossError as problem:
            raise not_found(str(problem)) from problem
    record = room.keeper.record(id)
    if record is None:
        raise not_found("there is no such game, or it is not over yet")
    return record


async def get_played(request: Request, room: Room, client: str, id: str) -> PlayedGame:
    """A game from the shelf; to put it there may take a while."""
    shelf: Shelf = request.app.state.shelf
    async with room.reading.of(client):
        return await in_thread(lambda: shelf.get(id))

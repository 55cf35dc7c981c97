"""What one seat sees, may do and has earned: the environments' one question to a position, and how they ask it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from pitboss.core.compile import compiled
from pitboss.core.errors import PitbossError
from pitboss.core.game import Game, Position
from pitboss.core.learning import Encoding
from pitboss.core.legal import asking
from pitboss.core.step import Step
from pitboss.core.types import Array, RulesRecord, StateRecord, ViewRecord
from pitboss.run.tables import index

RENDER_MODES = ["ansi", "rgb_array"]


@dataclass(frozen=True)
class SeatSettings:
    """How an environment treats its agent. Every setting can be left out.

    - `seat`: where the agent sits; None: it takes the seats in turn, game by game
    - `observation`, `reward`, `episode`: names that the game has for what is seen, paid, and how long an episode is;
      an episode shorter than a game goes on with the same game when it is reset
    - `penalty`: what an illegal action is paid, and then nothing happens; None: it raises IllegalMove
    - `render_mode`: `ansi` or `rgb_array`
    """

    seat: int | None = None
    observation: str | None = None
    reward: str | None = None
    episode: str | None = None
    penalty: float | None = -1.0
    render_mode: str | None = None

    def observer(self, game: Game, seats: int) -> SeatObserver:
        """What shows the agent its table, if these settings make sense there."""
        if self.seat is not None and not 0 <= self.seat < seats:
            raise PitbossError(f"there is no seat {self.seat} at a table of {seats}; seats are counted from 0")
        verify_render_mode(self.render_mode, RENDER_MODES)
        return SeatObserver(game, seats, self.observation, self.reward, self.episode)


def verify_render_mode(mode: str | None, modes: list[str]) -> None:
    """Refuse a mode that there is not."""
    if mode not in (None, *modes):
        raise PitbossError(f"render_mode={mode!r} is not possible; it is one of {', '.join(modes)}")


class Actions(spaces.Discrete):
    """Actions by number. Without a mask, `sample` keeps to those that are legal in the environment now."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.now = np.ones(n, np.int8)

    def sample(self, mask: Array | None = None, probability: Any = None) -> Any:
        if mask is None and probability is None and self.now.any():
            mask = self.now
        return super().sample(mask, probability)


class ManyActions(spaces.MultiDiscrete):
    """An action for each of many environments. Without a mask, `sample` keeps to those that are legal now."""

    def __init__(self, count: int, n: int) -> None:
        super().__init__(np.full(count, n))
        self.now = np.ones((count, n), np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        so_far = np.cumsum(self.now, axis=1, dtype=np.int64)
        chosen = (self.np_random.random(len(so_far)) * so_far[:, -1]).astype(np.int64)
        return (so_far > chosen[:, None]).argmax(axis=1).astype(self.dtype)


class _Seen(NamedTuple):
    """What a look at a position writes."""

    row: Array
    mask: Array
    facts: Array  # what the seat has earned so far, and which part of the game it is


class SeatObserver:
    """How the seats of a table with so many seats are shown what they see."""

    def __init__(
        self, game: Game, seats: int, observation: str | None, reward: str | None, episode: str | None
    ) -> None:
        game.verify_seats(seats)
        learning = game.learning
        names = tuple(learning.encodings)
        self.game, self.seats, self.name = game, seats, names[index("observation", observation, names)]
        self.encoding: Encoding = learning.encodings[self.name]
        self._reward = index("reward", reward, learning.rewards)
        self._episode = index("episode", episode, learning.episodes)
        self._made = game, seats, observation, reward, episode
        self._look = _looker(game.step, self.encoding.write, learning.move_of, learning.worth, learning.part)
        self.actions = learning.actions(game.rules, seats)
        self.size = self.encoding.size(game.rules, seats)

    def __reduce__(self) -> Any:
        return SeatObserver, self._made

    def space(self) -> spaces.Box:
        """The limits of what is seen."""
        low, high = self.encoding.bounds(self.game.rules, self.seats)
        return spaces.Box(low, high, dtype=self.encoding.dtype)

    def move(self, action: int, seat: int) -> int:
        """The move that a seat's action stands for."""
        return int(self.game.learning.move_of(action, self.seats, seat))

    def __call__(self, position: Position, seat: int) -> tuple[Array, Array, float, int]:
        """The seat's observation and mask, what it has earned so far, and which part of the game it is."""
        seen = _Seen(np.zeros(self.size, self.encoding.dtype), np.zeros(self.actions, np.int8), np.zeros(2))
        asked = (seat, self._reward, self._episode)
        self._look(position.states, position.views, self.game.record, asked, seen)
        return seen.row, seen.mask, float(seen.facts[0]), int(seen.facts[1])


@cache
def _looker(
    step: Step,
    write: Callable[[ViewRecord, RulesRecord, int, Array], None],
    move_of: Callable[[int, int, int], int],
    worth: Callable[[StateRecord, RulesRecord, int, int], float],
    part: Callable[[StateRecord, int], int],
) -> Callable[..., None]:
    observe = step.observe
    look_up, has, *_ = asking(step.legal, step.moves)

    def look(states: Array, views: Array, rules: RulesRecord, asked: tuple[int, int, int], seen: _Seen) -> None:
        s, r = states[0], rules[0]
        seat, reward, episode = asked
        row, mask, facts = seen
        write(observe(s, r, seat, views[0]), r, seat, row)
        deciding = int(s["to_act"]) == seat
        legal = look_up(s, r)
        for action in range(len(mask)):
            mask[action] = deciding and has(legal, s, r, move_of(action, int(s["seats"]), seat))
        facts[0] = worth(s, r, seat, reward)
        facts[1] = part(s, episode)

    return compiled(look, inline=False)

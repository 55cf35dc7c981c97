"""One seat of any game as a Gymnasium environment; bots take the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError, IllegalMove, PitbossError
from pitboss.core.game import Game, Position
from pitboss.core.keys import Key
from pitboss.core.loop import ILLEGAL
from pitboss.core.play import Seats
from pitboss.core.registry import Lineup, line_up, load
from pitboss.core.step import FAULT, OVER
from pitboss.core.types import Array, Data
from pitboss.envs.draw import picture, text
from pitboss.envs.observation import RENDER_MODES, Actions, SeatSettings

NO_LOG = np.zeros(0, np.int16)


Opponents = Lineup | Sequence[Lineup] | None


class SeatEnv(gym.Env[Array, np.int64]):
    """One learning seat against named bots, under any rules.

    - `game`: a table, such as `"flip7:tournament(target=100)"`
    - `opponents`: the bots at the other seats, clockwise from the agent, such as `"ev*2,my_bot.py:Mine"`; or a list
      of such lists, which take turns, game by game: `[["ev", "ev"], ["random", "stay-25"]]`
    - the settings are those of `SeatSettings`: `seat`, `observation`, `reward`, `episode`, `penalty`, `render_mode`

    `reset(seed=…)` decides all that follows, over any number of episodes. `info["action_mask"]` and `action_masks()`
    say what is legal (all actions, once a game is over); `info["seat"]` where the agent sits and `info["deal"]` the
    number of the game.

    >>> env = SeatEnv("flip7:solo", reward="points")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].tolist()
    ((40,), [1, 1])
    """

    metadata: ClassVar[Data] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(self, game: str | Game, opponents: Opponents = None, **settings: Any) -> None:
        self.game, self._settings = load(game), SeatSettings(**settings)
        self.render_mode = self._settings.render_mode
        lineups = [[Entrant("agent"), *bots] for bots in opponents_of(self.game, opponents)]
        seats = len(lineups[0])
        self._look = self._settings.observer(self.game, seats)
        self._tables = [[Seats(self.game, rotated(players, j)) for j in range(seats)] for players in lineups]
        if any(tables[0].tells_events for tables in self._tables):
            raise BotError("an opponent wants to be told what happens (it defines saw), which no environment does")
        self._position = Position(self.game)
        self._key: Key | None = None
        self._deal, self._over = -1, False
        self.observation_space = self._look.space()
        self.action_space: Actions = Actions(self._look.actions)

    def reset(self, *, seed: int | None = None, options: Data | None = None) -> tuple[Array, Data]:
        """Begin an episode; with a seed, the first of a series that the seed decides."""
        seed = None if seed is None else index(seed)
        super().reset(seed=seed)
        if seed is not None or self._key is None:
            self._key = Key.of(seed, quick=True)
            self._deal = -1
            self._new_game()
        elif not self._over or self._position.over:
            self._new_game()
        self._over = False
        row = self._see()
        self._begun = self._part
        return row, self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, Data]:
        """Take an action; chance and bots then play up to the agent's next decision."""
        if self._key is None or self._over:
            raise PitbossError("no episode is going on; call reset first")
        if not (0 <= action < self._look.actions and self.action_space.now[action]):
            if self._settings.penalty is None:
                legal = f"{np.flatnonzero(self.action_space.now).tolist()} ({self._position.legal})"
                raise IllegalMove(f"action {action} is not legal now; legal: {legal}")
            return self._see(), self._settings.penalty, False, False, self._info()
        before = self._worth
        self._advance(self._look.move(int(action), self._seat))
        row = self._see()
        self._over = self._position.over or self._part != self._begun
        cut = self._position.over and self._position.cut
        return row, self._worth - before, self._over and not cut, cut, self._info()

    def action_masks(self) -> Array:
        """Which actions are legal, as sb3-contrib asks for it."""
        return self.action_space.now.astype(np.bool_)

    def render(self) -> Any:
        """The table as the agent sees it: text, or a picture."""
        if self.render_mode is None:
            raise PitbossError("nothing can be rendered; make the environment with render_mode='ansi' or 'rgb_array'")
        names = [entrant.name for entrant in self._seats.entrants]
        scene = self.game.scene(self._position.view(self._seat), names)
        return text(scene) if self.render_mode == "ansi" else picture(scene)

    def _new_game(self) -> None:
        """The next deal in which the agent has something to decide, up to there."""
        assert self._key is not None
        while True:
            self._deal += 1
            self._seat = self._deal % self._look.seats if self._settings.seat is None else self._settings.seat
            self._seats = self._tables[self._deal % len(self._tables)][self._seat]
            self._seats.start(self._key, self._deal, self._seat)
            self._desk = self._seats.desk(self._position, NO_LOG)
            self.game.loops.start(self._position.states, self.game.record, self._look.seats, None)
            self._advance(FAULT)  # not looked at: no decision is open yet
            if not self._position.over:
                return

    def _advance(self, move: int) -> None:
        position, seats = self._position, self._seats
        while True:
            seat = self.game.loops.advance(self._desk.place, move)
            if seat in (OVER, self._seat):
                return
            if seat == ILLEGAL:
                entrant = seats.entrants[position.to_act]
                answer = move if entrant.make else seats.call(entrant, position, position.to_act)
                raise seats.illegal(position, position.to_act, answer)
            move = seats.ask(position.views.tobytes(), seat)
            if move < 0:
                raise seats.illegal(position, seat, move)

    def _see(self) -> Array:
        row, mask, self._worth, self._part = self._look(self._position, self._seat)
        if not mask.any():  # the game is over: no choice matters, and a mask of zeros would make probabilities NaN
            mask[:] = 1
        self.action_space.now = mask
        return row

    def _info(self) -> Data:
        return {"action_mask": self.action_space.now.copy(), "seat": self._seat, "deal": self._deal}


def opponents_of(game: Game, opponents: Opponents) -> list[list[Entrant]]:
    """The line-ups against the agent; if none is named, as many of the game's own bots as it takes."""
    if opponents is None:
        some = game.default_bots()
        opponents = [some[i % len(some)] for i in range(game.rules.seats[0] - 1)]
    lineups: Any = opponents if opponents and isinstance(opponents[0], list | tuple) else [opponents]
    out = [line_up(bots, game) if bots else [] for bots in lineups]
    if len({len(bots) for bots in out}) > 1:
        raise PitbossError("all line-ups of an environment must have the same number of opponents")
    return out


def rotated(players: list[Entrant], rotation: int) -> list[Entrant]:
    """By seat: player i sits at seat (i + rotation) mod players."""
    return [players[(seat - rotation) % len(players)] for seat in range(len(players))]


class DictObservation(gym.ObservationWrapper[dict[str, Array], np.int64, Array], gym.utils.RecordConstructorArgs):
    """Observations as a dictionary: the fields of the encoding by name, and the mask as `action_mask`.

    >>> env = DictObservation(SeatEnv("flip7:solo"))
    >>> observation, _ = env.reset(seed=1)
    >>> list(observation)
    ['hand', 'modifiers', 'left', 'total', 'round', 'action_mask']
    """

    def __init__(self, env: gym.Env[Array, np.int64]) -> None:
        gym.utils.RecordConstructorArgs.__init__(self)
        gym.ObservationWrapper.__init__(self, env)
        seat = env.unwrapped
        assert isinstance(seat, SeatEnv)
        self._seat, look = seat, seat._look
        self._slices = look.encoding.slices(look.game.rules, look.seats)
        row = look.space()
        fields: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(row.low[where], row.high[where], dtype=look.encoding.dtype)
            for name, where in self._slices.items()
        }
        self.observation_space = spaces.Dict({**fields, "action_mask": spaces.MultiBinary(look.actions)})

    def observation(self, observation: Array) -> dict[str, Array]:
        fields = {name: observation[where] for name, where in self._slices.items()}
        return {**fields, "action_mask": self._seat.action_space.now.copy()}

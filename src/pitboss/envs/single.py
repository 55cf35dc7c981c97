"""One seat of any game as a Gymnasium environment; bots take the other seats."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium as gym
import numpy as np

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
from pitboss.envs.observation import Actions, SeatObserver

RENDER_MODES = ["ansi", "rgb_array"]
NO_LOG = np.zeros(0, np.int16)


class SeatEnv(gym.Env[Array, np.int64]):
    """One learning seat against named bots, under any rules.

    - `game`: a table, such as `"flip7:tournament(target=100)"`
    - `opponents`: the bots at the other seats, clockwise from the agent, such as `"ev*2,my_bot.py:Mine"`
    - `seat`: where the agent sits; None: it takes the seats in turn, game by game
    - `observation`, `reward`, `episode`: names that the game has for what is seen, paid, and how long an episode is;
      an episode shorter than a game goes on with the same game when it is reset
    - `penalty`: what an illegal action is paid, and then nothing happens; None: it raises IllegalMove

    `reset(seed=…)` decides all that follows, over any number of episodes. `info["action_mask"]` and `action_masks()`
    say what is legal; `info["seat"]` where the agent sits and `info["deal"]` the number of the game.

    >>> env = SeatEnv("flip7:solo", reward="points")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].tolist()
    ((40,), [1, 1])
    """

    metadata: ClassVar[Data] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        game: str | Game,
        opponents: Lineup | None = None,
        *,
        seat: int | None = None,
        observation: str | None = None,
        reward: str | None = None,
        episode: str | None = None,
        penalty: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = load(game)
        players = [Entrant("agent"), *opponents_of(self.game, opponents)]
        self._look = SeatObserver(self.game, len(players), observation, reward, episode)
        if seat is not None and not 0 <= seat < len(players):
            raise PitbossError(f"there is no seat {seat} at a table of {len(players)}; seats are counted from 0")
        if render_mode not in (None, *RENDER_MODES):
            raise PitbossError(f"render_mode={render_mode!r} is not possible; it is one of {', '.join(RENDER_MODES)}")
        self._tables = [Seats(self.game, rotated(players, j)) for j in range(len(players))]
        if self._tables[0].tells_events:
            raise BotError("an opponent wants to be told what happens (it defines saw), which no environment does")
        self._fixed, self._penalty, self.render_mode = seat, penalty, render_mode
        self._position = Position(self.game)
        self._key: Key | None = None
        self._deal, self._over = -1, False
        self.observation_space = self._look.space()
        self.action_space: Actions = Actions(self._look.actions)

    def reset(self, *, seed: int | None = None, options: Data | None = None) -> tuple[Array, Data]:
        """Begin an episode; with a seed, the first of a series that the seed decides."""
        super().reset(seed=seed)
        if seed is not None or self._key is None:
            self._key = Key.fresh() if seed is None else Key.from_seed(seed)
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
            if self._penalty is None:
                legal = f"{np.flatnonzero(self.action_space.now).tolist()} ({self._position.legal})"
                raise IllegalMove(f"action {action} is not legal now; legal: {legal}")
            return self._see(), self._penalty, False, False, self._info()
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
            self._seat = self._deal % self._look.seats if self._fixed is None else self._fixed
            self._seats = self._tables[self._seat]
            self._seats.start(self._key, self._deal, self._seat)
            self._seats.clock["decisions"] = 0
            self.game.loops.start(self._position.states, self.game.record, self._look.seats, None)
            self._advance(FAULT)  # not looked at: no decision is open yet
            if not self._position.over:
                return

    def _advance(self, move: int) -> None:
        position, seats = self._position, self._seats
        while True:
            seat = self.game.loops.advance(
                position.states, position.views, self.game.record, seats.seating, seats.clock, move, NO_LOG
            )
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
        row, self.action_space.now, self._worth, self._part = self._look(self._position, self._seat)
        return row

    def _info(self) -> Data:
        return {"action_mask": self.action_space.now.copy(), "seat": self._seat, "deal": self._deal}


def opponents_of(game: Game, opponents: Lineup | None) -> list[Entrant]:
    """The bots against the agent; if none are named, as many of the game's own as it takes."""
    if opponents is not None:
        return line_up(opponents, game) if opponents else []
    some = game.default_bots()
    return line_up([some[i % len(some)] for i in range(game.rules.seats[0] - 1)], game)


def rotated(players: list[Entrant], rotation: int) -> list[Entrant]:
    """By seat: player i sits at seat (i + rotation) mod players."""
    return [players[(seat - rotation) % len(players)] for seat in range(len(players))]

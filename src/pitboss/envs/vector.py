"""Thousands of games in one Gymnasium environment, stepped by one compiled call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.registry import Lineup, load
from pitboss.core.types import Array, Data
from pitboss.envs.draw import picture, text
from pitboss.envs.observation import Actions, SeatObserver
from pitboss.envs.single import RENDER_MODES, opponents_of
from pitboss.run.tables import LEARNER, Tables

_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


class SeatVectorEnv(VectorEnv[Array, Array, Array]):
    """`SeatEnv`, many times over: environment i of `reset(seed=s)` plays the games of `SeatEnv.reset(seed=s + i)`.

    The settings are those of `SeatEnv`; opponents must be compiled bots. Besides:

    - `autoreset_mode`: by default an episode that ends is followed by the next in the same step;
      `infos["final_obs"]` then has the last observations, in the rows where `infos["_final_obs"]` is true
    - `copy`: False hands out the arrays that the next step will overwrite
    - `threads`: how many work on a step; all there are by default

    >>> envs = SeatVectorEnv(1000, "flip7:official", "ev*3", seat=0)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 79), (1000, 8))
    """

    def __init__(
        self,
        num_envs: int,
        game: str | Game,
        opponents: Lineup | None = None,
        *,
        seat: int | None = None,
        observation: str | None = None,
        reward: str | None = None,
        episode: str | None = None,
        penalty: float | None = None,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int | None = None,
    ) -> None:
        table = load(game)
        bots = opponents_of(table, opponents)
        look = SeatObserver(table, 1 + len(bots), observation, reward, episode)
        mode = autoreset_mode if isinstance(autoreset_mode, AutoresetMode) else _mode(autoreset_mode)
        if render_mode not in (None, *RENDER_MODES):
            raise PitbossError(f"render_mode={render_mode!r} is not possible; it is one of {', '.join(RENDER_MODES)}")
        self.tables = Tables(
            table, [LEARNER, *bots], num_envs, encoding=look.name, reward=reward, episode=episode, seat=seat,
            autoreset=_AUTORESET[mode], penalty=penalty, threads=threads,
        )  # fmt: skip
        self.num_envs, self.render_mode, self._copy = num_envs, render_mode, copy
        self._same_step = mode is AutoresetMode.SAME_STEP
        self._names = ["agent", *(entrant.name for entrant in bots)]
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 2, "autoreset_mode": mode}
        self.single_observation_space = look.space()
        self.single_action_space = Actions(look.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Data | None = None
    ) -> tuple[Array, Data]:
        """Begin episodes everywhere, or where `options["reset_mask"]` is true."""
        chosen = (options or {}).get("reset_mask")
        if chosen is not None and np.shape(chosen) != (self.num_envs,):
            raise PitbossError(f"a reset_mask has {self.num_envs} places, not the shape {np.shape(chosen)}")
        if seed is None or isinstance(seed, int):
            self.tables.reset(seed, chosen=chosen)
        else:
            self.tables.reset(keys=[Key.fresh() if s is None else Key.from_seed(s) for s in seed], chosen=chosen)
        return self._out(self.tables.observations), self._infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Data]:
        """One action in every environment."""
        tables = self.tables
        tables.step(actions)
        infos = self._infos()
        if self._same_step:
            ended = tables.terminated | tables.truncated
            if ended.any():
                infos["final_obs"], infos["_final_obs"] = self._out(tables.final), ended
        rewards = tables.rewards[:, 0].copy()
        return self._out(tables.observations), rewards, tables.terminated.copy(), tables.truncated.copy(), infos

    def action_masks(self) -> Array:
        """Which actions are legal in each environment."""
        return self.tables.masks.astype(np.bool_)

    def render(self) -> tuple[Any, ...]:
        """Every table as its agent sees it."""
        if self.render_mode is None:
            raise PitbossError("nothing can be rendered; make the environments with render_mode='ansi' or 'rgb_array'")
        draw = text if self.render_mode == "ansi" else picture
        out = []
        for i in range(self.num_envs):
            seat = int(self.tables.tables["rotation"][i])
            names = [self._names[(place - seat) % len(self._names)] for place in range(len(self._names))]
            out.append(draw(self.tables.game.scene(self.tables.position(i).view(seat), names)))
        return tuple(out)

    def _out(self, array: Array) -> Array:
        return array.copy() if self._copy else array

    def _infos(self) -> Data:
        return {"action_mask": self._out(self.tables.masks), "_action_mask": self._all}


def _mode(text: str) -> AutoresetMode:
    """An autoreset mode by its name."""
    for mode, name in _AUTORESET.items():
        if text in (name, mode.value, mode.name):
            return mode
    raise PitbossError(f"autoreset_mode={text!r} is not possible; it is one of {', '.join(_AUTORESET.values())}")

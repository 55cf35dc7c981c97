"""Thousands of games in one Gymnasium environment, stepped by one compiled call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.registry import load
from pitboss.core.types import Array, Data
from pitboss.envs.draw import picture, text
from pitboss.envs.observation import RENDER_MODES, Actions, ManyActions, SeatSettings
from pitboss.envs.single import Opponents, opponents_of
from pitboss.run.tables import LEARNER, Tables

_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


@dataclass(frozen=True)
class VectorSettings(SeatSettings):
    """The settings of `SeatEnv`, and those that `SeatVectorEnv` has besides."""

    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP
    copy: bool = True
    threads: int | None = None


class SeatVectorEnv(VectorEnv[Array, Array, Array]):
    """`SeatEnv`, many times over: environment i of `reset(seed=s)` plays the games of `SeatEnv.reset(seed=s + i)`.

    The settings are those of `SeatEnv`; opponents must be compiled bots or policies. Of several line-ups, environment i
    begins with number i. Besides:

    - `autoreset_mode`: by default the step after the end of an episode begins the next, and its action is ignored, as
      Gymnasium's observation wrappers need it; with `"same-step"` the next begins at once, and `infos["final_obs"]` and
      `infos["final_info"]` have what was last, in the rows where `infos["_final_obs"]` is true
    - `copy`: False hands out the arrays that the next step will overwrite
    - `threads`: how many work on a step; all there are by default

    >>> envs = SeatVectorEnv(1000, "flip7:official", "ev*3", seat=0)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 79), (1000, 8))
    """

    def __init__(self, num_envs: int, game: str | Game, opponents: Opponents = None, **settings: Any) -> None:
        table, given = load(game), VectorSettings(**settings)
        lineups = opponents_of(table, opponents)
        look = given.observer(table, 1 + len(lineups[0]))
        mode = _mode(given.autoreset_mode)
        self.tables = Tables(
            table, [[LEARNER, *bots] for bots in lineups], num_envs, encoding=look.name, reward=given.reward,
            episode=given.episode, seat=given.seat, autoreset=_AUTORESET[mode], penalty=given.penalty,
            threads=given.threads,
        )  # fmt: skip
        self.num_envs, self.render_mode, self._copy = num_envs, given.render_mode, given.copy
        self._same_step = mode is AutoresetMode.SAME_STEP
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 2, "autoreset_mode": mode}
        self.single_observation_space = look.space()
        self.single_action_space = Actions(look.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space: ManyActions = ManyActions(num_envs, look.actions)
        self._all = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Data | None = None
    ) -> tuple[Array, Data]:
        """Begin episodes everywhere, or where `options["reset_mask"]` is true."""
        chosen = (options or {}).get("reset_mask")
        if chosen is not None and np.shape(chosen) != (self.num_envs,):
            raise PitbossError(f"a reset_mask has {self.num_envs} places, not the shape {np.shape(chosen)}")
        if seed is None or isinstance(seed, int | np.integer):
            self.tables.reset(None if seed is None else int(seed), chosen=chosen)
        else:
            keys = [Key.of(None if s is None else index(s), quick=True) for s in seed]
            self.tables.reset(keys=keys, chosen=chosen)
        return self._out(self.tables.observations), self._infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Data]:
        """One action in every environment."""
        tables, seat, deal = self.tables, self._seat, self._deal
        tables.step(actions)
        infos = self._infos()
        if self._same_step:
            ended = tables.terminated | tables.truncated
            if ended.any():
                infos["final_obs"], infos["_final_obs"] = self._out(tables.final), ended
                mask = tables.masks.copy()
                mask[self._deal != deal] = 1  # where a game is over, no choice matters
                final = {"action_mask": mask, "seat": seat, "deal": deal}
                infos["final_info"] = final | {f"_{name}": ended for name in final}
                infos["_final_info"] = ended
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
            seat, lineup = (int(self.tables.tables[field][i]) for field in ("rotation", "lineup"))
            players = ["agent", *(entrant.name for entrant in self.tables.lineups[lineup][1:])]
            names = [players[(place - seat) % len(players)] for place in range(len(players))]
            out.append(draw(self.tables.game.scene(self.tables.position(i).view(seat), names)))
        return tuple(out)

    def _out(self, array: Array) -> Array:
        return array.copy() if self._copy else array

    def _infos(self) -> Data:
        tables, masks = self.tables.tables, self._out(self.tables.masks)
        if not self._same_step:
            masks[(tables["over"] == 1) & ~masks.any(axis=1)] = 1  # no choice matters, and zeros would become NaN
        self.action_space.now = masks
        self._seat, self._deal = tables["rotation"].astype(np.int64), tables["deal"].copy()
        out = {"action_mask": masks, "seat": self._seat, "deal": self._deal}
        if len(self.tables.lineups) > 1:
            out["lineup"] = tables["lineup"].astype(np.int64)
        return out | {f"_{name}": self._all for name in out}

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """What each environment has under a name, such as `game`, `seat` or `deal`."""
        return self.call(name)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What each environment answers: `call("action_masks")`, `call("render")`."""
        known = {"game": self.tables.game, "seat": self.tables.tables["rotation"], "deal": self.tables.tables["deal"]}
        found = known[name] if name in known else getattr(self, name)
        answer: Any = found(*args, **kwargs) if callable(found) else found
        each = isinstance(answer, tuple | np.ndarray) and len(answer) == self.num_envs
        return tuple(answer) if each else (answer,) * self.num_envs


def _mode(text: AutoresetMode | str) -> AutoresetMode:
    """An autoreset mode, or the one of this name."""
    for mode, name in _AUTORESET.items():
        if text in (mode, name, mode.value, mode.name):
            return mode
    raise PitbossError(f"autoreset_mode={text!r} is not possible; it is one of {', '.join(_AUTORESET.values())}")

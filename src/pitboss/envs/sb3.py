"""Thousands of games as one environment of Stable-Baselines3, stepped by one compiled call.

from pitboss.envs.sb3 import make

envs = make("pitboss/Flip7Solo-v1", 256, seed=1)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from stable_baselines3.common.vec_env import VecEnv

from pitboss.core.errors import PitbossError, unknown
from pitboss.core.game import Game
from pitboss.core.types import Array, Data
from pitboss.envs import environments
from pitboss.envs.single import Opponents
from pitboss.envs.vector import SeatVectorEnv


def make(name: str, num_envs: int, seed: int | None = None, **settings: Any) -> SeatVecEnv:
    """The environments of an id such as `pitboss/Flip7Solo-v1`; what is not set is as in `gymnasium.make`."""
    known = environments()
    if name not in known:
        raise PitbossError(unknown("environment", name, known))
    title = name.rpartition("-v")[0]
    versions = [each for each in known if each.rpartition("-v")[0] == title]
    newest = max(versions, key=lambda each: int(each.rpartition("-v")[2]))
    if newest != name:
        logger.deprecation(f"{name} is out of date; use {newest}")  # as `gymnasium.make` does
    envs = SeatVecEnv(num_envs, **{**known[name], **settings})
    envs.seed(seed)
    return envs


class SeatVecEnv(VecEnv):
    """`SeatVectorEnv` in the manner of Stable-Baselines3: episodes follow one another, and `infos` is a list, in which
    those that have just ended have their last observation as `terminal_observation`.

    MaskablePPO asks for `action_masks` by itself. Settings are those of `SeatVectorEnv`; `VecMonitor` and the other
    wrappers of Stable-Baselines3 go around it.
    """

    def __init__(self, num_envs: int, game: str | Game, opponents: Opponents = None, **settings: Any) -> None:
        self.envs = SeatVectorEnv(num_envs, game, opponents, autoreset_mode="same-step", **settings)
        actions = spaces.Discrete(int(self.envs.single_action_space.n))
        super().__init__(num_envs, self.envs.single_observation_space, actions)
        self._actions: Array = np.zeros(num_envs, np.int64)

    def reset(self) -> Array:
        """Begin episodes everywhere: with the seeds of `seed`, if it was called, or else with the next deals."""
        given = any(seed is not None for seed in self._seeds)
        seen, infos = self.envs.reset(seed=self._seeds if given else None)
        self.reset_infos = [self._info(infos, i) for i in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return seen

    def step_async(self, actions: Array) -> None:
        """Note the actions; `step_wait` makes them."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[Data]]:
        """One action in every environment."""
        seen, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        done = terminated | truncated
        out: list[Data] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(done).tolist():
            last = self._info(infos["final_info"], i)
            out[i] = {
                **last, "terminal_observation": infos["final_obs"][i], "TimeLimit.truncated": bool(truncated[i]),
            }  # fmt: skip
        return seen, rewards.astype(np.float32), done, out

    @staticmethod
    def _info(infos: Data, i: int) -> Data:
        return {name: values[i] for name, values in infos.items() if name in ("seat", "deal", "lineup")}

    def action_masks(self) -> Array:
        """Which actions are legal in each environment."""
        return self.envs.action_masks()

    def close(self) -> None:
        """Nothing is left open."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """What each environment has under a name."""
        return self._chosen(self.envs.get_attr(attr_name), indices)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all environments; they are one, so there is no setting it for some."""
        if len(self._rows(indices)) != self.num_envs:
            raise PitbossError(f"{attr_name} can only be set for all environments at once")
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """What each environment answers, such as `action_masks`."""
        return self._chosen(self.envs.call(method_name, *method_args, **method_kwargs), indices)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No environment is wrapped by itself."""
        return [False] * len(self._rows(indices))

    def get_images(self) -> Sequence[Array | None]:
        """Every table as a picture."""
        return self.envs.render()

    def _rows(self, indices: Any) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return [int(i) for i in indices] if isinstance(indices, Iterable) else [int(indices)]

    def _chosen(self, answers: Sequence[Any], indices: Any) -> list[Any]:
        return [answers[i] for i in self._rows(indices)]

"""A row of numbers as a dictionary with names."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from pitboss.core.types import Array
from pitboss.envs.single import SeatEnv


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

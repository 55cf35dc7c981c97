"""Environments for learning agents: Gymnasium, PettingZoo, OpenSpiel.

Importing this registers all games with Gymnasium, those of other packages too:

    import gymnasium as gym, pitboss.envs

    env = gym.make("pitboss/Flip7Solo-v0")
    many = gym.make_vec("pitboss/Flip7Solo-v0", num_envs=4096)

`pitboss.envs.aec` has the environments of PettingZoo, `pitboss.envs.spiel` the games of OpenSpiel.
"""

from __future__ import annotations

try:
    import gymnasium  # noqa: F401
    import PIL  # noqa: F401
except ImportError as problem:
    raise ImportError("environments need more packages: pip install 'pitboss[rl]'") from problem

from pitboss.envs.register import register
from pitboss.envs.single import SeatEnv
from pitboss.envs.vector import SeatVectorEnv
from pitboss.envs.wrappers import DictObservation

__all__ = ["DictObservation", "SeatEnv", "SeatVectorEnv"]

register()

"""Environments for learning agents: Gymnasium, PettingZoo, OpenSpiel.

Importing this registers all games with Gymnasium, those of other packages too:

    import gymnasium as gym, pitboss.envs

    env = gym.make("pitboss/Flip7Solo-v1")
    many = gym.make_vec("pitboss/Flip7Solo-v1", num_envs=4096)

`pitboss.envs.aec` has the environments of PettingZoo, `pitboss.envs.spiel` the games of OpenSpiel.
"""

from __future__ import annotations

import warnings

try:
    import gymnasium
    import PIL  # noqa: F401
except ImportError as problem:
    raise ImportError("environments need more packages: pip install 'pitboss[rl]'") from problem

from pitboss.core.registry import game_classes
from pitboss.core.types import Data
from pitboss.envs.observation import SeatSettings
from pitboss.envs.single import DictObservation, SeatEnv
from pitboss.envs.vector import SeatVectorEnv

__all__ = ["DictObservation", "SeatEnv", "SeatSettings", "SeatVectorEnv", "environments"]

NAMESPACE, VERSION = "pitboss", "-v0"


def environments() -> dict[str, Data]:
    """The settings of all environments, by id; of several versions, Gymnasium tells users of an old one."""
    out = {}
    for name, kind in game_classes(lambda why: warnings.warn(f"no environment: {why}", stacklevel=3)).items():
        for title, settings in (kind.environments or {name.title(): {}}).items():
            version = "" if "-v" in title else VERSION
            out[f"{NAMESPACE}/{title}{version}"] = {"game": name, **settings}
    return out


def register() -> None:
    """Register them with Gymnasium."""
    for key, settings in environments().items():
        if key not in gymnasium.registry:
            gymnasium.register(
                key,
                entry_point="pitboss.envs.single:SeatEnv",
                vector_entry_point="pitboss.envs.vector:SeatVectorEnv",
                kwargs=settings,
            )


register()

"""The ids of Gymnasium, from the registry of games: a game from another package gets one as well."""

from __future__ import annotations

import warnings

import gymnasium

from pitboss.core.registry import game_classes
from pitboss.core.types import Data

NAMESPACE, VERSION = "pitboss", "v0"


def environments() -> dict[str, Data]:
    """The settings of all environments, by id."""
    out = {}
    for name, kind in game_classes(lambda why: warnings.warn(f"no environment: {why}", stacklevel=3)).items():
        for title, settings in (kind.environments or {name.title(): {}}).items():
            out[f"{NAMESPACE}/{title}-{VERSION}"] = {"game": name, **settings}
    return out


def register() -> None:
    """Tell Gymnasium about them."""
    for key, settings in environments().items():
        if key not in gymnasium.registry:
            gymnasium.register(
                key,
                entry_point="pitboss.envs.single:SeatEnv",
                vector_entry_point="pitboss.envs.vector:SeatVectorEnv",
                kwargs=settings,
            )

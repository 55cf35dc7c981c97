"""The ids of Gymnasium, from the registry of games: a game from another package gets one as well."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium

from pitboss.table.registry import game_class, games

NAMESPACE, VERSION = "pitboss", "v0"


def environments() -> dict[str, dict[str, Any]]:
    """The settings of all environments, by id."""
    out = {}
    for name in games():
        try:
            kind = game_class(name)
        except Exception as problem:
            warnings.warn(f"the game {name} cannot be loaded, so it has no environment: {problem}", stacklevel=2)
            continue
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

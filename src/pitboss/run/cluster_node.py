"""What runs on a node of a cluster: one process that plays what it is sent.

The class travels as it stands here (by value, not by name), and imports pitboss only when it is asked: so a node
that has no pitboss, or another one, can say so. Before that it leaves the folders in which Ray lets it look for modules
only because the driver was started there.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Iterable
from typing import Any

from pitboss.core.launch import Home, move_in


class Station:
    """Says what is installed on its node, then plays."""

    def __init__(self, avoided: Iterable[str], home: Home | None) -> None:
        """Folders to leave, and where pitboss is, if the node does not know by itself."""
        self._player: Any = None
        for place in avoided:
            if place in sys.path:
                sys.path.remove(place)
        if home is not None:
            move_in(home)

    def hello(self) -> dict[str, str]:
        """Where this is, and which pitboss is there: its version, and a hash of its sources."""
        import ray
        from ray.util import get_node_ip_address

        os.environ.setdefault("PITBOSS_QUIET", "1")
        here = {"node": get_node_ip_address(), "id": ray.get_runtime_context().get_node_id()[:12], "pitboss": ""}
        try:
            from pitboss.core.version import code_version, installed
        except ImportError as problem:
            return {**here, "why": str(problem)}
        return {**here, "pitboss": installed(), "code": code_version()}

    def begin(self, order: bytes, alone: bool) -> str:
        """Get ready to play; what stands against it, or nothing. `alone`: no other station is on the node yet."""
        from pitboss.core.errors import PitbossError

        try:
            self._player = pickle.loads(order).open(alone)
        except PitbossError as problem:
            return str(problem)
        return ""

    def play(self, units: bytes) -> tuple[str, Any, float]:
        """Play: what went wrong (or nothing), what came of it, and the seconds it took."""
        from pitboss.core.errors import PitbossError

        began = time.perf_counter()
        try:
            done = self._player.play_all(pickle.loads(units))
        except PitbossError as problem:
            return str(problem), None, 0.0
        return "", done, time.perf_counter() - began

    def close(self) -> None:
        """End what plays, and its bots."""
        if self._player is not None:
            self._player.close()
            self._player = None

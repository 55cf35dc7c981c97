"""pitboss: push-your-luck and hidden-card games to play, simulate, and write bots for.

>>> import pitboss
>>> str(pitboss.load("flip7:tournament(target=100)"))
'flip7:tournament(target=100)'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Names that users import from here, and where they live. Loaded on first use, so that
# `pitboss --help` pays for neither NumPy nor Numba.
_HOME = {
    "load": "pitboss.table.registry",
    "bot": "pitboss.table.registry",
    "play": "pitboss.table.play",
    "Record": "pitboss.table.record",
    "simulate": "pitboss.sim.batch",
    "Tournament": "pitboss.arena.tournament",
    "compare": "pitboss.arena.compare",
    "PitbossError": "pitboss.table.errors",
}

__all__ = ["PitbossError", "Record", "Tournament", "__version__", "bot", "compare", "load", "play", "simulate"]

if TYPE_CHECKING:
    from pitboss.arena.compare import compare
    from pitboss.arena.tournament import Tournament
    from pitboss.sim.batch import simulate
    from pitboss.table.errors import PitbossError
    from pitboss.table.play import play
    from pitboss.table.record import Record
    from pitboss.table.registry import bot, load


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'pitboss' has no attribute {name!r}")

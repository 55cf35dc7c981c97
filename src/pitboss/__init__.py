"""pitboss: push-your-luck and hidden-card games to play, simulate, and write bots for.

>>> import pitboss
>>> str(pitboss.load("flip7:tournament(target=100)"))
'flip7:tournament(target=100)'
"""

from __future__ import annotations

from pitboss import former

TYPE_CHECKING = False  # nothing large is imported here, so that Ctrl-C is understood early

__version__ = "0.2.0"

# Names that users import from here, and where they live. Loaded on first use, so that
# `pitboss --help` pays for neither NumPy nor Numba.
_HOME = {
    "load": "pitboss.core.registry",
    "bot": "pitboss.core.registry",
    "play": "pitboss.core.play",
    "Record": "pitboss.core.record",
    "simulate": "pitboss.run.batch",
    "Tournament": "pitboss.tournament.tournament",
    "compare": "pitboss.tournament.compare",
    "tune": "pitboss.tournament.tune",
    "replay": "pitboss.render.replay",
    "PitbossError": "pitboss.core.errors",
}

__all__ = [
    "PitbossError",
    "Record",
    "Tournament",
    "__version__",
    "bot",
    "compare",
    "load",
    "play",
    "replay",
    "simulate",
    "tune",
]

if TYPE_CHECKING:
    from typing import Any

    from pitboss.core.errors import PitbossError
    from pitboss.core.play import play
    from pitboss.core.record import Record
    from pitboss.core.registry import bot, load
    from pitboss.render.replay import replay
    from pitboss.run.batch import simulate
    from pitboss.tournament.compare import compare
    from pitboss.tournament.tournament import Tournament
    from pitboss.tournament.tune import tune


former.install()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'pitboss' has no attribute {name!r}")

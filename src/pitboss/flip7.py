"""Flip 7 for bot authors: `pitboss.games.flip7` under its short name.

>>> from pitboss.flip7 import HIT, STAY, Flip7Bot
"""

from pitboss.games.flip7 import *  # noqa: F403 - the names are listed there
from pitboss.games.flip7 import __all__ as __all__

__path__: list[str] = []  # so that `pitboss.former` is asked for modules that were here

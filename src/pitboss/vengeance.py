"""Flip 7: With a Vengeance for bot authors: `pitboss.games.vengeance` under its short name.

>>> from pitboss.vengeance import HIT, STAY, VengeanceBot
"""

from pitboss.games.vengeance import *  # noqa: F403 - the names are listed there
from pitboss.games.vengeance import __all__ as __all__

"""Show for bot authors: `pitboss.games.show` under its short name."""

from pitboss.games.show import *  # noqa: F403 - the names are listed there
from pitboss.games.show import __all__ as __all__

__path__: list[str] = []  # so that `pitboss.former` is asked for modules that were here

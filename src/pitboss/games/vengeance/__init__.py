"""Flip 7: With a Vengeance, under five rule books. Bot authors import from here.

>>> from pitboss.games.vengeance import HIT, STAY, VengeanceBot
"""

from pitboss.core.bot import compiled_bot
from pitboss.games.vengeance.bot import VengeanceBot
from pitboss.games.vengeance.cards import DISCARD, FLIP_FOUR, JUST_ONE_MORE, STEAL, SWAP
from pitboss.games.vengeance.moves import HIT, STAY, card_of, target
from pitboss.games.vengeance.moves import VengeanceMove as Move
from pitboss.games.vengeance.rules import VengeanceRules as Rules
from pitboss.games.vengeance.view import VengeanceView as View

__all__ = [
    "DISCARD",
    "FLIP_FOUR",
    "HIT",
    "JUST_ONE_MORE",
    "STAY",
    "STEAL",
    "SWAP",
    "Move",
    "Rules",
    "VengeanceBot",
    "View",
    "card_of",
    "compiled_bot",
    "target",
]

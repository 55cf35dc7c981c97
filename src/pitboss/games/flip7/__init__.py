"""Flip 7, under five rule books. Bot authors import from here.

>>> from pitboss.flip7 import HIT, STAY, Flip7Bot
"""

from pitboss.core.bot import compiled_bot
from pitboss.games.flip7.bot import BustProbabilityBot, CardCountBot, ConservativeBot, Flip7Bot, RandomTargets
from pitboss.games.flip7.bot import Flip7RandomBot as RandomBot
from pitboss.games.flip7.cards import FLIP_THREE, FREEZE, SECOND_CHANCE
from pitboss.games.flip7.moves import HIT, NO, STAY, YES, Move, target
from pitboss.games.flip7.rules import Flip7Rules as Rules
from pitboss.games.flip7.view import Flip7View as View

__all__ = [
    "FLIP_THREE",
    "FREEZE",
    "HIT",
    "NO",
    "SECOND_CHANCE",
    "STAY",
    "YES",
    "BustProbabilityBot",
    "CardCountBot",
    "ConservativeBot",
    "Flip7Bot",
    "Move",
    "RandomBot",
    "RandomTargets",
    "Rules",
    "View",
    "compiled_bot",
    "target",
]

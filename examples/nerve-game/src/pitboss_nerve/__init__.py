"""Nerve, a game of one hidden card each. Bot authors import from here."""

from pitboss_nerve.game import NerveBot, Rules
from pitboss_nerve.step import HOLD, SWAP

__all__ = ["HOLD", "SWAP", "NerveBot", "Rules"]

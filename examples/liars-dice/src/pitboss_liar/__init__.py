"""Liar's Dice. Bot authors import from here."""

from pitboss_liar.game import LiarBot, LiarView, Rules
from pitboss_liar.step import LIAR

__all__ = ["LIAR", "LiarBot", "LiarView", "Rules"]

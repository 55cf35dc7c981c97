"""Toy, a game of chips and skulls in a bag. Bot authors import from here."""

from pitboss_toy.game import Rules, ToyBot
from pitboss_toy.step import BANK, DRAW

__all__ = ["BANK", "DRAW", "Rules", "ToyBot"]

"""Toy, a game of chips and skulls in a bag. Bot authors import from here."""

from pitboss_toy.bot import ToyBot
from pitboss_toy.rules import Rules
from pitboss_toy.step import BANK, DRAW
from pitboss_toy.view import View

__all__ = ["BANK", "DRAW", "Rules", "ToyBot", "View"]

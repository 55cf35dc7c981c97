"""Stays inside one call of C code, which no signal handler in Python could interrupt."""

import re

from pitboss.games.flip7 import Flip7Bot


class CLoop(Flip7Bot):
    def decide(self, view):
        return re.match("(a+)+$", "a" * 60 + "b")

"""Prints a gigabyte before its first move, then plays on."""

import sys

from pitboss.games.flip7 import Flip7Bot


class Gigabyte(Flip7Bot):
    printed = False

    def hit_or_stay(self, view):
        if not self.printed:
            self.printed = True
            for _ in range(1 << 10):
                sys.stdout.write("spam" * (1 << 18))
            sys.stderr.write("\x1b[2J")
        return "stay"

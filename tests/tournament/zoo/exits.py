"""Leave the table in the middle of a game, politely and not."""

import os
import sys

from pitboss.games.flip7 import Flip7Bot


class Exits(Flip7Bot):
    def decide(self, view):
        sys.exit(3)


class ExitsAtOnce(Flip7Bot):
    def decide(self, view):
        os._exit(7)


class Aborts(Flip7Bot):
    def decide(self, view):
        os.abort()


class ExitsInStart(Flip7Bot):
    def start(self, seat, rules, rng):
        os._exit(7)

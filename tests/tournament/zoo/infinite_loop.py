"""Never answers, and works hard at it."""

from pitboss.games.flip7 import Flip7Bot


class InfiniteLoop(Flip7Bot):
    def decide(self, view):
        while True:
            pass

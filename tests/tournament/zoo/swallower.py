"""Cannot be stopped by any exception."""

from pitboss.games.flip7 import Flip7Bot


class Swallower(Flip7Bot):
    def decide(self, view):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

"""Uses no time at all, and does not answer."""

import time

from pitboss.games.flip7 import Flip7Bot


class Sleeper(Flip7Bot):
    def decide(self, view):
        time.sleep(1e6)

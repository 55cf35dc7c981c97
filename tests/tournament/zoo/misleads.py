"""Has a thread ask for its open files in the place of the process that plays, whose time would then not be counted."""

import threading
import time

from pitboss.games.flip7 import Flip7Bot
from pitboss.sandbox import calls

real = calls.introduce


def introduce():
    thread = threading.Thread(target=real)
    thread.start()
    thread.join()


calls.introduce = introduce


class Misleads(Flip7Bot):
    def hit_or_stay(self, view):
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            pass
        return "stay"

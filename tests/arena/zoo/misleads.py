"""Gives a thread for the process that plays, whose time would then not be counted."""

import os
import threading
import time

from pitboss.arena.referee import sandbox
from pitboss.flip7 import Flip7Bot

real = getattr(sandbox, "fork", os.fork)


def fork():
    pid = real()
    if pid == 0:
        threading.Thread(target=time.sleep, args=[60], daemon=True).start()
        return 0
    time.sleep(0.1)
    return pid + 1  # threads are numbered like processes


os.fork = sandbox.fork = fork


class Misleads(Flip7Bot):
    def hit_or_stay(self, view):
        time.sleep(0.01)
        return "stay"

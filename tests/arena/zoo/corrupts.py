"""While it is imported, takes out what would keep its games' processes from forking, and forks more than it should."""

import os

from pitboss.arena.referee import sandbox
from pitboss.flip7 import Flip7Bot

sandbox.install = lambda *_, **__: None
real_fork = os.fork


def twice():
    pid = real_fork()
    if pid:
        try:
            if real_fork() == 0:
                os._exit(0)
        except OSError:
            pass
    return pid


os.fork = twice


class Corrupts(Flip7Bot):
    def hit_or_stay(self, view):
        try:
            if real_fork() == 0:
                while True:
                    pass
            print("fork worked")
        except OSError as problem:
            print("fork refused:", problem.strerror)
        return "stay"

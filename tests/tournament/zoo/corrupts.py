"""While it is imported, takes out what would keep its games' processes from forking, and forks more than it should."""

import os

from pitboss.games.flip7 import Flip7Bot
from pitboss.sandbox import calls, confine

calls.install = confine.confine = lambda *_, **__: None
real_forker, real_fork = calls.forker, os.fork


def forker():
    fork = real_forker()

    def twice():
        pid = fork()
        if pid:
            try:
                if real_fork() == 0:
                    os._exit(0)
            except OSError:
                pass
        return pid

    return twice


calls.forker = forker


class Corrupts(Flip7Bot):
    def hit_or_stay(self, view):
        for name, fork in (("fork", real_fork), ("clone", real_forker())):
            try:
                if fork() == 0:
                    while True:
                        pass
                print(name, "worked")
            except OSError as problem:
                print(name, "refused:", problem.strerror)
        return "stay"

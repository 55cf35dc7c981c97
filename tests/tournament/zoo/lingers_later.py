"""Is alone when it is imported; the thread that would work while others play is started with the first game."""

import threading

from pitboss.games.flip7 import Flip7Bot
from pitboss.sandbox import calls

real = calls.forker


def work():
    while True:
        pass


def forker():
    fork = real()

    def forks():
        pid = fork()
        if pid and threading.active_count() == 1:
            threading.Thread(target=work, daemon=True).start()
        return pid

    return forks


calls.forker = forker


class LingersLater(Flip7Bot):
    def hit_or_stay(self, view):
        return "stay"

"""Leaves a thread behind when it is imported, which would work while others play."""

import threading

from pitboss.games.flip7 import Flip7Bot


def work():
    while True:
        pass


threading.Thread(target=work, daemon=True).start()


class Lingers(Flip7Bot):
    def hit_or_stay(self, view):
        return "stay"

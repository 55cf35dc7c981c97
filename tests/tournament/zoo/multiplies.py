"""Starts threads until no numbers are left for anybody's processes, if it may: small ones, that take no memory."""

import _thread
import threading

from pitboss.games.flip7 import Flip7Bot

ENOUGH = 500


class Multiplies(Flip7Bot):
    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        threading.stack_size(1 << 15)
        waiting = _thread.allocate_lock()
        waiting.acquire()
        try:
            for _ in range(ENOUGH):
                _thread.start_new_thread(waiting.acquire, ())
            print("worked")
        except RuntimeError:
            print("refused")

    def hit_or_stay(self, view):
        return "stay"

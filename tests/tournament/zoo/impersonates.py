"""Plays at two seats: what runs at one asks for the open files of the other, to see both hands."""

import contextlib
import os
import threading
import time

from pitboss.games.flip7 import Flip7Bot


class Impersonates(Flip7Bot):
    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        self.kept = os.dup(3)  # the socket of its own seat
        with contextlib.suppress(RuntimeError):
            threading.Thread(target=self.ask, daemon=True).start()
        self.ask()

    def ask(self):
        until = time.monotonic() + 0.3
        while time.monotonic() < until:
            try:
                os.setsid()
                print("impersonation worked")
                return
            except OSError:
                pass

    def hit_or_stay(self, view):
        return "stay"

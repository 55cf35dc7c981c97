"""Answer too late, too often, or with something that they made themselves."""

import os
import sys
import threading
import time

from pitboss.games.flip7 import Flip7Bot
from pitboss.sandbox import wire
from pitboss.sandbox.calls import CONTROL


class Late(Flip7Bot):
    """Gives a good answer after half a second of work."""

    def hit_or_stay(self, view):
        until = time.process_time() + 0.5
        while time.process_time() < until:
            pass
        return "stay"


class Twice(Flip7Bot):
    """Answers the next question before it is asked."""

    def hit_or_stay(self, view):
        os.write(CONTROL, wire.MOVED_FORM.pack(wire.MOVED, 99, 1, 0))
        return "stay"


class Garbage(Flip7Bot):
    def decide(self, view):
        os.write(CONTROL, b"\xff" * 100)
        return "stay"


class Huge(Flip7Bot):
    def decide(self, view):
        os.write(CONTROL, wire.MOVED + b"x" * (wire.MOST - 1))
        return "stay"


class Beyond(Flip7Bot):
    """Answers with a number that is as large, or as small, as can be said."""

    def __init__(self, answer=(1 << 63) - 1):
        self.answer = answer

    def decide(self, view):
        number = sys._getframe(1).f_locals["number"]
        os.write(CONTROL, wire.MOVED_FORM.pack(wire.MOVED, number, self.answer, 0))
        time.sleep(1e6)


class HangsUp(Flip7Bot):
    def decide(self, view):
        os.close(CONTROL)
        time.sleep(1e6)


class Waits(Flip7Bot):
    """Takes its time, and does nothing in it."""

    def hit_or_stay(self, view):
        time.sleep(2)
        return "stay"


class Steals(Flip7Bot):
    """Answers at once, and goes on working while others should."""

    def hit_or_stay(self, view):
        threading.Thread(target=Ponders.think, args=[self], daemon=True).start()
        return "stay"


class Ponders(Flip7Bot):
    """Goes on thinking while others do; it is their processor too."""

    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        threading.Thread(target=self.think, daemon=True).start()

    def think(self):
        while True:
            pass

    def hit_or_stay(self, view):
        time.sleep(60)
        return "stay"

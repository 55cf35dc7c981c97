"""Two at one table who would tell each other what they know: by a futex in a library that both have mapped."""

import ctypes
import platform
import threading
import time

from pitboss.games.flip7 import Flip7Bot

LIBC = ctypes.CDLL(None, use_errno=True)
FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine(), -1)
PLACE = ctypes.cast(LIBC.printf, ctypes.c_void_p).value & ~0xFFF
WAIT, WAKE = 0, 1


def futex(what, value):
    return LIBC.syscall(FUTEX, ctypes.c_void_p(PLACE), what, ctypes.c_uint32(value), None, None, 0)


class Listens(Flip7Bot):
    heard = 0

    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        value = ctypes.c_uint32.from_address(PLACE).value
        while True:
            self.heard += futex(WAIT, value) == 0
            time.sleep(0.001)

    def hit_or_stay(self, view):
        time.sleep(0.02)
        print("heard:", self.heard)
        return "stay"


class Whispers(Flip7Bot):
    def hit_or_stay(self, view):
        time.sleep(0.02)
        print("woken:", max(0, futex(WAKE, 1)))
        return "stay"

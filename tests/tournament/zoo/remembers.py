"""Tries to remember, from game to game, that it has played before."""

import builtins
import contextlib
import mmap
import os
import random

import numpy as np
from numpy.random import default_rng

from pitboss.games.flip7 import Flip7Bot

GAMES = []
try:
    SHARED = mmap.mmap(-1, 4096)
except OSError:
    SHARED = bytearray(4096)
try:
    READ_END, WRITE_END = os.pipe()
except OSError:
    READ_END = WRITE_END = None
OPEN = open(__file__)  # noqa: SIM115  # its position is shared with whoever inherits it
EARLY = default_rng()


class Remembers(Flip7Bot):
    seen = 0

    def start(self, seat, rules, rng):
        traces = [len(GAMES), Remembers.seen, SHARED[0], "ZOO" in os.environ, hasattr(builtins, "zoo")]
        try:
            traces.append(OPEN.seek(0, 1))
        except OSError:
            traces.append(0)
        print("before:", sum(traces))
        print("luck:", random.random(), np.random.random(), default_rng().random(), EARLY.random())  # noqa: NPY002
        GAMES.append(1)
        Remembers.seen += 1
        SHARED[0] = 1
        os.environ["ZOO"] = "1"
        builtins.zoo = 1
        with contextlib.suppress(OSError):
            OPEN.seek(10)

    def hit_or_stay(self, view):
        return "stay"

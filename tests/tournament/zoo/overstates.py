"""Says more than it is asked when it has been imported."""

import struct

from pitboss.games.flip7 import Flip7Bot
from pitboss.sandbox import wire


class Form:
    size = 1 << 30

    @staticmethod
    def pack(letter, *_):
        return letter + struct.pack("<3Q", *[(1 << 64) - 1] * 3)


wire.LOADED_FORM = Form


class Overstates(Flip7Bot):
    def hit_or_stay(self, view):
        return "stay"

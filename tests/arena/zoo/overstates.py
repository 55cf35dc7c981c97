"""Gives the process that plays a number that no process can have, nor any clock."""

from pitboss.arena.referee import wire
from pitboss.flip7 import Flip7Bot

real = wire.send


def send(to, message, *files):
    real(to, wire.Started(1 << 60) if isinstance(message, wire.Started) else message, *files)


wire.send = send


class Overstates(Flip7Bot):
    def hit_or_stay(self, view):
        return "stay"

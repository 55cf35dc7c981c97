"""Want ten gigabytes: at once, and by and by."""

from pitboss.games.flip7 import Flip7Bot


class Glutton(Flip7Bot):
    def decide(self, view):
        return len(bytearray(10 << 30))


class Nibbler(Flip7Bot):
    def decide(self, view):
        eaten = []
        while True:
            eaten.append(bytearray(1 << 24))

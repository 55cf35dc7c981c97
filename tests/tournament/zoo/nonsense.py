"""Answer what is no move, or not a legal one."""

from pitboss.games.flip7 import Flip7Bot

ANSWERS = [None, 3.5, "perhaps", 10**30, -1, True, "x" * 10**7, object(), [1], b"hit", 61, "fault", ..., {}]


class Nonsense(Flip7Bot):
    def start(self, seat, rules, rng):
        self.asked = 0

    def decide(self, view):
        return ANSWERS[view.round % len(ANSWERS)]


class Raises(Flip7Bot):
    def decide(self, view):
        raise ZeroDivisionError("once too often")


class RaisesStrangely(Flip7Bot):
    """What it raises cannot be told either."""

    def decide(self, view):
        class Strange(BaseException):
            def __str__(self):
                raise self

        raise Strange

"""What every test of the referee needs: a file of bots, and a referee with little patience."""

import pytest

from tests.tournament.tables import tight

BOTS = """
import random
from pitboss.flip7 import Flip7Bot, HIT, STAY, compiled_bot

class Lucky(Flip7Bot):
    '''Draws at every opportunity: in start, when told, several times a move.'''
    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        self.mood = rng.random()
    def saw(self, event):
        self.mood = (self.mood + self.rng.random()) / 2
    def decide(self, view):
        if self.rng.random() < 0.1:
            self.mood = self.rng.choice([0.2, 0.4, 0.6])
        if view.decision.name == "HIT_OR_STAY":
            return HIT if self.rng.random() < self.mood else STAY
        return self.rng.choice(view.legal)

class Teller(Flip7Bot):
    '''Says all that it is told.'''
    def saw(self, event):
        print(event.kind, event.seat, event.a, event.b)
    def hit_or_stay(self, view):
        return "hit" if view.points < 12 else "stay"
    def end(self, outcome):
        print("over:", outcome.ended, outcome.scores)

class Sometimes(Flip7Bot):
    '''Fails once, in round 2, and says how often it was asked.'''
    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        self.asked = 0
    def hit_or_stay(self, view):
        self.asked += 1
        print("asked", self.asked, "luck", self.rng.random())
        if view.round == 2:
            raise RuntimeError("round two")
        return "stay"

class Thinks(Flip7Bot):
    '''Uses a given time for every decision.'''
    def __init__(self, seconds=0.1):
        self.seconds = seconds
    def decide(self, view):
        import time
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass
        return view.legal[0]

@compiled_bot(limit=20)
def quick(view, rules, seat, params, luck):
    if view["decision"] == 1:
        return HIT if view["points"][seat] < params[0] + luck % 5 else STAY
    return 3 if view["decision"] == 4 else 4
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("bots") / "some.py"
    path.write_text(BOTS)
    return path


@pytest.fixture(scope="module")
def referee():
    with tight() as referee:
        yield referee

"""A bot for Show that reads the rules: it calls sooner when its call ends the game at once.

    pitboss simulate show:classic --bots examples/bots/reader.py:Reader,show-6 --games 2000

An opponent who has a last turn can still draw a better card, so a call that is answered needs a lower
total. All other decisions are those of `ShowBot`. The two limits can be chosen:
`reader.py:Reader(at_once=10, answered=4)`.
"""

from pitboss.show import ShowBot


class Reader(ShowBot):
    """Calls at an average total of `at_once` or less; of `answered` if its opponent has a last turn."""

    def __init__(self, at_once: float = 14, answered: float = 6) -> None:
        self.at_once = at_once
        self.answered = answered

    def start(self, seat, rules, rng):
        super().start(seat, rules, rng)
        last_turn = rules.last_turn_after_p1 if seat == 0 else rules.last_turn_after_p2
        self.limit = self.answered if last_turn else self.at_once

    def call_show(self, view):
        return view.expected_total <= self.limit

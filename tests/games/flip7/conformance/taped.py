"""A table where cards and moves fall as a story tells them.

    Table("tournament", seats=3).tell("5 7 fz 2:@1 0:hit 12")

A bare word is the next card, `2:@1` is seat 2 choosing seat 1; a word that is not due fails the
test. After every word the cards are counted and the hands scored anew, in a way of our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import pitboss
from pitboss.core.step import DEALER, OVER
from pitboss.games.flip7.cards import TEXT, format_cards, parse_cards
from pitboss.games.flip7.view import Flip7Decision

SOLO, TABLES = ("solo",), ("simulation", "tournament", "numbers", "official")
ALL = SOLO + TABLES
MODIFIED = ("solo", "simulation", "tournament", "official")  # books with modifier cards
ACTION = ("simulation", "tournament", "official")  # books with action cards
AIMED = ("tournament", "official")  # books in which action cards are put on somebody

# Seat 2 busts, seat 1 gets 50 points, and seat 0 makes a Flip 7 worth 43.
FLIP_7 = """
    1 12 9   0:hit 2 1:hit 11 2:hit 9   0:hit 3 1:hit 10   0:hit 4 1:hit 9
    0:hit 5 1:hit 8   0:hit 6 1:hit 0   0:hit 7
"""

_VERB = {
    Flip7Decision.HIT_OR_STAY: "",
    Flip7Decision.TARGET: " ",
    Flip7Decision.ASSIGN: " assigns ",
    Flip7Decision.SAVE: " saves ",
}


def presets(*names: str) -> Callable[[Any], Any]:
    """Run a test under each of these rule books."""
    return pytest.mark.parametrize("preset", names)


def worth(cards: str) -> int:
    """What a hand that did not bust scores: the rule in its shortest words."""
    hand = cards.split()
    numbers = {int(card) for card in hand if card.isdigit()}
    plus = sum(int(card) for card in hand if card.startswith("+"))
    return sum(numbers) * (2 if "x2" in hand else 1) + plus + (15 if len(numbers) == 7 else 0)


def _text(counts: Any) -> str:
    return format_cards(kind for kind, n in enumerate(counts) for _ in range(n))


class Table:
    """A game in progress, told word by word."""

    def __init__(self, rules: str, seats: int = 3) -> None:
        self.position = pitboss.load(f"flip7:{rules}").start(seats)
        self.events: list[Any] = self.position.events()
        self._check()

    def tell(self, story: str) -> Table:
        """Let the cards fall and the seats move in this order; `events` is then what happened."""
        self.events = []
        for word in story.split():
            seat, _, what = word.rpartition(":")
            due = int(seat) if seat else DEALER
            assert self.position.to_act == due, f"{word!r} comes when the table waits for: {self.asked}"
            self.events += self.position.apply(what)
            self._check()
        return self

    def finish(self) -> Table:
        """Everybody stays, to the end of the round."""
        story, this_round = [], self.view.round
        while not self.over and self.view.round == this_round:
            self.tell(f"{self.position.to_act}:stay")
            story += self.events
        self.events = story
        return self

    def _check(self) -> None:
        assert self.cards == +Counter(dict(enumerate(self.position.game.rules.deck))), "cards were lost or made"
        for seat, (status, points) in enumerate(zip(self.status.split(), self.points, strict=True)):
            assert points == (0 if status == "busted" else worth(self.front(seat))), f"seat {seat} is scored wrongly"
        assert bool(self.position.legal) != self.over, "only a finished game has no legal moves"
        state = self.view.state
        under_way = (state["to_take"], state["flipping"], state["three_hit"])
        assert state["taker"] >= 0 or not any(under_way), "nobody takes cards, yet cards are to be taken"

    # --- what is going on ---

    @property
    def over(self) -> bool:
        return self.position.over

    @property
    def asked(self) -> str:
        """Whom the table waits for, about what: `0: stay hit`, `2 fz: @0 @1`, `card for 1`, `over`."""
        view, seat = self.view, self.position.to_act
        if seat in (DEALER, OVER):
            return "over" if seat == OVER else f"card for {view.state['taker']}"
        about = _VERB[view.decision] + (TEXT[view.card] if view.card >= 0 else "")
        return f"{seat}{about}: {str(self.position.legal).replace(',', '')}"

    def heard(self, kind: str) -> list[int]:
        """The seats of the events of this kind in the latest telling."""
        return [event.seat for event in self.events if event.kind == kind]

    @property
    def lines(self) -> list[str]:
        """The log of the latest telling."""
        return [event.text("ABCDEFGH") for event in self.events]

    # --- what lies on the table ---

    @property
    def view(self) -> Any:
        return self.position.view(0)

    @property
    def status(self) -> str:
        """How the seats stand: `active busted frozen`."""
        return " ".join(seat.status.name.lower() for seat in self.view.seats)

    @property
    def points(self) -> list[int]:
        return [seat.points for seat in self.view.seats]

    @property
    def totals(self) -> list[int]:
        return self.view.totals

    def front(self, seat: int) -> str:
        """The cards in front of a seat, in the order of their kinds."""
        return format_cards(self.view.seats[seat].cards)

    @property
    def left(self) -> str:
        """The deck."""
        return _text(self.view.left)

    @property
    def discards(self) -> str:
        """What a reshuffle would bring back now."""
        return _text(self.view.discards)

    @property
    def spent(self) -> str:
        """What is discarded and stays out until the round ends."""
        return _text(self.view.spent)

    @property
    def cards(self) -> Counter[int]:
        """All cards, wherever they are (C6)."""
        view, found = self.view, Counter[int]()
        for counts in (view.left, view.discards, view.spent, *(seat.counts for seat in view.seats)):
            found.update(dict(enumerate(counts)))
        found.update(card for card, _, _ in view.waiting)
        if view.card >= 0 and view.decision is not Flip7Decision.ASSIGN:
            found[view.card] += 1  # the card that is being decided about
        if view.state["flipping"]:
            found[TEXT.index("f3")] += 1  # the one that is being obeyed
        return +found

    # --- shortcuts to where a story begins ---

    def stack(self, deck: str, back: str | None = None) -> Table:
        """Arrange what is not on the table: the deck, and the discards that may return in this
        round (None: all the others). What is in neither stays out until the round ends."""
        state = self.position.states[0]
        free = Counter(parse_cards(self.left) + parse_cards(self.discards) + parse_cards(self.spent))
        there = Counter(parse_cards(deck or "-"))
        returning = free - there if back is None else Counter(parse_cards(back or "-"))
        assert there + returning <= free, "these cards are not free to be stacked"
        for name, pile in (("left", there), ("discards", returning), ("spent", free - there - returning)):
            state[name] = [pile[kind] for kind in range(len(TEXT))]
        state["left_total"] = there.total()
        self._check()
        return self

    def arrange(self, **fields: int | list[int]) -> Table:
        """Write the history of the game: totals, Flip 7s, the round."""
        for name, value in fields.items():
            field = self.position.states[name][0]
            if isinstance(value, list):
                field[: len(value)] = value
            else:
                self.position.states[name] = value
        return self


def holding(rules: str, cards: str) -> Table:
    """Seat 0 has hit its way to these cards and is asked again; seat 1, if any, sits on a 12."""
    table = Table(rules, seats=1 if rules.startswith("solo") else 2)
    answers = {"card for 1": "12", "1: stay hit": "1:stay", "0: stay hit": "0:hit"}
    for card in cards.split():
        while table.asked != "card for 0":
            table.tell(answers[table.asked])
        table.tell(card)
    while table.asked != "0: stay hit":
        table.tell(answers[table.asked])
    return table

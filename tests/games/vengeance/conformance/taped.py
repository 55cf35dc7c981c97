"""A table where cards and moves fall as a story tells them.

    Table("standard", seats=3).tell("5 7 sw 2:@1 1:5@0 0:hit 12")

A bare word is the next card, `2:@1` is seat 2 choosing seat 1, `1:5@0` is seat 1 choosing the 5 of seat 0; a word that
is not due fails the test. After every word the lines are followed from what was told, all cards are counted, and the
lines are scored anew, in a way of our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import pitboss
from pitboss.core.step import DEALER, OVER
from pitboss.games.vengeance.cards import TEXT, format_cards, parse_cards
from pitboss.games.vengeance.view import Standing, VengeanceDecision

MANY = ("standard", "brutal", "quick", "numbers")  # for more than one player
ALL = (*MANY, "solo")
WHOLE = ("standard", "brutal", "quick")  # with all cards
AIMED = ("standard", "brutal")  # where actions are played on somebody who then chooses, and nobody is safe

_VERB = {
    VengeanceDecision.HIT_OR_STAY: "",
    VengeanceDecision.TARGET: " ",
    VengeanceDecision.PICK: " picks ",
    VengeanceDecision.PICK_SECOND: " picks another ",
    VengeanceDecision.PRIZE: " prize",
}
_NUMBER = {"u7": 7, "l13": 13}
_ACTIONS = ("j1", "f4", "sw", "st", "di")


def presets(*names: str) -> Callable[[Any], Any]:
    """Run a test under each of these rule books."""
    return pytest.mark.parametrize("preset", names)


def numbers(cards: list[str]) -> list[int]:
    return [_NUMBER[card] if card in _NUMBER else int(card) for card in cards if card.isdigit() or card in _NUMBER]


def worth(cards: list[str], below_zero: bool, flip_7: bool) -> int:
    """What a line scores that is not bust: the rule in its shortest words."""
    if "0" in cards and not flip_7:
        return 0
    total = sum(numbers(cards))
    if "/2" in cards:
        total //= 2
    total += sum(int(card) for card in cards if card.startswith("-"))
    return max(total, total if below_zero else 0)


class Table:
    """A game in progress, told word by word."""

    def __init__(self, rules: str, seats: int = 3) -> None:
        self.position = pitboss.load(f"vengeance:{rules}").start(seats)
        self.events: list[Any] = self.position.events()
        self.lines: list[list[str]] = [[] for _ in range(seats)]  # as the events tell
        self._check()

    def tell(self, story: str) -> Table:
        """Let the cards fall and the seats move in this order; `events` is then what happened."""
        self.events = []
        for word in story.split():
            seat, _, what = word.rpartition(":")
            due = int(seat) if seat else DEALER
            assert self.position.to_act == due, f"{word!r} comes when the table waits for: {self.asked}"
            told = self.position.apply(what)
            for event in told:
                self._follow(event)
            self.events += told
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

    def _follow(self, event: Any) -> None:
        """Keep the lines by what is told, not by what the state says."""
        card = TEXT[event.card] if event.card is not None else ""
        own = self.lines[event.seat] if event.seat >= 0 else []
        match event.kind:
            case "round started":
                self.lines = [[] for _ in self.lines]
            case "dealt" if card not in _ACTIONS and card[0] not in "-/":
                own.append(card)
            case "played" if card not in _ACTIONS:
                own.append(card)
            case "swapped" | "stolen":
                self.lines[event.other].remove(card)
                own.append(card)
            case "lost":
                own.remove(card)
            case "discarded" if card in own:
                own.remove(card)

    def _check(self) -> None:
        if not self.over:
            assert [sorted(line) for line in self.lines] == [sorted(self.front(seat).split()) for seat in self.seats]
        view, rules = self.view, self.position.game.record[0]
        found = Counter(card for line in self.lines for card in line)
        for pile in (self.left, self.discards):
            found.update(pile.split())
        found.update(TEXT[card] for card, _ in view.waiting)
        found.update(TEXT[int(card)] for card in (view.card, view.state["obeyed"]) if card >= 0)
        found.pop("-", None)
        assert self.over or found == +Counter({TEXT[kind]: int(n) for kind, n in enumerate(rules["deck"])})
        assert min(view.discards) >= 0
        assert view.state["discarded"] == sum(view.discards)
        assert (view.state["picked"] >= 0) == (view.decision is VengeanceDecision.PICK_SECOND)
        for seat in view.seats:
            have = numbers(self.lines[seat.seat])
            if seat.status is not Standing.BUSTED and not self.over:
                assert len(set(have)) == len(have) - (have.count(13) == 2), "a duplicate lies face up"
                assert have.count(13) < 2 or "l13" in self.lines[seat.seat]
                base = worth(self.lines[seat.seat], rules["below_zero"], seat.status is Standing.FLIP_7)
                assert seat.points == base + view.state["bonus"][seat.seat], f"seat {seat.seat} is scored wrongly"
        assert view.state["active"] == self.status.split().count("active") or self.over

    # --- what is going on ---

    @property
    def over(self) -> bool:
        return self.position.over

    @property
    def seats(self) -> range:
        return range(self.position.seats)

    @property
    def asked(self) -> str:
        """Whom the table waits for, about what: `0: stay hit`, `2 f4: @0 @1`, `1 picks st: 5@0`, `card for 1`."""
        view, seat = self.view, self.position.to_act
        if seat in (DEALER, OVER):
            return "over" if seat == OVER else f"card for {view.state['taker']}"
        about = _VERB[view.decision] + (TEXT[view.card] if view.card >= 0 else "")
        return f"{seat}{about}: {str(self.position.legal).replace(',', '')}"

    def heard(self, kind: str) -> list[int]:
        """The seats of the events of this kind in the latest telling."""
        return [event.seat for event in self.events if event.kind == kind]

    @property
    def log(self) -> list[str]:
        """The log of the latest telling."""
        return [event.text("ABCDEFGH") for event in self.events]

    # --- what lies on the table ---

    @property
    def view(self) -> Any:
        return self.position.view(0)

    @property
    def status(self) -> str:
        """How the seats stand: `active busted stayed`."""
        return " ".join(seat.status.name.lower() for seat in self.view.seats)

    @property
    def points(self) -> list[int]:
        return [seat.points for seat in self.view.seats]

    @property
    def totals(self) -> list[int]:
        return self.view.totals

    def front(self, seat: int) -> str:
        """The cards in front of a seat, in the order of their kinds; nothing for an empty line."""
        return format_cards(self.view.seats[seat].cards).replace("-", "", not self.view.seats[seat].cards)

    @property
    def left(self) -> str:
        """The deck."""
        return _text(self.view.left)

    @property
    def discards(self) -> str:
        """What a new deck would have."""
        return _text(self.view.discards)

    # --- shortcuts to where a story begins ---

    def stack(self, deck: str) -> Table:
        """Let these be the deck; everything else that is not on the table is discarded."""
        state, there = self.position.states[0], Counter(parse_cards(deck or "-"))
        free = Counter(parse_cards(self.left or "-")) + Counter(parse_cards(self.discards or "-"))
        assert there <= free, "these cards are not free to be stacked"
        state["left"] = [there[kind] for kind in range(len(TEXT))]
        state["left_total"] = there.total()
        state["discarded"] = sum(self.view.discards)
        self._check()
        return self

    def only(self) -> Table:
        """Let there be no other cards than those in the deck and on the table: nothing is discarded."""
        game, gone = self.position.game, self.view.discards
        game.record["deck"][0] -= gone
        game.rules_record["deck"] -= gone
        self.position.states["discarded"] = 0
        self._check()
        return self

    def arrange(self, **fields: int | list[int]) -> Table:
        """Write the history of the game: totals, the round."""
        for name, value in fields.items():
            field = self.position.states[name][0]
            if isinstance(value, list):
                field[: len(value)] = value
            else:
                self.position.states[name] = value
        return self


def _text(counts: Any) -> str:
    return " ".join(TEXT[kind] for kind, n in enumerate(counts) for _ in range(n))


def holding(rules: str, cards: str) -> Table:
    """Seat 0 has hit its way to these numbers and is asked again; seat 1, if any, sits on a 12."""
    table = Table(rules, seats=1 if rules.startswith("solo") else 2)
    answers = {"card for 1": "12", "1: stay hit": "1:stay", "0: stay hit": "0:hit"}
    for card in cards.split():
        while table.asked != "card for 0":
            table.tell(answers[table.asked])
        table.tell(card)
    while table.asked in ("card for 1", "1: stay hit"):
        table.tell(answers[table.asked])
    return table

"""A table where cards and moves fall as a story tells them.

    Table("classic").tell("2s 3h 8s 9h  0:0 1:0  7d 0:discard 0:play-on")

A bare word is the next card, `1:show` is an answer of seat 1; a word that is not due fails the test.
The table keeps books of its own: every card is a thing that lies somewhere and that some have seen.
After every word both views are compared with these books, number by number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import pitboss
from pitboss.core.step import DEALER, OVER

ALL = ("classic", "full", "fair")

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK = [rank + suit for suit in "shdc" for rank in RANKS] + ["*1", "*2"]
NUMBER = {card: number for number, card in enumerate(DECK, 1)}

# What is asked, by code, and how one may answer.
SLOT = ("0", "1")
QUESTIONS: dict[int, tuple[str, tuple[str, str]]] = {
    60: ("peek", SLOT), 61: ("peek", SLOT), 62: ("call", ("play-on", "show")), 63: ("call", ("play-on", "show")),
    64: ("keep or discard", ("keep", "discard")), 65: ("slot for", SLOT), 66: ("use", ("no", "yes")),
    67: ("look", SLOT), 68: ("look across", SLOT), 69: ("offer", SLOT), 70: ("take", SLOT),
    71: ("swap or leave", ("leave", "swap")),
}  # fmt: skip

# What the two details of an event are: a slot, a card, a number, or nothing.
DETAILS = {
    "dealt": "sc", "peeked": "sc", "drew": "c", "kept": "s", "discarded": "c", "replaced": "c", "power": "c",
    "looked": "sc", "looked across": "sc", "swapped": "ss", "shown": "cc", "won": "nn", "tied": "n",
}  # fmt: skip


def presets(*names: str) -> Callable[[Any], Any]:
    """Run a test under each of these rule books."""
    return pytest.mark.parametrize("preset", names)


@cache
def _game(rules: str) -> Any:
    return pitboss.load(f"show:{rules}")


def worth(card: str) -> int:
    """A card's points (H1)."""
    rank, suit = card[:-1], card[-1]
    if rank in ("*", "K"):
        return -1 if rank == "*" else 13 if suit in "sc" else 0
    return {"A": 1, "J": 11, "Q": 12}.get(rank) or int(rank)


class Thing:
    """A card of paper: there can be two of a kind."""

    def __init__(self, text: str) -> None:
        self.text, self.seen_by = text, set[int]()


class Table:
    """A game in progress, told word by word."""

    def __init__(self, rules: str) -> None:
        self.position = _game(rules).start(2)
        self.events: list[Any] = self.position.events()
        deck = self.position.game.rules.deck
        self.deck = Counter(DECK if deck == "all" else deck.split())
        self.hands: list[list[Thing]] = [[], []]
        self.grave: list[Thing] = []
        self.drawn: Thing | None = None
        self.notes = [[0] * 5, [0] * 5]  # of each player's latest turn: draw, power, own slot, other slot, exchange
        self.chosen, self.fault, self.called, self.answered = [0, 0], False, -1, 0
        self._check()

    def tell(self, story: str) -> Table:
        """Let the cards fall and the seats answer in this order; `events` is then what happened."""
        self.events = []
        for word in story.split():
            seat, _, what = word.rpartition(":")
            due = int(seat) if seat else DEALER
            assert self.position.to_act == due, f"{word!r} comes when the table waits for: {self.asked}"
            if seat and what != "fault":
                assert what in QUESTIONS[self.code][1], f"{word!r} is no answer to: {self.asked}"
            code = self.answered = self.code
            news = self.position.apply(what.replace("-", " "))
            if what == "fault":
                self.fault = True
            elif seat:
                self.called = due if what == "show" else self.called
                self._answered(due, code, QUESTIONS[code][1].index(what))
            else:
                self._came(Thing(what))
            if self.over and self.called >= 0 and not self.fault:
                self._see(*self.hands[0], *self.hands[1])  # H17
            self.events += news
            self._check()
            self._overhear(news)
        return self

    # --- our own books ---

    def _see(self, *things: Thing, by: tuple[int, ...] = (0, 1)) -> None:
        for thing in things:
            thing.seen_by.update(by)

    def _came(self, thing: Thing) -> None:
        dealt = sum(map(len, self.hands))
        if dealt < 4:
            self.hands[dealt % 2].append(thing)
        else:
            self.drawn = thing
            self._see(thing, by=((self.begun - 1) % 2,))
            self.notes[(self.begun - 1) % 2] = [0] * 5

    def _answered(self, seat: int, code: int, answer: int) -> None:
        own, other = self.hands[seat], self.hands[1 - seat]
        if code in (60, 61, 67):
            self._see(own[answer], by=(seat,))
        elif code == 68:
            self._see(other[answer], by=(seat,))
        elif (code == 64 and answer == 1) or code == 65:
            assert self.drawn
            gone, self.drawn = self.drawn, None
            if code == 65:
                gone, own[answer] = own[answer], gone
            self._see(gone)
            self.grave.append(gone)
        elif code in (69, 70):
            self.chosen[code - 69] = answer
        mine, theirs = self.chosen
        self._noted(self.notes[seat], code, answer)
        if code == 70 and self.grave[-1].text[0] == "K":
            self._see(own[mine], other[theirs], by=(seat,))
        elif code == 70 or (code == 71 and answer == 1):
            own[mine], other[theirs] = other[theirs], own[mine]

    def _noted(self, note: list[int], code: int, answer: int) -> None:
        rank = self.grave[-1].text[:-1] if self.grave else ""
        if code == 65 or (code == 64 and answer == 1):
            note[0] = 2 + answer if code == 65 else 1
        elif code == 66 and answer == 1:
            note[1] = {"10": 10, "J": 11, "Q": 12, "K": 13}[rank]
        elif code in (67, 68):
            note[code - 65] = 1 + answer
        elif code == 70:
            note[2:] = [1 + self.chosen[0], 1 + answer, int(rank == "Q")]
        elif code == 71:
            note[4] = 1 if answer == 1 else 2

    @property
    def begun(self) -> int:
        """How many turns have begun: each buries one card in the end."""
        due = self.position.to_act == DEALER and len(self.hands[1]) == 2
        return len(self.grave) + (self.drawn is not None or due)

    def _things(self, seen_by: int | None = None) -> Counter[str]:
        things = [*self.hands[0], *self.hands[1], *self.grave, *([self.drawn] if self.drawn else [])]
        return Counter(thing.text for thing in things if seen_by is None or seen_by in thing.seen_by)

    def _check(self) -> None:
        s, over = self.position.states[0], self.over
        assert bool(self.position.legal) != over, "only a finished game has no legal moves"
        assert sum(self.payoff) == 0, "somebody won what nobody lost"
        assert over or self.payoff == [0, 0], "the game is paid before it is over"
        left = self.deck - self._things()
        assert s["left"].tolist() == [0, *(left[card] for card in DECK)], "cards were lost or made"
        assert [self.hand(0), self.hand(1)] == [_text(hand) for hand in self.hands], "a card lies in the wrong place"
        compared = over and self.called >= 0 and not self.fault
        last = self.called >= 0 and getattr(self.position.game.rules, f"last_turn_after_p{self.called + 1}")
        deck_out = over and not self.fault and (not compared or (last and self.answered in (62, 63)))
        points = [sum(worth(thing.text) for thing in hand) if compared else 0 for hand in self.hands]
        tied = points[0] == points[1] and not self.fault
        graveyard = [NUMBER[thing.text] for thing in self.grave]
        rank = self.grave[-1].text[:-1] if 66 <= self.code <= 71 else ""
        public = {
            "to_act": self.position.to_act, "decision": s["decision"], "caller": self.called, "payoff": self.payoff,
            "last_turn": int(last), "deck_out": int(deck_out), "dealt": sum(map(len, self.hands)),
            "player": max(self.begun - 1, 0) % 2, "turns": [(self.begun + 1) // 2, self.begun // 2], "points": points,
            "left_total": left.total(), "grave_size": len(graveyard), "grave": graveyard + [0] * (54 - len(graveyard)),
            "ended": (2 if tied else 1) if over else 0, "own_slot": self.chosen[0], "other_slot": self.chosen[1],
            "notes": self.notes,
        }  # fmt: skip
        public["power"] = s["power"] if over else {"10": 10, "J": 11, "Q": 12, "K": 13, "": 0}[rank]
        for seat in (0, 1):
            own, other = self.hands[seat], self.hands[1 - seat]
            mine = self.drawn is not None and seat in self.drawn.seen_by
            unseen = self.deck - self._things(seen_by=seat)
            private = {
                "seat": seat, "own": _known(own, seat), "other": _known(other, seat),
                "own_known_to_other": _flags(own, 1 - seat), "other_known_to_other": _flags(other, 1 - seat),
                "drawn": NUMBER[self.drawn.text] if mine else -1, "unseen": [0, *(unseen[card] for card in DECK)],
            }  # fmt: skip
            view = self.view(seat)
            assert {*public, *private} == {*view.record.dtype.names}, "a part of the view that we know nothing of"
            for name, value in {**public, **private}.items():
                assert view.record[name].tolist() == value, f"{name} as seat {seat} sees it"
            assert view.legal == ([0, 1] if self.position.to_act == seat else [])

    def _overhear(self, news: list[Any]) -> None:
        """Nobody is told of a card that it has not seen."""
        for seat in (0, 1):
            seen = {NUMBER[card] for card in self._things(seen_by=seat)}
            for event in (e.seen_by(seat) for e in news):
                kinds = DETAILS.get(event.kind, "")
                named = {detail for kind, detail in zip(kinds, (event.a, event.b), strict=False) if kind == "c"}
                assert named <= seen | {-1}, f"seat {seat} was told too much: {event}"

    # --- what is going on ---

    @property
    def over(self) -> bool:
        return self.position.to_act == OVER

    @property
    def code(self) -> int:
        return int(self.position.states["decision"][0])

    @property
    def asked(self) -> str:
        """Whom the table waits for, about what: `0: keep or discard 7s`, `1: call`, `card for 1`, `over`."""
        seat = self.position.to_act
        if seat in (DEALER, OVER):
            dealt = sum(map(len, self.hands))
            return "over" if seat == OVER else f"card for {dealt % 2 if dealt < 4 else (self.begun - 1) % 2}"
        about = self.drawn or (self.grave[-1] if self.code == 66 else None)
        return f"{seat}: {QUESTIONS[self.code][0]}" + (f" {about.text}" if about else "")

    def heard(self, seat: int) -> list[str]:
        """What a seat heard in the latest telling: `0 drew ?`, `1 peeked 0 5h`."""
        return [_line(event.seen_by(seat)) for event in self.events]

    # --- what lies on the table ---

    def view(self, seat: int) -> Any:
        return self.position.view(seat)

    def hand(self, seat: int) -> str:
        """The cards of a seat as they lie, whoever knows them."""
        return " ".join(DECK[n - 1] for n in self.position.states["hand"][0][seat].tolist() if n)

    def knows(self, seat: int) -> str:
        """What a seat knows of its own cards and of the other's: `2s ? / ? 9h`."""
        view = self.view(seat)
        return " / ".join(" ".join(DECK[n - 1] if n > 0 else "?" for n in cards) for cards in (view.own, view.other))

    @property
    def graveyard(self) -> str:
        return " ".join(DECK[n - 1] for n in self.view(0).graveyard)

    @property
    def payoff(self) -> list[int]:
        """In thousandths."""
        return self.position.states["payoff"][0].tolist()

    @property
    def points(self) -> list[int]:
        return self.position.states["points"][0].tolist()

    @property
    def caller(self) -> int:
        return int(self.position.states["caller"][0])

    @property
    def deck_out(self) -> int:
        return int(self.position.states["deck_out"][0])


def _text(hand: list[Thing]) -> str:
    return " ".join(thing.text for thing in hand)


def _known(hand: list[Thing], seat: int) -> list[int]:
    known = [NUMBER[thing.text] if seat in thing.seen_by else -1 for thing in hand]
    return known + [-1] * (2 - len(known))


def _flags(hand: list[Thing], seat: int) -> list[int]:
    return [int(card > 0) for card in _known(hand, seat)]


def _line(event: Any) -> str:
    words = [str(event.seat), event.kind] if event.seat >= 0 else [event.kind]
    for kind, detail in zip(DETAILS.get(event.kind, ""), (event.a, event.b), strict=False):
        words.append(str(detail) if kind != "c" else DECK[detail - 1] if detail > 0 else "?")
    return " ".join(words)


def opened(rules: str, story: str = "") -> Table:
    """Seat 0 has 2s and 8s, seat 1 has 3h and 9h, each has looked at its slot 0; on with the story."""
    return Table(rules).tell("2s 3h 8s 9h  0:0 1:0").tell(story)

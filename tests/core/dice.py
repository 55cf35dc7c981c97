"""A small game of hidden dice, for the tests: Cups.

Everybody gets a die under a cup that nobody may look into. In each round a die says openly who begins, and is
forgotten; then everybody rolls a die to look at alone, and all bet in secret, one after the other; then these dice and
the bets are shown, and the highest die wins the bets. After a few rounds the cups are lifted: who has most wins.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pitboss.core.bot import Bot
from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.game import Game, Position
from pitboss.core.rules import RulesBase, switch
from pitboss.core.scene import Face, Scene, SeatScene
from pitboss.core.step import DEALER, FAULT, OVER, RUNNING, TIED, WON, Step

SEATS, SIDES, BETS = 3, 6, 3
NONE, COVERED = -1, -2  # instead of a die or a bet: there is none; you may not know it
ROLL, BET = 0, 1  # decisions

KINDS = ("covered", "begins", "rolled", "bet", "shown", "scored", "lifted", "won", "fault")
UNDER_CUP, BEGINS, ROLLED, HAS_BET, SHOWN, SCORED, LIFTED, HAS_WON, FAULTED = range(len(KINDS))

FIELDS = [
    ("to_act", np.int32), ("decision", np.int32), ("seats", np.int32), ("ended", np.int32),
    ("left_total", np.int32), ("left", np.int32, (SIDES,)),
    ("round", np.int32), ("first", np.int32), ("rolls", np.int32), ("bets", np.int32),
    ("die", np.int32, (SEATS,)), ("cup", np.int32, (SEATS,)), ("bet", np.int32, (SEATS,)),
    ("shown", np.int32, (SEATS,)), ("shown_bet", np.int32, (SEATS,)), ("total", np.int32, (SEATS,)),
]  # fmt: skip
STATE = np.dtype(FIELDS, align=True)
VIEW = np.dtype([("seat", np.int32), *FIELDS], align=True)


@compiled
def start(s, r, seats, ev):
    s["seats"] = seats
    s["ended"] = RUNNING
    s["round"] = 0
    for i in range(SEATS):
        s["total"][i] = 0
        s["cup"][i] = s["shown"][i] = s["shown_bet"][i] = NONE
    for side in range(SIDES):
        s["left"][side] = 1
    s["left_total"] = SIDES
    _begin(s)


@compiled
def _begin(s):
    s["round"] += 1
    s["first"] = NONE
    s["rolls"] = s["bets"] = 0
    for i in range(SEATS):
        s["die"][i] = s["bet"][i] = NONE
    s["to_act"] = DEALER
    s["decision"] = ROLL


@compiled
def legal(s, r):
    if int(s["to_act"]) == OVER:
        return 0
    return (1 << SIDES) - 1 if int(s["decision"]) == ROLL else (1 << BETS) - 1


@compiled
def apply(s, r, move, ev):
    seats = int(s["seats"])
    if int(s["decision"]) == BET:
        seat = int(s["to_act"])
        if move == FAULT:
            emit(ev, FAULTED, seat, 0, 0)
        s["bet"][seat] = max(move, 0)
        s["bets"] += 1
        emit(ev, HAS_BET, seat, max(move, 0), 0)
        s["to_act"] = (seat + 1) % seats
        if int(s["bets"]) == seats:
            _show(s, r, ev)
    elif int(s["round"]) == 1 and int(s["cup"][seats - 1]) == NONE:
        seat = 0
        while int(s["cup"][seat]) != NONE:
            seat += 1
        s["cup"][seat] = move
        emit(ev, UNDER_CUP, seat, move + 1, 0)
    elif int(s["first"]) == NONE:
        s["first"] = move % seats
        emit(ev, BEGINS, move % seats, move + 1, 0)
    else:
        seat = int(s["rolls"])
        s["die"][seat] = move
        s["rolls"] = seat + 1
        emit(ev, ROLLED, seat, move + 1, 0)
        if seat + 1 == seats:
            s["to_act"] = s["first"]
            s["decision"] = BET


@compiled
def _show(s, r, ev):
    best, pot = 0, 0
    for seat in range(int(s["seats"])):
        s["shown"][seat] = s["die"][seat]
        s["shown_bet"][seat] = s["bet"][seat]
        pot += int(s["bet"][seat])
        emit(ev, SHOWN, seat, int(s["shown"][seat]) + 1, int(s["bet"][seat]))
        if int(s["shown"][seat]) > int(s["shown"][best]):
            best = seat
    s["total"][best] += pot
    emit(ev, SCORED, best, pot, int(s["total"][best]))
    if int(s["round"]) < int(r["rounds"]):
        _begin(s)
        return
    most, winners, last = 0, 0, 0
    for seat in range(int(s["seats"])):
        s["total"][seat] += s["cup"][seat] + 1
        emit(ev, LIFTED, seat, int(s["cup"][seat]) + 1, int(s["total"][seat]))
        most = max(most, int(s["total"][seat]))
    for seat in range(int(s["seats"])):
        if int(s["total"][seat]) == most:
            winners += 1
            last = seat
    s["ended"] = WON if winners == 1 else TIED
    emit(ev, HAS_WON, last, most, winners)
    s["to_act"] = OVER
    s["decision"] = ROLL


@compiled
def where(s):
    cups = 0
    for i in range(SEATS):
        cups += 1 if int(s["cup"][i]) != NONE else 0
    return (int(s["round"]) << 8) | (cups << 4) | (int(s["rolls"]) + (0 if int(s["first"]) == NONE else 1))


@compiled
def observe(s, r, seat, v):
    v["seat"] = seat
    v["to_act"] = s["to_act"]
    v["decision"] = s["decision"]
    v["seats"] = s["seats"]
    v["ended"] = s["ended"]
    v["left_total"] = s["left_total"]
    v["round"] = s["round"]
    v["first"] = s["first"]
    v["rolls"] = s["rolls"]
    v["bets"] = s["bets"]
    for side in range(SIDES):
        v["left"][side] = s["left"][side]
    over = int(s["to_act"]) == OVER
    for i in range(SEATS):
        v["die"][i] = s["die"][i] if over or i == seat or int(s["die"][i]) == NONE else COVERED
        v["bet"][i] = s["bet"][i] if over or i == seat or int(s["bet"][i]) == NONE else COVERED
        v["cup"][i] = s["cup"][i] if over or int(s["cup"][i]) == NONE else COVERED
        v["shown"][i] = s["shown"][i]
        v["shown_bet"][i] = s["shown_bet"][i]
        v["total"][i] = s["total"][i]
    return v


@compiled
def tally(s, rows):
    seats, most, winners = int(s["seats"]), 0, 0
    for seat in range(seats):
        most = max(most, int(s["total"][seat]))
    for seat in range(seats):
        winners += 1 if int(s["total"][seat]) == most else 0
    for seat in range(seats):
        won = int(s["total"][seat]) == most
        rows[seat, 0] = 1 if won and winners == 1 else 0
        rows[seat, 1] = 1 if won and winners > 1 else 0
        rows[seat, 2] = 1 / winners if won else 0.0
        rows[seat, 3] = int(s["total"][seat])


@dataclass(frozen=True, eq=False)
class Rules(RulesBase):
    """How many rounds there are."""

    presets: ClassVar[dict[str, Rules]] = {}
    default_preset: ClassVar[str] = "short"
    rounds: int = switch(2, "how many rounds are played", least=1, most=20)

    @property
    def seats(self) -> range:
        return range(2, SEATS + 1)


Rules.presets.update(short=Rules())


@dataclass(frozen=True)
class Event:
    """What happened. Nobody may know the die under a cup; a die that was rolled and a bet are their seat's secrets."""

    kind: str
    seat: int
    a: int
    b: int
    major: ClassVar[bool] = False

    def seen_by(self, seat):
        hidden = self.kind == "covered" or (self.kind in ("rolled", "bet") and seat != self.seat)
        return Event(self.kind, self.seat, COVERED, self.b) if hidden else self

    def text(self, names):
        return f"{names[self.seat]} {self.kind} {'' if self.a == COVERED else self.a} {self.b}"


class View:
    """What a seat may know."""

    def __init__(self, raw, seat):
        self.raw, self.seat = raw, seat

    @cached_property
    def record(self):
        return np.frombuffer(self.raw, VIEW)[0]

    @property
    def legal(self):
        return list(range(BETS)) if int(self.record["to_act"]) == self.seat else []

    @property
    def question(self):
        return f"How much do you bet on {self.record['die'][self.seat] + 1}?"


class Cups(Game):
    """The game."""

    name = "cups"
    about = "hidden dice and hidden bets"
    preset_about: ClassVar[dict[str, str]] = {"short": "two rounds"}
    rules_class = Rules
    step = Step(start, legal, apply, where, observe, tally)
    state_dtype = STATE
    view_dtype = VIEW
    event_class = Event
    event_kinds = KINDS
    most_events = 12
    columns = ("total",)
    score = "total"

    def imagine(self, view: View, luck: int) -> Position:
        """Whatever is covered is rolled, or bet, anew."""
        rng, position = random.Random(luck), Position(self)
        state = position.states[0]
        for name in STATE.names:
            state[name] = view.record[name]
        for name, choices in (("die", SIDES), ("cup", SIDES), ("bet", BETS)):
            for seat in np.flatnonzero(state[name] == COVERED):
                state[name][seat] = rng.randrange(choices)
        return position

    def view(self, raw, seat):
        return View(raw, seat)

    def format_card(self, card):
        return str(card + 1)

    def parse_card(self, text):
        return int(text) - 1

    def format_move(self, move):
        return "fault" if move == FAULT else f"bet-{move}"

    def parse_move(self, text):
        return FAULT if text == "fault" else int(text.removeprefix("bet-"))

    def scene(self, view, names):
        r = view.record
        seats = []
        for seat in range(r["seats"]):
            dice = (_face(r["die"][seat]), _face(r["cup"][seat]))
            seats.append(SeatScene(names[seat], (dice,), (), str(r["total"][seat]), seat == r["to_act"], False))
        return Scene(f"{self}, round {r['round']}", "", tuple(seats), ())

    def words(self):
        return ["Roll and bet."]

    def deck(self):
        return [(str(side + 1), 1) for side in range(SIDES)]

    def bots(self) -> dict[str, Any]:
        return {}

    def python_bot(self):
        return Bot


def _face(die):
    return Face("?", "hidden", "hidden") if die < 0 else Face(str(die + 1), "number", str(die + 1))

"""A small game of hidden dice and many moves, for the tests: Bids.

Everybody rolls two dice to look at alone. In turn each bids how many dice of a face all have together, higher than
the bid before, or calls the last bidder a liar; then the dice are counted, and the caller or the bidder wins.

Its folder is put where packages are installed by the fixture `bids`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pitboss.core.bot import Bot, BotEntry
from pitboss.core.compile import compiled
from pitboss.core.errors import NotationError
from pitboss.core.events import emit
from pitboss.core.game import Figure, Game, Position
from pitboss.core.legal import chooser, moves_of
from pitboss.core.rules import RulesBase, switch
from pitboss.core.scene import Face, Scene, SeatScene
from pitboss.core.step import DEALER, FAULT, OVER, RUNNING, WON, Step

SEATS, DICE, FACES, MOST = 3, 2, 6, 60
NONE, COVERED = -1, -2
ROLL, BID = 0, 1  # decisions
LIAR = 0  # then 1 + (quantity - 1) * FACES + face, from 0
MOVES = 1 + MOST * FACES

KINDS = ("rolled", "bid", "called", "shown", "won", "fault")
ROLLED, HAS_BID, CALLED, SHOWN, HAS_WON, FAULTED = range(len(KINDS))

FIELDS = [
    ("to_act", np.int32), ("decision", np.int32), ("seats", np.int32), ("ended", np.int32),
    ("left_total", np.int32), ("left", np.int32, (FACES,)),
    ("rolls", np.int32), ("bid", np.int32), ("bidder", np.int32), ("winner", np.int32),
    ("dice", np.int32, (SEATS, DICE)),
]  # fmt: skip
STATE = np.dtype(FIELDS, align=True)
VIEW = np.dtype([("seat", np.int32), *FIELDS], align=True)


@compiled
def start(s, r, seats, ev):
    s["seats"] = seats
    s["ended"] = RUNNING
    s["to_act"] = DEALER
    s["decision"] = ROLL
    s["rolls"] = 0
    s["bid"] = s["bidder"] = s["winner"] = NONE
    for face in range(FACES):
        s["left"][face] = 1
    s["left_total"] = FACES
    for seat in range(SEATS):
        for die in range(DICE):
            s["dice"][seat, die] = NONE


@compiled
def legal(s, r, move):
    if int(s["to_act"]) == OVER:
        return False
    if int(s["decision"]) == ROLL:
        return move < FACES
    if move == LIAR:
        return int(s["bid"]) != NONE
    return move > int(s["bid"]) and move <= int(r["most"]) * FACES


@compiled
def apply(s, r, move, ev):
    seats, seat = int(s["seats"]), int(s["to_act"])
    if int(s["decision"]) == ROLL:
        rolls = int(s["rolls"])
        s["dice"][rolls // DICE, rolls % DICE] = move
        emit(ev, ROLLED, rolls // DICE, move + 1, 0)
        s["rolls"] = rolls + 1
        if rolls + 1 == seats * DICE:
            s["to_act"] = 0
            s["decision"] = BID
    elif move == FAULT:
        emit(ev, FAULTED, seat, 0, 0)
        _end(s, (seat + 1) % seats, ev)
    elif move == LIAR:
        face, quantity, count = (int(s["bid"]) - 1) % FACES, (int(s["bid"]) - 1) // FACES + 1, 0
        emit(ev, CALLED, seat, quantity, face + 1)
        for other in range(seats):
            for die in range(DICE):
                count += 1 if int(s["dice"][other, die]) == face else 0
        _end(s, int(s["bidder"]) if count >= quantity else seat, ev)
    else:
        s["bid"] = move
        s["bidder"] = seat
        emit(ev, HAS_BID, seat, (move - 1) // FACES + 1, (move - 1) % FACES + 1)
        s["to_act"] = (seat + 1) % seats


@compiled
def _end(s, winner, ev):
    for seat in range(int(s["seats"])):
        for die in range(DICE):
            emit(ev, SHOWN, seat, int(s["dice"][seat, die]) + 1, 0)
    s["winner"] = winner
    s["ended"] = WON
    s["to_act"] = OVER
    s["decision"] = ROLL
    emit(ev, HAS_WON, winner, 0, 0)


@compiled
def where(s):
    return int(s["rolls"])


@compiled
def observe(s, r, seat, v):
    v["seat"] = seat
    v["to_act"] = s["to_act"]
    v["decision"] = s["decision"]
    v["seats"] = s["seats"]
    v["ended"] = s["ended"]
    v["left_total"] = s["left_total"]
    v["rolls"] = s["rolls"]
    v["bid"] = s["bid"]
    v["bidder"] = s["bidder"]
    v["winner"] = s["winner"]
    for face in range(FACES):
        v["left"][face] = s["left"][face]
    for i in range(SEATS):
        for die in range(DICE):
            seen = i == seat or int(s["to_act"]) == OVER or int(s["dice"][i, die]) == NONE
            v["dice"][i, die] = s["dice"][i, die] if seen else COVERED
    return v


@compiled
def tally(s, rows):
    for seat in range(int(s["seats"])):
        won = 1 if int(s["winner"]) == seat else 0
        rows[seat, 0] = won
        rows[seat, 1] = 0
        rows[seat, 2] = won
        rows[seat, 3] = won
        rows[seat, 4] = max(int(s["bid"]), 0)


any_move = chooser(legal, MOVES)


@compiled
def random_bot(v, r, seat, params, luck):
    """Any legal move."""
    return any_move(v, r, luck)


@compiled
def careful_bot(v, r, seat, params, luck):
    """Calls as soon as there can be no more than half as many dice, else bids one more of its first die's face."""
    bid = int(v["bid"])
    if bid != NONE and (bid - 1) // FACES + 1 > int(v["seats"]):
        return LIAR
    return max(bid - 1, 0) // FACES * FACES + FACES + int(v["dice"][seat, 0]) + 1


@dataclass(frozen=True, eq=False)
class Rules(RulesBase):
    """How high a bid can be."""

    presets: ClassVar[dict[str, Rules]] = {}
    default_preset: ClassVar[str] = "long"
    most: int = switch(MOST, "how many dice a bid can be of", least=1, most=MOST)

    @property
    def seats(self) -> range:
        return range(2, SEATS + 1)


Rules.presets.update(long=Rules(), short=Rules(most=4))


@dataclass(frozen=True)
class Event:
    """What happened; what is rolled is its seat's secret."""

    kind: str
    seat: int
    a: int
    b: int

    @property
    def major(self) -> bool:
        return self.kind == "won"

    def seen_by(self, seat):
        return Event(self.kind, self.seat, COVERED, 0) if self.kind == "rolled" and seat != self.seat else self

    def text(self, names):
        return f"{names[self.seat]}: {self.kind} {'' if self.a == COVERED else self.a} {self.b}"


class View:
    """What a seat may know."""

    def __init__(self, game, raw, seat, bits=None):
        self.game, self.raw, self.seat, self.bits = game, raw, seat, bits

    @cached_property
    def record(self):
        return np.frombuffer(self.raw, VIEW)[0]

    @property
    def legal(self):
        if int(self.record["to_act"]) != self.seat:
            return []
        return moves_of(self.game.legal_bits(self.raw) if self.bits is None else self.bits)

    @property
    def mine(self):
        return self.record["dice"][self.seat].tolist()

    @property
    def question(self):
        return "What do you bid?"

    def as_dict(self):
        return {"seat": self.seat, "bid": int(self.record["bid"]), "dice": [die + 1 for die in self.mine]}


class BidsBot(Bot):
    """For bots in Python."""

    def start(self, seat, rules, rng):
        self.seat, self.rules, self.rng = seat, rules, rng


class Bids(Game):
    """The game."""

    name = "bids"
    about = "hidden dice, and bids on them"
    preset_about: ClassVar[dict[str, str]] = {"long": "up to 60 dice", "short": "up to 4 dice"}
    rules_class = Rules
    step = Step(start, legal, apply, where, observe, tally, MOVES)
    state_dtype = STATE
    view_dtype = VIEW
    event_class = Event
    event_kinds = KINDS
    most_events = 9
    columns = ("won", "last bid")
    score = "won"
    figures = (Figure("last_bid", "last bid", "last bid"),)

    def imagine(self, view: View, luck: int) -> Position:
        rng, position = random.Random(luck), Position(self)
        state = position.states[0]
        for name in STATE.names:
            state[name] = view.record[name]
        for place in np.argwhere(state["dice"] == COVERED):
            state["dice"][tuple(place)] = rng.randrange(FACES)
        return position

    def view(self, raw, seat):
        return View(self, raw, seat)

    def view_with(self, raw, seat, legal):
        return View(self, raw, seat, legal)

    def format_card(self, card):
        return str(card + 1)

    def parse_card(self, text):
        return int(text) - 1

    def format_move(self, move):
        if move in (LIAR, FAULT):
            return "liar" if move == LIAR else "fault"
        return f"bid {(move - 1) // FACES + 1} {(move - 1) % FACES + 1}"

    def parse_move(self, text):
        match text.split():
            case ["liar"]:
                return LIAR
            case ["fault"]:
                return FAULT
            case ["bid", quantity, face] if quantity.isdigit() and face in ("1", "2", "3", "4", "5", "6"):
                return 1 + (int(quantity) - 1) * FACES + int(face) - 1
        raise NotationError(f"{text!r} is not a move: liar, or bid and two numbers")

    def format_move_at(self, view, move):
        """With how many of the face are one's own: bid 3 5/2."""
        own = f"/{view.mine.count((move - 1) % FACES)}" if move > LIAR else ""
        return self.format_move(move) + own

    def parse_move_at(self, view, text):
        return self.parse_move(text.partition("/")[0])

    def describe_move(self, view, move, names):
        if move == LIAR:
            return f"call {names[int(view.record['bidder'])]} a liar"
        return self.format_move_at(view, move)

    def scene(self, view, names):
        r = view.record
        seats = []
        for seat in range(int(r["seats"])):
            dice = tuple(_face(die) for die in r["dice"][seat] if die != NONE)
            bid = self.format_move(int(r["bid"])) if r["bidder"] == seat else ""
            seats.append(SeatScene(names[seat], (dice,), (), bid, seat == int(r["to_act"]), False))
        return Scene(f"{self}, the bidding", "", tuple(seats), ())

    def words(self):
        return ["Roll, bid, call."]

    def deck(self):
        return [(str(face + 1), 1) for face in range(FACES)]

    def bots(self) -> dict[str, Any]:
        return {
            "random": BotEntry("random", "any legal move", lambda wanted: (random_bot, [])),
            "careful": BotEntry("careful", "bids a little more", lambda wanted: (careful_bot, [])),
        }

    def python_bot(self):
        return BidsBot


def _face(die):
    return Face("?", "hidden", "hidden") if die < 0 else Face(str(die + 1), "number", str(die + 1))

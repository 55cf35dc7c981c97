"""Flip 7: With a Vengeance for learning agents: what counts, what each choice would mean, and actions.

`choices` has a few numbers about the seat that must decide, then as many about each action, so that one small network
can score any action at a table of any size. All of it is what a player who counts cards knows: odds and points, never a
value. Seats are counted from the agent's own, clockwise, in actions too, so that it plays the same wherever it sits.
"""

from __future__ import annotations

from dataclasses import replace

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.learning import Encoding, Field, Learning
from pitboss.core.types import Array
from pitboss.games.vengeance.bots.aim import held, leader, merit
from pitboss.games.vengeance.cards import HALF, LINE, MINUS_2, SWAP
from pitboss.games.vengeance.odds import all_coming, busts_coming, coming
from pitboss.games.vengeance.rules import VengeanceRules
from pitboss.games.vengeance.state import (
    ACTIVE,
    CARD_0,
    FLIP_7,
    PICK,
    PICK_SECOND,
    PRIZE,
    SEAT_0,
    STAYED,
    TARGET,
    State,
    minus_points,
    number_on,
)

STATE_SIZE, CHOICE_SIZE = 26, 16
MOST = 4.0  # no number is larger
A_HAND, A_GAIN = 50.0, 10.0  # points that count as one


# --- actions ---


def actions(rules: VengeanceRules, seats: int) -> int:
    """Stay and hit; a seat, where somebody may have to be chosen; a card of a seat, where there are actions."""
    if rules.actions:
        return SEAT_0 + seats + seats * LINE
    return SEAT_0 + (seats if seats > 1 and (rules.modifiers or rules.flip7_bonus == "either") else 0)


@compiled
def move_of(action: int, seats: int, seat: int) -> int:
    """The move that an action stands for: seats are counted from the agent's own."""
    if action < SEAT_0:
        return action
    if action < SEAT_0 + seats:
        return SEAT_0 + (action - SEAT_0 + seat) % seats
    place = action - SEAT_0 - seats
    return CARD_0 + (place // LINE + seat) % seats * LINE + place % LINE


# --- what there is to know ---


@compiled_as(inline=False)  # inlined, it would take minutes to compile
def write_choices(s: State, r: State, seat: int, out: Array) -> None:
    """What the seat knows of itself and of the table, then what it knows of each action."""
    seats, decision = int(s["seats"]), int(s["decision"])
    rival = leader(s, r, seat)
    for i in range(len(out)):
        out[i] = 0.0
    _write_state(s, r, seat, rival, out)
    count = (len(out) - STATE_SIZE) // CHOICE_SIZE
    for action in range(min(count, SEAT_0)):
        out[STATE_SIZE + action * CHOICE_SIZE + action] = 1.0
    if decision == TARGET or decision == PRIZE:
        for action in range(SEAT_0, min(count, SEAT_0 + seats)):
            other = (action - SEAT_0 + seat) % seats
            _write_seat(s, r, seat, other, rival, out[STATE_SIZE + action * CHOICE_SIZE + 2 :])
    elif decision == PICK or decision == PICK_SECOND:
        for action in range(SEAT_0 + seats, count):
            place = move_of(action, seats, seat) - CARD_0
            if (int(s["line"][place // LINE]) >> (place % LINE)) & 1:
                at = STATE_SIZE + action * CHOICE_SIZE + 2
                _write_seat(s, r, seat, place // LINE, rival, out[at:])
                _write_card(s, r, seat, rival, place, out[at + 9 :])
    for i in range(len(out)):
        out[i] = min(max(out[i], -MOST), MOST)


@compiled
def _risk(s: State, r: State, seat: int) -> float:
    """The chance that the next card busts a seat."""
    return busts_coming(s, r, seat) / max(all_coming(s, r), 1)


@compiled
def _stands(s: State, r: State, seat: int) -> int:
    """What a seat would have if the round ended now."""
    return int(s["total"][seat]) + int(s["points"][seat])


@compiled_as(inline=False)
def _write_state(s: State, r: State, seat: int, rival: int, out: Array) -> None:
    decision, card, target, seats = int(s["decision"]), int(s["card"]), float(int(r["target"])), int(s["seats"])
    now, total = int(s["points"][seat]), int(s["total"][seat])
    if decision > 0:
        out[decision - 1] = 1.0  # five questions
    if card >= LINE:
        out[5 + card - LINE] = 1.0  # five actions
    elif card >= MINUS_2:
        out[10] = 1.0
        out[11] = minus_points(card) / A_GAIN
        out[12] = 1.0 if card == HALF else 0.0
    gain, active = 0, 0
    for kind in range(MINUS_2):
        gain += coming(s, r, kind) * (held(s, r, seat, -1, kind) - now)
    for other in range(seats):
        active += 1 if other != seat and int(s["status"][other]) == ACTIVE else 0
    out[13] = now / A_HAND
    out[14] = total / target
    out[15] = (total + now) / target
    out[16] = int(s["count"][seat]) / FLIP_7
    out[17] = 1.0 if int(s["count"][seat]) == FLIP_7 - 1 else 0.0
    out[18] = _risk(s, r, seat)
    out[19] = gain / max(all_coming(s, r), 1) / A_GAIN
    out[20] = 1.0 / seats
    out[21] = active / max(seats - 1, 1)
    out[22] = 1.0 if total + now >= target else 0.0
    if rival >= 0:
        out[23] = _stands(s, r, rival) / target
        out[24] = (total + now - _stands(s, r, rival)) / A_HAND
        out[25] = 1.0 if _stands(s, r, rival) >= target else 0.0


@compiled_as(inline=False)
def _write_seat(s: State, r: State, seat: int, other: int, rival: int, out: Array) -> None:
    """A seat that may be chosen, or whose card may be."""
    out[0] = 1.0 if other == seat else 0.0
    out[1] = 1.0 if other == rival else 0.0
    out[2] = 1.0 if int(s["status"][other]) == STAYED else 0.0
    out[3] = int(s["points"][other]) / A_HAND
    out[4] = _stands(s, r, other) / float(int(r["target"]))
    out[5] = (_stands(s, r, other) - _stands(s, r, seat)) / A_HAND
    out[6] = int(s["count"][other]) / FLIP_7
    out[7] = _risk(s, r, other)
    out[8] = 1.0 if int(s["card"]) >= SWAP and other == seat else 0.0


@compiled_as(inline=False)
def _write_card(s: State, r: State, seat: int, rival: int, place: int, out: Array) -> None:
    """A card that may be chosen: what is on it, what its owner would lose, what that brings against the leader."""
    owner, kind = place // LINE, place % LINE
    out[0] = number_on(kind) / A_GAIN if kind < MINUS_2 else -minus_points(kind) / A_GAIN
    out[1] = 1.0 if kind >= MINUS_2 else 0.0
    out[2] = (held(s, r, owner, -1, -1) - held(s, r, owner, kind, -1)) / A_GAIN
    out[3] = merit(s, r, seat, rival, place) / A_GAIN
    out[4] = 1.0 if held(s, r, seat, -1, kind) == 0 else 0.0


def choices_layout(rules: VengeanceRules, seats: int) -> tuple[Field, ...]:
    """What `write_choices` writes."""
    choices = (Field(f"choice {action}", CHOICE_SIZE, -MOST, MOST) for action in range(actions(rules, seats)))
    return Field("state", STATE_SIZE, -MOST, MOST), *choices


CHOICES = Encoding(
    "the odds and the standings, and what each action means, for networks that score actions",
    write_choices,
    choices_layout,
)


def learning(usual: Learning) -> Learning:
    """What environments ask: as for every game, with actions of one's own numbering, and `choices` besides."""
    return replace(usual, encodings={**usual.encodings, "choices": CHOICES}, actions=actions, move_of=move_of)

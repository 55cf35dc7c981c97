"""Flip 7 as agents of `pitboss.learn` see it: what counts, and what each choice would mean.

`choices` has a few numbers about the seat that must decide, then as many about each action, so that one small
network can score any action at a table of any size. `cells` has, for each action, its place in a table of values.
All of it is worked out from what a player who counts cards knows: the odds of the next card, never a value.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.learning import Field
from pitboss.core.types import Array
from pitboss.games.flip7.cards import FREEZE, NUMBERS, SECOND_CHANCE, TIMES_2
from pitboss.games.flip7.odds import all_coming, coming, duplicates_coming
from pitboss.games.flip7.rules import Flip7Rules
from pitboss.games.flip7.state import ACTIVE, ASSIGN, FLIP_7, HIT, HIT_OR_STAY, SAVE, SEAT_0, STAY, TARGET, State, gain

STATE_SIZE, CHOICE_SIZE = 32, 16
MOST = 4.0  # no number is larger
A_HAND, A_GAIN = 50.0, 10.0  # points that count as one


# --- odds ---


@compiled
def duplicate_risk(s: State, seat: int) -> float:
    """The chance that the next card is a number that the seat holds."""
    return duplicates_coming(s, seat) / max(all_coming(s), 1)


@compiled
def mean_gain(s: State, seat: int) -> float:
    """What the next card adds on average, if a duplicate adds nothing."""
    total = 0
    for kind in range(TIMES_2 + 1):
        if kind >= NUMBERS or not int(s["front"][seat, kind]):
            total += coming(s, kind) * gain(s, seat, kind)
    return total / max(all_coming(s), 1)


@compiled
def standing(s: State, seat: int) -> int:
    """What the seat would have if the round ended now."""
    return int(s["total"][seat]) + int(s["points"][seat])


@compiled
def best_other(s: State, seat: int) -> int:
    """The other seat that stands best; the seat itself, if it is alone."""
    best, most = seat, -1
    for other in range(int(s["seats"])):
        if other != seat and standing(s, other) > most:
            best, most = other, standing(s, other)
    return best


# --- for networks ---


@compiled
def write_choices(s: State, r: State, seat: int, out: Array) -> None:
    """What the seat knows of itself and of the table, then what it knows of each action."""
    seats = int(s["seats"])
    best = best_other(s, seat)
    _write_state(s, r, seat, best, out)
    for action in range((len(out) - STATE_SIZE) // CHOICE_SIZE):
        at = STATE_SIZE + action * CHOICE_SIZE
        for i in range(at, at + CHOICE_SIZE):
            out[i] = 0.0
        if action < SEAT_0:
            out[at + action] = 1.0
        else:
            other = action - SEAT_0 + seat
            _write_target(s, r, seat, other if other < seats else other - seats, best, out[at + SEAT_0 :])
    for i in range(len(out)):
        out[i] = min(max(out[i], -MOST), MOST)


@compiled
def _write_state(s: State, r: State, seat: int, best: int, out: Array) -> None:
    decision, card, target = int(s["decision"]), int(s["card"]), float(int(r["target"]))
    points, total, seats = int(s["points"][seat]), int(s["total"][seat]), int(s["seats"])
    risk, cards = duplicate_risk(s, seat), max(all_coming(s), 1)
    bust = 0.0 if int(s["chance"][seat]) else risk
    out[0] = 1.0 if decision == HIT_OR_STAY else 0.0
    out[1] = 1.0 if decision == TARGET or decision == ASSIGN else 0.0
    out[2] = 1.0 if decision == SAVE else 0.0
    for kind in range(FREEZE, SECOND_CHANCE + 1):
        out[3 + kind - FREEZE] = 1.0 if card == kind and decision != HIT_OR_STAY else 0.0
        out[6 + kind - FREEZE] = coming(s, kind) / cards
    out[9] = points / A_HAND
    out[10] = total / target
    out[11] = (total + points) / target
    out[12] = int(s["numbers"][seat]) / FLIP_7
    out[13] = 1.0 if int(s["numbers"][seat]) == FLIP_7 - 1 else 0.0
    out[14] = int(s["chance"][seat])
    out[15] = int(s["three"][seat])
    out[16] = risk
    out[17] = bust
    out[18] = mean_gain(s, seat) / A_GAIN
    out[19] = points * bust / A_GAIN
    out[20] = int(s["front"][seat, TIMES_2])
    out[21] = max(target - total, 0) / A_HAND
    out[22] = 1.0 if total + points >= target else 0.0
    out[23] = 1.0 / seats
    out[24] = int(s["waiting"]) / 3.0
    out[25] = cards / 100.0
    active, active_points, together = 0, 0, 0
    for other in range(seats):
        if other != seat:
            together += standing(s, other)
            if int(s["status"][other]) == ACTIVE:
                active += 1
                active_points = max(active_points, int(s["points"][other]))
    others = max(seats - 1, 1)
    lead = standing(s, best) if best != seat else 0
    out[26] = active / others
    out[27] = active_points / A_HAND
    out[28] = lead / target
    out[29] = together / others / target
    out[30] = (total + points - lead) / A_HAND if best != seat else 0.0
    out[31] = 1.0 if lead >= target else 0.0


@compiled
def _write_target(s: State, r: State, seat: int, other: int, best: int, out: Array) -> None:
    """A seat that a card may go to, as the one who must choose looks at it."""
    target = float(int(r["target"]))
    out[0] = 1.0 if other != seat else 0.0
    out[1] = 1.0 if other == seat else 0.0
    out[2] = int(s["points"][other]) / A_HAND
    out[3] = int(s["total"][other]) / target
    out[4] = standing(s, other) / target
    out[5] = int(s["numbers"][other]) / FLIP_7
    out[6] = 0.0 if int(s["chance"][other]) else duplicate_risk(s, other)
    out[7] = int(s["chance"][other])
    out[8] = 1.0 if other == best else 0.0
    out[9] = (standing(s, other) - standing(s, seat)) / A_HAND
    out[10] = 1.0 if standing(s, other) >= int(r["target"]) else 0.0
    out[11] = int(s["points"][other]) * out[6] / A_GAIN


def choices_layout(actions: int) -> tuple[Field, ...]:
    """What `write_choices` writes at a table with so many actions."""
    choices = (Field(f"choice {action}", CHOICE_SIZE, -MOST, MOST) for action in range(actions))
    return Field("state", STATE_SIZE, -MOST, MOST), *choices


# --- for tables of values ---

POINT_BINS, RISK_BINS = 24, 21  # of two points each, of 2.5 % each
_HANDS = 2 * POINT_BINS * RISK_BINS * FLIP_7  # Second Chance, points, risk, numbers
_STANDS, _RISKS = 3, 4  # how a target stands compared to the chooser; how likely its next card is a duplicate
_TARGETS = 3 * 2 * 2 * _STANDS * _RISKS  # card, self, the best of the others, ...
CELLS = 2 * _HANDS + 2 + _TARGETS


@compiled
def write_cells(s: State, r: State, seat: int, out: Array) -> None:
    """The place of each action in a table of values."""
    points = min(int(s["points"][seat]) // 2, POINT_BINS - 1)
    risk = min(duplicates_coming(s, seat) * 40 // max(all_coming(s), 1), RISK_BINS - 1)
    hand = (int(s["chance"][seat]) * POINT_BINS + points) * RISK_BINS + risk
    hand = hand * FLIP_7 + min(int(s["numbers"][seat]), FLIP_7 - 1)
    best, seats = best_other(s, seat), int(s["seats"])
    card = min(max(int(s["card"]) - FREEZE, 0), 2)
    for action in range(len(out)):
        if action == STAY or action == HIT:
            out[action] = 2 * hand + action
        elif action < SEAT_0:
            out[action] = 2 * _HANDS + action - 2
        else:
            other = action - SEAT_0 + seat
            other = other if other < seats else other - seats
            ahead = standing(s, other) - standing(s, seat)
            place = (card * 2 + (1 if other == seat else 0)) * 2 + (1 if other == best else 0)
            place = place * _STANDS + (0 if ahead < -A_GAIN else 1 if ahead <= A_GAIN else 2)
            risk = 0 if int(s["chance"][other]) else duplicates_coming(s, other) * 10 // max(all_coming(s), 1)
            out[action] = 2 * _HANDS + 2 + place * _RISKS + min(risk, _RISKS - 1)


def cells_layout(actions: int) -> tuple[Field, ...]:
    """What `write_cells` writes at a table with so many actions."""
    return (Field("cell", actions, 0, CELLS - 1),)


def rivals(rules: Flip7Rules) -> list[str]:
    """Bots worth beating; nobody, for those who play alone."""
    names = ["stay-25", "ev", "bust-0.25"]
    if rules.solo:
        return []
    targeted = rules.freeze == "targeted" or rules.flip_three == "targeted"
    return [*names, *(f"{name}+freeze-leader" for name in names)] if targeted else names

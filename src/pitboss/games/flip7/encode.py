"""Flip 7 for learning agents: views as rows of numbers, actions, rewards.

Seats are counted from the agent's own, clockwise, in rows and in actions alike, so that an agent plays the same
wherever it sits.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.learning import Encoding, Field, Learning, Stakes
from pitboss.core.step import RUNNING
from pitboss.core.types import Array
from pitboss.games.flip7.cards import FLIP_THREE, FREEZE, KINDS, NUMBERS, PLUS_2, TIMES_2
from pitboss.games.flip7.features import cells_layout, choices_layout, write_cells, write_choices
from pitboss.games.flip7.rules import Flip7Rules
from pitboss.games.flip7.state import ACTIVE, BONUS, FLIP_7, SEAT_0, STAY, State
from pitboss.games.flip7.step import legal

MODIFIERS = TIMES_2 + 1 - PLUS_2
MOST_POINTS = 2 * sum(range(NUMBERS - FLIP_7, NUMBERS)) + sum(range(2, 12, 2)) + BONUS  # of one round

WIN, POINTS, ROUNDS, LEAD = 0, 1, 2, 3  # rewards
GAME, ROUND = 0, 1  # episodes

SEAT_SIZE = 7  # numbers about a seat in a table
TABLE_SIZE = 4 + KINDS - FREEZE + TIMES_2 + 1 + KINDS + 3  # the others
STAGE_SIZE, STATUSES = 11, 6


@compiled
def write_hand(s: State, r: State, seat: int, out: Array) -> None:
    """The hand, its modifiers, the cards left, the total, the round."""
    for kind in range(TIMES_2 + 1):
        out[kind] = s["front"][seat, kind]
        out[TIMES_2 + 1 + kind] = s["left"][kind]
    out[2 * TIMES_2 + 2] = s["total"][seat]
    out[2 * TIMES_2 + 3] = s["round"]


def hand_layout(rules: Flip7Rules, seats: int) -> tuple[Field, ...]:
    """What `write_hand` writes; a number held twice has busted its seat."""
    return (
        Field("hand", NUMBERS, 0, 2, "how many of each number"),
        Field("modifiers", MODIFIERS, 0, rules.copies),
        Field("left", TIMES_2 + 1, 0, max(rules.deck), "in the deck, by kind"),
        Field("total", 1, 0, rules.target + MOST_POINTS * rules.copies),
        Field("round", 1, 1, rules.max_rounds),
    )


@compiled
def write_table(s: State, r: State, seat: int, out: Array) -> None:
    """The question, the own place, the cards, then the other seats."""
    at = 0
    decision = int(s["decision"])
    for question in range(1, 5):
        out[at] = 1 if decision == question else 0
        at += 1
    for kind in range(FREEZE, KINDS):
        out[at] = 1 if int(s["card"]) == kind else 0
        at += 1
    for kind in range(TIMES_2 + 1):
        out[at] = s["front"][seat, kind]
        at += 1
    for kind in range(KINDS):
        out[at] = s["left"][kind]
        at += 1
    out[at] = s["left_total"]
    out[at + 1] = _waiting(s, FREEZE)
    out[at + 2] = _waiting(s, FLIP_THREE)
    at += 3
    seats, other, most = int(s["seats"]), seat, int(r["target"]) + MOST_POINTS * int(r["copies"])
    for _ in range(seats):
        out[at] = 1 if int(s["status"][other]) == ACTIVE else 0
        out[at + 1] = s["points"][other]
        out[at + 2] = min(int(s["total"][other]), most)  # tied leaders who play on could have any number
        out[at + 3] = s["numbers"][other]
        out[at + 4] = s["chance"][other]
        out[at + 5] = s["three"][other]
        out[at + 6] = _dangers(s, other)
        at += 7
        other = other + 1 if other + 1 < seats else 0


@compiled
def _waiting(s: State, card: int) -> int:
    """How many cards of a kind are set aside."""
    count = 0
    for i in range(int(s["waiting"])):
        if int(s["waiting_card"][i]) == card:
            count += 1
    return count


@compiled
def _dangers(s: State, seat: int) -> int:
    """How many cards left in the deck are numbers that the seat holds."""
    count = 0
    for kind in range(NUMBERS):
        count += min(int(s["front"][seat, kind]), 1) * int(s["left"][kind])
    return count


def table_layout(rules: Flip7Rules, seats: int) -> tuple[Field, ...]:
    """What `write_table` writes."""
    cards = sum(rules.deck)
    out = [
        Field("question", 4, 0, 1, "hit or stay, target, assign, save"),
        Field("card", KINDS - FREEZE, 0, 1, "the action card in question"),
        Field("hand", NUMBERS, 0, 2, "how many of each number"),
        Field("modifiers", MODIFIERS, 0, rules.copies),
        Field("left", KINDS, 0, max(rules.deck), "in the deck, by kind"),
        Field("cards_left", 1, 0, cards),
        Field("waiting", 2, 0, 3 * rules.copies, "Freezes and Flip Threes set aside"),
    ]
    for place in range(seats):
        who = f"seat+{place}"
        out += [
            Field(f"{who} active", 1, 0, 1),
            Field(f"{who} points", 1, 0, MOST_POINTS * rules.copies, "what it would bank now"),
            Field(f"{who} total", 1, 0, rules.target + MOST_POINTS * rules.copies),
            Field(f"{who} numbers", 1, 0, FLIP_7, "how many different ones it holds"),
            Field(f"{who} second chance", 1, 0, 1),
            Field(f"{who} draws three", 1, 0, 1),
            Field(f"{who} dangers", 1, 0, cards, "cards in the deck with a number that it holds"),
        ]
    return tuple(out)


@compiled
def write_complete(s: State, r: State, seat: int, out: Array) -> None:
    """The table, then where the round stands, the cards out of the deck, those set aside, and every seat's cards."""
    write_table(s, r, seat, out)
    seats = int(s["seats"])
    at = TABLE_SIZE + SEAT_SIZE * seats
    out[at] = s["round"]
    out[at + 1] = s["opened"]
    out[at + 2] = s["again"]
    out[at + 3] = s["to_take"]
    out[at + 4] = s["flipping"]
    out[at + 5] = s["three_hit"]
    out[at + 6] = int(s["assigning"]) + 1
    out[at + 7] = s["waiting_from"]
    out[at + 8] = _from(int(s["dealer"]), seat, seats)
    out[at + 9] = _from(int(s["turn"]), seat, seats)
    out[at + 10] = _from(int(s["taker"]), seat, seats)
    at += STAGE_SIZE
    for kind in range(KINDS):
        out[at + kind] = s["discards"][kind]
        out[at + KINDS + kind] = s["spent"][kind]
    at += 2 * KINDS
    for i in range(6 * int(r["copies"])):
        here = i < int(s["waiting"])
        out[at] = int(s["waiting_card"][i]) if here else 0
        out[at + 1] = _from(int(s["waiting_by"][i]), seat, seats) if here else 0
        out[at + 2] = _from(int(s["waiting_for"][i]), seat, seats) if here else 0
        at += 3
    other = seat
    for _ in range(seats):
        for status in range(STATUSES):
            out[at + status] = 1 if int(s["status"][other]) == status else 0
        at += STATUSES
        for kind in range(KINDS):
            out[at + kind] = s["front"][other, kind]
        out[at + KINDS] = s["taken"][other]
        out[at + KINDS + 1] = s["last"][other]
        out[at + KINDS + 2] = s["busts"][other]
        out[at + KINDS + 3] = s["flip7s"][other]
        at += KINDS + 4
        other = other + 1 if other + 1 < seats else 0


@compiled
def _from(other: int, seat: int, seats: int) -> int:
    """A seat counted from the own one, which is 1; 0 if there is none."""
    if other < 0:
        return 0
    return other - seat + 1 if other >= seat else other - seat + seats + 1


def complete_layout(rules: Flip7Rules, seats: int) -> tuple[Field, ...]:
    """What `write_complete` writes."""
    cards, rounds, seat = sum(rules.deck), rules.max_rounds, "counted from the own one, which is 1; 0 if none"
    out = [
        *table_layout(rules, seats),
        Field("round", 1, 0, rounds),
        Field("opening cards", 1, 0, seats, "seats that had their chance of one"),
        Field("again", 1, 0, 1, "whether the seat in turn decides again"),
        Field("to take", 1, 0, cards, "cards that a seat still has to take"),
        Field("flipping", 1, 0, 1, "whether by a Flip Three"),
        Field("three by a hit", 1, 0, 1),
        Field("assigning", 1, 0, cards, "which card set aside is assigned now, counted from 1; 0 if none"),
        Field("latest Flip Three", 1, 0, cards, "where its cards begin among those set aside"),
        Field("dealer", 1, 0, seats, seat),
        Field("turn", 1, 0, seats, seat),
        Field("taker", 1, 0, seats, seat),
        Field("discards", KINDS, 0, max(rules.deck), "what a reshuffle would bring back, by kind"),
        Field("spent", KINDS, 0, max(rules.deck), "out of play until the round ends, by kind"),
        Field("set aside", 18 * rules.copies, 0, max(KINDS, seats), "of each card: its kind, who chooses, for whom"),
    ]
    for place in range(seats):
        who = f"seat+{place}"
        out += [
            Field(f"{who} status", STATUSES, 0, 1, "active, busted, stayed, frozen, banked, Flip 7"),
            Field(f"{who} cards", KINDS, 0, max(2, max(rules.deck)), "in front of it, by kind"),
            Field(f"{who} taken", 1, 0, cards, "cards in this round"),
            Field(f"{who} last", 1, 0, MOST_POINTS * rules.copies, "points of the latest round"),
            Field(f"{who} busts", 1, 0, rounds, "rounds so far"),
            Field(f"{who} Flip 7s", 1, 0, rounds, "so far"),
        ]
    return tuple(out)


def actions(rules: Flip7Rules, seats: int) -> int:
    """Stay and hit; no and yes where a save is asked for; a seat where somebody may have to be chosen."""
    handed = rules.second_chance in ("kept", "given")
    if seats > 1 and (rules.freeze == "targeted" or rules.flip_three == "targeted" or handed):
        return SEAT_0 + seats
    saves = handed or rules.second_chance == "flag"
    return SEAT_0 if saves and rules.save == "asked" else STAY + 2


@compiled
def move_of(action: int, seats: int, seat: int) -> int:
    """Seats are counted from the agent's own."""
    if action < SEAT_0:
        return action
    chosen = action - SEAT_0 + seat
    return SEAT_0 + (chosen if chosen < seats else chosen - seats)


@compiled
def worth(s: State, r: State, seat: int, reward: int) -> float:
    """The share of the win; the points of finished rounds, also less those of the others; or minus one for each."""
    over = int(s["ended"]) != RUNNING
    if reward == POINTS:
        return float(int(s["total"][seat]))
    if reward == LEAD:
        return _lead(s, seat)
    if reward == ROUNDS:
        return float(1 - int(s["round"]) - (1 if over else 0))
    if not over or not int(s["won"][seat]):
        return 0.0
    winners = 0
    for other in range(int(s["seats"])):
        winners += int(s["won"][other])
    return 1.0 / winners


@compiled
def _lead(s: State, seat: int) -> float:
    """The points of finished rounds, less what the others have on average."""
    seats, together = int(s["seats"]), 0
    for other in range(seats):
        together += int(s["total"][other])
    own = int(s["total"][seat])
    return own - (together - own) / max(seats - 1, 1)


@compiled
def part(s: State, episode: int) -> int:
    """The round, if each is an episode."""
    return int(s["round"]) if episode == ROUND else 0


def stakes(rules: Flip7Rules, seats: int) -> Stakes:
    """The win; alone, the rounds. In a round no seat decides more often than there are cards."""
    decisions = rules.max_rounds * 2 * sum(rules.deck)
    return Stakes("rounds", -rules.max_rounds, 0, decisions) if rules.solo else Stakes("win", 0, 1, decisions)


def lesson(rules: Flip7Rules, seats: int) -> tuple[str, str]:
    """Round by round: its points, or with others what they bring more than theirs."""
    return ("points" if seats == 1 else "lead"), "round"


COMPLETE = Encoding("table, and all else that lies there", write_complete, complete_layout)
HAND = Encoding("hand, modifiers, cards left, total and round: all there is to know alone", write_hand, hand_layout)
TABLE = Encoding("the question, the own hand, the cards left, and how every seat stands", write_table, table_layout)
CHOICES = Encoding(
    "the odds and the standings, and what each action means, for networks that score actions",
    write_choices,
    lambda rules, seats: choices_layout(actions(rules, seats)),
)
CELLS = Encoding(
    "the place of each action in a table of values",
    write_cells,
    lambda rules, seats: cells_layout(actions(rules, seats)),
    np.int64,
)


def learning(rules: Flip7Rules) -> Learning:
    """What environments ask."""
    alone = rules.solo and not rules.actions
    shared = {"table": TABLE, "choices": CHOICES, "cells": CELLS, "complete": COMPLETE}
    encodings = {"hand": HAND, **shared} if alone else shared
    return Learning(
        encodings, actions, move_of, legal, ("win", "points", "rounds", "lead"), worth, ("game", "round"), part,
        stakes, lesson,
    )  # fmt: skip

"""The built-in bots, compiled. Each has a readable idea; some have a Python twin in `bot.py`.

All take as their first parameter a target rule, which answers everything but hit or stay:
`stay-25+freeze-leader` is `stay-25` with the rule of that name. Decisions compare whole numbers,
so that no rounding can change a move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import BotError, unknown
from pitboss.core.keys import below
from pitboss.core.rules import YES as TRUTHS
from pitboss.core.types import Array
from pitboss.games.flip7.cards import KINDS, NUMBERS, PLUS_2, SECOND_CHANCE, TIMES_2
from pitboss.games.flip7.odds import all_coming, deck_coming, duplicates_coming
from pitboss.games.flip7.state import BONUS, FLIP_7, HIT, HIT_OR_STAY, SAVE, SEAT_0, STAY, YES, State, plus_points
from pitboss.games.flip7.step import legal

MILLION = 1_000_000

TARGET_RULES = {
    "random-targets": "any legal target, by luck; what a bot does that names no rule",
    "freeze-leader": "Freeze and Flip Three on the opponent with the most points in total and on the table; "
    "a Second Chance for itself, or for whoever is last",
    "freeze-risky": "Freeze and Flip Three on the opponent with the most number cards; "
    "a Second Chance for itself, or for whoever is last",
}
RANDOM_TARGETS, FREEZE_LEADER, FREEZE_RISKY = 0, 1, 2


@compiled
def pick(bits: int, luck: np.uint64) -> int:
    """One of the set bits, by luck."""
    count, rest = 0, bits
    while rest:
        rest &= rest - 1
        count += 1
    skip = below(luck, count)
    place = 0
    while True:
        if (bits >> place) & 1:
            if skip == 0:
                return place
            skip -= 1
        place += 1


@compiled
def _merit(s: State, seat: int, card: int, rule: int) -> int:
    """How much a target rule likes an opponent as the target of a card."""
    if card == SECOND_CHANCE:
        return -int(s["total"][seat])
    if rule == FREEZE_LEADER:
        return int(s["total"][seat]) + int(s["points"][seat])
    return 1000 * int(s["numbers"][seat]) + int(s["points"][seat])


@compiled
def choose(s: State, r: State, seat: int, rule: int, luck: np.uint64) -> int:
    """The answer to everything but hit or stay."""
    if int(s["decision"]) == SAVE:
        return YES
    seats = legal(s, r) >> SEAT_0
    if rule == RANDOM_TARGETS:
        return SEAT_0 + pick(seats, luck)
    card = int(s["card"])
    if card == SECOND_CHANCE and (seats >> seat) & 1:
        return SEAT_0 + seat
    best, most = seat, -MILLION
    for other in range(int(s["seats"])):
        if (seats >> other) & 1 and other != seat:
            merit = _merit(s, other, card, rule)
            if merit > most:
                best, most = other, merit
    return SEAT_0 + best


@compiled_as(counted=False)
def random_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Any legal move, all equally likely."""
    return pick(legal(s, r), luck)


@compiled_as(counted=False)
def stay_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Stays with N points or more."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, int(params[0]), luck)
    return HIT if int(s["points"][seat]) < int(params[1]) else STAY


@compiled_as(counted=False)
def cards_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Stays with N number cards, or with N cards of any kind."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, int(params[0]), luck)
    count = int(s["numbers"][seat])
    if int(params[2]):
        for kind in range(NUMBERS, KINDS):
            count += int(s["front"][seat, kind])
    return HIT if count < int(params[1]) else STAY


@compiled_as(counted=False)
def bust_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Stays when the next card would bust with probability p or more; a Second Chance counts as safety."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, int(params[0]), luck)
    if int(s["chance"][seat]) or duplicates_coming(s, seat) * MILLION < int(params[1]) * all_coming(s):
        return HIT
    return STAY


@compiled_as(counted=False)
def always_hit_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Never stays."""
    return HIT if int(s["decision"]) == HIT_OR_STAY else choose(s, r, seat, int(params[0]), luck)


@compiled_as(counted=False)
def ev_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Hits if one more card, then staying, is worth more on average than staying now."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, int(params[0]), luck)
    # As sums over kinds, without a branch: a third faster on a CPU, and on a GPU few threads ask it at once.
    new, worth, held, plus, deck = 0, 0, 0, 0, deck_coming(s)
    for kind in range(NUMBERS):
        cards, fresh = int(deck[kind]), 1 if int(s["front"][seat, kind]) == 0 else 0
        new += cards * fresh
        worth += cards * fresh * kind
        held += cards * (1 - fresh)
    for kind in range(PLUS_2, TIMES_2):
        plus += int(deck[kind]) * plus_points(kind)
    doubled = int(s["front"][seat, TIMES_2]) > 0
    balance = plus + (2 * worth if doubled else worth + int(deck[TIMES_2]) * int(s["sum"][seat]))
    if int(s["numbers"][seat]) == FLIP_7 - 1:
        balance += BONUS * new
    if not int(s["chance"][seat]):
        balance -= held * int(s["points"][seat])
    return HIT if balance > 0 else STAY


Made = tuple[Any, list[float]]


def target_rule(wanted: Wanted) -> float:
    """The rule after the plus sign, as the number that compiled bots know it by."""
    if wanted.rule is None:
        return RANDOM_TARGETS
    if wanted.rule not in TARGET_RULES:
        raise BotError(unknown("target rule", wanted.rule, TARGET_RULES))
    return list(TARGET_RULES).index(wanted.rule)


def _plain(function: Any, *numbers: float) -> Callable[[Wanted], Made]:
    """A bot without a number of its own."""

    def build(wanted: Wanted) -> Made:
        wanted.verify_plain()
        return function, [target_rule(wanted), *numbers]

    return build


def _numbered(function: Any, example: str, least: float, most: float, scale: int = 1) -> Callable[[Wanted], Made]:
    """A bot with a number after its name."""

    def build(wanted: Wanted) -> Made:
        if wanted.named:
            raise BotError(f"the bot {wanted.name} takes no named parameters")
        return function, [target_rule(wanted), round(scale * wanted.verify_number(example, least, most))]

    return build


def _cards(wanted: Wanted) -> Made:
    every = wanted.named.get("all", "false")
    if set(wanted.named) - {"all"} or every not in TRUTHS:
        raise BotError("the bot cards takes one named parameter: all=true counts every card, all=false number cards")
    return cards_bot, [target_rule(wanted), wanted.verify_number("cards-4", 0, 20), TRUTHS[every]]


ENTRIES: dict[str, BotEntry] = {
    "random": BotEntry("random", "any legal move, all equally likely", _plain(random_bot)),
    "conservative": BotEntry("conservative", "passes after two cards of any kind", _plain(cards_bot, 2, 1)),
    "stay": BotEntry("stay-N", "stays with N points or more", _numbered(stay_bot, "stay-25", 0, 200)),
    "cards": BotEntry("cards-N", "stays with N number cards; cards-N(all=true) counts every card", _cards),
    "bust": BotEntry(
        "bust-P",
        "stays when the next card busts with probability P or more",
        _numbered(bust_bot, "bust-0.25", 0.0, 1.0, MILLION),
    ),
    "always-hit": BotEntry("always-hit", "never stays", _plain(always_hit_bot)),
    "ev": BotEntry("ev", "hits while one more card gains points on average", _plain(ev_bot)),
}

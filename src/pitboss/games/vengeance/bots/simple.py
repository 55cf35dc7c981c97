"""The simple built-in bots, compiled. Each has a readable idea about hit or stay; `aim` answers everything else.

Decisions compare whole numbers, so that no rounding can change a move.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled
from pitboss.core.errors import BotError, unknown
from pitboss.core.types import Array
from pitboss.games.vengeance.bots.aim import TARGET_RULES, aim, any_move, held
from pitboss.games.vengeance.cards import MINUS_2, UNLUCKY_7
from pitboss.games.vengeance.odds import all_coming, busts_coming, coming
from pitboss.games.vengeance.state import FLIP_7, HIT, HIT_OR_STAY, STAY, State, number_on

MILLION = 1_000_000


@compiled
def random_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Any legal move, all equally likely."""
    return any_move(s, r, luck)


@compiled
def stay_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Stays with N points or more."""
    if int(s["decision"]) != HIT_OR_STAY:
        return aim(s, r, seat, int(params[0]), luck)
    return HIT if int(s["points"][seat]) < int(params[1]) else STAY


@compiled
def cards_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Stays with N different numbers."""
    if int(s["decision"]) != HIT_OR_STAY:
        return aim(s, r, seat, int(params[0]), luck)
    return HIT if int(s["count"][seat]) < int(params[1]) else STAY


@compiled
def bust_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Stays when the next card would bust with probability p or more."""
    if int(s["decision"]) != HIT_OR_STAY:
        return aim(s, r, seat, int(params[0]), luck)
    return HIT if busts_coming(s, r, seat) * MILLION < int(params[1]) * all_coming(s, r) else STAY


@compiled
def always_hit_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Never stays."""
    return HIT if int(s["decision"]) == HIT_OR_STAY else aim(s, r, seat, int(params[0]), luck)


@compiled
def ev_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Hits if one more card, then staying, is worth more on average than staying now."""
    if int(s["decision"]) != HIT_OR_STAY:
        return aim(s, r, seat, int(params[0]), luck)
    balance, now, line = 0, int(s["points"][seat]), int(s["line"][seat])
    if int(s["left_total"]) > 0 and line & 1 == 0 and line < 1 << MINUS_2 and int(s["count"][seat]) < FLIP_7 - 1:
        bits = int(s["deadly"][seat])  # the usual case, without branches: a number adds itself, or busts
        for kind in range(MINUS_2):
            after = number_on(kind) + (now if kind != UNLUCKY_7 else 0)
            gained = (after if kind != 0 else 0) * (1 - ((bits >> kind) & 1)) - now
            balance += int(s["left"][kind]) * gained
        return HIT if balance > 0 else STAY
    for kind in range(MINUS_2):
        balance += coming(s, r, kind) * (held(s, r, seat, -1, kind) - now)
    return HIT if balance > 0 else STAY


Made = tuple[Callable[..., int], list[float]]


def target_rule(wanted: Wanted) -> float:
    """The rule after the plus sign, as the number that compiled bots know it by."""
    if wanted.rule is None:
        return 0
    if wanted.rule not in TARGET_RULES:
        raise BotError(unknown("target rule", wanted.rule, TARGET_RULES))
    return [*TARGET_RULES].index(wanted.rule)


def _plain(function: Callable[..., int], *numbers: float) -> Callable[[Wanted], Made]:
    """A bot without a number of its own."""

    def build(wanted: Wanted) -> Made:
        wanted.verify_plain()
        return function, [target_rule(wanted), *numbers]

    return build


def _numbered(
    function: Callable[..., int], example: str, least: float, most: float, scale: int = 1
) -> Callable[[Wanted], Made]:
    """A bot with a number after its name."""

    def build(wanted: Wanted) -> Made:
        if wanted.named:
            raise BotError(f"the bot {wanted.name} takes no named parameters")
        return function, [target_rule(wanted), round(scale * wanted.verify_number(example, least, most))]

    return build


ENTRIES: dict[str, BotEntry] = {
    "random": BotEntry("random", "any legal move, all equally likely", _plain(random_bot)),
    "cautious": BotEntry("cautious", "stays as soon as one card in ten would bust it", _plain(bust_bot, MILLION // 10)),
    "stay": BotEntry("stay-N", "stays with N points or more", _numbered(stay_bot, "stay-25", 0, 200)),
    "cards": BotEntry("cards-N", "stays with N different numbers", _numbered(cards_bot, "cards-4", 0, 7)),
    "bust": BotEntry(
        "bust-P",
        "stays when the next card busts with probability P or more",
        _numbered(bust_bot, "bust-0.25", 0.0, 1.0, MILLION),
    ),
    "always-hit": BotEntry("always-hit", "never stays", _plain(always_hit_bot)),
    "ev": BotEntry("ev", "hits while one more card gains points on average", _plain(ev_bot)),
}

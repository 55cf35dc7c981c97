"""`counter`: plays a round for points as well as a lone player can, counting every card.

It solves the rest of the round from the actual line and deck (`solver.hands`), inside the compiled loop: The Zero, both
13s, the Flip 7 and the modifiers that lie in its line included. Most decisions need no table: if one more card and then
staying is already better than staying, the answer is to hit.

Left out: what others do. A modifier or an action that it draws is taken to go to somebody else. An Unlucky 7 that comes
later in the round is taken to meet the hand of now, which makes a difference of some thousandths of a point.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.types import Array
from pitboss.games.vengeance.bots.aim import aim
from pitboss.games.vengeance.bots.simple import ev_bot, target_rule
from pitboss.games.vengeance.cards import HALF, MINUS_2, UNLUCKY_7
from pitboss.games.vengeance.odds import coming
from pitboss.games.vengeance.solver.hands import MOST_POINTS, SETS, after_unlucky, hands_of, settle
from pitboss.games.vengeance.state import HIT, HIT_OR_STAY, STAY, State


@compiled
def counter_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Hits while that is worth more points on average than to stay, under best play ever after."""
    if int(s["decision"]) != HIT_OR_STAY:
        return aim(s, r, seat, int(params[0]), luck)
    if ev_bot(s, r, seat, params, luck) == HIT:
        return HIT
    stay = int(s["points"][seat])
    return HIT if worth_of_hit(s, r, seat, float(stay)) > stay else STAY


@compiled_as(inline=False)
def worth_of_hit(s: State, r: State, seat: int, least: float) -> float:
    """What another card is worth to a lone player. Where that is not more than `least`, it may be even less."""
    deck = np.zeros(MINUS_2, np.int64)
    for kind in range(MINUS_2):
        deck[kind] = coming(s, r, kind)
    kinds = _own_modifiers(s, r)
    h = hands_of(r, deck, int(s["line"][seat]), int(s["twin"][seat]), kinds)
    values = np.empty((SETS, len(h.stay)))
    if deck[UNLUCKY_7] == 0:
        values[:] = 0.0
        return settle(h, values)
    values[:] = MOST_POINTS  # more than it can be worth: if that is too little, all is said
    hit = settle(h, values)
    if hit <= least:
        return hit
    after = hands_of(r, deck, 1 << UNLUCKY_7, 0, kinds)
    values[:] = after_unlucky(after, deck, after.end, values)
    return settle(h, values)


@compiled
def _own_modifiers(s: State, r: State) -> Any:
    """The modifiers to come that will fall on the seat: all of them, if it is alone."""
    count = 0
    for kind in range(MINUS_2, HALF + 1):
        count += coming(s, r, kind) if int(r["solo"]) else 0
    kinds, at = np.zeros(count, np.int64), 0
    for kind in range(MINUS_2, HALF + 1):
        for _ in range(coming(s, r, kind) if int(r["solo"]) else 0):
            kinds[at] = kind
            at += 1
    return kinds


def _counter(wanted: Wanted) -> tuple[Any, list[float]]:
    wanted.verify_plain()
    return counter_bot, [target_rule(wanted)]


COUNTER = BotEntry(
    "counter", "hits while that gains points on average, to the end of the round, counting cards", _counter
)

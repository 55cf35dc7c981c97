"""`adaptive`: one more card and then staying, with a Second Chance and a pending three-card hit taken into account.

As `ev` it compares what the next hit brings on average with what it risks. Three numbers, in points and percent,
say what `ev` leaves out, and can be changed: `adaptive(gained=15, spent=3, risk=100)`.

- **gained**: what it is worth to draw a Second Chance.
- **spent**: what it costs to use one up. In hand it makes a duplicate harmless but for this; where a save ends the
  round (`after_save=banks`) it costs nothing.
- **risk**: where the next hit draws three cards (`flip_three=next_hit`), the chance to lose the hand in three draws
  counts so much, in percent. The three are taken to be alike but for the numbers that the earlier ones add to the hand.

Without a Second Chance that works and without `next_hit` there is nothing to adapt to: it plays exactly as `ev`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled
from pitboss.core.errors import BotError, unknown
from pitboss.core.types import Array
from pitboss.games.flip7 import rules
from pitboss.games.flip7.bots.rules_of_thumb import choose, target_rule
from pitboss.games.flip7.cards import NUMBERS, SECOND_CHANCE, TIMES_2
from pitboss.games.flip7.odds import all_coming
from pitboss.games.flip7.state import BONUS, FLIP_7, HIT, HIT_OR_STAY, STAY, State, plus_points

DEFAULTS = {"gained": 15, "spent": 3, "risk": 100}
GAINED, SPENT, RISK = DEFAULTS.values()
MOST = 1000
THREE = 3
PARTS = 10_000  # in which chances are counted


class NextCards(NamedTuple):
    """The cards that may come next, as a seat looks at them."""

    good: int  # points that they add, in sum
    new: int  # numbers that it does not hold
    pairs: int  # duplicates
    later: int  # what those numbers would make duplicates


@compiled
def wants_card(s: State, r: State, seat: int, gained: int, spent: int, risk: int) -> bool:
    """Whether the next hit, and then staying, is worth more than staying now; whole numbers only."""
    doubled = 2 if int(s["front"][seat, TIMES_2]) else 1
    cards = s["left"] if int(s["left_total"]) > 0 else s["discards"]
    good, new, pairs, later = 0, 0, 0, 0
    for kind in range(NUMBERS):
        count, held = int(cards[kind]), int(s["front"][seat, kind])
        good += count * (1 - held) * kind * doubled
        new += count * (1 - held)
        later += count * (1 - held) * (count - 1)
        pairs += count * held
    for kind in range(NUMBERS, TIMES_2):
        good += int(cards[kind]) * plus_points(kind)
    good += int(cards[TIMES_2]) * int(s["sum"][seat]) * (2 - doubled)
    has, points = int(s["chance"][seat]), int(s["points"][seat])
    if has and int(r["after_save"]) == rules.BANKS:
        return good + new > 0
    if int(s["three"][seat]) and all_coming(s) >= THREE:
        return _wants_three(s, seat, NextCards(good, new, pairs, later), spent, risk)
    if int(s["numbers"][seat]) == FLIP_7 - 1:
        good += new * BONUS
    if has:
        return good > pairs * spent
    if int(r["second_chance"]) >= rules.FLAG:
        good += int(cards[SECOND_CHANCE]) * gained
    return good > pairs * points


@compiled
def _wants_three(s: State, seat: int, cards: NextCards, spent: int, risk: int) -> bool:
    """The same for a hit that draws three.

    Of n cards `pairs` are duplicates now, and each number that is drawn makes `later` / n more, on average. So each of
    the three draws is safe in so many of so many ways; together they keep the hand, or, with a Second Chance, all
    but one of them. `new` of the safe cards are numbers, which may make seven.
    """
    good, new, pairs, later = cards
    n, points = all_coming(s), int(s["points"][seat])
    ways_1, ways_2, ways_3 = n, n * (n - 1), n * (n - 2)
    bad_1, bad_2, bad_3 = pairs, min(n * pairs + later, ways_2), min(n * pairs + 2 * later, ways_3)
    safe_1, safe_2, safe_3 = ways_1 - bad_1, ways_2 - bad_2, ways_3 - bad_3
    kept, saved, ways = safe_1 * safe_2 * safe_3, 0, ways_1 * ways_2 * ways_3
    if int(s["chance"][seat]):
        saved = bad_1 * safe_2 * safe_3 + safe_1 * bad_2 * safe_3 + safe_1 * safe_2 * bad_3
    lost = min((ways - kept - saved) * PARTS // ways * risk // 100, PARTS)
    costs = lost * points + saved * PARTS // ways * spent
    gains = THREE * good * safe_1 * safe_1 + BONUS * _sevens(FLIP_7 - int(s["numbers"][seat]), new, safe_1)
    return (PARTS - lost) * gains > costs * safe_1 * safe_1 * safe_1


@compiled
def _sevens(missing: int, new: int, safe: int) -> int:
    """In how many of safe × safe × safe ways three cards, each new with chance new / safe, are the missing numbers."""
    if missing == 1:
        return safe * safe * safe - (safe - new) * (safe - new) * (safe - new)
    if missing == 2:
        return new * new * (3 * safe - 2 * new)
    return new * new * new if missing == THREE else 0


@compiled
def adaptive_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Hits while that gains points on average, a Second Chance and three cards at once taken into account."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, int(params[0]), luck)
    return HIT if wants_card(s, r, seat, int(params[1]), int(params[2]), int(params[3])) else STAY


# --- the bot by name ---


def _adaptive(wanted: Wanted) -> tuple[Any, list[float]]:
    if wanted.number is not None:
        raise BotError("the bot adaptive takes no number but named parameters, such as adaptive(gained=10)")
    for name in wanted.named:
        if name not in DEFAULTS:
            raise BotError(unknown("parameter of adaptive:", name, DEFAULTS))
    return adaptive_bot, [target_rule(wanted), *(_parameter(wanted.named, name) for name in DEFAULTS)]


def _parameter(named: Mapping[str, str], name: str) -> float:
    text = named.get(name, str(DEFAULTS[name]))
    if not text.isdecimal() or int(text) > MOST:
        raise BotError(f"{name}={text} of adaptive is not a whole number from 0 to {MOST}")
    return float(text)


ADAPTIVE = BotEntry(
    "adaptive",
    "as ev, but values a Second Chance and weighs three cards at once; adaptive(gained=15, spent=3, risk=100)",
    _adaptive,
)

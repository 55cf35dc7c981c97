"""Bots that play a round as well as it can be played, counting every card: `oracle` and `race`.

They solve the rest of the round from the actual hand, deck and discards, inside the compiled loop. Most
decisions need no table: if one more card and then staying is already better than staying, the answer is to hit.

Exact in solo books without Flip Three, Second Chance included. At a table with others it is what a lone
player should do: that others take cards from the same deck, or end the round by a Flip 7, is left out, and
Freeze and Flip Three count as cards that do nothing to the player, as if they always went to somebody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import BotError
from pitboss.core.types import Array
from pitboss.games.flip7 import rules
from pitboss.games.flip7.bots.rules_of_thumb import choose, target_rule
from pitboss.games.flip7.cards import FREEZE, KINDS, NUMBERS, SECOND_CHANCE, TIMES_2
from pitboss.games.flip7.odds import coming
from pitboss.games.flip7.solver import fresh
from pitboss.games.flip7.solver.bounds import MARGIN, kinds_of, live_hands, may_hit
from pitboss.games.flip7.solver.fresh import fresh_bot
from pitboss.games.flip7.solver.hands import (
    ACTIONS_LEFT,
    BUST,
    DRAWN,
    MAY,
    ON_ACTION,
    ON_DUPLICATE,
    ON_MODIFIER,
    ON_NUMBER,
    OVER,
    PLAN_COLUMNS,
    POINTS,
    SAVED,
    SIZE,
    SUM,
    WHAT,
    Floats,
    OwnCards,
    lay_out,
)
from pitboss.games.flip7.solver.race import race, without_targets
from pitboss.games.flip7.solver.settle import likely_hands, settle, solve
from pitboss.games.flip7.state import FLIP_7, HIT, HIT_OR_STAY, STAY, State, gain, plus_points, score

CHANCES = 2  # of the three action cards, which is the Second Chance


@compiled
def chance_plan(chances: int, held: int, banks: int) -> Any:
    """The plan of a round with Second Chances and no other action card, as `plan.explore` would find it.

    `chances` are to come, `held` is 1 if one is in hand, and `banks` if a save ends the round.
    """
    place = np.full((chances + 1, 2, chances + 2), BUST)
    lines = np.zeros((1 + (chances + 1) * (chances + 2), PLAN_COLUMNS), np.int64)
    count = 0
    if banks and chances + held > 0:
        lines[0, WHAT] = OVER
        count = 1
    for left in range(chances + 1):
        gone = chances - left
        for saved in range(0 if banks else gone + held, -1, -1):
            for has in range(2):
                first = gone == 0 and saved == 0
                if (first and has != held) or (not first and saved + has == 0) or saved + has > gone + held:
                    continue
                line = lines[count]
                line[WHAT], line[DRAWN], line[SAVED] = MAY, gone + saved, saved
                line[ON_NUMBER] = line[ON_MODIFIER] = count
                line[ON_DUPLICATE] = BUST
                if has:
                    line[ON_DUPLICATE] = 0 if banks else place[left, 0, saved + 1]
                for action in range(3):
                    line[ON_ACTION + action] = BUST
                if left > 0:
                    line[ON_ACTION + CHANCES] = place[left - 1, 1, saved]
                line[ACTIONS_LEFT + CHANCES] = left
                place[left, has, saved] = count
                count += 1
    return lines[:count].copy()


class LonePlayer(NamedTuple):
    """A player who draws alone from a deck without Freeze and Flip Three."""

    left: Any  # the deck, by kind
    discards: Any  # what a reshuffle would bring back
    own: OwnCards
    has: int  # 1 if a Second Chance is in hand
    banks: int  # 1 if a save ends the round
    returns: int  # 1 if what is used up can return in the same round


@compiled_as(inline=False)
def hit_value(lone: LonePlayer, utility: Array, needed: bool) -> float:
    """What another card is worth. If no value is needed but the better move, it may be -inf or inf instead.

    As `oracle.solve_round`, with a reshuffle in mid-round, but wholly compiled.
    """
    deck, later, own, banks = lone.left, lone.discards.copy(), lone.own, lone.banks
    if deck.sum() == 0:
        deck, later = later, np.zeros(KINDS, np.int64)
    if deck.sum() == 0:
        return utility[_points(own)]  # type: ignore[no-any-return]
    plan = chance_plan(deck[SECOND_CHANCE], lone.has, banks)
    kinds = kinds_of(plan)
    certain = kinds.usable and not needed
    if certain and _two_more(deck, own, lone.has, utility):
        return np.inf
    everything, saved = _all_in_hand(deck, own, lone.has, banks)
    ends, shields = np.zeros(2), lone.has + deck[SECOND_CHANCE]
    if saved >= 0:
        if lone.returns:
            later[SECOND_CHANCE] += saved
            for kind in range(NUMBERS):
                later[kind] += max(deck[kind] - (1 - (own.held >> kind) & 1), 0)
        for chance in range(2 if shields > 0 else 1):
            ends[chance] = utility[_points(everything)]
            if later.sum() > 0:
                third = np.zeros(2)
                last, more = _all_in_hand(later, everything, chance, banks)
                if more >= 0:  # a third deck can add no points
                    third[:] = utility[_points(last)]
                then = chance_plan(later[SECOND_CHANCE], chance, banks)
                ends[chance] = solve(lay_out(later, everything, then), utility, _at_the_end(then, third))[0]
    table, end = lay_out(deck, own, plan), _at_the_end(plan, ends)
    if not certain:
        return solve(table, utility, end)[0]
    live = live_hands(table, kinds, utility)
    if not may_hit(live[0], kinds.ranks[len(plan) - 1]):
        return -np.inf
    return settle(table, likely_hands(table, kinds, live, utility), utility, end, 0, len(table.sets))


@compiled_as(inline=False)
def _two_more(deck: Array, own: OwnCards, has: int, utility: Array) -> bool:
    """Whether one more card, or two where the second gains, and then staying is surely better than staying."""
    now, balance, cards, after = utility[_points(own)], 0.0, deck.sum(), deck.copy()
    for kind in range(KINDS):
        if deck[kind] == 0:
            continue
        if kind < NUMBERS and (own.held >> kind) & 1:
            balance -= 0.0 if has else deck[kind] * (now - utility[0])
            continue
        then = _drawn(own, kind)
        worth = utility[_points(then)] - now
        if SIZE[then.held] < FLIP_7 and cards > 1:
            after[kind] -= 1
            worth += max(_one_gain(after, then, has == 1 or kind == SECOND_CHANCE, utility), 0.0) / (cards - 1)
            after[kind] += 1
        balance += deck[kind] * worth
    return balance > MARGIN * cards * (abs(utility[0]) + abs(utility[POINTS - 1]))  # type: ignore[no-any-return]


@compiled
def _one_gain(deck: Array, own: OwnCards, has: bool, utility: Array) -> float:
    """What one more card and then staying is worth more than staying, for all cards of the deck together."""
    now, balance = utility[_points(own)], 0.0
    for kind in range(TIMES_2 + 1):
        if deck[kind] == 0:
            continue
        if kind < NUMBERS and (own.held >> kind) & 1:
            balance -= 0.0 if has else deck[kind] * (now - utility[0])
        else:
            balance += deck[kind] * (utility[_points(_drawn(own, kind))] - now)
    return balance


@compiled
def _drawn(own: OwnCards, kind: int) -> OwnCards:
    """A hand with one card more, which is no duplicate."""
    if kind < NUMBERS:
        return OwnCards(own.held | 1 << kind, own.plus, own.doubled)
    if kind < TIMES_2:
        return OwnCards(own.held, own.plus + plus_points(kind), own.doubled)
    return OwnCards(own.held, own.plus, 1 if kind == TIMES_2 else own.doubled)


@compiled
def _at_the_end(plan: Array, ends: Any) -> Any:
    """For each situation what it is to want a card from the empty deck, given that without and with a Second Chance."""
    out = np.zeros(len(plan))
    for z in range(len(plan)):
        out[z] = ends[0 if plan[z, ON_DUPLICATE] == BUST else 1]
    return out


@compiled
def _all_in_hand(deck: Array, own: OwnCards, has: int, banks: int) -> tuple[OwnCards, int]:
    """The hand if the whole deck is drawn, and duplicates saved; or -1 if it cannot be."""
    saved, held, plus = 0, own.held, own.plus
    for kind in range(NUMBERS):
        if deck[kind] > 0:
            saved += deck[kind] - (1 - (held >> kind) & 1)
            held |= 1 << kind
    for kind in range(NUMBERS, TIMES_2):
        plus += deck[kind] * plus_points(kind)
    doubled = 1 if own.doubled or deck[TIMES_2] > 0 else 0
    possible = SIZE[held] < FLIP_7 and saved <= (0 if banks else deck[SECOND_CHANCE] + has)
    return OwnCards(held, plus, doubled), saved if possible else -1


@compiled
def _points(own: OwnCards) -> int:
    return score(SUM[own.held], SIZE[own.held], own.doubled, own.plus)


@compiled
def _one_more(s: State, seat: int, utility: Array) -> bool:
    """Whether one more card and then staying is better than staying."""
    points, balance = int(s["points"][seat]), 0.0
    now = utility[points]
    for kind in range(TIMES_2 + 1):
        count = coming(s, kind)
        if count == 0:
            continue
        if kind >= NUMBERS or not int(s["front"][seat, kind]):
            balance += count * (utility[points + gain(s, seat, kind)] - now)
        elif not int(s["chance"][seat]):
            balance -= count * (now - utility[0])
    return balance > 0.0


@compiled_as(inline=False)
def best_move(s: State, r: State, seat: int, utility: Array) -> int:
    """Hit or stay, whichever is worth more to a lone player."""
    return HIT if surely_hits(s, seat, utility) else better_move(s, r, seat, utility)


@compiled
def better_move(s: State, r: State, seat: int, utility: Array) -> int:
    """The same where it needs a table."""
    hit = hit_value(lone_player(s, r, seat), utility, False)
    return HIT if hit > utility[int(s["points"][seat])] else STAY


@compiled
def surely_hits(s: State, seat: int, utility: Array) -> bool:
    """Whether to hit is best for a reason that needs no table."""
    # Without a number nothing can be lost.
    return int(s["numbers"][seat]) == 0 or _one_more(s, seat, utility)


@compiled
def most_held(s: State, seat: int) -> int:
    """The most points, or more, that a seat can end the round with."""
    total, numbers, plus = int(s["sum"][seat]), int(s["numbers"][seat]), 0
    x2 = int(s["front"][seat, TIMES_2]) + int(s["left"][TIMES_2]) + int(s["discards"][TIMES_2])
    for kind in range(NUMBERS, TIMES_2):
        held = int(s["front"][seat, kind]) + int(s["left"][kind]) + int(s["discards"][kind])
        plus += held * plus_points(kind)
    for kind in range(NUMBERS - 1, -1, -1):
        if numbers < FLIP_7 and not int(s["front"][seat, kind]) and int(s["left"][kind]) + int(s["discards"][kind]) > 0:
            total += kind
            numbers += 1
    return score(total, FLIP_7, x2, plus)


@compiled
def worth_of_hit(s: State, r: State, seat: int, utility: Array) -> float:
    """What another card is worth to a lone player, Freeze and Flip Three left out of the deck."""
    return hit_value(lone_player(s, r, seat), utility, True)


@compiled
def lone_player(s: State, r: State, seat: int) -> LonePlayer:
    """A seat, as if it were alone and there were neither Freeze nor Flip Three."""
    left, discards = np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64)
    for kind in range(KINDS):
        counts = kind < FREEZE or (kind == SECOND_CHANCE and int(r["second_chance"]) >= rules.FLAG)
        left[kind] = int(s["left"][kind]) if counts else 0
        discards[kind] = int(s["discards"][kind]) if counts else 0
    held, plus = 0, 0
    for kind in range(NUMBERS):
        if int(s["front"][seat, kind]):
            held |= 1 << kind
    for kind in range(NUMBERS, TIMES_2):
        plus += int(s["front"][seat, kind]) * plus_points(kind)
    own = OwnCards(held, plus, 1 if int(s["front"][seat, TIMES_2]) else 0)
    banks = 1 if int(r["after_save"]) == rules.BANKS else 0
    returns = 1 if int(r["round_discards"]) == rules.RETURN else 0
    return LonePlayer(left, discards, own, int(s["chance"][seat]), banks, returns)


@compiled
def oracle_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Hits while that is worth more points on average than to stay, under best play ever after."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, int(params[0]), luck)
    return best_move(s, r, seat, params[1:])


@compiled
def race_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """As the oracle, but for the fewest rounds to come."""
    if int(s["decision"]) != HIT_OR_STAY:
        return choose(s, r, seat, int(params[0]), luck)
    rounds, total = params[1:], int(s["total"][seat])
    utility = np.empty(POINTS)
    for points in range(POINTS):
        utility[points] = -rounds[min(total + points, len(rounds) - 1)]
    return best_move(s, r, seat, utility)


# --- the bots by name ---


Made = tuple[Any, Sequence[float] | Floats]


def _fresh(wanted: Wanted) -> bool:
    """Whether the bot is to play by the table of a fresh deck."""
    if wanted.number is not None or wanted.named not in ({}, {"deck": "fresh"}):
        raise BotError(f"the bot {wanted.name} takes no number, and one parameter: {wanted.name}(deck=fresh)")
    return bool(wanted.named)


def _oracle(wanted: Wanted) -> Made:
    if _fresh(wanted):
        return fresh_bot, np.append(target_rule(wanted), fresh.for_points(without_targets(wanted.game)))
    return oracle_bot, [target_rule(wanted), *map(float, range(POINTS))]


def _race(wanted: Wanted) -> Made:
    table = without_targets(wanted.game)
    if _fresh(wanted):
        return fresh_bot, np.append(target_rule(wanted), fresh.for_rounds(table))
    return race_bot, [target_rule(wanted), *race(table).rounds.tolist()]


ORACLE = BotEntry(
    "oracle", "hits while that gains points on average, exactly, counting cards; oracle(deck=fresh) by a table", _oracle
)
RACE = BotEntry("race", "plays for the fewest rounds to the target, counting cards; race(deck=fresh) by a table", _race)

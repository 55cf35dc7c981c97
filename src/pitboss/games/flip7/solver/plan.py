"""What a player can be in the middle of, found by asking the rule book.

A *situation* is all that matters in a round besides the numbers and modifiers held: a Second Chance in
hand, a three-card hit or a Flip Three under way, cards set aside, how many action cards and saved
duplicates are gone. `explore` deals a card of each class to one lone seat in each situation, by
`flip7.step` itself, and writes down what follows. So whatever the switches say is in the plan, and
nothing about action cards is written twice. A lone seat puts Freeze and Flip Three on itself, and uses a
Second Chance where it is asked, which is never worse than to bust.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.step import DEALER
from pitboss.core.types import Array
from pitboss.games.flip7.cards import FLIP_THREE, FREEZE, KINDS, NUMBERS, PLUS_2, SECOND_CHANCE
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import (
    ACTIONS_LEFT,
    BUST,
    DRAWN,
    MAY,
    MUST,
    ON_ACTION,
    ON_DUPLICATE,
    ON_MODIFIER,
    ON_NUMBER,
    OVER,
    PLAN_COLUMNS,
    SAVED,
    WHAT,
    Ints,
)
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, SAVE, STATE, YES

ACTIONS = (FREEZE, FLIP_THREE, SECOND_CHANCE)

# A lone seat with one number, and enough cards that no deck runs out while we look.
HELD, OTHER, PLENTY = 12, 11, 20
_WHERE = ("front", "discards", "spent")


class Situation(NamedTuple):
    """What identifies a situation: what the player can do, fields of the state, and how many cards are gone."""

    what: int  # MUST, MAY or OVER
    fields: tuple[int, ...]
    waiting: tuple[tuple[int, int], ...]  # cards set aside, and whether they are assigned
    left: tuple[int, ...]  # action cards to come
    used: tuple[int, ...]  # action cards that a reshuffle would bring back; empty if none can happen
    saved: int


BANKED = Situation(OVER, (), (), (), (), 0)


class RoundPlan(NamedTuple):
    """The situations of a round: `lines` for compiled code; those that follow come first, the start is last."""

    lines: Ints
    situations: tuple[Situation, ...]
    states: Array  # a state for each, its numbers and modifiers left aside


_FIELDS = ("decision", "chance", "three", "to_take", "flipping", "three_hit", "waiting_from", "assigning")


def situation(state: Any, saved: int, short: bool) -> Situation:
    """The situation of a lone seat; `short` if the deck may run out, so that what returns matters."""
    fields = tuple(int(np.ravel(state[name])[0]) for name in _FIELDS)
    waiting = range(int(state["waiting"]))
    return Situation(
        MUST if int(state["to_act"]) == DEALER else MAY,
        fields,
        tuple((int(state["waiting_card"][i]), int(state["waiting_for"][i])) for i in waiting),
        tuple(int(state["left"][kind]) for kind in ACTIONS),
        tuple(int(state["discards"][kind]) for kind in ACTIONS) if short else (),
        saved,
    )


@lru_cache(maxsize=64)
def lone_rules(game: Flip7) -> Array:
    """The rules of a round that is played for itself: no total ends the game."""
    record = game.record.copy()
    record["target"], record["max_rounds"] = 2**30, 2**30
    return record


def explore(game: Flip7, start: Any, short: bool, most: int) -> RoundPlan:
    """All situations that can follow a start, which is a state of one seat at a decision or awaiting a card.

    Refuses to find more than `most` of them.
    """
    first = _bare(start)
    found: dict[Situation, Any] = {situation(first, 0, short): first}
    after: dict[Situation, list[Situation | None]] = {}  # None: a bust, or a card that cannot come
    queue = list(found)
    while queue:
        here = queue.pop()
        after[here] = []
        for card, saved in _classes(here):
            then, state = _deal(game, found[here], card, here.saved + saved, short)
            after[here].append(then)
            if then is not None and then not in found:
                found[then] = state
                queue.append(then)
        if len(found) > most:
            raise PitbossError(f"a round of {game} has too many hands to be solved exactly")
    order = _last_first(next(iter(found)), after)
    return _written(order, after, found)


def _classes(here: Situation) -> Iterator[tuple[int, int]]:
    """A card of each class, and whether it is a duplicate; -1 for an action card that cannot come."""
    if here == BANKED:
        return
    yield OTHER, 0
    yield PLUS_2, 0
    yield HELD, 1
    for kind, left in zip(ACTIONS, here.left, strict=True):
        yield (kind if left else -1), 0


def _deal(game: Flip7, before: Any, card: int, saved: int, short: bool) -> tuple[Situation | None, Any]:
    """Hit if that is a choice, deal the card, and see where that leads."""
    if card < 0:
        return None, None
    states, rules = np.array([before], STATE), lone_rules(game)
    s, apply = states[0], game.loops.apply
    round_before, busts = int(s["round"]), int(s["busts"][0])
    if int(s["to_act"]) != DEALER:
        apply(states, rules, HIT, None)
    apply(states, rules, card, None)
    if int(s["decision"]) == SAVE and int(s["to_act"]) == 0:
        apply(states, rules, YES, None)
    if int(s["round"]) != round_before:
        return (None, None) if int(s["busts"][0]) > busts else (BANKED, before)
    bare = _bare(s)
    return situation(bare, saved, short), bare


def _bare(state: Any) -> Any:
    """The same situation with one number held, no modifiers, and plenty of both to come."""
    s = np.array([state], STATE)[0]
    for where in _WHERE:
        counts = s[where][0] if where == "front" else s[where]
        counts[:FREEZE] = 0
    s["front"][0, HELD] = 1
    s["numbers"][0], s["sum"][0], s["points"][0] = 1, HELD, HELD
    s["taken"][0] = 1
    s["left"][:FREEZE] = PLENTY
    s["left_total"] = int(s["left"].sum())
    return s


def _last_first(start: Situation, after: dict[Situation, list[Situation | None]]) -> list[Situation]:
    """Each situation after all that follow it; a card that changes nothing leads back to its own."""
    order: list[Situation] = []
    seen = {start}
    stack = [(start, iter(after[start]))]
    while stack:
        here, rest = stack[-1]
        for then in rest:
            if then is not None and then not in seen:
                seen.add(then)
                stack.append((then, iter(after[then])))
                break
        else:
            order.append(here)
            stack.pop()
    return order


def _written(
    order: list[Situation], after: dict[Situation, list[Situation | None]], found: dict[Situation, Any]
) -> RoundPlan:
    place = {here: i for i, here in enumerate(order)}
    lines = np.zeros((len(order), PLAN_COLUMNS), np.int64)
    start = order[-1]
    for line, here in zip(lines, order, strict=True):
        line[WHAT] = here.what
        if here == BANKED:
            continue
        to = [BUST if then is None else place[then] for then in after[here]]
        line[DRAWN] = sum(start.left) - sum(here.left) + here.saved
        line[SAVED] = here.saved
        line[ON_NUMBER], line[ON_MODIFIER], line[ON_DUPLICATE] = to[:3]
        line[ON_ACTION : ON_ACTION + 3] = to[3:]
        line[ACTIONS_LEFT : ACTIONS_LEFT + 3] = here.left
        # One sweep is enough because only a modifier can lead back to where the player is.
        assert max(to[1] - 1, *to[2:]) < place[here], "situations that follow come first"
    return RoundPlan(lines, tuple(order), np.array([found[here] for here in order], STATE))


def lone_seat(
    game: Flip7, hand: Sequence[int], left: Sequence[int], discards: Sequence[int], chance: bool, three: bool
) -> Any:
    """A state of one seat that has to hit or stay: the cards in front of it, the deck, what a reshuffle brings."""
    states = np.zeros(1, STATE)
    game.loops.start(states, lone_rules(game), 1, None)
    s = states[0]
    s["to_act"], s["decision"], s["taker"], s["to_take"], s["turn"], s["opened"] = 0, HIT_OR_STAY, -1, 0, 0, 1
    s["left"], s["discards"], s["left_total"] = left, discards, sum(left)
    s["front"][0] = np.bincount(np.array(hand, np.int64), minlength=KINDS)
    s["chance"][0], s["three"][0] = chance, three
    numbers = [kind for kind in hand if kind < NUMBERS]
    s["numbers"][0], s["sum"][0], s["taken"][0] = len(numbers), sum(numbers), len(hand)
    return s

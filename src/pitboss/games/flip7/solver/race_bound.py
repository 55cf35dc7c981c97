"""How few rounds to the target are possible at all, with a deck that is carried over: a proven lower bound.

A lone player who counts cards faces far too many decks for an exact answer. But a player who knew beforehand how the
cards lie could not do worse, and for one deal best play in hindsight is easy to find. By itself that promises far too
few rounds, so foresight has to be paid for: whoever draws a card pays by how much it is better than cards are on
average, at that moment and by a *guess* of what hands are worth. Without foresight one pays nothing on average,
whatever the guess is. So the mean over all deals of rounds and payments, each deal played as well as hindsight can, is
at most the mean number of rounds of any player; and the better the guess, the closer. (An information relaxation, with
a martingale as penalty.)

The guess is the race (see `race`): this round from the actual deck, later ones from a fresh one. Once the deck was
shuffled again all rounds are guessed from a fresh one, which is quicker to find. Once the second deck has run out,
nothing is charged any more, and one round more is the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import PitbossError
from pitboss.core.types import Array
from pitboss.games.flip7.cards import FREEZE, KINDS, NUMBERS, TIMES_2
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import POINTS, SETS, HandTable, OwnCards, lay_out
from pitboss.games.flip7.solver.oracle import begin
from pitboss.games.flip7.solver.race import race
from pitboss.games.flip7.solver.settle import solve
from pitboss.games.flip7.solver.table_cache import Progress
from pitboss.games.flip7.state import FLIP_7, plus_points, score

MODIFIER_SETS = 1 << (FREEZE - NUMBERS)
MOST_LINES = 4096 + 256  # of a table of hands: one for each row, and one for each sum of numbers
MOST_CARDS = FLIP_7 + FREEZE - NUMBERS  # of a round
NEVER = 1e9


class Hand(NamedTuple):
    """Cards drawn in a round."""

    numbers: int  # as bits
    modifiers: int  # as bits
    size: int  # how many numbers
    total: int  # their sum
    plus: int
    twice: int  # 1 with x2


class Guess(NamedTuple):
    """How many rounds are guessed to come after this one, by the hand: from one total, or from each."""

    place: Any  # by total and numbers: the line of values; -1 if the hand stays
    values: Any  # by total, line and column
    column: Any  # by modifiers
    rounds: Any  # by total: for one who stays with it


class Deal(NamedTuple):
    """How the cards lie."""

    order: Any  # of the first deck
    seconds: Any  # by how many cards of the first were gone when the round began in which it ran out: what is shuffled
    fresh: Any  # the order of the second deck if the first ran out between two rounds


@compiled
def _points(hand: Hand) -> int:
    return score(hand.total, hand.size, hand.twice, hand.plus)


@compiled
def _with(hand: Hand, kind: int) -> Hand:
    """A hand and a card that is no duplicate."""
    if kind < NUMBERS:
        numbers, total = hand.numbers | 1 << kind, hand.total + kind
        return Hand(numbers, hand.modifiers, hand.size + 1, total, hand.plus, hand.twice)
    modifiers = hand.modifiers | 1 << (kind - NUMBERS)
    if kind < TIMES_2:
        return Hand(hand.numbers, modifiers, hand.size, hand.total, hand.plus + plus_points(kind), hand.twice)
    return Hand(hand.numbers, modifiers, hand.size, hand.total, hand.plus, 1)


@compiled
def _busts(hand: Hand, kind: int) -> bool:
    return kind < NUMBERS and (hand.numbers >> kind) & 1 == 1


@compiled
def _guessed(guess: Guess, total: int, hand: Hand) -> float:
    """The rounds after this one, by the guess."""
    if hand.size < FLIP_7:
        of = total if len(guess.place) > 1 else 0
        at = guess.place[of, hand.numbers]
        if at >= 0:
            return float(guess.values[of, at, guess.column[hand.modifiers]])
    return guess.rounds[min(total + _points(hand), len(guess.rounds) - 1)]  # type: ignore[no-any-return]


@compiled
def _expected(guess: Guess, total: int, deck: Array, cards: int, hand: Hand) -> float:
    """The same on average after one more card of a deck with so many."""
    out = 0.0
    for kind in range(FREEZE):
        if deck[kind] > 0:
            bust = _busts(hand, kind)
            out += deck[kind] * (guess.rounds[total] if bust else _guessed(guess, total, _with(hand, kind)))
    return out / cards


@compiled
def _play(
    guess: Guess, total: int, order: Array, at: int, hand: Hand, paid: float, later: Array
) -> tuple[float, float, Hand, bool]:
    """Draw the cards of an order from a place on, for as long as the round can go.

    Returns the least that it costs to stop on the way, payments included; what has been paid when the order is at its
    end; the hand then; and whether the round was over before. `later` is what rounds cost that begin at a place in the
    order, with a total.
    """
    least, target, deck = NEVER, later.shape[1], np.zeros(FREEZE, np.int64)
    for i in range(at, len(order)):
        deck[order[i]] += 1
    while at < len(order):
        kind, expected = order[at], _expected(guess, total, deck, len(order) - at, hand)
        deck[kind] -= 1
        at += 1
        bust, now = _busts(hand, kind), total
        if bust:
            paid += expected - guess.rounds[total]
        else:
            hand = _with(hand, kind)
            paid += expected - _guessed(guess, total, hand)
            now += _points(hand)
        least = min(least, paid + (later[at, now] if now < target else 0.0))
        if bust or hand.size == FLIP_7:
            return least, paid, hand, True
    return least, paid, hand, False


@compiled
def _reach(order: Array, reached: Array) -> None:
    """Mark the totals with which a round can begin at each place in an order; the first is marked."""
    points, target = np.empty(MOST_CARDS, np.int64), reached.shape[1]
    for first in range(len(order)):
        hand, count, at, goes_on = Hand(0, 0, 0, 0, 0, 0), 0, first, True
        while goes_on and at < len(order):
            bust = _busts(hand, order[at])
            if not bust:
                hand = _with(hand, order[at])
            at += 1
            points[count] = 0 if bust else _points(hand)
            count += 1
            goes_on = not bust and hand.size < FLIP_7
        for total in range(target):
            if reached[first, total]:
                for i in range(count):
                    if total + points[i] < target:
                        reached[first + 1 + i, total + points[i]] = 1


@compiled
def _from_second(guess: Guess, order: Array, out: Array) -> None:
    """Fill in what rounds cost that begin at each place of a second deck, with each total."""
    out[len(order)] = 1.0
    for first in range(len(order) - 1, -1, -1):
        for total in range(out.shape[1]):
            least, paid, _, over = _play(guess, total, order, first, Hand(0, 0, 0, 0, 0, 0), 0.0, out)
            out[first, total] = 1.0 + (least if over else min(least, paid))


@compiled
def _columns(t: HandTable, out: Array) -> None:
    """Fill in the column of each set of modifiers."""
    for modifiers in range(len(out)):
        out[modifiers] = 0
        for i in range(len(t.modifiers)):
            if (modifiers >> (t.modifiers[i] - NUMBERS)) & 1:
                out[modifiers] |= 1 << i


@compiled
def _settled(t: HandTable, rounds: Array, total: int, end: Array, place: Array) -> Any:
    """The values of hands with this total, and where they are; rounds after those to come are from a fresh deck."""
    utility = np.empty(POINTS)
    for points in range(POINTS):
        utility[points] = -rounds[min(total + points, len(rounds) - 1)]
    best = solve(t, utility, end)[1]
    place[:] = -1
    for r in range(len(t.sets)):
        if best.place[r] > t.totals[r]:
            place[t.sets[r]] = best.place[r]
    return -best.values


@compiled_as(inline=False)
def guess_fresh(deck: Array, plan: Array, rounds: Array, guess: Guess) -> None:
    """Fill in the guess for all totals, from a fresh deck."""
    t, end = lay_out(deck, OwnCards(0, 0, 0), plan), np.zeros(len(plan))
    _columns(t, guess.column)
    for total in range(len(guess.place)):
        values = _settled(t, rounds, total, end, guess.place[total])
        guess.values[total, : len(values)] = values


@compiled_as(inline=False)
def least_rounds(deal: Deal, plan: Array, fresh: Guess) -> float:
    """The fewest rounds and payments of one deal, in hindsight."""
    order, target = deal.order, len(fresh.rounds) - 1
    reached, empty = np.zeros((len(order) + 1, target), np.uint8), Hand(0, 0, 0, 0, 0, 0)
    cost, second = np.zeros((len(order) + 1, target)), np.zeros((len(order) + 1, target))
    deck, gone = np.zeros(KINDS, np.int64), np.zeros(FREEZE, np.int64)
    place, column, end = np.empty((1, SETS), np.int64), np.zeros(MODIFIER_SETS, np.int64), np.zeros(len(plan))
    reached[0, 0] = 1
    _reach(order, reached)
    _from_second(fresh, deal.fresh, second)
    cost[len(order)] = second[0]
    for first in range(len(order) - 1, -1, -1):
        deck[order[first]] += 1
        t, again = lay_out(deck, OwnCards(0, 0, 0), plan), deal.seconds[first, :first]
        _columns(t, column)
        whole, known = empty, False  # the rest of the deck as a hand; whether `second` is known
        for kind in range(FREEZE):
            whole = _with(whole, kind) if deck[kind] > 0 else whole
        gone[:] = 0
        for i in range(first):
            gone[order[i]] += 1
        for total in range(target):
            if not reached[first, total]:
                continue
            if whole.size < FLIP_7 and first > 0:
                end[:] = -_expected(fresh, total, gone, first, whole)
            values = _settled(t, fresh.rounds, total, end, place[0])
            guess = Guess(place, values.reshape(1, len(values), len(t.level)), column, fresh.rounds)
            least, paid, hand, over = _play(guess, total, order, first, empty, 0.0, cost)
            if not over:  # all other cards are shuffled in mid-round
                if not known:
                    _from_second(fresh, again, second[: first + 1])
                    known = True
                then, paid, hand, over = _play(fresh, total, again, 0, hand, paid, second)
                least = min(least, then if over else min(then, paid))
            cost[first, total] = 1.0 + least
    return cost[0, 0]  # type: ignore[no-any-return]


# --- asked from Python ---


@dataclass(frozen=True)
class RaceBound:
    """The bound, over deals at random."""

    rounds: float
    deals: tuple[float, ...]

    @property
    def spread(self) -> float:
        """Half the width of its interval at 95 %."""
        return 1.96 * float(np.std(self.deals, ddof=1) / np.sqrt(len(self.deals)))


def race_bound(game: Flip7, deals: int, seed: int, progress: Progress | None = None) -> RaceBound:
    """No lone player needs fewer rounds on average to the target, up to the interval; a second for each deal.

    >>> from pitboss import load
    >>> bound = race_bound(load("flip7:solo(target=20)"), 20, 1)
    >>> bool(bound.rounds - bound.spread < race(load("flip7:solo(target=20)")).rounds[0])
    True
    """
    cards = np.array(game.rules.deck, np.int64)
    if not game.rules.solo or game.rules.actions or cards[NUMBERS:FREEZE].max() > 1:
        raise PitbossError(f"the bound is for lone players without action cards, as in flip7:solo, not for {game}")
    if deals < 2:
        raise PitbossError("a bound with an interval needs two deals or more")
    rounds, plan, fresh = race(game).rounds, begin(game).plan.lines, _room(int(game.rules.target))
    guess = Guess(*fresh[:3], rounds)
    guess_fresh(cards, plan, rounds, guess)
    luck, found = np.random.default_rng(seed), list[float]()
    for n in range(deals):
        found.append(float(least_rounds(_shuffled(cards, luck), plan, guess)))
        if progress:
            progress(n + 1, deals)
    return RaceBound(float(np.mean(found)), tuple(found))


def _room(target: int) -> tuple[Any, Any, Any]:
    values = np.zeros((target, MOST_LINES, MODIFIER_SETS), np.float32)
    return np.full((target, SETS), -1, np.int64), values, np.zeros(MODIFIER_SETS, np.int64)


def _shuffled(cards: Array, luck: Any) -> Deal:
    """One deal. Only in the last rounds of a deck can it run out, so only these have a second one."""
    deck = np.repeat(np.arange(KINDS), cards)
    order, seconds = luck.permutation(deck), np.zeros((len(deck), len(deck)), np.int64)
    for first in range(max(len(deck) - MOST_CARDS, 0), len(deck)):
        seconds[first, :first] = luck.permutation(order[:first])
    return Deal(order, seconds, luck.permutation(deck))

"""What policies are worth on a tree, what the best answer to them would win, and the policy that a bot plays.

A policy is one probability for each choice of a tree, of both seats; `pair` joins two. Everything is
reckoned in sequence form: a choice's reach is the chance that its own seat plays up to it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lcm
from typing import Any

import numpy as np

from pitboss.analysis.trees.tree import Floats, Ints, SolveError, Tree
from pitboss.core.bot import Entrant
from pitboss.core.compile import compiled
from pitboss.core.errors import BotError
from pitboss.core.loop import CLOCK
from pitboss.core.luck import Luck, mix
from pitboss.core.registry import bot as enter
from pitboss.core.types import Array

LUCKS = 12  # divisible by 2, 3 and 4; with more moves a multiple of their number, so that a lot among them is even


def uniform(tree: Tree) -> Floats:
    """The policy that makes every move equally often."""
    counts = np.diff(tree.set_choices)
    return np.repeat(1.0 / counts, counts)


def pair(tree: Tree, first: Floats, second: Floats) -> Floats:
    """The policy that plays like `first` at seat 0 and like `second` at seat 1."""
    return np.where(tree.choice_seat == 0, _checked(tree, first), _checked(tree, second))


def expected_value(tree: Tree, policy: Floats) -> float:
    """What seat 0 gets on average if both seats play by a policy.

    >>> from pitboss import load
    >>> from pitboss.analysis.trees.tree import build
    >>> tree = build(load("show:classic(deck=* * * 2 2)"))
    >>> abs(expected_value(tree, uniform(tree))) < 0.1
    True
    """
    reach = reaches(tree, policy)
    return float(np.sum(reach[tree.ends_first] * reach[tree.ends_second] * tree.ends_payoff))


def best_response_value(tree: Tree, seat: int, policy: Floats) -> float:
    """What `seat` gets on average if it plays as well as possible against the policy of the other seat."""
    values = _answers(tree, seat, reaches(tree, policy))
    return float(_best(values, np.flatnonzero(tree.set_seat == seat), tree.set_choices, tree.set_parent))


def exploitability(tree: Tree, policy: Floats) -> float:
    """How much a best answer wins against a policy, averaged over both seats; 0 is perfect play."""
    return (best_response_value(tree, 0, policy) + best_response_value(tree, 1, policy)) / 2


def cfr_plus(tree: Tree, iterations: int) -> Floats:
    """The average policy of CFR+ (seats in turn, later iterations weigh more): near to perfect play."""
    policy, regret, total = uniform(tree), np.zeros(tree.choices), np.zeros(tree.choices)
    own = [np.flatnonzero(tree.set_seat == seat) for seat in (0, 1)]
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            reach = reaches(tree, policy)
            total += np.where(tree.choice_seat == seat, iteration * reach[:-1], 0.0)
            values = _answers(tree, seat, reach)
            _regret(values, own[seat], tree.set_choices, tree.set_parent, policy, regret)
    return behaviour(tree, total)


def reaches(tree: Tree, policy: Floats) -> Floats:
    """The reach of every choice; the last entry, 1, is that of no choice yet."""
    out = np.ones(tree.choices + 1)
    _forward(_checked(tree, policy), tree.set_choices, tree.set_parent, out)
    return out


def behaviour(tree: Tree, weights: Floats) -> Floats:
    """The policy that chooses in proportion to these weights; evenly where all are nothing."""
    counts = np.diff(tree.set_choices)
    weights = np.maximum(weights, 0.0)
    sums = np.repeat(np.add.reduceat(weights, tree.set_choices[:-1]), counts)
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), uniform(tree))


def _checked(tree: Tree, policy: Floats) -> Floats:
    if policy.shape != (tree.choices,):
        raise SolveError(
            f"a policy for the tree of {tree.game} has {tree.choices} probabilities, not {policy.size}: "
            "it was made for another deck or rule book"
        )
    return policy


def _answers(tree: Tree, seat: int, reach: Floats) -> Floats:
    """What each choice of a seat leads to without further choices of its own, against this reach."""
    own, other, sign = (tree.ends_first, tree.ends_second, 1) if seat == 0 else (tree.ends_second, tree.ends_first, -1)
    sums = np.bincount(own, sign * tree.ends_payoff * reach[other], tree.choices + 1)
    return sums.astype(np.float64, copy=False)


@compiled
def _forward(policy: Array, starts: Ints, parents: Ints, out: Array) -> None:
    for i in range(len(parents)):
        for c in range(starts[i], starts[i + 1]):
            out[c] = out[parents[i]] * policy[c]


@compiled
def _best(values: Array, own: Ints, starts: Ints, parents: Ints) -> float:
    """From the last information sets of a seat back to the first: the value of the best choices."""
    for i in own[::-1]:
        best = values[starts[i]]
        for c in range(starts[i] + 1, starts[i + 1]):
            best = max(best, values[c])
        values[parents[i]] += best
    return values[-1]  # type: ignore[no-any-return]


@compiled
def _regret(values: Array, own: Ints, starts: Ints, parents: Ints, policy: Array, regret: Array) -> None:
    """Add up what each choice of a seat would have gained, never below nothing, and choose in proportion."""
    for i in own[::-1]:
        value = 0.0
        for c in range(starts[i], starts[i + 1]):
            value += policy[c] * values[c]
        values[parents[i]] += value
        total = 0.0
        for c in range(starts[i], starts[i + 1]):
            regret[c] = max(regret[c] + values[c] - value, 0.0)
            total += regret[c]
        for c in range(starts[i], starts[i + 1]):
            policy[c] = regret[c] / total if total > 0.0 else 1.0 / (starts[i + 1] - starts[i])


# --- what a bot answers in every information set ---


def policy_of_bot(tree: Tree, bot: str | Entrant | type[Any] | Callable[..., int], lucks: int = LUCKS) -> Floats:
    """How often a bot makes each choice, at either seat.

    A bot is asked by its view alone, once for each of `lucks` evenly spaced values of its luck (or of so many more that
    its moves divide their number): one that mixes its moves in finer proportions needs more of them. A Python bot is
    made anew for every question; one that remembers earlier decisions is not itself here, and one that listens to
    events is refused.

    >>> from pitboss import load
    >>> from pitboss.analysis.trees.tree import build
    >>> tree = build(load("show:classic(deck=* * * 2 2)"))
    >>> [float(p) for p in policy_of_bot(tree, "random")[:2]]
    [0.5, 0.5]
    """
    entrant = enter(bot, tree.game)
    ask = _compiled(tree, entrant) if entrant.make is None else _python(tree, entrant)
    asked: dict[tuple[int, bytes], Floats] = {}  # many information sets have the same view
    policy = np.zeros(tree.choices)
    for information in range(tree.sets):
        start, end = tree.set_choices[information : information + 2].tolist()
        view = int(tree.set_seat[information]), tree.set_view[information].tobytes()
        if view not in asked:
            many = lcm(lucks, end - start)
            answers = [ask(information, np.uint64((2 * i + 1 << 63) // many)) for i in range(many)]
            asked[view] = _shares(tree, entrant, tree.choice_move[start:end].tolist(), answers)
        policy[start:end] = asked[view]
    return policy


def _shares(tree: Tree, entrant: Entrant, legal: list[int], answers: list[Any]) -> Floats:
    """How often each legal move is among the answers."""
    for answer in answers:
        if answer not in legal:
            moves = ", ".join(map(tree.game.format_move, legal))
            raise BotError(f"the bot {entrant.name} answered {answer!r}, which is not legal; legal: {moves}")
    return np.array([answers.count(move) / len(answers) for move in legal])


def _compiled(tree: Tree, entrant: Entrant) -> Callable[[int, np.uint64], int]:
    function, rules = entrant.function, tree.game.record.copy()
    assert function is not None

    def ask(information: int, luck: np.uint64) -> int:
        views = tree.set_view[information : information + 1].copy()  # a bot may write to what it is given
        return int(function(views[0], rules[0], int(tree.set_seat[information]), entrant.params, luck))

    return ask


def _python(tree: Tree, entrant: Entrant) -> Callable[[int, np.uint64], Any]:
    make = entrant.make
    assert make is not None
    if make().wants_events:
        raise BotError(f"the bot {entrant.name} listens to events, so what it does cannot be read off its view alone")

    def ask(information: int, luck: np.uint64) -> Any:
        seat = int(tree.set_seat[information])
        try:
            bot = make()
            bot.start(seat, tree.game.rules, _Given(luck))
            view = tree.view(information)
            move = bot.decide(view)
        except Exception as problem:
            raise BotError(f"the bot {entrant.name} raised {type(problem).__name__}: {problem}") from problem
        return tree.game.parse_move_at(view, move) if isinstance(move, str) else move

    return ask


class _Given(Luck):
    """Luck whose first number is made of given bits, as a compiled bot would get them."""

    def __init__(self, bits: np.uint64) -> None:
        super().__init__(np.zeros(1, CLOCK), 0)
        self._given = int(bits)

    def bits(self) -> int:
        n, self._drawn = self._drawn, self._drawn + 1
        return mix(self._given ^ mix(n)) if n else self._given

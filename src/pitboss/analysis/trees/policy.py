"""What policies are worth on a tree, and what the best answer to them would win.

A policy is one probability for each choice of a tree, of both seats; `pair` joins two. Everything is
reckoned in sequence form: a choice's reach is the chance that its own seat plays up to it.
"""

from __future__ import annotations

import numpy as np

from pitboss.analysis.trees.tree import Floats, Ints, SolveError, Tree
from pitboss.core.compile import compiled
from pitboss.core.types import Array


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
    return float(_best(values, tree.set_choices, tree.set_parent, tree.set_seat, seat))


def exploitability(tree: Tree, policy: Floats) -> float:
    """How much a best answer wins against a policy, averaged over both seats; 0 is perfect play."""
    return (best_response_value(tree, 0, policy) + best_response_value(tree, 1, policy)) / 2


def cfr_plus(tree: Tree, iterations: int) -> Floats:
    """The average policy of CFR+ (seats in turn, later iterations weigh more): near to perfect play."""
    policy, regret, total = uniform(tree), np.zeros(tree.choices), np.zeros(tree.choices)
    sets = tree.set_choices, tree.set_parent, tree.set_seat
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            reach = reaches(tree, policy)
            total += np.where(tree.choice_seat == seat, iteration * reach[:-1], 0.0)
            _regret(_answers(tree, seat, reach), *sets, seat, policy, regret)
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
def _best(values: Array, starts: Ints, parents: Ints, seats: Ints, seat: int) -> float:
    """From the last information sets back to the first: the value of the best choices."""
    for i in range(len(parents) - 1, -1, -1):
        if seats[i] == seat:
            best = values[starts[i]]
            for c in range(starts[i] + 1, starts[i + 1]):
                best = max(best, values[c])
            values[parents[i]] += best
    return values[-1]  # type: ignore[no-any-return]


@compiled
def _regret(values: Array, starts: Ints, parents: Ints, seats: Ints, seat: int, policy: Array, regret: Array) -> None:
    """Add up what each choice would have gained, never below nothing, and choose in proportion."""
    for i in range(len(parents) - 1, -1, -1):
        if seats[i] != seat:
            continue
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

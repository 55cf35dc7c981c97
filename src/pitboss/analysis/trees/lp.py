"""The exact value of a small game, by linear programming in sequence form.

Seat 0 picks its reaches x, so that whatever seat 1 does it gets as much as possible (Koller, Megiddo
and von Stengel, 1994). With A the payoffs by pairs of choices and E, F the sets of the two seats:

    maximise q of the root   such that   F'q <= A'x,   E x = e,   x >= 0

The prices of the first constraints are the reaches of seat 1, so one programme solves for both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import block_array, coo_array

from pitboss.analysis.trees.policy import behaviour
from pitboss.analysis.trees.tree import Floats, SolveError, Tree, build
from pitboss.core.game import Game


@dataclass(frozen=True)
class PerfectPlay:
    """A solved game."""

    tree: Tree
    value: float  # to seat 0, if both play perfectly
    policy: Floats  # perfect play, of both seats: the probability of each choice


def solve(game: Game | Tree) -> PerfectPlay:
    """The value of a small game and how to play it.

    >>> from pitboss import load
    >>> round(solve(load("show:classic(deck=* * * 2 2 2)")).value, 6)
    0.3
    """
    tree = game if isinstance(game, Tree) else build(game)
    first, second = _Side(tree, 0), _Side(tree, 1)
    payoffs = coo_array(
        (tree.ends_payoff, (first.column[tree.ends_first], second.column[tree.ends_second])),
        shape=(first.columns, second.columns),
    )
    best = linprog(
        np.concatenate([np.zeros(first.columns), -second.root]),
        A_ub=block_array([[-payoffs.T, second.matrix.T]], format="csc"),
        b_ub=np.zeros(second.columns),
        A_eq=block_array([[first.matrix, coo_array((first.rows, second.rows))]], format="csc"),
        b_eq=first.root,
        bounds=[(0, None)] * first.columns + [(None, None)] * second.rows,
        method="highs",
    )
    if best.status != 0:
        raise SolveError(f"the linear programme of {tree.game} was not solved: {best.message}")
    reach = first.spread(best.x[: first.columns]) + second.spread(-best.ineqlin.marginals)
    return PerfectPlay(tree, float(-best.fun), behaviour(tree, reach))


class _Side:
    """One seat's part of the programme: a column for each of its choices, a row for each of its sets.
    The first of each is the root: no choice yet, made with certainty."""

    def __init__(self, tree: Tree, seat: int) -> None:
        sets = np.flatnonzero(tree.set_seat == seat)
        self.choices = np.flatnonzero(tree.choice_seat == seat)
        self.columns, self.rows = len(self.choices) + 1, len(sets) + 1
        self.column = np.zeros(tree.choices + 1, np.int64)  # of each choice; no choice has column 0
        self.column[self.choices] = np.arange(1, self.columns)
        of_set = np.repeat(np.arange(1, self.rows), np.diff(tree.set_choices)[sets])
        rows = np.concatenate([np.arange(self.rows), of_set])
        columns = np.concatenate([[0], self.column[tree.set_parent[sets]], np.arange(1, self.columns)])
        signs = np.concatenate([[1.0], -np.ones(len(sets)), np.ones(len(self.choices))])
        self.matrix = coo_array((signs, (rows, columns)), shape=(self.rows, self.columns))
        self.root = np.zeros(self.rows)
        self.root[0] = 1.0

    def spread(self, plan: Floats) -> Floats:
        """The reaches of this seat's choices, put where a policy has them; 0 for the other seat's."""
        out = np.zeros(len(self.column) - 1)
        out[self.choices] = plan[1:]
        return out

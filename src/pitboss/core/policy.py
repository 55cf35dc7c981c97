"""Policies: functions from many observations to as many actions, such as networks of PyTorch, JAX or ONNX.

At many tables at once a policy is asked for all of them together, so it can work on a batch. The same policy also takes
a single seat, like any bot in Python: in simulations, tournaments and games with people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitboss.core.bot import Bot, Entrant
from pitboss.core.errors import BotError, PitbossError, unknown
from pitboss.core.game import Game
from pitboss.core.types import Array, GameView

Decide = Callable[[Array, Array], Any]


@dataclass(frozen=True, eq=False)
class BatchPolicy:
    """`decide(observations, masks)` gives an action for each row; a mask has 1 where an action is legal.

    `encoding` names the observation that it wants; without one it sees what the learner sees.
    """

    decide: Decide
    encoding: str | None = None
    name: str = "policy"

    def answers(self, observations: Array, masks: Array) -> Array:
        """What it decides, as whole numbers; an action that is not legal is an error."""
        given = self.decide(observations, masks)
        if hasattr(given, "detach"):  # of PyTorch
            given = given.detach().cpu()
        actions: Array = np.asarray(given).reshape(-1).astype(np.int64)
        if len(actions) != len(masks):
            raise BotError(f"{self.name} was asked for {len(masks)} actions, and gave {len(actions)}")
        legal = (actions >= 0) & (actions < masks.shape[1])
        legal &= masks[np.arange(len(masks)), np.where(legal, actions, 0)] != 0
        if not legal.all():
            row = int(np.argmin(legal))
            some = np.flatnonzero(masks[row]).tolist()
            raise BotError(f"{self.name} chose the action {actions[row]}, which is not legal there; legal: {some}")
        return actions


def policy(decide: Decide, game: Game, name: str = "policy", encoding: str | None = None, version: str = "") -> Entrant:
    """A policy as a bot for a table; what it sees is the game's default observation, unless another is named.

    >>> import pitboss
    >>> game = pitboss.load("flip7:numbers")
    >>> first = policy(lambda observations, masks: masks.argmax(axis=1), game, "first")
    >>> pitboss.simulate(game, [first, "stay-20"], games=10, seed=1).games
    10
    """
    learning = game.learning
    chosen = encoding or next(iter(learning.encodings))
    if chosen not in learning.encodings:
        raise PitbossError(unknown("observation", chosen, learning.encodings))
    if learning.legal is None:
        raise BotError(f"views of {game} do not say what is legal, so no policy can play")
    it = BatchPolicy(decide, encoding, name)
    return Entrant(name, make=lambda: PolicyBot(it, game, chosen), version=version, policy=it)


class PolicyBot(Bot):
    """A policy at one seat."""

    def __init__(self, policy: BatchPolicy, game: Game, encoding: str) -> None:
        self._policy, self._game, self._encoding = policy, game, game.learning.encodings[encoding]

    def decide(self, view: GameView) -> int:
        game, move_of = self._game, self._game.learning.move_of
        record = np.frombuffer(view.raw, game.view_dtype)[0]
        seats = int(record["seats"]) if "seats" in (game.view_dtype.names or ()) else game.rules.seats[0]
        moves = [int(move_of(action, seats, view.seat)) for action in range(game.learning.actions(game.rules, seats))]
        row = np.zeros((1, self._encoding.size(game.rules, seats)), self._encoding.dtype)
        self._encoding.write(record, game.record[0], view.seat, row[0])
        legal = view.legal
        mask = np.array([[move in legal for move in moves]], np.int8)
        return moves[int(self._policy.answers(row, mask)[0])]

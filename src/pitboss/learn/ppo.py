"""Proximal policy optimisation with legal actions only (Schulman and others 2017).

Play for a while with the present policy; work out, backwards, how much better each action turned out than was
expected (generalised advantage estimation); then improve the policy in small steps, no further than a little
from what it was, and the critic towards what really came. Every learner at a table has its own line of decisions: what
others do in between belongs to what its own decision led to.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.game import Game
from pitboss.core.types import Array, Data
from pitboss.learn import net
from pitboss.learn.agent import NETWORK, Agent, Sight
from pitboss.learn.trainer import Trainer, TrainingSettings
from pitboss.run.tables import Tables

ROLLOUT = 64  # steps of all tables between lessons
EPOCHS, PIECE = 3, 4096  # how often a lesson is gone through, and in pieces of how many decisions
CLIP, LAMBDA = 0.2, 0.95


class Lesson(NamedTuple):
    """Decisions of a while, one each row."""

    states: Array
    choices: Array  # of each legal action
    legal: Array  # how many are legal
    actions: Array  # their numbers
    taken: Array
    logs: Array  # the logarithm of the probability that it was taken with
    advantages: Array
    returns: Array


class PPO(Trainer):
    """A network that scores actions, learned against the named opponents, alone, or against itself."""

    name, about = "ppo", "proximal policy optimisation of a small network"
    usual: ClassVar[Data] = {
        "steps": 8_000_000, "tables": 1024, "hidden": 32, "learning_rate": 1e-3, "entropy": 0.01,
    }  # fmt: skip

    def __init__(self, game: Game, settings: TrainingSettings) -> None:
        self.sight = Sight.of(game)
        super().__init__(game, settings)
        self.weights = net.make(self.sight.state, self.sight.choice, settings.hidden, self.rng)
        self.adam = net.Adam(self.weights)
        self.width = max(tables.masks.shape[1] for tables in self.groups)
        self.spread = np.ones(1)  # how far returns lie apart: rewards are divided by it

    def encoding(self) -> str:
        return self.sight.encoding

    def learned(self) -> dict[str, Array]:
        out = dict(self.weights) | {"count": self.adam.count, "spread": self.spread}
        out |= {f"mean {name}": array for name, array in self.adam.mean.items()}
        return out | {f"square {name}": array for name, array in self.adam.square.items()}

    def agent(self) -> Agent:
        arrays = {name: self.weights[name].copy() for name in net.SCORER}
        arrays["state"] *= self.sight.scale[:, None]
        return Agent(NETWORK, str(self.game), self.sight.encoding, arrays, {})

    def advance(self) -> None:
        lessons = [self._play(tables) for tables in self.groups]
        self._learn(Lesson(*(np.concatenate(parts) for parts in zip(*lessons, strict=True))))
        self.done += ROLLOUT * sum(map(len, self.groups))

    def _play(self, tables: Tables) -> Lesson:
        """Play for a while, and look back on it."""
        count, seats = len(tables), tables.seats
        shape = (ROLLOUT, count)
        values, logs = np.zeros((ROLLOUT + 1, count), np.float32), np.zeros(shape, np.float32)
        players, taken = np.zeros((ROLLOUT + 1, count), np.int64), np.zeros(shape, np.int64)
        rewards, ended = np.zeros((*shape, seats)), np.zeros(shape, np.bool_)
        states, choices, legal, actions = [], [], [], []
        for t in range(ROLLOUT):
            batch = self._look(tables)
            policy = net.score(self.weights, batch).logs
            action = _sample(policy, self.rng.random(count, np.float32))
            values[t], players[t], taken[t] = net.value(self.weights, batch.states).values, tables.players, action
            logs[t] = policy[np.arange(count), action]
            states.append(batch.states)
            choices.append(batch.choices)
            actions.append(batch.actions)
            legal.append(np.bincount(batch.rows, minlength=count))
            tables.step(action)
            rewards[t], ended[t] = tables.rewards, tables.terminated | tables.truncated
        values[-1] = net.value(self.weights, self.sight.states(tables.observations)).values
        players[-1] = tables.players
        self._rescale(rewards, ended)
        advantages, known = np.zeros(shape), np.zeros(shape, np.bool_)
        _look_back(values, players, rewards / self.spread[0], ended, advantages, known)
        keep, counts = known.ravel(), np.concatenate(legal)
        pairs = np.repeat(keep, counts)
        gains = advantages.ravel()[keep].astype(np.float32)
        return Lesson(
            np.concatenate(states)[keep], np.concatenate(choices)[pairs], counts[keep], np.concatenate(actions)[pairs],
            taken.ravel()[keep], logs.ravel()[keep], gains, gains + values[:-1].ravel()[keep],
        )  # fmt: skip

    def _look(self, tables: Tables) -> net.Batch:
        """What the players to act see, and may do."""
        rows, actions = np.nonzero(tables.masks)
        seen = tables.observations
        return net.Batch(
            self.sight.states(seen), self.sight.choices(seen, rows, actions), rows, actions, tables.masks.shape[1]
        )

    def _rescale(self, rewards: Array, ended: Array) -> None:
        """Keep returns at about one, whatever the game counts: by the sums over a lesson's episodes."""
        sums = np.zeros(rewards.shape[1:])
        seen = []
        for t in range(ROLLOUT):
            sums += rewards[t]
            if ended[t].any():
                seen.append(sums[ended[t]].ravel())
                sums[ended[t]] = 0.0
        if seen:
            size = float(np.sqrt(np.mean(np.concatenate(seen) ** 2))) or 1.0
            first = self.done == 0 and self.spread[0] == 1.0
            self.spread[0] = size if first else 0.99 * self.spread[0] + 0.01 * size

    def _learn(self, lesson: Lesson) -> None:
        settings = self.settings
        left = 0.1 + 0.9 * max(1.0 - self.done / settings.steps, 0.0)
        pace, entropy = settings.learning_rate * left, settings.entropy * left
        ends = np.cumsum(lesson.legal)
        gains = lesson.advantages
        gains = (gains - gains.mean()) / (gains.std() + np.float32(1e-8))
        for _ in range(EPOCHS):
            order = self.rng.permutation(len(ends))
            for first in range(0, len(order), PIECE):
                rows = np.sort(order[first : first + PIECE])
                legal = lesson.legal[rows]
                pairs = np.repeat(ends[rows] - np.cumsum(legal), legal) + np.arange(legal.sum())
                batch = net.Batch(
                    lesson.states[rows], lesson.choices[pairs], np.repeat(np.arange(len(rows)), legal),
                    lesson.actions[pairs], self.width,
                )  # fmt: skip
                taken = lesson.taken[rows], lesson.logs[rows], gains[rows]
                self.adam.step(
                    improve(self.weights, batch, *taken, entropy) | correct(self.weights, batch, lesson.returns[rows]),
                    pace,
                )


def improve(w: net.Weights, batch: net.Batch, taken: Array, before: Array, gains: Array, entropy: float) -> net.Weights:
    """Gradients that make actions likelier which did better than expected, within limits, and keep some luck."""
    seen, count = net.score(w, batch), len(taken)
    ratio = np.exp(seen.logs[np.arange(count), taken] - before)
    free = np.where(gains > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    push = np.where(free, ratio * gains, 0).astype(np.float32)
    chances = np.exp(seen.logs)
    logs = np.where(chances > 0, seen.logs, 0)
    spread = -(chances * logs).sum(1, keepdims=True)
    slope = push[:, None] * chances + np.float32(entropy) * chances * (logs + spread)
    slope[np.arange(count), taken] -= push
    return net.score_back(w, batch, seen, slope[batch.rows, batch.actions] / np.float32(count))


def correct(w: net.Weights, batch: net.Batch, returns: Array) -> net.Weights:
    """Gradients that bring the critic closer to what really came: of half the mean square."""
    seen = net.value(w, batch.states)
    return net.value_back(w, batch.states, seen, (seen.values - returns) / np.float32(len(returns)))


def _sample(logs: Array, luck: Array) -> Array:
    """An action for each row, by its probabilities."""
    sums = np.cumsum(np.exp(logs), axis=1)
    action = (sums < luck[:, None] * sums[:, -1:]).sum(1)
    legal = np.isfinite(logs)
    last = logs.shape[1] - 1 - np.argmax(legal[:, ::-1], axis=1)
    action = np.minimum(action, last)
    chosen: Array = np.where(legal[np.arange(len(logs)), action], action, last)
    return chosen


@compiled
def _look_back(values: Array, players: Array, rewards: Array, ended: Array, advantages: Array, known: Array) -> None:
    """Advantages, from the last decision back to the first, for each player of each table by itself.

    A decision whose consequence has not been seen is not known: its player has not decided again, nor has the episode
    ended.
    """
    steps, count = ended.shape
    seats = rewards.shape[2]
    following, gains, earned = np.zeros(seats), np.zeros(seats), np.zeros(seats)
    seen = np.zeros(seats, np.bool_)
    for i in range(count):
        seen[:] = False
        earned[:] = 0.0
        gains[:] = 0.0
        following[players[steps, i]] = values[steps, i]
        seen[players[steps, i]] = True
        for t in range(steps - 1, -1, -1):
            for player in range(seats):
                if ended[t, i]:
                    earned[player] = following[player] = gains[player] = 0.0
                    seen[player] = True
                earned[player] += rewards[t, i, player]
            player = players[t, i]
            if seen[player]:
                surprise = earned[player] + following[player] - values[t, i]
                gains[player] = surprise + LAMBDA * gains[player]
                advantages[t, i] = gains[player]
                known[t, i] = True
            following[player] = values[t, i]
            seen[player] = True
            earned[player] = 0.0

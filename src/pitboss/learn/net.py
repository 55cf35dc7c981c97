"""Two small networks and how they learn: one scores actions, one guesses what a state is worth.

Both have two hidden layers with rectifiers. The first layer of the scorer adds a part for the state, worked out once
for all actions, and a part for the action. Gradients are written out by hand; `tests/learn` compares them with
differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
Weights = dict[str, Array]

SCORER = ("state", "choice", "bias", "inner", "inner_bias", "out")
CRITIC = ("critic", "critic_bias", "critic_inner", "critic_inner_bias", "critic_out", "critic_out_bias")


class Batch(NamedTuple):
    """States, and all legal actions of each: action k belongs to row `rows[k]` and has the number `actions[k]`.

    Where there are many actions, and nothing but their numbers to tell them apart, `choices` has no columns.
    """

    states: Array
    choices: Array
    rows: Array
    actions: Array
    width: int  # how many actions there could be


class Scores(NamedTuple):
    """The policy, as a padded table, and what the way back needs."""

    logs: Array  # [row, action]: the logarithm of its probability; -inf where it is not legal
    first: Array
    second: Array


class Values(NamedTuple):
    """What states seem worth, and what the way back needs."""

    values: Array
    first: Array
    second: Array


def make(states: int, choices: int, hidden: int, rng: np.random.Generator) -> Weights:
    """Weights before anything is learned: actions score nearly alike, and no state is worth anything."""

    def layer(rows: int, columns: int) -> Array:
        weights: Array = rng.standard_normal((rows, columns)) * np.sqrt(2.0 / rows)
        return weights.astype(np.float32)

    def zeros(n: int) -> Array:
        return np.zeros(n, np.float32)

    scorer = (layer(states, hidden), layer(choices, hidden), zeros(hidden), layer(hidden, hidden), zeros(hidden))
    critic = (layer(states, hidden), zeros(hidden), layer(hidden, hidden), zeros(hidden), zeros(hidden), zeros(1))
    out = (0.01 * rng.standard_normal(hidden)).astype(np.float32)
    return {**dict(zip(SCORER, (*scorer, out), strict=True)), **dict(zip(CRITIC, critic, strict=True))}


def score(w: Weights, batch: Batch) -> Scores:
    """The probabilities of all legal actions."""
    of_state = batch.states @ w["state"] + w["bias"]
    of_choice = batch.choices @ w["choice"] if batch.choices.shape[1] else w["choice"][batch.actions]
    first = np.maximum(of_state[batch.rows] + of_choice, 0)
    second = np.maximum(first @ w["inner"] + w["inner_bias"], 0)
    logs = np.full((len(batch.states), batch.width), -np.inf, np.float32)
    logs[batch.rows, batch.actions] = second @ w["out"]
    logs -= logs.max(1, keepdims=True)
    logs -= np.log(np.exp(logs).sum(1, keepdims=True))
    return Scores(logs, first, second)


def score_back(w: Weights, batch: Batch, seen: Scores, slope: Array) -> Weights:
    """Gradients of the scorer, from what the loss does per score of each legal action."""
    second = np.outer(slope, w["out"]) * (seen.second > 0)
    first = (second @ w["inner"].T) * (seen.first > 0)
    by_row = np.zeros((len(batch.states), first.shape[1]), np.float32)
    starts = np.flatnonzero(np.diff(batch.rows, prepend=-1))  # rows are in order, and each has a legal action
    by_row[:] = np.add.reduceat(first, starts)
    return {
        "state": batch.states.T @ by_row, "choice": _by_choice(w, batch, first), "bias": by_row.sum(0),
        "inner": seen.first.T @ second, "inner_bias": second.sum(0), "out": seen.second.T @ slope,
    }  # fmt: skip


def _by_choice(w: Weights, batch: Batch, first: Array) -> Array:
    if batch.choices.shape[1]:
        return batch.choices.T @ first
    out, order = np.zeros_like(w["choice"]), np.argsort(batch.actions, kind="stable")
    numbers, starts = np.unique(batch.actions[order], return_index=True)
    out[numbers] = np.add.reduceat(first[order], starts)
    return out


def value(w: Weights, states: Array) -> Values:
    """What states seem worth."""
    first = np.maximum(states @ w["critic"] + w["critic_bias"], 0)
    second = np.maximum(first @ w["critic_inner"] + w["critic_inner_bias"], 0)
    return Values(second @ w["critic_out"] + w["critic_out_bias"][0], first, second)


def value_back(w: Weights, states: Array, seen: Values, slope: Array) -> Weights:
    """Gradients of the critic, from what the loss does per value."""
    second = np.outer(slope, w["critic_out"]) * (seen.second > 0)
    first = (second @ w["critic_inner"].T) * (seen.first > 0)
    return {
        "critic": states.T @ first, "critic_bias": first.sum(0), "critic_inner": seen.first.T @ second,
        "critic_inner_bias": second.sum(0), "critic_out": seen.second.T @ slope,
        "critic_out_bias": slope.sum(keepdims=True),
    }  # fmt: skip


class Adam:
    """Steps along gradients, each weight at its own pace (Kingma and Ba 2015), cut to a length at most."""

    def __init__(self, weights: Weights, most: float = 0.5) -> None:
        self.weights, self.most = weights, most
        self.mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self.square = {name: np.zeros_like(array) for name, array in weights.items()}
        self.count = np.zeros(1, np.int64)

    def step(self, gradients: Mapping[str, Array], pace: float) -> None:
        """One step downhill."""
        length = float(np.sqrt(sum(float((g.astype(np.float64) ** 2).sum()) for g in gradients.values())))
        cut = min(1.0, self.most / (length + 1e-8))
        self.count += 1
        n = int(self.count[0])
        pace *= float(np.sqrt(1 - 0.999**n) / (1 - 0.9**n))
        for name, gradient in gradients.items():
            g = gradient * np.float32(cut)
            self.mean[name] += np.float32(0.1) * (g - self.mean[name])
            self.square[name] += np.float32(0.001) * (g * g - self.square[name])
            self.weights[name] -= np.float32(pace) * self.mean[name] / (np.sqrt(self.square[name]) + np.float32(1e-8))

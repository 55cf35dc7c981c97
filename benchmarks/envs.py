"""How fast environments are: against the engine itself, and against Gymnasium's own vector environment.

A step is one decision of the learning seat; what bots and chance do until its next one is part of it. The agent hits
below 25 points and names the first seat it may, and its own time is not counted. The engine's time for a step is that
of `simulate` with the same bots and `stay-25` in the agent's place, one thread, shared out over the agent's decisions.
All times are those of the one thread that works, so that a busy machine counts for less.
"""

from __future__ import annotations

import time
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import pitboss.envs
from pitboss import load, simulate
from pitboss.run.tables import LEARNER, Tables

GAMES, SINGLE = 4096, 256
CASES = (
    ("pitboss/Flip7Solo-v1", "flip7:solo", [], "at least 5 million", "at least 100"),
    ("pitboss/Flip7-v1", "flip7:official", ["stay-25"] * 3, "at least 2 million", ""),
    ("pitboss/Show-v1", "show:fair", ["show-6"], "", ""),
)


def decide(observations: Any, masks: Any, points: Any) -> Any:
    """Hit or stay by points, where that is asked; else the first legal action."""
    asked = masks[:, 0] & masks[:, 1]
    return np.where(asked, (observations @ points < 25).astype(np.int64), masks.argmax(axis=1))


def weights(game: Any, seats: int) -> Any:
    """What makes the points of the own hand out of an observation; nothing where there are none."""
    encoding = next(iter(game.learning.encodings.values()))
    out = np.zeros(encoding.size(game.rules, seats), np.float32)
    slices = encoding.slices(game.rules, seats)
    if "seat+0 points" in slices:
        out[slices["seat+0 points"]] = 1
    elif "hand" in slices:
        out[slices["hand"]] = np.arange(13)
    return out


def seconds_per_step(envs: Any, points: Any, steps: int, rounds: int) -> tuple[float, float]:
    """The best of several rounds of steps, for one environment; and how many steps an episode has."""
    observations, infos = envs.reset(seed=1)
    fastest, ends = float("inf"), 0
    for _ in range(rounds):
        spent = 0.0
        for _ in range(steps):
            actions = decide(observations, infos["action_mask"], points)
            began = time.thread_time()
            observations, _, terminated, truncated, infos = envs.step(actions)
            spent += time.thread_time() - began
            ends += int((terminated | truncated).sum())
        fastest = min(fastest, spent / steps / envs.num_envs)
    return fastest, rounds * steps * envs.num_envs / max(1, ends)


def engine_seconds(spec: str, bots: list[str], steps: float) -> float:
    """What the engine takes for a game, shared out over the steps that an agent has in it."""
    fastest = float("inf")
    for _ in range(8):
        began = time.thread_time()
        run = simulate(spec, ["stay-25", *bots], 8000, 1, 1)
        fastest = min(fastest, (time.thread_time() - began) / run.games)
    return fastest / steps


def env_rows() -> list[tuple[str, str, str, str]]:
    """The rows for BENCHMARKS.md."""
    out = []
    for name, spec, bots, speed, factor in CASES:
        kwargs = {"opponents": bots, "episode": "game", "observation": next(iter(load(spec).learning.encodings))}
        vector = {**kwargs, "threads": 1, "autoreset_mode": AutoresetMode.SAME_STEP}
        envs = gym.make_vec(name, num_envs=GAMES, **vector)
        points = weights(envs.tables.game, 1 + len(bots))
        seconds_per_step(envs, points, 40, 1)
        single = SyncVectorEnv(
            [lambda name=name, kwargs=kwargs: gym.make(name, **kwargs)] * SINGLE, autoreset_mode=AutoresetMode.SAME_STEP
        )
        bare = gym.make_vec(name, num_envs=GAMES, copy=False, **vector)
        ours, length = seconds_per_step(envs, points, 40, 12)
        lent, _ = seconds_per_step(bare, points, 40, 12)
        theirs, _ = seconds_per_step(single, points, 4, 3)
        who = f"{spec}, {1 + len(bots)} seat{'s' * bool(bots)}" + (f", against {bots[0]}" if bots else "")
        copied = f"{who}; one thread; {1e-6 / lent:.1f} million with copy=False"
        out.append((f"{name}: a vector of {GAMES:,}", f"{1e-6 / ours:.1f} million steps/s", speed, copied))
        if points.any():  # the agent plays like a bot, so the engine can be given the same games
            engine = engine_seconds(spec, bots, length)
            times = f"{ours * 1e9:.0f} ns against {engine * 1e9:.0f} ns a step"
            out.append((f"{name}: vector / engine", f"{ours / engine:.2f}", "at most 3", times))
        plain = f"{theirs * 1e6:.1f} µs a step over {SINGLE} plain environments"
        out.append((f"{name}: SyncVectorEnv / vector", f"{theirs / ours:,.0f}", factor, plain))
    tables = Tables("flip7:official", [LEARNER] * 4, GAMES, threads=1)
    tables.reset(seed=1)
    points, fastest = weights(tables.game, 4), float("inf")
    for _ in range(12):
        spent = 0.0
        for _ in range(40):
            actions = decide(tables.observations, tables.masks, points)
            began = time.thread_time()
            tables.step(actions)
            spent += time.thread_time() - began
        fastest = min(fastest, spent / 40 / GAMES)
    about = "flip7:official, all 4 seats are the learner's; one thread"
    out.append(("self-play with Tables", f"{1e-6 / fastest:.1f} million steps/s", "", about))
    return out


if __name__ == "__main__":
    assert pitboss.envs
    for row in env_rows():
        print("| " + " | ".join(row) + " |", flush=True)

"""Data sets of games for learning offline, in the format of Minari: what a bot saw, did and was paid."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.game import Game
from pitboss.core.play import Seats
from pitboss.core.registry import bot as find
from pitboss.core.registry import load
from pitboss.core.types import Data
from pitboss.envs import environments
from pitboss.envs.single import SeatEnv, rotated

Progress = Callable[[int, int], None]  # episodes done, episodes in all


class Expert:
    """A bot in the place of an environment's agent: it is asked for actions."""

    def __init__(self, env: SeatEnv, bot: str) -> None:
        self._env, self._entrant = env, find(bot, env.game)
        self._actions: dict[int, dict[int, int]] = {}  # by seat: the action for each move
        self._deal = -1

    def begin(self) -> None:
        """An episode has begun, perhaps of another game."""
        env = self._env
        assert env._key is not None
        if env._deal != self._deal:
            self._deal = env._deal
            players = [self._entrant, *rotated(env._seats.entrants, -env._seat)[1:]]
            self._seats = Seats(env.game, rotated(players, env._seat))
            self._seats.start(env._key, env._deal, env._seat)

    def action(self) -> int:
        """What it does now."""
        env, seat = self._env, self._env._seat
        if seat not in self._actions:
            self._actions[seat] = {env._look.move(action, seat): action for action in range(env._look.actions)}
        return self._actions[seat][self._seats.decide(env._position, seat)]


def record(
    name: str, game: str | Game, bot: str, episodes: int, seed: int = 0, progress: Progress | None = None,
    **settings: Any,
) -> Data:  # fmt: skip
    """Let a bot play in an environment, and keep what happens as the Minari data set of this name; what it has.

    Settings are those of `SeatEnv`, opponents as a text. The data set says how to make the environment again.
    """
    try:
        import minari
        import minari.data_collector
    except ImportError as problem:
        raise PitbossError("data sets need more packages: pip install 'pitboss[minari]'") from problem
    table = load(game)
    given = {key: value for key, value in settings.items() if value is not None}
    known = {key: load(usual["game"]) for key, usual in environments().items()}
    alike = [key for key, its in known.items() if its.name == table.name]
    id = [*alike, *(key for key in alike if known[key] == table)][-1]
    env = gym.make(id, **{"game": str(table), **given})
    seat: Any = env.unwrapped
    expert, kept = Expert(seat, bot), []
    for episode in range(episodes):
        kept.append(minari.data_collector.EpisodeBuffer(**_episode(env, expert, seed if episode == 0 else None)))
        if progress:
            progress(episode + 1, episodes)
    about = f"{bot} at {table}, seed {seed}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that authors and their addresses are not named
            made = minari.create_dataset_from_buffers(
                name, kept, env, algorithm_name=bot, description=about, data_format="arrow"
            )
    except ValueError as problem:
        raise PitbossError(f"the data set {name} cannot be made: {problem}") from problem
    mean = float(np.mean([sum(buffer.rewards) for buffer in kept]))
    return {
        "dataset": name, "environment": id, "bot": bot, "episodes": int(made.total_episodes),
        "steps": int(made.total_steps), "mean_return": mean,
    }  # fmt: skip


def _episode(env: gym.Env[Any, Any], expert: Expert, seed: int | None) -> Data:
    """One episode, as `EpisodeBuffer` names its parts."""
    observation, _ = env.reset(seed=seed)
    out: Data = {"seed": seed, "observations": [observation]}
    out |= {part: [] for part in ("actions", "rewards", "terminations", "truncations")}
    over = False
    while not over:
        expert.begin()
        action = np.int64(expert.action())
        observation, reward, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
        steps = (observation, action, float(reward), terminated, truncated)
        for part, value in zip(
            ("observations", "actions", "rewards", "terminations", "truncations"), steps, strict=True
        ):
            out[part].append(value)
    return out

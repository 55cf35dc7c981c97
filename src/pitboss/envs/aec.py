"""Any game as an environment of PettingZoo: every seat is an agent, and they act in the order of the game.

from pitboss.envs.aec import env

table = env("flip7:tournament", seats=5)
"""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from pitboss.core.dealer import Keyed
from pitboss.core.errors import IllegalMove, PitbossError
from pitboss.core.game import Game
from pitboss.core.keys import Key
from pitboss.core.registry import load
from pitboss.core.step import DEALER
from pitboss.core.types import Array, Data
from pitboss.envs.draw import picture, text
from pitboss.envs.observation import Actions, SeatObserver, verify_render_mode

RENDER_MODES = ["human", "ansi", "rgb_array"]


def env(game: str | Game, seats: int | None = None, **settings: Any) -> AECEnv[str, Any, Any]:
    """The environment with PettingZoo's own check that it is used in the right order; settings as in `TableEnv`."""
    return OrderEnforcingWrapper(TableEnv(game, seats, **settings))


class TableEnv(AECEnv[str, Any, Any]):
    """A table at which all seats learn; `seats` is the least number that the rules allow, unless given.

    An agent's mask is in its `infos`, and all zeros while it is not to act; with `masks="observation"` it is
    in the observation, a dictionary of `observation` and `action_mask`. Rewards are what an agent's worth has grown
    by, as in `SeatEnv`. `reset(seed=…)` decides all cards of this game and of those after it.

    >>> table = TableEnv("flip7:official", 3)
    >>> table.reset(seed=1)
    >>> table.agents, table.agent_selection, table.infos["player_0"]["action_mask"].tolist()
    (['player_0', 'player_1', 'player_2'], 'player_0', [1, 1, 0, 0, 0, 0, 0])
    """

    metadata: ClassVar[Data] = {
        "render_modes": RENDER_MODES,
        "render_fps": 2,
        "name": "pitboss",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        *,
        observation: str | None = None,
        reward: str | None = None,
        masks: str = "info",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = load(game)
        count = self.game.rules.seats[0] if seats is None else seats
        self._look = SeatObserver(self.game, count, observation, reward, None)
        if masks not in ("info", "observation"):
            raise PitbossError(f"masks={masks!r} is not possible; they are in the info or in the observation")
        verify_render_mode(render_mode, RENDER_MODES)
        self.render_mode, self._in_observation = render_mode, masks == "observation"
        self.possible_agents = [f"player_{seat}" for seat in range(count)]
        self.agents: list[str] = []
        row = self._look.space()
        both = {"observation": row, "action_mask": spaces.MultiBinary(self._look.actions)}
        self.observation_spaces = {
            agent: spaces.Dict(both) if self._in_observation else row for agent in self.possible_agents
        }
        self.action_spaces = {agent: Actions(self._look.actions) for agent in self.possible_agents}
        self._key: Key | None = None
        self._deal = -1

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can do; `sample` without a mask keeps to what is legal now."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Data | None = None) -> None:
        """A new game: the first of a seed, or the next."""
        if seed is not None or self._key is None:
            self._key = Key.of(None if seed is None else index(seed), quick=True)
            self._deal = -1
        self._deal += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._position = self.game.start(len(self.agents))
        self._dealer = Keyed(self._key, self._deal)
        self._deal_cards()
        self._earned = [self._see(seat)[2] for seat in range(len(self.agents))]
        self._tell()

    def step(self, action: Any) -> None:
        """The action of the agent whose turn it is; None from one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._position.to_act
        mask = self.action_spaces[agent].now
        if not (0 <= action < len(mask) and mask[action]):
            legal = f"{np.flatnonzero(mask).tolist()} ({self._position.legal})"
            raise IllegalMove(f"action {action} is not legal for {agent} now; legal: {legal}")
        self._cumulative_rewards[agent] = 0.0
        self._apply(self._look.move(int(action), seat))
        self._deal_cards()
        for seat, who in enumerate(self.agents):
            now = self._see(seat)[2]
            self.rewards[who], self._earned[seat] = now - self._earned[seat], now
        if self._position.over:
            cut = self._position.cut
            self.terminations = dict.fromkeys(self.agents, not cut)
            self.truncations = dict.fromkeys(self.agents, cut)
        self._tell()
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Any:
        """What an agent sees now."""
        row, mask, _, _ = self._see(self.possible_agents.index(agent))
        return {"observation": row, "action_mask": mask} if self._in_observation else row

    def render(self) -> Any:
        """The table as the agent whose turn it is sees it: printed, as text, or as a picture."""
        if self.render_mode is None:
            raise PitbossError("nothing can be rendered; make the environment with a render_mode")
        seat = max(0, self._position.to_act)
        scene = self.game.scene(self._position.view(seat), self.possible_agents)
        if self.render_mode == "rgb_array":
            return picture(scene)
        if self.render_mode == "ansi":
            return text(scene)
        print(text(scene))
        return None

    def close(self) -> None:
        """There is nothing to give back."""

    def _apply(self, move: int) -> None:
        self.game.loops.apply(self._position.states, self.game.record, move, None)

    def _deal_cards(self) -> None:
        while self._position.to_act == DEALER:
            self._apply(self._dealer.card(self._position))

    def _see(self, seat: int) -> tuple[Array, Array, float, int]:
        return self._look(self._position, seat)

    def _tell(self) -> None:
        """Say whose turn it is, and what it may do."""
        if not self._position.over:
            self.agent_selection = self.possible_agents[self._position.to_act]
        self.infos = {}
        for agent in self.agents:
            mask = self._see(self.possible_agents.index(agent))[1]
            self.action_spaces[agent].now = mask
            self.infos[agent] = {} if self._in_observation else {"action_mask": mask.copy()}

"""Show as a game of OpenSpiel, on `Position`: nothing here is shared with `pitboss.analysis` but the rules
themselves, so that the two can be compared."""

from __future__ import annotations

import pyspiel

from pitboss.core.step import DEALER

_TYPE = {
    "dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL,
    "chance_mode": pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    "information": pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    "utility": pyspiel.GameType.Utility.ZERO_SUM,
    "reward_model": pyspiel.GameType.RewardModel.TERMINAL,
    "max_num_players": 2,
    "min_num_players": 2,
    "provides_information_state_string": True,
    "provides_information_state_tensor": False,
    "provides_observation_string": False,
    "provides_observation_tensor": False,
}


class SpielGame(pyspiel.Game):
    """A table of Show for OpenSpiel's algorithms."""

    def __init__(self, game):
        kind = pyspiel.GameType(short_name=f"pitboss_{game.name}", long_name=str(game), **_TYPE)
        info = pyspiel.GameInfo(
            num_distinct_actions=62, max_chance_outcomes=62, num_players=2, min_utility=-2, max_utility=2,
            utility_sum=0.0, max_game_length=100,
        )  # fmt: skip
        super().__init__(kind, info, {})
        self.game = game

    def new_initial_state(self):
        return SpielState(self, Walk(self.game.start(2)))


class Walk:
    """A position, and all that each seat has observed on the way to it."""

    def __init__(self, position, logs=None, moves=()):
        self.position, self.moves = position, moves
        self.logs = logs or ["", ""]
        if logs is None:
            self._observe(position.events())

    def _observe(self, events):
        for seat in (0, 1):
            seen = "".join(f" {event.seen_by(seat)}" for event in events)
            self.logs[seat] += f"{seen} {self.position.view(seat).record.tobytes().hex()};"

    def apply(self, move):
        if self.position.to_act >= 0:
            self.logs[self.position.to_act] += f" I choose {move}"
        self.moves = (*self.moves, move)
        self._observe(self.position.apply(move))

    def __deepcopy__(self, memo):
        return Walk(self.position.copy(), [*self.logs], self.moves)


class SpielState(pyspiel.State):
    """A state; OpenSpiel copies it by copying `walk`."""

    def __init__(self, game, walk):
        super().__init__(game)
        self.walk = walk

    @property
    def _position(self):
        return self.walk.position

    def current_player(self):
        if self._position.over:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self._position.to_act == DEALER else self._position.to_act

    def _legal_actions(self, player):
        return list(self._position.legal)

    def chance_outcomes(self):
        state = self._position.states[0]
        return [(card, int(state["left"][card]) / int(state["left_total"])) for card in self._position.legal]

    def _apply_action(self, action):
        self.walk.apply(action)

    def _action_to_string(self, player, action):
        return str(action)

    def is_terminal(self):
        return self._position.over

    def returns(self):
        if not self._position.over:
            return [0.0, 0.0]
        payoff = self._position.states["payoff"][0] / 1000
        return payoff.tolist()

    def information_state_string(self, player):
        return f"{player}: {self.walk.logs[player]}"

    def __str__(self):
        return " ".join(map(str, self.walk.moves))

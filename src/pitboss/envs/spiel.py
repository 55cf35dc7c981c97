"""The games as Python games of OpenSpiel: chance is explicit, and an information state is all a seat has been told.

Importing this registers `pitboss_flip7`, `pitboss_show` and the games of other packages. A spec is loaded by `load`;
in OpenSpiel's own texts its brackets are square, and it has `;` for a comma and `:` for an equals sign:

    from pitboss.envs import spiel

    game = spiel.load("show:classic(call_from_turn=2)")
    same = pyspiel.load_game("pitboss_show(rules=classic[call_from_turn:2])")
"""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
import pyspiel

from pitboss.core.game import Game, Position
from pitboss.core.registry import game_class, game_classes
from pitboss.core.registry import load as load_table
from pitboss.core.step import DEALER
from pitboss.core.types import Data, GameEvent
from pitboss.envs.draw import text
from pitboss.envs.observation import SeatObserver

PREFIX = "pitboss_"

_TO_SPIEL, _FROM_SPIEL = str.maketrans("(),=", "[];:"), str.maketrans("[];:", "(),=")


def load(spec: str | Game, seats: int | None = None) -> Any:
    """The OpenSpiel game of a table; `seats` is the least number that its rules allow, unless given.

    >>> load("show:classic").num_players()
    2
    """
    table = load_table(spec)
    register()  # a game of a package that was installed since
    settings = {"rules": str(table.rules).translate(_TO_SPIEL), "seats": seats or 0}
    return pyspiel.load_game(PREFIX + table.name, settings)


def cached_tree(spec: str | Game, seats: int | None = None) -> Any:
    """A small table with its whole tree in memory, which OpenSpiel's algorithms walk much faster.

    >>> cached_tree("show:classic(deck=A 2 3 4 5)").num_players()
    2
    """
    return pyspiel.convert_to_cached_tree(load(spec, seats))


class SpielGame(pyspiel.Game):
    """A table; `rules` is the part of a spec after the colon. Each game of the registry has a subclass."""

    name: ClassVar[str]

    def __init__(self, params: Data | None = None) -> None:
        name, given = self.name, params or {}
        rules = str(given.get("rules", "")).translate(_FROM_SPIEL)
        self.table = game_class(name).parse(rules)
        seats = int(given.get("seats", 0)) or self.table.rules.seats[0]
        learning, stakes = self.table.learning, self.table.learning.stakes(self.table.rules, seats)
        self.look = SeatObserver(self.table, seats, None, stakes.reward, None)
        balanced = seats == 2 and stakes.low == -stakes.high
        info = pyspiel.GameInfo(
            num_distinct_actions=learning.actions(self.table.rules, seats),
            max_chance_outcomes=self.table.step.moves,
            num_players=seats,
            min_utility=stakes.low,
            max_utility=stakes.high,
            utility_sum=0.0 if balanced else None,
            max_game_length=stakes.decisions,
        )
        super().__init__(_type(name, self.table, balanced), info, given)

    def new_initial_state(self) -> SpielState:
        """The start of a game."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What shows players the game."""
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):
    """A position, and all that each seat has been told on the way to it; OpenSpiel copies the walk."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.look = _Shared(game.look)
        self.walk = Walk.begin(game.table, game.look.seats)

    def current_player(self) -> int:
        """Whose move it is."""
        to_act = self.walk.position.to_act
        if self.walk.position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if to_act == DEALER else to_act

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.walk.position.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every card that can come, with its probability."""
        state = self.walk.position.states[0]
        return [(card, int(state["left"][card]) / int(state["left_total"])) for card in self.walk.position.legal]

    def _apply_action(self, action: int) -> None:
        self.walk.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        table = self.walk.position.game
        return f"Deal {table.format_card(action)}" if player < 0 else table.format_move(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.walk.position.over

    def returns(self) -> list[float]:
        """What each player has earned, once the game is over."""
        position = self.walk.position
        if not position.over:
            return [0.0] * position.seats
        return [self.look.it(position, seat)[2] for seat in range(position.seats)]

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has chosen and been told."""
        return self.walk.logs[self.current_player() if player is None else player]

    def __str__(self) -> str:
        return " ".join(self.walk.moves)


class _Shared:
    """Something that copies of a state share."""

    def __init__(self, it: SeatObserver) -> None:
        self.it = it

    def __deepcopy__(self, memo: object) -> _Shared:
        return self


class Walk:
    """A position, the moves that led to it, and what each seat has been told."""

    def __init__(self, position: Position, logs: list[str], moves: list[str]) -> None:
        self.position, self.logs, self.moves = position, logs, moves

    @classmethod
    def begin(cls, table: Game, seats: int) -> Walk:
        """A new game."""
        walk = cls(table.start(seats), [f"seat {seat}:" for seat in range(seats)], [])
        walk._tell(walk.position.events())
        return walk

    def apply(self, move: int) -> None:
        """Make a move, or deal a card."""
        to_act, table = self.position.to_act, self.position.game
        word = table.format_card(move) if to_act == DEALER else table.format_move(move)
        self.moves.append(word)
        if to_act >= 0:
            self.logs[to_act] += f" I choose {word};"
        self._tell(self.position.apply(move))

    def _tell(self, events: list[GameEvent]) -> None:
        names = [f"{seat}" for seat in range(self.position.seats)]
        for seat in range(self.position.seats):
            self.logs[seat] += "".join(f" {event.seen_by(seat).text(names)};" for event in events)

    def __deepcopy__(self, memo: object) -> Walk:
        return Walk(self.position.copy(), self.logs[:], self.moves[:])


class Observer:
    """What a player sees now, as the numbers of `SeatEnv` and as text; with perfect recall, what it has been told.

    Somebody who may see nothing of any player's own sees nothing at all.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self._recall, look = kind.perfect_recall, game.look
        self._blind = game.table.has_secrets and kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER
        numbers = not self._recall and not self._blind
        self.tensor = np.zeros(look.size if numbers else 0, np.float32)
        slices = look.encoding.slices(look.game.rules, look.seats) if numbers else {}
        self.dict = {name: self.tensor[where] for name, where in slices.items()}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill in the numbers."""
        if len(self.tensor):
            self.tensor[:] = state.look.it(state.walk.position, player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """The text."""
        if self._blind:
            return ""
        if self._recall:
            return state.walk.logs[player]
        position = state.walk.position
        return text(position.game.scene(position.view(player), [f"{seat}" for seat in range(position.seats)]))


def _type(name: str, table: Game, balanced: bool) -> Any:
    kinds = pyspiel.GameType
    secrets = kinds.Information.IMPERFECT_INFORMATION if table.has_secrets else kinds.Information.PERFECT_INFORMATION
    presets = table.rules_class.presets.values()
    return pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=f"{table.name}: {table.about}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=secrets,
        utility=kinds.Utility.ZERO_SUM if balanced else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(rules.seats[-1] for rules in presets),
        min_num_players=min(rules.seats[0] for rules in presets),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": "", "seats": 0},
    )


def register() -> None:
    """Tell OpenSpiel about all games of the registry."""
    for name, kind in game_classes(lambda why: warnings.warn(f"no game of OpenSpiel: {why}", stacklevel=3)).items():
        if PREFIX + name not in pyspiel.registered_names():
            table = kind.parse("")
            stakes = table.learning.stakes(table.rules, table.rules.seats[0])
            balanced = table.rules.seats[0] == 2 and stakes.low == -stakes.high
            # OpenSpiel drops what is registered after Python has ended: a class survives that, a function does not.
            pyspiel.register_game(_type(name, table, balanced), type(name.title(), (SpielGame,), {"name": name}))


register()

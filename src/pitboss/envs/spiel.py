"""The games as Python games of OpenSpiel: chance is explicit, and an information state is all a seat has been told.

Importing this registers `pitboss_flip7`, `pitboss_show` and the games of other packages. A spec is loaded by `load`;
in OpenSpiel's own texts its brackets are square, and it has `;` for a comma and `:` for an equals sign:

    from pitboss.envs import spiel

    game = spiel.load("show:classic(call_from_turn=2)")
    same = pyspiel.load_game("pitboss_show(rules=classic[call_from_turn:2])")
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import pyspiel

from pitboss.core.errors import PitbossError
from pitboss.core.events import drain
from pitboss.core.game import Game, Position
from pitboss.core.legal import moves_of
from pitboss.core.registry import game_class, game_classes
from pitboss.core.registry import load as load_table
from pitboss.core.step import DEALER
from pitboss.core.types import Data, GameEvent
from pitboss.envs.draw import text
from pitboss.envs.observation import SeatObserver

PREFIX = "pitboss_"
_Taken = tuple[int, int, list[Any]]  # who was to act, the move or card, and the numbers of the events
ROW = 4  # numbers of a line in an information state: 1 + kind of event, 1 + seat, and two details
MOST_NUMBERS = 20_000  # of an information state

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
        stakes = self.table.learning.stakes(self.table.rules, seats)
        self.look = SeatObserver(self.table, seats, None, stakes.reward, None)
        balanced = seats == 2 and stakes.low == -stakes.high
        info = pyspiel.GameInfo(
            num_distinct_actions=most_moves(self.look),
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
        return moves_of(self.walk.bits)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every card that can come, with its probability."""
        state = self.walk.position.states
        left, total = state["left"][0].tolist(), int(state["left_total"][0])
        return [(card, left[card] / total) for card in moves_of(self.walk.bits)]

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
        return self.walk.log(self.current_player() if player is None else player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that the player cannot tell from this one, for ISMCTS: what it cannot see is dealt again, all ways
        that fit its view equally likely."""
        state: SpielState = self.clone()
        if self.walk.position.game.has_secrets:
            state.walk = self.walk.imagine(player, int(sampler() * (1 << 53)))
        return state

    def __str__(self) -> str:
        return " ".join(self.walk.moves)


class _Shared:
    """Something that copies of a state share."""

    def __init__(self, it: SeatObserver) -> None:
        self.it = it

    def __deepcopy__(self, memo: object) -> _Shared:
        return self


class Walk:
    """A position, the steps that led to it, and what each seat has been told.

    Most walks are never asked what was told, so that is worked out when somebody asks. In a world that a seat has
    imagined (`imagine`) the others' secrets are not those of the steps: of these, they know what that seat knows, and
    what their views in that world show.
    """

    def __init__(self, position: Position, steps: list[_Taken]) -> None:
        self.position, self.steps = position, steps
        self.real, self.dreamer = 0, -1  # how many steps were not taken in this world, and whose world it is
        self.views: list[str] = []  # in an imagined world, what each seat saw when it began
        self._bits = -1
        self._logs, self._told = [f"seat {seat}:" for seat in range(position.seats)], 0

    @classmethod
    def begin(cls, table: Game, seats: int) -> Walk:
        """A new game."""
        position = table.start(seats)
        return cls(position, [(DEALER, -1, drain(position.buffer))])

    @property
    def bits(self) -> int:
        """The legal moves."""
        if self._bits < 0:
            self._bits = int(self.position.game.loops.legal(self.position.states, self.position.game.record))
        return self._bits

    def apply(self, move: int) -> None:
        """Make a move, or deal a card."""
        position, to_act = self.position, self.position.to_act
        if not self.bits >> move & 1:
            position.verify(move)
        position.game.loops.apply(position.states, position.game.record, move, position.buffer)
        self.steps.append((to_act, move, drain(position.buffer)))
        self._bits = -1

    @property
    def moves(self) -> list[str]:
        """The words for all moves and cards."""
        table = self.position.game
        return [table.write_move(move, to_act == DEALER) for to_act, move, _ in self.steps if move >= 0]

    def told(self, seat: int, first: int = 0) -> Iterator[tuple[int, list[GameEvent]]]:
        """Of each step from the first: the move, if it was the seat's own, and the events as the seat knows them."""
        table = self.position.game
        for n, (to_act, move, happened) in enumerate(self.steps[first:], first):
            guess = n < self.real and seat != self.dreamer
            eyes = self.dreamer if guess else seat
            events = [table.event_class(table.event_kinds[kind], *rest).seen_by(eyes) for kind, *rest in happened]
            yield (move if to_act == seat and not guess else -1), events

    def log(self, seat: int) -> str:
        """All that a seat has chosen and been told, in words."""
        names = [f"{n}" for n in range(self.position.seats)]
        if self._told < len(self.steps):
            for n in range(len(names)):
                for at, (own, events) in enumerate(self.told(n, self._told), self._told):
                    if self.views and at == self.real and n != self.dreamer:
                        self._logs[n] += self.views[n]
                    chosen = f" I choose {self.position.game.format_move(own)};" if own >= 0 else ""
                    self._logs[n] += chosen + "".join(f" {event.text(names)};" for event in events)
            self._told = len(self.steps)
        late = self.views[seat] if self.views and self.real == len(self.steps) and seat != self.dreamer else ""
        return self._logs[seat] + late

    def imagine(self, seat: int, luck: int) -> Walk:
        """A walk that the seat cannot tell from this one: what it cannot see is dealt again."""
        world = Walk(self.position.game.imagine(self.position.view(seat), luck), self.steps[:])
        world.real, world.dreamer = len(self.steps), seat
        world.views = [f" I see {world.position.view(n).to_dict()};" for n in range(world.position.seats)]
        return world

    def __deepcopy__(self, memo: object) -> Walk:
        copy = Walk(self.position.copy(), self.steps[:])
        copy.real, copy.dreamer, copy.views, copy._bits = self.real, self.dreamer, self.views, self._bits
        copy._logs, copy._told = self._logs[:], self._told
        return copy


class Observer:
    """What a player sees now, as the numbers of `SeatEnv` and as text; with perfect recall, what it has been told.

    Of a game with secrets that is a line of numbers for each event and each own move; in an open game all that was told
    lies on the table. Somebody who may see nothing of any player's own sees nothing at all.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self._recall, look = kind.perfect_recall, game.look
        self._blind = game.table.has_secrets and kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._lines = self._recall and game.table.has_secrets
        self._look = _sufficient(game.table, look.seats) if self._recall and not self._lines else look
        if self._blind:
            self.tensor, slices = np.zeros(0, np.float32), {}
        elif self._lines:
            size = recalled(game.table, look.seats)
            self.tensor, slices = np.zeros(size, np.float32), {"told": slice(0, size)} if size else {}
        else:
            self.tensor = np.zeros(self._look.size, np.float32)
            slices = self._look.encoding.slices(self._look.game.rules, look.seats)
        self.dict = {name: self.tensor[where] for name, where in slices.items()}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill in the numbers."""
        if self._lines:
            self._recount(state.walk, player)
        elif len(self.tensor):
            self.tensor[:] = self._look(state.walk.position, player)[0]

    def _recount(self, walk: Walk, player: int) -> None:
        kinds, lines = walk.position.game.event_kinds, []
        for own, events in walk.told(player):
            lines += [[1 + len(kinds), 1 + player, own, 0]] if own >= 0 else []
            lines += [[1 + kinds.index(event.kind), 1 + event.seat, event.a, event.b] for event in events]
        numbers = np.array(lines, np.float32).ravel()
        if len(numbers) > len(self.tensor):
            raise PitbossError(f"more was told in this game of {walk.position.game} than an information state can hold")
        self.tensor[:] = 0
        self.tensor[: len(numbers)] = numbers

    def string_from(self, state: SpielState, player: int) -> str:
        """The text."""
        if self._blind:
            return ""
        if self._recall:
            return state.walk.log(player)
        position = state.walk.position
        return text(position.game.scene(position.view(player), [f"{seat}" for seat in range(position.seats)]))


def most_moves(look: SeatObserver) -> int:
    """How many moves there can be at a table: OpenSpiel is told moves, which any seat numbers alike, not actions."""
    return 1 + max(look.move(action, seat) for action in range(look.actions) for seat in range(look.seats))


def recalled(table: Game, seats: int) -> int:
    """How many numbers all that a seat of a game with secrets can be told takes; 0 if that is too many."""
    numbers = ROW * 3 * table.learning.stakes(table.rules, seats).decisions
    return numbers if numbers <= MOST_NUMBERS else 0


def _sufficient(table: Game, seats: int) -> SeatObserver:
    return SeatObserver(table, seats, table.learning.sufficient, None, None)


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
        provides_information_state_tensor=not table.has_secrets or recalled(table, table.rules.seats[0]) > 0,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": "", "seats": 0},
    )


def register() -> None:
    """Register all games with OpenSpiel."""
    for name, kind in game_classes(lambda why: warnings.warn(f"no game of OpenSpiel: {why}", stacklevel=3)).items():
        if PREFIX + name not in pyspiel.registered_names():
            table = kind.parse("")
            stakes = table.learning.stakes(table.rules, table.rules.seats[0])
            balanced = table.rules.seats[0] == 2 and stakes.low == -stakes.high
            # OpenSpiel drops what is registered after Python has ended: a class survives that, a function does not.
            pyspiel.register_game(_type(name, table, balanced), type(name.title(), (SpielGame,), {"name": name}))


register()

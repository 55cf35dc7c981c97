"""Agents as bots: compiled functions that read a table of values, or a network, from their parameters.

The parameters begin with the number of seats (0 if the view has it), then how many actions there are at a table of
0, 1, 2, … seats. What has been learned follows. The best action is taken, the first of equals; sums are
added up in a fixed order and nothing but them is compared, so an agent plays the same on every machine. The parameters
of a bot that gives advice come last.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from pitboss.core.bot import Entrant
from pitboss.core.compile import compiled
from pitboss.core.errors import BotError
from pitboss.core.game import Game
from pitboss.core.legal import Asking, asking
from pitboss.core.registry import bot
from pitboss.core.types import Array, RulesRecord, ViewRecord
from pitboss.learn.agent import ADVICE, ADVISED, CELLS, TABLE, Agent, Sight, actions_by_seats, cells_of, load, version

SEATS, ACTIONS = 0, 2  # places in the parameters; 1: how many entries the actions have
NO_ADVICE = -1
NOTHING = np.zeros(0)


def enter(place: str, game: Game) -> Entrant:
    """The bot `agent:PLACE` for a table."""
    agent = load(place)
    agent.verify_game(game)
    return entrant(agent, game, f"agent:{place}", version(place))


def entrant(agent: Agent, game: Game, name: str = "agent", source: str = "") -> Entrant:
    """An agent, ready to be seated."""
    advice, more = _nobody, NOTHING
    if agent.kind == ADVISED:
        asked = adviser(str(agent.about.get(ADVICE)), game)
        advice, more, source = asked.function or _nobody, asked.params, source and f"{source} {asked.version}".strip()
    numbers = _table_numbers(agent, game) if agent.kind == TABLE else _network_numbers(agent, game)
    if agent.encoding not in game.learning.encodings:
        raise BotError(f"{name} looks at {agent.encoding!r}, which {game} does not have")
    seats, actions = game.rules.seats, actions_by_seats(game)
    fixed = seats[0] if len(seats) == 1 else 0
    params = np.concatenate([[fixed, len(actions)], actions, numbers, more]).astype(np.float64)
    params.flags.writeable = False
    function = _made(agent, game, advice)
    return Entrant(name, function=function, params=params, version=source, trusted=True)


def adviser(name: str, game: Game) -> Entrant:
    """The bot that an advised agent asks. Its file may name built-in bots and other agents, and so no code to run."""
    scheme, _, place = name.partition(":")
    if place and (scheme != "agent" or load(place).kind == ADVISED):
        raise BotError(f"an agent can be advised by a built-in bot or by a plain agent:FILE, not by {name}")
    found = bot(name, game)
    if found.function is None:
        raise BotError(f"an agent can be advised by a compiled bot, and {name} is not compiled")
    return found


def _table_numbers(agent: Agent, game: Game) -> Array:
    values = agent.arrays["values"]
    if agent.encoding != CELLS or values.shape != (cells_of(game),):
        raise BotError(f"this agent has {values.size} values, and {game} wants {cells_of(game)}: it was made otherwise")
    return values


def _network_numbers(agent: Agent, game: Game) -> Array:
    sight, arrays, advised = Sight.of(game), agent.arrays, int(agent.kind == ADVISED)
    hidden = arrays["bias"].size
    wanted = {
        "state": (sight.state, hidden), "choice": (sight.choice + advised, hidden), "bias": (hidden,),
        "inner": (hidden, hidden), "inner_bias": (hidden,), "out": (hidden,),
    }  # fmt: skip
    for name, shape in wanted.items():
        if agent.encoding != sight.encoding or arrays[name].shape != shape:
            raise BotError(f"this agent's network has another form than {game} wants: it was made otherwise")
    sizes = [sight.state, sight.choice, hidden, int(sight.numbered), advised]
    return np.concatenate([sizes, *(arrays[name].ravel() for name in wanted)])


def _made(agent: Agent, game: Game, advice: Callable[..., int]) -> Callable[..., int]:
    learning = game.learning
    in_view = "seats" in (game.view_dtype.names or ())
    if not in_view and len(game.rules.seats) > 1:
        raise BotError(f"views of {game} do not say how many play, so no agent can")
    if learning.legal is None:
        raise BotError(
            f"views of {game} do not say what is legal, so no agent can play: make_learning must give `legal`"
        )
    asked = asking(learning.legal, game.step.moves)
    write = learning.encodings[agent.encoding].write
    if agent.kind == TABLE:
        return _table_bot(write, asked, learning.move_of, in_view)
    return _network_bot(write, asked, learning.move_of, in_view, advice)


@compiled
def _nobody(v: ViewRecord, r: RulesRecord, seat: int, params: Array, luck: np.uint64) -> int:
    """In place of the bot that gives advice."""
    return NO_ADVICE


@cache
def _seats(in_view: bool) -> Callable[[Any, Any], int]:
    if in_view:
        return compiled(lambda v, params: int(v["seats"]))
    return compiled(lambda v, params: int(params[SEATS]))


@cache
def _table_bot(write: Any, asked: Asking, move_of: Any, in_view: bool) -> Callable[..., int]:
    seats_of, (look, has, *_) = _seats(in_view), asked

    @compiled
    def table_agent(v: ViewRecord, r: RulesRecord, seat: int, params: Array, luck: np.uint64) -> int:
        """Takes the action with the highest value."""
        seats, values = seats_of(v, params), ACTIONS + int(params[1])
        cells = np.zeros(int(params[ACTIONS + seats]), np.int64)
        write(v, r, seat, cells)
        looked, best, most = look(v, r), -1, -np.inf
        for action in range(len(cells)):
            move = move_of(action, seats, seat)
            if has(looked, v, r, move) and params[values + cells[action]] > most:
                best, most = move, params[values + cells[action]]
        return best

    return table_agent


@cache
def _network_bot(write: Any, asked: Asking, move_of: Any, in_view: bool, advice: Any) -> Callable[..., int]:
    seats_of, (look, has, *_) = _seats(in_view), asked

    @compiled
    def network_agent(v: ViewRecord, r: RulesRecord, seat: int, params: Array, luck: np.uint64) -> int:
        """Takes the action with the highest score."""
        seats, at = seats_of(v, params), ACTIONS + int(params[1])
        actions = int(params[ACTIONS + seats])
        states, choices, hidden, numbered = int(params[at]), int(params[at + 1]), int(params[at + 2]), params[at + 3]
        advised = int(params[at + 4])
        row = np.zeros(states + (0 if numbered else actions * choices), np.float32)
        write(v, r, seat, row)
        of_state = at + 5
        of_choice = of_state + states * hidden
        of_advice = of_choice + choices * hidden
        bias = of_advice + advised * hidden
        inner = bias + hidden
        inner_bias = inner + hidden * hidden
        out = inner_bias + hidden
        named = advice(v, r, seat, params[out + hidden :], luck) if advised else NO_ADVICE
        base, first, second = np.zeros(hidden), np.zeros(hidden), np.zeros(hidden)
        for j in range(hidden):
            base[j] = params[bias + j]
        for i in range(states):
            for j in range(hidden):
                base[j] += row[i] * params[of_state + i * hidden + j]
        looked, best, most = look(v, r), -1, -np.inf
        for action in range(actions):
            move = move_of(action, seats, seat)
            if not has(looked, v, r, move):
                continue
            for j in range(hidden):
                first[j] = base[j] + (params[of_choice + action * hidden + j] if numbered else 0.0)
                second[j] = params[inner_bias + j]
            if not numbered:
                for i in range(choices):
                    x = row[states + action * choices + i]
                    if x != 0.0:
                        for j in range(hidden):
                            first[j] += x * params[of_choice + i * hidden + j]
            if move == named:
                for j in range(hidden):
                    first[j] += params[of_advice + j]
            for i in range(hidden):
                if first[i] > 0.0:
                    for j in range(hidden):
                        second[j] += first[i] * params[inner + i * hidden + j]
            score = 0.0
            for j in range(hidden):
                if second[j] > 0.0:
                    score += second[j] * params[out + j]
            if score > most:
                best, most = move, score
        return best

    return network_agent

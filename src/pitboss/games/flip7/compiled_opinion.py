"""What Flip 7 says about good play, wholly compiled: the answers of `analysis`, to the last bit, for the page.

Hit or stay in points of the round, and every decision in chances to win. Where a Flip Three is drawn on the next hit,
chances to win need plans that are made in Python: there only points are told.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.core.analysis import MOVE, VALUE, WIN, AnswerKind, CompiledOpinion
from pitboss.core.compile import compiled
from pitboss.core.types import Array
from pitboss.games.flip7 import prospects, rules
from pitboss.games.flip7.bots.counting import hit_value, lone_player, worth_of_hit
from pitboss.games.flip7.bots.forecast import AS_EV, NOTHING, forecast
from pitboss.games.flip7.bots.winner import STOP_COLUMNS, WinModel, chances, chances_on, win_model
from pitboss.games.flip7.calibration import KNOTS, TINY, WITH_ACTIONS, WITHOUT
from pitboss.games.flip7.cards import FLIP_THREE, FREEZE, SECOND_CHANCE
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.odds import all_coming, coming
from pitboss.games.flip7.solver.hands import POINTS
from pitboss.games.flip7.solver.oracle import IDENTITY
from pitboss.games.flip7.state import ACTIVE, ASSIGN, HIT, HIT_OR_STAY, SEAT_0, STAY, TARGET, State
from pitboss.games.flip7.step import legal

POINTS_OF_ROUND, CHANCES = 0, 1  # kinds of answers
LINE = len(KNOTS)
_KNOTS = np.array(KNOTS)


def compiled_opinion(game: Flip7, points: AnswerKind, wins: AnswerKind) -> CompiledOpinion:
    """The opinion of a rule book. Parameters: how many lines put chances right, these, and the duel's table; none where
    no chances are told."""
    told = prospects.known(game) and game.rules.flip_three != "next_hit"
    lines = WITH_ACTIONS if game.rules.actions else WITHOUT
    right = np.array([lines[seats] for seats in sorted(lines)]) / 1000
    params = [[float(len(right))], right.ravel(), win_model(game).wins.ravel()] if told else [[0.0]]
    return CompiledOpinion(say, np.concatenate(params), (points, wins))


@compiled
def say(s: State, r: State, seat: int, params: Array, luck: np.uint64, lines: Array) -> int:
    """Fill in what each move is worth to the seat that decides; see `CompiledOpinion`."""
    decision, told = int(s["decision"]), params[0] > 0
    if decision == HIT_OR_STAY:
        values, wins = np.empty(2), np.full(2, np.nan)
        values[HIT] = worth_of_hit(s, r, seat, IDENTITY)
        values[STAY] = float(int(s["points"][seat]))
        if told:
            _fill_chances(s, r, seat, params, wins)
        _write(lines, HIT, values[HIT], wins[HIT], legal(s, r))
        _write(lines, STAY, values[STAY], wins[STAY], legal(s, r))
        return POINTS_OF_ROUND
    if told and (decision == TARGET or decision == ASSIGN):
        on = np.empty(int(s["seats"]))
        chances_on(s, r, seat, _model(r, params), _others(s, seat), on)
        for other in range(len(on)):
            on[other] = _corrected(s, seat, params, on[other]) if on[other] >= 0 else -1.0
        for _ in range(len(on)):  # the best first
            best = int(np.argmax(on))
            if on[best] >= 0:
                _write(lines, SEAT_0 + best, on[best], on[best], legal(s, r))
            on[best] = -1.0
        return CHANCES
    return -1


@compiled
def _write(lines: Array, move: int, value: float, win: float, bits: int) -> None:
    if (bits >> move) & 1:
        n = int(lines[0, 0]) + 1
        lines[0, 0] = n
        lines[n, :] = np.nan
        lines[n, MOVE], lines[n, VALUE], lines[n, WIN] = move, value, win


@compiled
def _model(r: State, params: Array) -> WinModel:
    target, first = int(r["target"]), 1 + int(params[0]) * LINE
    return WinModel(params[first:].reshape(target, target), params[first:first].reshape(0, STOP_COLUMNS))


@compiled
def _others(s: State, seat: int) -> Any:
    """How the round of each other seat will end, by the forecast."""
    rounds = np.zeros((int(s["seats"]), POINTS))
    for other in range(len(rounds)):
        if other != seat:
            forecast(s, other, AS_EV, NOTHING, rounds[other])
    return rounds


@compiled
def _fill_chances(s: State, r: State, seat: int, params: Array, wins: Array) -> None:
    """The chances to win of a hit and of a stay (`advice.chances_to_win`)."""
    utility = np.empty(POINTS)
    chances(s, seat, _model(r, params), _others(s, seat), utility)
    hit, stay = hit_value(lone_player(s, r, seat), utility, True), utility[int(s["points"][seat])]
    if hit < stay:  # a card that does nothing to the player is a chance to stay after all
        share = _passes(s, r) / max(all_coming(s), 1)
        hit = share * stay + (1 - share) * hit
    wins[HIT], wins[STAY] = _corrected(s, seat, params, hit), _corrected(s, seat, params, stay)


@compiled
def _passes(s: State, r: State) -> int:
    """How many cards to come do nothing to the player who draws them."""
    count = 0
    if int(r["freeze"]) != rules.ABSENT:
        count += coming(s, FREEZE)
    if int(r["flip_three"]) != rules.ABSENT:
        count += coming(s, FLIP_THREE)
    if int(r["second_chance"]) == rules.INERT:
        count += coming(s, SECOND_CHANCE)
    return count


@compiled
def _corrected(s: State, seat: int, params: Array, chance: float) -> float:
    """The chance to win that comes true (`calibration.corrected`): between two knots, in proportion."""
    seats, still = int(s["seats"]), False
    for other in range(seats):
        still = still or (other != seat and int(s["status"][other]) == ACTIVE)
    if not (TINY < chance < 1 - TINY) and not still:
        return chance
    first = 1 + min(seats - 2, int(params[0]) - 1) * LINE
    if chance >= _KNOTS[LINE - 1]:
        return params[first + LINE - 1]  # type: ignore[no-any-return]
    if chance < _KNOTS[0]:
        return params[first]  # type: ignore[no-any-return]
    j = 0
    while chance >= _KNOTS[j + 1]:
        j += 1
    low = params[first + j]
    slope = (params[first + j + 1] - low) / (_KNOTS[j + 1] - _KNOTS[j])
    return slope * (chance - _KNOTS[j]) + low  # type: ignore[no-any-return]

"""Chances to win, of a seat that looks at its table: what points are worth to it, and where a card does most good.

Read as the bots `winner` and `hunter` read it: the totals from the duel's table, the others' rounds by a forecast,
several others by their odds; what people are told is then put right by how often such chances came true
(`calibration`). See `duel` and `forecast` for what the model leaves out.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pitboss.games.flip7.bots.forecast import AS_EV, NOTHING, forecast
from pitboss.games.flip7.bots.winner import WinModel, chances, chances_on, win_model
from pitboss.games.flip7.calibration import corrected
from pitboss.games.flip7.cards import FREEZE
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.duel import MOST_TARGET, without_actions
from pitboss.games.flip7.solver.hands import POINTS, Floats
from pitboss.games.flip7.solver.table_cache import shipped
from pitboss.games.flip7.state import TARGET
from pitboss.games.flip7.view import Flip7View


def known(game: Flip7) -> bool:
    """Whether there are chances to win: at tables with others, and with a target that the duel is worked out for."""
    return not game.rules.solo and game.rules.target <= MOST_TARGET


def at_hand(game: Flip7) -> bool:
    """Whether what they take came with pitboss; under rules of one's own it is worked out first, in half a minute.

    >>> from pitboss import load
    >>> at_hand(load("flip7:official")), at_hand(load("flip7:official(target=99)"))
    (True, False)
    """
    return shipped("duel", without_actions(game)).exists()


def worth(view: Flip7View) -> Floats:
    """The chance to win that each number of points at the end of this round leads to."""
    out = np.empty(POINTS)
    chances(view.state, view.seat, _model(view.game), _others(view), out)
    return out


def of_targets(view: Flip7View) -> dict[int, float]:
    """The chance to win with the card in question on each seat that it can go to, the best first.

    >>> from pitboss import load
    >>> game = load("flip7:official(modifiers=false, target=20)").start(3)
    >>> for card in ("12", "3", "5", "fz"):
    ...     _ = game.apply("hit") if game.to_act >= 0 else None
    ...     _ = game.apply(card)
    >>> list(of_targets(game.view(0)))
    [1, 2, 0]
    """
    on = np.empty(len(view.seats))
    chances_on(view.state, view.game.record[0], view.seat, _model(view.game), _others(view), on)
    found = {seat: corrected(float(chance), view) for seat, chance in enumerate(on) if chance >= 0}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def of_all(view: Flip7View) -> list[float]:
    """Each seat's chance to win, by the forecast of how everybody's round ends; together 1.

    >>> from pitboss import load
    >>> game = load("flip7:official").start(2)
    >>> game.states["total"][0, 0] = 150
    >>> leader, other = of_all(game.view(0))
    >>> leader > other, leader + other
    (True, 1.0)
    """
    model, seats = _model(view.game), len(view.seats)
    rounds, worth = np.zeros((seats, POINTS)), np.empty(POINTS)
    for seat in range(seats):
        forecast(view.state, seat, AS_EV, NOTHING, rounds[seat])
    found = []
    for seat in range(seats):
        chances(view.state, seat, model, rounds, worth)
        found.append(corrected(float(rounds[seat] @ worth), view))
    return [chance / sum(found) for chance in found]


def prepare(view: Flip7View) -> None:
    """Ask about a card that nobody has drawn, so that the first real question is answered at once."""
    states = np.array([view.state])
    states["to_act"], states["decision"], states["card"] = view.seat, TARGET, FREEZE
    of_targets(view.game.view(states.tobytes(), view.seat))


@lru_cache(maxsize=8)
def _model(game: Flip7) -> WinModel:
    return win_model(game)


def _others(view: Flip7View) -> Floats:
    """How the round of each other seat will end, by the forecast."""
    rounds = np.zeros((len(view.seats), POINTS))
    for other in view.others:
        forecast(view.state, other.seat, AS_EV, NOTHING, rounds[other.seat])
    return rounds

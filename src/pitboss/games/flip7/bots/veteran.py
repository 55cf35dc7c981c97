"""`veteran`: as `hunter`, but its chances to win are put right by experience.

Whether to hit, and where cards go, it chooses as `hunter` does: by the chance to win that each number of points leads
to. That chance is the model's, put right by a net that learned from games at `flip7:official` (see `experience`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import BotError
from pitboss.core.types import Array
from pitboss.games.flip7.bots.counting import best_move, most_held
from pitboss.games.flip7.bots.experience import (
    ABOUT_OTHER,
    ABOUT_TABLE,
    Experience,
    about_other,
    about_table,
    experience,
    put_right,
)
from pitboss.games.flip7.bots.forecast import AS_EV, NOTHING, forecast
from pitboss.games.flip7.bots.foregone import dips, hits_anyway
from pitboss.games.flip7.bots.winner import STOP_COLUMNS, WinModel, chances_up_to, forecast_with, win_model
from pitboss.games.flip7.cards import FREEZE, NUMBERS, TIMES_2
from pitboss.games.flip7.odds import coming
from pitboss.games.flip7.rules import Flip7Rules
from pitboss.games.flip7.solver.hands import POINTS
from pitboss.games.flip7.state import ACTIVE, HIT, HIT_OR_STAY, SAVE, SEAT_0, YES, State, gain
from pitboss.games.flip7.step import legal

WEIGHTS = Path(__file__).parent / "experience.npy"
CLEARLY = 4  # a card that gains so many times the points that it risks needs no chances


class Seasoned(NamedTuple):
    """What the chances to win are found by."""

    model: WinModel
    net: Experience


@compiled_as(inline=False)
def _worth(s: State, r: State, seat: int, by: Seasoned, rounds: Array, frozen: int, out: Array) -> None:
    """Fill in the chance to win with 0, 1, 2, … points of this round.

    `rounds` says how the rounds of the others will end; that of the seat `frozen` is over, unless it is -1.
    """
    seats, playing, count = int(s["seats"]), 0, 0
    others, table = np.empty((seats - 1, ABOUT_OTHER)), np.empty(ABOUT_TABLE)
    for other in range(seats):
        plays = 1 if int(s["status"][other]) == ACTIVE and other != frozen else 0
        playing += plays
        if other != seat:
            about_other(s, r, seat, other, rounds[other], plays, others[count])
            count += 1
    about_table(s, seat, playing, table)
    chances_up_to(s, seat, by.model, rounds, len(out), out)
    put_right(by.net, others, table, int(s["total"][seat]), int(r["target"]), out)


@compiled_as(inline=False)
def _target(s: State, r: State, seat: int, by: Seasoned, rounds: Array) -> int:
    """The move that puts the card in question where it leads to a win most often."""
    freezes, may = int(s["card"]) == FREEZE, legal(s, r) >> SEAT_0
    kept, worth, best, most = np.empty(POINTS), np.empty(POINTS), 0, -1.0
    forecast(s, seat, AS_EV, NOTHING, rounds[seat])
    for on in range(int(s["seats"])):
        if not (may >> on) & 1:
            continue
        kept[:] = rounds[on]
        forecast_with(s, on, AS_EV, rounds[on])
        top = POINTS
        while rounds[seat, top - 1] == 0.0:
            top -= 1
        _worth(s, r, seat, by, rounds, on if freezes else -1, worth[:top])
        chance = 0.0
        for x in range(top):
            chance += rounds[seat, x] * worth[x]
        if chance > most:
            best, most = on, chance
        rounds[on] = kept
    return SEAT_0 + best


@compiled
def _clear(s: State, seat: int, target: int) -> bool:
    """Whether a card gains so many more points than it risks that nothing else matters."""
    points, gained, risked = int(s["points"][seat]), 0, 0
    for kind in range(TIMES_2 + 1):
        if kind >= NUMBERS or not int(s["front"][seat, kind]):
            gained += coming(s, kind) * gain(s, seat, kind)
        elif not int(s["chance"][seat]):
            risked += coming(s, kind) * points
    return int(s["total"][seat]) + points < target and gained > CLEARLY * risked


@compiled
def veteran_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Whatever leads to a win more often, by model and experience."""
    hitting, seats, target = int(s["decision"]) == HIT_OR_STAY, int(s["seats"]), int(r["target"])
    if int(s["decision"]) == SAVE:
        return YES
    if hitting and (int(s["numbers"][seat]) == 0 or _clear(s, seat, target)):
        return HIT
    table = params[len(params) - target * (target + 1) :]
    wins = table[target:].reshape(target, target)
    by = Seasoned(WinModel(wins, np.empty((0, STOP_COLUMNS))), experience(params))
    if hitting and seats == 2 and hits_anyway(s, seat, wins, table[:target], AS_EV):
        return HIT
    rounds = np.zeros((seats, POINTS))
    for other in range(seats):
        if other != seat:
            forecast(s, other, AS_EV, NOTHING, rounds[other])
    if not hitting:
        return _target(s, r, seat, by, rounds)
    top, worth = min(most_held(s, seat) + 1, POINTS), np.empty(POINTS)
    _worth(s, r, seat, by, rounds, -1, worth[:top])
    worth[top:] = worth[top - 1]
    return best_move(s, r, seat, worth)


def _veteran(wanted: Wanted) -> tuple[Any, list[float]]:
    wanted.verify_plain()
    if wanted.game.rules != Flip7Rules():
        raise BotError(f"{wanted.name} learned at flip7:official and plays only there; at {wanted.game} try hunter")
    wins, weights = win_model(wanted.game).wins, np.load(WEIGHTS).astype(np.float64)
    return veteran_bot, [*weights.tolist(), *dips(wins).tolist(), *wins.ravel().tolist()]


VETERAN = BotEntry("veteran", "as hunter; learned from games at flip7:official what forecasts leave out", _veteran)

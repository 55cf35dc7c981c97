"""`veteran`: as `hunter`, but its chances to win are put right by experience.

Whether to hit, and where cards go, it chooses as `hunter` does: by the chance to win that each number of points leads
to. That chance is the model's, put right by a net that learned from games at `flip7:official` (see `experience`).

Both expect the others to draw on as `ev` would. That is wrong at the end of a game: somebody who holds enough to win,
and more than anybody else, stays. So fewer points than that one's are worth little (`_stays_ahead`), and where cards go
is also judged by drawing until we are ahead ourselves.
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
NOBODY = -1
DRAWS_ON = 0.01  # how often somebody does who should stay; 0 would make all moves seem alike where only that helps


class Seasoned(NamedTuple):
    """What the chances to win are found by."""

    model: WinModel
    net: Experience


@compiled
def _most_of_others(s: State, seat: int) -> int:
    """The highest total that another seat would have if the round ended now."""
    most = 0
    for other in range(int(s["seats"])):
        if other != seat:
            most = max(most, int(s["total"][other]) + int(s["points"][other]))
    return most


@compiled
def _ahead(s: State, r: State, seat: int) -> int:
    """The other seat that still plays, holds enough to win, and holds more than all others; or `NOBODY`."""
    most = _most_of_others(s, seat)
    if most < int(r["target"]) or int(s["total"][seat]) + int(s["points"][seat]) >= most:
        return NOBODY
    ahead = NOBODY
    for other in range(int(s["seats"])):
        if other != seat and int(s["total"][other]) + int(s["points"][other]) == most:
            if ahead != NOBODY or int(s["status"][other]) != ACTIVE:
                return NOBODY
            ahead = other
    return ahead


@compiled
def _stays_ahead(s: State, seat: int, ahead: int, out: Array) -> None:
    """Put right what our points are worth, given that a seat stays with enough to win unless we get beyond it."""
    level = int(s["total"][ahead]) + int(s["points"][ahead]) - int(s["total"][seat])
    for x in range(min(level, len(out))):
        out[x] *= DRAWS_ON
    if level < len(out):
        out[level] *= 0.5


@compiled_as(inline=False)
def _worth(s: State, r: State, seat: int, by: Seasoned, rounds: Array, frozen: int, ahead: int, out: Array) -> None:
    """Fill in the chance to win with 0, 1, 2, … points of this round.

    `rounds` says how the rounds of the others will end. That of the seat `frozen` is over, and the seat `ahead` stays
    if we do not get beyond it; either may be `NOBODY`.
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
    if ahead != NOBODY:
        _stays_ahead(s, seat, ahead, out)


@compiled_as(inline=False)
def _target(s: State, r: State, seat: int, by: Seasoned, rounds: Array) -> int:
    """The move that puts the card in question where it leads to a win most often."""
    freezes, may, ahead = int(s["card"]) == FREEZE, legal(s, r) >> SEAT_0, _ahead(s, r, seat)
    kept, worth, best, most = np.empty(POINTS), np.empty(POINTS), 0, -1.0
    held, others = int(s["total"][seat]) + int(s["points"][seat]), _most_of_others(s, seat)
    # Somebody can win by staying: our round as `ev` would play it, or until we are ahead.
    plans = 2 if max(held, others) >= int(r["target"]) else 1
    stops = (AS_EV, max(others + 1, int(r["target"])) - int(s["total"][seat]))
    own = np.zeros((2 * plans, POINTS))  # without the card on us, then with it
    for plan in range(plans):
        forecast(s, seat, stops[plan], NOTHING, own[plan])
        if (may >> seat) & 1:
            forecast_with(s, seat, stops[plan], own[plans + plan])
    for on in range(int(s["seats"])):
        if not (may >> on) & 1:
            continue
        first, top = plans if on == seat else 0, POINTS
        while own[first, top - 1] == 0.0 and own[first + plans - 1, top - 1] == 0.0:
            top -= 1
        if on != seat:
            kept[:] = rounds[on]
            forecast_with(s, on, AS_EV, rounds[on])
        _worth(s, r, seat, by, rounds, on if freezes else NOBODY, NOBODY if on == ahead else ahead, worth[:top])
        for plan in range(first, first + plans):
            chance = 0.0
            for x in range(top):
                chance += own[plan, x] * worth[x]
            if chance > most:
                best, most = on, chance
        if on != seat:
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
    _worth(s, r, seat, by, rounds, NOBODY, _ahead(s, r, seat), worth[:top])
    worth[top:] = worth[top - 1]
    return best_move(s, r, seat, worth)


def _veteran(wanted: Wanted) -> tuple[Any, list[float]]:
    wanted.verify_plain()
    if wanted.game.rules != Flip7Rules():
        raise BotError(f"{wanted.name} learned at flip7:official and plays only there; at {wanted.game} try hunter")
    wins, weights = win_model(wanted.game).wins, np.load(WEIGHTS).astype(np.float64)
    return veteran_bot, [*weights.tolist(), *dips(wins).tolist(), *wins.ravel().tolist()]


VETERAN = BotEntry("veteran", "as hunter; learned from games at flip7:official what forecasts leave out", _veteran)

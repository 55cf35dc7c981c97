"""Bots that play for the win: `winner`, `hunter` and `modeller`.

What its points are worth to them is the chance to win that they lead to, read from the duel's table (see `duel`)
for each way the others' rounds may end (see `forecast`); their own round they then play exactly, counting cards.
Against several others the odds are added up: if the one before us wins two games for each of ours and the next one
three, we win one in six. Measured with three others, that wins more often than to multiply the chances.

`hunter` also chooses by it where Freeze, Flip Three and Second Chance go: it looks at how the game would stand
with the card on each seat. `modeller` does both, and forecasts each other seat by the stopping rule that
explains that seat's game so far best: how often it busted, and what it banked otherwise.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pitboss.core.bot import BotEntry, Wanted
from pitboss.core.compile import compiled, compiled_as
from pitboss.core.errors import BotError
from pitboss.core.types import Array
from pitboss.games.flip7.bots.counting import best_move, most_held
from pitboss.games.flip7.bots.forecast import A_CHANCE, AS_EV, NOTHING, THREE_CARDS, banks, forecast, forecast_fresh
from pitboss.games.flip7.bots.foregone import dips, hits_anyway
from pitboss.games.flip7.bots.rules_of_thumb import choose, target_rule
from pitboss.games.flip7.cards import FLIP_THREE, FREEZE, NUMBERS
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.duel import duel
from pitboss.games.flip7.solver.hands import POINTS
from pitboss.games.flip7.state import HIT, HIT_OR_STAY, SAVE, SEAT_0, YES, State
from pitboss.games.flip7.step import legal

# Parameters: a target rule or HUNTS, how many stopping rules are told apart, these rules, the dips of the duel's
# table, and that table by the other's total first.
HUNTS = -1
STOPS = (AS_EV, 10, 15, 20, 25, 30, 35, 40, 50, 200)
# Of a stopping rule: the logarithms of its prior, of busting and of banking, and what a round by it banks: its mean,
# its spread, and the logarithm of that.
STOP, LIKELY, BUSTS, BANKS, MEAN, SPREAD, WIDTH = range(7)
STOP_COLUMNS = 7
PRIOR_OF_EV = 0.5
TINY = 1e-9


class WinModel(NamedTuple):
    """What the chances to win are read from."""

    wins: Any  # of the duel, but by the other's total first: the chances of neighbouring own totals then lie together
    stops: Any  # the stopping rules that others may follow, a line each; none: they play as `ev`


def win_model(game: Flip7) -> WinModel:
    """The model of a rule book, in which all others play as `ev`."""
    return WinModel(np.ascontiguousarray(duel(game).wins.T), np.empty((0, STOP_COLUMNS)))


@compiled
def chances(s: State, seat: int, model: WinModel, rounds: Array, out: Array) -> None:
    """Fill in what each number of points is worth to a seat: the chance to win; points, if it is alone.

    `rounds` says how the round of each other seat will end.
    """
    chances_up_to(s, seat, model, rounds, POINTS, out)


@compiled_as(inline=False)
def chances_up_to(s: State, seat: int, model: WinModel, rounds: Array, top: int, out: Array) -> None:
    """The same, but all numbers of points from `top` on count as one less than that."""
    odds = np.empty(top)
    out[:top] = 0.0
    for other in range(int(s["seats"])):
        if other != seat:
            _odds_against(s, seat, other, model, rounds[other], odds)
            for x in range(top):
                out[x] += odds[x]
    _to_chances(s, out[:top])
    out[top:] = out[top - 1]


@compiled_as(inline=False)
def _odds_against(s: State, seat: int, other: int, model: WinModel, ends: Array, out: Array) -> None:
    """Fill in how many games another seat wins for each of ours, by our points of this round; so theirs `ends`."""
    mine, theirs = int(s["total"][seat]), int(s["total"][other])
    out[:] = 0.0
    for y in range(POINTS):
        if ends[y] > 0.0:
            _add_chances(model, mine, theirs + y, ends[y], out)
    for x in range(len(out)):
        out[x] = (1.0 - out[x]) / max(out[x], TINY)


@compiled
def _to_chances(s: State, out: Array) -> None:
    """From the odds against all others together to the chances to win; to points, if there are no others."""
    for x in range(len(out)):
        out[x] = 1.0 / (1.0 + out[x]) if int(s["seats"]) > 1 else float(x)
    for x in range(1, len(out)):  # the table is exact to a thousandth: a point more must not seem to be worth less
        out[x] = max(out[x], out[x - 1])


@compiled
def _add_chances(model: WinModel, mine: int, other: int, p: float, out: Array) -> None:
    """Add the chance to win with 0, 1, 2, … points more against one who ends the round with a total, which happens with
    probability p. After a round the higher total wins if one has reached the target; a tie is played on by equals."""
    target, top = len(model.wins), len(out)
    certain = min(max(max(target, other + 1) - mine, 0), top)  # points from which the round wins the game
    if other < target:
        for x in range(certain):
            out[x] += p * model.wins[other, mine + x]
    elif 0 <= other - mine < top:
        out[other - mine] += p * 0.5
    for x in range(certain, top):
        out[x] += p


@compiled
def stopping_rule(s: State, seat: int, stops: Array) -> int:
    """The stopping rule that explains best what a seat, still in this round, made of those before it."""
    if len(stops) == 0:
        return AS_EV
    busts = int(s["busts"][seat])
    banked = int(s["round"]) - 1 - busts
    best, most = AS_EV, -1e300
    for i in range(len(stops)):
        likely = stops[i, LIKELY] + busts * stops[i, BUSTS] + banked * stops[i, BANKS]
        if banked > 0:
            off = (int(s["total"][seat]) / banked - stops[i, MEAN]) / stops[i, SPREAD]
            likely -= banked * (0.5 * off * off + stops[i, WIDTH])
        if likely > most:
            best, most = int(stops[i, STOP]), likely
    return best


@compiled_as(inline=False)
def chances_on(s: State, r: State, seat: int, model: WinModel, rounds: Array, out: Array) -> None:
    """Fill in the chance to win with the card in question on each seat; -1 where it cannot go.

    `rounds` says how the rounds of the others will end without it.
    """
    seats, may = int(s["seats"]), legal(s, r) >> SEAT_0
    own, own_with, with_it = rounds[seat], np.zeros(POINTS), np.zeros(POINTS)
    forecast(s, seat, AS_EV, NOTHING, own)
    if (may >> seat) & 1:
        forecast_with(s, seat, AS_EV, own_with)
    top = POINTS  # more points than our round can bring need no chance
    while own[top - 1] == 0.0 and own_with[top - 1] == 0.0:
        top -= 1
    odds, utility = np.empty((seats + 1, top)), np.empty(top)
    for other in range(seats):
        if other != seat:
            _odds_against(s, seat, other, model, rounds[other], odds[other])
    for on in range(seats):
        out[on] = -1.0
        if not (may >> on) & 1:
            continue
        if on != seat:
            forecast_with(s, on, stopping_rule(s, on, model.stops), with_it)
            _odds_against(s, seat, on, model, with_it, odds[seats])
        utility[:] = 0.0
        for other in range(seats):
            if other != seat:
                line = odds[seats if other == on else other]
                for x in range(top):
                    utility[x] += line[x]
        _to_chances(s, utility)
        ends = own_with if on == seat else own
        out[on] = 0.0
        for x in range(top):
            out[on] += ends[x] * utility[x]


@compiled
def forecast_with(s: State, seat: int, stop: int, out: Array) -> None:
    """Fill in how a seat's round ends with the card in question on it."""
    card = int(s["card"])
    if card == FREEZE:
        banks(s, seat, out)
    else:
        forecast(s, seat, stop, THREE_CARDS if card == FLIP_THREE else A_CHANCE, out)


@compiled
def winner_bot(s: State, r: State, seat: int, params: Array, luck: np.uint64) -> int:
    """Whatever leads to a win more often."""
    hitting, seats = int(s["decision"]) == HIT_OR_STAY, int(s["seats"])
    if hitting and int(s["numbers"][seat]) == 0:
        return HIT  # nothing can be lost
    if int(s["decision"]) == SAVE:
        return YES
    if not hitting and int(params[0]) != HUNTS:
        return choose(s, r, seat, int(params[0]), luck)
    target, last = int(r["target"]), 2 + int(params[1]) * STOP_COLUMNS
    stops, table = params[2:last].reshape(int(params[1]), STOP_COLUMNS), params[last:]
    model = WinModel(table[target : target + target * target].reshape(target, target), stops)
    if hitting and seats == 2 and hits_anyway(s, seat, model.wins, table[:target], stopping_rule(s, 1 - seat, stops)):
        return HIT
    rounds, worth = np.zeros((seats, POINTS)), np.empty(max(POINTS, seats))
    for other in range(seats):
        if other != seat:
            forecast(s, other, stopping_rule(s, other, stops), NOTHING, rounds[other])
    if not hitting:
        chances_on(s, r, seat, model, rounds, worth)
        best = 0
        for other in range(1, seats):
            if worth[other] > worth[best]:
                best = other
        return SEAT_0 + best
    chances_up_to(s, seat, model, rounds, min(most_held(s, seat) + 1, POINTS), worth)
    return best_move(s, r, seat, worth)


# --- the bots by name ---


def stopping_rules(game: Flip7) -> list[float]:
    """The rules that `modeller` tells apart, and how a round by each of them ends from a fresh deck."""
    deck, out = np.array(game.rules.deck[:NUMBERS], np.int64), list[float]()
    for stop in STOPS:
        points = np.zeros(POINTS)
        forecast_fresh(deck, stop, points)
        bust = float(np.clip(points[0], 1e-6, 1 - 1e-6))
        mean = float(points @ np.arange(POINTS)) / (1 - bust)
        spread = float(np.sqrt(points[1:] @ (np.arange(1, POINTS) - mean) ** 2 / (1 - bust)))
        prior = PRIOR_OF_EV if stop == AS_EV else (1 - PRIOR_OF_EV) / (len(STOPS) - 1)
        out += [float(stop), math.log(prior), math.log(bust), math.log(1.0 - bust), mean, spread, math.log(spread)]
    return out


def _made(wanted: Wanted, rule: float, stops: list[float]) -> tuple[Any, list[float]]:
    if wanted.game.rules.solo:
        raise BotError(
            f"{wanted.name} plays to win against others; {wanted.game} has one seat, for which there is race"
        )
    wins = win_model(wanted.game).wins
    return winner_bot, [rule, float(len(stops) // STOP_COLUMNS), *stops, *dips(wins).tolist(), *wins.ravel().tolist()]


def _winner(wanted: Wanted) -> tuple[Any, list[float]]:
    wanted.verify_plain()
    return _made(wanted, target_rule(wanted), [])


def _hunter(wanted: Wanted) -> tuple[Any, list[float]]:
    wanted.verify_plain()
    return _made(wanted, HUNTS, [])


def _modeller(wanted: Wanted) -> tuple[Any, list[float]]:
    wanted.verify_plain()
    return _made(wanted, HUNTS, stopping_rules(wanted.game))


WINNER = BotEntry("winner", "plays for the win from all totals, counting cards", _winner)
HUNTER = BotEntry("hunter", "as winner; puts action cards where they help most to win", _hunter)
MODELLER = BotEntry("modeller", "as hunter; guesses how each other seat stops from its game so far", _modeller)

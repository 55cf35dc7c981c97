"""Chances that come true: what the model of the chance to win says, put right by games that strong bots played.

The model (see `prospects`) looks at the other seats one by one and adds up their odds, so at a full table it promises
too much to who is ahead. How often it is right was counted in games of `hunter` against itself, and a line for each
number of seats puts it right. The line rises, so it never changes which move is best. Games are played on several times
from decisions of who is far ahead, which are rare: what comes next is as random there as it was the first time.

`python -m pitboss.games.flip7.calibration` works the lines out anew; `benchmarks/calibration.py` and a test compare
what is told with what is won, in other games.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from pitboss.core.compile import compiled, compiled_as
from pitboss.core.keys import draw
from pitboss.core.loop import Seated
from pitboss.core.registry import bot, load
from pitboss.core.seating import params_at, seating
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Array, RulesRecord
from pitboss.games.flip7.bots.counting import worth_of_hit
from pitboss.games.flip7.bots.forecast import AS_EV, NOTHING, forecast
from pitboss.games.flip7.bots.winner import WinModel, chances, win_model
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver.hands import POINTS, Floats
from pitboss.games.flip7.solver.rounds import bot_at
from pitboss.games.flip7.state import HIT_OR_STAY, State
from pitboss.games.flip7.step import apply
from pitboss.games.flip7.view import Flip7View

TOLD, WON, GAME = 0, 1, 2  # columns of a sample
ONE_IN_16 = np.uint64(1 << 60)  # so many decisions are looked at
MOST_DECISIONS = 2048  # of a game
AHEAD = 0.6  # by the model: such decisions are rare at full tables, so games are played on from them several times
AGAIN = 4  # times more


@compiled
def _told(s: State, r: State, seat: int, model: WinModel) -> float:
    """The chance to win that the model gives to a seat that must hit or stay."""
    rounds, utility = np.zeros((int(s["seats"]), POINTS)), np.empty(POINTS)
    for other in range(len(rounds)):
        if other != seat:
            forecast(s, other, AS_EV, NOTHING, rounds[other])
    chances(s, seat, model, rounds, utility)
    return max(utility[int(s["points"][seat])], worth_of_hit(s, r, seat, utility))  # type: ignore[no-any-return]


@compiled
def _share(s: State, seat: int) -> float:
    """What a seat won of a game that is over."""
    winners = 0
    for other in range(int(s["seats"])):
        winners += int(s["won"][other])
    return int(s["won"][seat]) / max(winners, 1)


@compiled
def _answer(s: State, r: RulesRecord, hunter: Seated, bits: np.uint64) -> int:
    """The move of the bot that plays all seats, called where it lies: it would be compiled anew with each caller."""
    return bot_at(hunter["bot"])(s, r, int(s["to_act"]), params_at(hunter["params"], hunter["size"]), bits)


@compiled
def _play_on(s: State, r: RulesRecord, hunter: Seated, luck: np.uint64) -> None:
    """Play a game to its end, `hunter` against itself."""
    while int(s["to_act"]) != OVER:
        luck = next_luck(luck)
        bits = luck_bits(luck)
        if int(s["to_act"]) == DEALER:
            apply(s, r, draw(s["left"], int(s["left_total"]), bits), None)
        else:
            apply(s, r, _answer(s, r, hunter, bits), None)


@compiled_as(inline=False)
def _play(states: Array, rules: RulesRecord, model: WinModel, seated: Array, luck: np.uint64, out: Array) -> int:
    """Play a game that has just begun, `hunter` against itself; fills in some decisions, and returns how many.

    The first state is that of the game; the others are used for those from which it is played on again.
    """
    s, r, hunter, count, kept = states[0], rules[0], seated[0], 0, 1
    asked, places = np.zeros(len(out), np.int64), np.zeros(len(out), np.int64)
    while int(s["to_act"]) != OVER:
        seat = int(s["to_act"])
        luck = next_luck(luck)
        bits = luck_bits(luck)
        if seat == DEALER:
            apply(s, r, draw(s["left"], int(s["left_total"]), bits), None)
            continue
        if int(s["decision"]) == HIT_OR_STAY and bits < ONE_IN_16 and count < len(out):
            out[count, TOLD], asked[count] = _told(s, r, seat, model), seat
            if out[count, TOLD] >= AHEAD and kept + AGAIN <= len(states):
                places[count] = kept
                for _ in range(AGAIN):
                    states[kept] = s
                    kept += 1
            count += 1
        apply(s, r, _answer(s, r, hunter, bits), None)
    for i in range(count):
        won, again = _share(s, asked[i]), AGAIN if places[i] else 0
        for copy in range(places[i], places[i] + again):
            luck = next_luck(luck)
            _play_on(states[copy], r, hunter, luck_bits(luck))
            won += _share(states[copy], asked[i])
        out[i, WON] = won / (1 + again)
    return count


def sample(game: Flip7, seats: int, games: int, seed: int) -> Floats:
    """Decisions of games that `hunter` plays against itself: the chance by the model, the share won, the game."""
    hunter = bot("hunter", game)
    seated = seating([hunter], game.view_dtype, game.rules_class.dtype())
    model, out, begun = win_model(game), [], game.start(seats).states
    states = np.repeat(begun, 1 + 50 * AGAIN)
    for n in range(games):
        rows, luck = np.zeros((MOST_DECISIONS, 3)), luck_bits(np.uint64(seed * 1_000_003 + n))
        states[0] = begun[0]
        count = _play(states, game.record, model, seated, np.uint64(luck), rows)
        rows[:count, GAME] = n
        out.append(rows[:count])
    return np.concatenate(out)


# --- what comes true ---

KNOTS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
# By the number of seats: how many of a thousand games are won where the model says 0, 0.02, 0.05 … With action cards in
# the deck, and without (3 and 5 seats lie between their neighbours); the last is for more seats.
WITH_ACTIONS = {
    2: (0, 24, 58, 122, 216, 323, 402, 494, 578, 669, 751, 859, 912, 974),
    3: (5, 26, 61, 122, 218, 300, 380, 460, 527, 625, 699, 824, 883, 931),
    4: (2, 25, 62, 114, 206, 283, 362, 433, 511, 589, 686, 771, 852, 907),
    5: (3, 25, 61, 112, 197, 270, 340, 420, 475, 578, 651, 770, 804, 891),
    6: (4, 25, 58, 110, 190, 267, 328, 418, 490, 544, 631, 730, 803, 869),
}
WITHOUT = {
    2: (0, 22, 76, 108, 247, 302, 420, 502, 571, 678, 756, 875, 929, 968),
    3: (0, 19, 61, 100, 225, 299, 406, 488, 569, 665, 739, 844, 912, 932),
    4: (1, 17, 47, 93, 204, 296, 393, 474, 567, 652, 723, 813, 896, 897),
    5: (1, 17, 44, 90, 206, 301, 403, 473, 559, 632, 724, 817, 879, 880),
    6: (2, 17, 42, 88, 208, 307, 413, 472, 552, 612, 726, 821, 862, 863),
}
LEAN = 0.02  # of what the model says, so that more by the model is always more
TINY = 1e-9


def corrected(chance: float, view: Flip7View) -> float:
    """The chance to win that comes true, for what the model says to a seat; unchanged if the game is decided."""
    if not TINY < chance < 1 - TINY and not any(other.active for other in view.others):
        return chance
    return float(put_right(np.array([chance]), view.game, len(view.seats))[0])


def put_right(chances: Floats, game: Flip7, seats: int) -> Floats:
    """The same for many chances."""
    lines = WITH_ACTIONS if game.rules.actions else WITHOUT
    return np.interp(chances, KNOTS, np.array(lines[min(seats, max(lines))]) / 1000)


def line(decisions: Floats) -> tuple[int, ...]:
    """The line from knot to knot that is nearest to what was won, made to rise everywhere."""
    weights = np.stack([np.interp(decisions[:, TOLD], KNOTS, unit) for unit in np.eye(len(KNOTS))], axis=1)
    found: Floats = np.linalg.lstsq(weights, decisions[:, WON], rcond=None)[0].astype(np.float64)
    count = weights.sum(axis=0)
    blocks: list[list[int]] = []  # of knots that would fall: they share an average
    for knot in range(len(KNOTS)):
        blocks.append([knot])
        while len(blocks) > 1 and _mean(found, count, blocks[-2]) >= _mean(found, count, blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    rising = [_mean(found, count, block) for block in blocks for _ in block]
    return tuple(round(1000 * ((1 - LEAN) * value + LEAN * knot)) for value, knot in zip(rising, KNOTS, strict=True))


def crossed(decisions: Floats, folds: int = 10) -> Floats:
    """What is told to each of these decisions by a line that was made from games of the other folds alone."""
    fold, told = decisions[:, GAME] % folds, np.empty(len(decisions))
    for n in range(folds):
        here = fold == n
        told[here] = np.interp(decisions[here, TOLD], KNOTS, np.array(line(decisions[~here])) / 1000)
    return told


def _mean(found: Floats, count: Floats, block: list[int]) -> float:
    return float(np.clip(np.average(found[block], weights=count[block]), 0, 1))


class Tenth(NamedTuple):
    """Decisions with chances of about the same size."""

    decisions: int
    told: float  # on average
    won: float
    error: float  # the standard error of their difference; decisions of a game go together


def tenths(decisions: Floats, told: Floats) -> list[Tenth]:
    """What is told and what is won, by the size of the chance that is told."""
    place, out = np.minimum((told * 10).astype(np.int64), 9), []
    for n in np.unique(place):
        here = place == n
        off = decisions[here, WON] - told[here]
        by_game = np.bincount(decisions[here, GAME].astype(np.int64), off - off.mean())
        error = float(np.sqrt((by_game**2).sum())) / len(off)
        out.append(Tenth(len(off), float(told[here].mean()), float(decisions[here, WON].mean()), error))
    return out


def main() -> None:
    """Work the lines out anew, from some 180,000 decisions for each number of seats: an hour on a core."""
    for spec, tables in (("flip7:official", range(2, 7)), ("flip7:numbers", (2, 4, 6))):
        for seats in tables:
            print(spec, seats, line(sample(cast(Flip7, load(spec)), seats, 112_000 // seats, 1)))


if __name__ == "__main__":
    main()

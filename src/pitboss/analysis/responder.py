"""A player who knows the policy of its opponent: local best response, for any game of two players with a dealer.

What it wins on average is less than what the best answer would win, so it is a lower bound for how far a bot is from
perfect play. Nothing is merged or forgotten in it.

Where it has to decide, it deals the cards that it has not seen anew, all ways equally likely, and plays the game so
far again in each of these worlds. A world in which the bot would hardly have done what it did counts for little. In
each world every move is tried, and the game is played on by the bot's own policy at both seats, with the same luck
for all moves. A move is preferred to the bot's own answer if it does better by more than luck explains.

A card counts as seen if no other card in its place would have shown the same to the seat. So nothing that a seat does
depends on what is hidden from it; what has not been seen is worth the same for all ways it can lie.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.analysis.trees.tree import payoff_column
from pitboss.core.analysis import Progress
from pitboss.core.bot import Entrant
from pitboss.core.compile import compiled_as
from pitboss.core.errors import BotError
from pitboss.core.game import Game
from pitboss.core.keys import Key, KeyWords, deal_luck, deal_stream, deal_word, draw
from pitboss.core.legal import asking, words_of
from pitboss.core.playouts import bits_at, spread
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import DEALER, OVER, Step
from pitboss.core.types import Array, Floats

MOST = 400  # moves and cards of a game; what comes later is played by the bot itself
LUCKS = 4  # questions to the bot about a decision of its own: how likely it was
WORLDS = 400  # in which each decision is tried
SURELY = 1.0  # standard errors by which a move must be better than the bot's own answer
LEAST = 10  # worlds that count, or the bot's own answer stands

CARD, HIDDEN = -1, 1
SUM, SQUARES, OPEN = 0, 1, 2  # of what a move gains: columns of `worth`
GAME, TRIAL, BEGIN, FIRST = 0, 1, 2, 3  # places of states


class Desk(NamedTuple):
    """What the player works with, made once."""

    states: Array  # the game, a trial, the start; then every world at the decision
    views: Array  # 0: for whoever is asked; 1: what has been seen is compared with; then what was seen at each decision
    seen: Array  # the same views as bytes
    actors: Array  # of each move so far: a seat, or CARD
    moves: Array
    hidden: Array  # of each card so far: HIDDEN or 0
    cards: Array  # of each move so far, in the world that is tried
    free: Array  # how many of each card may lie where the seat has not seen
    weights: Array  # of worlds
    worth: Array  # [move, SUM | SQUARES | OPEN]: of weights × gains, and whether it is legal
    legal: Array  # words of bits
    tallied: Array

    @classmethod
    def of(cls, game: Game, worlds: int) -> Desk:
        """For games of two players."""
        dtype = game.view_dtype
        views = np.zeros(MOST + 2, dtype)
        words = words_of(game.step.moves)
        places = game.start(2).states["left"].shape[1]
        return cls(
            np.zeros(worlds + 3, game.state_dtype), views, views.view(np.uint8).reshape(MOST + 2, dtype.itemsize),
            np.zeros(MOST, np.int64), np.zeros(MOST, np.int64), np.zeros(MOST, np.int64), np.zeros(MOST, np.int64),
            np.zeros(places, np.int64), np.zeros(worlds), np.zeros((game.step.moves, 3)),
            np.zeros(words, np.uint64), np.zeros((2, game.width)),
        )  # fmt: skip


Play = Callable[[Desk, Array, int, int, KeyWords, np.uint64, Array, int], int]


@cache
def player(step: Step, bot: Callable[..., int]) -> Play:
    """`play(desk, rules, me, worlds, key, deal, params, column)` for a game and a compiled bot.

    It plays one game with the player at seat `me`, leaves its tally in the desk, and returns how often the player did
    not do what the bot would have done.
    """
    start, asked, apply, where, observe, tally, most = step
    write = asking(asked, most).write

    @compiled_as(inline=False)
    def replay(desk: Desk, r: Any, me: int, n: int, world: int, weigh: bool, params: Array, luck: np.uint64) -> float:
        """Play n moves again in a world, with the cards of `desk.cards`: how likely the bot was to do what it did, or
        -1 if the seat would have seen something else."""
        states, views, seen = desk.states, desk.views, desk.seen
        states[world] = states[BEGIN]
        s, likely, decisions = states[world], 1.0, 2
        for i in range(n):
            who = int(desk.actors[i])
            if int(s["to_act"]) != (DEALER if who == CARD else who):
                return -1.0
            move = int(desk.moves[i])
            if who == CARD:
                move = int(desk.cards[i])
                if int(s["left"][move]) <= 0:
                    return -1.0
            else:
                write(s, r, desk.legal)
                if not (desk.legal[move >> 6] >> np.uint64(move & 63)) & np.uint64(1):
                    return -1.0
                if who == me:
                    views[1] = observe(s, r, me, views[1])
                    for place in range(seen.shape[1]):
                        if seen[1, place] != seen[decisions, place]:
                            return -1.0
                    decisions += 1
                elif weigh:
                    view = observe(s, r, who, views[0])
                    luck, given = next_luck(luck), 0
                    bits = luck_bits(luck)
                    for k in range(LUCKS):
                        if bot(view, r, who, params, spread(bits, k)) == move:
                            given += 1
                    likely *= given / LUCKS
                    if given == 0:
                        return 0.0
            apply(s, r, move, None)
        views[1] = observe(s, r, me, views[1])
        for place in range(seen.shape[1]):
            if seen[1, place] != seen[decisions, place]:
                return -1.0
        return likely

    @compiled_as(inline=False)
    def find_hidden(desk: Desk, r: Any, me: int, n: int, params: Array) -> None:
        """Which cards the seat has not seen: another one in the place would have looked the same."""
        left, zero = desk.states[GAME]["left"], np.uint64(0)
        for i in range(n):
            desk.cards[i] = desk.moves[i]
        for i in range(n):
            if int(desk.actors[i]) != CARD or int(desk.hidden[i]) == 0:
                continue
            real, found = int(desk.moves[i]), False
            for card in range(len(left)):
                if card != real and int(left[card]) > 0 and not found:
                    desk.cards[i] = card
                    found = replay(desk, r, me, n, TRIAL, False, params, zero) >= 0
            for j in range(n):  # or the two change places
                if int(desk.actors[j]) == CARD and int(desk.moves[j]) != real and not found:
                    desk.cards[i], desk.cards[j] = desk.moves[j], real
                    found = replay(desk, r, me, n, TRIAL, False, params, zero) >= 0
                    desk.cards[j] = desk.moves[j]
            desk.cards[i] = real
            desk.hidden[i] = HIDDEN if found else 0

    @compiled_as(inline=False)
    def imagine(desk: Desk, r: Any, me: int, n: int, worlds: int, params: Array, luck: np.uint64) -> int:
        """Fill in worlds and their weights; how many count."""
        find_hidden(desk, r, me, n, params)
        left = desk.states[GAME]["left"]
        total, counted = 0, 0
        for card in range(len(left)):
            desk.free[card] = left[card]
            total += int(left[card])
        for i in range(n):
            if int(desk.actors[i]) == CARD and int(desk.hidden[i]):
                desk.free[int(desk.moves[i])] += 1
                total += 1
        for w in range(worlds):
            there = total
            for i in range(n):
                desk.cards[i] = desk.moves[i]
                if int(desk.actors[i]) == CARD and int(desk.hidden[i]):
                    luck = next_luck(luck)
                    card = draw(desk.free, there, luck_bits(luck))
                    desk.cards[i] = card
                    desk.free[card] -= 1
                    there -= 1
            for i in range(n):
                if int(desk.actors[i]) == CARD and int(desk.hidden[i]):
                    desk.free[int(desk.cards[i])] += 1
            luck = next_luck(luck)
            desk.weights[w] = max(replay(desk, r, me, n, FIRST + w, True, params, luck_bits(luck)), 0.0)
            counted += 1 if desk.weights[w] > 0 else 0
        return counted

    @compiled_as(inline=False)
    def finish(desk: Desk, r: Any, me: int, params: Array, luck: np.uint64, column: int) -> float:
        """What the trial is worth to the seat if the bot plays on for both."""
        s, chain = desk.states[TRIAL], luck
        while int(s["to_act"]) != OVER:
            who = int(s["to_act"])
            if who == DEALER:
                move = draw(s["left"], int(s["left_total"]), bits_at(luck, where(s)))
            else:
                chain = next_luck(chain)
                move = bot(observe(s, r, who, desk.views[0]), r, who, params, luck_bits(chain))
            apply(s, r, move, None)
        tally(s, desk.tallied)
        return float(desk.tallied[me, column] - desk.tallied[1 - me, column]) / 2

    @compiled_as(inline=False)
    def decide(desk: Desk, r: Any, me: int, worlds: int, own: int, params: Array, luck: np.uint64, column: int) -> int:
        """The move that does best in the worlds that count; the bot's own answer, if none is surely better."""
        write(desk.states[GAME], r, desk.legal)
        for move in range(most):
            desk.worth[move, SUM] = desk.worth[move, SQUARES] = 0.0
            desk.worth[move, OPEN] = 1.0 if (desk.legal[move >> 6] >> np.uint64(move & 63)) & np.uint64(1) else 0.0
        total = 0.0
        for w in range(worlds):
            weight = desk.weights[w]
            if weight <= 0:
                continue
            total += weight
            bits = luck_bits(spread(luck, w))
            desk.states[TRIAL] = desk.states[FIRST + w]
            apply(desk.states[TRIAL], r, own, None)
            base = finish(desk, r, me, params, bits, column)
            for move in range(most):
                if desk.worth[move, OPEN] == 0.0 or move == own:
                    continue
                desk.states[TRIAL] = desk.states[FIRST + w]
                apply(desk.states[TRIAL], r, move, None)
                gain = weight * (finish(desk, r, me, params, bits, column) - base)
                desk.worth[move, SUM] += gain
                desk.worth[move, SQUARES] += gain * gain
        best, most_gained = own, 0.0
        for move in range(most):
            gained = desk.worth[move, SUM]
            if gained > most_gained and gained * gained > SURELY * SURELY * desk.worth[move, SQUARES]:
                best, most_gained = move, gained
        return best

    @compiled_as(inline=False)
    def play(
        desk: Desk, rules: Array, me: int, worlds: int, key: KeyWords, deal: np.uint64, params: Array, column: int
    ) -> int:
        r, states, stream = rules[0], desk.states, deal_stream(key, deal)
        lucks = np.zeros(3, np.uint64)
        for who in range(3):
            lucks[who] = deal_luck(stream, 0, who)
        start(states[GAME], r, 2, None)
        states[BEGIN] = states[GAME]
        s, n, decisions, others = states[GAME], 0, 2, 0
        while int(s["to_act"]) != OVER:
            who = int(s["to_act"])
            if who == DEALER:
                move = draw(s["left"], int(s["left_total"]), deal_word(stream, np.uint64(where(s))))
            else:
                lucks[who] = next_luck(lucks[who])
                move = bot(observe(s, r, who, desk.views[0]), r, who, params, luck_bits(lucks[who]))
                if who == me and n < MOST:
                    desk.views[decisions] = observe(s, r, me, desk.views[decisions])
                    lucks[2] = next_luck(lucks[2])
                    counted = imagine(desk, r, me, n, worlds, params, luck_bits(lucks[2]))
                    decisions += 1
                    if counted >= LEAST:
                        lucks[2] = next_luck(lucks[2])
                        answer = decide(desk, r, me, worlds, move, params, luck_bits(lucks[2]), column)
                        others += 1 if answer != move else 0
                        move = answer
            if n < MOST:
                desk.actors[n], desk.moves[n] = (CARD if who == DEALER else who), move
                desk.hidden[n] = HIDDEN
                n += 1
            apply(s, r, move, None)
        tally(s, desk.tallied)
        return others

    return play


def answers(
    game: Game, bot: Entrant, key: Key, deals: int, worlds: int = WORLDS, progress: Progress | None = None
) -> tuple[Floats, int]:
    """What the player gets against a bot, [deal, seat]: every deal is played at both seats. And in how many decisions
    it did not do what the bot would have done."""
    if bot.function is None:
        raise BotError(f"{bot.name} is written in Python; a local best response needs a compiled bot")
    desk, play, column = Desk.of(game, worlds), player(game.step, bot.function), payoff_column(game)
    got, others = np.zeros((deals, 2)), 0
    for deal in range(deals):
        for me in range(2):
            others += play(desk, game.record, me, worlds, key.words, np.uint64(deal), bot.params, column)
            got[deal, me] = (desk.tallied[me, column] - desk.tallied[1 - me, column]) / 2
        if progress:
            progress(2 * deal + 2, 2 * deals)
    return got, others

"""The best answer to a compiled bot, exactly, without writing the tree out.

The player who answers goes through the game from what it has observed to what it may observe next. A *belief* is all
the positions that it cannot tell apart, each with the chance that the cards and the bot lead there. Where it is to act,
a move is made in all of them, and the best one counts; otherwise each goes on, by every card and every answer of the
bot, until there is something to observe, and what looks alike makes a new belief. Only the beliefs on the way to the
present one are kept, so memory grows with the length of a game and not with the size of its tree.

What a seat observes is the same as in `tree`: every change of its view, every event as it may know it, its own moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.analysis.trees.tree import SolveError, payoff_column
from pitboss.core.bot import Entrant
from pitboss.core.compile import compiled_as
from pitboss.core.events import drain
from pitboss.core.game import Game
from pitboss.core.legal import asking, words_of
from pitboss.core.step import DEALER, OVER, Step
from pitboss.core.types import Array

SEATS = 2
POSITIONS = 1 << 20  # that all beliefs on the way have together
DEPTH = 2000  # beliefs on the way
AT_ONCE = 500_000  # positions between two looks at the clock
ASKED = 1 << 21  # places for what the bot answers to a view
ALL = np.uint64(2**64 - 1)
FEW = 8  # moves: what a bot answers among more of them is not kept
LUCKS, MORE_LUCKS = 20, 1020  # questions to the bot about a view; the second, if not all its answers are the same
GAMES = 300  # of random moves, to meet the usual events
EVENTS = 1 << 14  # places for events as a seat sees them

WAITING, DONE, NO_ROOM = 0, 1, 2
MINE, WORLDS, WORLDS_END, CHILDREN, CHILDREN_END, NEXT, MOVE, TOP = range(8)  # columns of a frame
TOTAL, BEST = 0, 1  # columns of its values
POSITIONS_MET, SETS, LEVEL, ROOM, STRANGE, VIEWS = range(6)  # what is counted


class _Journey(NamedTuple):
    """Where a walk through a game is."""

    states: Array
    weights: Array
    marks: Array  # of each position: what the seat has just observed, as a number
    order: Array  # the positions, those of a belief side by side
    views: Array
    seen: Array  # the same, as words
    frames: Array  # [belief, column]
    values: Array
    counts: Array
    legal: Array
    tallied: Array
    events: Array
    event_keys: Array  # events that are known, by their place in a hash table
    event_sights: Array  # and as the seat sees them, as numbers
    strange: Array  # events that are not known yet
    asked: Array  # views that the bot was asked about, by their hash
    answers: Array  # and how likely it made each move

    @classmethod
    def begin(cls, game: Game) -> _Journey:
        """The beginning of a game."""
        views = np.zeros(SEATS + 1, game.view_dtype)
        walk = cls(
            np.zeros(POSITIONS, game.state_dtype), np.zeros(POSITIONS), np.zeros(POSITIONS, np.uint64),
            np.zeros(POSITIONS, np.int64), views, views.view(np.uint8).reshape(SEATS + 1, -1),
            np.zeros((DEPTH, 8), np.int64), np.zeros((DEPTH, 2)), np.zeros(6, np.int64),
            np.zeros(words_of(game.step.moves), np.uint64), np.zeros((SEATS, game.width)), game.event_buffer(),
            np.zeros(EVENTS, np.uint64), np.zeros(EVENTS, np.uint64), np.zeros((64, 4), np.int64),
            np.zeros(ASKED, np.uint64), np.zeros((ASKED, FEW), np.float32),
        )  # fmt: skip
        walk.states[0] = game.start(SEATS).states[0]
        walk.weights[0], walk.counts[ROOM] = 1.0, 1
        walk.frames[0, [WORLDS_END, MOVE, TOP]] = 1, -1, 1
        return walk


@compiled_as(wraps=True)
def _mix(mark: np.uint64, word: np.uint64) -> np.uint64:
    mark = (mark ^ word) * np.uint64(0x9E3779B97F4A7C15)
    return mark ^ (mark >> np.uint64(29))


@compiled_as()
def _mark_of(row: Array) -> np.uint64:
    """A view as a number."""
    mark = np.uint64(0x243F6A8885A308D3)
    for i in range(0, len(row) - 3, 4):
        word = (np.uint64(row[i]) << np.uint64(24)) | (np.uint64(row[i + 1]) << np.uint64(16))
        mark = _mix(mark, word | (np.uint64(row[i + 2]) << np.uint64(8)) | np.uint64(row[i + 3]))
    for i in range(len(row) // 4 * 4, len(row)):
        mark = _mix(mark, np.uint64(row[i]))
    return mark


@compiled_as()
def _event_key(event: Array) -> np.uint64:
    mark = np.uint64(1)
    for i in range(4):
        mark = _mix(mark, np.uint64(int(event[i]) & 0xFFFFFFFF))
    return mark | np.uint64(1)  # never 0, which is an empty place


@compiled_as()
def _place(keys: Array, key: np.uint64) -> int:
    at = int(np.int64(key >> np.uint64(20))) & (len(keys) - 1)
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & (len(keys) - 1)
    return at


@cache
def _walker(step: Step, bot: Callable[..., int]) -> Callable[[_Journey, Array, int, Array, int, int], int]:
    """`go(walk, rules, me, params, column, limit)`: on through the game until so many positions have been met."""
    _, asked, apply, _, observe, tally, most = step
    write = asking(asked, most).write

    @compiled_as()
    def may(walk: _Journey, move: int) -> bool:
        return bool((walk.legal[move >> 6] >> np.uint64(move & 63)) & np.uint64(1))

    @compiled_as(inline=False)
    def ask(walk: _Journey, r: Any, who: int, params: Array, move: int, view: Any, lucks: int) -> float:
        """How likely the bot makes a move."""
        given, apart = 0, ALL // np.uint64(lucks)
        for i in range(lucks):
            luck = np.uint64(i) * apart + (apart >> np.uint64(1))
            given += 1 if bot(view, r, who, params, luck) == move else 0
        return given / lucks

    @compiled_as(inline=False)
    def answer(walk: _Journey, s: Any, r: Any, params: Array, move: int) -> float:
        """How likely the bot makes a legal move in a position; `walk.legal` has been written for it."""
        who, place, count, own = int(s["to_act"]), 0, 0, 0
        walk.views[SEATS] = observe(s, r, who, walk.views[SEATS])
        view = walk.views[SEATS]
        for other in range(most):
            if may(walk, other):
                own = count if other == move else own
                count += 1
        if count > FEW:
            return ask(walk, r, who, params, move, view, LUCKS * count)
        key = _mark_of(walk.seen[SEATS]) | np.uint64(1)
        place = _place(walk.asked, key)
        if walk.asked[place] == 0:
            at = 0
            for other in range(most):
                if may(walk, other):
                    p = ask(walk, r, who, params, other, view, LUCKS)
                    if 0 < p < 1:
                        p = ask(walk, r, who, params, other, view, MORE_LUCKS)
                    walk.answers[place, at] = p
                    at += 1
            if walk.counts[VIEWS] < len(walk.asked) * 3 // 4:  # the rest is asked again every time
                walk.counts[VIEWS] += 1
                walk.asked[place] = key
        return float(walk.answers[place, own])

    @compiled_as(inline=False)
    def notice(walk: _Journey, r: Any, me: int, child: int, before: np.uint64, own: bool) -> np.uint64:
        """What the seat has observed of the step to a position, as a number; 0 if nothing."""
        walk.views[me] = observe(walk.states[child], r, me, walk.views[me])
        mark, happened = _mark_of(walk.seen[me]), int(walk.events[0, 0])
        if mark == before and happened == 0 and not own:
            return np.uint64(0)
        for i in range(1, happened + 1):
            key = _event_key(walk.events[i])
            at = _place(walk.event_keys, key)
            if walk.event_keys[at] == 0 and walk.counts[STRANGE] < len(walk.strange):
                walk.strange[int(walk.counts[STRANGE])] = walk.events[i]
                walk.counts[STRANGE] += 1
            mark = _mix(mark, walk.event_sights[at])
        return mark | np.uint64(1)

    @compiled_as(inline=False)
    def step_to(
        walk: _Journey, r: Any, me: int, parent: int, move: int, weight: float, before: np.uint64, column: int
    ) -> float:
        """A position one move further: what it is worth if the game is over, else a new child."""
        child = int(walk.counts[ROOM])
        walk.states[child] = walk.states[parent]
        own = int(walk.states[parent]["to_act"]) == me
        walk.events[0, 0] = 0
        apply(walk.states[child], r, move, walk.events)
        walk.counts[POSITIONS_MET] += 1
        if int(walk.states[child]["to_act"]) == OVER:
            tally(walk.states[child], walk.tallied)
            return weight * float(walk.tallied[me, column] - walk.tallied[1 - me, column]) / 2
        walk.weights[child] = weight
        walk.marks[child] = notice(walk, r, me, child, before, own)
        walk.order[child] = child
        walk.counts[ROOM] += 1
        return 0.0

    @compiled_as(inline=False)
    def expand(walk: _Journey, r: Any, me: int, params: Array, column: int) -> bool:
        """The next positions of a belief: after a move of its own, or until there is something to observe. False if
        there is no room for them."""
        frame, level = walk.frames[int(walk.counts[LEVEL])], int(walk.counts[LEVEL])
        begin, end, total = int(frame[WORLDS]), int(frame[WORLDS_END]), 0.0
        walk.counts[ROOM] = frame[TOP]
        first = int(walk.order[begin])
        walk.views[me] = observe(walk.states[first], r, me, walk.views[me])
        before = _mark_of(walk.seen[me])
        left, mine = end - begin, int(frame[MINE]) != 0
        at, done = begin, int(frame[TOP])
        while left > 0:
            if at < end:
                parent, at = int(walk.order[at]), at + 1
            else:  # those of the new ones of which nothing was observed go on
                while walk.marks[int(walk.order[done])] != 0:
                    done += 1
                parent = int(walk.order[done])
                walk.marks[parent] = np.uint64(1)  # gone on: its weight is 0 from here
                done += 1
            left -= 1
            if int(walk.counts[ROOM]) + most + 2 >= len(walk.states):
                return False
            s, weight = walk.states[parent], walk.weights[parent]
            if parent >= int(frame[TOP]):
                walk.weights[parent] = 0.0
            who, had = int(s["to_act"]), int(walk.counts[ROOM])
            if mine:
                total += step_to(walk, r, me, parent, int(frame[MOVE]), weight, before, column)
            elif who == DEALER:
                for card in range(len(s["left"])):
                    if int(s["left"][card]) > 0:
                        share = weight * int(s["left"][card]) / int(s["left_total"])
                        total += step_to(walk, r, me, parent, card, share, before, column)
            else:
                for move in range(most):
                    write(s, r, walk.legal)
                    if may(walk, move):
                        share = weight * answer(walk, s, r, params, move)
                        if share > 0:
                            total += step_to(walk, r, me, parent, move, share, before, column)
            for child in range(had, int(walk.counts[ROOM])):
                if walk.marks[child] == 0:
                    if int(walk.states[child]["to_act"]) == me:
                        walk.marks[child] = np.uint64(3)
                    else:
                        left += 1
        top, room = int(frame[TOP]), int(walk.counts[ROOM])
        walk.order[top:room] = top + np.argsort(walk.marks[top:room], kind="mergesort")
        frame[CHILDREN_END], frame[NEXT] = room, top
        walk.values[level, TOTAL] = total
        return True

    @compiled_as(inline=False)
    def go(walk: _Journey, rules: Array, me: int, params: Array, column: int, limit: int) -> int:
        r, until = rules[0], int(walk.counts[POSITIONS_MET]) + limit
        while int(walk.counts[POSITIONS_MET]) < until:
            level = int(walk.counts[LEVEL])
            frame = walk.frames[level]
            if int(frame[MOVE]) < 0:  # a new belief
                first = walk.states[int(walk.order[int(frame[WORLDS])])]
                frame[MINE] = 1 if int(first["to_act"]) == me else 0
                walk.counts[SETS] += frame[MINE]
                walk.values[level, BEST] = -np.inf
                frame[MOVE] = 0
                if int(frame[MINE]):
                    write(first, r, walk.legal)
                    while not may(walk, int(frame[MOVE])):
                        frame[MOVE] += 1
                if not expand(walk, r, me, params, column):
                    return NO_ROOM
                continue
            begin, end = int(frame[NEXT]), int(frame[CHILDREN_END])
            while begin < end and walk.weights[int(walk.order[begin])] == 0:  # gone on
                begin += 1
            if begin < end:  # the next belief that may follow
                stop, mark = begin + 1, walk.marks[int(walk.order[begin])]
                while stop < end and walk.marks[int(walk.order[stop])] == mark:
                    stop += 1
                frame[NEXT] = stop
                if level + 1 >= len(walk.frames):
                    return NO_ROOM
                after = walk.frames[level + 1]
                after[WORLDS], after[WORLDS_END], after[MOVE], after[TOP] = begin, stop, -1, end
                walk.counts[LEVEL] += 1
                continue
            value = float(walk.values[level, TOTAL])
            if int(frame[MINE]):
                value = max(value, float(walk.values[level, BEST]))
                walk.values[level, BEST] = value
                write(walk.states[int(walk.order[int(frame[WORLDS])])], r, walk.legal)
                frame[MOVE] += 1
                while int(frame[MOVE]) < most and not may(walk, int(frame[MOVE])):
                    frame[MOVE] += 1
                if int(frame[MOVE]) < most:
                    if not expand(walk, r, me, params, column):
                        return NO_ROOM
                    continue
            if level == 0:
                walk.values[0, BEST] = value
                return DONE
            walk.counts[LEVEL] -= 1
            walk.values[level - 1, TOTAL] += value
        return WAITING

    return go


class Response(NamedTuple):
    """The best answer to a bot from one seat."""

    value: float
    positions: int  # that it leads to
    sets: int  # information sets in which it decides


def best_response(game: Game, bot: Entrant, seat: int) -> Response:
    """What the best answer to a compiled bot wins at a seat, of all strategies that observe what the seat may observe.

    How often the bot makes which move is read off from 20 answers to evenly spaced values of its luck, and where these
    differ from 1,020: what it does less often than once in twenty times may be overlooked.

    >>> from pitboss import load
    >>> from pitboss.core.registry import bot
    >>> game = load("show:classic(deck=* * * 2 2)")
    >>> best_response(game, bot("show-6", game), 0).sets
    47
    """
    game.verify_seats(SEATS)
    assert bot.function is not None
    go, column, known = _walker(game.step, bot.function), payoff_column(game), _Known(game, seat)
    known.meet(_some_events(game))
    walk = known.begin()
    while True:
        code = go(walk, game.record, seat, bot.params, column, AT_ONCE)
        counts = walk.counts.tolist()
        if counts[STRANGE]:  # rare events, which were not among the usual ones: once more, now that they are known
            known.meet(walk.strange[: counts[STRANGE]].tolist())
            walk = known.begin()
        elif code == NO_ROOM:
            raise SolveError(
                f"{game} is too large for the best answer to a bot. Choose rules that make a game shorter, with fewer "
                "cards or rounds"
            )
        elif code == DONE:
            return Response(float(walk.values[0, BEST]), counts[POSITIONS_MET], counts[SETS])


class _Known:
    """Events that were met, and what a seat sees of them, as numbers."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.events: dict[tuple[int, ...], int] = {}
        self.sights: dict[Any, int] = {}

    def meet(self, events: list[list[int]]) -> None:
        """Learn what the seat sees of events."""
        for kind, *rest in events:
            event = self.game.event_class(self.game.event_kinds[kind], *rest).seen_by(self.seat)
            self.events[kind, *rest] = self.sights.setdefault(event, len(self.sights) + 1)

    def begin(self) -> _Journey:
        """A walk that knows them."""
        walk = _Journey.begin(self.game)
        for event, sight in self.events.items():
            key = np.uint64(_event_key(np.array(event)))
            at = _place(walk.event_keys, key)
            walk.event_keys[at], walk.event_sights[at] = key, sight
        return walk


def _some_events(game: Game) -> list[list[int]]:
    """The events of some games of random moves."""
    chance, buffer, met = random.Random(1), game.event_buffer(), set[tuple[int, ...]]()
    for _ in range(GAMES):
        position = game.start(SEATS)
        while position.to_act != OVER:
            moves = position.legal
            state = position.states[0]
            buffer[0, 0] = 0
            game.step.apply(state, game.record[0], int(chance.choice(list(moves))), buffer)
            met.update(map(tuple, drain(buffer)))
    return [list(event) for event in met]

"""The compiled loops that play a game, built once for each game from its `Step`.

Nothing in here knows any rule. A block is one deal played once for every rotation of the bots
over the seats: in rotation j, bot i sits at seat (i + j) mod seats.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pitboss.core.compile import compiled, compiled_as, interpreted
from pitboss.core.keys import deal_luck, deal_stream, deal_word
from pitboss.core.keys import draw as draw_interpreted
from pitboss.core.legal import FEW, asking, words_of
from pitboss.core.native import SEATING
from pitboss.core.seating import caller, lender, params_at
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.core.step import CUT, DEALER, FAULT, FINE, MOST_SEATS, OVER, Step
from pitboss.core.types import Array, Dtype, EventBuffer, RulesRecord, StateRecord, ViewRecord, Word

# Where a game that is played from Python stands: its key and deal, the cards dealt so far, and the
# state of each seat's luck.
CLOCK = np.dtype(
    [
        ("high", np.uint64),
        ("low", np.uint64),
        ("way", np.uint64),
        ("deal", np.uint64),
        ("cards", np.int64),
        ("decisions", np.int64),
        ("luck", np.uint64, (MOST_SEATS,)),
    ]
)


@cache
def clock_dtype(moves: int) -> Dtype:
    """The clock of a game with so many moves, with the legal ones of the decision that Python is asked for, as bits."""
    return np.dtype([*CLOCK.descr, ("legal", np.uint64, (words_of(moves),))])


_luck_of = lender(CLOCK, SEATING)


@compiled_as(inline=False)
def begin_lucks(place: int, rotation: int) -> None:
    """The luck of all seats at the beginning of a game: the clock and the seating lie at `place`."""
    clocks, seating = _luck_of(place)
    clock = clocks[0]
    deal = deal_stream((clock["high"], clock["low"], clock["way"]), clock["deal"])
    for seat in range(len(seating)):
        clock["luck"][seat] = deal_luck(deal, rotation, seat)


LOG = np.dtype(np.int16)  # a move that was made
Table: TypeAlias = tuple[Array, Array, Array]  # states, views and rules, of one each
Seated: TypeAlias = Any  # a record of `SEATING`
ILLEGAL = -3  # advance: the move is not legal


class Scratch(NamedTuple):
    """What one thread needs for itself to ask bots."""

    views: Array
    spare: Array  # a state to lend
    lent: Array  # rules to lend


@cache
def asker(step: Step, state_dtype: Dtype, view_dtype: Dtype, rules_dtype: Dtype) -> Callable[..., int]:
    """`ask` for the loops of a game: the move of a compiled bot."""
    bot_at, observe = caller(view_dtype, rules_dtype), step.observe

    if view_dtype is state_dtype:

        def shield(s: StateRecord, spare: StateRecord, r: RulesRecord, seat: int, view: ViewRecord) -> ViewRecord:
            """A copy of the open table, so that a bot can change nothing by writing to it."""
            spare[0] = s
            return spare[0]

    else:

        def shield(s: StateRecord, spare: StateRecord, r: RulesRecord, seat: int, view: ViewRecord) -> ViewRecord:
            """A view of a hidden game is a record of its own anyway."""
            return observe(s, r, seat, view)

    shield = compiled(shield)

    def ask(b: Seated, s: StateRecord, r: RulesRecord, seat: int, luck: Word, own: Scratch) -> int:
        """A bot that is not built in gets copies of table and rules."""
        params, view = params_at(b["params"], b["size"]), own.views[0]
        if b["trusted"]:
            return bot_at(b["bot"])(observe(s, r, seat, view), r, seat, params, luck)
        own.lent[0] = r
        return bot_at(b["bot"])(shield(s, own.spare, r, seat, view), own.lent[0], seat, params, luck)

    return compiled(ask)


class Loops(NamedTuple):
    """A game's loops; arrays cross the border because records cost more."""

    play_blocks: Callable[..., int]
    advance: Callable[..., int]
    start: Callable[..., None]
    legal: Callable[..., int]  # as bits: an integer as long as it takes
    apply: Callable[..., None]
    observe: Callable[..., None]
    where: Callable[..., int]
    tally: Callable[..., None]


@cache
def loops(step: Step, state_dtype: Dtype, view_dtype: Dtype, rules_dtype: Dtype) -> Loops:
    """The loops of a game; compiled when first called."""
    ask = asker(step, state_dtype, view_dtype, rules_dtype)
    start, legal, apply, where, observe, tally, moves = step
    _, _, can, write_legal = asking(legal, moves)
    draw = draw_interpreted if interpreted() else _drawer(state_dtype)
    lent = lender(state_dtype, view_dtype, rules_dtype, SEATING, clock_dtype(moves), LOG)

    def play_blocks(table: Table, seating: Array, key: Array, span: tuple[int, int], rows: Array, counts: Array) -> int:
        """Play blocks from span[0] on in span[1] rotations into rows[block, rotation, seat]; count decisions, cards
        and games cut. FINE, or the bot that answered nonsense. `table` is states, views and rules."""
        states, views, rules = table
        first, rotations = span
        s, r = states[0], rules[0]
        own = Scratch(views, states.copy(), rules.copy())
        seats, decisions, cards, cut = len(seating), 0, 0, 0
        lucks = np.zeros(seats, np.uint64)
        for block in range(rows.shape[0]):
            deal = deal_stream(key, np.uint64(first + block))
            for rotation in range(rotations):
                for seat in range(seats):
                    lucks[seat] = deal_luck(deal, rotation, seat)
                start(s, r, seats, None)
                while True:
                    seat = int(s["to_act"])
                    if seat == DEALER:
                        move = draw(s["left"], int(s["left_total"]), deal_word(deal, np.uint64(where(s))))
                        cards += 1
                    elif seat == OVER:
                        break
                    else:
                        bot = seat - rotation
                        if bot < 0:
                            bot += seats
                        lucks[seat] = next_luck(lucks[seat])
                        decisions += 1
                        move = ask(seating[bot], s, r, seat, luck_bits(lucks[seat]), own)
                        if not can(s, r, move):
                            return bot
                    apply(s, r, move, None)
                if int(s["ended"]) == CUT:
                    cut += 1
                tally(s, rows[block, rotation])
        counts[0] = decisions
        counts[1] = cards
        counts[2] = cut
        return FINE

    def advance(place: int, move: int) -> int:
        """Answer the open decision of a desk (`Seats.desk`), then play chance and compiled seats up to the next Python
        decision: its seat, or OVER, or ILLEGAL if the move was not legal; then the decision is still open. At the start
        of a game no decision is open and `move` is ignored. FAULT is always legal. Moves are logged."""
        states, views, rules, seating, clock, log = lent(place)
        s, v, r, k = states[0], views[0], rules[0], clock[0]
        deal = deal_stream((k["high"], k["low"], k["way"]), k["deal"])
        if k["decisions"] > 0:
            if move != FAULT and not can(s, r, move):
                return ILLEGAL
            if k["decisions"] <= len(log):
                log[k["decisions"] - 1] = move
            apply(s, r, move, None)
        while True:
            seat = int(s["to_act"])
            if seat == OVER:
                return OVER
            if seat == DEALER:
                move = draw(s["left"], int(s["left_total"]), deal_word(deal, np.uint64(where(s))))
                k["cards"] += 1
            else:
                bits = next_luck(k["luck"][seat])
                k["luck"][seat] = bits
                k["decisions"] += 1
                if int(seating[seat]["bot"]) == 0:
                    observe(s, r, seat, v)
                    write_legal(s, r, k["legal"])
                    return seat
                b = seating[seat]
                own = Scratch(views, states, rules) if b["trusted"] else Scratch(views, states.copy(), rules.copy())
                move = ask(b, s, r, seat, luck_bits(bits), own)
                if not can(s, r, move):
                    return ILLEGAL
                if k["decisions"] <= len(log):
                    log[k["decisions"] - 1] = move
            apply(s, r, move, None)

    def start_one(states: Array, rules: Array, seats: int, events: EventBuffer) -> None:
        start(states[0], rules[0], seats, events)

    def legal_one(states: Array, rules: Array) -> int:
        return legal(states[0], rules[0])

    def legal_words(states: Array, rules: Array, words: Array) -> None:
        write_legal(states[0], rules[0], words)

    def apply_one(states: Array, rules: Array, move: int, events: EventBuffer) -> None:
        apply(states[0], rules[0], move, events)

    def observe_one(states: Array, rules: Array, seat: int, views: Array) -> None:
        observe(states[0], rules[0], seat, views[0])

    def where_one(states: Array) -> int:
        return where(states[0])

    def tally_one(states: Array, rows: Array) -> None:
        tally(states[0], rows)

    few = moves <= FEW
    legal_bits = legal_one if few else legal_words
    made = (play_blocks, advance, start_one, legal_bits, apply_one, observe_one, where_one, tally_one)
    functions: list[Any] = [compiled(function, inline=False) for function in made]
    built = Loops(*functions)
    return built if few else built._replace(legal=_joined(built.legal, words_of(moves)))


def _drawer(state_dtype: Dtype) -> Callable[[Array, int, Word], int]:
    from pitboss.core.vector_draw import drawer

    return drawer(state_dtype)


def _joined(write: Callable[..., Any], size: int) -> Callable[[Any, Any], int]:
    """The legal moves of a state as one integer, from a function that writes words of bits."""

    def legal(states: Array, rules: Array) -> int:
        words = np.zeros(size, np.uint64)
        write(states, rules, words)
        return int.from_bytes(words.tobytes(), "little")

    return legal

"""The functions of a game's module that a page calls: thin covers of the game's own, for pointers and plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numba import carray, from_dtype, types

from pitboss.core.analysis import SAID_COLUMNS
from pitboss.core.game import Game
from pitboss.core.keys import deal_luck, deal_stream, deal_word
from pitboss.core.legal import asking, words_of
from pitboss.core.loop import Scratch, asker
from pitboss.core.native import SEATING
from pitboss.core.splitmix import luck_at, luck_bits, next_luck
from pitboss.core.step import DEALER, OVER
from pitboss.core.types import Numba, Word
from pitboss.core.vector_draw import drawer

Pointer = types.CPointer
I32, I64, U64, VOID = types.int32, types.int64, types.uint64, types.void
FLOATS, WORDS, NUMBERS, EVENTS = Pointer(types.float64), Pointer(U64), Pointer(I64), Pointer(I32)

Export = tuple[Callable[..., Any], Numba]  # a function, and its signature


def exports(game: Game) -> dict[str, Export]:
    """What every game's module has, by name."""
    state, view = Pointer(from_dtype(game.state_dtype)), Pointer(from_dtype(game.view_dtype))
    rules, seated = Pointer(from_dtype(game.rules_class.dtype())), Pointer(from_dtype(SEATING))
    start, legal, apply, where, observe, tally, moves = game.step
    play_blocks, width, room, size = game.loops.play_blocks, game.width, game.most_events + 1, words_of(moves)
    can, write_legal = asking(legal, moves)[2:]
    draw = drawer(game.state_dtype)
    ask = asker(game.step, game.state_dtype, game.view_dtype, game.rules_class.dtype())

    def start_game(s: Any, r: Any, seats: int, events: Any) -> None:
        start(carray(s, 1)[0], carray(r, 1)[0], seats, carray(events, (room, 4)))

    def legal_moves(s: Any, r: Any, words: Any) -> None:
        write_legal(carray(s, 1)[0], carray(r, 1)[0], carray(words, size))

    def is_legal(s: Any, r: Any, move: int) -> int:
        return 1 if can(carray(s, 1)[0], carray(r, 1)[0], move) else 0

    def make_move(s: Any, r: Any, move: int, events: Any) -> None:
        apply(carray(s, 1)[0], carray(r, 1)[0], move, carray(events, (room, 4)))

    def next_card(s: Any, key: Any, deal: Word) -> int:
        """The card that a key deals next."""
        table, words = carray(s, 1)[0], carray(key, 3)
        bits = deal_word(deal_stream(words, deal), np.uint64(where(table)))
        return draw(table["left"], int(table["left_total"]), bits)

    def look(s: Any, r: Any, seat: int, v: Any) -> None:
        observe(carray(s, 1)[0], carray(r, 1)[0], seat, carray(v, 1)[0])

    def luck_of(key: Any, deal: Word, rotation: int, seat: int, decision: int) -> Word:
        """The bits that a bot gets at its n-th decision of a game, counted from 1."""
        words = carray(key, 3)
        return luck_at(deal_luck(deal_stream(words, deal), rotation, seat), np.uint64(decision))

    def ask_bot(s: Any, v: Any, r: Any, bot: Any, seat: int, bits: Word) -> int:
        states, rules = carray(s, 1), carray(r, 1)
        own = Scratch(carray(v, 1), states.copy(), rules.copy())
        return ask(carray(bot, 1)[0], states[0], rules[0], seat, bits, own)

    def finish(s: Any, v: Any, r: Any, move: int, bots: Any, rows: Any, key: Any, deal: Word) -> None:
        """Make a move, let bots play on to the end, and count up; the luck is that of a deal."""
        states, views, rules, words = carray(s, 1), carray(v, 1), carray(r, 1), carray(key, 3)
        table, seats, of = states[0], int(states[0]["seats"]), deal_stream(words, deal)
        own, lucks = Scratch(views, states.copy(), rules.copy()), np.zeros(seats, np.uint64)
        for seat in range(seats):
            lucks[seat] = deal_luck(of, 0, seat)
        apply(table, rules[0], move, None)
        while int(table["to_act"]) != OVER:
            seat = int(table["to_act"])
            if seat == DEALER:
                chosen = draw(table["left"], int(table["left_total"]), deal_word(of, np.uint64(where(table))))
            else:
                lucks[seat] = next_luck(lucks[seat])
                chosen = ask(carray(bots, seats)[seat], table, rules[0], seat, luck_bits(lucks[seat]), own)
            apply(table, rules[0], chosen, None)
        tally(table, carray(rows, (seats, width)))

    def count_up(s: Any, seats: int, rows: Any) -> None:
        tally(carray(s, 1)[0], carray(rows, (seats, width)))

    def play(s: Any, v: Any, r: Any, bots: Any, seats: int, key: Any, span: Any, rows: Any, counts: Any) -> int:
        """`Loops.play_blocks`; span has the first block, their number, and that of the rotations."""
        first, blocks, rotations = carray(span, 3)
        table = carray(s, 1), carray(v, 1), carray(r, 1)
        out = carray(rows, (blocks, rotations, seats, width))
        return play_blocks(table, carray(bots, seats), carray(key, 3), (first, rotations), out, carray(counts, 3))

    return {
        "start": (start_game, VOID(state, rules, I32, EVENTS)),
        "legal": (legal_moves, VOID(state, rules, WORDS)),
        "is_legal": (is_legal, I32(state, rules, I32)),
        "apply": (make_move, VOID(state, rules, I32, EVENTS)),
        "card": (next_card, I32(state, WORDS, U64)),
        "observe": (look, VOID(state, rules, I32, view)),
        "luck": (luck_of, U64(WORDS, U64, I32, I32, I32)),
        "ask": (ask_bot, I32(state, view, rules, seated, I32, U64)),
        "finish": (finish, VOID(state, view, rules, I32, seated, FLOATS, WORDS, U64)),
        "tally": (count_up, VOID(state, I32, FLOATS)),
        "play": (play, I32(state, view, rules, seated, I32, WORDS, NUMBERS, FLOATS, NUMBERS)),
    }


def opinions(presets: Iterable[Game]) -> dict[Callable[..., int], str]:
    """The functions that say what moves are worth at some table, and the names that they get in the module."""
    out: dict[Callable[..., int], str] = {}
    for game in presets:
        said = game.analysis.compiled() if game.analysis else None
        if said and said.function not in out:
            out[said.function] = f"opinion_{len(out)}"
    return out


def opinion_exports(game: Game, functions: Mapping[Callable[..., int], str]) -> dict[str, Export]:
    """Covers of such functions."""
    return {name: _opinion(game, function) for function, name in functions.items()}


def _opinion(game: Game, say: Callable[..., int]) -> Export:
    view, rules = Pointer(from_dtype(game.view_dtype)), Pointer(from_dtype(game.rules_class.dtype()))
    most = game.step.moves + 1

    def opinion(v: Any, r: Any, seat: int, params: Any, size: int, luck: Word, lines: Any) -> int:
        room = carray(lines, (most, SAID_COLUMNS))
        return say(carray(v, 1)[0], carray(r, 1)[0], seat, carray(params, size), luck, room)

    return opinion, I32(view, rules, I32, FLOATS, I32, U64, FLOATS)

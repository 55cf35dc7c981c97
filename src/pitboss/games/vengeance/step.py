"""The rule book of Flip 7: With a Vengeance: `start`, `legal`, `apply`.

Chance is a player: when a card is due, `to_act` is DEALER and the move is the card. A referee's verdict is a move too:
FAULT, which `legal` never offers. Every difference between the rule books is a switch in the rules record `r`; numbers
in brackets name the paragraphs of the rules page. What cards do to lines is in `lines`, what actions do in `actions`,
how cards are taken in `taking`.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.step import CUT, DEALER, FAULT, OVER, RUNNING, TIED, WON, Step, column_numbers, see_all, tally_wins
from pitboss.core.types import Array, EventBuffer
from pitboss.games.vengeance import events, rules
from pitboss.games.vengeance.actions import (
    can_pick,
    can_target,
    draw_card,
    only_answer,
    pick,
    play_on,
    resolve_waiting,
    swap,
)
from pitboss.games.vengeance.cards import FLIP_FOUR, KINDS, MINUS_2
from pitboss.games.vengeance.lines import appraise, bust_out, receive
from pitboss.games.vengeance.state import (
    ACTIVE,
    BONUS,
    CARD_0,
    DEAL,
    HIT,
    HIT_OR_STAY,
    MOVES,
    NO_ANSWER,
    PICK,
    PICK_SECOND,
    PRIZE,
    SEAT_0,
    STAY,
    STAYED,
    TARGET,
    State,
    ask,
    leave,
    left_of,
    next_active,
)
from pitboss.games.vengeance.taking import ask_dealer, discard, drop_waiting, find_card, set_aside, stop_taking, take

COLUMNS = ("rounds", "total", "busts", "flip_7s")  # of tally
ROUNDS, TOTAL, BUSTS, FLIP7S = column_numbers(COLUMNS)

# --- the three questions anyone may ask of a rule book ---


@compiled
def start(s: State, r: State, seats: int, ev: EventBuffer) -> None:
    """A new game, up to its first card."""
    s["seats"] = seats
    s["ended"] = RUNNING
    s["round"] = 0
    s["dealer"] = seats - 2 if seats > 1 else 0  # the first round moves it on to the last seat (V3)
    for seat in range(seats):
        s["total"][seat] = s["last"][seat] = s["won"][seat] = s["busts"][seat] = s["flip7s"][seat] = 0
    cards = 0
    for kind in range(KINDS):
        s["left"][kind] = r["deck"][kind]
        cards += int(r["deck"][kind])
    s["left_total"] = cards
    _begin_round(s, r, ev)
    _proceed(s, r, ev)


@compiled
def legal(s: State, r: State, move: int) -> bool:
    """Whether this move, or card, is legal now."""
    decision, who = int(s["decision"]), int(s["to_act"])
    if who == OVER:
        return False
    if decision == DEAL:
        return move < KINDS and int(s["left"][move]) > 0
    if decision == HIT_OR_STAY:
        return move <= HIT
    if decision == PICK or decision == PICK_SECOND:
        return can_pick(s, r, move - CARD_0)
    seat = move - SEAT_0
    if seat < 0 or seat >= int(s["seats"]):
        return False
    return decision == PRIZE or can_target(s, r, seat, who, int(s["card"]))


@compiled
def apply(s: State, r: State, move: int, ev: EventBuffer) -> None:
    """Make a legal move, or a FAULT of the seat to act, and go on to the next question that somebody must answer."""
    while True:
        if not _answer(s, r, move, ev):
            _proceed(s, r, ev)
        move = only_answer(s, r)
        if move < 0:
            return


@compiled
def _answer(s: State, r: State, move: int, ev: EventBuffer) -> bool:
    """What a move does; true if it raises a question. The frequent ones come first, each told by another number: what
    the loops have compared already is not compared again."""
    seat, decision, card = int(s["to_act"]), int(s["decision"]), int(s["card"])
    if seat == DEALER:
        return _deal(s, r, move, ev)
    s["card"] = -1
    if move == HIT:
        return _hit(s, seat, ev)
    if move == STAY:
        return _stay(s, seat, ev)
    if decision == PRIZE:
        return _choose_prize(s, r, seat, seat if move == FAULT else move - SEAT_0, ev)
    if move == FAULT:
        return _fault(s, r, seat, card, ev)
    if decision == TARGET:
        return play_on(s, r, card, move - SEAT_0, seat, ev)
    if move == NO_ANSWER:
        return discard(s, seat, card, ev)
    if decision == PICK:
        return pick(s, r, seat, card, move - CARD_0, ev)
    return swap(s, r, int(s["picked"]), move - CARD_0, ev)


# --- what comes next ---


@compiled
def _proceed(s: State, r: State, ev: EventBuffer) -> None:
    """Go on until a card is due, a question comes up, or the game is over."""
    asked = False
    while not asked:
        if int(s["flipped"]) >= 0:
            asked = _settle(s, r, ev)
        elif int(s["taker"]) >= 0:
            asked = find_card(s, r, ev)
        elif int(s["waiting"]) > 0:
            asked = resolve_waiting(s, r, ev)
        elif int(s["active"]) == 0:
            asked = _end_round(s, r, ev)
        elif int(s["opened"]) < int(s["seats"]):
            asked = _open_next(s)
        else:
            asked = _next_turn(s, ev)


@compiled
def _begin_round(s: State, r: State, ev: EventBuffer) -> None:
    seats = int(s["seats"])
    s["round"] += 1
    s["discarded"] = -int(s["left_total"])  # whatever is not in the deck (V7)
    for kind in range(KINDS):
        s["discarded"] += int(r["deck"][kind])
    s["dealer"] = left_of(s, int(s["dealer"]))
    s["active"] = seats
    s["opened"] = s["waiting"] = s["to_take"] = 0
    s["flipped"] = s["card"] = s["picked"] = s["turn"] = s["taker"] = s["obeyed"] = -1
    for seat in range(seats):
        s["status"][seat] = ACTIVE
        s["line"][seat] = s["twin"][seat] = s["deadly"][seat] = s["sum"][seat] = s["count"][seat] = 0
        s["minus"][seat] = s["points"][seat] = s["owed"][seat] = s["bonus"][seat] = s["taken"][seat] = 0
    emit(ev, events.ROUND_STARTED, int(s["dealer"]), int(s["round"]), 0)


@compiled
def _open_next(s: State) -> bool:
    """The next opening card (V3)."""
    seat = int(s["dealer"]) + 1 + int(s["opened"])
    seat = seat if seat < int(s["seats"]) else seat - int(s["seats"])
    s["opened"] += 1
    return int(s["status"][seat]) == ACTIVE and take(s, seat, 1, -1)


@compiled
def _next_turn(s: State, ev: EventBuffer) -> bool:
    """Pass the turn on; who holds The Zero must hit, and is not asked (V8)."""
    seat = int(s["turn"])
    seat = next_active(s, seat if seat >= 0 else int(s["dealer"]))
    s["turn"] = seat
    if int(s["line"][seat]) & 1:
        return _hit(s, seat, ev)
    return ask(s, seat, HIT_OR_STAY, -1)


@compiled
def _hit(s: State, seat: int, ev: EventBuffer) -> bool:
    emit(ev, events.HITS, seat, 0, 0)
    return take(s, seat, 1, -1)


@compiled
def _stay(s: State, seat: int, ev: EventBuffer) -> bool:
    leave(s, seat, STAYED)
    emit(ev, events.STAYS, seat, int(s["points"][seat]), 0)
    return False


@compiled
def _deal(s: State, r: State, card: int, ev: EventBuffer) -> bool:
    """Give the taker a card; true if that raises a question."""
    seat = int(s["taker"])
    s["left"][card] -= 1
    s["left_total"] -= 1
    s["taken"][seat] += 1
    emit(ev, events.DEALT, seat, card, 0)
    s["to_take"] -= 1
    if card < MINUS_2:
        receive(s, r, seat, card, ev)
    elif int(s["obeyed"]) == FLIP_FOUR:
        set_aside(s, seat, card, ev)
    else:
        stop_taking(s, seat, ev)
        return draw_card(s, r, seat, card, ev)
    if int(s["to_take"]) > 0 and int(s["status"][seat]) <= STAYED:
        return ask_dealer(s)
    stop_taking(s, seat, ev)
    return False


@compiled
def _fault(s: State, r: State, seat: int, card: int, ev: EventBuffer) -> bool:
    """V24: an active player busts, and the card in question is gone."""
    emit(ev, events.FAULTED, seat, 0, 0)
    s["picked"] = -1
    if card >= 0:
        discard(s, seat, card, ev)
    if int(s["status"][seat]) == ACTIVE:
        bust_out(s, seat)
        appraise(s, r, seat)
    return False


# --- the end of a round and of the game ---


@compiled
def _settle(s: State, r: State, ev: EventBuffer) -> bool:
    """After a Flip 7: what waits is gone, and its owner may choose what it brings (V6, V23)."""
    drop_waiting(s, 0, ev)
    if int(r["flip7_bonus"]) == rules.EITHER:
        return ask(s, int(s["flipped"]), PRIZE, -1)
    return _end_round(s, r, ev)


@compiled
def _choose_prize(s: State, r: State, seat: int, to: int, ev: EventBuffer) -> bool:
    """V23: 15 for oneself, or 15 less for somebody else."""
    if to != seat:
        s["bonus"][seat] = 0
        s["bonus"][to] = -BONUS
        appraise(s, r, seat)
        appraise(s, r, to)
    emit(ev, events.PRIZE_CHOSEN, to, int(s["bonus"][to]), seat)
    return _end_round(s, r, ev)


@compiled
def _end_round(s: State, r: State, ev: EventBuffer) -> bool:
    """Score the round; true if the game is over, or else the next round has begun."""
    for seat in range(int(s["seats"])):
        gained, total = int(s["points"][seat]), int(s["total"][seat])
        if total + gained < 0 and not int(r["below_zero"]):
            gained = -total
        s["last"][seat] = gained
        s["total"][seat] = total + gained
        emit(ev, events.ROUND_SCORED, seat, gained, total + gained)
    if _end_game(s, r, ev):
        return True
    _begin_round(s, r, ev)
    return False


@compiled
def _end_game(s: State, r: State, ev: EventBuffer) -> bool:
    """V20: true if the game is over."""
    seats, best, winners = int(s["seats"]), int(s["total"][0]), 0
    for seat in range(1, seats):
        best = max(best, int(s["total"][seat]))
    if best >= int(r["target"]):
        for seat in range(seats):
            winners += 1 if int(s["total"][seat]) == best else 0
    if winners == 1 or (winners > 1 and int(r["tie"]) == rules.SHARED):
        s["ended"] = WON if winners == 1 else TIED
        for seat in range(seats):
            if int(s["total"][seat]) == best:
                s["won"][seat] = 1
                emit(ev, events.GAME_WON, seat, best, 0)
        return ask(s, OVER, DEAL, -1)
    if int(s["round"]) >= int(r["max_rounds"]):
        s["ended"] = CUT
        emit(ev, events.CUT_SHORT, -1, 0, 0)
        return ask(s, OVER, DEAL, -1)
    return False


# --- for those who play and count ---


@compiled
def where(s: State) -> int:
    """The place of the next card: round, seat, and which of that seat's cards it is."""
    seat = int(s["taker"])
    return (int(s["round"]) << 32) | (seat << 24) | int(s["taken"][seat])


@compiled
def tally(s: State, rows: Array) -> None:
    """Wins, then `COLUMNS`: a row for each seat."""
    seats = int(s["seats"])
    tally_wins(rows, s["won"], seats)
    for seat in range(seats):
        rows[seat, ROUNDS] = int(s["round"])
        rows[seat, TOTAL] = int(s["total"][seat])
        rows[seat, BUSTS] = int(s["busts"][seat])
        rows[seat, FLIP7S] = int(s["flip7s"][seat])


STEP = Step(start, legal, apply, where, see_all, tally, MOVES)

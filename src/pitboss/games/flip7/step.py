"""The rule book of Flip 7, all of it: `start`, `legal`, `apply`.

Chance is a player: when a card is due, `to_act` is DEALER and the move is the card. A referee's
verdict is a move too: FAULT, which `legal` never offers. Every difference between the rule books
is a switch in the rules record `r`; numbers in brackets name the paragraphs of the rules page.

The functions change the state record in place. They run compiled and interpreted alike: fields
are read as s["x"] and widened by int() before arithmetic. `ev` is a buffer for events, or None.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.step import CUT, DEALER, FAULT, OVER, RUNNING, TIED, WON, Step, StepParts, column_numbers, tally_wins
from pitboss.core.types import Array, EventBuffer
from pitboss.games.flip7 import events, rules
from pitboss.games.flip7.actions import (
    assign,
    assign_next,
    chance_drawn,
    choose_target,
    drop_waiting,
    end_flip,
    give_chance,
    put_on,
    receivers,
    resolve_waiting,
    save,
    set_aside,
)
from pitboss.games.flip7.cards import FLIP_THREE, FREEZE, KINDS, NUMBERS, SECOND_CHANCE, TIMES_2
from pitboss.games.flip7.state import (
    ACTIVE,
    ASSIGN,
    DEAL,
    FLIP_7,
    FLIPPED_7,
    HIT,
    HIT_OR_STAY,
    SAVE,
    SEAT_0,
    STAYED,
    YES,
    State,
    active_seats,
    ask,
    bust_out,
    gain,
    leave,
    left_of,
    next_active,
    spend,
    take_cards,
    use_up,
)

COLUMNS = ("rounds", "total", "busts", "flip_7s")  # of tally
ROUNDS, TOTAL, BUSTS, FLIP7S = column_numbers(COLUMNS)

# --- the three questions anyone may ask of a rule book ---


@compiled
def start(s: State, r: State, seats: int, ev: EventBuffer) -> None:
    """A new game, up to its first card or decision."""
    s["seats"] = seats
    s["ended"] = RUNNING
    s["round"] = 0
    s["dealer"] = seats - 2  # the first round moves it on to the last seat (C11)
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
def legal(s: State, r: State) -> int:
    """The legal moves as bits; 0 when the game is over."""
    if int(s["to_act"]) == OVER:
        return 0
    decision = int(s["decision"])
    if decision == HIT_OR_STAY:
        return 0b11
    if decision == SAVE:
        return 0b1100
    if decision != DEAL:
        seats = receivers(s, r) if int(s["card"]) == SECOND_CHANCE else active_seats(s)
        return seats << SEAT_0
    bits = 0
    for kind in range(KINDS):
        if int(s["left"][kind]) > 0:
            bits |= 1 << kind
    return bits


@compiled
def apply(s: State, r: State, move: int, ev: EventBuffer) -> None:
    """Make a legal move, or a FAULT of the seat to act, and go on to the next question."""
    asked = _answer(s, r, move, ev)
    while not asked:
        asked = _proceed(s, r, ev) or _end_round(s, r, ev)


@compiled
def _answer(s: State, r: State, move: int, ev: EventBuffer) -> bool:
    """What a move does; true if it raises a question."""
    seat, decision, card = int(s["to_act"]), int(s["decision"]), int(s["card"])
    s["card"] = -1
    if decision == DEAL:
        return _deal(s, r, move, ev)
    if move == FAULT:
        _fault(s, r, seat, decision, card, ev)
    elif decision == HIT_OR_STAY:
        if move == HIT:
            return _hit(s, seat, ev)
        leave(s, seat, STAYED)
        emit(ev, events.STAYS, seat, int(s["points"][seat]), 0)
    elif decision == SAVE:
        if move == YES:
            save(s, r, seat, card, ev)
        else:
            _bust(s, seat, card, ev)
    elif decision == ASSIGN:
        assign(s, move - SEAT_0, ev)
    elif card == SECOND_CHANCE:
        give_chance(s, move - SEAT_0, seat, ev)
    else:
        put_on(s, r, card, move - SEAT_0, seat, ev)
    return False


# --- what comes next ---


@compiled
def _proceed(s: State, r: State, ev: EventBuffer) -> bool:
    """Go on until a card is due or somebody must decide; false if the round is over."""
    while True:
        if int(s["active"]) == 0 or int(s["stopped"]) == 1:
            return False
        if int(s["taker"]) >= 0:
            if _take_next(s, r, ev):
                return True
            if int(s["active"]) == 0:
                return False
        if int(s["assigning"]) >= 0:
            asked = assign_next(s, ev)
        elif int(s["waiting"]) > 0:
            asked = resolve_waiting(s, r, ev)
        elif int(s["opened"]) < int(s["seats"]):
            asked = _open_next(s, r, ev)
        else:
            asked = _next_turn(s, r, ev)
        if asked:
            return True


@compiled
def _begin_round(s: State, r: State, ev: EventBuffer) -> None:
    seats = int(s["seats"])
    s["round"] += 1
    s["dealer"] = left_of(s, int(s["dealer"]))
    s["active"] = seats
    s["stopped"] = s["again"] = s["waiting"] = 0
    s["opened"] = 0 if int(r["opening_card"]) else seats
    s["turn"] = s["taker"] = s["assigning"] = -1
    s["to_take"] = s["flipping"] = s["three_hit"] = 0
    for kind in range(KINDS):
        s["discards"][kind] = r["deck"][kind] - s["left"][kind]  # C6: all of the finished round
    for kind in range(KINDS):  # on its own, or compilers for GPUs unroll neither
        s["spent"][kind] = 0
    for seat in range(seats):
        s["status"][seat] = ACTIVE
        s["points"][seat] = s["sum"][seat] = s["numbers"][seat] = s["taken"][seat] = 0
        s["chance"][seat] = s["three"][seat] = 0
        for kind in range(KINDS):
            s["front"][seat, kind] = 0
    emit(ev, events.ROUND_STARTED, int(s["dealer"]), int(s["round"]), 0)


@compiled
def _open_next(s: State, r: State, ev: EventBuffer) -> bool:
    """The next opening card (C11, O1), or the choice to stay instead of it (O9)."""
    seat = int(s["dealer"]) + 1 + int(s["opened"])
    if seat >= int(s["seats"]):
        seat -= int(s["seats"])
    s["opened"] += 1
    if int(s["status"][seat]) != ACTIVE:
        return False
    if int(r["stay_before_opening"]) and int(s["taken"][seat]) > 0 and _may_stay(s, r, seat):
        return ask(s, seat, HIT_OR_STAY, -1)
    take_cards(s, seat, 1)
    return _card_due(s)


@compiled
def _next_turn(s: State, r: State, ev: EventBuffer) -> bool:
    """Pass the turn on, unless the seat in turn decides again (T2)."""
    seat = int(s["turn"])
    if seat < 0:
        seat = int(s["dealer"])
    if not (int(s["again"]) and int(s["status"][seat]) == ACTIVE):
        seat = next_active(s, seat)
    s["again"] = 0
    s["turn"] = seat
    if _may_stay(s, r, seat):
        return ask(s, seat, HIT_OR_STAY, -1)
    return _hit(s, seat, ev)  # the only legal answer is not asked for (C12)


@compiled
def _may_stay(s: State, r: State, seat: int) -> bool:
    """O2: where Stay needs a card, any card in front will do."""
    if not int(r["stay_needs_card"]) or int(s["numbers"][seat]) > 0:
        return True
    cards = 0
    for kind in range(NUMBERS, KINDS):  # all of them, without a branch: on a GPU few threads come here at once
        cards += int(s["front"][seat, kind])
    return cards > 0


# --- taking cards ---


@compiled
def _hit(s: State, seat: int, ev: EventBuffer) -> bool:
    three = int(s["three"][seat])  # A4
    s["three_hit"] = three
    take_cards(s, seat, 3 if three else 1)
    emit(ev, events.HITS, seat, int(s["to_take"]), 0)
    return _card_due(s)


@compiled
def _card_due(s: State) -> bool:
    """Ask the dealer for the taker's first card, unless the deck is empty: then `_take_next` sees to it."""
    return int(s["left_total"]) > 0 and ask(s, DEALER, DEAL, -1)


@compiled
def _take_next(s: State, r: State, ev: EventBuffer) -> bool:
    """Ask the dealer for the taker's next card, or end its taking."""
    seat = int(s["taker"])
    if int(s["to_take"]) > 0 and int(s["status"][seat]) == ACTIVE:
        if int(s["left_total"]) == 0:
            _reshuffle(s, ev)
        if int(s["left_total"]) > 0:
            return ask(s, DEALER, DEAL, -1)
        leave(s, seat, STAYED)  # C7
        emit(ev, events.OUT_OF_CARDS, seat, int(s["points"][seat]), 0)
    s["taker"] = -1
    s["to_take"] = 0
    if int(s["three_hit"]):
        s["three_hit"] = 0
        s["three"][seat] = 0
        s["front"][seat, FLIP_THREE] -= 1
        use_up(s, r, FLIP_THREE)
    if int(s["flipping"]):
        s["flipping"] = 0
        use_up(s, r, FLIP_THREE)
        end_flip(s, r, seat, ev)
    return False


@compiled
def _reshuffle(s: State, ev: EventBuffer) -> None:
    """C6: what may return becomes the new deck."""
    cards = 0
    for kind in range(KINDS):
        s["left"][kind] = s["discards"][kind]
        s["discards"][kind] = 0
        cards += int(s["left"][kind])
    s["left_total"] = cards
    if cards > 0:
        emit(ev, events.RESHUFFLED, -1, cards, 0)


@compiled
def _deal(s: State, r: State, card: int, ev: EventBuffer) -> bool:
    """Give the taker a card; true if that raises a question."""
    seat = int(s["taker"])
    s["left"][card] -= 1
    s["left_total"] -= 1
    s["taken"][seat] += 1
    s["to_take"] -= 1
    emit(ev, events.DEALT, seat, card, 0)
    if card < NUMBERS:
        if int(s["front"][seat, card]) == 0:
            _hold_number(s, r, seat, card, ev)
        elif not int(s["chance"][seat]):
            _bust(s, seat, card, ev)
        elif int(r["save"]) == rules.ASKED:
            return ask(s, seat, SAVE, card)
        else:
            save(s, r, seat, card, ev)
    elif card <= TIMES_2:
        s["points"][seat] += gain(s, seat, card)
        s["front"][seat, card] += 1
    elif card == SECOND_CHANCE:
        return chance_drawn(s, r, seat, ev)
    elif (card == FREEZE and int(r["freeze"]) == rules.FREEZE_TARGETED) or (
        card == FLIP_THREE and int(r["flip_three"]) == rules.FLIP_TARGETED
    ):
        if not int(s["flipping"]):
            return choose_target(s, r, seat, card, ev)
        set_aside(s, seat, card, ev)
    else:
        s["front"][seat, card] += 1
        if card == FLIP_THREE and int(r["flip_three"]) == rules.NEXT_HIT:
            s["three"][seat] = 1
    return False


@compiled
def _hold_number(s: State, r: State, seat: int, card: int, ev: EventBuffer) -> None:
    s["points"][seat] += gain(s, seat, card)
    s["front"][seat, card] = 1
    s["numbers"][seat] += 1
    s["sum"][seat] += card
    if int(s["numbers"][seat]) == FLIP_7:
        s["flip7s"][seat] += 1
        leave(s, seat, FLIPPED_7)
        s["stopped"] = r["flip7_ends_round"]
        emit(ev, events.FLIP_7_MADE, seat, int(s["points"][seat]), 0)


# --- leaving the round ---


@compiled
def _bust(s: State, seat: int, card: int, ev: EventBuffer) -> None:
    s["front"][seat, card] += 1
    bust_out(s, seat)
    emit(ev, events.BUST, seat, card, 0)


@compiled
def _fault(s: State, r: State, seat: int, decision: int, card: int, ev: EventBuffer) -> None:
    """T13: the card in question is gone, and so is a seat that was still in."""
    emit(ev, events.FAULTED, seat, 0, 0)
    if decision == ASSIGN:
        drop_waiting(s, int(s["assigning"]), 1, ev)
    elif card >= 0:
        spend(s, seat, card, ev)
    if int(s["status"][seat]) == ACTIVE:
        bust_out(s, seat)


# --- the end of a round and of the game ---


@compiled
def _end_round(s: State, r: State, ev: EventBuffer) -> bool:
    """Score the round; true if the game is over, or else the next round has begun."""
    _score_round(s, ev)
    if _end_game(s, r, ev):
        return True
    _begin_round(s, r, ev)
    return False


@compiled
def _score_round(s: State, ev: EventBuffer) -> None:
    for seat in range(int(s["seats"])):
        s["last"][seat] = s["points"][seat]
        s["total"][seat] += s["points"][seat]
        emit(ev, events.ROUND_SCORED, seat, int(s["points"][seat]), int(s["total"][seat]))


@compiled
def _end_game(s: State, r: State, ev: EventBuffer) -> bool:
    """C8, C10 and the ways to break a tie (N3): true if the game is over."""
    seats, best, winners = int(s["seats"]), -1, 0
    for seat in range(seats):
        best = max(best, int(s["total"][seat]))
    if best >= int(r["target"]):
        merit = -1
        for seat in range(seats):
            if int(s["total"][seat]) == best:
                claim = _claim(s, r, seat)
                if claim > merit:
                    merit, winners = claim, 0
                if claim == merit:
                    winners |= 1 << seat
    alone = winners & (winners - 1) == 0
    if winners != 0 and (alone or int(r["tie"]) == rules.SHARED):
        s["ended"] = WON if alone else TIED
        for seat in range(seats):
            s["won"][seat] = (winners >> seat) & 1
            if (winners >> seat) & 1:
                emit(ev, events.GAME_WON, seat, best, 0)
        return ask(s, OVER, DEAL, -1)
    if int(s["round"]) >= int(r["max_rounds"]):
        s["ended"] = CUT
        emit(ev, events.CUT_SHORT, -1, 0, 0)
        return ask(s, OVER, DEAL, -1)
    return False


@compiled
def _claim(s: State, r: State, seat: int) -> int:
    """How a tied leader fares in the tie-break: the highest claim wins."""
    if int(r["tie"]) == rules.MOST_FLIP7:
        return int(s["flip7s"][seat])
    if int(r["tie"]) == rules.COMEBACK:
        return int(s["last"][seat])  # the most in the last round had the least before it
    return 0


# --- for those who play and count ---


@compiled
def where(s: State) -> int:
    """The place of the next card: round, seat, and which of that seat's cards it is."""
    seat = int(s["taker"])
    return (int(s["round"]) << 32) | (seat << 24) | int(s["taken"][seat])


@compiled
def observe(s: State, r: State, seat: int, view: State) -> State:
    """Everything on this table is open: the view is the state."""
    return s


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


STEP = Step(start, legal, apply, where, observe, tally)
PARTS = StepParts(_answer, _proceed, _end_round)

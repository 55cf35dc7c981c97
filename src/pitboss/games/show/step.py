"""The rule book of Show: `start`, `legal`, `apply`, and what a seat may know of it.

Chance is a player: each opening card and each draw is a dealer's move, and the card is its number.
Every player's decision has the answers 0 and 1. Numbers in brackets name the paragraphs of the rules.
"""

from __future__ import annotations

from pitboss.core.compile import compiled
from pitboss.core.events import emit
from pitboss.core.step import DEALER, FAULT, OUTRIGHT, OVER, RUNNING, SHARE, SHARED_WIN, TIED, WON, Step, column_numbers
from pitboss.core.types import Array, EventBuffer
from pitboss.games.show import events
from pitboss.games.show.cards import CARDS, JACK, KING, PLACES, POINTS, QUEEN, RANK, SLOTS, TEN
from pitboss.games.show.rules import THOUSAND
from pitboss.games.show.state import (
    CALL_1,
    CALL_2,
    DEAL,
    KEEP,
    KEEP_OR_DISCARD,
    LOOK_OTHER,
    LOOK_OWN,
    PEEK_1,
    PEEK_2,
    PLAYERS,
    SWAP_OR_LEAVE,
    SWAP_OTHER,
    SWAP_OWN,
    UNKNOWN,
    USE_POWER,
    WHICH_SLOT,
    YES,
    State,
)

COLUMNS = ("payoff", "turns", "calls", "calls_won", "deck_outs", "points")  # of tally
PAYOFF, TURNS, CALLS, CALLS_WON, DECK_OUTS, HAND_POINTS = column_numbers(COLUMNS)

# --- the three questions anyone may ask of a rule book ---


@compiled
def start(s: State, r: State, seats: int, ev: EventBuffer) -> None:
    """A new game: the first card is due."""
    s["seats"] = seats
    s["ended"] = RUNNING
    s["caller"] = -1
    s["player"] = s["last_turn"] = s["dealt"] = s["drawn"] = s["power"] = s["grave_size"] = s["deck_out"] = 0
    s["own_slot"] = s["other_slot"] = 0
    cards = 0
    for card in range(PLACES):
        s["left"][card] = r["deck"][card]
        cards += int(r["deck"][card])
    s["left_total"] = cards
    for player in range(PLAYERS):
        s["turns"][player] = s["payoff"][player] = s["points"][player] = 0
        for slot in range(SLOTS):
            s["hand"][player, slot] = s["knows"][0, player, slot] = s["knows"][1, player, slot] = 0
    _ask(s, DEALER, DEAL)


@compiled
def legal(s: State, r: State) -> int:
    """The legal moves as bits: 0 and 1 for a player, any card left for the dealer."""
    if int(s["to_act"]) == OVER:
        return 0
    if int(s["decision"]) != DEAL:
        return 0b11
    bits = 0
    for card in range(1, PLACES):
        if int(s["left"][card]) > 0:
            bits |= 1 << card
    return bits


@compiled
def apply(s: State, r: State, move: int, ev: EventBuffer) -> None:
    """Make a legal move, or a FAULT of the player to act, and go on to the next question."""
    seat, decision = int(s["to_act"]), int(s["decision"])
    if decision == DEAL:
        _deal(s, move, ev)
    elif move == FAULT:
        emit(ev, events.FAULTED, seat, 0, 0)
        _finish(s, -THOUSAND if seat == 0 else THOUSAND)  # H21
    elif decision == KEEP_OR_DISCARD:
        _keep_or_discard(s, r, seat, move, ev)
    elif decision == WHICH_SLOT:
        _replace(s, r, seat, move, ev)
    elif decision == CALL_1 or decision == CALL_2:
        _call(s, r, seat, move, ev)
    elif decision == PEEK_1 or decision == PEEK_2:
        _look(s, seat, seat, move)
        emit(ev, events.PEEKED, seat, move, int(s["hand"][seat, move]))
        if seat == 0:
            _ask(s, 1, PEEK_2)
        else:
            _begin_turn(s, r, 0, ev)
    else:
        _power(s, r, seat, decision, move, ev)


@compiled
def _ask(s: State, who: int, decision: int) -> None:
    s["to_act"] = who
    s["decision"] = decision


@compiled
def _look(s: State, seat: int, owner: int, slot: int) -> None:
    s["knows"][seat, owner, slot] = 1


# --- cards that come, and where they go ---


@compiled
def _deal(s: State, card: int, ev: EventBuffer) -> None:
    s["left"][card] -= 1
    s["left_total"] -= 1
    dealt = int(s["dealt"])
    if dealt < PLAYERS * SLOTS:  # H3: alternately
        s["hand"][dealt % PLAYERS, dealt // PLAYERS] = card
        s["dealt"] = dealt + 1
        emit(ev, events.DEALT, dealt % PLAYERS, dealt // PLAYERS, card)
        if dealt + 1 == PLAYERS * SLOTS:
            _ask(s, 0, PEEK_1)  # H4
    else:
        seat = int(s["player"])
        s["drawn"] = card
        emit(ev, events.DREW, seat, card, 0)
        _ask(s, seat, KEEP_OR_DISCARD)


@compiled
def _begin_turn(s: State, r: State, seat: int, ev: EventBuffer) -> None:
    """H5, unless the pile is empty (H16)."""
    if int(s["left_total"]) == 0:
        s["deck_out"] = 1
        emit(ev, events.DECK_OUT, -1, 0, 0)
        if int(s["caller"]) >= 0:
            _show(s, r, ev)
        else:
            emit(ev, events.TIED, -1, 0, 0)
            _finish(s, 0)
        return
    s["player"] = seat
    s["turns"][seat] += 1
    _ask(s, DEALER, DEAL)


@compiled
def _bury(s: State, card: int) -> None:
    """H8: the graveyard is public, in order."""
    s["grave"][int(s["grave_size"])] = card
    s["grave_size"] += 1


@compiled
def _keep_or_discard(s: State, r: State, seat: int, move: int, ev: EventBuffer) -> None:
    if move == KEEP:
        _ask(s, seat, WHICH_SLOT)
        return
    card = int(s["drawn"])
    s["drawn"] = 0
    _bury(s, card)
    emit(ev, events.DISCARDED, seat, card, 0)
    _offer(s, r, seat, card, ev)


@compiled
def _replace(s: State, r: State, seat: int, slot: int, ev: EventBuffer) -> None:
    """H6: what the opponent knew of that slot is void."""
    old = int(s["hand"][seat, slot])
    s["hand"][seat, slot] = s["drawn"]
    s["drawn"] = 0
    s["knows"][seat, seat, slot] = 1
    s["knows"][1 - seat, seat, slot] = 0
    _bury(s, old)
    emit(ev, events.KEPT, seat, slot, 0)
    emit(ev, events.REPLACED, seat, old, 0)
    if int(r["power_on_replace"]):
        _offer(s, r, seat, old, ev)
    else:
        _end_turn(s, r, seat, ev)


# --- powers ---


@compiled
def _offer(s: State, r: State, seat: int, card: int, ev: EventBuffer) -> None:
    """H9: offer the power of a card that went to the graveyard, if it has one that is on."""
    rank = int(RANK[card])
    on = (
        (rank == TEN and int(r["ten"]))
        or (rank == JACK and int(r["jack"]))
        or (rank == QUEEN and int(r["queen"]))
        or (rank == KING and int(r["king"]))
    )
    if int(s["last_turn"]) and not int(r["powers_in_last_turn"]):
        on = False
    if int(s["caller"]) == 1 - seat and int(r["caller_locked"]) and rank >= QUEEN:
        on = False
    if on:
        s["power"] = rank
        _ask(s, seat, USE_POWER)
    else:
        _end_turn(s, r, seat, ev)


@compiled
def _power(s: State, r: State, seat: int, decision: int, move: int, ev: EventBuffer) -> None:
    """H10 to H12, one answer at a time."""
    other, rank = 1 - seat, int(s["power"])
    if decision == USE_POWER:
        if move == YES:
            emit(ev, events.POWER, seat, int(s["grave"][int(s["grave_size"]) - 1]), 0)
            _ask(s, seat, LOOK_OWN if rank == TEN else LOOK_OTHER if rank == JACK else SWAP_OWN)
            return
    elif decision == LOOK_OWN:
        _look(s, seat, seat, move)
        emit(ev, events.LOOKED, seat, move, int(s["hand"][seat, move]))
    elif decision == LOOK_OTHER:
        _look(s, seat, other, move)
        emit(ev, events.LOOKED_ACROSS, seat, move, int(s["hand"][other, move]))
    elif decision == SWAP_OWN:
        s["own_slot"] = move
        _ask(s, seat, SWAP_OTHER)
        return
    elif decision == SWAP_OTHER:
        s["other_slot"] = move
        if rank == KING:
            own = int(s["own_slot"])
            _look(s, seat, seat, own)
            _look(s, seat, other, move)
            emit(ev, events.LOOKED, seat, own, int(s["hand"][seat, own]))
            emit(ev, events.LOOKED_ACROSS, seat, move, int(s["hand"][other, move]))
            _ask(s, seat, SWAP_OR_LEAVE)
            return
        _swap(s, seat, ev)
    elif move == YES:
        _swap(s, seat, ev)
    else:
        emit(ev, events.LEFT_ALONE, seat, 0, 0)
    _end_turn(s, r, seat, ev)


@compiled
def _swap(s: State, seat: int, ev: EventBuffer) -> None:
    """H11: the cards change places, and what anybody knows of them goes along."""
    other, mine, theirs = 1 - seat, int(s["own_slot"]), int(s["other_slot"])
    card = int(s["hand"][seat, mine])
    s["hand"][seat, mine] = s["hand"][other, theirs]
    s["hand"][other, theirs] = card
    for viewer in range(PLAYERS):
        known = int(s["knows"][viewer, seat, mine])
        s["knows"][viewer, seat, mine] = s["knows"][viewer, other, theirs]
        s["knows"][viewer, other, theirs] = known
    emit(ev, events.SWAPPED, seat, mine, theirs)


# --- calling, and the end ---


@compiled
def _end_turn(s: State, r: State, seat: int, ev: EventBuffer) -> None:
    """H13 and H15: a chance to call, if allowed; then the other player's turn."""
    s["power"] = 0
    if int(s["last_turn"]):
        _show(s, r, ev)
    elif int(s["turns"][seat]) >= int(r["call_from_turn"]):
        _ask(s, seat, CALL_1 if seat == 0 else CALL_2)
    else:
        _begin_turn(s, r, 1 - seat, ev)


@compiled
def _call(s: State, r: State, seat: int, move: int, ev: EventBuffer) -> None:
    """H14."""
    if move != YES:
        emit(ev, events.PLAYS_ON, seat, 0, 0)
        _begin_turn(s, r, 1 - seat, ev)
        return
    s["caller"] = seat
    emit(ev, events.CALLED, seat, 0, 0)
    if int(r["last_turn_after_p1"]) if seat == 0 else int(r["last_turn_after_p2"]):
        s["last_turn"] = 1
        emit(ev, events.LAST_TURN, 1 - seat, 0, 0)
        _begin_turn(s, r, 1 - seat, ev)
    else:
        _show(s, r, ev)


@compiled
def _show(s: State, r: State, ev: EventBuffer) -> None:
    """H17: the lower total wins; a caller who does not win may have to pay."""
    for player in range(PLAYERS):
        first, second = int(s["hand"][player, 0]), int(s["hand"][player, 1])
        s["points"][player] = int(POINTS[first]) + int(POINTS[second])
        emit(ev, events.SHOWN, player, first, second)
        for slot in range(SLOTS):
            _look(s, 0, player, slot)
            _look(s, 1, player, slot)
    mine, theirs = int(s["points"][0]), int(s["points"][1])
    if mine == theirs:
        emit(ev, events.TIED, -1, mine, 1)
    else:
        emit(ev, events.WON, 0 if mine < theirs else 1, min(mine, theirs), max(mine, theirs))
    _finish(s, THOUSAND if mine < theirs else -THOUSAND if mine > theirs else 0)
    for player in range(PLAYERS):
        if int(s["caller"]) == player and int(s["payoff"][player]) <= 0:
            penalty = int(r["call_penalty"]) if mine != theirs else int(r["call_penalty"]) // 2
            s["payoff"][player] -= penalty
            s["payoff"][1 - player] += penalty


@compiled
def _finish(s: State, payoff: int) -> None:
    """The game is over; the payoff is Player 1's."""
    s["payoff"][0] = payoff
    s["payoff"][1] = -payoff
    s["ended"] = TIED if payoff == 0 else WON
    _ask(s, OVER, DEAL)


# --- for those who play and count ---


@compiled
def where(s: State) -> int:
    """The place of the next card: an opening card, or a draw by its player and turn."""
    dealt = int(s["dealt"])
    if dealt < PLAYERS * SLOTS:
        return dealt
    seat = int(s["player"])
    return (int(s["turns"][seat]) << 32) | (seat << 24)


@compiled
def observe(s: State, r: State, seat: int, v: State) -> State:
    """H19: what a seat may know, and nothing else."""
    other = 1 - seat
    v["to_act"] = s["to_act"]
    v["decision"] = s["decision"]
    v["seat"] = seat
    v["player"] = s["player"]
    v["caller"] = s["caller"]
    v["last_turn"] = s["last_turn"]
    v["power"] = s["power"]
    v["own_slot"] = s["own_slot"]
    v["other_slot"] = s["other_slot"]
    v["dealt"] = s["dealt"]
    v["deck_out"] = s["deck_out"]
    v["left_total"] = s["left_total"]
    v["grave_size"] = s["grave_size"]
    v["ended"] = s["ended"]
    for card in range(PLACES):
        v["unseen"][card] = r["deck"][card]
    size = int(s["grave_size"])
    for i in range(CARDS):
        v["grave"][i] = s["grave"][i] if i < size else 0
    for i in range(size):
        v["unseen"][int(s["grave"][i])] -= 1
    v["drawn"] = UNKNOWN
    if int(s["drawn"]) > 0 and int(s["player"]) == seat:
        v["drawn"] = s["drawn"]
        v["unseen"][int(s["drawn"])] -= 1
    for slot in range(SLOTS):
        v["own"][slot] = v["other"][slot] = UNKNOWN
        if int(s["knows"][seat, seat, slot]):
            v["own"][slot] = s["hand"][seat, slot]
            v["unseen"][int(s["hand"][seat, slot])] -= 1
        if int(s["knows"][seat, other, slot]):
            v["other"][slot] = s["hand"][other, slot]
            v["unseen"][int(s["hand"][other, slot])] -= 1
        v["own_known_to_other"][slot] = s["knows"][other, seat, slot]
        v["other_known_to_other"][slot] = s["knows"][other, other, slot]
    for player in range(PLAYERS):
        v["turns"][player] = s["turns"][player]
        v["payoff"][player] = s["payoff"][player]
        v["points"][player] = s["points"][player]
    return v


@compiled
def tally(s: State, rows: Array) -> None:
    """Wins, then `COLUMNS`: a row for each seat."""
    tied = int(s["ended"]) == TIED
    for seat in range(PLAYERS):
        won = not tied and int(s["payoff"][seat]) > 0
        called = int(s["caller"]) == seat
        rows[seat, OUTRIGHT] = 1 if won else 0
        rows[seat, SHARED_WIN] = 1 if tied else 0
        rows[seat, SHARE] = 0.5 if tied else 1.0 if won else 0.0
        rows[seat, PAYOFF] = int(s["payoff"][seat]) / THOUSAND
        rows[seat, TURNS] = int(s["turns"][0]) + int(s["turns"][1])
        rows[seat, CALLS] = 1 if called else 0
        rows[seat, CALLS_WON] = 1 if called and won else 0
        rows[seat, DECK_OUTS] = int(s["deck_out"])
        rows[seat, HAND_POINTS] = int(s["points"][seat])


STEP = Step(start, legal, apply, where, observe, tally)

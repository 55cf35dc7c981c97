"""Worlds that a seat cannot tell from the real one: made from its view, never from the state."""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.keys import draw
from pitboss.core.splitmix import luck_bits, next_luck
from pitboss.games.show.cards import CARDS, PLACES, SLOTS
from pitboss.games.show.state import PLAYERS, UNKNOWN, State
from pitboss.games.show.view import NOTE


@compiled
def imagine(v: State, r: State, s: State, luck: np.uint64) -> None:
    """Fill the state `s` with a world that fits the view: what the seat has not seen is dealt anew, all
    ways equally likely, to the places that it cannot see."""
    seat = int(v["seat"])
    other = 1 - seat
    s["to_act"] = v["to_act"]
    s["decision"] = v["decision"]
    s["seats"] = PLAYERS
    s["ended"] = v["ended"]
    s["player"] = v["player"]
    s["caller"] = v["caller"]
    s["last_turn"] = v["last_turn"]
    s["dealt"] = v["dealt"]
    s["power"] = v["power"]
    s["own_slot"] = v["own_slot"]
    s["other_slot"] = v["other_slot"]
    s["grave_size"] = v["grave_size"]
    s["deck_out"] = v["deck_out"]
    for i in range(CARDS):
        s["grave"][i] = v["grave"][i]
    for player in range(PLAYERS):
        s["turns"][player] = v["turns"][player]
        s["payoff"][player] = v["payoff"][player]
        s["points"][player] = v["points"][player]
        for place in range(NOTE):
            s["notes"][player, place] = v["notes"][player, place]
    total = 0
    for card in range(PLACES):
        s["left"][card] = v["unseen"][card]
        total += int(v["unseen"][card])
    s["left_total"] = total
    for slot in range(SLOTS):
        s["knows"][seat, seat, slot] = 1 if int(v["own"][slot]) != UNKNOWN else 0
        s["knows"][seat, other, slot] = 1 if int(v["other"][slot]) != UNKNOWN else 0
        s["knows"][other, seat, slot] = v["own_known_to_other"][slot]
        s["knows"][other, other, slot] = v["other_known_to_other"][slot]
        for owner in range(PLAYERS):
            s["hand"][owner, slot] = 0
            card = int(v["own"][slot]) if owner == seat else int(v["other"][slot])
            if card != UNKNOWN:
                s["hand"][owner, slot] = card
            elif slot * PLAYERS + owner < int(v["dealt"]):
                luck = next_luck(luck)
                s["hand"][owner, slot] = _take(s, luck)
    s["drawn"] = 0
    if int(v["drawn"]) != UNKNOWN:
        s["drawn"] = v["drawn"]
    elif int(s["left_total"]) > int(v["left_total"]):  # the opponent holds a card that it has drawn
        s["drawn"] = _take(s, next_luck(luck))


@compiled
def _take(s: State, luck: np.uint64) -> int:
    card = draw(s["left"], int(s["left_total"]), luck_bits(luck))
    s["left"][card] -= 1
    s["left_total"] -= 1
    return card

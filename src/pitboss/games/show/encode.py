"""Show for learning agents: views as rows of numbers, actions, rewards.

`tensor` is the five numbers of the rules (H20), `rich` what lies on the table, and `features` the same as a network
likes it: cards by their points, questions by places that are 0 or 1. `complete` forgets nothing: what a seat has seen
at its decisions, in order, is all that it was ever told.
"""

from __future__ import annotations

import numpy as np

from pitboss.core.compile import compiled
from pitboss.core.learning import Encoding, Field, Learning, Stakes, same_move, whole_game
from pitboss.core.step import RUNNING, TIED
from pitboss.core.types import Array, Ints
from pitboss.games.show.cards import CARDS, KING, LEAST_POINTS, MOST_POINTS, PLACES, POINTS, SLOTS, TEN
from pitboss.games.show.rules import THOUSAND, ShowRules
from pitboss.games.show.state import PEEK_1, PLAYERS, SWAP_OR_LEAVE, UNKNOWN, State
from pitboss.games.show.view import NOTE, ShowView

PAYOFF, WIN = 0, 1  # rewards

_CARD = (float(UNKNOWN), float(CARDS))


@compiled
def write_tensor(v: State, r: State, seat: int, out: Array) -> None:
    """The five numbers of H20."""
    for slot in range(SLOTS):
        out[slot] = v["own"][slot]
        out[SLOTS + slot] = v["other"][slot]
    out[2 * SLOTS] = v["decision"]


def tensor_layout(rules: ShowRules, seats: int) -> tuple[Field, ...]:
    """What `write_tensor` writes; while nobody decides, the code is 0."""
    return Field("own", SLOTS, *_CARD), Field("other", SLOTS, *_CARD), Field("decision", 1, 0, SWAP_OR_LEAVE)


@compiled
def write_rich(v: State, r: State, seat: int, out: Array) -> None:
    """The tensor, and everything else but the order of the graveyard."""
    write_tensor(v, r, seat, out)
    out[5] = v["drawn"]
    for slot in range(SLOTS):
        out[6 + slot] = v["own_known_to_other"][slot]
        out[8 + slot] = v["other_known_to_other"][slot]
        out[10 + slot] = v["turns"][slot]
    out[12] = v["caller"]
    out[13] = v["last_turn"]
    out[14] = v["left_total"]
    for card in range(PLACES):
        out[15 + card] = 0
        out[15 + PLACES + card] = v["unseen"][card]
    for i in range(int(v["grave_size"])):
        out[15 + int(v["grave"][i])] += 1
    at = 15 + 2 * PLACES
    out[at] = v["power"]
    out[at + 1] = v["own_slot"]
    out[at + 2] = v["other_slot"]


def rich_layout(rules: ShowRules, seats: int) -> tuple[Field, ...]:
    """What `write_rich` writes; a small deck may have a card several times."""
    copies = float(np.bincount(rules.cards).max())
    return (
        *tensor_layout(rules, seats),
        Field("drawn", 1, *_CARD),
        Field("own_known_to_other", SLOTS, 0, 1),
        Field("other_known_to_other", SLOTS, 0, 1),
        Field("turns", PLAYERS, 0, CARDS),
        Field("caller", 1, -1, 1),
        Field("last_turn", 1, 0, 1),
        Field("cards_left", 1, 0, CARDS),
        Field("graveyard", PLACES, 0, copies),
        Field("unseen", PLACES, 0, copies),
        Field("power", 1, 0, KING),
        Field("own_slot", 1, 0, 1),
        Field("other_slot", 1, 0, 1),
    )


QUESTIONS = SWAP_OR_LEAVE + 1 - PEEK_1
POWERS = KING + 1 - TEN


@compiled
def write_features(v: State, r: State, seat: int, out: Array) -> None:
    """Everything from the seat's own side: itself first, its opponent second."""
    other, at = 1 - seat, 0
    for question in range(PEEK_1, SWAP_OR_LEAVE + 1):
        out[at] = 1 if int(v["decision"]) == question else 0
        at += 1
    unseen, points = 0, 0
    for card in range(1, PLACES):
        unseen += int(v["unseen"][card])
        points += int(v["unseen"][card]) * int(POINTS[card])
    mean = points / unseen if unseen else 0.0
    for slot in range(SLOTS):
        at = _card(int(v["own"][slot]), mean, out, at)
        out[at] = v["own_known_to_other"][slot]
        at = _card(int(v["other"][slot]), mean, out, at + 1)
        out[at] = v["other_known_to_other"][slot]
        at += 1
    at = _card(int(v["drawn"]), mean, out, at)
    for rank in range(TEN, KING + 1):
        out[at] = 1 if int(v["power"]) == rank else 0
        at += 1
    out[at] = mean
    out[at + 1] = v["turns"][seat]
    out[at + 2] = v["turns"][other]
    out[at + 3] = 1 if int(v["caller"]) == seat else 0
    out[at + 4] = 1 if int(v["caller"]) == other else 0
    out[at + 5] = v["last_turn"]
    out[at + 6] = v["left_total"]
    out[at + 7] = seat
    out[at + 8] = v["own_slot"]
    out[at + 9] = v["other_slot"]


@compiled
def _card(card: int, mean: float, out: Array, at: int) -> int:
    """Whether a card is known, and its points, on average if it is not."""
    out[at] = 1 if card > 0 else 0
    out[at + 1] = float(POINTS[card]) if card > 0 else mean
    return at + 2


def features_layout(rules: ShowRules, seats: int) -> tuple[Field, ...]:
    """What `write_features` writes."""
    points = (LEAST_POINTS, MOST_POINTS)
    places = [
        field
        for slot in range(SLOTS)
        for who in ("own", "other")
        for field in (
            Field(f"{who} {slot} known", 1, 0, 1),
            Field(f"{who} {slot} points", 1, *points),
            Field(f"{who} {slot} known to opponent", 1, 0, 1),
        )
    ]
    return (
        Field("question", QUESTIONS, 0, 1),
        *places,
        Field("drawn known", 1, 0, 1),
        Field("drawn points", 1, *points),
        Field("power", POWERS, 0, 1),
        Field("unseen mean", 1, *points),
        Field("turns", PLAYERS, 0, CARDS),
        Field("called", PLAYERS, 0, 1),
        Field("last_turn", 1, 0, 1),
        Field("cards_left", 1, 0, CARDS),
        Field("seat", 1, 0, 1),
        Field("own_slot", 1, 0, 1),
        Field("other_slot", 1, 0, 1),
    )


@compiled
def write_complete(v: State, r: State, seat: int, out: Array) -> None:
    """The features, the cards by their numbers, the latest turns, the graveyard, and what is unseen."""
    write_features(v, r, seat, out)
    at = FEATURES
    for slot in range(SLOTS):
        out[at + slot] = v["own"][slot]
        out[at + SLOTS + slot] = v["other"][slot]
    out[at + 2 * SLOTS] = v["drawn"]
    at += 2 * SLOTS + 1
    for player in range(PLAYERS):
        for place in range(NOTE):
            out[at] = v["notes"][seat if player == 0 else 1 - seat, place]
            at += 1
    for card in range(PLACES):
        out[at + card] = 0
        out[at + PLACES + card] = v["unseen"][card]
    for i in range(int(v["grave_size"])):
        out[at + int(v["grave"][i])] += 1


def complete_layout(rules: ShowRules, seats: int) -> tuple[Field, ...]:
    """What `write_complete` writes."""
    copies = float(np.bincount(rules.cards).max())
    turns = [
        field
        for who in ("own", "opponent's")
        for field in (
            Field(f"{who} latest draw", 1, 0, 3, "0 none, 1 discarded, 2 or 3 kept in slot 0 or 1"),
            Field(f"{who} latest power", 1, 0, KING, "the rank whose power was used, or 0"),
            Field(f"{who} latest own slot", 1, 0, SLOTS, "of its own, looked at or exchanged, counted from 1"),
            Field(f"{who} latest other slot", 1, 0, SLOTS, "across, looked at or exchanged, counted from 1"),
            Field(f"{who} latest exchange", 1, 0, 2, "0 none, 1 exchanged, 2 left alone"),
        )
    ]
    return (
        *features_layout(rules, seats),
        Field("own cards", SLOTS, *_CARD, "card numbers, -1 for unknown"),
        Field("other cards", SLOTS, *_CARD, "card numbers, -1 for unknown"),
        Field("drawn card", 1, *_CARD, "a card number, -1 for none"),
        *turns,
        Field("graveyard", PLACES, 0, copies, "how many of each card were discarded"),
        Field("unseen", PLACES, 0, copies, "how many of each card the seat has not seen"),
    )


FEATURES = sum(field.size for field in features_layout(ShowRules(), PLAYERS))


def two_actions(rules: ShowRules, seats: int) -> int:
    """Every decision has two answers."""
    return 2


@compiled
def legal_in_view(v: State, r: State) -> int:
    """Both, whatever is asked."""
    return 0b11 if int(v["to_act"]) >= 0 else 0


@compiled
def worth(s: State, r: State, seat: int, reward: int) -> float:
    """The payoff with its penalty, or the share of the win, once the game is over."""
    if int(s["ended"]) == RUNNING:
        return 0.0
    payoff = int(s["payoff"][seat])
    if reward == PAYOFF:
        return payoff / THOUSAND
    return 0.5 if int(s["ended"]) == TIED else 1.0 if payoff > 0 else 0.0


def stakes(rules: ShowRules, seats: int) -> Stakes:
    """A win, and what a caller may have to pay; a turn has six decisions at most, and there is a first look."""
    most = 1.0 + rules.call_penalty
    return Stakes("payoff", -most, most, PLAYERS + 6 * len(rules.cards))


LEARNING = Learning(
    encodings={
        "features": Encoding("what lies on the table, cards by their points", write_features, features_layout),
        "tensor": Encoding("the five numbers of the rules (H20)", write_tensor, tensor_layout, np.int64),
        "rich": Encoding("what lies on the table, cards by their numbers", write_rich, rich_layout, np.int64),
        "complete": Encoding(
            "features, and all else that a seat has seen since its last decision", write_complete, complete_layout
        ),
    },
    actions=two_actions,
    move_of=same_move,
    legal=legal_in_view,
    rewards=("payoff", "win"),
    worth=worth,
    episodes=("game",),
    part=whole_game,
    stakes=stakes,
)

RICH_SIZE = sum(field.size for field in rich_layout(ShowRules(), PLAYERS))


def tensor(view: ShowView) -> Ints:
    """`[card_1, card_2, opp_card_1, opp_card_2, code]`: card numbers, -1 for unknown.

    It has no place for the drawn card, so an agent that sees nothing else is half blind: see `rich`.
    """
    return np.array([*view.own, *view.other, view.decision], np.int64)


def rich(view: ShowView) -> Ints:
    """What lies on the table, but for the order of the graveyard: the tensor, the drawn card, who knows which
    slot, turns, the caller, whether this turn is the last, cards left, for every card how many are in the
    graveyard and how many unseen, the power in question, and the slots chosen for an exchange."""
    out = np.zeros(RICH_SIZE, np.int64)
    write_rich(view.record, view.game.record[0], view.seat, out)
    return out

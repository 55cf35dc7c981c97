"""The rest of one player's round, exactly: what a card is worth, and best play after it.

What other players do in the meantime is left out, and so are actions: the round is played as if this player took all
further cards, and alone, modifiers fall on it. If the deck runs out, all cards that do not lie there are shuffled (V7),
and the round goes on; a third deck in one round is left out.

`pitboss solve vengeance:solo --seats 1` prints the best round from a full deck.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pitboss.core.analysis import Problem, Progress, Report, Solution
from pitboss.core.errors import PitbossError
from pitboss.core.types import Data, Ints
from pitboss.games.vengeance.cards import HALF, LINE, MINUS_2, SEVEN, UNLUCKY_7
from pitboss.games.vengeance.game import Vengeance
from pitboss.games.vengeance.solver.hands import (
    MOST_POINTS,
    SETS,
    SIZE,
    SUM,
    cards_of,
    free_places,
    hands_of,
    settle,
    unlucky,
)


@dataclass(frozen=True)
class LoneRound:
    """The answer for one line and one deck."""

    hit: float  # what another card is worth, and best play after it
    stay: float
    cards: int  # that the next one is drawn from


def lone_round(game: Vengeance, line: int, twin: int, left: Ints, progress: Progress | None = None) -> LoneRound:
    """What a card and staying are worth in points, with the line (bits of kinds) of a seat and this deck by kind.

    >>> from pitboss import load
    >>> game = load("vengeance:solo")
    >>> round(lone_round(game, 1 << 12, 0, np.array([2 if kind in (5, 12) else 0 for kind in range(27)])).hit, 3)
    8.5
    """
    first = _first_deck(game, line, twin, left)
    if first.cards == 0:  # the next card comes from a new deck
        first = _first_deck(game, line, twin, _new_deck(game, line, twin))
    if first.cards == 0:
        return LoneRound(first.stay, first.stay, 0)
    return _solved(game, line, twin, first.left, progress, again=True)


@dataclass(frozen=True)
class _Start:
    left: Ints
    cards: int
    stay: float


def _first_deck(game: Vengeance, line: int, twin: int, left: Ints) -> _Start:
    """The cards that count: numbers, and modifiers if they fall on the player."""
    counted = np.array(left, np.int64)
    counted[(MINUS_2 if not game.rules.solo else LINE) :] = 0
    hands = hands_of(game.record[0], counted, line, twin, np.zeros(0, np.int64))
    return _Start(counted, int(counted.sum()), 0.0 if line & 1 else float(hands.stay[0, SUM[hands.held]]))


def _new_deck(game: Vengeance, line: int, twin: int) -> Ints:
    """All cards that do not lie in the line."""
    deck = np.array(game.record[0]["deck"], np.int64)
    deck[:LINE] -= [(line >> kind & 1) + (twin >> kind & 1) for kind in range(LINE)]
    return deck


def _solved(
    game: Vengeance, line: int, twin: int, left: Ints, progress: Progress | None = None, *, again: bool = False
) -> LoneRound:
    """The same from a deck that is not empty; `again` if it may run out, and a new one be shuffled."""
    r, deck = game.record[0], left[:MINUS_2].copy()
    kinds = np.array([kind for kind in range(MINUS_2, HALF + 1) for _ in range(int(left[kind]))], np.int64)
    h = hands_of(r, deck, line, twin, kinds)
    free, cards = int(free_places(h)), int(cards_of(h))
    small = again and cards <= int(SIZE[free]) + len(kinds) + 1  # the whole deck can lie in the hand
    if small and not deck[UNLUCKY_7]:
        h = h._replace(end=_end(game, line, twin, free, kinds))
    values = np.full((SETS, len(h.stay)), MOST_POINTS)
    if deck[UNLUCKY_7]:
        settle(h, values)
        for column in range(len(h.stay)):  # by the modifiers drawn before the Unlucky 7, which it throws away
            rest = np.array([kind for i, kind in enumerate(kinds) if not column >> i & 1], np.int64)
            after, ends = hands_of(r, deck, 1 << UNLUCKY_7, 0, rest), np.zeros(SETS)
            if small:
                for drawn in range(free + 1):
                    if drawn & free == drawn:
                        ends[drawn] = _end(game, 1 << UNLUCKY_7, 0, free & ~drawn & ~(1 << SEVEN), rest)
            unlucky(h, after, column, ends, values)
            if progress:
                progress(column + 1, len(h.stay))
    hit = float(settle(h, values))
    stay = 0.0 if line & 1 else float(h.stay[0, SUM[h.held]])
    return LoneRound(hit, stay, cards)


def _end(game: Vengeance, line: int, twin: int, drawn: int, kinds: Ints) -> float:
    """What a card is worth when these places and modifiers have come into the line and the deck is empty."""
    for place in range(15):
        if drawn >> place & 1:
            line |= 1 << (place if place < UNLUCKY_7 else place + 1)
    for kind in kinds.tolist():
        twin |= line & 1 << kind
        line |= 1 << kind
    start = _first_deck(game, line, twin, _new_deck(game, line, twin))
    return _solved(game, line, twin, start.left).hit if start.cards else start.stay


# --- the best round from a full deck ---


@dataclass(frozen=True)
class BestLoneRound(Solution):
    """The most points of a round, on average, for one who plays alone."""

    game: str
    value: float
    modifiers: bool

    def report(self) -> Report:
        burden = ", modifiers fall on the player" if self.modifiers else ""
        return [
            f", one player, a fresh deck{burden}",
            f"Points of a round under best play: {self.value:.7f} on average (exact)",
        ]

    def to_dict(self) -> Data:
        return {"kind": "round", "game": self.game, "seats": 1, "objective": "points", "value": self.value}


def solve(game: Vengeance, problem: Problem, progress: Progress | None = None) -> Solution | None:
    """The best round of a lone player; None where nothing is known but for small trees."""
    rules = game.rules
    if not rules.solo or problem.seats not in (None, 1):
        return None
    if problem.objective not in (None, "points") or problem.against is not None:
        raise PitbossError("one player of vengeance has one objective here, points: leave `against` out")
    if rules.actions or rules.copies > 1:
        raise PitbossError(
            f"the best round of {game} is not known: it is without actions and with one deck; "
            "solve vengeance:solo, or with modifiers vengeance:solo(modifiers=true)"
        )
    found = lone_round(game, 0, 0, np.array(rules.deck), progress)
    return BestLoneRound(str(game), found.hit, bool(rules.modifiers))

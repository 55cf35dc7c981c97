"""What can be entered at a table that is followed, as things to tap: cards, moves, players."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.core.scene import Face
from pitboss.core.step import DEALER
from pitboss.games.flip7.cards import TEXT
from pitboss.games.flip7.companion import LiveTable
from pitboss.games.flip7.moves import STAY, Move
from pitboss.games.flip7.scene import face
from pitboss.games.flip7.view import Decision, View


@dataclass(frozen=True)
class CardTap:
    """A card of the deck: how many are left, how likely it comes next, and what it would do to who gets it."""

    entry: str
    face: Face
    left: int
    chance: float
    harm: str


@dataclass(frozen=True)
class WordTap:
    """Anything else: a stay, a player, yes or no."""

    entry: str
    text: str
    about: str  # "move", "player", or "table" for what concerns all


def card_taps(table: LiveTable) -> list[CardTap]:
    """Every kind of card of the deck, in a fixed order; none while no card can fall.

    >>> from pitboss import load
    >>> table = LiveTable(load("flip7:numbers"), names=["ann", "me"], me=1)
    >>> [(tap.entry, tap.left) for tap in card_taps(table)][-2:]
    [('11', 11), ('12', 12)]
    """
    if table.position.over:
        return []
    view: View = table.position.view(table.asked)
    if table.position.to_act != DEALER and view.decision is not Decision.HIT_OR_STAY:
        return []
    harm = "costs the Second Chance" if view.second_chance else "bust"
    odds = view.odds
    return [
        CardTap(TEXT[kind], face(kind), left, left / (odds.cards or 1), harm if kind in view.numbers else "")
        for kind, left in enumerate(odds.counts)
        if table.game.rules.deck[kind]
    ]


def word_taps(table: LiveTable) -> list[WordTap]:
    """What can be entered besides cards.

    >>> from pitboss import load
    >>> table = LiveTable(load("flip7:official"), names=["ann", "bob"])
    >>> _ = table.enter("12 fz")
    >>> [(tap.entry, tap.text) for tap in word_taps(table)]
    [('@0', 'ann'), ('@1', 'bob')]
    """
    position, view = table.position, table.view
    if position.over:
        return []
    out = []
    if position.to_act != DEALER:
        match view.decision:
            case Decision.HIT_OR_STAY:
                out.append(WordTap("s", f"{table.names[table.asked]} stays", "move"))
                if STAY in position.legal and sum(seat.active for seat in view.seats) > 1:
                    out.append(WordTap("new", "all stay: next round", "table"))
            case Decision.SAVE:
                out += [WordTap("y", "it is used", "move"), WordTap("n", "it is kept", "move")]
            case _:
                seats = [Move(move).seat for move in position.legal]
                out += [WordTap(f"@{seat}", table.names[seat], "player") for seat in seats]
    if any(view.discards):
        out.append(WordTap("shuffle", "the discards are shuffled in", "table"))
    return out

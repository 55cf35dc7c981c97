"""A real table of any game whose cards lie open: people type cards as they fall, and moves as they are made.

A game's own `Companion` knows shorter words, and what lies behind a card; this one takes cards and moves as the game
writes them.
"""

from __future__ import annotations

from typing import Any

from pitboss.analysis import analysis_of
from pitboss.core.analysis import Advice, Goal
from pitboss.core.companion import CardTap, Companion, TableSetup, WordTap
from pitboss.core.errors import NotationError, PitbossError
from pitboss.core.game import Game
from pitboss.core.scene import Face
from pitboss.core.step import DEALER

MOST_TAPS = 60  # moves that are shown to be tapped; more have to be typed


def companion_of(game: Game, setup: TableSetup) -> Companion:
    """A real table of a game, from its beginning: by the game's own companion, or by one for all open games."""
    own = game.make_companion(setup)
    if own is not None:
        return own
    if game.has_secrets:
        raise PitbossError(
            f"nobody can type the cards of {game.name}, which lie face down; "
            f"pitboss play {game} and the card room give hints in games that they deal themselves"
        )
    return OpenCompanion(game, setup)


class OpenCompanion(Companion):
    """A table at which everybody sees everything.

    >>> from pitboss import load
    >>> table = OpenCompanion(load("flip7:numbers"), TableSetup(["ann", "me"], me=1))
    >>> [event.text(table.names) for event in table.enter("12 7")]
    ['ann gets 12', 'me gets 7']
    >>> _ = table.enter("hit 5")
    >>> table.due
    'me: Hit or stay? (stay, hit)'
    >>> table.undo(2), table.due
    (['hit', '5'], 'ann: Hit or stay? (stay, hit)')
    """

    help = (
        "12         the card that falls, as the game writes it; several words at once are taken in order",
        "hit        the move of the player who is asked, as the game writes it",
    )

    def __init__(self, game: Game, setup: TableSetup) -> None:
        last = (len(setup.names) or len(setup.totals) or game.rules.seats[0]) - 1
        if any(setup.totals) or setup.dealer not in (None, last) or setup.discards not in ("", "-"):
            raise PitbossError(
                f"a table of {game.name} is followed from its first card: leave out totals, dealer and discards"
            )
        super().__init__(game, setup)

    @property
    def due(self) -> str:
        if self.over:
            return "The game is over: undo or quit?"
        if self.position.to_act == DEALER:
            return f"Which {self.game.deals[0]} falls?"
        view = self.position.view(self.asked)
        legal, describe = self.position.legal, self.game.describe_move
        choices = ", ".join(describe(view, move, self.names) for move in legal[:MOST_TAPS])
        more = ", …" if len(legal) > MOST_TAPS else ""
        return f"{self.names[self.asked]}: {view.question} ({choices}{more})"

    def take(self, words: list[str]) -> tuple[list[str], str, list[Any]]:
        """The longest beginning that is a card or a move: moves may have several words."""
        if self.over:
            raise PitbossError("the game is over; undo takes back the last entry")
        dealing = self.position.to_act == DEALER
        view = None if dealing else self.position.view(self.asked)
        problem: PitbossError | None = None
        for count in range(len(words), 0, -1):
            text = " ".join(words[:count])
            try:
                move = self.game.read_move(text, dealing, view)
            except PitbossError as refused:
                problem = refused
                continue
            return words[count:], text, self.position.apply(move)
        raise NotationError(f"{problem}. {self.due}")

    def card_taps(self) -> list[CardTap]:
        if self.over or self.position.to_act != DEALER:
            return []
        left = self.position.states[0]["left"]
        every = int(left.sum()) or 1
        texts = [(card, self.game.format_card(card)) for card in self.position.legal]
        return [
            CardTap(text, Face(text, "number", text), int(left[card]), int(left[card]) / every) for card, text in texts
        ]

    def word_taps(self) -> list[WordTap]:
        if self.over or self.position.to_act == DEALER:
            return []
        view = self.position.view(self.asked)
        return [
            WordTap(self.game.write_move(move, False, view), self.game.describe_move(view, move, self.names), "move")
            for move in self.position.legal[:MOST_TAPS]
        ]

    def advice(self, chances: bool = True) -> Advice | None:
        """What the moves of the person are worth, when the person is asked."""
        if self.asked != self.me:
            return None
        analysis, view, lines = analysis_of(self.game), self.view, self.game.odds(self.view)
        said = analysis.opinion(view, chances=chances and analysis.knows_chances)
        if said is None:
            return Advice(view.question, self.due, tuple(lines), facts={"odds": lines}) if lines else None
        moves = [each.move for each in said.moves]
        goals = [_goal(said.unit, f"for the most {said.unit}", [each.value for each in said.moves], said.percent)]
        wins = [each.win for each in said.moves if each.win is not None]
        if len(wins) == len(moves):
            goals.append(_goal("chance to win", "to win", wins, True))
        choices = tuple(self.game.describe_move(view, move, self.names) for move in moves)
        best = choices[moves.index(said.best)]
        facts = {"odds": lines, **said.to_dict()}
        return Advice(best, f"{best} is best ({said.how})", tuple(lines), None, choices, tuple(goals), facts)


def _goal(about: str, purpose: str, values: list[float], percent: bool) -> Goal:
    return Goal(about, about, purpose, tuple(values), values.index(max(values)), percent)

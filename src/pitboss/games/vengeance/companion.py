"""A real table of Flip 7: With a Vengeance, followed card by card.

People type cards as they fall, and what players choose; the rules of the game keep the state. A card at a player's turn
means that it hits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pitboss.core.analysis import Advice, Goal
from pitboss.core.companion import CardTap, Companion, TableSetup, WordTap
from pitboss.core.errors import NotationError, PitbossError
from pitboss.core.game import Position
from pitboss.core.step import DEALER
from pitboss.games.vengeance.cards import FLIP_FOUR, KINDS, LINE, NAME, TEXT, parse_card, parse_cards
from pitboss.games.vengeance.game import Vengeance
from pitboss.games.vengeance.moves import HIT, STAY, VengeanceMove, card_of, target
from pitboss.games.vengeance.state import out_of_play
from pitboss.games.vengeance.view import VengeanceDecision, VengeanceView
from pitboss.games.vengeance.words import ENGLISH

SHUFFLE, NEXT_ROUND, TOTALS = "shuffle", "new", "totals"
KEPT_WORDS = (SHUFFLE, NEXT_ROUND, TOTALS, "undo", "u", "help", "quit", "q", "exit", "table", "rules", "bust")


class VengeanceCompanion(Companion):
    """A game of Flip 7: With a Vengeance at a real table.

    >>> from pitboss import load
    >>> table = VengeanceCompanion(load("vengeance"), TableSetup(["ann", "me"], (120, 90), me=1))
    >>> _ = table.enter("12 5 st me")
    >>> table.due, table.view.cards, table.view.totals
    ('me: card, or s to stay?', [5, 12], [120, 90])
    >>> table.undo(), table.due
    (['me'], 'ann: on whom is the Steal played? (ann, me)')
    """

    game: Vengeance
    help = (
        "5          the card that is due: a number, u7, l13, -4, /2, j1, f4, sw, st, di. Several at once: 12 5 3",
        "s          the player whose turn it is stays; with a card it hits",
        "b, @2      whom a card is played on, when that is asked: f4 b",
        "12@b, 12@2 which card of whom a Swap, a Steal or a Discard takes; a Swap takes two",
        "new        all who are still in stay, and the next round begins (it begins by itself when all are out)",
        "shuffle    the discards go back into the deck now (when it is empty they do by themselves)",
        "totals 120,168   put the totals right",
    )

    def __init__(self, game: Vengeance, setup: TableSetup) -> None:
        self._discards = parse_cards(setup.discards or "-")
        for kind, there in enumerate(game.rules.deck):
            if self._discards.count(kind) > there:
                raise PitbossError(f"{game} has not so many of the card {TEXT[kind]} as lie among the discards")
        _verify_totals(game, setup.totals)
        super().__init__(game, setup)
        _verify_names(self.names)

    def begin(self) -> Position:
        """The table at the start: totals, discards, and the deal where they are."""
        position, seats = super().begin(), len(self.names)
        s = position.states[0]
        dealer = seats - 1 if self.setup.dealer is None else self.setup.dealer
        for name in ("dealer", "taker"):
            s[name] = (int(s[name]) + dealer + 1) % seats
        s["total"][:seats] = list(self.setup.totals) or 0
        for kind in self._discards:
            s["left"][kind] -= 1
            s["left_total"] -= 1
            s["discarded"] += 1
        return position

    # --- what is to be seen ---

    @property
    def asked(self) -> int:
        """The seat that takes a card or decides now; -2 if the game is over."""
        seat = self.position.to_act
        return int(self.position.states["taker"][0]) if seat == DEALER else seat

    @property
    def due(self) -> str:
        if self.over:
            return "The game is over: undo or quit?"
        view, who = self.view, self.names[self.asked]
        match view.decision:
            case VengeanceDecision.DEAL:
                return f"{who}: {self._which_card()}?"
            case VengeanceDecision.HIT_OR_STAY:
                return f"{who}: card, or s to stay?"
            case VengeanceDecision.TARGET:
                verb = "who gets the {}" if view.card < LINE else "on whom is the {} played"
                return f"{who}: {verb.format(NAME[view.card])}? ({self._choices()})"
            case VengeanceDecision.PRIZE:
                return f"{who}: 15 points for {who}, or 15 less for whom? ({self._choices()})"
            case _:
                second = "second card" if view.picked else "card"
                return f"{who}: which {second} for the {NAME[view.card]}, such as {self._words_of(0)}?"

    def _which_card(self) -> str:
        s = self.position.states[0]
        if int(s["obeyed"]) == FLIP_FOUR:
            return f"card {5 - int(s['to_take'])} of four"
        return "opening card" if int(s["turn"]) < 0 and int(s["obeyed"]) < 0 else "card"

    def _choices(self) -> str:
        return ", ".join(self._words_of(n) for n in range(len(self.position.legal)))

    def _words_of(self, n: int) -> str:
        """The n-th legal choice as it can be typed."""
        move = VengeanceMove(self.position.legal[n])
        name = self.names[move.seat].lower()
        return f"{TEXT[move.card]}@{name}" if move.card >= 0 else name

    def card_taps(self) -> list[CardTap]:
        """Every kind of card of the deck, in a fixed order; none while no card can fall."""
        if self.over:
            return []
        view: VengeanceView = self.position.view(self.asked)
        if self.position.to_act != DEALER and view.decision is not VengeanceDecision.HIT_OR_STAY:
            return []
        harm = {each.face: each.harm for each in self.game.next_cards(view)}
        every, face = sum(view.coming) or 1, ENGLISH.face
        return [
            CardTap(TEXT[kind], face(kind), left, left / every, harm.get(face(kind), ""))
            for kind, left in enumerate(view.coming)
            if self.game.rules.deck[kind]
        ]

    def word_taps(self) -> list[WordTap]:
        """What can be entered besides cards: moves, players, cards of players."""
        if self.over:
            return []
        view, position, out = self.view, self.position, list[WordTap]()
        if position.to_act != DEALER:
            if view.decision is VengeanceDecision.HIT_OR_STAY:
                out.append(WordTap("s", f"{self.names[self.asked]} stays", "move"))
                if self._all_may_stay():
                    out.append(WordTap(NEXT_ROUND, "all stay: next round", "table"))
            else:
                for n, move in enumerate(map(VengeanceMove, position.legal)):
                    name = self.names[move.seat]
                    text = name if move.card < 0 else f"{name}: {NAME[move.card]}"
                    out.append(WordTap(self._words_of(n), text, "player"))
        if any(view.discards):
            out.append(WordTap(SHUFFLE, "the discards are shuffled in", "table"))
        return out

    def _all_may_stay(self) -> bool:
        active = [seat for seat in self.view.seats if seat.active]
        return len(active) > 1 and not any(seat.has_zero for seat in active)

    def advice(self, chances: bool = True) -> Advice | None:
        """What the moves of the person are worth, when the person is asked."""
        if self.over or self.position.to_act != self.me:
            return None
        view, analysis = self.view, self.game.analysis
        said = analysis.opinion(view) if analysis else None
        if said is None:
            return None

        def say(move: int) -> str:
            return self.game.describe_move(view, move, self.names)

        values = tuple(each.value for each in said.moves)
        best = next(k for k, each in enumerate(said.moves) if each.move == said.best)
        name, purpose = ("win", "to win") if said.percent else ("points", "for the most points")
        goal = Goal(name, said.unit, purpose, values, best, said.percent)
        hitting = view.decision is VengeanceDecision.HIT_OR_STAY
        lines = tuple(self.game.odds(view)[:1]) if hitting else ()
        facts = {"bust_odds": view.bust_odds, **said.to_dict()}
        choices = tuple(say(each.move) for each in said.moves)
        headline, risk = say(said.best).capitalize(), view.bust_odds if hitting else None
        return Advice(headline, said.sentence(say), lines, risk, choices, (goal,), facts)

    # --- what is typed ---

    def words(self, line: str) -> list[str]:
        return line.lower().replace(", ", " ").split()

    def enter(self, line: str) -> list[Any]:
        return [event for event in super().enter(line) if event.kind != "hits"]

    def take(self, words: list[str]) -> tuple[list[str], str, list[Any]]:
        """Do what the first word means: the rest of them, what to keep, what happened."""
        word, rest = words[0], words[1:]
        if word == TOTALS:
            return [], " ".join(words), self._correct(rest)
        if word == SHUFFLE:
            return rest, word, self._shuffle()
        if self.over:
            raise PitbossError("the game is over; undo takes back the last entry")
        if word == NEXT_ROUND:
            return rest, word, self._end_round()
        if self.position.to_act == DEALER:
            return rest, word, self._deal(word)
        if self.view.decision is VengeanceDecision.HIT_OR_STAY:
            move = _read(VengeanceMove, word)
            if move == STAY:
                return rest, word, self.position.apply(STAY)
            if move == HIT and rest:
                return rest, "", []  # the card that follows says the same
            return rest, word, self._hit(word)
        return rest, word, self._choose(word)

    def _deal(self, word: str) -> list[Any]:
        card = _read(parse_card, word)
        if card is None:
            raise NotationError(f"{word!r} is not a card; cards are {' '.join(self._deck())}. {self.due}")
        if not self.view.coming[card]:
            raise PitbossError(f"no {NAME[card]} is left in the deck: all {self.game.rules.deck[card]} have been seen")
        return self.position.apply(card)

    def _hit(self, word: str) -> list[Any]:
        """A card at somebody's turn: it hits, and gets that card."""
        if _read(parse_card, word) is None:
            raise NotationError(f"{word!r} is neither a card ({' '.join(self._deck())}) nor s for stay. {self.due}")
        hits = self.position.apply(HIT)
        return hits + self._deal(word)

    def _choose(self, word: str) -> list[Any]:
        """A player, or a card of a player: 12@bob."""
        text, _, who = word.rpartition("@")
        card = _read(parse_card, text) if text else None
        if not who or (text and card is None) or (not text and word.isdecimal()):
            raise NotationError(f"{word!r} is neither a player nor a card of one. {self.due}")
        move = target(self._seat(who)) if card is None else card_of(self._seat(who), card)
        if move not in self.position.legal:
            raise PitbossError(f"{word} cannot be chosen. {self.due}")
        return self.position.apply(move)

    def _deck(self) -> list[str]:
        return [TEXT[kind] for kind, n in enumerate(self.game.rules.deck) if n]

    def _shuffle(self) -> list[Any]:
        """The discards become part of the deck, at a table that shuffles before it is empty."""
        s, r = self.position.states[0], self.game.record[0]
        gone = [int(out_of_play(s, r, kind)) for kind in range(KINDS)]
        if not any(gone):
            raise PitbossError("there are no discards that could be shuffled into the deck")
        s["left"] += gone
        s["left_total"] += sum(gone)
        s["discarded"] = 0
        return []

    def _correct(self, words: list[str]) -> list[Any]:
        """Put the totals right."""
        numbers = " ".join(words).replace(",", " ").split()
        if len(numbers) != len(self.names) or not all(re.fullmatch(r"-?\d+", number) for number in numbers):
            example = ",".join(map(str, self.view.totals))
            raise NotationError(f"totals takes {len(self.names)} whole numbers, such as totals {example}")
        _verify_totals(self.game, [int(number) for number in numbers])
        self.position.states[0]["total"][: len(numbers)] = [int(number) for number in numbers]
        return []

    def _end_round(self) -> list[Any]:
        """All who are still in stay."""
        number, events = self.view.round, list[Any]()
        while not self.over and self.view.round == number:
            if self.position.to_act < 0 or STAY not in self.position.legal:
                raise PitbossError(f"the round cannot end here. {self.due}")
            events += self.position.apply(STAY)
        return events

    def _seat(self, word: str) -> int:
        """The seat that a word names: its number, its name, or the beginning of one name only."""
        number, low = re.fullmatch(r"@?(\d+)", word), [name.lower() for name in self.names]
        found = [seat for seat, name in enumerate(low) if name.startswith(word)]
        if number and int(number[1]) < len(low):
            return int(number[1])
        if word in low or len(found) == 1:
            return low.index(word) if word in low else found[0]
        everybody = ", ".join(f"{name} (@{seat})" for seat, name in enumerate(self.names))
        raise NotationError(f"{word!r} is no player; there are {everybody}")


def _verify_totals(game: Vengeance, totals: Sequence[int]) -> None:
    """Refuse totals that no running game can have."""
    least = -game.rules.target if game.rules.below_zero else 0
    for total in totals:
        if not least <= total < game.rules.target:
            raise PitbossError(
                f"a total is from {least} to {game.rules.target - 1} while the game goes on, not {total}"
            )


def _verify_names(names: Sequence[str]) -> None:
    """Refuse names that cannot be told from cards and moves."""
    for name in (name.lower() for name in names):
        if not re.fullmatch(r"[^\W\d][\w-]*", name):
            raise PitbossError(f"{name!r} is no name for a player here: give one word that begins with a letter")
        if name in KEPT_WORDS or _read(parse_card, name) is not None or _read(VengeanceMove, name) is not None:
            raise PitbossError(f"a player cannot be called {name!r} here: that word means something else")


def _read(reader: Any, word: str) -> Any:
    """What a word means, or None."""
    try:
        return reader(word)
    except NotationError:
        return None

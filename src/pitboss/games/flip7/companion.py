"""Flip 7 at a real table, followed card by card.

Deck, discards, hands, totals, turns and rounds are what the rules make of what is typed. An entry is one or more words:
`12` is the card that is due (and with it the hit, if somebody had to choose), `s` a stay, `ann` whom a card is put on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pitboss.core.analysis import Advice
from pitboss.core.companion import CardTap, Companion, TableSetup, WordTap
from pitboss.core.errors import NotationError, PitbossError
from pitboss.core.game import Position
from pitboss.core.step import DEALER
from pitboss.games.flip7 import prospects
from pitboss.games.flip7.advice import advice, table_advice, verify_seen, verify_totals
from pitboss.games.flip7.cards import NAME, TEXT, parse_card, parse_cards
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.moves import HIT, STAY, Move
from pitboss.games.flip7.view import Flip7Decision, Flip7View
from pitboss.games.flip7.words import ENGLISH

SHUFFLE, NEXT_ROUND, TOTALS = ("shuffle", "reshuffle"), ("new", "round"), "totals"
KEPT_WORDS = (*SHUFFLE, *NEXT_ROUND, TOTALS, "undo", "u", "help", "quit", "q", "exit", "table", "rules", "bust")

HELP = (
    "5          the card that is due: a number, +4, x2, fz, f3, sc. Several at once: 12 5 3",
    "s          the player whose turn it is stays; with a card it hits",
    "b 12, 2:12 the same for a player by name or seat, refused if somebody else is due",
    "b, @2      whom a Freeze, Flip Three or Second Chance is put on, when that is asked: fz b",
    "y, n       a Second Chance is used against a duplicate, or not, when that is asked",
    "new        all who are still in stay, and the next round begins (it begins by itself when all are out)",
    "shuffle    the discards go back into the deck now (when it is empty they do by themselves)",
    "totals 120,168   put the totals right",
)


class Flip7Companion(Companion):
    """A game of Flip 7 at a real table.

    >>> from pitboss import load
    >>> table = Flip7Companion(load("flip7:numbers"), TableSetup(totals=[120, 168]))
    >>> table.due
    'me: opening card?'
    >>> _ = table.enter("12 5 12")
    >>> table.view.totals, table.view.seats[0].status.name, table.due
    ([120, 168], 'BUSTED', 'A: card, or s to stay?')
    >>> table.undo(), table.due
    (['12'], 'me: card, or s to stay?')
    """

    game: Flip7
    help = HELP

    def __init__(self, game: Flip7, setup: TableSetup) -> None:
        verify_totals(game, setup.totals, setup.me)
        self._discards = parse_cards(setup.discards or "-")
        verify_seen(game, [], [], self._discards)
        super().__init__(game, setup)
        _verify_names(self.names)

    def begin(self) -> Position:
        """The table at the start: totals, discards, and the deal where they are."""
        position, seats = super().begin(), len(self.names)
        dealer = seats - 1 if self.setup.dealer is None else self.setup.dealer
        s = position.states[0]
        s["total"][:seats] = list(self.setup.totals) or 0
        for name in ("dealer", "taker", "turn", "to_act"):  # as many seats further as the deal is
            if int(s[name]) >= 0:
                s[name] = (int(s[name]) + dealer + 1) % seats
        for kind in self._discards:
            s["left"][kind] -= 1
            s["discards"][kind] += 1
            s["left_total"] -= 1
        return position

    # --- what is to be seen ---

    @property
    def asked(self) -> int:
        """The seat that takes a card or decides now; -2 if the game is over."""
        seat = self.position.to_act
        return int(self.position.states["taker"][0]) if seat == DEALER else seat

    @property
    def due(self) -> str:
        """What to type next, naming the player it is about."""
        if self.position.over:
            return "The game is over: undo or quit?"
        view = self.view
        who = self.names[self.asked]
        match view.decision:
            case Flip7Decision.DEAL:
                return f"{who}: {self._which_card()}?"
            case Flip7Decision.HIT_OR_STAY:
                return f"{who}: card, or s to stay?"
            case Flip7Decision.SAVE:
                return f"{who}: a second {NAME[view.card]}; is the Second Chance used, y or n?"
            case _:
                choices = ", ".join(self.names[Move(move).seat] for move in self.position.legal)
                return f"{who}: who gets the {NAME[view.card]}? ({choices})"

    def _which_card(self) -> str:
        state = self.position.states[0]
        to_take = int(state["to_take"])
        if int(state["flipping"]) or int(state["three_hit"]):
            return f"card {4 - to_take} of three"
        return "opening card" if int(state["turn"]) < 0 else "card"

    def card_taps(self) -> list[CardTap]:
        """Every kind of card of the deck, in a fixed order; none while no card can fall.

        >>> from pitboss import load
        >>> table = Flip7Companion(load("flip7:numbers"), TableSetup(["ann", "me"], me=1))
        >>> [(tap.entry, tap.left) for tap in table.card_taps()][-2:]
        [('11', 11), ('12', 12)]
        """
        if self.over:
            return []
        view: Flip7View = self.position.view(self.asked)
        if self.position.to_act != DEALER and view.decision is not Flip7Decision.HIT_OR_STAY:
            return []
        harm = "costs the Second Chance" if view.second_chance else "bust"
        odds = view.odds
        return [
            CardTap(
                TEXT[kind], ENGLISH.face(kind), left, left / (odds.cards or 1), harm if kind in view.numbers else ""
            )
            for kind, left in enumerate(odds.counts)
            if self.game.rules.deck[kind]
        ]

    def word_taps(self) -> list[WordTap]:
        """What can be entered besides cards.

        >>> from pitboss import load
        >>> table = Flip7Companion(load("flip7:official"), TableSetup(["ann", "bob"]))
        >>> _ = table.enter("12 fz")
        >>> [(tap.entry, tap.text) for tap in table.word_taps()]
        [('@0', 'ann'), ('@1', 'bob')]
        """
        position, view = self.position, self.view
        if self.over:
            return []
        out = []
        if position.to_act != DEALER:
            match view.decision:
                case Flip7Decision.HIT_OR_STAY:
                    out.append(WordTap("s", f"{self.names[self.asked]} stays", "move"))
                    if sum(seat.active for seat in view.seats) > 1 and self._can_end():
                        out.append(WordTap("new", "all stay: next round", "table"))
                case Flip7Decision.SAVE:
                    out += [WordTap("y", "it is used", "move"), WordTap("n", "it is kept", "move")]
                case _:
                    seats = [Move(move).seat for move in position.legal]
                    out += [WordTap(f"@{seat}", self.names[seat], "player") for seat in seats]
        if any(view.discards):
            out.append(WordTap("shuffle", "the discards are shuffled in", "table"))
        return out

    def _can_end(self) -> bool:
        """Whether all may stay now; somebody without cards may not."""
        before = self.position
        self.position = before.copy()
        try:
            self._end_round()
        except PitbossError:
            return False
        finally:
            self.position = before
        return True

    def advice(self, chances: bool = True) -> Advice | None:
        if self.over:
            return None
        facts = advice(self.view, standings=chances, outlook=False)
        return table_advice(facts, self.names)

    def prepare(self) -> None:
        super().prepare()
        if len(self.names) > 1 and prospects.known(self.game):
            prospects.prepare(self.view)

    # --- what is typed ---

    def words(self, line: str) -> list[str]:
        """The words of a line; `2:12` and `2 : 12` are two words each, `2:` and `12`."""
        return re.sub(r"\s*:\s*", ": ", line.lower().replace(", ", " ")).split()

    def enter(self, line: str) -> list[Any]:
        return [event for event in super().enter(line) if event.kind != "hits"]

    def take(self, words: list[str]) -> tuple[list[str], str, list[Any]]:
        """Do what the first words mean: the rest of them, what to keep, what happened."""
        word, rest = words[0], words[1:]
        if word in SHUFFLE:
            return rest, word, self._shuffle()
        if word == TOTALS:
            return [], " ".join(words), self._correct(rest)
        if self.position.over:
            raise PitbossError("the game is over; undo takes back the last entry")
        if word in NEXT_ROUND:
            return rest, word, self._end_round()
        if word == "bust":
            raise NotationError(f"to bust, type the card that {self.names[self.asked]} got twice: it must be counted")
        if word.endswith(":"):
            self._verify_asked(self._seat(word[:-1]))
            return rest, "", []
        if self.position.to_act == DEALER:
            return self._dealt(word, rest)
        if self.view.decision in (Flip7Decision.TARGET, Flip7Decision.ASSIGN):
            return rest, word, self._put(word)
        return self._decided(word, rest)

    def _dealt(self, word: str, rest: list[str]) -> tuple[list[str], str, list[Any]]:
        """A card, or the name of the player who gets it."""
        try:
            card = parse_card(word)
        except NotationError:
            seat = self._find_seat(word)
            if seat is None:
                raise NotationError(f"{self._not_understood(word)}. {self.due}") from None
            self._verify_asked(seat)
            return rest, "", []
        self._verify_left(card)
        return rest, word, self.position.apply(card)

    def _decided(self, word: str, rest: list[str]) -> tuple[list[str], str, list[Any]]:
        """A move, a name, or a card, which tells the move."""
        saving = self.view.decision is Flip7Decision.SAVE
        try:
            card = None if saving else parse_card(word)
        except NotationError:
            card = None
        if card is not None:
            self._verify_left(card)
            return rest, word, self.position.apply(HIT) + self.position.apply(card)
        if _reads(Move, word) and Move(word) in self.position.legal:  # type: ignore[arg-type]  # an enum reads texts
            return rest, word, self.position.apply(word)
        seat = self._find_seat(word)
        if seat is None:
            raise NotationError(f"{self._not_understood(word)}. {self.due}")
        self._verify_asked(seat)
        return rest, "", []

    def _put(self, word: str) -> list[Any]:
        """Whom a card is put on. A bare number is refused, because it may be the next card, typed too soon."""
        if word.isdecimal():
            raise NotationError(f"{word!r} is a card, or write @{word} for a seat. {self.due}")
        seat = self._seat(word)
        move = next((move for move in self.position.legal if Move(move).seat == seat), None)
        if move is None:
            raise PitbossError(f"{self.names[seat]} cannot get it. {self.due}")
        return self.position.apply(move)

    def _shuffle(self) -> list[Any]:
        """The discards become part of the deck, at a table that shuffles before it is empty."""
        s = self.position.states[0]
        if not s["discards"].any():
            raise PitbossError("there are no discards that could be shuffled into the deck")
        s["left"] += s["discards"]
        s["left_total"] = s["left"].sum()
        s["discards"] = 0
        return []

    def _correct(self, words: list[str]) -> list[Any]:
        """Put the totals right."""
        numbers = [word for word in " ".join(words).replace(",", " ").split() if word]
        if len(numbers) != len(self.names) or not all(number.isdecimal() for number in numbers):
            raise NotationError(f"totals takes {len(self.names)} whole numbers, such as {self._example()}")
        totals = [int(number) for number in numbers]
        verify_totals(self.game, totals, self.me)
        self.position.states[0]["total"][: len(totals)] = totals
        return []

    def _example(self) -> str:
        return "totals " + ",".join(map(str, self.view.totals))

    def _end_round(self) -> list[Any]:
        """All who are still in stay."""
        number, events = self.view.round, list[Any]()
        while not self.position.over and self.view.round == number:
            if self.position.to_act < 0 or STAY not in self.position.legal:
                raise PitbossError(f"the round cannot end here. {self.due}")
            events += self.position.apply(STAY)
        return events

    # --- refusals ---

    def _find_seat(self, word: str) -> int | None:
        """The seat that a word names: its number, its name, or the beginning of one name only."""
        number = re.fullmatch(r"(?:@|seat)?(\d+)", word)
        if number:
            return int(number[1]) if int(number[1]) < len(self.names) else None
        low = [name.lower() for name in self.names]
        if word in low:
            return low.index(word)
        found = [seat for seat, name in enumerate(low) if name.startswith(word)]
        return found[0] if len(found) == 1 else None

    def _seat(self, word: str) -> int:
        seat = self._find_seat(word)
        if seat is None:
            everybody = ", ".join(f"{name} (@{i})" for i, name in enumerate(self.names))
            raise NotationError(f"{word!r} is no player; there are {everybody}")
        return seat

    def _verify_asked(self, seat: int) -> None:
        if seat != self.asked:
            raise PitbossError(f"{self.names[seat]} is not the one whose turn it is. {self.due}")

    def _verify_left(self, card: int) -> None:
        """Refuse a card that the deck cannot have, and say where all of them are."""
        view = self.view
        if view.odds.counts[card]:
            return
        copies = self.game.rules.deck[card]
        if not copies:
            raise PitbossError(f"{self.game} has no {NAME[card]}")
        places = [(self.names[seat.seat], seat.counts[card]) for seat in view.seats]
        places += [("the discards", view.discards[card] + view.spent[card])]
        places += [("cards set aside", sum(kind == card for kind, _, _ in view.waiting))]
        where = ", ".join(f"{n} with {name}" if n > 1 or copies > 1 else f"with {name}" for name, n in places if n)
        which = f"the only {NAME[card]} is" if copies == 1 else f"all {copies} {NAME[card]} are"
        raise PitbossError(f"no {NAME[card]} is left in the deck: {which} {where}")

    def _not_understood(self, word: str) -> str:
        if _reads(Move, word):
            return f"{word!r} is not possible now"
        cards = " ".join(TEXT[kind] for kind, n in enumerate(self.game.rules.deck) if n)
        return f"{word!r} is neither a card ({cards}) nor a move nor a player"


def _verify_names(names: Sequence[str]) -> None:
    """Refuse names that cannot be told from cards, moves or each other."""
    low = [name.lower() for name in names]
    for name in low:
        if not re.fullmatch(r"[^\W\d][\w-]*", name):
            raise PitbossError(f"{name!r} is no name for a player here: give one word that begins with a letter")
        if name in KEPT_WORDS or _reads(parse_card, name) or _reads(Move, name):
            raise PitbossError(f"a player cannot be called {name!r} here: that word means something else")


def _reads(reader: Any, word: str) -> bool:
    try:
        reader(word)
    except NotationError:
        return False
    return True

"""The switches of Flip 7 and its five rule books.

What each switch means is written on the rules page (docs/reference/flip7-rules.md) and said in
plain words by `pitboss rules flip7:…`. No code asks for a preset's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pitboss.core.rules import RulesBase, switch
from pitboss.core.types import Data
from pitboss.games.flip7.cards import COPIES, FREEZE, KINDS, NUMBERS

if TYPE_CHECKING:
    import numpy as np

SEATS_PER_COPY = 18
MAX_COPIES = 2
MAX_SEATS = SEATS_PER_COPY * MAX_COPIES

# The places of the choices below, for compiled code.
ABSENT, INERT = 0, 1
FREEZE_TARGETED = 2
NEXT_HIT, FLIP_TARGETED = 2, 3
FLAG, KEPT, GIVEN = 2, 3, 4
ONE_BY_ONE, ASSIGN_ALL = 0, 1
TO_ACTIVE, TO_UNBUSTED = 0, 1
AUTOMATIC, ASKED = 0, 1
PLAY_ON, BANKS = 0, 1
RETURN, STAY_OUT = 0, 1
EXTRA_ROUND, SHARED, MOST_FLIP7, COMEBACK = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class Flip7Rules(RulesBase):
    """One table's rules. The defaults are the published game.

    >>> Flip7Rules.parse("official(target=100)").target
    100
    """

    presets: ClassVar[dict[str, Flip7Rules]] = {}
    default_preset: ClassVar[str] = "official"
    shorthands: ClassVar[tuple[str, ...]] = ("actions",)

    solo: bool = switch(False, "one seat plays alone for the fewest rounds")
    modifiers: bool = switch(True, "the six modifier cards are in the deck")
    freeze: str = switch("targeted", "what a Freeze does", "absent", "inert", "targeted")
    flip_three: str = switch("targeted", "what a Flip Three does", "absent", "inert", "next_hit", "targeted")
    second_chance: str = switch("kept", "who gets a Second Chance", "absent", "inert", "flag", "kept", "given")
    copies: int = switch(1, "copies of the deck mixed together", least=1, most=MAX_COPIES)
    target: int = switch(200, "points that end the game", least=1, most=100_000)
    max_rounds: int = switch(1000, "rounds after which a game is cut", least=1, most=100_000)
    opening_card: bool = switch(True, "a round opens with a card for everyone")
    stay_needs_card: bool = switch(True, "Stay needs a card in front of you")
    stay_before_opening: bool = switch(True, "made to flip three before your opening card, you may stay instead of it")
    set_aside: str = switch("assign_all", "cards set aside in a Flip Three", "one_by_one", "assign_all")
    again_after_flip_three: bool = switch(False, "a Flip Three on the player in turn gives another decision")
    second_chance_to: str = switch("active", "who may be given a Second Chance", "active", "unbusted")
    save: str = switch("automatic", "using a Second Chance", "automatic", "asked")
    after_save: str = switch("play_on", "after a save the player", "play_on", "banks")
    flip7_ends_round: bool = switch(True, "a Flip 7 ends the round for everyone")
    round_discards: str = switch("return", "cards used up in this round, on a reshuffle", "return", "stay_out")
    tie: str = switch("extra_round", "a tie at the target", "extra_round", "shared", "most_flip7", "comeback")

    @property
    def actions(self) -> bool:
        """Whether any action card is in the deck."""
        return self.action_cards != (0, 0, 0)

    @property
    def action_cards(self) -> tuple[int, int, int]:
        """How many Freezes, Flip Threes and Second Chances one copy of the deck has."""
        here = (value != "absent" for value in (self.freeze, self.flip_three, self.second_chance))
        return tuple(n * there for n, there in zip(COPIES[FREEZE:], here, strict=True))

    @property
    def deck(self) -> tuple[int, ...]:
        """The full deck: how many of each kind.

        >>> sum(Flip7Rules.parse("solo").deck), sum(Flip7Rules.parse("official(copies=2)").deck)
        (85, 188)
        """
        one = (*COPIES[:NUMBERS], *(n * self.modifiers for n in COPIES[NUMBERS:FREEZE]), *self.action_cards)
        return tuple(n * self.copies for n in one)

    @property
    def seats(self) -> range:
        """The numbers of seats this table allows."""
        return range(1, 2) if self.solo else range(2, SEATS_PER_COPY * self.copies + 1)

    def change(self, changes: Mapping[str, object]) -> Flip7Rules:
        """As in every game; `actions=true/false` stands for all three action switches at once."""
        rest = dict(changes)
        if "actions" in rest:
            whole = self.switches()["modifiers"].read("actions", rest.pop("actions"))
            base = self if self.actions else Flip7Rules()
            for name in ("freeze", "flip_three", "second_chance"):
                rest.setdefault(name, getattr(base, name) if whole else "absent")
        return super().change(rest)

    def needless(self) -> dict[str, str]:
        """Switches that could change nothing at this table, each with what it would need."""
        flips = self.flip_three == "targeted"
        handed = self.second_chance in ("kept", "given")
        saves = handed or self.second_chance == "flag"
        several = not self.solo
        # A player's first card stays in front unless it can be put on or given to somebody.
        first_card_may_go = flips or self.freeze == "targeted" or self.second_chance == "given"
        needs = {
            "stay_needs_card": (
                first_card_may_go or not self.opening_card,
                "opening_card=false, or cards that go to others: freeze or flip_three=targeted, second_chance=given",
            ),
            "set_aside": (flips, "flip_three=targeted"),
            "again_after_flip_three": (flips and several, "flip_three=targeted and solo=false"),
            "stay_before_opening": (
                flips and several and self.opening_card,
                "flip_three=targeted, solo=false and opening_card=true",
            ),
            "second_chance_to": (handed and several, "second_chance=kept or given, and solo=false"),
            "save": (saves, "second_chance=flag, kept or given"),
            "after_save": (saves, "second_chance=flag, kept or given"),
            "round_discards": (
                saves or flips or self.flip_three == "next_hit",
                "a Second Chance or a Flip Three that can be used up",
            ),
            "flip7_ends_round": (several, "solo=false"),
            "tie": (several, "solo=false"),
        }
        return {name: condition for name, (matters, condition) in needs.items() if not matters}

    @classmethod
    def dtype(cls) -> np.dtype[np.void]:
        import numpy as np

        return np.dtype([*((name, np.int32) for name in cls.switches()), ("deck", np.int16, (KINDS,))], align=True)

    def numbers(self) -> Data:
        return {**super().numbers(), "deck": self.deck}


_NO_ACTIONS = {"freeze": "absent", "flip_three": "absent", "second_chance": "absent"}

Flip7Rules.presets.update(
    official=Flip7Rules(),
    tournament=Flip7Rules(
        stay_needs_card=False,
        stay_before_opening=False,
        set_aside="one_by_one",
        again_after_flip_three=True,
        second_chance="given",
        second_chance_to="unbusted",
        save="asked",
        after_save="banks",
        flip7_ends_round=False,
        round_discards="stay_out",
    ),
    simulation=Flip7Rules(freeze="inert", flip_three="next_hit", second_chance="flag"),
    numbers=Flip7Rules(modifiers=False, **_NO_ACTIONS),  # type: ignore[arg-type]
    solo=Flip7Rules(solo=True, opening_card=False, stay_needs_card=False, **_NO_ACTIONS),  # type: ignore[arg-type]
)

PRESET_ABOUT = {
    "official": "the published game: Freeze, Flip Three and Second Chance as people play them",
    "tournament": "bots choose targets and saves; nobody's Flip 7 ends the round for others",
    "simulation": "simplified action cards: nobody is targeted, everything is automatic",
    "numbers": "number cards only",
    "solo": "one seat, numbers and modifiers, 200 points in the fewest rounds",
}

"""The switches of Flip 7: With a Vengeance and its rule books.

What each switch means is written on the rules page (docs/reference/vengeance-rules.md) and said in plain words by
`pitboss rules vengeance:…`. No code asks for a preset's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pitboss.core.rules import RulesBase, switch
from pitboss.core.types import Data
from pitboss.games.vengeance.cards import COPIES, KINDS, LINE, MINUS_2

if TYPE_CHECKING:
    import numpy as np

SEATS_PER_COPY = 18
MAX_COPIES = 2
MAX_SEATS = SEATS_PER_COPY * MAX_COPIES

# The places of the choices below, for compiled code.
REACH_ALL, REACH_ACTIVE = 0, 1
CHOSEN_BY_TARGET, CHOSEN_BY_DRAWER = 0, 1
ONCE, TWICE = 0, 1
OWN, EITHER = 0, 1
EXTRA_ROUND, SHARED = 0, 1


@dataclass(frozen=True, eq=False)
class VengeanceRules(RulesBase):
    """One table's rules. The defaults are the published game.

    >>> VengeanceRules.parse("standard(target=100)").target
    100
    """

    presets: ClassVar[dict[str, VengeanceRules]] = {}
    default_preset: ClassVar[str] = "standard"

    solo: bool = switch(False, "one seat plays alone for the fewest rounds")
    modifiers: bool = switch(True, "the six modifier cards are in the deck")
    actions: bool = switch(True, "the ten action cards are in the deck")
    copies: int = switch(1, "copies of the deck mixed together", least=1, most=MAX_COPIES)
    target: int = switch(200, "points that end the game", least=1, most=100_000)
    max_rounds: int = switch(1000, "rounds after which a game is cut", least=1, most=100_000)
    reach: str = switch("all", "whom cards can touch: all who are not bust, or active players only", "all", "active")
    chooser: str = switch("target", "who chooses with a Swap, a Steal or a Discard", "target", "drawer")
    waste: bool = switch(True, "a Swap, Steal or Discard may be played on somebody who can do nothing with it")
    thirteens: str = switch("once", "how often two 13s count towards a Flip 7", "once", "twice")
    below_zero: bool = switch(False, "scores may be below 0")
    modifiers_on_bust: bool = switch(False, "modifiers may be put on players who are bust")
    flip7_bonus: str = switch("own", "the 15 points of a Flip 7", "own", "either")
    tie: str = switch("extra_round", "a tie at the target", "extra_round", "shared")

    @property
    def deck(self) -> tuple[int, ...]:
        """The full deck: how many of each kind.

        >>> sum(VengeanceRules.parse("standard").deck), sum(VengeanceRules.parse("numbers(copies=2)").deck)
        (108, 184)
        """
        there = (*(True,) * MINUS_2, *(self.modifiers,) * (LINE - MINUS_2), *(self.actions,) * (KINDS - LINE))
        return tuple(n * self.copies * here for n, here in zip(COPIES, there, strict=True))

    @property
    def seats(self) -> range:
        """The numbers of seats this table allows."""
        return range(1, 2) if self.solo else range(2, SEATS_PER_COPY * self.copies + 1)

    def needless(self) -> dict[str, str]:
        """Switches that could change nothing at this table, each with what it would need."""
        several = not self.solo
        costs = self.modifiers or (several and self.flip7_bonus == "either")
        needs = {
            "reach": (several and (self.modifiers or self.actions), "solo=false, and modifiers or actions"),
            "chooser": (several and self.actions, "solo=false and actions=true"),
            "waste": (
                several and self.actions and self.chooser == "target",
                "solo=false, actions=true and chooser=target",
            ),
            "below_zero": (costs, "modifiers=true or flip7_bonus=either"),
            "modifiers_on_bust": (several and self.modifiers, "solo=false and modifiers=true"),
            "flip7_bonus": (several, "solo=false"),
            "tie": (several, "solo=false"),
        }
        return {name: condition for name, (matters, condition) in needs.items() if not matters}

    @classmethod
    def dtype(cls) -> np.dtype[np.void]:
        import numpy as np

        return np.dtype([*((name, np.int32) for name in cls.switches()), ("deck", np.int16, (KINDS,))], align=True)

    def numbers(self) -> Data:
        return {**super().numbers(), "deck": self.deck}


VengeanceRules.presets.update(
    standard=VengeanceRules(),
    brutal=VengeanceRules(below_zero=True, modifiers_on_bust=True, flip7_bonus="either"),
    quick=VengeanceRules(reach="active", chooser="drawer"),
    numbers=VengeanceRules(modifiers=False, actions=False),
    solo=VengeanceRules(solo=True, modifiers=False, actions=False),
)

PRESET_ABOUT = {
    "standard": "the published game: staying is not safe, and cards move between players",
    "brutal": "scores below 0, modifiers for those who are out, and a Flip 7 that can hurt somebody else",
    "quick": "who draws a Swap, Steal or Discard uses it at once; those who stayed are safe",
    "numbers": "number cards only, with The Zero, the Unlucky 7 and the Lucky 13",
    "solo": "one seat, number cards only, 200 points in the fewest rounds",
}

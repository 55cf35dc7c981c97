"""The switches of the game, its two rule books, and how they are said in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pitboss.core.rules import RulesBase, switch

MAX_SEATS = 6
HIGHEST = 5  # chips are numbered from 1 to this
COPIES = 2  # of each number
MOST_ROUNDS = 500  # bots that never bank must come to an end, too


@dataclass(frozen=True, eq=False)
class Rules(RulesBase):
    """One table's rules.

    >>> Rules.parse("race(skulls=3)").skulls
    3
    """

    presets: ClassVar[dict[str, Rules]] = {}
    default_preset: ClassVar[str] = "race"

    target: int = switch(30, "the points that win", least=1, most=1000)
    skulls: int = switch(2, "how many skulls are in the bag", least=1, most=9)
    even: bool = switch(False, "a round is played to its end, so that all have the same number of turns")

    @property
    def seats(self) -> range:
        """The numbers of seats this table allows."""
        return range(2, MAX_SEATS + 1)

    def words(self) -> list[str]:
        """Sentences that explain this table to somebody who has never played."""
        skulls = "one skull" if self.skulls == 1 else f"{self.skulls} skulls"
        win = (
            f"When somebody has {self.target} points, the round is finished; then the most points win."
            if self.even
            else f"Whoever first has {self.target} points wins at once."
        )
        return [
            f"The bag holds two chips of each number from 1 to {HIGHEST}, and {skulls}.",
            "In your turn draw a chip. A number is added to your pot; then draw another, or bank the pot.",
            "A skull takes the pot and ends your turn. Then all chips go back into the bag.",
            win,
        ]


Rules.presets.update(race=Rules(), fair=Rules(even=True))

PRESET_ABOUT = {
    "race": "whoever first has 30 points wins at once",
    "fair": "the round is finished, so that all have the same number of turns",
}

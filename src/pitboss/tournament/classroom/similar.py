"""Bots that are nearly the same: in what they decide, or in how they are written.

That is a reason to look, and no proof. Short rules are found by several people, so what was handed out to everybody
does not count, and pairs that play like a built-in bot are marked as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from pitboss.core.types import Data, Ints
from pitboss.tournament.classroom.outline import Outline
from pitboss.tournament.classroom.review import agreement

SAME_MOVES = 0.99  # of all positions
SAME_SHAPE = 0.9  # of all parts of two sources
LEAST_SIZE = 20  # parts that a source has of its own before its shape means anything


@dataclass(frozen=True)
class ComparedBot:
    """A bot that is compared: its moves in all positions, and the outline of its source without what was handed out."""

    name: str
    moves: Ints
    outline: Outline | None = None


@dataclass(frozen=True)
class SimilarPair:
    """Two bots that are nearly the same."""

    a: str
    b: str
    moves: float  # the share of positions in which they decide alike
    shape: float | None  # how much of their sources has the same shape; None: too short to tell
    like: str | None  # a built-in bot that both play like

    def to_dict(self) -> Data:
        """For JSON."""
        return dict(vars(self))

    def sentence(self) -> str:
        """What is alike, in words."""
        parts = [f"the same move in {100 * self.moves:.1f} % of the positions"]
        if self.shape is not None:
            parts.append(f"{100 * self.shape:.0f} % of the source has the same shape")
        why = f" (both play like {self.like})" if self.like else ""
        return f"{self.a} and {self.b}: {', '.join(parts)}{why}"


def similar_pairs(students: Sequence[ComparedBot], built_in: Sequence[ComparedBot]) -> list[SimilarPair]:
    """All pairs of students' bots that are nearly the same, the most similar first."""
    found = []
    for one, other in combinations(students, 2):
        moves, shape = agreement(one.moves, other.moves), None
        if one.outline and other.outline and min(one.outline.size, other.outline.size) >= LEAST_SIZE:
            shape = one.outline.likeness(other.outline)
        if moves >= SAME_MOVES or (shape or 0) >= SAME_SHAPE:
            like = (bot.name for bot in built_in if _plays_like(one, bot) and _plays_like(other, bot))
            found.append(SimilarPair(one.name, other.name, moves, shape, next(like, None)))
    return sorted(found, key=lambda pair: (-max(pair.moves, pair.shape or 0), pair.a, pair.b))


def _plays_like(one: ComparedBot, other: ComparedBot) -> bool:
    return agreement(one.moves, other.moves) >= SAME_MOVES

"""Tasks: tables at which everybody measures a bot in the same way, so that figures can be compared.

A task has a version in its name. Whatever would change its results (rules, opponents, games, seed) makes a new version,
and the old one stays.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """A table, who sits there, and which games are played: against each opponent, `games` of the seed that is its own.

    >>> task = Task("toss-v1", "toss:fair", 2, ("random",), seed=5)
    >>> task.rounds
    (('random', 5),)
    """

    name: str
    table: str
    seats: int
    opponents: tuple[str, ...] = ()  # copies of each in turn take all other seats; nobody, for those who play alone
    games: int = 20_000
    seed: int = 1

    @property
    def rounds(self) -> tuple[tuple[str, int], ...]:
        """The opponents, each with a seed of its own: results against them are independent, and can be averaged."""
        return tuple((name, self.seed + i) for i, name in enumerate(self.opponents))

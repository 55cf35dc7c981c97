"""The tables that come with pitboss, so that nobody has to wait for advice at a table of our own rule books.

`python -m pitboss.games.flip7.solver.ship` works them out anew, in two minutes on a core, and writes them to where
`kept` looks first. Do that after a change to how they are worked out; the tests notice if it was forgotten.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from pitboss.core.progress_bar import ProgressBar
from pitboss.core.registry import load
from pitboss.games.flip7.game import Flip7
from pitboss.games.flip7.solver import duel, race
from pitboss.games.flip7.solver.table_cache import shipped

BOOKS = ("official", "tournament", "simulation", "numbers")


def books() -> list[Flip7]:
    """Our rule books for several players."""
    return [cast(Flip7, load(f"flip7:{name}")) for name in BOOKS]


def main() -> None:
    """Work out all of them."""
    duels = {("duel", str(book)): (book, duel.found) for book in map(duel.without_actions, books())}
    races = {("race", str(book)): (book, race.found) for book in map(race.without_targets, books())}
    for (name, spec), (book, found) in {**duels, **races}.items():
        with ProgressBar(f"working out the {name} of {spec}") as told:
            np.save(shipped(name, book), found(book, told))


if __name__ == "__main__":
    main()

"""What hostile bots do is nobody's business but their own: the matches of honest ones are the same without them."""

from dataclasses import replace
from functools import cache

import pytest

from pitboss.tournament.tournament import Tournament
from tests.tournament.tables import EXAMPLES, TIGHT, ZOO, clean

HONEST = [f"{EXAMPLES}/gambler.py:Gambler(hunger=1.2)", f"{EXAMPLES}/watcher.py:Watcher", "ev"]

LIMITS = replace(TIGHT, output=100, wall=10.0)  # two seconds for a bot that does nothing, of which some play here
HOSTILE = [
    "brings_the_seed.py", "c_loop.py", "corrupts.py", "exits.py:ExitsAtOnce", "exits.py:ExitsInStart",
    "exits_in_import.py", "forks.py:Forks", "gigabyte.py", "glutton.py:Nibbler", "hangs_in_import.py", "hoards.py",
    "impersonates.py", "infinite_loop.py", "kills.py", "late.py:Twice", "late.py:Huge", "late.py:HangsUp",
    "late.py:Beyond", "leaks.py:Leaks", "lingers.py", "misleads.py", "nonsense.py:Nonsense", "overstates.py",
    "patches.py", "plays_on.py", "raises_in_import.py", "reaches_out.py", "reads.py", "remembers.py", "sleeper.py",
    "swallower.py", "writes.py",
]  # fmt: skip


def faced(*hostile):
    """A gauntlet's matches between honest bots: who met whom how often, and won how much of it."""
    with clean():
        cup = Tournament(
            "flip7:tournament(target=20)", [*HONEST, *(f"{ZOO}/{bot}" for bot in hostile)], format="gauntlet",
            blocks=2, seed=7, strikes=1, limits=LIMITS,
        )  # fmt: skip
        try:
            table = cup.play(workers=1)
        finally:
            cup.store.close()
    among = range(len(HONEST))
    return [[(table.wins[a][b], table.meetings[a][b]) for a in among] for b in among]


@cache
def undisturbed():
    return faced()


@pytest.mark.parametrize("bot", HOSTILE)
def test_no_match_of_honest_bots_changes_when_a_hostile_one_takes_part(bot):
    assert faced(bot) == undisturbed()
    assert sum(meetings for row in undisturbed() for _, meetings in row) > 0

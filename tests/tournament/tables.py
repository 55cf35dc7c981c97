"""What the tests of the referee share: guarded games, and the same games without a stranger at the table."""

import os
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pitboss import load, play
from pitboss.core.bot import Entrant
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.play import Seats
from pitboss.core.registry import line_up
from pitboss.core.step import FAULT
from pitboss.sandbox import readable
from pitboss.sandbox.limits import Limits
from pitboss.tournament.entering import contestants
from pitboss.tournament.referee.seats import Referee

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
ZOO = Path(__file__).parent / "zoo"
GAME = load("flip7:tournament(target=40)")
OTHERS = ["stay-20", "ev"]
TIGHT = Limits(decision=0.2, start=1.0, wall=30.0, memory=1 << 28)  # six seconds by the clock: machines are busy
HASTY = replace(TIGHT, wall=3.0)  # for bots that never answer
SLOW = """
import os, time
from pitboss.flip7 import HIT, STAY, Flip7Bot

class Slow(Flip7Bot):
    def hit_or_stay(self, view):
        if os.path.exists({sign!r}):
            time.sleep({seconds})
        return HIT if view.points < 20 else STAY
"""


class Scripted(Seats):
    """A table whose first seat makes the moves that it made in another game, faults too."""

    def __init__(self, game, moves, others):
        super().__init__(game, [Entrant("script"), *line_up(others, game)])
        self.moves = iter(moves)

    def ask(self, raw, seat):
        move = next(self.moves)
        if move == FAULT:
            raise BotError("as before")
        return move


def seated(referee, *texts):
    """A guarded table with these bots."""
    return referee.seats(contestants([str(text) for text in texts], referee.game, referee))


def guarded(referee, text, others=tuple(OTHERS), seed=3, deal=0):
    """A guarded game with a bot at seat 0; nobody else's result depends on how that bot behaves."""
    seats = seated(referee, text, *others)
    key = seed if isinstance(seed, Key) else Key.from_seed(seed)
    movers = []
    record = play(
        referee.game, [], key, deal=deal, seats=seats, faults=True,
        watch=lambda position, _: movers.append(position.to_act) if position.to_act >= 0 else None,
    )  # fmt: skip
    assert record.verify() > 0
    own = [move for seat, move in zip(movers, record.moves, strict=True) if seat == 0]
    again = play(referee.game, [], key, deal=deal, seats=Scripted(referee.game, own, list(others)), faults=True)
    assert (again.moves, again.cards, again.trail) == (record.moves, record.cards, record.trail)
    assert again.outcome == record.outcome
    return record, seats


def endings(seats):
    """The kinds of all faults of the last game, and there is one."""
    assert seats.faults
    return {kind for _, _, kind, _ in seats.faults}


def printed(seats):
    """All that was printed in the last game."""
    return "\n".join(seats.output.values())


def descendants(pid):
    """All processes that come from this one, zombies apart."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    found, size = {pid}, 0
    while size != len(found):
        size = len(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return found - {pid}


@contextmanager
def clean():
    """Nothing is left running, or open, that was not before."""
    before = descendants(os.getpid()), set(os.listdir("/proc/self/fd"))
    yield
    of_others = set().union(*map(descendants, before[0]))  # another referee may be about to make a player
    assert not descendants(os.getpid()) - before[0] - of_others
    assert not set(os.listdir("/proc/self/fd")) - before[1]


@contextmanager
def tight(game=GAME, limits=TIGHT):
    """A referee with little patience, who leaves nothing behind."""
    with clean(), Referee(game, limits) as referee:
        yield referee


class SlowBot:
    """A bot of a file that takes its time until it is hurried: what is done meanwhile is done half-way.

    It looks for a sign in the one place outside of its sandbox that it sees: pitboss's own folder.
    """

    def __init__(self, folder, seconds=0.2):
        place = Path(readable.PACKAGE, "__pycache__")
        place.mkdir(exist_ok=True)
        self._sign = tempfile.NamedTemporaryFile(prefix="slowly-", dir=place)  # noqa: SIM115 - closed by `hurry`
        self.path = folder / "slow.py"
        self.path.write_text(SLOW.format(sign=self._sign.name, seconds=seconds))

    def hurry(self):
        """From now on it is quick."""
        self._sign.close()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.hurry()

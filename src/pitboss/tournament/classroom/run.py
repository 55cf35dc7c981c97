"""From a folder of files to results: check all, play what is missing, write everything down.

Run again with more files, it checks only the new ones and plays only what they miss.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from pitboss.core.errors import PitbossError
from pitboss.core.files import write_whole
from pitboss.core.types import Data
from pitboss.run.processes import Processes
from pitboss.sandbox.limits import Limits
from pitboss.tournament.check import Checkup, Finding
from pitboss.tournament.classroom.box import ClassBox
from pitboss.tournament.classroom.outline import outline
from pitboss.tournament.classroom.review import POSITIONS, Review, ReviewPlan
from pitboss.tournament.classroom.similar import ComparedBot, SimilarPair, similar_pairs
from pitboss.tournament.classroom.submissions import Entry, Refusal, entries, submissions, told
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.entering import contestants
from pitboss.tournament.progress import Watcher
from pitboss.tournament.referee.seats import Referee
from pitboss.tournament.standings import Standings
from pitboss.tournament.store import Store
from pitboss.tournament.tournament import Tournament

ID = "class"


@dataclass(frozen=True)
class Student:
    """A student whose bot played: under which name, and what the check said."""

    name: str  # as in the table
    bot: Contestant
    checkup: Checkup


@dataclass(frozen=True)
class ClassResults:
    """All that came out."""

    box: ClassBox
    store: Store
    standings: Standings
    students: tuple[Student, ...]
    opponents: tuple[str, ...]  # as in the table
    refused: tuple[Refusal, ...]
    similar: tuple[SimilarPair, ...]
    entered: tuple[str, ...]  # new in this run


class ClassRun:
    """One run over the folder of a class: `prepare`, then `play`."""

    def __init__(self, folder: Path, workers: int | None = None) -> None:
        self.box = ClassBox(folder)
        self.settings = self.box.settings
        self._workers = workers or os.cpu_count() or 1
        self._isolated = bool(self.box.options.get("require_isolation", False))
        self._seen = _Reviews(self.box, self.settings.limits)
        self._ready: list[Entry] = []
        self._refused: list[Refusal] = []
        self._opponents: list[Contestant] = []

    def prepare(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Find out who can play: `progress` is told how many of all new bots have been checked."""
        box = self.box
        with Referee(box.game, self.settings.limits, self._isolated) as referee:
            found = list(entries(submissions(box.submissions), box.choose, referee))
            entered = enumerate(contestants(box.opponents, box.game, referee), 1)
            self._opponents = [replace(bot, name=f"opponent {n}") for n, bot in entered]
        mine = [one for one in found if isinstance(one, Entry)]
        self._refused = [one for one in found if isinstance(one, Refusal)]
        if mine:
            self._review([*(one.bot for one in mine), *self._opponents], progress)
        for one in mine:
            checkup = self._checkup(one.bot)
            if checkup.decisions:
                self._ready.append(one)
            else:  # it never got as far as being asked
                self._refused.append(Refusal(one.bot.name, told(checkup.findings[0].text, Path(one.bot.path))))
        if not self._ready:
            raise PitbossError(_nobody(box, self._refused))

    def play(self, watch: Watcher | None = None) -> ClassResults:
        """Play what is missing. Ctrl-C keeps what is done, and is raised again."""
        made, new = self._tournament([*self._opponents, *(one.bot for one in self._ready)])
        table = made.play(watch, self._workers)
        names = {_identity(bot): bot.name for bot in made.contestants}
        students = [Student(names[_identity(one.bot)], one.bot, self._checkup(one.bot)) for one in self._ready]
        return ClassResults(
            self.box, made.store, table, tuple(students), tuple(names[_identity(bot)] for bot in self._opponents),
            tuple(self._refused), tuple(self._similar()), new,
        )  # fmt: skip

    def _checkup(self, bot: Contestant) -> Checkup:
        checkup = self._seen[bot].checkup
        assert checkup is not None, "only built-in bots are not checked"
        return checkup

    def _review(self, bots: Sequence[Contestant], progress: Callable[[int, int], None] | None) -> None:
        missing = tuple(bot for bot in bots if bot not in self._seen and bot.kind != "command")
        if not missing:
            return
        plan = ReviewPlan(
            str(self.box.game), missing, self.settings.seats, self.settings.limits, POSITIONS, self._isolated
        )
        done = 0
        for some in Processes(min(self._workers, len(missing))).run(plan, iter(range(len(missing)))):
            for review in some or ():
                self._seen.keep(missing[review.number], review)
                done += 1
                if progress:
                    progress(done, len(missing))
        self._seen.save()

    def _tournament(self, bots: Sequence[Contestant]) -> tuple[Tournament, tuple[str, ...]]:
        """The tournament of the class, with all of these in it; and the names of those who are new."""
        box, store = self.box, Store(self.box.store)
        if ID not in store.ids():
            made = Tournament(
                box.game, bots, store=store, id=ID, private=[box.folder / "class.toml", box.organiser], **box.options
            )
            return made, tuple(bot.name for bot in made.contestants)
        made = Tournament.open(ID, store, self._isolated)
        now, then = (replace(each, engine="") for each in (self.settings, made.settings))
        if (str(box.game), now) != (made.standings().game, then):
            raise PitbossError(
                f"class.toml has changed since the first game; put it back, or delete {box.store} to play all again"
            )
        known = {_identity(bot) for bot in made.contestants}
        new = [bot for bot in bots if _identity(bot) not in known]
        return made, tuple(bot.name for bot in made.add(new)) if new else ()

    def _similar(self) -> list[SimilarPair]:
        given = [path for path in (self.box.folder / "handout").glob("*.py") if not path.name.startswith("test_")]
        handed_out = outline(b"\n".join(path.read_bytes() for path in given))
        own = [
            ComparedBot(
                one.bot.name, self._seen[one.bot].moves, one.outline.without(handed_out) if one.outline else None
            )
            for one in self._ready
        ]
        return similar_pairs(
            own, [ComparedBot(bot.text, self._seen[bot].moves) for bot in self._opponents if bot in self._seen]
        )


def _identity(bot: Contestant) -> tuple[str, str, str]:
    """What tells a bot, in this version, from all others: wherever the folder of the class is."""
    return bot.text, bot.version, bot.call


def _nobody(box: ClassBox, refused: Sequence[Refusal]) -> str:
    if not refused:
        return f"nobody has handed anything in: put files such as anna.py into {box.submissions}"
    first = refused[0]
    rest = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
    return f"no submission can play: {first.student}: {first.why}{rest}"


class _Reviews:
    """What was found out about bots, kept for the next run."""

    def __init__(self, box: ClassBox, limits: Limits) -> None:
        self._path = box.organiser / "reviews.json"
        self._how = [str(box.game), json.loads(json.dumps(asdict(limits))), box.settings.engine]
        self._kept: dict[str, Data] = {}
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            if data["how"] == self._how:
                self._kept = data["bots"]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # there is none yet, or none that is of use

    def __contains__(self, bot: Contestant) -> bool:
        return self._key(bot) in self._kept

    def __getitem__(self, bot: Contestant) -> Review:
        kept = self._kept[self._key(bot)]
        moves = np.frombuffer(zlib.decompress(base64.b64decode(kept["moves"])), np.int16).astype(np.int64)
        checkup = kept["checkup"]
        if checkup is not None:
            findings = tuple(Finding(**finding) for finding in checkup["findings"])
            checkup = Checkup(**{**checkup, "findings": findings})
        return Review(0, checkup, moves)

    def keep(self, bot: Contestant, review: Review) -> None:
        """What was found out about one bot."""
        moves = base64.b64encode(zlib.compress(review.moves.astype(np.int16).tobytes(), 9)).decode()
        self._kept[self._key(bot)] = {"checkup": review.checkup and asdict(review.checkup), "moves": moves}

    def save(self) -> None:
        """Write all of it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, json.dumps({"how": self._how, "bots": self._kept}))

    @staticmethod
    def _key(bot: Contestant) -> str:
        return "|".join(_identity(bot))

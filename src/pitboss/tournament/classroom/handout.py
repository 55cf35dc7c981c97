"""What comes out of a class: for everybody a leaderboard and a page for each student, for the organiser grades as CSV,
Gradescope's results.json for each student, and the bots that are similar.

Names are the students' own, and may be anything: they are text on pages, never names of files or markup.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from pathlib import Path

from pitboss.core.errors import PitbossError
from pitboss.core.files import write_whole
from pitboss.core.record import Record
from pitboss.core.registry import title_of
from pitboss.core.text import cell
from pitboss.core.types import Data
from pitboss.render import leaderboard
from pitboss.tournament.classroom.run import ClassResults, Student
from pitboss.tournament.profile import BotProfile, profiles
from pitboss.tournament.report import write_replays
from pitboss.tournament.standings import StandingsRow

MOST_FILE_NAME = 40  # letters of a student's name in the name of a file


@dataclass(frozen=True)
class LeaderboardLine:
    """One line of the leaderboard: a student, or an opponent."""

    place: int
    row: StandingsRow
    student: Student | None
    points: float = 0.0
    page: str = ""

    @property
    def faults(self) -> int:
        """How often the referee ruled a fault."""
        return sum(self.row.faults.values())


@dataclass(frozen=True)
class Handout:
    """Where everything is."""

    leaderboard: Path
    pages: dict[str, Path]
    grades: Path
    gradescope: Path
    similar: Path
    lines: tuple[LeaderboardLine, ...]


def write_handout(results: ClassResults) -> Handout:
    """Write everything that comes out of a class."""
    box = results.box
    lines = tuple(leaderboard_of(results))
    names = {line.row.name for line in lines}
    try:
        for folder in (box.public / "students", box.organiser / "gradescope"):
            folder.mkdir(parents=True, exist_ok=True)
        about = {profile.row.name: profile for profile in _profiles(results)}
        index = box.public / "index.html"
        write_whole(index, leaderboard.page(_page_data(results, lines)))
        pages = {}
        for line in lines:
            if line.student:
                pages[line.row.name] = box.public / line.page
                profile = about[line.row.name]
                write_replays(results.store, results.standings.id, profile, pages[line.row.name].parent, _for_all)
                data = _student_data(results, line, profile, names)
                write_whole(pages[line.row.name], leaderboard.student_page(data))
                place = box.organiser / "gradescope" / Path(line.page).stem
                place.mkdir(exist_ok=True)
                write_whole(place / "results.json", json.dumps(gradescope(line, len(lines)), indent=2))
        grades, similar = box.organiser / "grades.csv", box.organiser / "similar.json"
        write_whole(grades, _csv(results, lines))
        write_whole(similar, json.dumps([pair.to_dict() for pair in results.similar], indent=2, ensure_ascii=False))
    except OSError as problem:
        raise PitbossError(f"cannot write results to {box.folder}: {problem.strerror}") from problem
    return Handout(index, pages, grades, box.organiser / "gradescope", similar, lines)


def leaderboard_of(results: ClassResults) -> Iterator[LeaderboardLine]:
    """The table, as far as it is about students' latest bots and the opponents, with places and points."""
    students = {student.name: student for student in results.students}
    rows = [row for row in results.standings.rows if row.name in students or row.name in results.opponents]
    ranks = [row.rank for row in rows]
    points, taken = results.box.points, set[str]()
    for row in rows:
        student = students.get(row.name)
        beaten = sum(other.rank > row.rank for other in rows if other.name in results.opponents)
        earned = points["opponents"] * beaten / max(1, len(results.opponents))
        earned += points["ready"] if student and student.checkup.fine else 0
        page = f"students/{_file_name(row.name, taken)}.html" if student else ""
        yield LeaderboardLine(1 + sum(rank < row.rank for rank in ranks), row, student, round(earned, 1), page)


def _file_name(name: str, taken: set[str]) -> str:
    """A name for a student's files: letters, digits and dashes, and different from those that are taken."""
    base = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:MOST_FILE_NAME] or "student"
    found = next(each for n in range(1, len(taken) + 2) if (each := base if n == 1 else f"{base}-{n}") not in taken)
    taken.add(found)
    return found


def gradescope(line: LeaderboardLine, bots: int) -> Data:
    """The results of one student as Gradescope reads them: points, a test for each finding, and a leaderboard."""
    assert line.student is not None
    row, checkup = line.row, line.student.checkup
    low, high = row.ci95 or (row.win_share, row.win_share)
    share = f"{100 * row.win_share:.1f} % of the matches (95 %: {100 * low:.1f} to {100 * high:.1f})"
    return {
        "score": line.points,
        "output": f"Place {line.place} of {bots}: {share}.",
        "tests": [
            {"name": finding.about, "status": "passed" if finding.fine else "failed", "output": finding.text}
            for finding in checkup.findings
        ],
        "leaderboard": [
            {"name": "share of matches won (%)", "value": round(100 * row.win_share, 1)},
            {"name": "place", "value": line.place, "order": "asc"},
            {"name": "faults", "value": line.faults, "order": "asc"},
        ],
        "extra_data": {"version": row.version, "matches": row.matches, "ci95": row.ci95},
    }


def _csv(results: ClassResults, lines: tuple[LeaderboardLine, ...]) -> str:
    """A row for each student, those who are not entered among them."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(
        [
            "student",
            "points",
            "place",
            "share",
            "share_low",
            "share_high",
            "matches",
            "faults",
            "ready",
            "version",
            "note",
        ]
    )
    for line in lines:
        if line.student:
            row, checkup = line.row, line.student.checkup
            low, high = row.ci95 or ("", "")
            wrong = "; ".join(f"{each.about}: {each.text}" for each in checkup.findings if not each.fine)
            values = [
                row.name, line.points, line.place, round(row.win_share, 4), low, high, row.matches, line.faults,
                checkup.fine, row.version, wrong,
            ]  # fmt: skip
            writer.writerow(map(cell, values))
    for one in results.refused:
        writer.writerow(map(cell, [one.student, 0, "", "", "", "", 0, "", False, "", f"not entered: {one.why}"]))
    return out.getvalue()


def _page_data(results: ClassResults, lines: tuple[LeaderboardLine, ...]) -> Data:
    table = results.standings
    return {
        "title": results.box.title,
        "game": title_of(table.game),
        "seats": table.settings["seats"],
        "matches": table.matches,
        "games": table.games,
        "lines": [
            {
                "place": line.place,
                "name": line.row.name,
                "page": line.page,
                "share": line.row.win_share,
                "ci95": line.row.ci95,
                "matches": line.row.matches,
                "faults": line.faults,
            }
            for line in lines
        ],
    }


def _profiles(results: ClassResults) -> list[BotProfile]:
    """Why each student's bot won or lost."""
    return profiles(results.store, results.standings.id, [student.name for student in results.students])


def _for_all(record: Record) -> Record:
    """A game without what is nobody else's business: the key of all cards, what bots printed, why they failed."""
    return replace(record, key=None, output={}, faults=dict.fromkeys(record.faults, "the bot made a fault"))


def _student_data(results: ClassResults, line: LeaderboardLine, profile: BotProfile, names: Set[str]) -> Data:
    """What a student's page shows: nothing of the organiser's folders, and of others only what the leaderboard has."""
    assert line.student is not None
    about = profile.to_dict()
    about["opponents"] = [part for part in about["opponents"] if part["name"] in names]
    return {
        "title": line.row.name,
        "class_title": results.box.title,
        "game": title_of(results.standings.game),
        "place": line.place,
        "bots": len(names),
        "points": line.points,
        "row": line.row,
        "faults": line.faults,
        "findings": line.student.checkup.findings,
        "profile": about,
    }

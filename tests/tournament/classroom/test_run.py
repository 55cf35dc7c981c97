"""A class from its folder to its pages."""

import csv
import json

import pytest

from pitboss.core.errors import PitbossError
from pitboss.tournament.classroom.box import ClassBox, init_class
from pitboss.tournament.classroom.handout import write_handout
from pitboss.tournament.classroom.run import ClassRun
from pitboss.tournament.store import Store

HEAD = "from pitboss.flip7 import HIT, STAY, Flip7Bot\n\n\n"
RULE = """class {name}(Flip7Bot):
    def hit_or_stay(self, view):
        held, risk = view.points, view.odds.bust
        if held > {limit} and risk > 0.1:
            return STAY
        if risk > 0.5 or (held > 10 and risk > 0.45):
            return STAY
        for number in view.numbers:
            if number > 9 and held + number > 50:
                return STAY
        return HIT
"""
SHORT = """class {name}(Flip7Bot):
    def hit_or_stay(self, view):
        return HIT if view.points < {limit} else STAY
"""
HELPED = """class Base(Flip7Bot):
    limit = 12
    def hit_or_stay(self, view):
        return HIT if view.points < self.limit else STAY


class _Spare(Base):
    limit = 1


class Cleo(Base):
    limit = 33
"""
TWO = RULE.format(name="First", limit=5) + "\n\n" + RULE.format(name="Second", limit=6)
ODD = "<b>o'dd</b>"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """The folder of a class that plays little, and is asked about few positions."""
    monkeypatch.setattr("pitboss.tournament.classroom.run.POSITIONS", 400)
    monkeypatch.setattr("pitboss.tournament.classroom.review.CHECK_GAMES", 3)
    init_class(tmp_path / "course", "flip7:tournament", games=100)  # for another target a table would be worked out
    return tmp_path / "course"


def hand_in(course, name, text):
    file = course / "submissions" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(HEAD + text)


def run(course):
    going = ClassRun(course, workers=1)
    going.prepare()
    return going.play()


def test_a_class_from_files_to_pages(course):
    hand_in(course, "anna.py", RULE.format(name="Anna", limit=25))
    hand_in(course, "ben.py", RULE.format(name="Ben", limit=25).replace("held", "mine").replace("risk", "danger"))
    hand_in(course, "cleo.py", HELPED)
    hand_in(course, "dora.py", TWO)
    hand_in(course, "emil.py", "import os\nos._exit(0)\n")
    hand_in(course, "finn.py", "class Finn(Flip7Bot):\n    def hit_or_stay(self, view):\n        return view.nothing\n")
    hand_in(course, f"{ODD}.py".replace("/", "∕"), SHORT.format(name="Odd", limit=18))
    hand_in(course, "=1+1.py", SHORT.format(name="Formula", limit=9))
    hand_in(course, "gina/bot.py", SHORT.format(name="Gina", limit=44))
    (course / "submissions" / "link.py").symlink_to("/etc/passwd")
    (course / "submissions" / "notes.txt").write_text("not a bot")

    results = run(course)
    written = write_handout(results)

    refused = {one.student: one.why for one in results.refused}
    assert set(refused) == {"dora", "emil", "link"}
    assert 'write dora = "First" under [choose] in class.toml' in refused["dora"]
    assert "its process ended" in refused["emil"]
    assert {student.bot.name: student.bot.call for student in results.students}["cleo"] == "Cleo"
    assert len(results.opponents) == 4
    assert [(pair.a, pair.b) for pair in results.similar] == [("anna", "ben")]
    assert results.similar[0].shape == 1.0

    page = written.leaderboard.read_text()
    assert "opponent 1" in page
    assert "stay-25" not in page, "what the hidden opponents are stays hidden"
    assert "<b>o" not in page
    assert "&lt;b&gt;" in page
    assert all(path.is_relative_to(course / "results" / "public" / "students") for path in written.pages.values())
    key = str(results.store.tournament(results.standings.id).key)
    for file in (course / "results" / "public").rglob("*.html"):
        assert key not in file.read_text(), "who hands in late would know the cards"
    assert all("Why it won or lost" in path.read_text() for path in written.pages.values())
    for path in (written.leaderboard, *written.pages.values()):
        assert str(course) not in path.read_text(), "no folder of the organiser's is shown"
    assert "look at line 6 of finn.py" in written.pages["finn"].read_text()

    rows = {row["student"]: row for row in csv.DictReader(written.grades.read_text().splitlines())}
    assert "'=1+1" in rows
    assert rows["dora"]["points"] == "0"
    assert rows["finn"]["ready"] == "False"
    graded = {path.parent.name: json.loads(path.read_text()) for path in written.gradescope.glob("*/results.json")}
    anna = graded["anna"]
    assert anna["score"] == float(rows["anna"]["points"]) >= 40
    assert [test["status"] for test in anna["tests"]] == ["passed"] * len(anna["tests"])
    assert anna["leaderboard"][0]["name"] == "share of matches won (%)"
    assert graded["finn"]["score"] < 40
    assert len(graded) == len(results.students)


def test_late_files_play_only_what_is_missing(course):
    hand_in(course, "anna.py", RULE.format(name="Anna", limit=25))
    hand_in(course, "dora.py", TWO)
    first = run(course).standings
    sittings = len(Store(str(course / "class.db")).sittings("class"))
    again = run(course)
    assert again.entered == ()
    assert again.standings.matches == first.matches
    assert [one.student for one in again.refused] == ["dora"]

    settings = course / "class.toml"
    settings.write_text(settings.read_text() + '\ndora = "Second"\n')
    hand_in(course, "anna.py", RULE.format(name="Anna", limit=15))
    third = run(course)
    assert third.entered == ("anna v2", "dora")
    assert third.standings.matches > first.matches
    later = Store(str(course / "class.db")).sittings("class")[sittings:]
    assert later
    assert all(max(sitting.bots) >= len(first.names) for _, sitting, _ in later), "somebody in it is new"
    lines = write_handout(third).lines
    assert sorted(line.row.name for line in lines if line.student) == ["anna v2", "dora"]

    settings.write_text(settings.read_text().replace("strikes = 3", "strikes = 4"))
    with pytest.raises(PitbossError, match=r"class.toml has changed since the first game"):
        run(course)


@pytest.mark.parametrize("spec", ["show:fair", "flip7:solo(target=60)"])
def test_every_game_has_a_class(tmp_path, monkeypatch, spec):
    monkeypatch.setattr("pitboss.tournament.classroom.run.POSITIONS", 50)
    monkeypatch.setattr("pitboss.tournament.classroom.review.CHECK_GAMES", 2)
    course = tmp_path / "course"
    init_class(course, spec, games=60)
    starter = (course / "handout" / "my_bot.py").read_text()
    (course / "submissions" / "anna.py").write_text(starter)
    (course / "submissions" / "ben.py").write_text(starter)
    results = run(course)
    assert len(write_handout(results).pages) == 2
    assert [pair.moves for pair in results.similar] == [1.0], "the same bot with the same luck"
    assert results.similar[0].shape is None, "nothing of it is their own"


def test_what_is_no_class_is_said_in_a_sentence(tmp_path, course):
    with pytest.raises(PitbossError, match=r"has no class.toml; pitboss class init makes one"):
        ClassRun(tmp_path)
    with pytest.raises(PitbossError, match="exists already and is left as it is"):
        init_class(course)
    with pytest.raises(PitbossError, match="nobody has handed anything in"):
        run(course)
    hand_in(course, "dora.py", TWO)
    with pytest.raises(PitbossError, match="no submission can play: dora: the file has 2 bots"):
        run(course)
    settings = course / "class.toml"
    settings.write_text(settings.read_text().replace("ready = 40", 'ready = "all"'))
    with pytest.raises(PitbossError, match=r"\[points\] has ready and opponents, both numbers"):
        ClassBox(course).points  # noqa: B018

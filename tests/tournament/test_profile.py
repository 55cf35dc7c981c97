"""Why a bot won or lost: measured, linked to replays, and on pages that can be handed out."""

import json

import pytest

from pitboss.core.keys import Key
from pitboss.core.registry import load
from pitboss.run.batch import simulate
from pitboss.tournament.profile import profiles
from pitboss.tournament.report import file_name, write_bot_pages, write_report
from pitboss.tournament.tournament import Tournament

BROKEN = """
from pitboss.flip7 import Flip7Bot

class Broken(Flip7Bot):
    def hit_or_stay(self, view):
        return 1 // 0
"""


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    folder = tmp_path_factory.mktemp("organiser")
    (folder / "broken.py").write_text(BROKEN)
    made = Tournament("flip7:tournament", ["ev", "stay-10", str(folder / "broken.py")], blocks=6, seed=1)
    made.play(workers=1)
    yield made, folder
    made.store.close()


def test_figures_are_those_of_the_games(cup):
    """What a simulation of the same two bots counts, a profile counts, too."""
    made = Tournament("flip7:tournament", ["ev", "stay-10"], blocks=8, seed=4)
    made.play(workers=1)
    [first, second] = profiles(made.store, made.id)
    same = simulate("flip7:tournament", ["ev", "stay-10"], games=16, seed=Key.from_seed(4))
    for profile in (first, second):
        bot = same.number_of(profile.row.name)
        for figure, found in zip(same.game.figures, profile.figures, strict=True):
            assert found.mean == pytest.approx(same.sums.figure(figure, bot).mean), figure.name
        shares = [same.sums.at_seat(bot, seat).mean for seat in range(2)]
        assert [part.share for part in profile.seats] == pytest.approx(shares)
        assert profile.opponents[0].share == pytest.approx(profile.row.game_win_share)
        assert sum(move.mean for move in profile.moves if move.percent) == pytest.approx(1)
    assert first.figures[0].others == pytest.approx(second.figures[0].mean)
    made.store.close()


def test_it_is_said_why_a_bot_lost(cup):
    made, _ = cup
    found = {profile.row.name: profile for profile in profiles(made.store, made.id)}
    early = found["stay-10"]
    habit = early.verdicts.habits[0]
    assert (habit.played, habit.better) == ("stay", "hit")
    assert habit.ci95[0] > 0
    assert 10 <= habit.stakes[0] <= habit.stakes[1] < 25  # points
    assert early.verdicts.percent
    assert early.verdicts.lost_ci95[0] < early.verdicts.lost < early.verdicts.lost_ci95[1]
    assert any("it answered “stay”" in sentence and "where “hit” was better" in sentence for sentence in early.words)
    stay = next(move for move in early.moves if move.name == "stay")
    assert stay.differs
    assert stay.mean > stay.others
    how_early = next(move for move in early.moves if move.name == "stay_points")
    assert how_early.differs
    assert how_early.mean < how_early.others
    assert "ZeroDivisionError" in found["Broken"].words[0]  # faults come first
    worst = early.verdicts.worst[0]
    record = made.store.record(made.id, worst.game)
    positions = [position.to_act for position, _, _ in record.replay()]
    assert record.labels[positions[worst.step - 1]] == "stay-10"


def test_how_much_is_judged_does_not_depend_on_the_machine(cup, monkeypatch):
    """A number of decisions that the game and the number of bots decide, however long it takes."""
    made, _ = cup
    usual = {profile.row.name: profile.verdicts for profile in profiles(made.store, made.id)}
    now = iter(range(0, 10**9, 1000))
    for clock in ("thread_time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(f"time.{clock}", lambda: float(next(now)))  # a machine on which everything takes ages
    found = {profile.row.name: profile.verdicts for profile in profiles(made.store, made.id)}
    assert found == usual
    assert 50 < found["ev"].judged <= 150 < found["ev"].decisions


def test_pages_are_to_be_handed_out(cup, tmp_path):
    made, folder = cup
    pages = write_bot_pages(made.store, made.id, tmp_path / "pages")
    assert set(pages) == {"ev", "stay-10", "Broken"}
    html = pages["stay-10"].read_text()
    assert "Why it won or lost" in html
    data = json.loads(pages["stay-10"].with_suffix(".json").read_text())
    for decision in data["verdicts"]["worst"]:
        assert f'href="game-{decision["game"]}.html#{decision["step"] - 1}"' in html
        assert (tmp_path / "pages" / f"game-{decision['game']}.html").exists()
    for file in (tmp_path / "pages").iterdir():
        assert str(folder) not in file.read_text()
    assert write_bot_pages(made.store, made.id, tmp_path / "one", ["ev"]).keys() == {"ev"}


def test_the_report_says_why_and_links_a_page_for_each_bot(cup, tmp_path):
    made, folder = cup
    written = write_report(made.store, made.id, tmp_path / "report")
    html = written.index.read_text()
    assert "Why they won or lost" in html
    assert "ZeroDivisionError" in html
    for name in ("ev", "stay-10", "Broken"):
        assert f'href="bots/{name}.html"' in html
        assert (tmp_path / "report" / "bots" / f"{name}.html").exists()
    assert str(folder) not in html


def test_replays_of_another_report_are_replaced(cup, tmp_path):
    made, _ = cup
    for number in range(100):
        (tmp_path / f"game-{number}.html").write_text("of another tournament")
    page = write_bot_pages(made.store, made.id, tmp_path)["stay-10"]
    linked = [each["game"] for each in json.loads(page.with_suffix(".json").read_text())["verdicts"]["worst"]]
    assert linked
    assert all("of another tournament" not in (tmp_path / f"game-{n}.html").read_text() for n in linked)


def test_every_game_has_profiles():
    with_seats = Tournament("show:fair", ["show-6", "counter"], blocks=3, seed=1)
    with_seats.play(workers=1)
    found = profiles(with_seats.store, with_seats.id)
    assert [figure.name for figure in found[0].figures] == [figure.name for figure in load("show:fair").figures]
    assert found[0].words
    with_seats.store.close()


def test_files_have_names_of_their_own():
    used = set()
    assert [file_name(name, used) for name in ("Ann", "ann", "../../etc", "…")] == ["Ann", "ann-2", "etc", "bot"]

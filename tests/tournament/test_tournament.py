"""Tournaments from the outside: the same table however they are run."""

import json
import signal
from html import unescape

import numpy as np
import pytest

from pitboss import Tournament, compare
from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.games.flip7 import HIT, STAY, Flip7Bot
from pitboss.run.processes import Processes
from pitboss.tournament import schedule
from pitboss.tournament.match import MatchWorker
from pitboss.tournament.report import write_report
from pitboss.tournament.standings import Standings
from pitboss.tournament.store import Store

BOTS = "random,conservative,stay-25,bust-0.25,ev"


def table(standings):
    """The part of a result that must not depend on how it was run."""
    data = standings.to_dict()
    return json.dumps({k: v for k, v in data.items() if k not in ("id", "created", "times")}, sort_keys=True)


@pytest.mark.parametrize(
    ("spec", "bots", "seats"),
    [
        ("flip7:tournament", BOTS, 2),
        ("flip7:tournament", BOTS, 4),
        ("show:fair", "random,show-6,counter", 2),
        ("flip7:solo", "stay-25,ev", 1),
    ],
)
def test_workers_change_nothing(spec, bots, seats):
    alone = Tournament(spec, bots, seats=seats, best_of=3, blocks=3, seed=1).play()
    together = Tournament(spec, bots, seats=seats, best_of=3, blocks=3, seed=1).play(executor=Processes(2))
    assert table(alone) == table(together)
    assert alone.matches == alone.matches_planned > 0


def test_the_numbers_of_a_table():
    s = Tournament("flip7:tournament", BOTS, best_of=5, blocks=10, seed=1).play()
    assert s.matches == 10 * 10 * 2
    assert [row.matches for row in s.rows] == [80] * 5
    assert sum(row.wins for row in s.rows) + sum(row.draws for row in s.rows) / 2 == s.matches
    assert sum(row.win_share for row in s.rows) == pytest.approx(5 / 2)
    assert s.games + s.games_not_needed == s.matches * 5
    assert [row.rank for row in s.rows] == [1, 2, 3, 4, 5]
    assert {row.name for row in s.rows[:3]} == {"ev", "bust-0.25", "stay-25"}
    assert s.rows[-1].name == "random"
    assert sum(row.p_best for row in s.rows) == pytest.approx(1)
    for row in s.rows:
        assert row.ci95[0] <= row.win_share <= row.ci95[1]
    for i, a in enumerate(s.names):
        for j, b in enumerate(s.names):
            assert s.meetings[i][j] == (20 if a != b else 0)
            if a != b:
                assert s.wins[i][j] + s.wins[j][i] <= 20
    assert any(statement.startswith("ev is better than") for statement in s.statements())
    assert "<table>" in s._repr_html_()
    assert s.as_csv().splitlines()[0].startswith("rank,name,")
    assert len(s.as_csv().splitlines()) == 6


def test_bots_that_play_alone_are_ranked_by_how_soon_they_are_done():
    """Every two on the same deals are a match; the rounds are counted here from the records."""
    store = Store(":memory:")
    bots, blocks, best_of = ["stay-25", "random", "stay-15", "stay-200"], 6, 2
    cup = Tournament("flip7:solo(max_rounds=60)", bots, seats=1, blocks=blocks, best_of=best_of, seed=1, store=store)
    s = cup.play()
    rounds = {bot: np.zeros(blocks) for bot in bots}
    for n in range(len(bots) * blocks * best_of):
        record = store.record(cup.id, n)
        begun = sum(event.kind == "round started" for _, events, _ in record.replay() for event in events)
        rounds[record.labels[0]][record.deal // best_of] += np.inf if record.outcome.ended == "cut" else begun
    assert np.isinf(rounds["stay-200"]).any()  # it waits for a Flip 7
    for i, a in enumerate(s.names):
        for j, b in enumerate(s.names):
            assert s.wins[i][j] == (rounds[a] < rounds[b]).sum()
            assert s.meetings[i][j] == (blocks if a != b else 0)
    assert s.matches == s.matches_planned == 6 * blocks
    assert s.rows[0].name == "stay-25"
    assert s.rows[0].mean_length == pytest.approx(rounds["stay-25"].mean() / best_of)
    assert s.rows[0].length_ci95[0] < s.rows[0].mean_length < s.rows[0].length_ci95[1]
    assert Standings.from_dict(s.to_dict()) == s


def test_all_matches_share_their_deals():
    store = Store(":memory:")
    t = Tournament("flip7:tournament", "stay-25,ev,random", blocks=2, best_of=2, seed=1, store=store)
    t.play()
    first = [store.record(t.id, n) for n in (0, 2, 4, 6, 8, 10)]
    assert {record.deal for record in first} == {0}
    for record in first:
        assert record.cards[:2] == first[0].cards[:2]  # before anybody decided anything


def test_a_key_of_the_operating_system():
    one = Tournament("flip7:tournament", "stay-25,ev", blocks=1)
    two = Tournament("flip7:tournament", "stay-25,ev", blocks=1)
    assert one.key_hash != two.key_hash
    before = one.standings()
    assert (before.key, before.finished) == (None, False)
    after = one.play()
    assert after.finished
    again = Tournament("flip7:tournament", "stay-25,ev", blocks=1, seed=Key.parse(after.key)).play()
    assert again.key_hash == one.key_hash
    assert [row.wins for row in again.rows] == [row.wins for row in after.rows]


def test_adding_a_bot_plays_only_what_is_missing():
    whole = Tournament("flip7:tournament", "stay-25,ev,random", blocks=3, seed=1).play()
    t = Tournament("flip7:tournament", "stay-25,ev", blocks=3, seed=1)
    first = t.play()
    assert first.matches == 6
    assert [bot.name for bot in t.add("random")] == ["random"]
    assert not t.standings().finished
    assert t.standings().matches_planned == 18
    after = t.play()
    assert [(r.name, r.wins, r.games) for r in after.rows] == [(r.name, r.wins, r.games) for r in whole.rows]
    with pytest.raises(PitbossError, match="has played in this tournament already"):
        t.add("random")


def test_a_bot_that_is_added_cannot_own_the_folder_of_another(tmp_path):
    source = "from pitboss.flip7 import Flip7Bot\nclass Mine(Flip7Bot): pass\n"
    (tmp_path / "first.py").write_text(source)
    (tmp_path / "bot.py").write_text(source)
    t = Tournament("flip7:tournament", f"{tmp_path}/first.py,ev", blocks=1, seed=1)
    with pytest.raises(PitbossError, match="owns the folder .* and could read .*first.py there"):
        t.add(f"{tmp_path}/:Mine")


def test_a_gauntlet_is_one_against_all():
    s = Tournament("flip7:tournament", "ev,stay-25,random", format="gauntlet", blocks=2, seed=1).play()
    assert {row.name: row.matches for row in s.rows} == {"ev": 8, "stay-25": 4, "random": 4}
    assert s.meetings[1][2] == 0


def test_a_gauntlet_compares_only_those_who_met():
    """The first has the largest share, of matches against weak bots, and is beaten by the second."""
    bots = "stay-25,ev,random,always-hit,conservative"
    s = Tournament("flip7:tournament", bots, format="gauntlet", blocks=60, best_of=5, seed=1).play()
    shares = {row.name: row.win_share for row in s.rows}
    assert shares["stay-25"] == max(shares.values())
    assert s.wins[1][0] > s.wins[0][1]
    assert s.rows[0].name == "ev"
    assert {versus.b for versus in s.versus if versus.better == "stay-25"} == {"random", "always-hit", "conservative"}
    assert all(versus.a == "stay-25" for versus in s.versus)


def test_a_report_says_what_went_wrong_first_and_tells_no_seed_too_soon(tmp_path):
    (tmp_path / "ann.py").write_text("import nothing_of_the_kind\n")
    bots = ["stay-25", str(tmp_path / "ann.py")]
    t = Tournament("flip7:tournament", bots, blocks=2, seed=987654321, id="cup")
    before = write_report(t.store, "cup", tmp_path / "before").index.read_text()
    t.play(workers=1)
    written = write_report(t.store, "cup", tmp_path / "after")
    after = written.index.read_text()
    assert "No module named 'nothing_of_the_kind'" in unescape(after)
    assert "(exception)" in after
    assert "(forfeit)" not in after
    assert "987654321" in after
    assert "987654321" not in before


def test_too_few_deals_are_named_as_such():
    def statements(blocks, **more):
        return Tournament("flip7:tournament", "ev,stay-25,random", blocks=blocks, seed=1, **more).play().statements()

    assert statements(2) == ["every pair is too close to call; 2 deals cannot say more, 6 or more could"]
    assert "ev is better than random" in statements(6, best_of=9)  # and 6 deals may be enough


def test_a_table_is_ordered_by_what_its_verdicts_are_about():
    s = Tournament("flip7:tournament", "ev,stay-25,random,conservative,stay-10", blocks=8, seed=1).play()
    strengths = [row.strength for row in s.rows]
    assert strengths == sorted(strengths, reverse=True)
    better = {(v.better, v.b if v.better == v.a else v.a) for v in s.versus if v.better}
    for row in s.rows:
        assert row.rank_ci95 == [1 + sum(b == row.name for _, b in better), 5 - sum(a == row.name for a, _ in better)]
        assert row.rank_ci95[0] <= row.rank <= row.rank_ci95[1]
    [asked] = [text for text in s.statements() if text.startswith("it would take about")]
    first = next(row for row in s.rows if row.games_to_tell)
    assert f"{first.games_to_tell:,} games to tell {first.name}" in asked
    assert first.games_to_tell > s.games


def test_a_budget_is_a_balanced_sample():
    names = ",".join(f"stay-{n}" for n in range(15, 27))
    s = Tournament("flip7:tournament", names, seats=4, games=400, seed=1).play()
    seats = [row.matches for row in s.rows]
    assert max(seats) - min(seats) <= 4  # one sitting is four matches
    assert s.games + s.games_not_needed <= 400
    assert all(s.meetings[a][b] > 0 for a in range(12) for b in range(12) if a != b)
    with pytest.raises(PitbossError, match="too little for 12 bots to meet.* it takes"):
        Tournament("flip7:tournament", names, seats=4, games=40)


def test_swiss_rounds_are_planned_one_after_another():
    names = ",".join(f"stay-{n}" for n in (5, 10, 15, 20, 25, 30, 35)) + ",random"
    t = Tournament("flip7:tournament", names, format="swiss", rounds=4, best_of=5, seed=1)
    assert t.standings().matches_planned == 8
    s = t.play()
    assert s.matches == 4 * 4 * 2
    assert [row.matches for row in s.rows] == [8] * 8
    with pytest.raises(PitbossError, match="Swiss tournament that has begun"):
        t.add("ev")


def test_two_drivers_plan_a_swiss_round_once(tmp_path, monkeypatch):
    def make(name):
        Tournament(
            "flip7:tournament", BOTS, format="swiss", rounds=4, seed=1, id="cup", store=str(tmp_path / name)
        ).store.close()
        return Tournament.open("cup", str(tmp_path / name))

    alone, first, plan, begun = make("alone.db").play(), make("shared.db"), schedule.swiss, []

    def overtaken(*args):
        """Another driver plans, plays and ends everything while the first one plans its second round."""
        if not begun:
            begun.append(True)
            Tournament.open("cup", str(tmp_path / "shared.db")).play()
        return plan(*args)

    monkeypatch.setattr(schedule, "swiss", overtaken)
    assert table(first.play()) == table(alone)


def test_bots_that_others_entered_meanwhile(tmp_path):
    store = str(tmp_path / "games.db")
    first = Tournament("flip7:tournament", "ev,random", blocks=1, seed=1, id="cup", store=store)
    Tournament.open("cup", store).add("stay-25")
    with pytest.raises(PitbossError, match="somebody else has entered bots"):
        first.add("stay-20")
    assert len(Tournament.open("cup", store).contestants) == 3


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"format": "knockout"}, "unknown format 'knockout'"),
        ({"seat": 2}, "unknown option of a tournament: 'seat' .did you mean 'seats'"),
        ({"seats": 9}, "cannot fill a table of 9 seats"),
        ({"seats": 0}, "2 to 18 seats"),
        ({"best_of": 0}, "`best_of` must be 1 or more"),
        ({"blocks": 0}, "`blocks` must be a whole number from 1 up"),
        ({"games": 100, "format": "swiss"}, "is for round robins"),
    ],
)
def test_what_cannot_be_played_is_refused(wrong, sentence):
    with pytest.raises(PitbossError, match=sentence):
        Tournament("flip7:tournament", "stay-25,ev", **wrong)


def test_progress_is_told():
    seen = []
    Tournament("flip7:tournament", "stay-25,ev,random", blocks=100, seed=1).play(watch=seen.append)
    assert seen[-1].matches == seen[-1].all_matches == 600
    assert [p.matches for p in seen] == sorted(p.matches for p in seen)
    assert set(seen[-1].shares) == {"stay-25", "ev", "random"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_waits_for_a_good_moment(number):
    store, seen = Store(":memory:"), []
    before = signal.getsignal(number)

    def press(progress):
        seen.append(progress.matches)
        signal.raise_signal(number)  # while nothing may be interrupted
        seen.append("unharmed")

    t = Tournament("flip7:tournament", "stay-25,ev", blocks=200, seed=1, store=store)
    with pytest.raises(KeyboardInterrupt):
        t.play(watch=press)
    assert seen[1:] == ["unharmed"]
    assert t.standings().matches == seen[0] > 0
    assert signal.getsignal(number) is before
    assert t.play().finished


def test_a_second_ctrl_c_does_not_wait():
    def press(progress):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("not reached")

    with pytest.raises(KeyboardInterrupt):
        Tournament("flip7:tournament", "stay-25,ev", blocks=200, seed=1).play(watch=press)


class Mine(Flip7Bot):
    """As somebody would write it in a notebook."""

    def hit_or_stay(self, view):
        return HIT if view.points < 25 else STAY


def test_classes_of_the_caller_take_part(tmp_path):
    store = Store(str(tmp_path / "games.db"))
    t = Tournament("flip7:tournament", [Mine, "random"], blocks=6, seed=1, store=store)
    s = t.play()
    assert (s.rows[0].name, s.rows[0].kind) == ("Mine", "class")
    assert s.rows[0].steady is True
    t.add(["ev"])
    assert t.play().matches == 36
    t.add("stay-20")
    with pytest.raises(PitbossError, match="Mine was a class of the program"):
        Tournament.open(t.id, store).play()
    assert compare("flip7:tournament", Mine, "random", seed=1).verdict == "better"


def test_the_table_that_was_kept_is_the_one_that_is_worked_out():
    store = Store(":memory:")
    t = Tournament("flip7:tournament", BOTS, best_of=3, blocks=3, seed=1, store=store)
    played = t.play()
    revision, content = store.standings(t.id)
    assert revision == store.tournament(t.id).revision
    assert Standings.from_dict(json.loads(json.dumps(content))) == played
    assert t.standings() == played


def test_of_a_small_tournament_the_table_is_never_behind():
    t = Tournament("flip7:tournament", "stay-25,ev", blocks=3, seed=1)
    t.play()
    t.add("random")
    assert (t.standings().matches_planned, t.standings().behind) == (18, False)


def test_of_a_large_tournament_readers_get_the_table_that_was_kept(monkeypatch, tmp_path):
    monkeypatch.setattr("pitboss.tournament.standings.QUICK", 100)
    monkeypatch.setattr("pitboss.tournament.progress.QUICK", 100)
    monkeypatch.setattr("pitboss.tournament.tournament.COMMIT_SECONDS", 0.0)
    monkeypatch.setattr("pitboss.tournament.progress.REFRESH_SHARE", 1e9)  # after every save
    t = Tournament("flip7:tournament", "stay-25,ev", blocks=400, seed=1)
    seen = []

    def look(progress):
        table = t.standings()
        seen.append((table.matches, progress.matches, table.behind))
        if progress.matches > 500:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        t.play(watch=look)
    assert all(shown == played for shown, played, behind in seen if not behind)
    assert any(shown > 100 and not behind for shown, _, behind in seen)
    [(number, sitting, rotation), *_] = t.store.planned(t.id)
    with MatchWorker(t._plan(tmp_path)) as worker:
        t.store.save(t.id, [(number, sitting, worker.play(sitting, rotation))], 1)
    stale = t.standings()
    assert stale.behind
    assert stale.matches == seen[-1][1]
    assert "more matches have been played since" in stale.warnings()[0]
    assert not t.play().behind

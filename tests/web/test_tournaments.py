"""Tournaments in the browser: followed while they are played, by us or by others, and taken home."""

import csv
import io
import json
import subprocess
import sys
import time

import pytest

from pitboss import Tournament
from pitboss.core.record import Record
from pitboss.tournament.store import Store
from tests.tournament.tables import SlowBot
from tests.web.conftest import PATIENCE, opened, until

BOT = """
from pitboss.flip7 import HIT, STAY, Flip7Bot

class Twenty(Flip7Bot):
    def hit_or_stay(self, view):
        return HIT if view.points < 20 else STAY
"""
WATCH = """() => {
  const main = document.querySelector("[data-tournament]");
  window.counts = [main.dataset.matches];
  const seen = new MutationObserver(() => window.counts.push(main.dataset.matches));
  seen.observe(main, { attributeFilter: ["data-matches"] });
}"""


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """A server whose visitors may start tournaments, and its folder."""
    folder = tmp_path_factory.mktemp("host")
    with opened(store=str(folder / "cup.db"), allow_runs=True, creations_per_minute=100_000) as host:
        host.folder = folder
        yield host


@pytest.fixture(scope="module")
def cup(host):
    """A small tournament that is over."""
    made = Tournament("flip7:tournament", "ev,stay-25,random", blocks=6, seed=1, store=host.settings.store, id="cup")
    made.play()
    return made


def shown(page):
    """The leaderboard on a page: names and shares."""
    rows = page.locator("[data-part=table] tbody tr").all()
    return [(row.get_attribute("data-bot"), row.locator("td").nth(1).inner_text().split("\n")[0]) for row in rows]


def test_the_list_counts_matches_as_the_tournament_itself_does(host):
    """Also those of bots that play alone, and meet on their deals."""
    for id, spec in (("alone", "flip7:solo"), ("pairs", "flip7:numbers")):
        Tournament(spec, "ev,stay-25,random", blocks=4, seed=1, store=host.settings.store, id=id).play()
    listed = {each["id"]: each for each in host.get("/api/tournaments")}
    for id, expected in (("alone", 4 * 3), ("pairs", 4 * 3 * 2)):
        own = host.get(f"/api/tournaments/{id}")["table"]
        assert listed[id]["matches"] == listed[id]["planned"] == own["matches"] == own["matches_planned"] == expected


def test_a_tournament_is_begun_on_a_page_and_followed_to_its_end(visit, host):
    page = visit("/tournaments", base=host.url)
    page.get_by_role("link", name="New tournament").click()
    page.wait_for_selector("[type=submit]:enabled")
    page.get_by_label("Rule book").select_option("flip7:numbers")
    page.locator("[data-part=chosen] li").first.wait_for()
    page.get_by_label("Without random").click()
    page.get_by_label("Another bot").fill("stay-15")
    page.get_by_role("button", name="Add").click()
    page.get_by_label("Deals for each set").fill("4500")
    page.get_by_label("Name of the tournament").fill("Friday cup")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="Friday cup").wait_for()
    assert "Friday cup" in [each["name"] for each in host.get("/api/tournaments")]
    page.wait_for_selector("[data-tournament][data-state=moving]")
    page.evaluate(WATCH)
    assert "told when all is played" in page.locator("[data-part=settings]").inner_text()
    page.wait_for_selector("[data-tournament][data-state=finished]")
    counts = [int(count) for count in page.evaluate("window.counts")]
    assert len(set(counts)) >= 3  # it was seen growing, more than once
    assert counts == sorted(counts)
    id = page.url.split("/")[-1]
    table = Tournament.open(id, host.settings.store).standings()
    assert counts[-1] == table.matches == table.matches_planned
    assert "stay-15" in table.names
    assert "random" not in table.names
    assert [name for name, _ in shown(page)] == [row.name for row in table.rows]
    assert shown(page)[0][1] == f"{100 * table.rows[0].win_share:.0f}\u00a0%"
    assert table.key in page.locator("[data-part=settings]").inner_text()
    assert page.get_by_role("button", name="Go on").is_hidden()
    cell = page.locator("[data-part=versus] tbody tr").nth(0).locator("td").nth(1)
    first, second = (table.names.index(row.name) for row in table.rows[:2])
    assert cell.inner_text() == f"{100 * table.wins[first][second] / table.meetings[first][second]:.0f}"


def test_what_another_program_plays_is_shown_too(visit, tmp_path):
    store = str(tmp_path / "theirs.db")
    made = Tournament("flip7:numbers", "stay-20,stay-25,stay-30", blocks=400, seed=2, store=store, id="theirs")
    with opened(store=store) as room:
        page = visit("/tournaments/latest", base=room.url)
        page.wait_for_selector("[data-tournament=theirs][data-state=resting]")
        assert page.locator("[data-part=state]").inner_text().endswith("0 of 2,400 matches.")
        assert page.get_by_role("button", name="Go on").is_hidden()  # not here
        command = [sys.executable, "-m", "pitboss", "tournament", "resume", "theirs", "--store", store, "--json"]
        subprocess.run(command, check=True, capture_output=True)
        page.wait_for_selector("[data-state=finished]")
        assert [name for name, _ in shown(page)] == [row.name for row in made.standings().rows]


def test_stopped_and_taken_up_again_even_by_another_program(visit, tmp_path):
    """By a button, and by the end of the server."""
    store = str(tmp_path / "cup.db")
    with SlowBot(tmp_path) as slow:
        bots = ["ev", str(slow.path)]
        made = Tournament("flip7:tournament(target=60)", bots, blocks=40, seed=3, store=store, id="cup")

        def played():
            return made.standings().matches

        with opened(store=store, allow_runs=True, host_token="told-to-the-host") as room:
            page = visit("/tournaments#host=told-to-the-host", base=room.url)
            page.get_by_role("link", name="cup").click()
            page.wait_for_selector("[data-state=resting]")
            page.get_by_role("button", name="Go on").click()
            page.wait_for_selector("[data-state=moving]:not([data-matches='0'])")
            page.get_by_role("button", name="Stop").click()
            page.get_by_role("button", name="Go on").wait_for()
            stopped = played()
            assert 0 < stopped < 80
            assert not room.get("/api/tournaments/cup/run")["running"]
            assert room.ask("POST", "/api/tournaments/cup/stop", "told-to-the-host").status_code == 409
            page.get_by_role("button", name="Go on").click()
            until(page, f"Number(document.querySelector('[data-matches]').dataset.matches) > {stopped}")
            page.context.close()
        assert stopped < played() < 80
    table = Tournament.open("cup", store).play()
    in_peace = Tournament("flip7:tournament(target=60)", bots, blocks=40, seed=3).play()
    assert [(row.name, row.wins, row.mean_score) for row in table.rows] == [
        (row.name, row.wins, row.mean_score) for row in in_peace.rows
    ]


def test_one_bot(visit, host, cup):
    number = cup.standings().names.index("random")
    page = visit(f"/tournaments/{cup.id}", base=host.url)
    page.get_by_role("link", name="random").click()
    page.wait_for_selector("[data-judged]")
    assert page.locator("h1").inner_text() == "random"
    games = host.get(f"/api/tournaments/{cup.id}/bots/{number}")["games"]
    assert page.locator("[data-part=games] tbody tr").count() == len(games) == 24
    found = host.get(f"/api/tournaments/{cup.id}/bots/{number}/profile")
    assert found["games"] == 24
    assert found["words"][0] in page.locator("[data-part=words]").inner_text()
    worst = found["verdicts"]["worst"][0]
    assert worst["lost"] >= found["verdicts"]["worst"][-1]["lost"] > 0
    said = host.get(f"/api/decisions/{cup.id}/{worst['game']}", step=worst["step"], chances="true")
    wins = [worth["win"] for worth in said["worth"]]  # what the replay says about it
    played = next(worth["win"] for worth in said["worth"] if worth["move"] == said["played"])
    assert max(wins) - played == pytest.approx(worst["lost"])
    page.locator("[data-part=mistakes] a").first.click()
    page.wait_for_url(f"**/replay/{cup.id}/{worst['game']}?move={worst['step']}")
    page.wait_for_selector("#replay[data-judged=fully]")


def test_who_plays_perfectly_has_no_mistakes(host):
    made = Tournament("flip7:solo(target=60)", "oracle,stay-20", seats=1, blocks=5, seed=1, store=host.settings.store)
    made.play()
    oracle, stayer = (host.get(f"/api/tournaments/{made.id}/bots/{n}/profile")["verdicts"] for n in range(2))
    assert (oracle["lost"], oracle["worst"]) == (0, [])
    assert stayer["lost"] > 0
    assert stayer["lost_ci95"][0] < stayer["lost"] < stayer["lost_ci95"][1]


def test_faults_are_told(visit, host, tmp_path):
    (tmp_path / "broken.py").write_text(BOT.replace("view.points < 20", "view.pointz < 20"))
    bots = [str(tmp_path / "broken.py"), "ev"]
    made = Tournament("flip7:tournament", bots, blocks=1, seed=1, store=host.settings.store)
    made.play()
    page = visit(f"/tournaments/{made.id}/bots/0", base=host.url)
    page.wait_for_selector("[data-judged]")
    assert "pointz" in page.locator("[data-part=faults]").inner_text()


def test_files_to_take_home(visit, host, cup):
    page = visit(f"/tournaments/{cup.id}", base=host.url)
    got = {}
    for name in ("standings.json", "standings.csv", "games.csv", "records.jsonl"):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=name).click()
        assert waiting.value.suggested_filename == f"cup-{name}"
        got[name] = waiting.value.path().read_text()
    table = cup.standings()
    rows = json.loads(got["standings.json"])["table"]["rows"]
    assert [row["name"] for row in rows] == [row.name for row in table.rows]
    assert got["standings.csv"] == table.as_csv()
    rows = list(csv.DictReader(io.StringIO(got["games.csv"])))
    assert len(rows) == 2 * table.games
    records = [Record.from_dict(json.loads(line)) for line in got["records.jsonl"].splitlines()]
    assert len(records) == table.games
    records[0].verify()
    mine = host.ask("GET", "/api/tournaments/cup/files/records.jsonl", params={"bot": 2}).text
    assert len(mine.splitlines()) == 24


def test_the_key_is_told_when_all_is_played_and_not_before(host):
    made = Tournament("flip7:tournament", "ev,random", blocks=3, seed=987654321, store=host.settings.store, id="early")
    store = Store(host.settings.store)
    key = str(store.tournament("early").key)
    paths = ["", "/bots/0", "/bots/0/profile", "/files/standings.json", "/files/standings.csv", "/run"]

    def all_answers():
        return "".join(host.ask("GET", f"/api/tournaments/early{path}").text for path in paths)

    before = all_answers()
    assert key[4:] not in before
    assert "987654321" not in before  # from which the key follows
    assert host.ask("GET", "/api/tournaments/early/files/records.jsonl").status_code == 404
    made.play()
    end = time.monotonic() + PATIENCE / 1000
    while not (told := host.get("/api/tournaments/early")["table"]["key"]) and time.monotonic() < end:
        time.sleep(0.1)  # what is told may be half a second old
    assert told == key


def test_refusals(host, closed):
    asked = {"spec": "flip7:tournament", "bots": ["ev", "stay-25"], "blocks": 1}

    def refused(**more):
        answer = host.ask("POST", "/api/tournaments", json=asked | more)
        assert answer.status_code == 422, answer.text
        return answer.json()["error"]

    for bot in ("cmd:./rob", "rob.py", "bots/", "../rob.py:Rob"):
        assert "built in" in refused(bots=["ev", bot])
    assert "'nobody'" in refused(bots=["ev", "nobody"])
    assert "2 bots or more" in refused(bots=["ev"])
    assert "more than 200,000 games" in refused(blocks=100_000, best_of=9)
    assert "format" in refused(format="knock-out")
    never = closed.ask("POST", "/api/tournaments", json=asked)
    assert never.status_code == 403
    assert "--allow-runs" in never.json()["error"]
    assert closed.ask("GET", "/new-tournament").status_code == 403
    assert closed.ask("POST", "/api/tournaments/none/resume").status_code == 403
    assert host.ask("POST", "/api/tournaments/none/resume").status_code == 404
    for path in ("", "/live", "/bots/0", "/bots/0/profile", "/files/games.csv"):
        assert closed.ask("GET", f"/api/tournaments/none{path}").status_code == 404


def test_an_empty_store_says_how_to_begin(visit, tmp_path):
    with opened(store=str(tmp_path / "new.db")) as room:
        page = visit("/tournaments", base=room.url)
        assert "pitboss tournament run" in page.locator("main").inner_text()
        assert page.get_by_role("link", name="New tournament").count() == 0

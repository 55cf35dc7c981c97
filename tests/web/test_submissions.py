"""Submitted bots: off by default, behind a token, checked, and sandboxed."""

import time
from dataclasses import replace

import pytest

from pitboss import Tournament
from pitboss.sandbox.doctor import examine
from pitboss.sandbox.limits import Limits
from tests.web.conftest import opened, until
from tests.web.test_tournaments import BOT

TOKEN = "a-token-for-tests"
HOSTILE = """
import os
import socket
from pathlib import Path

from pitboss.flip7 import HIT, Flip7Bot


def tried(attempt):
    try:
        attempt()
    except OSError:
        return False
    return True


class Rob(Flip7Bot):
    def hit_or_stay(self, view):
        here = Path(__file__).resolve().parent
        done = [
            tried(lambda: Path("/etc/passwd").read_text()),
            tried(lambda: list(here.parent.iterdir())),
            tried(lambda: (here / "loot").write_text("mine")),
            tried(lambda: socket.socket()),
            tried(os.fork),
        ]
        raise RuntimeError(f"worked: {sum(done)}")
"""


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """A server that takes bots and plays tournaments."""
    folder = tmp_path_factory.mktemp("uploads")
    settings = {"allow_runs": True, "allow_uploads": True, "upload_token": TOKEN, "uploads_per_minute": 1000}
    with opened(store=str(folder / "cup.db"), **settings) as host:
        host.folder = folder
        yield host


def send(host, source, name="mine", token=TOKEN, **more):
    return host.ask("POST", "/api/bots", token, json={"name": name, "source": source, **more})


def checked(host, source, **more):
    """Send a bot in, and wait for its check."""
    id = send(host, source, **more).json()["id"]
    while (kept := host.get(f"/api/bots/{id}", TOKEN))["state"] in ("waiting", "checking"):
        time.sleep(0.1)
    return kept


def test_off_by_default(closed):
    for answer in (
        send(closed, BOT), closed.ask("GET", "/api/bots"), closed.ask("GET", "/submit"), closed.ask("GET", "/submit/a"),
    ):  # fmt: skip
        assert answer.status_code == 403
        assert "--allow-uploads" in answer.text


def test_a_bot_is_sent_in_checked_and_entered(visit, host):
    page = visit("/tournaments", base=host.url)
    page.get_by_role("link", name="Submit a bot").click()
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_label("Choose a file").set_input_files(
        {"name": "twenty-points.py", "mimeType": "text/x-python", "buffer": BOT.encode()}
    )
    until(page, "document.querySelector('[name=source]').value.includes('class Twenty')")
    assert page.get_by_label("File name").input_value() == "twenty-points"
    page.get_by_role("button", name="Check it").click()
    page.wait_for_selector("[data-state=fine]")
    assert "all of them legal" in page.locator("[data-part=findings]").inner_text()
    assert page.locator("h1").inner_text() == "twenty-points.py"
    page.get_by_role("link", name="Enter it into a tournament").click()
    page.get_by_label("twenty-points.py").wait_for()
    assert page.get_by_label("twenty-points.py").is_checked()
    page.get_by_label("Deals for each set").fill("2")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("[data-state=finished]")
    table = Tournament.open(page.url.split("/")[-1], host.settings.store).standings()
    assert next(row.kind for row in table.rows if row.name == "Twenty") == "python"
    assert "Twenty" in page.locator("[data-part=table]").inner_text()


def test_wrong_tokens_are_refused(visit, host):
    for token in (None, "", "a-token", TOKEN[:-1], TOKEN + "x"):
        assert send(host, BOT, token=token).status_code == 403
        assert host.ask("GET", "/api/bots", token).status_code == 403
    visit.forgiven.append("403")  # the browser tells of the refusal, too
    page = visit("/submit", base=host.url)
    page.get_by_label("Token").fill("wrong")
    page.get_by_label("paste").fill(BOT)
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("That is not the token").wait_for()


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("class Broken(", "SyntaxError"),
        ("x = 1", "no bots"),
        (BOT.replace("20 else", "20 elze"), "SyntaxError"),
        (BOT.replace("HIT if view.points < 20 else STAY", "17"), "illegal move"),
        (HOSTILE, "worked: 0"),
    ],
    ids=["half", "none", "typo", "illegal", "hostile"],
)
def test_a_bot_that_is_no_good_is_refused_with_the_reason(host, source, why):
    kept = checked(host, source)
    assert kept["state"] == "refused"
    assert why in kept["findings"][-1]["text"]
    assert str(host.folder) not in str(kept)
    answer = host.ask(
        "POST", "/api/tournaments", TOKEN, json={"spec": "flip7:tournament", "bots": ["ev"], "sent": [kept["id"]]}
    )
    assert answer.status_code == 422
    assert "has not passed its check" in answer.json()["error"]


def test_what_is_sent_is_limited(host, tmp_path):
    assert "KiB at most" in send(host, BOT + "#" * 70_000).json()["error"]
    assert send(host, "#" * 300_000).status_code == 413
    assert send(host, "  \n").status_code == 422
    assert send(host, BOT, name="../../etc/cron").status_code == 422
    assert send(host, BOT, spec="flip8").status_code == 422
    settings = {"allow_uploads": True, "upload_token": TOKEN, "uploads_per_minute": 2}
    with opened(store=str(tmp_path / "cup.db"), **settings) as slow:
        slow.app.state.upload_limiter._clock = lambda: 0.0  # however long it takes, it is the same minute
        assert [send(slow, "", name="x").status_code for _ in range(3)] == [422, 422, 429]
        assert [send(slow, BOT, token=f"guess {n}").status_code for n in range(3)] == [403, 403, 429]


def test_entering_needs_the_token_and_leaves_no_choice_of_cards(host):
    kept = checked(host, BOT)
    assert kept["state"] == "fine"
    asked = {"spec": "flip7:tournament", "bots": ["ev"], "sent": [kept["id"]], "blocks": 1}
    assert host.ask("POST", "/api/tournaments", json=asked).status_code == 403
    assert "seed" in host.ask("POST", "/api/tournaments", TOKEN, json=asked | {"seed": "1"}).json()["error"]
    other = host.ask("POST", "/api/tournaments", TOKEN, json=asked | {"spec": "show:fair", "bots": ["show-6"]})
    assert "cannot play show:fair" in other.json()["error"]
    assert "upload" not in host.ask("GET", "/api/tournaments").text
    assert TOKEN not in "".join(host.ask("GET", path).text for path in ("/submit", "/new-tournament", "/openapi.json"))


def test_nothing_is_taken_where_bots_cannot_be_shut_in(host, monkeypatch):
    sound = examine()
    open_ = ("read files that are not its own", "write files")
    ill = replace(sound, findings=tuple(replace(f, prevented=f.what not in open_) for f in sound.findings))
    monkeypatch.setattr("pitboss.web.submissions.examine", lambda: ill)
    answer = send(host, BOT)
    assert answer.status_code == 403
    assert "could read files that are not its own or write files" in answer.json()["error"]


def test_bots_may_do_what_the_host_allows(host, tmp_path):
    pytest.importorskip("yaml")
    source = "import yaml\n" + BOT
    assert "`allow=PyYAML`" in checked(host, source)["findings"][0]["text"]
    settings = {"allow_runs": True, "allow_uploads": True, "upload_token": TOKEN}
    limits = Limits(decision=60.0, clock="wall", allow=("PyYAML", "threads"))
    with opened(store=str(tmp_path / "cup.db"), limits=limits, **settings) as other:
        kept = checked(other, source)
        assert kept["state"] == "fine", kept
        asked = {"spec": "flip7:tournament", "bots": ["ev"], "sent": [kept["id"]], "blocks": 1}
        id = other.ask("POST", "/api/tournaments", TOKEN, json=asked).json()["id"]
        assert Tournament.open(id, other.settings.store).settings.limits == limits


def test_a_check_that_the_server_did_not_live_to_see_is_done_later(tmp_path):
    settings = {"store": str(tmp_path / "cup.db"), "allow_uploads": True, "upload_token": TOKEN}
    with opened(**settings) as first:
        id = send(first, BOT).json()["id"]
    with opened(**settings) as second:
        while (kept := second.get(f"/api/bots/{id}", TOKEN))["state"] in ("waiting", "checking"):
            time.sleep(0.1)
    assert kept["state"] == "fine"

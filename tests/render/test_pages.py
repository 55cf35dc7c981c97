"""The data of a replay page, and that nothing in it can become markup."""

import base64
import hashlib
import json
import re
from dataclasses import replace

import pytest

from pitboss.cli.app import main
from pitboss.core.play import play
from pitboss.core.record import labels_of, write
from pitboss.render.replay import pack, page, steps
from tests.moments import moments

HOSTILE = "</script><script>alert(1)</script><!--"


@pytest.fixture(scope="module")
def flip7():
    return play("flip7:tournament", ["ev", "stay-25", "ev"], seed=4)


@pytest.fixture(scope="module")
def show():
    return play("show:full", ["show-6", "random"], seed=8)


def data_of(html):
    """What the page's script will read."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[1])


def unpacked(data):
    """The opposite of pack, written without it."""
    rows = lambda ids: tuple(data["faces"][i] for i in ids)  # noqa: E731
    seats = [{**seat, "rows": tuple(map(rows, seat["rows"]))} for seat in data["seats"]]
    scenes = [
        {
            **scene,
            "seats": tuple(seats[i] for i in scene["seats"]),
            "centre": tuple((name, rows(ids)) for name, ids in scene["centre"]),
        }
        for scene in data["scenes"]
    ]
    return [
        {**step, "scenes": [scenes[i] for i in step["scenes"]], "events": [data["events"][i] for i in step["events"]]}
        for step in data["steps"]
    ]


def test_steps_hold_the_whole_game(flip7):
    names = ["ev (0)", "stay-25", "ev (2)"]
    assert labels_of(flip7.seats) == names
    written = steps(flip7)
    assert len(written) == len(flip7.cards) + len(flip7.moves) + 1
    assert [step["move"] for step in written] == [move for _, _, move in flip7.replay()]
    for step, (position, events) in zip(written, moments(flip7), strict=True):
        scene = flip7.game.scene(position.view(0), names).to_dict()
        assert step["scenes"] == [{**scene, "title": f"Flip 7 · Tournament, round {int(position.states['round'][0])}"}]
        assert step["events"] == [[(event.text(names), event.major) for event in events]]
    assert sum(step.get("ends", False) for step in written) == int(position.states["round"][0]) - 1
    by = [step["by"] for step in written if step["by"] is not None]
    assert len(by) == len(flip7.moves)
    assert set(by) == {0, 1, 2}


def test_packing_loses_nothing(flip7, show):
    for record in (flip7, show):
        full = steps(record)
        packed = pack(full)
        assert unpacked(packed) == full
        assert len(json.dumps(packed)) < len(json.dumps(full)) / 2


def test_faults_and_output_stand_at_their_moves(flip7):
    number = len(flip7.moves) // 2
    written = steps(replace(flip7, faults={number: "too late"}, output={0: "hello", number: "bye"}))
    decisions = [step for step in written if step["by"] is not None]
    assert [n for n, step in enumerate(decisions) if "fault" in step] == [number]
    assert {n: step["output"] for n, step in enumerate(decisions) if "output" in step} == {0: "hello", number: "bye"}
    assert decisions[number]["fault"] == "too late"
    assert not any("output" in step for step in written if step["by"] is None)


def test_each_seat_sees_its_own_and_all_together_see_what_anyone_sees(show):
    names = labels_of(show.seats)
    for step, (position, events, _) in zip(steps(show), show.replay(), strict=True):
        together, *eyes = step["scenes"]
        assert eyes == [show.game.scene(position.view(seat), names).to_dict() for seat in (0, 1)]
        for seat in (0, 1):
            for r, row in enumerate(together["seats"][seat]["rows"]):
                for c, face in enumerate(row):
                    seen = [rows[r][c] for rows in (eye["seats"][seat]["rows"] for eye in eyes) if c < len(rows[r])]
                    assert (face["kind"] == "hidden") == all(other["kind"] == "hidden" for other in seen)
                    assert face in seen
        assert step["events"][0] == [(event.text(names), event.major) for event in events]
        for seat in (0, 1):
            assert step["events"][1 + seat] == [(e.seen_by(seat).text(names), e.major) for e in events]


def test_moves_are_told_in_words_where_their_names_say_little(show):
    means = {step.get("means") for step in steps(show)}
    assert {"keep", "discard"} & means


def test_rounds_are_chapters(flip7, show):
    chapters = data_of(page(flip7))["chapters"]
    rounds = [n for n, (_, events) in enumerate(moments(flip7)) if any(e.kind == "round started" for e in events)]
    assert [chapter["step"] for chapter in chapters] == rounds
    assert [chapter["name"] for chapter in chapters] == [f"round {n}" for n in range(1, len(rounds) + 1)]
    assert "Go to round" in page(flip7)
    assert "Go to turn" in page(show)


def test_eighteen_seats_stay_small():
    html = page(play("flip7:official", ["stay-15"] * 18, seed=1))
    assert len(html.encode()) < 1_500_000


def test_no_text_becomes_markup(flip7):
    record = replace(flip7, seats=[HOSTILE] * 3, faults={0: HOSTILE}, output={1: HOSTILE}, versions=[HOSTILE, "", ""])
    html = page(record)
    assert html.count("<script") == html.count("</script>") == 2
    assert "<!--" not in html
    data = data_of(html)
    assert data["names"] == [f"{HOSTILE} ({i})" for i in range(3)]
    assert {step.get("fault") for step in data["steps"]} == {None, HOSTILE}


def test_the_policy_names_our_script_and_style_by_their_hashes(flip7):
    html = page(flip7)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for kind, pattern in (("script", r'<script type="module">(.*?)</script>'), ("style", r"<style>(.*?)</style>")):
        text = re.search(pattern, html, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_the_module_is_one_without_imports(flip7):
    script = re.search(r'<script type="module">(.*?)</script>', page(flip7), re.S)[1]
    assert not re.search(r"^\s*import\b|\bimport\(|\bfetch\(|https?://(?!www\.w3\.org/2000/svg)", script, re.M)


def test_command(flip7, show, tmp_path, monkeypatch, capsys):
    games, out = tmp_path / "games.jsonl", tmp_path / "out.html"
    write([flip7, show], games)

    def pitboss(*args):
        monkeypatch.setattr("sys.argv", ["pitboss", "replay", str(games), *args])
        code = 0
        try:
            main()
        except SystemExit as leave:
            code = leave.code or 0
        return code, *capsys.readouterr()

    code, said, _ = pitboss("--game", "2", "--html", str(out), "--step", "3")
    assert code == 0
    assert f"{out.as_uri()}#3" in said
    assert out.read_text(encoding="utf-8") == page(show)
    code, said, _ = pitboss("--html", str(out), "--json")
    assert json.loads(said) == {"html": str(out), "link": out.as_uri()}
    assert out.read_text(encoding="utf-8") == page(flip7)
    code, _, problem = pitboss("--html", str(tmp_path / "nowhere" / "out.html"))
    assert code == 2
    assert "give a file in a folder that exists" in " ".join(problem.split())

"""`pitboss ask`: what a bot would do at a decision of a record."""

import json

import pytest

from pitboss import play
from pitboss.core.record import write

MEMORY = """
from pitboss.flip7 import HIT, STAY, Flip7Bot


class Counting(Flip7Bot):
    def start(self, seat, rules, rng):
        self.asked = self.seen = 0

    def saw(self, event):
        self.seen += 1

    def hit_or_stay(self, view):
        self.asked += 1
        print(f"asked {self.asked} seen {self.seen}")
        return HIT

    def choose_target(self, view, card, targets):
        self.asked += 1
        return targets[0]


class Failing(Flip7Bot):
    def hit_or_stay(self, view):
        raise RuntimeError("no idea")


class Late(Flip7Bot):
    calls = 0

    def hit_or_stay(self, view):
        Late.calls += 1
        if Late.calls == 1:
            raise RuntimeError("not awake yet")
        return STAY
"""


@pytest.fixture
def games(tmp_path):
    """A file with two games, and their records."""
    records = [play("flip7:tournament", ["random", "ev", "stay-25"], seed=seed) for seed in (1, 2)]
    path = tmp_path / "games.jsonl"
    write(records, path)
    return path, records


def decisions(record):
    """Every decision: its number, step, seat and legal moves."""
    out = []
    for step, (position, _, _) in enumerate(record.replay()):
        if position.to_act >= 0:
            out.append((len(out) + 1, step, position.to_act, str(position.legal).split(", ")))
    return out


def test_a_bot_asked_about_its_own_moves_gives_them_again(good, games):
    """With the luck it had: this holds for bots that play by luck, too."""
    path, records = games
    for n, record in enumerate(records, 1):
        for number, step, seat, legal in decisions(record)[:25]:
            asked = json.loads(good("ask", record.seats[seat], f"{path}#{n}@{number}", "--json"))
            assert asked["answer"] == asked["played"]["move"] == record.game.format_move(record.moves[number - 1])
            assert (asked["step"], asked["seat"], asked["legal"]) == (step, seat, legal)
            assert asked["played"]["by"] == record.seats[seat]
            assert [s["to_act"] for s in asked["scene"]["seats"]].index(True) == seat


def test_the_table_the_question_and_the_answers_are_shown(good, games):
    path, records = games
    number, _, seat, _ = next(d for d in decisions(records[0]) if d[3] == ["stay", "hit"] and d[2] == 2)
    out = good("ask", "random", f"{path}@{number}", "--times", "200")
    assert f"Move {number}, stay-25 at seat {seat}: Hit or stay?" in out
    assert "legal: stay, hit" in out
    assert f"played: {records[0].game.format_move(records[0].moves[number - 1])}" in out
    assert "asked 200 times, each time with different luck: " in out
    data = json.loads(good("ask", "random", f"{path}@{number}", "--times", "200", "--json"))
    assert set(data["answers"]) == {"hit", "stay"}
    assert sum(data["answers"].values()) == pytest.approx(1)
    assert data["answers"]["hit"] == pytest.approx(0.5, abs=0.2)


def test_a_bot_has_seen_and_been_asked_what_came_before(good, games, tmp_path):
    path, records = games
    file = tmp_path / "bots.py"
    file.write_text(MEMORY)
    mine = [d for d in decisions(records[0]) if d[2] == 1]
    number, step, _, _ = next(d for n, d in enumerate(mine) if n >= 3 and d[3] == ["stay", "hit"])
    out = good("ask", f"{file}:Counting", f"{path}@{number}", "--times", "2")
    events = sum(len(events) for n, (_, events, _) in enumerate(records[0].replay()) if n <= step)
    asked = [d[0] for d in mine].index(number) + 1
    assert out.count(f"asked {asked} seen {events}\n") == 2  # each time a new bot


def test_what_goes_wrong_earlier_is_not_the_question(good, games, tmp_path):
    path, records = games
    file = tmp_path / "bots.py"
    file.write_text(MEMORY)
    mine = [d for d in decisions(records[0]) if d[2] == 1 and d[3] == ["stay", "hit"]]
    assert f"{file}:Late: stay" in good("ask", f"{file}:Late", f"{path}@{mine[2][0]}").replace("\n", "")


def test_hidden_cards_stay_hidden(good, tmp_path):
    record = play("show:fair", ["show-6", "counter"], seed=1)
    path = tmp_path / "game.json"
    write([record], path)
    data = json.loads(good("ask", "counter", f"{path}@3", "--json"))
    other = data["scene"]["seats"][1 - data["seat"]]
    assert [face["text"] for face in other["rows"][1]] == ["?", "?"]
    assert "keep, discard" in good("ask", "counter", f"{path}@3")


def test_a_fault_is_shown_with_its_reason(good, tmp_path):
    file = tmp_path / "bots.py"
    file.write_text(MEMORY)
    record = play("flip7:tournament", [f"{file}:Failing", "ev"], seed=1, faults=True)
    path = tmp_path / "game.json"
    write([record], path)
    out = good("ask", "ev", f"{path}@{min(record.faults) + 1}")
    assert "played: fault" in out
    assert "raised RuntimeError: no idea" in " ".join(out.split())


@pytest.mark.parametrize(
    ("bot", "place", "sentence"),
    [
        ("ev", "games.jsonl", "is not of the form RECORD@MOVE, such as game.json@12 or games.jsonl#3@7"),
        ("ev", "games.jsonl@x", "is not of the form RECORD@MOVE"),
        ("ev", "games.jsonl@0", "moves in this game; @0 is not one of them"),
        ("ev", "games.jsonl@9999", "moves in this game; @9999 is not one of them"),
        ("ev", "games.jsonl#3@1", "games.jsonl has 2 games; #3 is not one of them"),
        ("ev", "nothing.json@1", "cannot read nothing.json"),
        ("show-6", "games.jsonl@1", "the record is a game of flip7:tournament: unknown bot 'show-6'"),
        ("bots.py:Failing", "games.jsonl@1", "the bot bots.py:Failing at seat 0 raised RuntimeError: no idea"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(pitboss, games, monkeypatch, bot, place, sentence):
    monkeypatch.chdir(games[0].parent)
    (games[0].parent / "bots.py").write_text(MEMORY)
    code, _, err = pitboss("ask", bot, place)
    assert code == 2
    assert sentence in err

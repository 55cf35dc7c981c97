"""Records: what is written replays to the same states, and what was edited is found out."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import load, play
from pitboss.core.errors import RecordError
from pitboss.core.record import Record, read, write
from pitboss.games.flip7.rules import Flip7Rules


def some_record(preset="tournament", seed=5):
    bots = ["ev"] if preset == "solo" else ["random", "bust-0.3+freeze-leader", "cards-4(all=true)"]
    return play(f"flip7:{preset}", bots, seed=seed, deal=3, rotation=1)


@given(st.sampled_from(sorted(Flip7Rules.presets)), st.integers(0, 10**6))
@settings(max_examples=30)
def test_records_replay_and_round_trip(preset, seed):
    record = some_record(preset, seed)
    assert record.verify() == len(record.cards) + len(record.moves)
    assert Record.from_dict(json.loads(json.dumps(record.to_dict()))) == record
    assert Record.from_line(record.to_line()) == record
    positions = [position.copy() for position, _, _ in record.replay()]
    again = [position.copy() for position, _, _ in record.replay()]
    assert positions == again
    assert positions[-1].outcome == record.outcome


def test_a_watched_game_and_its_replay_show_the_same_events(preset):
    seen = []
    bots = ["ev"] if preset == "solo" else ["random", "ev", "stay-22"]
    record = play(f"flip7:{preset}", bots, seed=2, watch=lambda p, events: seen.append((p.copy(), events)))
    assert [(p.copy(), events) for p, events, _ in record.replay()] == seen


def test_faults_are_recorded_with_their_cause():
    from pitboss.games.flip7 import Flip7Bot

    class Clumsy(Flip7Bot):
        def hit_or_stay(self, view):
            if view.points > 20:
                raise RuntimeError("I forgot the rules")
            return "hit"

    record = play("flip7:tournament(target=60)", [Clumsy, "stay-15"], seed=1, faults=True)
    assert record.faults
    for n, text in record.faults.items():
        assert record.moves[n] == -1
        told = "the bot Clumsy at seat 0 raised RuntimeError: I forgot the rules (line "
        assert text.startswith(told)
        assert text.endswith(" of test_records.py)")
    assert Record.from_dict(record.to_dict()) == record
    record.verify()


@pytest.mark.parametrize("ending", ["json", "jsonl", "txt"])
def test_files_of_every_kind(tmp_path, ending):
    records = [some_record(seed=s) for s in range(3)]
    file = tmp_path / f"games.{ending}"
    write(records, file)
    assert read(file) == records
    assert list(tmp_path.iterdir()) == [file]


def damage(record, **changes):
    data = record.to_dict()
    for name, change in changes.items():
        data[name] = change(data[name])
    return Record.from_dict(data)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"cards": lambda c: c.replace(" 12 ", " 11 ", 1)}, "the key deals 12, written is 11"),
        ({"cards": lambda c: c.replace(" 12 ", " 11 ", 1), "key": lambda k: None}, r"step \d+ \(11\) did not do"),
        ({"moves": lambda m: m.replace("hit", "stay", 1)}, r"step \d+ \(stay\) did not do what the record says"),
        ({"moves": lambda m: m.replace("hit", "@1", 1)}, r"goes astray at step \d+: @1 is not legal for seat \d now"),
        ({"cards": lambda c: c + " 12"}, "the trail has"),
        ({"cards": lambda c: c.rsplit(" ", 1)[0], "trail": lambda t: t[:-4]}, "ends too early"),
        ({"moves": lambda m: m + " hit", "trail": lambda t: t + "0000"}, "the game is over at step"),
        ({"outcome": lambda o: {**o, "scores": [0, 0, 999]}}, "the game ends as .* written is"),
        ({"trail": lambda t: "0000" + t[4:]}, r"step 0 \(start\) did not do"),
        ({"game": lambda g: "flip7:official"}, "did not do what the record says|goes astray"),
    ],
)  # fmt: skip
def test_edited_records_are_found_out(changes, sentence):
    with pytest.raises(RecordError, match=sentence):
        damage(some_record(), **changes).verify()


def test_any_single_changed_card_is_found_out():
    """Without the key: the trail alone knows every card."""
    record = some_record()
    record.key = None
    for n in range(0, len(record.cards), 7):
        for other in (record.cards[n] + 1, record.cards[n] - 1):
            edited = Record.from_dict(record.to_dict())
            edited.cards[n] = other % 22
            with pytest.raises(RecordError):
                edited.verify()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("format", "pgn", "not a pitboss record"),
        ("version", 99, "has version 99; this pitboss reads version 1"),
        ("game", "flip7:nope", "unknown preset"),
        ("game", 7, "'game' must be of type str"),
        ("cards", "1 2 hello", "'hello' is not a card"),
        ("moves", "hit hat", "'hat' is not a move"),
        ("trail", "zz", "the record is damaged"),
        ("deal", None, "'deal' must be of type int"),
        ("key", "key:1", "is not a seed"),
        ("outcome", {}, "'ended' must be of type str"),
    ],
)
def test_damaged_records_are_refused(name, value, sentence):
    data = some_record().to_dict()
    data[name] = value
    with pytest.raises(RecordError, match=sentence):
        Record.from_dict(data)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"hello", "line 1: neither JSON nor a line of a record"),
        (b"pitboss1|flip7:solo", "line 1: this is not a record"),
        (b"[1]", "not a pitboss record"),
        (b"\xff\xfe", "it is not text"),
    ],
)
def test_files_that_are_no_records(tmp_path, content, sentence):
    file = tmp_path / "x.json"
    file.write_bytes(content)
    with pytest.raises(RecordError, match=sentence):
        read(file)


def test_a_missing_file(tmp_path):
    with pytest.raises(RecordError, match="cannot read .*: No such file"):
        read(tmp_path / "none.json")


def test_the_line_is_what_the_documentation_shows():
    line = play("flip7:numbers", ["stay-20", "stay-25"], seed=1).to_line()
    assert re.match(r"pitboss1\|flip7:numbers\|stay-20;stay-25\|key:[0-9a-f]{32}\|0\.0\|\d", line)
    assert load(line.split("|")[1]) == load("flip7:numbers")

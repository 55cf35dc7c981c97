"""Bots in other languages: the JSON-lines protocol, under the same referee as everybody."""

import json
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from pitboss import load, play
from pitboss.sandbox.limits import Ending, Limits
from pitboss.tournament.entering import contestants
from tests.tournament.tables import GAME, HASTY, TIGHT, endings, guarded, printed, seated, tight

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="there is no node here")

LOOP = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    id = message.get("id")
    if message["type"] == "hello":
        hello = message
        print(json.dumps({"id": id}), flush=True)
    elif message["type"] == "decide":
        %s
    elif message["type"] == "event":
        print(message["event"]["text"], file=sys.stderr, flush=True)
"""
SAY = "print(json.dumps({answer}), flush=True)"


@pytest.fixture
def program(tmp_path):
    """A program that answers decisions with a line of Python."""

    def make(line):
        path = tmp_path / "program.py"
        path.write_text(LOOP % line)
        return f"cmd:python {path}"

    return make


@pytest.mark.parametrize(
    ("command", "twin"),
    [
        ("cmd:python {examples}/lines.py", "bust-0.25"),
        pytest.param("cmd:node {examples}/lines.js", "stay-25", marks=needs_node),
    ],
)
def test_the_examples_play_as_built_in_bots_of_the_same_idea(command, twin):
    game = load("flip7:numbers")
    with tight(game, Limits()) as referee:
        seats = seated(referee, command.format(examples=EXAMPLES), "ev")
        assert seats.entrants[0].name == "lines"
        for deal in range(2):
            record = play(game, [], seed=2, deal=deal, seats=seats)
            assert record.moves == play(game, [twin, "ev"], seed=2, deal=deal).moves


@pytest.mark.parametrize("command", ["cmd:python {}/lines.py", pytest.param("cmd:node {}/lines.js", marks=needs_node)])
def test_the_examples_know_every_decision(command):
    game = load("flip7:tournament")
    with tight(game, Limits()) as referee:
        for deal in range(2):
            _, seats = guarded(referee, command.format(EXAMPLES), ("random", "random"), deal=deal)
            assert seats.faults == []


def test_the_same_seed_gives_the_same_game():
    game = load("flip7:tournament")
    with tight(game, Limits()) as referee:
        games = [guarded(referee, f"cmd:python {EXAMPLES}/lines.py", ("random",) * 3)[0] for _ in range(2)]
    assert games[0].moves == games[1].moves


@pytest.mark.parametrize(
    ("line", "ending", "text"),
    [
        ("print('hit', flush=True)", Ending.PROTOCOL, "b'hit' is not an answer"),
        ("print(json.dumps({'move': 'stay'}), flush=True)", Ending.PROTOCOL, "missing required field `id`"),
        ("print(json.dumps({'id': id}), flush=True)", Ending.PROTOCOL, "its answer has no move"),
        ("print(json.dumps({'id': 99, 'move': 'stay'}), flush=True)", Ending.PROTOCOL, "it answered message 99"),
        ("print(json.dumps({'id': id, 'move': [1]}), flush=True)", Ending.PROTOCOL, "is not an answer"),
        ("sys.stdout.write('[' * 10**5); sys.stdout.flush()", Ending.PROTOCOL, "no end after"),
        ("print('[' * 60000, flush=True)", Ending.PROTOCOL, "is not an answer"),
        ("print('{}\\n{}', flush=True)", Ending.PROTOCOL, "more than one answer"),
        ("print(json.dumps({'id': id, 'move': 'perhaps'}), flush=True)", Ending.ILLEGAL, "'perhaps' is not a move"),
        ("print(json.dumps({'id': id, 'move': 'yes'}), flush=True)", Ending.ILLEGAL, "yes is not legal"),
        ("print(json.dumps({'id': id, 'move': 10**15}), flush=True)", Ending.ILLEGAL, "is not legal"),
        ("print(json.dumps({'id': id, 'move': -1}), flush=True)", Ending.ILLEGAL, "only the referee"),
        ("print(json.dumps({'id': id, 'move': 'stay'}))", Ending.STALL, "does it flush"),
        ("while True: pass", Ending.TIMEOUT, "it used"),
        ("sys.exit(4)", Ending.CRASH, "exit code 4"),
        ("raise RuntimeError('no')", Ending.CRASH, "exit code 1"),
    ],
)
def test_each_ends_as_it_should(referee, program, line, ending, text):
    with tight(limits=HASTY) if ending == Ending.STALL else nullcontext(referee) as judge:
        _, seats = guarded(judge, program(line), others=("stay-20",))
    assert endings(seats) == {ending}
    assert text in seats.faults[0][3]


def test_a_program_that_stops_reading_at_the_end_holds_nobody_up(program):
    line = "print(json.dumps({'id': id, 'move': message['legal'][0]}), flush=True)\n    if line == hello.get('last'):"
    line += "\n        __import__('time').sleep(1000)\n    hello['last'] = line\n    if False:\n        pass"
    with tight(limits=HASTY) as referee:
        seats = seated(referee, program(line), "stay-20")

        def much_more(position, events):
            if position.over:
                seats.guests[0].see(events[-1:] * 10000)

        record = play(GAME, [], seed=1, seats=seats, watch=much_more)
    assert record.outcome.ended == "won"


def test_a_program_that_is_none_crashes_and_says_why(referee, tmp_path):
    path = tmp_path / "broken"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    _, seats = guarded(referee, f"cmd:{path}", others=("stay-20",))
    assert endings(seats) == {Ending.CRASH}
    assert "cannot run" in printed(seats)


def test_memory_is_limited(program):
    line = "x = [bytearray(1 << 24) for _ in range(1000)]"
    with tight(limits=Limits(decision=60.0, memory=1 << 28)) as referee:
        _, seats = guarded(referee, program(line), others=("stay-20",))
    assert endings(seats) <= {Ending.CRASH, Ending.MEMORY}
    assert "MemoryError" in printed(seats) or Ending.MEMORY in endings(seats)


TRIES = """
import os, socket
for name, way in {
    "read": lambda: open("/etc/passwd"),
    "opponent": lambda: open(hello["other"]),
    "folder": lambda: os.listdir(os.path.dirname(sys.argv[0])),
    "write": lambda: open("/tmp/pitboss-zoo-was-here", "w"),
    "socket": lambda: socket.socket(),
    "fork": lambda: os.fork(),
    "parent": lambda: os.kill(os.getppid(), 9),
    "everybody": lambda: os.kill(-1, 9),
    "environment": lambda: open("/proc/self/environ"),
    "mode": lambda: os.chmod(sys.argv[0], 0),
}.items():
    try:
        way()
        print(name, "worked", file=sys.stderr)
    except (OSError, KeyError) as problem:
        print(name, "refused", file=sys.stderr)
print("environment:", *sorted(os.environ), file=sys.stderr)
"""


def test_what_programs_try_is_refused(referee, tmp_path):
    path = tmp_path / "tries.py"
    body = TRIES.strip().replace('hello["other"]', repr(str(Path(__file__)))).replace("\n", "\n        ")
    path.write_text(LOOP % (body + "\n        print(json.dumps({'id': id, 'move': message['legal'][0]}), flush=True)"))
    _, seats = guarded(referee, f"cmd:python {path}", others=("stay-20",))
    assert seats.faults == []
    said = printed(seats)
    assert said.count("refused") >= 10
    assert "worked" not in said
    assert "SSH" not in said
    assert "PITBOSS_CACHE" not in said


def test_the_messages_of_a_game(tmp_path):
    """What a program is told, from hello to end, as the documentation says."""
    path = tmp_path / "echo.py"
    path.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    print(line, end='', file=sys.stderr, flush=True)\n"
        "    if message['type'] in ('hello', 'decide'):\n"
        "        print(json.dumps({'id': message['id'], 'move': (message.get('legal') or [''])[0]}), flush=True)\n"
    )
    game = load("show:full")
    with tight(game, Limits(output=100_000)) as referee:
        seats = seated(referee, f"cmd:python {path}", "show-6")
        record = play(game, [], seed=1, seats=seats)
    told = [json.loads(line) for n in sorted(seats.output) for line in seats.output[n].splitlines()]
    hello, *rest = told
    assert hello | {"rules": 0, "words": 0, "seed": 0} == {
        "type": "hello", "id": 0, "protocol": 1, "game": "show:full", "name": "echo", "seat": 0, "seats": 2,
        "rules": 0, "words": 0, "seed": 0, "time_limit": 0.5,
    }  # fmt: skip
    assert hello["rules"]["powers"] == "full" if "powers" in hello["rules"] else hello["rules"]
    assert 0 <= hello["seed"] < 2**53
    decisions = [message for message in rest if message["type"] == "decide"]
    assert len(decisions) == seats.cpu[0][0] > 1
    assert decisions[0]["means"] == ["left card", "right card"]
    assert decisions[0]["legal"] == ["0", "1"]
    assert decisions[0]["view"]["other"] == [None, None]
    assert {message["type"] for message in rest} >= {"decide", "event"}
    drawn = [message["event"] for message in rest if message["type"] == "event" and message["event"]["kind"] == "drew"]
    assert any(event["seat"] == 1 and event["a"] == -1 for event in drawn)
    assert not any(event["seat"] == 1 and event["a"] != -1 for event in drawn)
    assert record.outcome.ended in ("won", "tied")


@pytest.mark.parametrize("spec", ["flip7:official", "flip7:tournament", "flip7:solo", "show:full", "show:fair"])
def test_every_view_is_json_and_names_what_is_legal(spec):
    game = load(spec)
    seats = game.rules.seats[0]
    seen = []

    def look(position, events):
        for seat in range(seats):
            view = position.view(seat)
            plain = json.loads(json.dumps(view.to_dict()))
            assert plain["seat"] == seat
            assert plain["decision"].islower()
        if position.to_act >= 0:
            assert [game.parse_move(game.format_move(move)) for move in position.legal] == list(position.legal)
            seen.append(plain["decision"])

    bots = ["ev"] if seats == 1 else ["random"] * seats
    play(game, bots, seed=1, watch=look)
    assert seen


def test_commands_by_their_files(referee, tmp_path):
    (tmp_path / "bot.js").write_text("1")
    (tmp_path / "other.py").write_text("2")
    own = tmp_path / "run"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    texts = [f"cmd:python {tmp_path}/other.py --fast", f"cmd:{own} 7"]
    other, run = contestants(texts, GAME, referee)
    assert (other.name, other.kind, other.argv[1:]) == ("other", "command", (str(tmp_path / "other.py"), "--fast"))
    assert (run.name, run.argv) == ("run", (str(own), "7"))
    own.write_text("#!/bin/sh\n# changed\n")
    assert contestants(texts, GAME, referee)[1].version != run.version


def test_the_version_of_a_command_tells_of_all_its_files(referee, tmp_path):
    files = [tmp_path / name for name in ("run", "weights", "book")]
    for file in files:
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
    text = "cmd:" + " ".join(map(str, files))
    versions = [contestants([text], GAME, referee)[0].version]
    for file in files:
        file.write_text("#!/bin/sh\n# changed\n")
        versions.append(contestants([text], GAME, referee)[0].version)
    assert len(set(versions)) == 4


def test_node_is_limited_too(tmp_path):
    if not shutil.which("node"):
        pytest.skip("there is no node here")
    path = tmp_path / "greedy.js"
    path.write_text("const x = []; for (;;) x.push(Buffer.alloc(1 << 24, 1));")
    with tight(limits=TIGHT) as referee:
        _, seats = guarded(referee, f"cmd:node {path}", others=("stay-20",))
    assert endings(seats) <= {Ending.CRASH, Ending.MEMORY, Ending.TIMEOUT}


def test_the_doctor_on_the_command_line():
    def said(*words):
        command = [sys.executable, "-m", "pitboss", "arena", "doctor", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    data = json.loads(said("--json"))
    assert data["isolated"] == all(finding["prevented"] for finding in data["findings"] if finding["needed"])
    assert {finding["what"] for finding in data["findings"]} >= {"use the network", "write files", "be root"}
    assert data["verdict"] in " ".join(said().split())

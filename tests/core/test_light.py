"""What a bot's process needs works without NumPy, Numba and all that makes a fork slow, and says the same."""

import json
import os
import random
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

import pitboss
from pitboss import bot, load
from pitboss.core import entry_points
from pitboss.core.errors import PitbossError
from pitboss.core.layout import I8, I16, I32, Layout
from pitboss.core.luck import mix
from pitboss.core.side import load_side
from pitboss.core.step import DEALER
from pitboss.games.flip7.rules import Flip7Rules
from pitboss.games.flip7.state import LAYOUT
from pitboss.games.show.rules import ShowRules
from pitboss.games.show.state import STATE_LAYOUT, VIEW_LAYOUT
from pitboss.games.vengeance.rules import VengeanceRules

SOURCE = Path(pitboss.__file__).parent.parent
SPECS = [*(f"flip7:{name}" for name in Flip7Rules.presets), *(f"show:{name}" for name in ShowRules.presets)]
SPECS += [f"vengeance:{name}" for name in VengeanceRules.presets]
SPECS += ["flip7:tournament(second_chance=kept, save=automatic)", "show:full(power_on_replace=true)"]
WORDS = ("hit", "Stay", "@2", "seat 3", "7", "yes", "keep", "1", "play on", "fault", "nonsense", "")

# What stands for a position, in either process: everything that a bot may ask of its view.
ASK = """
import random
from pitboss.core.errors import PitbossError
from pitboss.core.luck import Luck, mix

def asked(view):
    out = {"dict": view.to_dict(), "question": view.question, "legal": [*map(int, view.legal)]}
    if hasattr(view, "odds"):
        odds = view.odds
        out["odds"] = [odds.bust, odds.duplicate, odds.cards, [*odds.counts], [*odds.kinds.items()], repr(odds)]
        out["all"] = [view.gains, view.waiting, view.totals, view.number_count, view.numbers, [*view.left]]
        out["all"] += [[repr(seat) for seat in view.others], view.seats[0].status.name, view.spent, view.discards]
    elif hasattr(view, "bust_odds"):
        out["all"] = [view.bust_odds, view.coming, view.waiting, view.totals, view.number_count, view.numbers]
        out["all"] += [[repr(seat) for seat in view.others], view.seats[0].status.name, view.discards, view.picked]
        out["all"] += [view.left]
    else:
        out["all"] = [view.unseen_mean, view.own, view.other, view.drawn, view.power, view.expected(-1), view.turns]
    return out

def lucky(states):
    clock = {"luck": [[0, 0]]}
    rng, out = Luck(clock, 1), []
    for state in states:
        clock["luck"][0][1] = state
        out += [rng.bits(), rng.random(), rng.getrandbits(100), rng.choice("abc"), rng.randrange(10**6), mix(state)]
    return out

def read(side, words):
    out = []
    for word in words:
        try:
            move = side.parse_move(word)
            out.append([int(move), side.format_move(move)])
        except PitbossError as problem:
            out.append(str(problem))
    return out

def told(side, events):
    return [[side.event_class(*e).seen_by(seat).text(["Ann", "Bob", "Cy"]) for seat in (0, 1)] for e in events]
"""

LIGHT = (
    """
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
sys.path[:] = given["path"]
import pitboss
from pitboss.core import entry_points
entry_points.remember(given["places"])  # as a zygote does
from pitboss.flip7 import *
from pitboss.show import *
from pitboss.core.bot import Bot, bots_in, from_file
from pitboss.core.side import Outcome, load_side
"""
    + ASK
    + """
out = {}
for spec, here in given["games"].items():
    side = load_side(spec)
    assert side.view(b"", 0).game.rules is side.rules
    views = [(side.view(bytes.fromhex(raw), seat), side.view_with(bytes.fromhex(raw), seat, legal))
             for raw, seat, legal in here["views"]]
    assert all(one.legal == other.legal for one, other in views)
    out[spec] = {"views": [asked(view) for view, _ in views], "events": told(side, here["events"]),
                 "words": read(side, given["words"]), "rules": str(side.rules)}
entrant = from_file(given["bot"], load_side("flip7:solo").python_bot())
played = entrant.make().decide(load_side("flip7:solo").view(bytes.fromhex(given["raw"]), 0))
out["more"] = [[*bots_in(given["bot"].partition(":")[0], Bot)], int(played), lucky(given["states"])]
print(json.dumps([out, [*sys.modules]]))
"""
)

FORBIDDEN = ["ctypes", "hashlib", "importlib.metadata", "logging", "msgspec", "numba", "numpy"]
FORBIDDEN += ["pathlib", "socket", "ssl", "subprocess", "tempfile"]
BOT = "from pitboss.flip7 import *\nclass Level(Flip7Bot):\n    def __init__(self, at):\n        self.at = at\n"
BOT += "    def hit_or_stay(self, view):\n        return HIT if view.points < self.at else STAY\n"


def raw(position, seat):
    """The bytes of a view."""
    position.view(seat)
    return position.views.tobytes()


def positions(spec, games=3):
    """Some positions of games played at random, each as (raw bytes, seat, legal moves as bits), and all events."""
    game, rng = load(spec), random.Random(spec)
    views, events = [], []
    for number in range(games):
        position = game.start(min(game.rules.seats[-1], 2 + number))
        events += position.events()
        while not position.over:
            looks = range(position.seats) if position.to_act == DEALER and rng.random() < 0.1 else [position.to_act]
            for seat in looks:
                if seat >= 0:
                    bits = sum(1 << move for move in position.legal) if seat == position.to_act else 0
                    views.append((raw(position, seat), seat, bits))
            events += position.apply(rng.choice([*position.legal]))
    return game, rng.sample(views, min(200, len(views))), events[:300]


def run_light(folder, script, *arguments):
    """Run a script as the process of a bot is started: alone with pitboss and the standard library."""
    env = {**os.environ, "PITBOSS_LIGHT": "1"}
    (folder / "light.py").write_text(script)
    command = [sys.executable, "-B", "-I", "-S", str(folder / "light.py"), *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_light_process_says_of_every_view_what_a_normal_one_says(tmp_path):
    here = {}
    exec(ASK, here)
    (tmp_path / "level.py").write_text(BOT)
    places = {group: entry_points.places(group) for group in entry_points.GROUPS}
    given = {"games": {}, "places": places, "words": WORDS, "states": [0, 1, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15]}
    given["bot"] = f"{tmp_path / 'level.py'}:Level(at=30)"
    given["raw"] = raw(load("flip7:solo").start(1), 0).hex()
    paths = sysconfig.get_paths()
    given["path"] = [str(SOURCE), paths["stdlib"], sysconfig.get_config_var("DESTSHARED")]
    expected = {"more": [["Level"], 1, here["lucky"](given["states"])]}
    for spec in SPECS:
        game, views, events = positions(spec)
        numbers = [[e.kind, e.seat, e.a, e.b] for e in events]
        given["games"][spec] = {"views": [(data.hex(), *rest) for data, *rest in views], "events": numbers}
        expected[spec] = {
            "views": [here["asked"](game.view(data, seat)) for data, seat, _ in views],
            "events": here["told"](game, numbers),
            "words": here["read"](game, WORDS),
            "rules": str(game.rules),
        }
    (tmp_path / "given.json").write_text(json.dumps(given))
    said, modules = run_light(tmp_path, LIGHT, str(tmp_path / "given.json"))
    assert not {*FORBIDDEN} & {*modules}
    for spec, what in json.loads(json.dumps(expected)).items():
        assert said[spec] == what


COMPILED = """
from pitboss.flip7 import HIT, STAY, compiled_bot
from pitboss.games.flip7.bots.rules_of_thumb import RANDOM_TARGETS, choose
from pitboss.games.flip7.odds import all_coming, duplicates_coming
from pitboss.games.flip7.state import HIT_OR_STAY
from pitboss.core.compile import compiled


@compiled
def risky(view, seat, limit):
    return duplicates_coming(view, seat) > limit * all_coming(view)


@compiled_bot(limit=0.2)
def bot(view, rules, seat, params, luck):
    if int(view["decision"]) != HIT_OR_STAY:
        return choose(view, rules, seat, RANDOM_TARGETS, luck)
    return STAY if risky(view, seat, params[0]) else HIT
"""

LIGHT_COMPILED = """
import json, os, sys
sys.path[:0] = sys.argv[2:]
from pitboss.core import entry_points
entry_points.remember({"pitboss.games": {}, "pitboss.sides": {"flip7": "pitboss.games.flip7.side:Flip7Side"}})
from pitboss.core.bot import from_file
from pitboss.core.luck import mix
from pitboss.core.side import load_side
side = load_side("flip7:tournament")
assert "numpy" not in sys.modules
with open(sys.argv[1], encoding="utf-8") as file:
    place, views = json.load(file)
entrant = from_file(place, side.python_bot())
import numpy as np
from pitboss.games.flip7.state import STATE, score
rules = side.rules.record()
moves = []
for raw, seat, legal in views:
    record = np.frombuffer(bytes.fromhex(raw), STATE).copy()[0]
    moves.append(int(entrant.function(record, rules[0], seat, entrant.params, np.uint64(mix(len(moves))))))
    assert side.view(bytes.fromhex(raw), seat).legal == side.view_with(bytes.fromhex(raw), seat, legal).legal
assert entrant.function.signatures
assert not hasattr(score, "signatures")
print(json.dumps(moves))
"""


def test_a_compiled_bot_ends_light_mode_and_plays_as_anywhere(tmp_path):
    """Its helpers were marked in light mode, but machine code calls their compiled twins."""
    (tmp_path / "bots.py").write_text(COMPILED)
    place = f"{tmp_path / 'bots.py'}:bot(limit=0.1)"
    game, views, _ = positions("flip7:tournament")
    entrant, expected = bot(place, game), []
    for data, seat, _ in views:
        record = np.frombuffer(data, game.view_dtype).copy()[0]
        luck = np.uint64(mix(len(expected)))
        expected.append(int(entrant.function(record, game.record[0], seat, entrant.params, luck)))
    (tmp_path / "given.json").write_text(json.dumps([place, [(data.hex(), *rest) for data, *rest in views]]))
    paths = [path for path in sys.path if path]
    assert run_light(tmp_path, LIGHT_COMPILED, str(tmp_path / "given.json"), *paths) == expected
    assert len({*expected}) > 3


@pytest.mark.parametrize(
    "layout",
    [
        LAYOUT,
        STATE_LAYOUT,
        VIEW_LAYOUT,
        Layout(("a", I8), ("b", I32), ("c", I8, (3,)), ("d", I16, (2, 2)), ("e", I8)),
        Layout(("a", I16), ("b", I8, (2, 3, 5))),
    ],
)
def test_a_layout_is_what_numpy_makes_of_it(layout):
    dtype = layout.dtype
    assert {name: place for name, (_, place, *_) in dtype.fields.items()} == layout.at
    assert dtype.itemsize == layout.size
    data = random.Random(1).randbytes(dtype.itemsize)
    record, reader = np.frombuffer(data, dtype)[0], layout.reader(data)
    for name in dtype.names:
        assert np.array_equal(record[name], reader[name])


def test_the_side_of_a_game_is_told_which_moves_are_legal():
    game = load("flip7:official")
    data = raw(game.start(2), 0)
    assert load_side("flip7:official").rules == game.rules
    view = game.view_with(data, 0, 0b1100)
    view._raw = data.replace(data[:4], b"\0\0\0\0", 1)
    assert [str(move) for move in view.legal] == ["no", "yes"]
    with pytest.raises(PitbossError, match="unknown game 'flop7'"):
        load_side("flop7:official")

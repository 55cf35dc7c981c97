"""A changed helper is never played with old machine code, and both modes play the same games."""

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pitboss

PACKAGE = Path(pitboss.__file__).parent

SCRIPT = """
import json
from pitboss.run.batch import records, simulate
out = {}
for spec, bots in [
    ("flip7:solo", ["ev"]),
    ("flip7:numbers", ["random", "stay-20"]),
    ("flip7:simulation", ["bust-0.3", "cards-4", "always-hit"]),
    ("flip7:official", ["random", "ev+freeze-leader", "bust-0.4+freeze-risky"]),
    ("flip7:tournament", ["random", "conservative", "ev"]),
    ("show:classic", ["random", "counter"]),
    ("show:full", ["random", "show-6"]),
    ("show:fair", ["mc-2", "cfr"]),
    ("vengeance:standard", ["random", "ev", "cautious"]),
    ("vengeance:brutal", ["stay-25", "ev+random-targets", "bust-0.3"]),
    ("vengeance:quick", ["cards-4", "always-hit", "ev"]),
    ("vengeance:solo", ["ev"]),
]:
    spec += "" if spec.startswith("show") else "(target=60)"
    result = simulate(spec, bots, games=2 * len(bots), seed=5)
    lines = [record.to_line() for record in records(spec, bots, 2 * len(bots), 5)]
    out[spec] = [result.sums.columns.tolist(), result.decisions, result.cards, lines]
print(json.dumps(out))
"""


def run(script, **environment):
    env = {**os.environ, "PITBOSS_QUIET": "1", **environment}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_interpreted_and_compiled_play_the_same_games():
    """Bit for bit: results and records of all rule books, and of all kinds of bots."""
    compiled = json.loads(run(SCRIPT)[0])
    interpreted = json.loads(run(SCRIPT, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")[0])
    assert interpreted == compiled


def test_what_is_compiled_is_kept_until_a_helper_is_edited(tmp_path):
    """In a fresh cache only the first process compiles; when a helper is edited, the next plays by the new rule."""
    copy = tmp_path / "site" / "pitboss"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    script = (
        "from pitboss import load\n"
        "p = load('flip7:solo').start(1)\n"
        "p.apply('hit'); p.apply('+10')\n"
        "print(p.view(0).points)"
    )
    where = {"PYTHONPATH": str(copy.parent), "PITBOSS_CACHE": str(tmp_path / "cache"), "PITBOSS_QUIET": ""}
    where["PYTHONDONTWRITEBYTECODE"] = "1"  # Python looks at the time of a file, which will not change
    first, second = (run(script, **where) for _ in range(2))
    assert first[0] == second[0] == "10\n"
    assert first[1].count("compiling for this machine") == 1
    assert second[1] == ""
    for path in copy.rglob("*.py"):  # a text costs nothing: neither what is written above a function nor in a page
        path.write_text(path.read_text().replace('    """A new game', '    """\n    Quite a new game'))
    events = copy / "games" / "flip7" / "events.py"
    events.write_text(events.read_text() + "\n# a comment\nNEW = 1\n")
    assert run(script, **where) == second
    helper = copy / "games" / "flip7" / "state.py"
    text = helper.read_text()
    assert "return 2 * (card - PLUS_2 + 1)" in text
    stamp = helper.stat()
    helper.write_text(text.replace("return 2 * (card - PLUS_2 + 1)", "return 3 * (card - PLUS_2 + 1)"))
    os.utime(helper, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # even if the clock stands still
    assert run(script, **where)[0] == "15\n"


def test_bitcode_of_another_machine_becomes_machine_code_here(tmp_path):
    """As a wheel brings it: made for the plainest processor, with another cache; an edited rule is not in it."""
    script = "from pitboss import load\np = load('flip7:solo').start(1)\np.apply('hit')\nprint(p.legal)"
    made = tmp_path / "made"
    made.mkdir()
    where = {"PITBOSS_PREBUILD": str(made), "PITBOSS_QUIET": ""}
    plain = {"NUMBA_CPU_NAME": "x86-64" if platform.machine() == "x86_64" else "generic", "NUMBA_CPU_FEATURES": ""}
    there = run(script, **where, **plain, PITBOSS_CACHE=str(tmp_path / "there"))
    here = run(script, **where, PITBOSS_CACHE=str(tmp_path / "here"))
    again = run(script, PITBOSS_QUIET="", PITBOSS_CACHE=str(tmp_path / "here"))
    assert there[0] == here[0] == again[0]
    assert "compiling for this machine" in there[1]
    assert here[1] == again[1] == ""  # the machine code that was made of it is kept, too
    there = [*(tmp_path / "there" / "compiled").iterdir()]
    assert 0 < len([*made.iterdir()]) < len(there) / 2  # what is inlined is not needed


def test_the_rules_hold_interpreted_too():
    """The conformance tests once more, without the compiler."""
    tests = Path(__file__).parent.parent
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += [str(tests / "games" / "flip7" / "conformance"), str(tests / "games" / "show" / "conformance")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_bots_of_files_leave_nothing_in_the_cache(tmp_path):
    """Others could read their machine code there."""
    (tmp_path / "mine.py").write_text(
        "from pitboss.core.bot import compiled_bot\n\n\n"
        "@compiled_bot\ndef mine_alone(view, rules, seat, params, luck):\n    return 1\n"
    )
    bots = [str(tmp_path / "mine.py")] * 2
    script = f"from pitboss import simulate\nprint(simulate('flip7:numbers', {bots!r}, 2, 1).games)"
    assert run(script, PITBOSS_CACHE=str(tmp_path / "cache"))[0] == "2\n"
    names = [path.name for path in (tmp_path / "cache" / "compiled").iterdir()]
    assert names
    assert not [name for name in names if "mine_alone" in name]

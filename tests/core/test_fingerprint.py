"""A fingerprint changes with what a function does, and with nothing else."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from pitboss import bot, load
from pitboss.core.fingerprint import by_bytecode, by_source, fingerprint
from pitboss.core.version import bot_version, engine_version

MODULE = '''
"""Something."""
import enum
import math
import numpy as np

LIMIT = 25
TABLE = np.arange(4)

class Kind(enum.IntEnum):
    A = 1

def helper(x):
    """Helps."""
    return x + LIMIT

def unused(x):
    return x

def main(x, y=2):
    """Does it."""
    # with a comment
    def inner(z):
        """Inside."""
        return helper(z) + TABLE[0]
    return inner(math.floor(x)) + y + Kind.A
'''
SAME = [
    ('"""Helps."""', '"""Helps a lot."""'),
    ('"""Does it."""', '"""Does something else."""'),
    ('"""Inside."""', '"""Within."""'),
    ("# with a comment", "# with another\n"),
    ("def unused(x):\n    return x", "def unused(x):\n    return -x"),
    ('"""Something."""', '"""Anything."""\n\n\n'),
]
OTHER = [
    ("LIMIT = 25", "LIMIT = 26"),
    ("np.arange(4)", "np.arange(4) + 1"),
    ("A = 1", "A = 2"),
    ("x + LIMIT", "x - LIMIT"),
    ("y=2", "y=3"),
    ("+ TABLE[0]", "+ TABLE[1]"),
    ("math.floor", "math.ceil"),
]


@pytest.fixture
def module(tmp_path):
    """A function that imports a text as a module of its own."""
    made = []

    def make(text):
        path = tmp_path / f"made_{len(made)}.py"
        path.write_text(text)
        made.append(path)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
        return found

    return make


@pytest.mark.parametrize("body", [by_bytecode, by_source])
@pytest.mark.parametrize(("old", "new"), SAME)
def test_texts_do_not_count(module, body, old, new):
    assert old in MODULE
    assert fingerprint(module(MODULE).main, body=body) == fingerprint(module(MODULE.replace(old, new)).main, body=body)


@pytest.mark.parametrize("body", [by_bytecode, by_source])
@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_is_done_counts(module, body, old, new):
    assert old in MODULE
    assert fingerprint(module(MODULE).main, body=body) != fingerprint(module(MODULE.replace(old, new)).main, body=body)


def test_types_do_not_count_as_source(module):
    typed = MODULE.replace("def helper(x):", "def helper(x: int) -> int:")
    assert fingerprint(module(MODULE).main, body=by_source) == fingerprint(module(typed).main, body=by_source)


def test_closures_and_circles(module):
    source = "def make(n):\n    def f(x):\n        return x + n if x else f(n)\n    return f\n"
    made = module(source)
    assert fingerprint(made.make(1)) == fingerprint(made.make(1)) != fingerprint(made.make(2))
    assert fingerprint(np.zeros(3)) != fingerprint(np.zeros(3, np.float32)) != fingerprint(np.ones(3, np.float32))


VERSIONS = """
from pitboss import bot, load
from pitboss.core.version import bot_version, engine_version
for spec, name in [("flip7:official", "ev"), ("flip7:official", "hunter"), ("show:fair", "cfr"), ("show:full", "mc-2")]:
    print(engine_version(load(spec)), bot_version(bot(name, spec)))
"""


def test_versions_are_the_same_in_every_process_and_mode():
    def told(**more):
        env = {"PITBOSS_QUIET": "1", "PYTHONHASHSEED": "7", **more}
        return subprocess.run(
            [sys.executable, "-c", VERSIONS], env=env, capture_output=True, text=True, check=True
        ).stdout

    compiled, interpreted = told(), told(NUMBA_DISABLE_JIT="1", PYTHONHASHSEED="8")
    assert compiled == interpreted
    assert len(set(compiled.split())) == 7  # two are of one table


def test_versions_tell_switches_and_parameters_apart():
    assert engine_version(load("flip7:official")) != engine_version(load("flip7:official(target=100)"))
    assert bot_version(bot("stay-25")) != bot_version(bot("stay-26"))
    assert bot_version(bot("stay-25")) != bot_version(bot("stay-25+freeze-leader"))


def test_what_changes_while_a_process_runs_does_not_count(module):
    made = module(
        "import threading\nSEEN, LOCK = [], threading.Lock()\ndef f(x):\n    SEEN.append(x)\n    return LOCK\n"
    )
    before = fingerprint(made.f)
    made.f(1)
    assert fingerprint(made.f) == before

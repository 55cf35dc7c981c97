"""The same command again does without Numba, and plays the same games."""

import json
import os
import pickle
import subprocess
import sys

import llvmlite.binding as llvm
import pytest

from pitboss.core.cache_folder import cache_folder
from pitboss.core.native import can_load
from pitboss.run import quick

PROGRAM = """
import sys
from pitboss.cli.app import main
try: main()
except SystemExit: pass
print("numba" in sys.modules, file=sys.stderr)
"""


@pytest.fixture
def cache(tmp_path):
    """A cache with all machine code of this machine's, and no kits."""
    folder = tmp_path / "cache" / "compiled"
    folder.mkdir(parents=True)
    for file in cache_folder().iterdir():
        if not file.name.startswith("quick-"):
            (folder / file.name).symlink_to(file)
    return folder


@pytest.fixture
def simulate(cache):
    """Who won how often, and whether Numba was imported; each time in a new process."""

    def run(*words, **env):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, "simulate", *words, "--games", "200", "--seed", "3", "--json"],
            env={**os.environ, "PITBOSS_CACHE": str(cache.parent), **env},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)["bots"], done.stderr.endswith("True\n")

    return run


@pytest.mark.parametrize("words", [("flip7:official", "--bots", "ev,stay-25,ev"), ("show:fair", "--players", "2")])
def test_the_same_games_without_numba(simulate, cache, words):
    first, numba = simulate(*words)
    assert numba
    if not [*cache.glob("quick-*")]:  # something had to be compiled
        simulate(*words)
    assert simulate(*words) == (first, False)
    assert simulate(*words, NUMBA_OPT="3")[1]  # which could be other machine code


def test_a_kit_that_does_not_fit(simulate, cache):
    words = ("flip7:official", "--bots", "ev,stay-25")
    first, _ = simulate(*words)
    simulate(*words)
    [file] = cache.glob("quick-*")
    kit = pickle.loads(file.read_bytes())
    file.write_bytes(pickle.dumps(kit._replace(bots=kit.bots[:1])))
    assert simulate(*words) == (first, True)  # it has begun again
    file.write_bytes(b"nonsense")
    assert simulate(*words) == (first, True)


def test_bots_from_files_are_not_kept(simulate, cache, tmp_path):
    file = tmp_path / "mine.py"
    bot = "class Mine(Flip7Bot):\n    def hit_or_stay(self, view): return 'stay'\n"
    file.write_text(f"from pitboss.flip7 import *\n{bot}")
    for _ in range(2):
        assert simulate("flip7:official", "--bots", f"{file}:Mine,ev")[1]
    assert not [*cache.glob("quick-*")]


def test_machine_code_that_calls_what_is_not_here():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine()

    def code(callee):
        return target.emit_object(
            llvm.parse_assembly(
                f"declare void @{callee}()\ndefine void @us() {{\n  call void @{callee}()\n  ret void\n}}"
            )
        )

    assert [can_load(code(name)) for name in ("PyErr_Clear", "NRT_Free", "numba_nothing")] == [True, True, False]
    assert not can_load(b"MZ")


def test_what_names_a_kit(monkeypatch):
    names = {quick._file(("flip7", bots, None)) for bots in ("ev", "ev", "stay-20")}
    assert len(names) == 2
    monkeypatch.setattr(quick, "processor", lambda: ("another",))
    assert quick._file(("flip7", "ev", None)) not in names

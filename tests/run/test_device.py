"""The kernels for GPUs: run as plain Python by CUDA's simulator, and compiled, which takes no GPU.

`benchmarks/gpu.py` makes the same comparisons on a real one.
"""

import os
import subprocess
import sys

import pytest

from pitboss import simulate
from pitboss.core.errors import BotError

CALM = {"PITBOSS_QUIET": "1", "CUDA_VISIBLE_DEVICES": ""}
SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}

START = """
import numpy as np
from pitboss import load
from pitboss.run import device, kernel, kernel_sums
from pitboss.run.device import Gpu
from pitboss.stats.intervals import Sums
from pitboss.core.bot import Entrant
from pitboss.core.compile import compiled
from pitboss.core.errors import BotError
from pitboss.core.keys import Key
from pitboss.core.registry import line_up
from pitboss.core.seating import seating

KEY = Key.from_seed(4, quick=True)


def cpu(game, entrants, first, count, rotations, key=KEY):
    at = seating(entrants, game.view_dtype, game.rules_class.dtype())
    rows, counts = np.zeros((count, rotations, len(entrants), game.width)), np.zeros(3, np.int64)
    table = np.zeros(1, game.state_dtype), np.zeros(1, game.view_dtype), game.record
    assert game.loops.play_blocks(table, at, key.words, (first, rotations), rows, counts) == -1
    return rows, counts


def gpu(game, entrants, rotations, key=KEY):
    return Gpu(game, entrants, key, rotations, lambda first, count: cpu(game, entrants, first, count, rotations))
"""


@pytest.fixture
def python(tmp_path):
    """Runs a script in a process of its own; what it prints."""

    def run(code, **environment):
        script = tmp_path / "script.py"
        script.write_text(START + code, encoding="utf-8")
        command, env = [sys.executable, "-W", "error", str(script)], {**os.environ, **CALM, **environment}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("spec", "bots", "rotate"),
    [
        ("flip7:numbers", "stay-20,ev", True),
        ("flip7:official", "stay-25,ev,bust-0.25,random", True),
        ("flip7:tournament", "cards-4(all=true)+freeze-leader,random,stay-25+freeze-risky", True),
        ("flip7:simulation", "ev,random", False),
        ("flip7:solo", "bust-0.25", True),
        ("flip7:official(target=100000,max_rounds=5,copies=2)", "always-hit,random", True),
        ("show:classic", "show-6,random", True),
        ("show:fair", "random,show-4", False),
        ("vengeance:brutal", "stay-25,random,bust-0.25+random-targets", True),
        ("vengeance:solo", "bust-0.25", True),
    ],
)
def test_a_kernel_plays_the_games_of_the_cpu(python, spec, bots, rotate):
    pytest.importorskip("numba_cuda")
    code = f"""
game = load({spec!r})
entrants = line_up({bots!r}, game)
rotations = len(entrants) if {rotate} else 1
rows, counts = cpu(game, entrants, 7, 3, rotations)
assert (gpu(game, entrants, rotations).rows(7, 3) == rows).all()
((_, numbers),) = gpu(game, entrants, rotations).run(0, 3, 3)
assert (numbers == cpu(game, entrants, 0, 3, rotations)[1]).all()
print(counts.min() >= 0 and counts[1] > 0)
"""
    assert python(code, **SIMULATOR) == ["True"]


@pytest.mark.interpreted
def test_sums_are_those_of_the_cpu_to_the_last_bit(python):
    """Several launches of several chunks, added up as a whole; but chunk by chunk where payoffs are odd parts of 1."""
    pytest.importorskip("numba_cuda")
    code = """
from dataclasses import fields

device.GAMES_A_LAUNCH = 12
for spec, bots in (("flip7:numbers(target=20)", "stay-10,stay-15"),
                   ("show:fair(call_penalty=0.3)", "show-5,show-7")):
    game = load(spec)
    entrants = line_up(bots, game)
    seats, blocks, per_chunk = len(entrants), 41, 2
    here = [Sums.of(cpu(game, entrants, first, min(per_chunk, blocks - first), seats)[0])
            for first in range(0, blocks, per_chunk)]
    there = [sums for sums, _ in gpu(game, entrants, seats).run(0, blocks, per_chunk)]
    totals = []
    for parts in (here, there):
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        totals.append(total)
    for field in fields(Sums):
        assert np.all(getattr(totals[0], field.name) == getattr(totals[1], field.name)), field.name
    print(len(here), len(there), bool((totals[0].columns % 0.25).any()))
"""
    assert python(code, **SIMULATOR) == ["21", "7", "False", "21", "21", "True"]


@pytest.mark.interpreted
def test_where_nothing_is_left_to_play_nothing_is_played(python):
    pytest.importorskip("numba_cuda")
    code = """
game = load("flip7:solo")
print(*gpu(game, line_up("stay-25", game), 1).run(6, 6, 2), "nothing")
"""
    assert python(code, **SIMULATOR) == ["nothing"]


@pytest.mark.interpreted
def test_an_illegal_move_is_found_and_its_bot_named(python):
    pytest.importorskip("numba_cuda")
    code = """
def stubborn(view, rules, seat, params, luck):
    return 40

from pitboss import simulate
entrants = [*line_up("stay-20", load("flip7:numbers")), Entrant("stubborn", function=stubborn, trusted=True)]
try:
    simulate("flip7:numbers", entrants, 4, 1, device="cuda")
except BotError as problem:
    print(str(problem).replace(" ", "_"))
"""
    (text,) = python(code, **SIMULATOR)
    assert text.startswith("the_bot_stubborn_at_seat_")
    assert text.endswith("made_an_illegal_move;_legal:_stay,_hit")


def test_kernels_compile_for_a_gpu_and_bots_that_do_not_are_named(python):
    """Numba asks the GPU how new it is; there need not be one, so it is told. Nothing may spill into slow memory. And
    nothing of Flip 7's rules is read while it plays: loops over the deck are unrolled, with its counts in the code."""
    pytest.importorskip("numba_cuda")
    code = """
import re
from contextlib import nullcontext
from types import SimpleNamespace
from numba import cuda
import numba.cuda.dispatcher

device_here = SimpleNamespace(compute_capability=(9, 0), MAX_SHARED_MEMORY_PER_BLOCK_OPTIN=227 * 1024)
cuda.get_current_device = numba.cuda.dispatcher.get_current_device = lambda: device_here


def built(function, kinds, arrays=False, registers=None):
    with kernel.roomy() if arrays else nullcontext():
        return cuda.compile_ptx(function, kinds, cc=(9, 0))[0]


kernel.compile_kernel = built
for spec, bots in (("flip7:official", "stay-25,ev,random,stay-30"), ("show:classic", "show-6,random")):
    game = load(spec)
    entrants = line_up(bots, game)
    made = device.player(game, entrants, KEY, len(entrants))
    bots = kernel.bot_set([e.function for e in entrants])
    print(".local" in made.launch, bool(re.search(r"^\\s+call", made.launch, re.M)), len(bots))
    if spec.startswith("flip7"):
        print("ld.const" in made.launch)
print(*(".visible .entry" in code for code in kernel_sums.fold_kernels()))


def thinker(view, rules, seat, params, luck):
    values = np.zeros(3)
    return int(values[seat] * 2.0 + values[0])


def dreamer(view, rules, seat, params, luck):
    return len(open("dreams").read())


game = load("flip7:numbers")
thinkers, dreamers = (
    [*line_up("random", game), Entrant(f.__name__, function=compiled(f), trusted=True)] for f in (thinker, dreamer)
)
made = device.player(game, thinkers, KEY, 2)
print(made.arrays, "NRT_" in made.launch, "fma.rn.f64" in made.launch)
try:
    device.player(game, dreamers, KEY, 2)
except BotError as problem:
    print(str(problem).replace(" ", "_"))
"""
    *facts, refusal = python(code)
    assert facts == ["False", "False", "3", "False", "False", "False", "2", "True", "True", "True", "True", "False"]
    assert refusal.startswith("the_bot_dreamer_cannot_play_on_a_GPU:_")


def test_bots_that_cannot_run_on_a_gpu_are_refused_by_name(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from pitboss.flip7 import Flip7Bot\nfrom pitboss.core.bot import compiled_bot\n\n\n"
        "class Slow(Flip7Bot):\n    def hit_or_stay(self, view):\n        return 0\n\n\n"
        "@compiled_bot\ndef own(view, rules, seat, params, luck):\n    return 0\n",
        encoding="utf-8",
    )
    with pytest.raises(BotError, match=r"mine.py:Slow is written in Python; on a GPU only compiled built-in"):
        simulate("flip7:numbers", ["stay-20", f"{file}:Slow"], 10, device="cuda")
    with pytest.raises(BotError, match=r"mine.py:own is not built in; on a GPU only compiled built-in"):
        simulate("flip7:numbers", ["stay-20", f"{file}:own"], 10, device="cuda")


@pytest.mark.parametrize(
    ("device", "sentence"),
    [("cuda", ("there is no GPU here", "needs the extra cuda")), ("tpu", ("unknown device 'tpu'",))],
)
def test_without_a_gpu_a_sentence_and_code_2(device, sentence):
    command = [sys.executable, "-m", "pitboss", "simulate", "flip7:numbers", "--games", "10", "--device", device]
    done = subprocess.run(command, env={**os.environ, **CALM}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert any(text in done.stderr for text in sentence)
    assert "Traceback" not in done.stderr

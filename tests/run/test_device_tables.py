"""Tables on a GPU show what those on the CPU do: here in CUDA's simulator, and on an H200 by hand."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("numba_cuda", reason="numba-cuda is not installed: pip install pitboss[cuda]")

SCRIPT = """
import numpy as np
from pitboss import PitbossError
from pitboss.core.errors import IllegalMove
from pitboss.run.device_tables import OUT, DeviceTables
from pitboss.run.tables import LEARNER, Tables

for spec, bots, settings in (
    ("flip7:solo", [], {"episode": "round", "penalty": -1.0}),
    ("flip7:official(target=40)", ["ev", LEARNER, "stay-20"], {"autoreset": "next-step", "penalty": -2.0}),
    ("show:fair", ["show-6"], {"encoding": "complete"}),
):
    both = [kind(spec, [LEARNER, *bots], 3, **settings) for kind in (Tables, DeviceTables)]
    for tables in both:
        tables.reset(seed=5)
    luck = np.random.default_rng(1)
    for n in range(30):
        for name in OUT:
            ours, theirs = getattr(both[0], name), getattr(both[1], name).copy_to_host()
            assert (ours == theirs).all(), (spec, n, name, ours, theirs)
        actions = [luck.choice(np.flatnonzero(mask) if mask.any() else 1) for mask in both[0].masks]
        if "penalty" in settings and n % 7 == 0:
            actions[0] = 7
        for tables in both:
            tables.step(actions)
    both[1].reset()
try:
    both[1].step([9, 9, 9])
    both[1].verify()
except IllegalMove as problem:
    print(problem)
try:
    both[1].step([1])
except PitbossError as problem:
    print(problem)
"""


@pytest.mark.interpreted
def test_the_device_plays_the_games_of_the_cpu():
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "was not legal, and perhaps others were not" in done.stdout
    assert "3 tables need 3 actions" in done.stdout

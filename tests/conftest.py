"""What all tests share."""

import importlib.util
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from pitboss.core import entry_points
from tests import postgres as pg
from tests.browsers import browser
from tests.cluster import Cluster

__all__ = ["browser"]

# No test asserts a time, so no example has a deadline; CI tries the same examples every time.
IN_CI = not {"CI", "PITBOSS_LEAVE_NOTHING_OUT"}.isdisjoint(os.environ)  # the latter is what `.ci/run` says itself
settings.register_profile("pitboss", deadline=None, derandomize=IN_CI)
settings.load_profile("pitboss")

os.environ.setdefault("PITBOSS_QUIET", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # agents' networks are small, and tests run side by side

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as it is where a shell runs us in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Files that take longest begin first, so that no process of the tests is left alone with one at the end.
LONG = (
    "test_docs.py", "page/test_engine.py", "tournament/test_zoo.py", "web/test_looks.py", "browser/test_page.py",
    "run/test_special.py", "core/test_compile.py",
    "envs/test_vector.py", "games/flip7/test_duel.py", "games/flip7/test_small_decks.py", "cli/test_tournament.py",
)  # fmt: skip

PRESETS = ["official", "tournament", "simulation", "numbers", "solo"]


@pytest.fixture(params=PRESETS)
def preset(request):
    """Each of the five rule books of Flip 7."""
    return request.param


@pytest.fixture(scope="module")
def bids():
    """A game of hidden dice with 361 moves, whose package is installed as long as these tests run."""
    folder = str(Path(__file__).parent / "bids")
    paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", os.pathsep.join(paths))
        entry_points.places.cache_clear()
        yield "bids"
    entry_points.places.cache_clear()


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server, one for each process that runs tests."""
    why_not = pg.missing()
    if why_not:
        pytest.skip(why_not)
    server = pg.Server()
    yield server
    server.close()


@pytest.fixture(scope="session")
def cluster():
    """A Ray cluster of three nodes, one for each process that runs tests."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("a cluster needs Ray: make test-all installs it")
    nodes = Cluster()
    yield nodes
    nodes.close()


def pytest_collection_modifyitems(items):
    """Long files first. A file's tests run in one process (--dist loadfile): what they share is made once."""
    turn, root = {file: n - len(LONG) for n, file in enumerate(LONG)}, Path(__file__).parent
    items.sort(key=lambda item: turn.get(item.path.relative_to(root).as_posix(), 0))


TOO_LARGE = "stable_baselines3"  # it brings PyTorch, gigabytes of it; with pitboss[sb3] its tests run


def pytest_sessionfinish(session):
    """Where nothing may be left out (CI), a skipped test is a failure, unless what it needs is too large for CI."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    left_out = [report for report in skipped if TOO_LARGE not in str(report.longrepr).lower().replace("-", "_")]
    if "PITBOSS_LEAVE_NOTHING_OUT" in os.environ and left_out:
        session.exitstatus = 1
        reporter.write_line("tests were left out, and nothing may be", red=True)

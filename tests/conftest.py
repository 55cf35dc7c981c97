"""What all tests share."""

import os

import pytest
from hypothesis import settings

# No test asserts a time, so no example has a deadline; CI tries the same examples every time.
settings.register_profile("pitboss", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("pitboss")

os.environ.setdefault("PITBOSS_QUIET", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # agents' networks are small, and tests run side by side

PRESETS = ["official", "tournament", "simulation", "numbers", "solo"]


@pytest.fixture(params=PRESETS)
def preset(request):
    """Each of the five rule books of Flip 7."""
    return request.param


def pytest_sessionfinish(session):
    """Where nothing may be left out (CI), a skipped test is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if "PITBOSS_LEAVE_NOTHING_OUT" in os.environ and reporter and reporter.stats.get("skipped"):
        session.exitstatus = 1
        reporter.write_line("tests were left out, and nothing may be", red=True)

"""What all tests share."""

import os

import pytest

os.environ.setdefault("PITBOSS_QUIET", "1")

PRESETS = ["official", "tournament", "simulation", "numbers", "solo"]


@pytest.fixture(params=PRESETS)
def preset(request):
    """Each of the five rule books of Flip 7."""
    return request.param

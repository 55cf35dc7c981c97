"""Every paragraph of the rules page has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PARAGRAPHS = 26
TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
TESTED = set(re.findall(r"^def test_(V\d\d)_", TESTS, re.MULTILINE))


@pytest.mark.parametrize("rule", [f"V{n:02}" for n in range(1, PARAGRAPHS + 1)])
def test_paragraph_is_tested(rule):
    assert rule in TESTED

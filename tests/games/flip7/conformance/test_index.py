"""Every paragraph of the rules page has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PARAGRAPHS = {"C": 14, "S": 4, "A": 7, "T": 13, "N": 3, "O": 10}  # T14 is about matches, not games
TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
TESTED = set(re.findall(r"^def test_([A-Z]\d\d)_", TESTS, re.MULTILINE))


@pytest.mark.parametrize("rule", [f"{book}{n:02}" for book, last in PARAGRAPHS.items() for n in range(1, last + 1)])
def test_paragraph_is_tested(rule):
    assert rule in TESTED

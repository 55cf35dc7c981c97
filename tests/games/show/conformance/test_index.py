"""Every paragraph of the rules page has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games.show.conformance.taped import Table

TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
TESTED = set(re.findall(r"^def test_([A-Z]\d\d)_", TESTS, re.MULTILINE))


@pytest.mark.parametrize("rule", [f"H{n:02}" for n in range(1, 22)])
def test_paragraph_is_tested(rule):
    assert rule in TESTED


def test_a_story_that_cannot_be_fails_with_what_was_due():
    for story, due in (("0:0", "card for 0"), ("As 2s 3s 4s 5s", "0: peek"), ("As 2s 3s 4s 0:show", "0: peek")):
        with pytest.raises(AssertionError, match=f"{due}$"):
            Table("classic").tell(story)
    with pytest.raises(AssertionError, match="0: keep or discard 7s$"):
        Table("full").tell("As 2s 3s 4s 0:0 1:0 7s 1:discard")

"""Which cores workers and their bots keep to."""

import os

import pytest

from pitboss.core.keys import Key
from pitboss.run.processes import _cores
from pitboss.tournament.contestant import Contestant
from pitboss.tournament.match import MatchPlan

FILE = Contestant("mine", "mine.py", "python", path="/mine.py", call="Mine")
BUILT_IN = Contestant("ev", "ev", "built-in")

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="there are no cores to choose here")


def plan(*bots):
    return MatchPlan("flip7:tournament", bots, Key.from_seed(1))


@pytest.fixture
def four(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 3, 6, 7})


def test_each_worker_has_a_core_and_what_is_left_is_for_making_players(four):
    assert [_cores(plan(FILE, BUILT_IN), 2, number) for number in (0, 1, 2)] == [
        ({2}, {6, 7}), ({3}, {6, 7}), ({2}, {6, 7}),  # the third takes the place of one that died
    ]  # fmt: skip
    assert _cores(plan(FILE), 4, 3) == ({7}, set())


def test_more_workers_than_cores_and_bots_that_are_built_in_may_be_anywhere(four):
    assert _cores(plan(FILE), 5, 0) == (set(), set())
    assert _cores(plan(BUILT_IN), 2, 0) == (set(), set())

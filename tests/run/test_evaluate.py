"""Tasks: the same protocol for everybody, with intervals that hold, and for every game."""

from math import sqrt

import pytest

from pitboss import simulate
from pitboss.core.errors import PitbossError
from pitboss.core.keys import Key
from pitboss.core.registry import games, line_up, load
from pitboss.core.task import Task
from pitboss.run.evaluate import all_tasks, evaluate, find_task, tasks_of

SHORT = Task("short", "flip7:numbers", 2, ("stay-20", "random"), games=400, seed=7)


def test_every_game_has_tasks_that_can_be_played():
    for game in games():
        for task in tasks_of(game):
            table = load(task.table)
            table.verify_seats(task.seats)
            assert task.name.rpartition("-")[2] == "v1"
            assert len(line_up(list(task.opponents), table)) == len(task.opponents)
    assert len(all_tasks()) == sum(len(tasks_of(game)) for game in games())


def test_a_task_is_a_simulation_against_each_opponent():
    found = evaluate("stay-25", SHORT)
    for i, opponent in enumerate(SHORT.opponents):
        alone = simulate("flip7:numbers", ["stay-25", opponent], 400, seed=Key.from_seed(7 + i))
        assert found.lines[i].found == alone.win_share(0)
    halves = [(line.found.high - line.found.low) / 2 for line in found.lines]
    low, high = found.overall.found.low, found.overall.found.high
    assert (high - low) / 2 == pytest.approx(sqrt(halves[0] ** 2 + halves[1] ** 2) / 2)
    assert found.to_dict() == evaluate("stay-25", SHORT).to_dict()  # nothing is left to luck


def test_alone_a_bot_is_measured_by_the_games_own_figures():
    found = evaluate("stay-25", Task("alone", "flip7:solo", 1, games=200))
    assert [line.what for line in found.lines][:2] == ["rounds", "total"]
    assert found.overall is found.lines[0]
    assert "even" not in found.to_dict()


def test_an_unknown_task_is_told_with_those_there_are():
    with pytest.raises(PitbossError, match="flip7-4-v1"):
        find_task("flip7-4-v0")

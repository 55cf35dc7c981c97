"""`pitboss evaluate`, as people call it."""

import json

from pitboss.core.task import Task
from pitboss.games.flip7.game import Flip7
from pitboss.run.evaluate import all_tasks

SHORT = Task("short-v1", "flip7:numbers", 2, ("stay-20", "random"), games=400, seed=7)


def test_without_a_task_tasks_are_listed(good):
    assert {task["name"] for task in json.loads(good("evaluate", "--json"))} == set(all_tasks())
    assert "flip7-4-v1" in good("evaluate")


def test_what_cannot_play_is_told_before_anything_is_played(pitboss):
    code, out, said = pitboss("evaluate", "ev", "--task", "flip7-4-v1", "--task", "show-fair-v1")
    assert (code, out) == (2, "")
    assert "unknown bot 'ev'" in said
    assert "add --task" in pitboss("evaluate", "ev")[2]
    assert "name a bot" in pitboss("evaluate", "--task", "flip7-4-v1")[2]


def test_bots_stand_in_order_with_intervals(good, monkeypatch):
    monkeypatch.setattr(Flip7, "tasks", (SHORT,))
    said = good("evaluate", "random", "stay-25", "--task", "short-v1")
    assert said.index("\nstay-25") < said.index("\nrandom")
    assert "even is 50.0%" in said
    assert "400 games against each opponent" in said
    told = json.loads(good("evaluate", "stay-25", "--task", "short-v1", "--json"))
    assert [line["what"] for line in told[0]["lines"]] == ["stay-20", "random"]
    page = good("evaluate", "stay-25", "--task", "short-v1", "--markdown")
    assert page.startswith("| bot | all opponents | stay-20 | random |")

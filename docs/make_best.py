"""Measure all built-in bots and shipped agents at all tasks, for docs/explanation/who-plays-best.md.

python docs/make_best.py [processes] [part of a task's name]

Takes hours on a core. The page itself keeps what is known: a bot that has a line there is not measured again, so the
same command goes on from where it was stopped. To measure a bot anew, delete its line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from pitboss.core.registry import load
from pitboss.core.task import Task
from pitboss.learn.agent import shipped
from pitboss.run.evaluate import all_tasks, evaluate, table

PAGE = Path(__file__).resolve().parent / "explanation" / "who-plays-best.md"
BEGIN, END = "<!-- begin: made by docs/make_best.py -->", "<!-- end -->"
BOTS = {
    "flip7": [
        "random",
        "stay-20",
        "stay-25",
        "stay-30",
        "cards-4",
        "bust-0.25",
        "ev",
        "adaptive",
        "oracle",
        "winner",
        "hunter",
        "veteran",
        "modeller",
        "rollout",
        "tree",
    ],
    "show": ["random", "show-4", "show-6", "show-8", "counter", "mc-100", "cfr", "cfr(version=1)"],
    "vengeance": ["random", "cautious", "stay-25", "cards-4", "bust-0.25", "ev", "counter", "rollout"],
}
ALONE = {"flip7": ["random", "stay-20", "stay-25", "stay-30", "bust-0.25", "ev", "oracle", "race"]}


def bots_at(task: Task) -> list[str]:
    """Who is measured at a task."""
    game = load(task.table)
    agents = [f"agent:{name}" for name, table in shipped().items() if table == str(game)]
    return [*(BOTS if task.opponents else ALONE)[game.name], *agents]


def measured(bot: str, name: str) -> list[list[str]]:
    """The heads of a task's table, and the line of one bot."""
    heads, cells = table([evaluate(bot, name, threads=1)])
    return [heads, [f"`{bot}`", *cells[1:]]]


def kept(text: str) -> dict[str, list[list[str]]]:
    """The tables that a page holds, by task: the heads, then a line for each bot."""
    found: dict[str, list[list[str]]] = {}
    for part in text.split("\n### `")[1:]:
        rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
        found[part.partition("`")[0]] = [row for row in rows if row[0] != "---"]
    return found


def drawn(tasks: dict[str, Task], known: dict[str, list[list[str]]]) -> Iterator[str]:
    """The tables for the page, the best bot of each first."""
    for name, task in tasks.items():
        if name not in known:
            continue
        heads, *rows = known[name]
        rows.sort(key=lambda row: float(row[1].split()[0]), reverse=bool(task.opponents))
        lines = [heads, ["---"] * len(heads), *rows]
        even = f", even is {1 / task.seats:.1%}" if task.opponents else ""
        yield f"### `{name}`: {task.table}, {task.seats} seat{'s' * (task.seats > 1)}{even}\n"
        yield "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def main(processes: int = 1, part: str = "") -> None:
    """Measure what the page does not say yet, and write it there."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(f"{BEGIN}\n")
    known = kept(rest.partition(END)[0])
    tasks = {name: task for name, task in all_tasks().items() if load(task.table).name in BOTS}
    has = {(row[0].strip("`"), name) for name, rows in known.items() for row in rows}
    wanted = [(bot, name) for name, task in tasks.items() if part in name for bot in bots_at(task)]
    wanted = [each for each in wanted if each not in has]
    slow = ["rollout", "tree", "modeller", "veteran", "hunter", "winner", "oracle", "counter", "mc-100"]
    wanted.sort(key=lambda each: (each[0] in slow, tasks[each[1]].seats))  # the page is of use before all are known
    with ProcessPoolExecutor(processes) as pool:
        work = {pool.submit(measured, *each): each for each in wanted}
        for done in as_completed(work):
            bot, name = work[done]
            heads, row = done.result()
            known.setdefault(name, [heads]).append(row)
            text = "\n".join(drawn(tasks, known))
            PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
            print(f"{bot} at {name}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:3])

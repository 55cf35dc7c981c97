"""The walks of docs/explanation/how-it-works.md lead along files and functions that are there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/explanation/how-it-works.md").read_text(encoding="utf-8")
WALKS = ["A simulation", "A tournament with a bot file", "A move in the browser", "A piece of advice"]
MOST = 10


def stations(walk):
    """The numbered lines of a walk."""
    section = PAGE.split(f"\n## {walk}\n")[1].split("\n## ")[0]
    return re.findall(r"^(\d+)\. (.+)$", section, re.MULTILINE)


def names_in(path):
    """All functions and classes of a file, by name; methods also as Class.method."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        return set(re.findall(r"^  (?:async )?(\w+)\(.*\) {$", text, re.MULTILINE))
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{each.name}" for each in node.body if hasattr(each, "name")}
    return found


@pytest.mark.parametrize("walk", WALKS)
def test_every_station_exists(walk):
    found = stations(walk)
    assert [int(number) for number, _ in found] == list(range(1, len(found) + 1))
    assert 5 <= len(found) <= MOST
    for _, line in found:
        read = re.match(r"`([\w./-]+)`, `([\w.]+)`(?: and `([\w.]+)`)?: [^ ]", line)
        assert read, line
        path = ROOT / "src/pitboss" / read[1]
        assert path.is_file(), line
        assert {name for name in read.groups()[1:] if name} <= names_in(path), line


def test_other_files_that_are_mentioned_exist():
    walked = PAGE.split("\n## A rule book is a state machine")[0]
    mentioned = re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|js))`", walked)
    assert len(mentioned) >= 4 * 5
    assert [path for path in mentioned if not (ROOT / "src/pitboss" / path).is_file()] == []

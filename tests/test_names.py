"""One name, one thing: no class of the package shares its name with another."""

import ast
from collections import defaultdict
from pathlib import Path

import pitboss


def test_no_class_name_is_used_twice():
    root = Path(pitboss.__file__).parent
    found = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{path.relative_to(root)}:{node.lineno}")
    assert len(found) > 100
    assert not {name: places for name, places in found.items() if len(places) > 1}

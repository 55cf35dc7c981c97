"""What a source file is made of, read from its syntax tree. Nothing of the file is imported or run.

A hostile file can make Python's parser run out of memory or crash. So each file is parsed in a process of its own, with
little memory and little time; this module is also what that process runs.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from pitboss.core.launch import start

SECONDS = 10
MEMORY = 1 << 30  # bytes
PART = range(4, 31)  # nodes of a part: smaller ones are in every program, and a larger one changes with every edit
MOST_OUTPUT = 1 << 24  # bytes


@dataclass(frozen=True)
class Outline:
    """The classes that other classes of a file inherit from, and its parts: by a hash of their shape, how many
    there are. Names, numbers, texts and docstrings do not matter to a shape."""

    bases: frozenset[str]
    parts: Mapping[str, int]

    def without(self, other: Outline) -> Outline:
        """What is in this one and not in another: what was not handed out to everybody."""
        return Outline(self.bases, {part: n for part, n in self.parts.items() if part not in other.parts})

    @property
    def size(self) -> int:
        """How many parts there are."""
        return sum(self.parts.values())

    def likeness(self, other: Outline) -> float:
        """How much of both is in both: from 0 to 1.

        >>> one, two = outline("x = a + b * 2\\ny = f(x)"), outline("z = c + d * 3\\ny = f(z)")
        >>> one.likeness(two)
        1.0
        """
        names = self.parts.keys() | other.parts.keys()
        both = sum(min(self.parts.get(name, 0), other.parts.get(name, 0)) for name in names)
        either = sum(max(self.parts.get(name, 0), other.parts.get(name, 0)) for name in names)
        return both / either if either else 0.0


def read_outline(source: bytes) -> Outline | None:
    """The outline of a source that may be hostile; None if it is no Python, or too much."""
    pipe = subprocess.PIPE
    with start(__name__, environment={}, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as reader:
        try:
            text, _ = reader.communicate(source, timeout=SECONDS)
            found = json.loads(text[:MOST_OUTPUT])
        except (subprocess.SubprocessError, OSError, ValueError):
            reader.kill()
            return None
    return Outline(frozenset(found["bases"]), found["parts"])


def outline(source: str | bytes) -> Outline:
    """The outline of a source that is ours."""
    tree = ast.parse(source)
    parts: Counter[str] = Counter()
    _shape(tree, parts)
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    bases = (base.id for node in classes for base in node.bases if isinstance(base, ast.Name))
    return Outline(frozenset(bases) & {node.name for node in classes}, dict(parts))


def _shape(node: ast.AST, parts: Counter[str]) -> tuple[bytes, int]:
    """The hash of a node's shape and how many nodes it has; every part is counted."""
    children = [_shape(child, parts) for child in ast.iter_child_nodes(node) if not _is_text(child)]
    size = 1 + sum(size for _, size in children)
    shape = blake2b(type(node).__name__.encode() + b"".join(shape for shape, _ in children), digest_size=8).digest()
    if size in PART:
        parts[shape.hex()] += 1
    return shape, size


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is only a text: a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _main() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    except ImportError:  # not on Windows
        pass
    found = outline(sys.stdin.buffer.read())
    print(json.dumps({"bases": sorted(found.bases), "parts": found.parts}))


if __name__ == "__main__":
    _main()

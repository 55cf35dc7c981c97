"""Run the notebooks of docs/notebooks from their first cell to their last, and keep what they show.

    python docs/make_notebooks.py            run them, and write their outputs into them
    python docs/make_notebooks.py --check    only run them

No Jupyter is needed: a cell is Python, and what its last line is worth is shown as a notebook would show it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

NOTEBOOKS = Path(__file__).resolve().parent / "notebooks"
SHOWN = (("_repr_html_", "text/html"), ("_repr_svg_", "image/svg+xml"))


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells, each run after the other."""
    space: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = outputs("".join(cell["source"]), space, count)
    return notebook


def outputs(source: str, space: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What a cell prints, and what its last line is worth."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, found = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {count}>", "exec"), space)
        if last is not None:
            found = eval(compile(ast.Expression(last.value), f"<cell {count}>", "eval"), space)
    out: list[dict[str, Any]] = []
    if printed.getvalue():
        out.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if found is not None:
        data = {kind: lines(getattr(found, name)()) for name, kind in SHOWN if hasattr(found, name)}
        data["text/plain"] = lines(repr(found))
        out.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return out


def lines(text: str) -> list[str]:
    """A text as notebooks keep it."""
    return text.splitlines(keepends=True)


def main() -> None:
    """Run all notebooks, each in a folder of its own."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        with TemporaryDirectory() as folder, contextlib.chdir(folder):
            done = run(json.loads(path.read_text(encoding="utf-8")))
        if "--check" not in sys.argv:
            path.write_text(json.dumps(done, indent=1, ensure_ascii=False) + os.linesep, encoding="utf-8")
            print(f"wrote {path}")


if __name__ == "__main__":
    main()

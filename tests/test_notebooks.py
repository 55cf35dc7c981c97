"""The notebooks of the docs run from their first cell to their last, and show what they kept."""

import json

import pytest

from tests.test_docs import DOCS, script

NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_run_and_show_something(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = json.loads(path.read_text(encoding="utf-8"))
    shown = [set(out.get("data", ())) for cell in kept["cells"] for out in cell.get("outputs", ())]
    again = script(DOCS / "make_notebooks.py").run(json.loads(path.read_text(encoding="utf-8")))
    assert [set(out.get("data", ())) for cell in again["cells"] for out in cell.get("outputs", ())] == shown
    assert shown, "run docs/make_notebooks.py"
    assert path.stat().st_size < 400_000


def test_there_are_three_and_the_index_names_them():
    assert len(NOTEBOOKS) == 3
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    assert all(f"notebooks/{path.name}" in index for path in NOTEBOOKS)

"""Pages of the documentation site that lie outside docs/: the README, other pages of the project, source files, and the
page without a server, which is built into the site.

A page may link to any file of the repository. mkdocs knows only what lies in docs/, so each file that is linked to
becomes a page of the site too: Markdown as it is, other files as a listing.
"""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from posixpath import normpath, relpath
from typing import Any

from mkdocs.structure.files import File, Files

from pitboss.page.build import build

ROOT = Path(__file__).resolve().parent.parent
ICON = ROOT / "src/pitboss/render/icon.svg"
ALWAYS = ("CHANGELOG.md", "BENCHMARKS.md", "CONTRIBUTING.md")  # in the menu
PICTURES = (".svg",)  # outside docs/, as they are
PLAY = "page/index.html"  # the page without a server, within the site
BUTTONS = f"""
[Play now, in your browser]({PLAY}){{ .md-button .md-button--primary }}
[Questions and answers](questions.md){{ .md-button }}
[Your first bot](tutorial/first-bot.md){{ .md-button }}
"""
# What the search thinks of pages that hold a little of everything, or are not for readers; other pages count 1.
WEIGHT = {"questions.md": 2.0, "project/CHANGELOG.md": 0.3, "project/BENCHMARKS.md": 0.5, "reference/api.md": 0.5}
_made = tempfile.TemporaryDirectory()
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")
_LANGUAGE = {".py": "python", ".js": "js", ".toml": "toml"}


def on_files(files: Files, config: Any) -> Files:
    """Add what pages in docs/ link to, and what those pages link to in turn."""
    found: dict[str, str] = {}
    todo = [*ALWAYS, "README.md"]
    for page in files.documentation_pages():
        if page.src_uri.endswith(".md"):
            todo += _outside(f"docs/{page.src_uri}", page.content_string)
    while todo:
        path = todo.pop()
        if path not in found:
            text = (ROOT / path).read_text(encoding="utf-8")
            found[path] = text
            if path.endswith(".md"):
                todo += _outside(path, text)
    for path, text in found.items():
        if path.endswith(PICTURES):
            files.append(File.generated(config, _place(path), abs_src_path=str(ROOT / path)))
            continue
        content = text if path.endswith(".md") else _listing(path, text)
        files.append(File.generated(config, _place(path), content=content))
    files.append(File.generated(config, "images/icon.svg", abs_src_path=str(ICON)))
    for file in _page().rglob("*"):
        if file.is_file():
            place = f"page/{file.relative_to(_page()).as_posix()}"
            files.append(File.generated(config, place, abs_src_path=str(file)))
    return files


@cache
def _page() -> Path:
    """A folder with the page without a server, which goes when this process ends."""
    folder = Path(_made.name)
    build(folder)
    return folder


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links point at where files are on the site."""
    here = page.file.src_uri
    source = _source(here)
    page.meta["search"] = {"boost": WEIGHT.get(here, 1.0), "exclude": not (ROOT / source).exists()}
    text = _LINK.sub(lambda link: _relative(here, _target(source, link[1])) + (link[2] or ""), markdown)
    if here == "index.md":
        heading, rest = text.split("\n", 1)
        return f"{heading}\n{BUTTONS}\n{rest}"
    if here == "how-to/page.md":
        return text.replace("\n\n", f"\n\n[Open it here]({_up(here)}{PLAY}){{ .md-button .md-button--primary }}\n\n", 1)
    return text


def _up(here: str) -> str:
    """From a page to the top of the site."""
    return "../" * here.count("/")


def _target(source: str, link: str) -> str:
    """The file of the repository that a link of another one means."""
    path = normpath(f"{source}/../{link}")
    return f"{path}/README.md" if (ROOT / path).is_dir() else path


def _outside(source: str, text: str) -> list[str]:
    targets = (_target(source, link[1]) for link in _LINK.finditer(text))
    return [path for path in targets if _place(path) != path.removeprefix("docs/") and (ROOT / path).is_file()]


def _place(path: str) -> str:
    """Where a file of the repository is on the site."""
    if path == "README.md":
        return "index.md"
    if path == "docs/README.md":
        return "project/pages.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"project/{path}" if path.endswith((".md", *PICTURES)) else f"project/{path}.md"


def _source(place: str) -> str:
    """The file of the repository that a page of the site comes from."""
    if place in ("index.md", "project/pages.md"):
        return {"index.md": "README.md", "project/pages.md": "docs/README.md"}[place]
    return place.removeprefix("project/") if place.startswith("project/") else f"docs/{place}"


def _relative(here: str, path: str) -> str:
    return relpath(_place(path), here.rpartition("/")[0] or ".")


def _listing(path: str, text: str) -> str:
    language = _LANGUAGE.get(Path(path).suffix, "text")
    return f"# {path}\n\n````{language}\n{text}\n````\n"

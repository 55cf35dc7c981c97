"""Pages in one file each: no request leaves them, and they open from a folder as well as from a server.

The scripts, styles and templates lie beside this module as they are, so that a web server can serve
the same files. A page's policy (CSP) names its script by its hash: should some text ever slip in as markup,
a browser still runs nothing but our script.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

HERE = Path(__file__).parent


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


_templates = Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
_templates.filters["sha256"] = _hash


def read(name: str) -> str:
    """A file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def fill(template: str, **values: object) -> Markup:
    """A template of this folder, filled; what is filled in becomes text, never markup."""
    return Markup(_templates.get_template(template).render(values))


def embed(data: object) -> Markup:
    """Data as JSON that can stand in a script element: no `<` is left in it.

    >>> print(embed({"name": "</script>"}))
    {"name":"\\u003c/script>"}
    """
    return Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def document(kind: str, styles: Sequence[str], scripts: Sequence[str], start: str = "", **values: object) -> str:
    """A whole page: the template of its kind, files of this folder as style and script, a last line of script that
    starts it, and the values, of which `title` is one."""
    style, script = (Markup("\n".join(map(read, names))) for names in (styles, scripts))
    filled = fill("page.html", kind=kind, style=style, script=script + Markup(f"\n{start}"), **values)
    return str(filled)  # plain text: a whole page is no piece of another

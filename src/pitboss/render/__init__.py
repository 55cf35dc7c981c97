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

from pitboss.render.join import join

HERE = Path(__file__).parent


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


_templates = Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
_templates.filters["sha256"] = _hash


def read(name: str) -> str:
    """A file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def joined(script: str) -> str:
    """A module and all that it imports from this folder, as one script that needs no other."""
    modules = {file.name: file.read_text(encoding="utf-8") for file in HERE.glob("*.js")}
    return join({**modules, "page": script}, "page")


def fill(template: str, **values: object) -> Markup:
    """A template of this folder, filled; what is filled in becomes text, never markup."""
    return Markup(_templates.get_template(template).render(values))


def embed(data: object) -> Markup:
    """Data as JSON that can stand in a script element: no `<` is left in it.

    >>> print(embed({"name": "</script>"}))
    {"name":"\\u003c/script>"}
    """
    return Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def document(
    kind: str,
    styles: Sequence[str] = ("base.css", "report.css"),
    script: str = 'import "./theme.js";',
    **values: object,
) -> str:
    """A whole page: the template of its kind, files of this folder as its style, a module that may import others
    of this folder as its script, and the values, of which `title` is one."""
    style = Markup("\n".join(map(read, styles)))
    filled = fill("page.html", kind=kind, style=style, script=Markup(joined(script)), **values)
    return str(filled)  # plain text: a whole page is no piece of another

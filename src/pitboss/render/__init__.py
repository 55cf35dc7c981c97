"""Pages in one file each: no request leaves them, and they open from a folder as well as from a server.

The scripts, styles and bodies lie beside this module as they are, so that a web server can serve
the same files. A page's policy (CSP) names its script by its hash: should some text ever slip in as markup,
a browser still runs nothing but our script.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any


def read(name: str) -> str:
    """A file of this folder."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def fill(template: str, **parts: str) -> str:
    """A template with its `{{name}}` places filled; what is filled in is not looked at again.

    >>> fill("<p>{{a}} and {{b}}</p>", a="{{b}}", b="2")
    '<p>{{b}} and 2</p>'
    """
    return re.sub(r"{{(\w+)}}", lambda place: parts[place[1]], template)


def embed(data: Any) -> str:
    """Data as JSON that can stand in a script element: no `<` is left in it.

    >>> embed({"name": "</script>"})
    '{"name":"\\\\u003c/script>"}'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def document(title: str, kind: str, body: str, styles: Sequence[str], scripts: Sequence[str], start: str = "") -> str:
    """A whole page: files of this folder as style and script, and a last line of script that starts it."""
    style = "\n".join(map(read, styles))
    script = "\n".join([*map(read, scripts), start])
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<title>{escape(title)}</title>\n<link rel="icon" href="data:,">\n<style>{style}</style>\n</head>\n'
        f'<body class="{kind}">\n{body}\n<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

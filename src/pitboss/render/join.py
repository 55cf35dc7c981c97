"""ES modules joined into one classic script: a browser loads no modules from a folder, `file://`, but it runs scripts.

A small part of the language is understood, which is the part that our modules use: imports and exports by name, at the
beginning of a line, and no cycles. Anything else is refused with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pitboss.core.errors import PitbossError

_IMPORT = re.compile(r'^import\s*(?:\{([^}]*)\}\s*from\s*)?"([^"]+)";[ \t]*$', re.MULTILINE)
_NAMED = re.compile(r"^export\s+(?=(?:async\s+function|function|class|const)\s*\*?\s*([A-Za-z_$][\w$]*))", re.MULTILINE)
_LIST = re.compile(r"^export\s*\{([^}]*)\};[ \t]*$", re.MULTILINE)
_REST = re.compile(r"^\s*(?:import\b(?!\s*\()|export\b).*$", re.MULTILINE)


def join(modules: Mapping[str, str], entry: str) -> str:
    """One classic script that does what the module `entry` does; modules are known by the names of their files.

    >>> modules = {"a.js": "export const two = 2;", "main.js": 'import { two as n } from "./a.js";\\nshow(n);'}
    >>> print(join(modules, "main.js"))
    (() => {
    "use strict";
    const modules = {};
    // a.js
    modules["a.js"] = (() => {
    const two = 2;
    return { two };
    })();
    // main.js
    modules["main.js"] = (() => {
    const { two: n } = modules["a.js"];
    show(n);
    return {  };
    })();
    })();
    """
    order: list[str] = []
    _sort(modules, entry, [], order)
    parts = [
        f'// {name}\nmodules["{name}"] = (() => {{\n{_as_function(name, modules[name])}\n}})();\n' for name in order
    ]
    return f'(() => {{\n"use strict";\nconst modules = {{}};\n{"".join(parts)}}})();\n'


def _sort(modules: Mapping[str, str], name: str, above: list[str], order: list[str]) -> None:
    """Put a module after all that it imports."""
    if name in above:
        raise PitbossError(f"modules import each other: {' → '.join([*above, name])}")
    if name not in modules:
        raise PitbossError(f"{above[-1]} imports {name}, which is not here; there are {', '.join(sorted(modules))}")
    if name in order:
        return
    for _, path in _IMPORT.findall(modules[name]):
        _sort(modules, _base(path), [*above, name], order)
    order.append(name)


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _as_function(name: str, source: str) -> str:
    """The inside of a function that returns what the module exports."""
    exported = _NAMED.findall(source)
    for names in _LIST.findall(source):
        exported += [_renamed(each, "{1}: {0}") for each in _split(names)]
    body = _IMPORT.sub(_import_as_constant, source)
    body = _NAMED.sub("", _LIST.sub("", body))
    left = _REST.search(body)
    if left:
        raise PitbossError(f"{name}: this line cannot be joined, write it otherwise: {left[0].strip()}")
    return f"{body.strip()}\nreturn {{ {', '.join(exported)} }};"


def _import_as_constant(found: re.Match[str]) -> str:
    names = [_renamed(each, "{0}: {1}") for each in _split(found[1] or "")]
    return f'const {{ {", ".join(names)} }} = modules["{_base(found[2])}"];' if names else ""


def _split(names: str) -> list[str]:
    return [each.strip() for each in names.split(",") if each.strip()]


def _renamed(name: str, form: str) -> str:
    first, _, second = name.partition(" as ")
    return form.format(first.strip(), second.strip()) if second else first.strip()

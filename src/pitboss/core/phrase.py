"""Texts with values in them, in the form that translators know as ICU's: `{who} draws {n, plural, one {a card} other
{# cards}}`.

`{name}` is a value, `{name, plural, =0 {…} one {…} other {…}}` depends on a number, which `#` repeats, and `{name,
select, yes {…} other {…}}` on any value. Texts within texts may have values, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pitboss.core.errors import PitbossError
from pitboss.core.node import Node, Scope

ONE: Node = {"one": ["==", ["local", "n"], 1]}  # which numbers are singular, where a language says nothing else

_OPENS = re.compile(r"\{\s*([A-Za-z_]\w*)\s*(?:,\s*(plural|select)\s*,|\})")
_RUN = re.compile(r"[^{}#]+|#")
_CASE = re.compile(r"\s*(=\d+|\w+)\s*\{")


def phrase(text: str, scope: Scope, plurals: Mapping[str, Node] = ONE) -> Node:
    """The node of a text, in the language whose kinds of plural are given.

    >>> phrase("{who} stays", Scope({}))
    ['say', ['field', 'who'], ' stays']
    """
    if "{" not in text and "}" not in text:
        return text
    try:
        node, end = _text(text, 0, scope, plurals)
        if end < len(text):
            raise PitbossError("it has a } too many")
    except PitbossError as problem:
        raise PitbossError(f"the text {text!r} cannot be read: {problem}") from problem
    return node


def _text(text: str, at: int, scope: Scope, plurals: Mapping[str, Node], hash_is: Node = None) -> tuple[Node, int]:
    """The node of what stands up to the next closing bracket, and where that is."""
    parts: list[Node] = []
    while at < len(text) and text[at] != "}":
        if text[at] == "{":
            node, at = _value(text, at, scope, plurals, hash_is)
            parts.append(node)
        elif text[at] == "#" and hash_is is not None:
            parts.append(hash_is)
            at += 1
        else:
            run = _RUN.match(text, at)
            assert run is not None
            parts.append(run[0])
            at = run.end()
    if all(isinstance(part, str) for part in parts):
        return "".join(parts), at
    return ["say", *parts], at


def _value(text: str, at: int, scope: Scope, plurals: Mapping[str, Node], hash_is: Node) -> tuple[Node, int]:
    opening = _OPENS.match(text, at)
    if not opening:
        raise PitbossError(
            f"after {text[at : at + 12]!r} it needs {{name}}, or {{name, plural, …}} or {{name, select, …}}"
        )
    value, kind = scope.node(opening[1]), opening[2]
    at = opening.end()
    if kind is None:
        return value, at
    cases: dict[str, Node] = {}
    while case := _CASE.match(text, at):
        cases[case[1]], at = _text(text, case.end(), scope, plurals, value if kind == "plural" else hash_is)
        if at >= len(text):
            raise PitbossError(f"the bracket after {case[1]!r} is not closed")
        at += 1
    at += len(text[at:]) - len(text[at:].lstrip())
    if "other" not in cases or at >= len(text) or text[at] != "}":
        raise PitbossError(f"the {kind} of {opening[1]!r} needs an other {{…}} and a closing bracket")
    other = cases.pop("other")
    if kind == "select":
        tests = [[["==", ["local", "n"], word], said] for word, said in cases.items()]
        return ["choose", ["show", value], tests, other], at + 1
    exact = [[["==", ["local", "n"], int(word[1:])], said] for word, said in cases.items() if word[0] == "="]
    return ["choose", value, [*exact, *([plurals[w], s] for w, s in cases.items() if w in plurals)], other], at + 1


def values_in(node: Node) -> set[str]:
    """The names of the values that a text has."""
    if not isinstance(node, list):
        return set()
    if node and node[0] in ("field", "value", "table"):
        return {node[1]}
    return {name for part in node for name in values_in(part)}

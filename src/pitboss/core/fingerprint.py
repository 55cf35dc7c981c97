"""What a function is made of, as a hash: its code, and whatever that can reach.

Two functions with the same fingerprint do the same. Texts for people do not count: editing a docstring, a comment,
or a function that is not called changes nothing. So machine code is kept under the fingerprint of its function
(`machine`), and a tournament outlives an upgrade that leaves its rules and bots as they were (`version`).
"""

from __future__ import annotations

import ast
import enum
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

# Libraries whose code counts by their name alone; whoever cares for their versions adds these.
LIBRARIES = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite", "numba_cuda", "cuda", "scipy"}

Body = Callable[[FunctionType], str]


def by_bytecode(function: FunctionType) -> str:
    """The body of a function as this version of Python runs it: quick to find."""
    return repr([*_code(function.__code__, function.__doc__)])


def by_source(function: FunctionType) -> str:
    """The body of a function as it is written, without docstrings, comments and types: the same for all versions of
    Python."""
    code = function.__code__
    found = _definitions(code.co_filename).get((code.co_firstlineno, code.co_name))
    return found if found is not None else by_bytecode(function)


def functions_in(thing: Any) -> int:
    """How many functions something is made of."""
    return sum(part.startswith("function ") for part in _Walk(lambda function: "").describe(thing))


def fingerprint(*things: Any, body: Body = by_bytecode) -> str:
    """A hash of things, and of all that they are made of: functions, numbers, texts, arrays, records, classes."""
    digest = hashlib.sha256()
    for part in _Walk(body).describe(things):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


class _Walk:
    """Describes things part by part; what was met before is only referred to, so circles end."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._met: dict[int, int] = {}
        self._alive: list[Any] = []  # an id is taken again when its owner is gone

    def describe(self, thing: Any) -> Iterator[str]:
        thing = _plain(thing)
        if thing is None or isinstance(thing, bool | int | float | complex | str | bytes):
            yield f"{type(thing).__name__} {thing!r}"
            return
        if id(thing) in self._met:
            yield f"again {self._met[id(thing)]}"
            return
        self._met[id(thing)] = len(self._met)
        self._alive.append(thing)
        yield from self._new(thing)

    def _new(self, thing: Any) -> Iterator[str]:
        home = (getattr(thing, "__module__", None) or type(thing).__module__).partition(".")[0]
        if isinstance(thing, ModuleType):
            yield f"module {thing.__name__}"
        elif isinstance(thing, enum.Enum):
            yield f"{type(thing).__name__} {thing.value!r}"
        elif isinstance(thing, FunctionType) and home not in LIBRARIES:
            yield from self._function(thing)
        elif isinstance(thing, type) and home not in LIBRARIES:
            yield from self._class(thing)
        elif isinstance(thing, type | FunctionType | BuiltinFunctionType):
            yield f"{thing.__module__}.{thing.__qualname__}"
        elif isinstance(thing, tuple):
            yield f"{type(thing).__name__} {len(thing)}"
            for part in thing:
                yield from self.describe(part)
        elif isinstance(thing, frozenset):
            yield f"set {sorted(map(repr, thing))}"
        elif hasattr(thing, "dtype") and hasattr(thing, "tobytes"):  # arrays and numbers of NumPy
            yield f"{_record(thing.dtype)} {thing.shape} {thing.tobytes().hex()}"
        elif type(thing).__module__.startswith("numpy") and hasattr(thing, "descr"):
            yield _record(thing)
        elif home == "numba" and " at 0x" not in str(thing):  # its types
            yield str(thing)
        else:  # what can change while a process runs, such as a list, says nothing of what a function is
            yield f"{type(thing).__module__}.{type(thing).__qualname__}"

    def _function(self, function: FunctionType) -> Iterator[str]:
        yield f"function {function.__name__}"
        yield self._body(function)
        yield from self.describe(function.__defaults__)
        yield from self.describe(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            with suppress(ValueError):  # what is not there yet cannot be called either
                yield from self.describe(cell.cell_contents)
        names = set(_names(function.__code__))
        for name in sorted(names & function.__globals__.keys()):
            value = function.__globals__[name]
            yield name
            yield from self.describe(value)
            if isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in LIBRARIES:
                for attribute in sorted(names & vars(value).keys()):
                    yield from self.describe(getattr(value, attribute))

    def _class(self, owner: type) -> Iterator[str]:
        yield f"class {owner.__qualname__}"
        if issubclass(owner, enum.Enum):
            yield repr([(member.name, member.value) for member in owner])
            return
        for base in owner.__bases__:
            yield from self.describe(base)
        for name, value in sorted(vars(owner).items()):
            function = getattr(value, "__func__", getattr(value, "fget", getattr(value, "func", value)))
            if not name.startswith("__") or isinstance(function, FunctionType):
                yield name
                yield from self.describe(function)


def _plain(thing: Any) -> Any:
    """The Python function behind what was made of it."""
    for made in ("py_func", "_defn", "__wrapped__"):  # by Numba's compiler, its `intrinsic`, and functools
        inner = getattr(thing, made, None) if not isinstance(thing, type | ModuleType) else None
        if isinstance(inner, FunctionType):
            return _plain(inner)
    return thing.__func__ if isinstance(thing, MethodType) else thing


def _record(dtype: Any) -> str:
    return f"{dtype.descr} {dtype.itemsize}"


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code(code: CodeType, text: str | None) -> Iterator[Any]:
    """What there is to run; of its constants not the docstring, which comes first."""
    yield code.co_code
    yield code.co_exceptiontable
    yield (code.co_argcount, code.co_kwonlyargcount, code.co_flags)
    yield (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    for n, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            inner = constant.co_consts[0] if constant.co_consts else None
            yield [*_code(constant, inner if isinstance(inner, str) else None)]
        elif isinstance(constant, frozenset):
            yield sorted(map(repr, constant))
        elif n > 0 or constant != text or text is None:
            yield repr(constant)


@cache
def _definitions(file: str) -> dict[tuple[int, str], str]:
    """The functions of a file, by line and name, as they are written but for what people alone read."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[tuple[int, str], str] = {}
    for line, node in [(_first_line(node), node) for node in ast.walk(tree)]:  # before decorators are taken away
        if isinstance(node, ast.FunctionDef):
            found[line, node.name] = ast.unparse(_Bare().visit(node))
        elif isinstance(node, ast.Lambda):
            found[line, "<lambda>"] = f"{found.get((line, '<lambda>'), '')};{ast.unparse(node)}"
    return found


def _first_line(node: ast.AST) -> int:
    return min(each.lineno for each in (*getattr(node, "decorator_list", ()), node)) if hasattr(node, "lineno") else 0


class _Bare(ast.NodeTransformer):
    """Takes docstrings, types and decorators from functions."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns, node.decorator_list = None, []
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value is not None else None

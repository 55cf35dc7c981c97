"""Small expressions over the numbers of a record, written as Python writes them: `status[seat] == BUSTED`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from pitboss.core.errors import PitbossError
from pitboss.core.node import FUNCTIONS, OF_FACTS, Node, Scope

_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.RShift: ">>", ast.BitAnd: "&",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
}  # fmt: skip


def formula(text: str, scope: Scope) -> Node:
    """The node of an expression.

    >>> formula("total[seat] >= 200", Scope({}))
    ['>=', ['at', ['field', 'total'], ['field', 'seat']], 200]
    """
    try:
        return _node(ast.parse(text.strip(), mode="eval").body, scope)
    except (SyntaxError, PitbossError) as problem:
        raise PitbossError(f"{text!r} cannot be read: {problem}") from problem


def _node(tree: ast.expr, scope: Scope) -> Node:
    def of(part: ast.expr) -> Node:
        return _node(part, scope)

    match tree:
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.Name(id=name):
            return scope.node(name)
        case ast.Attribute(value=ast.Name(id="rules"), attr=name):
            return ["rule", name]
        case ast.Subscript(value=value, slice=ast.Slice(lower=low, upper=high, step=None)):
            return ["slice", of(value), of(low) if low else 0, of(high) if high else ["call", "len", of(value)]]
        case ast.Subscript(value=value, slice=index):
            return ["at", of(value), of(index)]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return ["list", *map(of, parts)]
        case ast.IfExp(test=test, body=body, orelse=other):
            return ["if", of(test), of(body), of(other)]
        case ast.BoolOp(op=op, values=parts):
            return ["and" if isinstance(op, ast.And) else "or", *map(of, parts)]
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return ["not", of(part)]
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return ["-", 0, of(part)]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return [_OPERATORS[type(op)], of(left), of(right)]
        case ast.Compare(left=left, ops=ops, comparators=others):
            return _comparison([left, *others], ops, of)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in OF_FACTS or name in FUNCTIONS:
            return ["call", name, *map(of, args)]
        case ast.ListComp(elt=result, generators=loops) | ast.GeneratorExp(elt=result, generators=loops):
            return _each(result, loops, scope)
    known = ", ".join(sorted({*OF_FACTS, *FUNCTIONS}))
    raise PitbossError(
        f"{ast.unparse(tree)!r} is not of the few things that an expression can have: numbers, texts, names, x[i], "
        f"x[i:j], lists and comprehensions, if, and, or, not, comparisons, + - * // % >> &, and {known}"
    )


def _comparison(parts: list[ast.expr], ops: list[ast.cmpop], of: Callable[[ast.expr], Node]) -> Node:
    pairs = []
    for left, op, right in zip(parts, ops, parts[1:], strict=False):
        if isinstance(op, ast.NotIn):
            pairs.append(["not", ["in", of(left), of(right)]])
        elif type(op) in _OPERATORS:
            pairs.append([_OPERATORS[type(op)], of(left), of(right)])
        else:
            raise PitbossError(f"{ast.unparse(ast.Compare(left, [op], [right]))!r} is no comparison of numbers")
    return pairs[0] if len(pairs) == 1 else ["and", *pairs]


def _each(result: ast.expr, loops: list[ast.comprehension], scope: Scope) -> Node:
    out = []
    for loop in loops:
        if not isinstance(loop.target, ast.Name):
            raise PitbossError("a comprehension has one name in each for")
        over = _node(loop.iter, scope)
        scope = replace(scope, locals=(*scope.locals, loop.target.id))
        tests = [_node(test, scope) for test in loop.ifs]
        out.append([loop.target.id, over, ["and", *tests] if len(tests) > 1 else tests[0] if tests else 1])
    return ["each", _node(result, scope), out]

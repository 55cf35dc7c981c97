"""What lies at an address, for compiled code: a bot, its parameters, the arrays of a loan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from numba import from_dtype, types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.experimental.function_type import _get_jit_address
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from pitboss.core.bot import Entrant
from pitboss.core.code_cache import COMPILING
from pitboss.core.errors import BotError
from pitboss.core.types import Array, Dtype, Numba

PARAMS = types.Array(types.float64, 1, "C", readonly=True)


@cache
def signature(view: Dtype, rules: Dtype) -> Any:
    """The signature of a game's compiled bots."""
    return types.int64(from_dtype(view), from_dtype(rules), types.int64, PARAMS, types.uint64)


def address_of(entrant: Entrant, view: Dtype, rules: Dtype) -> int:
    """Where the machine code of a compiled bot lies."""
    try:
        return _get_jit_address(entrant.function, signature(view, rules))  # type: ignore[no-any-return]
    except NumbaError as problem:
        COMPILING.stop()
        lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
        reason = next((line for line in lines if not line.startswith(("Failed in", "-", ">>>"))), lines[0])
        where = next((line for line in lines if line.startswith("File ")), "")
        raise BotError(f"the compiled bot {entrant.name} does not compile: {reason} {where}") from problem


@cache
def caller(view: Dtype, rules: Dtype) -> Callable[[int], Callable[..., int]]:
    """`bot_at(address)`: the bot whose machine code lies there."""
    bot_type = types.FunctionType(signature(view, rules))

    @intrinsic  # type: ignore[untyped-decorator]
    def bot_at(typing: Numba, address: Any) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            bot = cgutils.create_struct_proxy(bot_type)(context, builder)
            pointer = context.get_value_type(types.voidptr)
            bot.c_addr = bot.py_addr = cgutils.get_null_value(pointer)
            bot.jit_addr = builder.inttoptr(args[0], pointer)
            return bot._getvalue()

        return bot_type(types.int64), codegen

    return bot_at  # type: ignore[no-any-return]


@intrinsic  # type: ignore[untyped-decorator]
def params_at(typing: Numba, address: Any, size: Any) -> Numba:
    """The parameters that lie at an address."""

    def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return _array_at(context, builder, PARAMS, args)

    return PARAMS(types.int64, types.int64), codegen


def _array_at(context: Numba, builder: Numba, kind: Numba, place: Sequence[Numba]) -> Numba:
    """The array of a kind at an address, with its length: nobody counts references to it."""
    array = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    data = builder.inttoptr(place[0], array.data.type)
    populate_array(array, data=data, shape=[place[1]], strides=[size], itemsize=size, meminfo=None)
    return array._getvalue()


@cache
def lender(*dtypes: Dtype) -> Callable[[Any], tuple[Array, ...]]:
    """`lent(place)`: the arrays of a `Loan` of these types."""
    kinds = tuple(types.Array(from_dtype(dtype), 1, "C") for dtype in dtypes)

    @intrinsic  # type: ignore[untyped-decorator]
    def lent(typing: Numba, place: Any) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            word = context.get_value_type(types.int64)
            words = builder.inttoptr(args[0], word.as_pointer())
            found = [builder.load(cgutils.gep_inbounds(builder, words, i)) for i in range(2 * len(kinds))]
            arrays = [_array_at(context, builder, kind, found[2 * i :]) for i, kind in enumerate(kinds)]
            return context.make_tuple(builder, sig.return_type, arrays)

        return types.Tuple(kinds)(types.int64), codegen

    return lent  # type: ignore[no-any-return]

"""How a state lies on a GPU: single numbers in registers, arrays in shared memory.

The rule books read and write fields as `s["x"]` and `s["x"][i]`, and do not care what `s` is. On the CPU it is a NumPy
record; here it is a `PackedState`, a type of ours that numba-cuda compiles the same functions for. A record in memory
would be loaded and stored at every step, which is most of what a rule book does; registers cost nothing, and the
compiler sees through them which branch comes next.

Only for real devices: the CUDA simulator runs the kernels on plain records.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import NamedTuple

from numba import from_dtype, types
from numba.cuda import cgutils
from numba.cuda.datamodel import PrimitiveModel
from numba.cuda.extending import infer, intrinsic, lower_builtin, models, register_model
from numba.cuda.typing.templates import AbstractTemplate, infer_global, signature

from pitboss.core.types import Array, Dtype, Numba, StateRecord

_BYTES = types.CPointer(types.int8)
_NUMBER = types.int32  # a single number in a register
_NUMBERS = types.CPointer(_NUMBER)


class PackedState(types.Type):  # type: ignore[misc]
    """A state: `arrays` is the record of its arrays, `singles` the names of all else, `fixed` what never changes."""

    def __init__(self, whole: Numba, arrays: Numba, fixed: Mapping[str, int]) -> None:
        self.whole, self.arrays, self.fixed = whole, arrays, dict(fixed)
        self.singles = [name for name, kind in whole.members if not isinstance(kind, types.NestedArray)]
        super().__init__(name=f"PackedState({whole}, {arrays}, {sorted(self.fixed.items())})")

    def field(self, name: str) -> Numba:
        """The type of a field."""
        if name in self.singles:
            return _NUMBER
        array = self.arrays.typeof(name)
        return PackedArray(array.dtype, array.shape, array.strides)


class PackedArray(types.Type):  # type: ignore[misc]
    """An array of a table. Its shape is part of its type, and nobody counts from its end: an index is an address."""

    def __init__(self, dtype: Numba, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self.dtype, self.shape, self.strides = dtype, shape, strides
        super().__init__(name=f"PackedArray({dtype}, {shape}, {strides})")


@register_model(PackedState)
class _TableModel(models.StructModel):  # type: ignore[misc]
    """Where the arrays begin, and a place on the stack for each single number: those become registers."""

    def __init__(self, manager: Numba, table: PackedState) -> None:
        super().__init__(manager, table, [("arrays", _BYTES), *((name, _NUMBERS) for name in table.singles)])


@register_model(PackedArray)
class _RowModel(PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Numba, row: PackedArray) -> None:
        super().__init__(manager, row, manager.lookup(row.dtype).get_data_type().as_pointer())


# --- s["x"] and s["x"] = value ---


@infer
class _GetField(AbstractTemplate):  # type: ignore[misc]
    key = "static_getitem"

    def generic(self, args: Numba, kws: Numba) -> Numba:
        table, name = args
        if isinstance(table, PackedState):
            return signature(table.field(name), table, types.literal(name))
        return None


@infer
class _SetField(AbstractTemplate):  # type: ignore[misc]
    key = "static_setitem"

    def generic(self, args: Numba, kws: Numba) -> Numba:
        table, name, value = args
        if isinstance(table, PackedState):
            return signature(types.void, table, types.literal(name), value)
        return None


@lower_builtin("static_getitem", PackedState, types.StringLiteral)  # type: ignore[untyped-decorator]
def _get_field(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
    table, name = sig.args[0], args[1]
    parts = cgutils.create_struct_proxy(table)(context, builder, args[0])
    if name in table.fixed:
        return context.get_constant(_NUMBER, table.fixed[name])
    if name in table.singles:
        return builder.load(getattr(parts, name))
    offset = context.get_constant(types.intp, table.arrays.offset(name))
    place = builder.gep(parts.arrays, [offset], inbounds=True)
    return builder.bitcast(place, context.get_value_type(sig.return_type))


@lower_builtin("static_setitem", PackedState, types.StringLiteral, types.Any)  # type: ignore[untyped-decorator]
def _set_field(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
    table, _, kind = sig.args
    name = args[1]
    if name not in table.fixed:
        parts = cgutils.create_struct_proxy(table)(context, builder, args[0])
        builder.store(context.cast(builder, args[2], kind, _NUMBER), getattr(parts, name))
    return context.get_dummy_value()


# --- row[i], row[i, j], row[i] = value, len(row) ---


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Numba, kws: Numba) -> Numba:
        row, index = args
        return signature(row.dtype, row, index) if isinstance(row, PackedArray) else None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Numba, kws: Numba) -> Numba:
        row, index, _ = args
        return signature(types.void, row, index, row.dtype) if isinstance(row, PackedArray) else None


@infer_global(len)
class _Length(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Numba, kws: Numba) -> Numba:
        (row,) = args
        return signature(types.intp, row) if isinstance(row, PackedArray) else None


def _address(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
    row, kind = sig.args[:2]
    data, index = args[:2]
    several = isinstance(kind, types.BaseTuple)
    parts = cgutils.unpack_tuple(builder, index) if several else [index]
    offset = context.get_constant(types.int32, 0)
    for part, part_kind, stride in zip(parts, kind if several else [kind], row.strides, strict=True):
        small = context.cast(builder, part, part_kind, types.int32)
        offset = builder.add(offset, builder.mul(small, context.get_constant(types.int32, stride)))
    start = builder.bitcast(data, context.get_value_type(_BYTES))
    wide = builder.sext(offset, context.get_value_type(types.int64))
    return builder.bitcast(builder.gep(start, [wide], inbounds=True), data.type)


@lower_builtin(operator.getitem, PackedArray, types.Any)  # type: ignore[untyped-decorator]
def _get_item(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
    return builder.load(_address(context, builder, sig, args))


@lower_builtin(operator.setitem, PackedArray, types.Any, types.Any)  # type: ignore[untyped-decorator]
def _set_item(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
    value = context.cast(builder, args[2], sig.args[2], sig.args[0].dtype)
    builder.store(value, _address(context, builder, sig, args))
    return context.get_dummy_value()


@lower_builtin(len, PackedArray)  # type: ignore[untyped-decorator]
def _length(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
    return context.get_constant(types.intp, sig.args[0].shape[0])


# --- making tables ---


class Packing(NamedTuple):
    """What a kernel needs to have tables of one dtype."""

    table: Callable[[Array], StateRecord]  # (arrays of a thread) -> its table
    # (table, state): sets the single numbers; arrays are copied as a whole
    fill: Callable[[StateRecord, StateRecord], None]


def packing(state: Dtype, arrays: Dtype, fixed: Mapping[str, int]) -> Packing:
    """Tables with the fields of `state`, whose arrays are in `arrays`; `fixed` numbers never change."""
    whole = from_dtype(state)
    kind = PackedState(whole, from_dtype(arrays), fixed)

    @intrinsic  # type: ignore[untyped-decorator]
    def table(typing: Numba, place: Numba) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            parts = cgutils.create_struct_proxy(kind)(context, builder)
            parts.arrays = builder.bitcast(args[0], context.get_value_type(_BYTES))
            for name in kind.singles:
                setattr(parts, name, cgutils.alloca_once(builder, context.get_value_type(_NUMBER)))
            return parts._getvalue()

        return kind(place), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def fill(typing: Numba, s: StateRecord, state: StateRecord) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            parts = cgutils.create_struct_proxy(kind)(context, builder, args[0])
            for name in kind.singles:
                value = context.get_getattr(whole, name)(context, builder, whole, args[1], name)
                number = context.cast(builder, value, whole.typeof(name), _NUMBER)
                builder.store(number, getattr(parts, name))
            return context.get_dummy_value()

        return types.void(s, state), codegen

    return Packing(table, fill)

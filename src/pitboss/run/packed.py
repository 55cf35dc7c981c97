"""How a state lies where speed counts: single numbers in registers, arrays in fast memory.

The rule books read and write fields as `s["x"]` and `s["x"][i]`, and do not care what `s` is. Usually it is a NumPy
record; here it is a `PackedState`, a type of ours that Numba compiles the same functions for. A record in memory would
be loaded and stored at every step, which is most of what a rule book does; registers cost nothing, and the compiler
sees through them which branch comes next. Nobody counts from the end of an array, so an index is an address.

On a GPU (`packing`) arrays lie in shared memory, on the CPU (`cpu_packing`) in memory that the caller gives, or on the
stack: there the compiler sees that nobody else reads them, and leaves out what is written for nobody. A CPU has few
registers, so there only the numbers that every step reads are in registers, and the others lie with the arrays; and the
deck is two vectors as well (`core.vector_draw`), of its counts and of their sums, which change with every card.

Only for compiled code: interpreted, and in the CUDA simulator, loops and kernels run on plain records.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from numba import from_dtype, types
from numba.core.typeconv import Conversion
from numba.extending import lower_cast

from pitboss.core import vector_draw
from pitboss.core.compile import compiled
from pitboss.core.deck import cards_among
from pitboss.core.inlined import InlinedFunction
from pitboss.core.keys import below, draw
from pitboss.core.types import Array, Dtype, Numba, StateRecord, Word
from pitboss.core.vector_draw import DECK, DeckLanes

SUMS, COUNTS = "sums of the deck", "counts of the deck"  # no fields of a state

_BYTES = types.CPointer(types.int8)


@cache
def lowered_by() -> str:
    """A hash of the modules that tell LLVM what to do with such states: fingerprints of functions do not reach them."""
    files = (Path(__file__), Path(vector_draw.__file__))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


class PackedState(types.Type):  # type: ignore[misc]
    """A state: `arrays` is the record of its arrays, `fixed` what never changes; `number` is the type of a single
    number, and of an index. `singles` are the numbers in registers: those of `busy`, or all; others lie with the
    arrays. `deck` says how the vectors of the deck lie, if there are any."""

    def __init__(
        self,
        whole: Numba,
        arrays: Numba,
        fixed: Mapping[str, int],
        number: Numba,
        busy: Collection[str] | None = None,
        deck: DeckLanes | None = None,
    ) -> None:
        self.whole, self.arrays, self.fixed, self.number, self.deck = whole, arrays, dict(fixed), number, deck
        names = [name for name, kind in whole.members if not isinstance(kind, types.NestedArray)]
        self.singles = [name for name in names if busy is None or name in busy]
        super().__init__(
            name=f"PackedState({whole}, {arrays}, {sorted(self.fixed.items())}, {number}, {busy}, deck={deck}, "
            f"{lowered_by():.16})"
        )

    def field(self, name: str) -> Numba:
        """The type of a field."""
        kind = self.number if name in self.singles else self.arrays.typeof(name)
        if not isinstance(kind, types.NestedArray):
            return self.number
        row = (kind.dtype, kind.shape, kind.strides, self.number)
        return PackedDeck(*row, self.deck) if self.deck and name == DECK else PackedArray(*row)


class PackedArray(types.Type):  # type: ignore[misc]
    """An array of a table. Its shape is part of its type, and nobody counts from its end: an index is an address."""

    def __init__(
        self,
        dtype: Numba,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        number: Numba,
        lanes: DeckLanes | None = None,
    ) -> None:
        self.dtype, self.shape, self.strides, self.number, self.lanes = dtype, shape, strides, number, lanes
        super().__init__(
            name=f"{type(self).__name__}({dtype}, {shape}, {strides}, {number}, {lanes}, {lowered_by():.16})"
        )


class PackedDeck(PackedArray):
    """The counts of cards by kind; vectors of them and of their sums change with them."""

    def unify(self, typing: Numba, other: Numba) -> Numba:
        """Where it is either the deck or another array like it, it is an array."""
        return other if self.can_convert_to(typing, other) else None

    def can_convert_to(self, typing: Numba, other: Numba) -> Numba:
        """For those who only read."""
        plain = PackedArray(self.dtype, self.shape, self.strides, self.number)
        return Conversion.safe if plain == other else None


@lower_cast(PackedDeck, PackedArray)  # type: ignore[untyped-decorator]
def _counts_of(context: Numba, builder: Numba, kind: Numba, to: Numba, value: Numba) -> Numba:
    return builder.extract_value(value, 0)


class Target(NamedTuple):
    """What a compiler offers to those who add types; numba-cuda has its own of each."""

    cgutils: Numba
    intrinsic: Numba


@cache
def target(gpu: bool) -> Target:
    """The compiler for a GPU or for the CPU, which from now on knows the types of this module."""
    home = "numba.cuda" if gpu else "numba.core"
    extending = import_module("numba.cuda.extending" if gpu else "numba.extending")
    datamodel, templates = import_module(f"{home}.datamodel"), import_module(f"{home}.typing.templates")
    cgutils = import_module(f"{home}.cgutils")
    infer = extending.infer if gpu else templates.infer
    _add_models(extending, datamodel)
    _add_types(infer, templates)
    _add_fields(extending.lower_builtin, cgutils)
    _add_arrays(extending.lower_builtin, cgutils)
    if not gpu and isinstance(cards_among, InlinedFunction):
        cards_among.instead[PackedDeck] = _counting(extending.intrinsic, cgutils)
    return Target(cgutils, extending.intrinsic)


def _add_models(extending: Numba, datamodel: Numba) -> None:
    @extending.register_model(PackedState)
    class TableModel(extending.models.StructModel):  # type: ignore[misc]
        """Where the arrays begin, and places on the stack for the vectors of the deck and each single number: those
        become registers."""

        def __init__(self, manager: Numba, table: PackedState) -> None:
            pointer, own = types.CPointer(table.number), [(SUMS, _BYTES), (COUNTS, _BYTES)] if table.deck else []
            super().__init__(manager, table, [("arrays", _BYTES), *own, *((name, pointer) for name in table.singles)])

    @extending.register_model(PackedArray)
    class RowModel(datamodel.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Numba, row: PackedArray) -> None:
            super().__init__(manager, row, manager.lookup(row.dtype).get_data_type().as_pointer())

    @extending.register_model(PackedDeck)
    class DeckModel(extending.models.StructModel):  # type: ignore[misc]
        def __init__(self, manager: Numba, deck: PackedDeck) -> None:
            places = [("left", types.CPointer(deck.dtype)), ("sums", _BYTES), ("counts", _BYTES)]
            super().__init__(manager, deck, places)


def _add_types(infer: Numba, templates: Numba) -> None:
    """What s["x"], s["x"] = value, row[i], row[i] = value and len(row) are."""
    signature = templates.signature

    def add(mark: Numba, name: object, generic: Callable[..., Numba]) -> None:
        def method(self: Numba, args: Numba, kws: Numba) -> Numba:
            return generic(*args) if isinstance(args[0], PackedState | PackedArray) else None

        mark(type("Packed", (templates.AbstractTemplate,), {"key": name, "generic": method}))

    def get_field(s: Numba, name: str) -> Numba:
        return signature(s.field(name), s, types.literal(name)) if isinstance(s, PackedState) else None

    def set_field(s: Numba, name: str, value: Numba) -> Numba:
        return signature(types.void, s, types.literal(name), value) if isinstance(s, PackedState) else None

    def get_item(row: Numba, index: Numba) -> Numba:
        return signature(row.dtype, row, index) if isinstance(row, PackedArray) else None

    def set_item(row: Numba, index: Numba, value: Numba) -> Numba:
        return signature(types.void, row, index, row.dtype) if isinstance(row, PackedArray) else None

    def length(row: Numba) -> Numba:
        return signature(types.intp, row) if isinstance(row, PackedArray) else None

    add(infer, "static_getitem", get_field)
    add(infer, "static_setitem", set_field)
    add(templates.infer_global(operator.getitem), operator.getitem, get_item)
    add(templates.infer_global(operator.setitem), operator.setitem, set_item)
    add(templates.infer_global(len), len, length)


def _add_fields(lower: Numba, cgutils: Numba) -> None:
    def beside(context: Numba, builder: Numba, table: PackedState, parts: Numba, name: str) -> Numba:
        """The address of what lies with the arrays."""
        kind = table.arrays.typeof(name)
        number = kind.dtype if isinstance(kind, types.NestedArray) else kind
        place = builder.gep(parts.arrays, [context.get_constant(types.intp, table.arrays.offset(name))], inbounds=True)
        return builder.bitcast(place, context.get_data_type(number).as_pointer())

    @lower("static_getitem", PackedState, types.StringLiteral)  # type: ignore[untyped-decorator]
    def get_field(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        table, name = sig.args[0], args[1]
        parts = cgutils.create_struct_proxy(table)(context, builder, args[0])
        if name in table.fixed:
            return context.get_constant(table.number, table.fixed[name])
        if name in table.singles:
            return builder.load(getattr(parts, name))
        place = beside(context, builder, table, parts, name)
        if isinstance(sig.return_type, PackedDeck):
            deck = cgutils.create_struct_proxy(sig.return_type)(context, builder)
            deck.left, deck.sums, deck.counts = place, getattr(parts, SUMS), getattr(parts, COUNTS)
            return deck._getvalue()
        if isinstance(sig.return_type, PackedArray):
            return place
        return context.cast(builder, builder.load(place), table.arrays.typeof(name), table.number)

    @lower("static_setitem", PackedState, types.StringLiteral, types.Any)  # type: ignore[untyped-decorator]
    def set_field(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        table, _, kind = sig.args
        name = args[1]
        if name not in table.fixed:
            parts, number = cgutils.create_struct_proxy(table)(context, builder, args[0]), table.number
            if name in table.singles:
                place = getattr(parts, name)
            else:
                place, number = beside(context, builder, table, parts, name), table.arrays.typeof(name)
            builder.store(context.cast(builder, args[2], kind, number), place)
        return context.get_dummy_value()


def _add_arrays(lower: Numba, cgutils: Numba) -> None:
    def address(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        row, kind = sig.args[:2]
        data, index = args[:2]
        several = isinstance(kind, types.BaseTuple)
        parts = cgutils.unpack_tuple(builder, index) if several else [index]
        offset = context.get_constant(row.number, 0)
        for part, part_kind, stride in zip(parts, kind if several else [kind], row.strides, strict=True):
            small = context.cast(builder, part, part_kind, row.number)
            offset = builder.add(offset, builder.mul(small, context.get_constant(row.number, stride)))
        start = builder.bitcast(data, context.get_value_type(_BYTES))
        wide = context.cast(builder, offset, row.number, types.int64)
        return builder.bitcast(builder.gep(start, [wide], inbounds=True), data.type)

    @lower(operator.getitem, PackedArray, types.Any)  # type: ignore[untyped-decorator]
    def get_item(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return builder.load(address(context, builder, sig, args))

    @lower(operator.setitem, PackedArray, types.Any, types.Any)  # type: ignore[untyped-decorator]
    def set_item(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        value = context.cast(builder, args[2], sig.args[2], sig.args[0].dtype)
        builder.store(value, address(context, builder, sig, args))
        return context.get_dummy_value()

    def of_deck(context: Numba, builder: Numba, sig: Numba, args: Numba) -> tuple[Numba, Numba]:
        deck = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0])
        return deck, address(context, builder, sig, [deck.left, *args[1:]])

    @lower(operator.getitem, PackedDeck, types.Any)  # type: ignore[untyped-decorator]
    def get_count(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return builder.load(of_deck(context, builder, sig, args)[1])

    @lower(operator.setitem, PackedDeck, types.Any, types.Any)  # type: ignore[untyped-decorator]
    def set_count(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        (deck, index, kind), long = sig.args, types.int64
        proxy, place = of_deck(context, builder, sig, args)
        sums = _vector_at(builder, proxy.sums, deck.lanes.vector)
        counts = _vector_at(builder, proxy.counts, deck.lanes.counts)
        new, old = context.cast(builder, args[2], kind, deck.dtype), builder.load(place)
        change = builder.sub(context.cast(builder, new, deck.dtype, long), context.cast(builder, old, deck.dtype, long))
        number = context.cast(builder, args[1], index, long)
        builder.store(deck.lanes.sums_changed(builder, builder.load(sums), number, change), sums)
        after = deck.lanes.count_changed(builder, builder.load(counts), number, change)
        builder.store(after, counts)
        if deck.lanes.room:
            # All counts at once: a processor that soon reads several would otherwise wait until the one is written.
            builder.store(after, builder.bitcast(proxy.left, after.type.as_pointer()), align=deck.lanes.size // 8)
        else:
            builder.store(new, place)
        return context.get_dummy_value()

    @lower(len, PackedArray)  # type: ignore[untyped-decorator]
    def length(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return context.get_constant(types.intp, sig.args[0].shape[0])


def _counting(intrinsic: Numba, cgutils: Numba) -> Callable[[Array, int], int]:
    """`cards_among` for a deck whose counts are a vector."""

    @intrinsic  # type: ignore[untyped-decorator]
    def among(typing: Numba, deck: Numba, bits: Numba) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            counts = cgutils.create_struct_proxy(deck)(context, builder, args[0]).counts
            return deck.lanes.among(builder, builder.load(_vector_at(builder, counts, deck.lanes.counts)), args[1])

        return types.int64(deck, types.int64), codegen

    def count_at_once(left: Array, bits: int) -> int:
        return among(left, bits)  # type: ignore[no-any-return]

    return compiled(count_at_once, counted=False)


# --- making tables ---


class Packing(NamedTuple):
    """What a kernel needs to have tables of one dtype."""

    table: Callable[[Array], StateRecord]  # (arrays of a thread) -> its table
    # (table, state): sets the single numbers; arrays are copied as a whole
    fill: Callable[[StateRecord, StateRecord], None]


def packing(state: Dtype, arrays: Dtype, fixed: Mapping[str, int]) -> Packing:
    """Tables on a GPU with the fields of `state`, whose arrays are in `arrays`; `fixed` numbers never change."""
    whole, (cgutils, intrinsic) = from_dtype(state), target(gpu=True)
    kind = PackedState(whole, from_dtype(arrays), fixed, types.int32)

    @intrinsic  # type: ignore[untyped-decorator]
    def table(typing: Numba, place: Numba) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            parts = _singles(context, builder, kind, cgutils)
            parts.arrays = builder.bitcast(args[0], context.get_value_type(_BYTES))
            return parts._getvalue()

        return kind(place), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def fill(typing: Numba, s: StateRecord, state: StateRecord) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            _fill_singles(context, builder, kind, cgutils.create_struct_proxy(kind)(context, builder, args[0]), args[1])
            return context.get_dummy_value()

        return types.void(s, state), codegen

    return Packing(table, fill)


class CpuPacking(NamedTuple):
    """The same for a loop on the CPU."""

    table: Callable[[StateRecord], StateRecord]  # (record) -> a table whose arrays lie in it, or on the stack
    fill: Callable[[StateRecord, StateRecord], None]  # (table, state): copies all fields
    draw: Callable[[StateRecord, Word], int]  # (table, random bits): the card that these pick


def cpu_packing(
    state: Dtype, fixed: Mapping[str, int], stack: bool, busy: Collection[str] | None = None, deck: bool = False
) -> CpuPacking:
    """Tables with the fields of `state`; `fixed` numbers never change, those of `busy` are in registers (None: all).
    A `deck` has vectors, unless there are too many kinds of cards; in `state` it has room for a whole one."""
    whole, (cgutils, intrinsic) = from_dtype(state), target(gpu=False)
    lanes = DeckLanes.of(state) if deck else None
    kind = PackedState(whole, whole, fixed, types.int64, busy, lanes)
    size = state.itemsize

    @intrinsic  # type: ignore[untyped-decorator]
    def table(typing: Numba, record: Numba) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            parts, place = _singles(context, builder, kind, cgutils), args[0]
            if stack:
                words = context.get_value_type(types.UniTuple(types.int64, -(-size // 8)))
                place = cgutils.alloca_once(builder, words)
            if lanes:
                for name, vector in ((SUMS, lanes.vector), (COUNTS, lanes.counts)):
                    own = cgutils.alloca_once(builder, vector)
                    setattr(parts, name, builder.bitcast(own, context.get_value_type(_BYTES)))
            parts.arrays = builder.bitcast(place, context.get_value_type(_BYTES))
            return parts._getvalue()

        return kind(record), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def fill(typing: Numba, s: StateRecord, state: StateRecord) -> Numba:
        def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            parts = cgutils.create_struct_proxy(kind)(context, builder, args[0])
            source = builder.bitcast(args[1], context.get_value_type(_BYTES))
            cgutils.raw_memcpy(builder, parts.arrays, source, context.get_constant(types.intp, size), 1)
            _fill_singles(context, builder, kind, parts, args[1])
            if lanes:
                counts = lanes.read(
                    builder, builder.gep(source, [context.get_constant(types.intp, whole.offset(DECK))])
                )
                builder.store(counts, _vector_at(builder, getattr(parts, COUNTS), lanes.counts))
                builder.store(lanes.add_up(builder, counts), _vector_at(builder, getattr(parts, SUMS), lanes.vector))
            return context.get_dummy_value()

        return types.void(s, state), codegen

    if lanes is None:

        def draw_card(s: StateRecord, bits: Word) -> int:
            return draw(s["left"], int(s["left_total"]), bits)

    else:

        @intrinsic  # type: ignore[untyped-decorator]
        def passed(typing: Numba, s: StateRecord, pick: int) -> Numba:
            def codegen(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
                parts = cgutils.create_struct_proxy(kind)(context, builder, args[0])
                sums = builder.load(_vector_at(builder, getattr(parts, SUMS), lanes.vector))
                return lanes.passed(builder, sums, args[1])

            return types.int64(s, types.int64), codegen

        def draw_card(s: StateRecord, bits: Word) -> int:
            return passed(s, below(bits, int(s["left_total"])))  # type: ignore[no-any-return]

    return CpuPacking(table, fill, compiled(draw_card, counted=False))


def _vector_at(builder: Numba, place: Numba, vector: Numba) -> Numba:
    return builder.bitcast(place, vector.as_pointer())


def _singles(context: Numba, builder: Numba, kind: PackedState, cgutils: Numba) -> Numba:
    """A table without its arrays."""
    parts = cgutils.create_struct_proxy(kind)(context, builder)
    for name in kind.singles:
        setattr(parts, name, cgutils.alloca_once(builder, context.get_value_type(kind.number)))
    return parts


def _fill_singles(context: Numba, builder: Numba, kind: PackedState, parts: Numba, record: Numba) -> None:
    whole = kind.whole
    for name in kind.singles:
        value = context.get_getattr(whole, name)(context, builder, whole, record, name)
        builder.store(context.cast(builder, value, whole.typeof(name), kind.number), getattr(parts, name))

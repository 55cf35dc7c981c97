"""WebAssembly as a target of Numba's, beside the CPU and GPUs: functions become LLVM's language for a 32-bit machine.

A target of its own has its own contexts, code and kind of function, so nothing of what compiles for this machine is
touched. Functions marked `@compiled` are taken as they are written: whatever one calls is lowered along with it, and
nothing is optimised before everything is together (`linking`).

Sizes and indices stay 64 bits wide, as compiled code has them everywhere; only pointers are narrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property, partial
from hashlib import sha256
from typing import Any, cast

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import types, typing
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import Codegen, CodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext, CPUTargetOptions
from numba.core.decorators import jit
from numba.core.descriptors import TargetDescriptor
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_override, target_registry

from pitboss.core.inlined import Inlined, InlinedFunction, deep, without_wrappers
from pitboss.core.types import Numba

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}  # as `core.machine` compiles


@cache
def machine() -> Any:
    """The machine that code is made for."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)


class WasmLibrary(CodeLibrary):  # type: ignore[misc]
    """The code of a function, as text, and the libraries that it calls."""

    def __init__(self, codegen: Numba, name: str) -> None:
        super().__init__(codegen, name)
        self.texts: list[str] = []
        self.called: list[WasmLibrary] = []

    def add_linking_library(self, library: Numba) -> None:
        self.called.append(library)

    def add_ir_module(self, ir_module: Numba) -> None:
        self.texts.append(normalize_ir_text(str(ir_module)))

    def finalize(self) -> None:
        self._finalized = True

    def get_function(self, name: str) -> Any:
        raise NotImplementedError(f"{name} is text until it is linked")

    def get_llvm_str(self) -> str:
        return "\n".join(self.texts)

    def get_asm_str(self) -> str:
        return ""


class WasmCodegen(Codegen):  # type: ignore[misc]
    """Makes modules for the target; nothing of it can run here."""

    _library_class = WasmLibrary

    def __init__(self) -> None:
        self._target_data = machine().target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> Any:
        module = ir.Module(normalize_ir_text(name))
        module.triple, module.data_layout = TRIPLE, self._data_layout
        return module

    def _add_module(self, module: Numba) -> None:
        """There is nothing that would run it."""

    def magic_tuple(self) -> tuple[str, str]:
        return TRIPLE, FEATURES


class WasmContext(CPUContext):  # type: ignore[misc]
    """How functions are lowered: as for a CPU, but with everything inside the module, so that no address of this
    process gets into it."""

    allow_dynamic_globals = False

    def init(self) -> None:
        self.is32bit = False  # of numbers
        self._internal_codegen = WasmCodegen()

    def load_additional_registries(self) -> None:
        with target_override("cpu"):  # or Numba's runtime for this process would be made by this target
            rtsys.initialize(cpu_target.target_context)
        super().load_additional_registries()

    def add_dynamic_addr(self, builder: Numba, intaddr: int, info: str) -> Any:
        """Functions stand for themselves as objects of Python, which nobody looks at."""
        return self.get_constant_null(types.voidptr)

    def mangler(self, name: str, types: Numba, *, abi_tags: Any = (), uid: Numba = None) -> str:
        """Names as short as they can be: with the types of records in them, they are longer than the code."""
        long = super().mangler(name, types, abi_tags=abi_tags, uid=uid)
        return f"_ZN{sha256(long.encode()).hexdigest()[:24]}E"

    def post_lowering(self, mod: Numba, library: Numba) -> None:
        """The module has a runtime of its own (`runtime.ll`)."""


class WasmTyping(typing.Context):  # type: ignore[misc]
    """Takes functions that are compiled for this machine as functions to be lowered."""

    def resolve_value_type(self, val: Any) -> Any:
        return super().resolve_value_type(lowered(val) if isinstance(val, Dispatcher) else val)


class WasmDescriptor(TargetDescriptor):  # type: ignore[misc]
    """Ties the target together, for Numba."""

    options = CPUTargetOptions

    @cached_property
    def typing_context(self) -> Any:
        return WasmTyping()

    @cached_property
    def target_context(self) -> Any:
        return WasmContext(self.typing_context, self._target_name)


class Wasm(CPU):  # type: ignore[misc]
    """The name of the target: what works on all CPUs works there."""


class WasmFunction(InlinedFunction):
    """A function that is lowered for each signature that it is called with."""

    targetdescr = WasmDescriptor("wasm")

    def _shared(self, args: Any) -> tuple[Any, ...]:
        return tuple(args)  # functions of Numba's own are among them, which it looks up by these

    def _inline(self, args: tuple[Any, ...], result_type: Numba = None) -> None:
        # While a function is lowered, Numba finds out by the override what to lower its own functions for.
        with global_compiler_lock, self._compiling_counter, deep(), target_override("wasm"):
            self._compiler._customize_flags = without_wrappers
            result = self._compiler.compile(args, result_type)
            made = Inlined(result.signature, result.fndesc, result.library)
            self.targetctx.insert_user_function(made, made.about, [made.library])
            self._inlined[args] = made

    def lower(self, signature: Numba) -> Inlined:
        """The code for a signature."""
        args = tuple(signature.args)
        if args not in self._inlined:
            self._inline(args, signature.return_type)
        return self._inlined[args]


target_registry["wasm"] = Wasm
dispatcher_registry[Wasm] = WasmFunction
jit_registry[Wasm] = partial(cast(Any, jit), _target="wasm")


_lowered: dict[Dispatcher, WasmFunction] = {}


def lowered(function: Any) -> WasmFunction:
    """The twin of a compiled function, or of a plain one, on this target."""
    if isinstance(function, WasmFunction):
        return function
    if function not in _lowered:
        options = getattr(function, "targetoptions", OPTIONS)
        _lowered[function] = WasmFunction(getattr(function, "py_func", function), targetoptions=dict(options))
    return _lowered[function]


def texts_of(libraries: Iterable[WasmLibrary]) -> Iterator[str]:
    """The code of libraries and of all that they call, each once."""
    seen, todo = set[int](), [*libraries]
    while todo:
        library = todo.pop()
        if id(library) not in seen:
            seen.add(id(library))
            yield from library.texts
            todo += library.called

"""Functions that machine code calls are compiled as far as their callers need them.

A loop takes over the code of all functions that it calls (`forceinline`). For Numba each of them is a function like any
other, optimised with all that it calls, with machine code of its own and two wrappers around it: that is more than half
of the time that compiling takes. Here a function that is called by compiled code becomes bitcode, and machine code only
when Python calls it too. The bitcode of a piece of a rule book is only tidy: its calls are inlined, its numbers are in
registers, and what cannot happen is gone. The rest of optimising is done once, in the loop. And whole numbers have one
type in calls, so that constants and small numbers need no functions of their own.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core import types, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature

from pitboss.core.types import Numba

DEEP = 5000  # calls within calls


class Inlined:
    """A function for its callers in machine code: what Numba wants to know of it."""

    def __init__(self, signature: Numba, about: Numba, library: Numba) -> None:
        self.signature, self.about, self.library = signature, about, library

    def to_parts(self) -> tuple[Any, ...]:
        """What can be stored."""
        self.about.typemap = self.about.calltypes = None
        return self.signature, self.about, self.library.name, self.library._final_module.as_bitcode()

    @classmethod
    def of_parts(cls, parts: tuple[Any, ...], codegen: Numba) -> Inlined:
        signature, about, name, bitcode = parts
        library = codegen.create_library(name)
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        return cls(signature, about, library)


class InlinedFunction(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that others call, and Python only now and then."""

    _cache: Numba
    _compiler: Numba

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._inlined: dict[tuple[Any, ...], Inlined] = {}
        self.instead: dict[type, Any] = {}  # by the type of the first argument: a function that does the same, sooner

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba asks this when it compiles a call."""
        if self.instead and type(args[0]) in self.instead:
            return self.instead[type(args[0])].get_call_template(args, kws)
        signature, args = self._compiler.fold_argument_types(args, kws)
        args = self._shared(args)
        if args not in self.overloads and args not in self._inlined:
            self._inline(args)
        known = [made.signature for made in (*self.overloads.values(), *self._inlined.values())]
        name = self.py_func.__name__
        return typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=known), signature, args, {}

    def _shared(self, args: Any) -> tuple[Any, ...]:
        """The types of arguments that a call is compiled for: callers with a constant here and a small number there
        share a function for whole numbers."""
        return tuple(types.int64 if getattr(arg, "literal_type", arg) in types.signed_domain else arg for arg in args)

    def get_overload(self, sig: Numba) -> Any:
        """Numba asks this for what it has registered for a signature."""
        args, _ = normalize_signature(sig)
        if self.instead and type(args[0]) in self.instead:
            return self.instead[type(args[0])].get_overload(sig)
        return self._inlined.get(tuple(args)) or super().get_overload(sig)

    def _inline(self, args: tuple[Any, ...]) -> None:
        """Get ready for callers with these types, from the cache if that has it."""
        with global_compiler_lock, self._compiling_counter, deep():
            made = self._cache.load_inlined(args, self.targetctx.codegen())
            if made is None:
                made = self._compile_inlined(args)
                self._cache.save_inlined(args, made)
            self.targetctx.insert_user_function(made, made.about, [made.library])
            self._inlined[args] = made

    def _compile_inlined(self, args: tuple[Any, ...]) -> Inlined:
        compiler = self._compiler
        compiler._customize_flags = without_wrappers
        try:
            result = compiler.compile(args, None)
        finally:
            del compiler._customize_flags
        library = result.library
        for linked in dict.fromkeys(library._linking_libraries):
            library._reload_init.update(linked._reload_init)
            library._final_module.link_in(linked._get_module_for_linking(), preserve=True)
        if any("float" in kind.name for kind in result.fndesc.typemap.values()):
            library._optimize_final_module()  # or loops that add up fractions would be a third slower
        else:
            tidy(library)
        library._finalized = True
        return Inlined(result.signature, result.fndesc, library)


def tidy(library: Numba) -> None:
    """Make the code of a function small, so that its callers can take it over."""
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    builder = llvm.create_pass_builder(library._codegen._tm, options)
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_sccp_pass()
    passes.add_simplify_cfg_pass()
    passes.add_dead_code_elimination_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(library._final_module, builder)


@contextmanager
def deep() -> Iterator[None]:
    """Compile callees within callees: some seventy calls of Numba's for each, which is more than Python allows. Of what
    they make little can be collected before the end, so nobody looks for it meanwhile."""
    usual, collects = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(usual, DEEP))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)
        if collects:
            gc.enable()


def without_wrappers(flags: Numba) -> Numba:
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
    return flags

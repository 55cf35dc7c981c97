"""From lowered functions to one WebAssembly module.

All code is put together first, then optimised for the target as a whole, then linked by LLVM's `wasm-ld`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding as llvm
from numba import types

from pitboss.core import launch
from pitboss.core.errors import PitbossError
from pitboss.core.inlined import Inlined
from pitboss.core.types import Numba
from pitboss.page.lowering import TRIPLE, machine, texts_of

RUNTIME = Path(__file__).with_name("runtime.ll")
LINKER = "ziglang"  # the package that brings wasm-ld
LEAST_MEMORY, MOST_MEMORY = 16 << 20, 256 << 20  # bytes: an old phone has not more
STACK = 1 << 18

_OWN = ("take", "give", "forget", "__stack_pointer")  # of the runtime, for the page
_ASKED_LATE = ("__multi3",)  # by the code generator itself
_DEFINED = re.compile(r'^define .*?@"?([^"(]+)"?\(', re.M)
_DECLARED = re.compile(r'^declare .*?@"?([^"(]+)"?\(', re.M)
_PYTHON = re.compile(r"_?Py|numba_")  # a way back to Python, for a bot without an address, which none is
_KNOWN = re.compile(r"llvm\.(?!(log|exp|pow|sin|cos|tan|fmod)\b)")  # what the target does itself
_TYPES = {types.int32: "i32", types.int64: "i64", types.uint64: "i64", types.float64: "double", types.void: "void"}


@dataclass(frozen=True)
class Unit:
    """A function of the module: exported by its name, or, `by_place`, as its place in the table of functions."""

    name: str
    made: Inlined
    by_place: bool = False

    def missing(self) -> list[str]:
        """What it calls that there is not in a browser, such as logarithms."""
        texts = [*texts_of([self.made.library]), RUNTIME.read_text()]
        there = {name for text in texts for name in _DEFINED.findall(text)}
        asked = {name for text in texts for name in _DECLARED.findall(text)}
        return sorted(name for name in asked - there if not _KNOWN.match(name) and not _PYTHON.match(name))


def verify_linker() -> None:
    """Refuse to build without a linker."""
    if find_spec(LINKER) is None:
        raise PitbossError("building pages needs the linker wasm-ld; install it with: pip install 'pitboss[page]'")


def link(units: Sequence[Unit]) -> bytes:
    """The module of all these functions, without those of them that nobody calls."""
    verify_linker()
    exported = {unit.name for unit in units} | {*_OWN}
    whole = _joined(units)
    for thing in (*whole.functions, *whole.global_variables):
        if not thing.is_declaration:
            thing.linkage = "external" if thing.name in exported | {*_ASKED_LATE} else "internal"
    whole.verify()
    _optimise(whole)
    with TemporaryDirectory() as folder:
        code, out = Path(folder) / "game.o", Path(folder) / "game.wasm"
        code.write_bytes(machine().emit_object(whole))
        _run_linker([*(f"--export={name}" for name in sorted(exported)), str(code), "-o", str(out)])
        return out.read_bytes()


def _joined(units: Sequence[Unit]) -> Any:
    own = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine().target_data}"\n'
    whole = llvm.parse_assembly(own)
    for text in texts_of(unit.made.library for unit in units):
        part = llvm.parse_assembly(text.replace(" common global", " weak global"))  # objects know no common symbols
        for function in part.functions:
            if not function.is_declaration:
                function.linkage = "weak_odr"  # several parts bring the same, and some would be dropped until asked for
        whole.link_in(part)
    whole.link_in(llvm.parse_assembly(own + RUNTIME.read_text()))
    whole.link_in(llvm.parse_assembly(own + "declare void @llvm.trap()\n" + "\n".join(map(_doors, units))))
    never = (re.sub(r" (local_unnamed_addr|#\d+)", "", line) for line in str(whole).splitlines())
    closed = (f"{line.replace('declare', 'define', 1)} {{ unreachable }}" for line in never if _leads_to_python(line))
    whole.link_in(llvm.parse_assembly(own + "\n".join(closed)))
    return whole


def _leads_to_python(line: str) -> bool:
    found = _DECLARED.match(line)
    return bool(found and _PYTHON.match(found[1]))


def _doors(unit: Unit) -> str:
    """A function as others call it, around Numba's `status f(result*, exception**, arguments)`; an error is a trap."""
    inner, signature = unit.made.about.llvm_func_name, unit.made.signature
    if unit.by_place:
        return f"""
declare i32 @"{inner}"()
define i32 @{unit.name}() {{ %p = ptrtoint ptr @"{inner}" to i32
  ret i32 %p }}"""
    given = [_written(kind) for kind in signature.args]
    out = _written(signature.return_type)
    room = "ptr" if out == "void" else out
    arguments = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(given))
    return f"""
declare i32 @"{inner}"(ptr, ptr{"".join(f", {kind}" for kind in given)})
define {out} @{unit.name}({arguments}) {{
  %result = alloca {room}
  %exception = alloca ptr
  store {room} zeroinitializer, ptr %result
  %status = call i32 @"{inner}"(ptr %result, ptr %exception{"".join(f", {kind} %a{i}" for i, kind in enumerate(given))})
  %done = icmp eq i32 %status, 0
  %nothing = icmp eq i32 %status, -2
  %fine = or i1 %done, %nothing
  br i1 %fine, label %well, label %badly
badly:
  call void @llvm.trap()
  unreachable
well:
  {"ret void" if out == "void" else f"%v = load {out}, ptr %result{chr(10)}  ret {out} %v"}
}}"""


def _written(kind: Numba) -> str:
    return _TYPES.get(kind, "ptr")


def _optimise(whole: Any) -> None:
    """A cheap pass that inlines, one that drops needless counts of references, then all of -O3."""
    for level in (1, 3):
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization = options.slp_vectorization = level > 1
        builder = llvm.create_pass_builder(machine(), options)
        passes = builder.getModulePassManager()
        if level == 1:
            passes.add_refprune_pass()
        passes.run(whole, builder)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(whole, builder)


def _run_linker(arguments: Iterable[str]) -> None:
    options = ["wasm-ld", "--no-entry", "--gc-sections", "--strip-all", "-O2"]
    memory = ["--import-memory", f"--initial-memory={LEAST_MEMORY}", f"--max-memory={MOST_MEMORY}"]
    memory += ["-z", f"stack-size={STACK}", "--stack-first"]
    linker = launch.start(LINKER, *options, *memory, "--export-table", *arguments, stdout=PIPE, stderr=PIPE)
    _, said = linker.communicate()
    if linker.returncode:
        raise PitbossError(f"wasm-ld could not link the module: {said.decode(errors='replace').strip()}")

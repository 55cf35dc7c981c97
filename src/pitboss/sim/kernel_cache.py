"""Kernels on disk: they are kept where all compiled code is, so that a process need not wait for one twice."""

from __future__ import annotations

import contextlib
from typing import Any

import numba_cuda
from numba.cuda.core import config
from numba.cuda.dispatcher import CUDACache, CUDACacheImpl

from pitboss.table.compile import Locator, announce

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # few games make small grids, and that is no fault of anybody


class _Impl(CUDACacheImpl):  # type: ignore[misc]
    _locator_classes = (Locator,)


class _Cache(CUDACache):  # type: ignore[misc]
    """As for other closures, a tag of ours tells kernels apart."""

    _impl_class = _Impl
    tag = ""

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self.tag, numba_cuda.__version__

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            announce()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def keep(kernel: Any, tag: str) -> None:
    """Take the machine code of a kernel from disk, or put it there."""
    cache = _Cache(kernel.py_func)
    cache.tag = tag
    kernel._cache = cache

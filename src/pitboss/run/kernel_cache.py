"""Kernels on disk: they are kept where all compiled code is, so that a process need not wait for one twice."""

from __future__ import annotations

from typing import Any

import numba_cuda
from numba.cuda.core import config
from numba.cuda.dispatcher import CUDACache, CUDACacheImpl

from pitboss.core.code_cache import Kept, Locator
from pitboss.run.packed import lowered_by

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # few games make small grids, and that is no fault of anybody


class _KernelCacheImpl(CUDACacheImpl):  # type: ignore[misc]
    _locator_classes = (Locator,)


class _KernelCache(Kept, CUDACache):  # type: ignore[misc]
    _impl_class = _KernelCacheImpl
    tools = (*Kept.tools, numba_cuda.__version__)


def keep(kernel: Any) -> None:
    """Take the machine code of a kernel from disk, or put it there."""
    kernel._cache = _KernelCache(kernel.py_func)
    kernel._cache.options = lowered_by()

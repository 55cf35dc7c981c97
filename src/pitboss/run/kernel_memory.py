"""Kernels for bots that think in arrays: on a GPU these come from a heap, which a kernel must be built for.

Such a bot makes arrays at each decision and reads tables of any size, and its values decide. So its kernel counts
references to arrays, its tables lie in the device's memory instead of the small one for constants, and no
multiplication is fused with an addition: sums are those of the CPU, to the last bit. It runs on few threads, because
each may need megabytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from cuda.bindings import driver
from numba import cuda
from numba.cuda.core import config
from numba.cuda.cudadrv import nvvm

from pitboss.core.errors import PitbossError

ROOM = 16 << 20  # bytes for a thread; the largest tables of a decision take 10 million


@contextmanager
def roomy() -> Iterator[None]:
    """What is compiled meanwhile can make arrays."""
    compile_ir, constants, counted = nvvm.compile_ir, nvvm.ADDRSPACE_CONSTANT, config.CUDA_ENABLE_NRT
    nvvm.compile_ir, nvvm.ADDRSPACE_CONSTANT = partial(compile_ir, fma=False), nvvm.ADDRSPACE_GLOBAL
    config.CUDA_ENABLE_NRT = True
    try:
        yield
    finally:
        nvvm.compile_ir, nvvm.ADDRSPACE_CONSTANT, config.CUDA_ENABLE_NRT = compile_ir, constants, counted


def threads_with_room() -> int:
    """Give half of the device's free memory to the heap; how many threads that is enough for."""
    limit = driver.CUlimit.CU_LIMIT_MALLOC_HEAP_SIZE
    threads = int(cuda.current_context().get_memory_info().free) // 2 // ROOM
    (answer,) = driver.cuCtxSetLimit(limit, threads * ROOM)
    if answer != driver.CUresult.CUDA_SUCCESS:
        raise PitbossError(f"this GPU gives no memory to bots that make arrays ({answer.name}); `device=cpu` does")
    return threads

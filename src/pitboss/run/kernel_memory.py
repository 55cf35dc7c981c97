"""Memory that kernels must ask for: more of the shared one, and a heap for bots that think in arrays.

A bot of that kind makes arrays at each decision and reads tables of any size, and its values decide. So its kernel
counts references to arrays, its tables lie in the device's memory instead of the small one for constants, and no
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
from pitboss.core.types import Numba

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


def allow_shared(code: Numba, size: int) -> None:
    """Let a kernel be launched with so many bytes of shared memory: more than 48 KB must be asked for."""
    attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    handle, device = code._codelibrary.get_cufunc().handle, cuda.get_current_device().id
    (answer,) = driver.cuKernelSetAttribute(attribute, size, handle, device)
    if answer != driver.CUresult.CUDA_SUCCESS:
        raise PitbossError(f"this GPU has no {size:,} bytes of shared memory for a block ({answer.name})")

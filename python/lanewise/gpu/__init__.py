"""Kernels: decorate, launch, look inside; and the memory they work on.

The names of the kernel language (grid, threadIdx, shared, atomic, syncthreads, ...) are here too, for use in
kernels. A Numba-CUDA program works with `from lanewise import gpu as cuda`.
"""

import builtins as _builtins

from .. import _core
from .._types import Signature, Type, from_dtype, scalar_types, void
from ..errors import CompileError, CudaError, KernelError, LaunchError
from . import (
    _devices,
    _hints,
    _host_memory,
    _interop,
    _memory_manager,
    _streams,
    random,  # noqa: F401  not in __all__: `from lanewise.gpu import *` must not hide Python's
)
from ._cuda_cpp import (
    LTOIR,
    Archive,
    Cubin,
    CudaFunction,
    CUSource,
    Fatbin,
    Object,
    PTXSource,
    cuda_function,
    declare_device,
)
from ._jit import (
    Kernel,
    compile,  # noqa: F401  not in __all__: it is Python's name too
    compile_for_current_device,
    compile_ptx,
    compile_ptx_for_current_device,
    device,
    jit,
    launch,
)
from ._memory import DeviceArray, device_array, device_array_like, synchronize, to_device
from ._names import find as _find
from ._reduce import Reduce, reduce
from ._vectorize import guvectorize, vectorize

globals().update(scalar_types)

# What the modules of the host's side offer, by the names that users know.
_HOST_NAMES = {
    _devices: ("Context", "Device", "MemoryInfo", "close", "current_context", "defer_cleanup", "get_current_device",
               "gpus", "list_devices", "require_context", "select_device"),
    _hints: ("In", "InOut", "Out"),
    _host_memory: ("managed_array", "mapped", "mapped_array", "mapped_array_like", "pinned", "pinned_array",
                   "pinned_array_like"),
    _interop: ("IpcArrayHandle", "as_cuda_array", "from_cuda_array_interface", "is_cuda_array", "open_ipc_array"),
    _memory_manager: ("BaseCUDAMemoryManager", "GetIpcHandleMixin", "HostOnlyCUDAMemoryManager", "MemoryPointer",
                      "set_memory_manager"),
    _streams: ("Event", "Graph", "Stream", "default_stream", "event", "event_elapsed_time", "external_stream",
               "legacy_default_stream", "per_thread_default_stream", "profile_start", "profile_stop", "profiling",
               "stream"),
}
for _module, _exported in _HOST_NAMES.items():
    globals().update({name: getattr(_module, name) for name in _exported})

__all__ = [
    "LTOIR",
    "Archive",
    "CUSource",
    "Cubin",
    "CudaFunction",
    "Fatbin",
    "Object",
    "PTXSource",
    "cuda_function",
    "declare_device",
    "CompileError",
    "CudaError",
    "DeviceArray",
    "Kernel",
    "KernelError",
    "LaunchError",
    "Reduce",
    "Signature",
    "Type",
    "compile_ptx",
    "compile_for_current_device",
    "compile_ptx_for_current_device",
    "current_target",
    "detect",
    "device",
    "device_array",
    "device_array_like",
    "from_dtype",
    "guvectorize",
    "get_num_threads",
    "is_available",
    "jit",
    "launch",
    "reduce",
    "set_num_threads",
    "synchronize",
    "to_device",
    "toolkit",
    "vectorize",
    "void",
    *(name for exported in _HOST_NAMES.values() for name in exported),
    # What kernels use, but for Python's own names and modules.
    *sorted({*_core.builtin_names("gpu")} - {"random", "types", *dir(_builtins)}),
]


def is_available():
    """Whether there is a CUDA device that kernels can run on."""
    return _core.cuda_status()[0]


def detect():
    """Prints what was found of CUDA: the driver, the devices, or what is missing. Returns is_available()."""
    usable, report, _, _ = _core.cuda_status()
    print(report)
    return usable


def toolkit():
    """What was found of NVIDIA's toolkit: [(name, path, version)], with the path "" of what is not there."""
    return [(name, path, version) for name, path, version, _ in _core.toolkit()]


def current_target():
    """Where kernels without a `target` run: "cpu" or "cuda". LANEWISE_TARGET decides, else what is there."""
    return _core.default_target()


def get_num_threads():
    """How many threads of the CPU kernels use. LANEWISE_NUM_THREADS sets it at the start."""
    return _core.num_threads()


def set_num_threads(n):
    """Sets how many threads of the CPU kernels use."""
    _core.set_num_threads(n)


def __getattr__(name):
    found = None if name.startswith("__") else _find(name)
    if found is None:
        raise AttributeError(f"module 'lanewise.gpu' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__():
    return sorted({*globals(), *_core.builtin_names("gpu")})

"""Lanewise: GPU kernels written in Python syntax, compiled for CUDA and the CPU.

    from lanewise import gpu

    @gpu.jit
    def saxpy(a, x, y):
        i = gpu.grid(1)
        if i < x.size:
            y[i] += a * x[i]

    saxpy[grid, block](2.0, x, y)
"""

from . import _core
from .errors import (
    CompileError,
    CompileWarning,
    CudaError,
    Error,
    InternalError,
    KernelError,
    LaunchError,
    LaunchTypeError,
    LaunchValueError,
    PerformanceWarning,
    TargetError,
)

__version__ = _core.version()


def _package_folders():
    """Where this Python has its packages: NVIDIA's wheels are looked for there when they are needed."""
    import sys

    return [folder for folder in sys.path if folder.endswith(("site-packages", "dist-packages"))]


_core.set_package_folders(_package_folders())

__all__ = [
    "CompileError",
    "CompileWarning",
    "CudaError",
    "Error",
    "InternalError",
    "KernelError",
    "LaunchError",
    "LaunchTypeError",
    "LaunchValueError",
    "PerformanceWarning",
    "TargetError",
    "gpu",
]


def __getattr__(name):
    if name == "gpu":
        from importlib import import_module

        return import_module("lanewise.gpu")
    raise AttributeError(f"module 'lanewise' has no attribute {name!r}")

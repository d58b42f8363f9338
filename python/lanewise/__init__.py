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

"""A kernel file for `kc` and the C++ door: types come from the annotations.

    kc examples/saxpy_kernel.py --arch sm_80 -o saxpy.ptx
"""

from lanewise import gpu
from lanewise.gpu import float32


@gpu.jit
def saxpy(a: float32, x: float32[::1], y: float32[::1]):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]

from lanewise import gpu
from lanewise.gpu import float32


@gpu.jit
def saxpy(a: float32, x: float32[::1], y: float32[::1]):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]

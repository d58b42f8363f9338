# Without contraction a product is rounded before it is added.
#: fma off
#: lacks fma
#: contains mul.rn.f32
#: contains add.rn.f32
from lanewise import gpu
from lanewise.gpu import float32


@gpu.jit
def k(a: float32, x: float32[::1]):
    i = gpu.grid(1)
    x[i] = a * x[i] + x[i]

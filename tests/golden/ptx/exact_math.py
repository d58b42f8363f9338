# Without fastmath division and square root are rounded correctly, and sin has its full range.
#: contains div.rn.f32
#: contains sqrt.rn.f32
#: lacks sin.approx
#: lacks .ftz
from lanewise import gpu
from lanewise.gpu import float32
import math


@gpu.jit
def k(x: float32[::1], y: float32[::1]):
    i = gpu.grid(1)
    y[i] = math.sqrt(x[i]) / x[i + 1]
    x[i] = math.sin(x[i])

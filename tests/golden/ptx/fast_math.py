# fastmath: approximate division and functions, denormals flushed.
#: fastmath on
#: contains div.approx.ftz.f32
#: contains sin.approx.ftz.f32
#: lacks div.rn
from lanewise import gpu
from lanewise.gpu import float32
import math


@gpu.jit
def k(x: float32[::1]):
    i = gpu.grid(1)
    x[i] = math.sin(x[i]) / x[i + 1]

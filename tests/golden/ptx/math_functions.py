# libdevice is linked in: no call is left, and the code is for float32 all the way.
#: lacks call
#: lacks .extern
#: lacks .f64
from lanewise import gpu
from lanewise.gpu import float32
import math


@gpu.jit
def k(x: float32[::1], y: float32[::1]):
    i = gpu.grid(1)
    if i < x.size:
        y[i] = math.exp(0.5 * x[i]) + math.log1p(x[i]) + math.tanh(x[i])

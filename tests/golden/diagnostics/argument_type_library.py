# Functions of frontend/library have no text that a user could be shown: the call is.
import math

from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(x):
    x[0] = gpu.fp16.hadd(x, 1)
    x[1] = gpu.random.philox_uniform_float32(math, 2)
    x[2] = gpu.fp16.hadd(1)
    x[3] = gpu.fp16.hadd(1, 2, 3)
    x[4] = gpu.fp16.hsim(1)
    x[5] = math.gamma(x)
    x[6] = math.polynomial(1)
    x[7] = gpu.random.philox_uniform_float32(1, 2, step=3)


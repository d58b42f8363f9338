# numba.cuda.bf16: functions of bfloat16 under CUDA's names. Arguments become bfloat16 first; each result is the
# exact one of its arguments rounded, but for the elementary functions (at most 1 ulp).
import math

import numpy as np

from lanewise import gpu


@gpu.jit(device=True)
def hadd(a, b):
    return gpu.bfloat16(a) + gpu.bfloat16(b)


@gpu.jit(device=True)
def hsub(a, b):
    return gpu.bfloat16(a) - gpu.bfloat16(b)


@gpu.jit(device=True)
def hmul(a, b):
    return gpu.bfloat16(a) * gpu.bfloat16(b)


@gpu.jit(device=True)
def hdiv(a, b):
    return gpu.bfloat16(a) / gpu.bfloat16(b)


@gpu.jit(device=True)
def hfma(a, b, c):
    return gpu.fma(gpu.bfloat16(a), gpu.bfloat16(b), gpu.bfloat16(c))


@gpu.jit(device=True)
def hneg(a):
    return -gpu.bfloat16(a)


@gpu.jit(device=True)
def habs(a):
    return abs(gpu.bfloat16(a))


@gpu.jit(device=True)
def hsin(a):
    return math.sin(gpu.bfloat16(a))


@gpu.jit(device=True)
def hcos(a):
    return math.cos(gpu.bfloat16(a))


@gpu.jit(device=True)
def htanh(a):
    return math.tanh(gpu.bfloat16(a))


@gpu.jit(device=True)
def hlog(a):
    return math.log(gpu.bfloat16(a))


@gpu.jit(device=True)
def hlog2(a):
    return math.log2(gpu.bfloat16(a))


@gpu.jit(device=True)
def hlog10(a):
    return math.log10(gpu.bfloat16(a))


@gpu.jit(device=True)
def hexp(a):
    return math.exp(gpu.bfloat16(a))


@gpu.jit(device=True)
def hexp2(a):
    return math.exp2(gpu.bfloat16(a))


@gpu.jit(device=True)
def hexp10(a):
    return gpu.bfloat16(math.pow(gpu.float32(10), gpu.float32(gpu.bfloat16(a))))


@gpu.jit(device=True)
def hfloor(a):
    return math.floor(gpu.bfloat16(a))


@gpu.jit(device=True)
def hceil(a):
    return math.ceil(gpu.bfloat16(a))


@gpu.jit(device=True)
def hrint(a):
    return np.rint(gpu.bfloat16(a))


@gpu.jit(device=True)
def htrunc(a):
    return math.trunc(gpu.bfloat16(a))


@gpu.jit(device=True)
def hsqrt(a):
    return math.sqrt(gpu.bfloat16(a))


@gpu.jit(device=True)
def hrsqrt(a):
    return gpu.rsqrt(gpu.bfloat16(a))


@gpu.jit(device=True)
def hrcp(a):
    return gpu.bfloat16(1) / gpu.bfloat16(a)


@gpu.jit(device=True)
def heq(a, b):
    return gpu.bfloat16(a) == gpu.bfloat16(b)


@gpu.jit(device=True)
def hne(a, b):
    return gpu.bfloat16(a) != gpu.bfloat16(b)


@gpu.jit(device=True)
def hgt(a, b):
    return gpu.bfloat16(a) > gpu.bfloat16(b)


@gpu.jit(device=True)
def hge(a, b):
    return gpu.bfloat16(a) >= gpu.bfloat16(b)


@gpu.jit(device=True)
def hlt(a, b):
    return gpu.bfloat16(a) < gpu.bfloat16(b)


@gpu.jit(device=True)
def hle(a, b):
    return gpu.bfloat16(a) <= gpu.bfloat16(b)


@gpu.jit(device=True)
def hmax(a, b):
    return max(gpu.bfloat16(a), gpu.bfloat16(b))


@gpu.jit(device=True)
def hmin(a, b):
    return min(gpu.bfloat16(a), gpu.bfloat16(b))

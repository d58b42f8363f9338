# numba.cuda.fp16: functions of float16 under CUDA's names. Arguments become float16 first; each result is the
# exact one of its arguments rounded, but for the elementary functions (at most 1 ulp). numba.cuda.bf16 is this text
# with bfloat16 for float16 (frontend/CMakeLists.txt).
import math

import numpy as np

from lanewise import gpu


@gpu.jit(device=True)
def hadd(a, b):
    return gpu.float16(a) + gpu.float16(b)


@gpu.jit(device=True)
def hsub(a, b):
    return gpu.float16(a) - gpu.float16(b)


@gpu.jit(device=True)
def hmul(a, b):
    return gpu.float16(a) * gpu.float16(b)


@gpu.jit(device=True)
def hdiv(a, b):
    return gpu.float16(a) / gpu.float16(b)


@gpu.jit(device=True)
def hfma(a, b, c):
    return gpu.fma(gpu.float16(a), gpu.float16(b), gpu.float16(c))


@gpu.jit(device=True)
def hneg(a):
    return -gpu.float16(a)


@gpu.jit(device=True)
def habs(a):
    return abs(gpu.float16(a))


@gpu.jit(device=True)
def hsin(a):
    return math.sin(gpu.float16(a))


@gpu.jit(device=True)
def hcos(a):
    return math.cos(gpu.float16(a))


@gpu.jit(device=True)
def htanh(a):
    return math.tanh(gpu.float16(a))


@gpu.jit(device=True)
def hlog(a):
    return math.log(gpu.float16(a))


@gpu.jit(device=True)
def hlog2(a):
    return math.log2(gpu.float16(a))


@gpu.jit(device=True)
def hlog10(a):
    return math.log10(gpu.float16(a))


@gpu.jit(device=True)
def hexp(a):
    return math.exp(gpu.float16(a))


@gpu.jit(device=True)
def hexp2(a):
    return math.exp2(gpu.float16(a))


@gpu.jit(device=True)
def hexp10(a):
    return gpu.float16(math.pow(gpu.float32(10), gpu.float32(gpu.float16(a))))


@gpu.jit(device=True)
def hfloor(a):
    return math.floor(gpu.float16(a))


@gpu.jit(device=True)
def hceil(a):
    return math.ceil(gpu.float16(a))


@gpu.jit(device=True)
def hrint(a):
    return np.rint(gpu.float16(a))


@gpu.jit(device=True)
def htrunc(a):
    return math.trunc(gpu.float16(a))


@gpu.jit(device=True)
def hsqrt(a):
    return math.sqrt(gpu.float16(a))


@gpu.jit(device=True)
def hrsqrt(a):
    return gpu.rsqrt(gpu.float16(a))


@gpu.jit(device=True)
def hrcp(a):
    return gpu.float16(1) / gpu.float16(a)


@gpu.jit(device=True)
def heq(a, b):
    return gpu.float16(a) == gpu.float16(b)


@gpu.jit(device=True)
def hne(a, b):
    return gpu.float16(a) != gpu.float16(b)


@gpu.jit(device=True)
def hgt(a, b):
    return gpu.float16(a) > gpu.float16(b)


@gpu.jit(device=True)
def hge(a, b):
    return gpu.float16(a) >= gpu.float16(b)


@gpu.jit(device=True)
def hlt(a, b):
    return gpu.float16(a) < gpu.float16(b)


@gpu.jit(device=True)
def hle(a, b):
    return gpu.float16(a) <= gpu.float16(b)


@gpu.jit(device=True)
def hmax(a, b):
    return max(gpu.float16(a), gpu.float16(b))


@gpu.jit(device=True)
def hmin(a, b):
    return min(gpu.float16(a), gpu.float16(b))

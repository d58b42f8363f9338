# NumPy's functions of numbers that are short algorithms. They take numbers of any type and compute as a kernel would.
import math

import numpy as np
from lanewise import gpu


@gpu.jit(device=True)
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return abs(a)


@gpu.jit(device=True)
def lcm(a, b):
    return 0 if a == 0 or b == 0 else abs(a // gcd(a, b) * b)


@gpu.jit(device=True)
def heaviside(x, h):
    x = x + 0.0
    if math.isnan(x):
        return x
    if x == 0:
        return h + 0.0
    return 0.0 if x < 0 else 1.0


@gpu.jit(device=True)
def interp(x, xp, fp, left=None, right=None):
    n = len(xp)
    if math.isnan(x):
        return x + 0.0
    if x < xp[0]:
        if left is not None:
            return left + 0.0
        return fp[0] + 0.0
    if x > xp[n - 1]:
        if right is not None:
            return right + 0.0
        return fp[n - 1] + 0.0
    if x == xp[n - 1]:
        return fp[n - 1] + 0.0
    low = 0
    high = n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x < xp[middle]:
            high = middle
        else:
            low = middle
    slope = (fp[low + 1] - fp[low]) / (xp[low + 1] - xp[low])
    return slope * (x - xp[low]) + fp[low]


@gpu.jit(device=True)
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    if a == b:
        return True
    if equal_nan and math.isnan(a) and math.isnan(b):
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    return abs(a - b) <= atol + rtol * abs(b)


@gpu.jit(device=True)
def isneginf(x):
    return math.isinf(x) and x < 0


@gpu.jit(device=True)
def isposinf(x):
    return math.isinf(x) and x > 0


@gpu.jit(device=True)
def logaddexp(a, b):
    if a == b:
        return a + math.log(2.0)
    d = a - b
    if d > 0:
        return a + math.log1p(math.exp(-d))
    if d <= 0:
        return b + math.log1p(math.exp(d))
    return d + 0.0


@gpu.jit(device=True)
def logaddexp2(a, b):
    if a == b:
        return a + 1.0
    d = a - b
    if d > 0:
        return a + math.log1p(math.exp2(-d)) * 1.4426950408889634
    if d <= 0:
        return b + math.log1p(math.exp2(d)) * 1.4426950408889634
    return d + 0.0


@gpu.jit(device=True)
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not isinstance(x, (float, np.floating)):
        return x
    if math.isnan(x):
        return type(x)(nan)
    if math.isinf(x) and x > 0:
        return type(x)(np.finfo(type(x)).max) if posinf is None else type(x)(posinf)
    if math.isinf(x):
        return type(x)(np.finfo(type(x)).min) if neginf is None else type(x)(neginf)
    return x


@gpu.jit(device=True)
def select(conditions, choices, default=0):
    for condition, choice in zip(conditions, choices):
        if condition:
            return choice
    return default


@gpu.jit(device=True)
def sinc(x):
    y = x * 3.141592653589793
    return math.sin(y) / y if x != 0 else 1.0


@gpu.jit(device=True)
def spacing(x):
    x = x + 0.0
    if math.isinf(x) or math.isnan(x):
        return x - x
    return math.copysign(math.ulp(x), x)

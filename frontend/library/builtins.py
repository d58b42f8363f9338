# What Python's own functions and the methods of numbers need beyond a few ops. All are helpers: inference calls them,
# kernels don't know their names.
import math

import numpy as np
from lanewise import gpu


@gpu.jit(device=True)
def _multiply_modulo(a, b, m):
    result = 0
    while b > 0:
        if b & 1:
            result = result + a if result < m - a else result - (m - a)
        a = a + a if a < m - a else a - (m - a)
        b >>= 1
    return result


@gpu.jit(device=True)
def _pow_modulo(base, exponent, modulus):
    m = abs(modulus)
    if m == 0:
        return 0
    a = base % m
    result = 1 % m
    n = exponent
    while n > 0:
        if n & 1:
            result = _multiply_modulo(result, a, m)
        a = _multiply_modulo(a, a, m)
        n >>= 1
    return result - m if modulus < 0 and result != 0 else result


@gpu.jit(device=True)
def _bit_length(n):
    rest = np.uint64(abs(n))
    count = 0
    while rest != 0:
        rest >>= 1
        count += 1
    return count


@gpu.jit(device=True)
def _is_integer(x):
    return math.isfinite(x) and math.floor(x) == x


@gpu.jit(device=True)
def _round_integer(n, places):
    if places >= 0:
        return n
    power = 10**-places
    quotient, rest = divmod(n, power)
    if rest * 2 > power or (rest * 2 == power and quotient % 2 == 1):
        quotient += 1
    return quotient * power


@gpu.jit(device=True)
def _round_places(x, places):
    factor = type(x)(10.0 ** abs(places))
    return np.round(x * factor) / factor if places >= 0 else np.round(x / factor) * factor

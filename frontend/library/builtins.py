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


@gpu.jit(device=True)
def _below(shape, strides):
    """How many bytes of a view lie below its first element."""
    below = 0
    for extent, stride in zip(shape, strides):
        below -= (extent - 1) * min(stride, 0)
    return below


@gpu.jit(device=True)
def _span(shape, strides):
    """How many bytes lie between the first elements at both ends of a view."""
    span = 0
    for extent, stride in zip(shape, strides):
        span += (extent - 1) * abs(stride)
    return span


@gpu.jit(device=True)
def _is_nested(size, shape, strides):
    """Whether in each dimension the elements of the next one lie behind all of the dimensions after it."""
    reach = size
    nested = True
    for extent, stride in zip(shape[::-1], strides[::-1]):
        nested = nested and (stride == 0 or stride >= reach)
        reach += (extent - 1) * stride
    return nested


@gpu.jit(device=True)
def _meet(distance, size, shape, other_shape, strides):
    """Whether two views with the same strides, nested, have a byte in common."""
    if len(strides) == 0:
        return -size < distance < size
    if strides[0] == 0:
        return _meet(distance, size, shape[1:], other_shape[1:], strides[1:])
    ahead = distance // strides[0]
    rest = distance - ahead * strides[0]
    if -shape[0] < ahead < other_shape[0] and _meet(rest, size, shape[1:], other_shape[1:], strides[1:]):
        return True
    rest -= strides[0]
    return -shape[0] < ahead + 1 < other_shape[0] and _meet(rest, size, shape[1:], other_shape[1:], strides[1:])


@gpu.jit(device=True)
def _write_order(distance, size, shape, strides, other_shape, other_strides, aligned):
    """In which order elements are read from the other view and written to the one that is `distance` bytes ahead.

    0: any; 1: upwards in memory; 2: downwards; 3: none of these. 4 more: with the loops from inside out. `aligned`: of
    each element to the one of the same indices. The dimensions are those of the loops, from the outermost.
    """
    for extent, other in zip(shape, other_shape):
        if extent <= 0 or other <= 0:
            return 0
    ahead = distance + _below(other_shape, other_strides) - _below(shape, strides)
    if ahead >= _span(other_shape, other_strides) + size or -ahead >= _span(shape, strides) + size:
        return 0
    parallel = True
    same = True
    for extent, other, stride, other_stride in zip(shape, other_shape, strides, other_strides):
        parallel = parallel and (extent == 1 or other == 1 or abs(stride) == abs(other_stride))
        same = same and (extent == 1 or other == 1 or stride == other_stride)
    if aligned and same and distance == 0:
        return 0
    steps = tuple(
        abs(stride) if extent > 1 else abs(other_stride) if other > 1 else 0
        for extent, other, stride, other_stride in zip(shape, other_shape, strides, other_strides)
    )
    longest = tuple(max(extent, other) for extent, other in zip(shape, other_shape))
    flipped = 0
    if not _is_nested(size, longest, steps):
        flipped = 4
        if not _is_nested(size, longest[::-1], steps[::-1]):
            return 3
    if not parallel:
        return 3
    if flipped:
        meet = _meet(ahead, size, shape[::-1], other_shape[::-1], steps[::-1])
    else:
        meet = _meet(ahead, size, shape, other_shape, steps)
    if not meet:
        return 0
    if not (aligned and same):
        return 3
    return flipped + (2 if distance > 0 else 1)

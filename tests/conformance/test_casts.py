"""Conversions of language.md rule 4.5: explicit casts and stores to elements of another type."""

import math

import numpy as np
import pytest
from lanewise import gpu

INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
NUMBERS = INTS + FLOATS


def wrap(value, t):
    """An integer reduced to the range of integer type t."""
    bits = 8 * np.dtype(t).itemsize
    value %= 2**bits
    return value - 2**bits if np.dtype(t).kind == "i" and value >= 2 ** (bits - 1) else value


def saturate(value, t):
    """A float converted to integer type t: truncated, clamped, NaN gives 0."""
    if math.isnan(value):
        return 0
    low, high = int(np.iinfo(t).min), int(np.iinfo(t).max)
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(int(value), low), high)


def samples(t):
    if np.dtype(t).kind == "f":
        big = [65504.0, -65504.0] if t == np.float16 else [3e9, -3e9, 1e19, -1e19, 1e30, -1e30]
        return np.array(
            [0, -0.0, 0.5, -0.5, 0.99, -1.5, 2.5, 127.9, 128, -129, 300, math.inf, -math.inf, math.nan, *big],
            t,
        )
    low, high = np.iinfo(t).min, np.iinfo(t).max
    return np.array([0, 1, low, high, high - 1, high // 2 + 1, 100], t)


@pytest.mark.parametrize("target", NUMBERS, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("source", NUMBERS, ids=lambda t: np.dtype(t).name)
def test_cast_and_store(source, target):
    @gpu.jit
    def kernel(x, cast, stored):
        i = gpu.grid(1)
        if i < x.size:
            cast[i] = target(x[i])
            stored[i] = x[i]

    x = samples(source)
    cast, stored = np.zeros(x.size, target), np.zeros(x.size, target)
    kernel[1, 32](x, cast, stored)
    if np.dtype(target).kind == "f":
        with np.errstate(all="ignore"):
            expected = x.astype(target)
    elif np.dtype(source).kind == "f":
        expected = np.array([saturate(float(v), target) for v in x], target)
    else:
        expected = np.array([wrap(int(v), target) for v in x], target)
    np.testing.assert_array_equal(cast, expected)
    np.testing.assert_array_equal(stored, expected)


@pytest.mark.parametrize("source", NUMBERS, ids=lambda t: np.dtype(t).name)
def test_to_bool(source):
    """Any non-zero value is True: 256 whose low byte is 0, 0.5, NaN."""

    @gpu.jit
    def kernel(x, out, cast):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = x[i]
            cast[i] = bool(x[i])

    x = samples(source)
    if np.dtype(source).itemsize > 1:
        x = np.append(x, np.array([256], source))
    out, cast = np.zeros(x.size, np.bool_), np.zeros(x.size, np.bool_)
    kernel[1, 32](x, out, cast)
    np.testing.assert_array_equal(out, [bool(v != 0) for v in x])
    np.testing.assert_array_equal(cast, out)


def test_python_number_casts():
    @gpu.jit
    def kernel(x, ints, floats):
        i = gpu.grid(1)
        if i < x.size:
            ints[i] = int(x[i])
            floats[i] = float(i) / 2 + int(2.9)

    x = np.array([-2.7, 1e30, math.nan, 41.5], np.float32)
    ints, floats = np.zeros(4, np.int64), np.zeros(4)
    kernel[1, 4](x, ints, floats)
    np.testing.assert_array_equal(ints, [-2, 2**63 - 1, 0, 41])
    np.testing.assert_array_equal(floats, [2.0, 2.5, 3.0, 3.5])


def test_round_half_even():
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = round(x[i])

    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 2.4999, 1e15 + 0.5])
    out = np.zeros(x.size, np.int64)
    kernel[1, 8](x, out)
    np.testing.assert_array_equal(out, [round(float(v)) for v in x])


def test_floats_keep_the_width_of_the_data():
    """Rule 4.1: a Python number never widens a float32; the sum of products shows single rounding steps."""

    @gpu.jit(fma=False)
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = 0.1 * x[i] + i * x[i]

    x = np.linspace(0.1, 3, 16).astype(np.float32)
    out = np.zeros(16)
    kernel[1, 16](x, out)
    i = np.arange(16, dtype=np.float32)
    np.testing.assert_array_equal(out, np.float32(0.1) * x + i * x)


def test_python_sum_of_bytes_is_64_bits_and_a_hash_wraps_at_32():
    """Rule 4.2."""

    @gpu.jit
    def kernel(data, total, digest):
        s = 0
        h = np.uint32(2166136261)
        for i in range(data.size):
            s += data[i] * 100_000_000
            h = (h ^ data[i]) * 16777619
        total[0] = s
        digest[0] = h

    data = np.frombuffer(b"lanewise kernels", np.uint8)
    total, digest = np.zeros(1, np.int64), np.zeros(1, np.uint32)
    kernel[1, 1](data, total, digest)
    h = 2166136261
    for byte in data:
        h = ((h ^ int(byte)) * 16777619) % 2**32
    assert digest[0] == h
    # data[i] * 100_000_000 is int32 (the constant fits) and wraps; the sum is 64 bits wide.
    assert total[0] == sum(wrap(int(b) * 100_000_000, np.int32) for b in data)


def test_constant_floats_truncate():
    @gpu.jit
    def kernel(out):
        out[0] = np.int16(-0.7)
        out[1] = gpu.int8(-128.9)
        out[2] = np.int64(-3.5)
        out[3] = np.uint8(255.5)
        out[4] = gpu.uint16(-0.5)
        out[5] = gpu.int32(2147483647.5)

    out = np.zeros(6, np.int64)
    kernel[1, 1](out)
    np.testing.assert_array_equal(out, [0, -128, -3, 255, 0, 2147483647])


def test_a_variable_to_the_power_of_zero_is_no_constant():
    @gpu.jit
    def kernel(x, out):
        out[0] = gpu.uint32(~(gpu.threadIdx.x**0))  # of a constant: an error, -2 is no uint32
        out[1] = x[0] ** 0

    out = np.zeros(2, np.int64)
    kernel[1, 1](np.array([np.nan]), out)
    np.testing.assert_array_equal(out, [2**32 - 2, 1])

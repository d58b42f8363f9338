"""Atomics and math: faults that other compilers had (README.md has the table)."""

import math

import numpy as np
import pytest
from lanewise import gpu


@pytest.mark.parametrize("t", [np.float32, np.float64, np.int64, np.int32, np.uint32, np.uint64])
def test_b115_atomic_add(t):
    @gpu.jit
    def kernel(out):
        gpu.atomic.add(out, gpu.grid(1) % 2, t(3))

    out = np.zeros(2, t)
    kernel[2, 32](out)
    assert list(out) == [96, 96]


@pytest.mark.parametrize("t", [np.float32, np.float64])
def test_b116_compare_and_swap_of_floats(t):
    @gpu.jit
    def kernel(a, old):
        old[0] = gpu.atomic.cas(a, 0, 1.5, 2.5)
        old[1] = gpu.atomic.cas(a, 1, 1.5, 2.5)

    a, old = np.array([1.5, 7], t), np.zeros(2, t)
    kernel[1, 1](a, old)
    assert list(a) == [2.5, 7] and list(old) == [1.5, 7]


def test_b119_a_nan_among_two_is_ignored():
    @gpu.jit
    def kernel(out, x):
        out[0] = max(1.0, x)
        out[1] = max(x, 2.0)
        out[2] = min(1.0, x)
        out[3] = min(x, 2.0)
        out[4] = max(x, x)

    out = np.zeros(5)
    kernel[1, 1](out, math.nan)
    np.testing.assert_array_equal(out, [1, 2, 1, 2, math.nan])


def test_b121_nan_is_seen_and_sqrt_is_exact_without_fastmath():
    @gpu.jit
    def kernel(out, x):
        out[0] = math.isnan(x)
        out[1] = math.isfinite(x)
        out[2] = math.sqrt(out[3])

    out = np.array([0, 0, 0, 2.0])
    kernel[1, 1](out, math.nan)
    assert list(out[:3]) == [1, 0, math.sqrt(2.0)]


def test_b122_result_of_round_is_an_int_and_a_number():
    @gpu.jit
    def kernel(out, x):
        for i in range(round(x[0])):
            out[i] = round(x[i]) / 2
        out[4] = round(x[1]) + 0.25

    out = np.zeros(5)
    kernel[1, 1](out, np.array([2.5, 3.5, -0.5]))
    assert list(out) == [1, 2, 0, 0, 4.25]


def test_shift_counts_beyond_the_width():
    @gpu.jit
    def kernel(out, x, y, n):
        out[0] = x << n
        out[1] = x >> n
        out[2] = y >> n
        out[3] = np.uint32(1) << n

    out = np.zeros(4, np.int64)
    kernel[1, 1](out, 5, -5, 64)
    assert list(out) == [0, 0, -1, 0]

"""Shared, local, constant memory: faults that other compilers had (README.md has the table)."""

import numpy as np
import pytest
from lanewise import gpu

FOUR = np.array([1.0, 2.0, 3.0, 4.0])
BASE = np.arange(24.0).reshape(4, 6)
REVERSED = BASE[::-1, ::2]
BYTES = np.array([1, 2, 3], np.uint8)
FLOATS = np.array([0.5, 1.5], np.float32)


def test_b86_b88_slices_and_run_time_indices_of_dynamic_shared_memory():
    @gpu.jit
    def kernel(out, n):
        s = gpu.shared.array(0, np.float64)
        a = s[0:1]
        b = s[1:2]
        a[0] = 1
        b[0] = 2
        for i in range(n):
            out[i] = s[(i + 1) % 2]

    out = np.zeros(4)
    kernel[1, 1, 0, 16](out, 4)
    assert list(out) == [2, 1, 2, 1]


def test_b89_static_and_dynamic_arrays_are_apart():
    @gpu.jit
    def kernel(out):
        fixed = gpu.shared.array(16, np.float32)
        dynamic = gpu.shared.array(0, np.float32)
        t = gpu.threadIdx.x
        dynamic[t] = 100 + t
        if t < 16:
            fixed[t] = t
        gpu.syncthreads()
        out[t] = dynamic[31 - t] + (fixed[t] if t < 16 else 0)
        if t == 0:
            out[32] = len(dynamic)

    out = np.zeros(33)
    kernel[1, 32, 0, 128](out)
    assert list(out) == [131 - t + (t if t < 16 else 0) for t in range(32)] + [32]


@pytest.mark.parametrize("n", [8191, 8192, 8193, 100000])
def test_b92_large_captured_arrays(n):
    table = np.arange(n, dtype=np.float64)

    @gpu.jit
    def kernel(out, i):
        out[0] = table[i]

    out = np.zeros(1)
    try:
        kernel[1, 1](out, n - 1)
    except Exception as error:
        assert "too large" in str(error) or "64 KiB" in str(error)
    else:
        assert out[0] == n - 1


def test_b94_captured_array_in_many_threads():
    @gpu.jit
    def kernel(out):
        i = gpu.grid(1)
        out[i] = FOUR[i % 4]

    out = np.zeros(2**12)
    kernel[16, 256](out)
    np.testing.assert_array_equal(out, np.tile(FOUR, 2**10))


def test_b95_captured_views():
    @gpu.jit
    def kernel(out):
        for i in range(4):
            for j in range(3):
                out[i, j] = REVERSED[i, j]
        column = REVERSED[:, 1]
        for i in range(4):
            out[i, 3] = column[i]

    out = np.zeros((4, 4))
    kernel[1, 1](out)
    np.testing.assert_array_equal(out[:, :3], REVERSED)
    np.testing.assert_array_equal(out[:, 3], REVERSED[:, 1])


def test_b97_constants_of_bytes_and_floats():
    @gpu.jit
    def kernel(out, i):
        out[0] = BYTES[i] + FLOATS[i]
        out[1] = BYTES[2]

    out = np.zeros(2)
    kernel[1, 1](out, 1)
    assert list(out) == [3.5, 3]


def test_b98_local_arrays_in_functions_branches_and_loops():
    @gpu.jit(device=True)
    def total(x):
        t = gpu.local.array(4, np.float64)
        for i in range(4):
            t[i] = x + i
        return t[0] + t[1] + t[2] + t[3]

    @gpu.jit
    def kernel(out):
        g = gpu.grid(1)
        value = 0.0
        for i in range(5):
            if i % 2 == g % 2:
                t = gpu.local.array(2, np.float64)
                t[0] = i
                t[1] = g
                value += t[0] * t[1]
            value += total(i)
        out[g] = value

    out = np.zeros(8)
    kernel[1, 8](out)
    assert list(out) == [
        sum((i * g if i % 2 == g % 2 else 0) + 4 * i + 6 for i in range(5)) for g in range(8)
    ]

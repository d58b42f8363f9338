"""Neighbouring elements that CUDA reads at once, of arrays that begin anywhere."""

import numpy as np
import pytest
from lanewise import gpu


@gpu.jit
def four(a, out):
    i = gpu.grid(1)
    if 4 * i + 3 < a.size:
        out[i] = a[4 * i] + 2 * a[4 * i + 1] + 3 * a[4 * i + 2] + 4 * a[4 * i + 3]


@gpu.jit
def squares(z, out):
    i = gpu.grid(1)
    if i < z.size:
        out[i] = z[i] * z[i]


@gpu.jit
def pairs(a, out):
    i = gpu.grid(1)
    if 2 * i + 1 < a.size:
        out[2 * i], out[2 * i + 1] = a[2 * i + 1], a[2 * i]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.float32, np.float64])
@pytest.mark.parametrize("start", [0, 1, 2, 3, 4])
def test_elements_of_arrays_that_begin_anywhere(dtype, start):
    a = (np.arange(68) % 11).astype(dtype)[start:]
    n = a.size // 4
    out = np.zeros(n, np.float64)
    four[1, 32](a, out)
    rows = a[: 4 * n].astype(float).reshape(n, 4)
    np.testing.assert_array_equal(out, rows @ [1, 2, 3, 4])
    swapped = np.zeros(69, dtype)[start + 1 :]
    pairs[1, 64](a, swapped)
    m = a.size // 2 * 2
    np.testing.assert_array_equal(swapped[:m], a[:m].reshape(-1, 2)[:, ::-1].ravel())


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("start", [0, 1])
def test_complex_numbers(dtype, start):
    z = (np.arange(40) - 3j * np.arange(40)).astype(dtype)[start:]
    out = np.zeros(41, dtype)[start + 1 :]
    squares[1, 64](z, out)
    np.testing.assert_array_equal(out[: z.size], z * z)

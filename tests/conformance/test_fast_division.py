"""Division and roots under fastmath: close everywhere, and float64 right at the ends."""

import math

import numpy as np
import pytest
from lanewise import gpu


@gpu.jit(fastmath=True)
def quotients_and_roots(out, x, y):
    i = gpu.grid(1)
    if i < x.size:
        root = math.sqrt(x[i])
        out[0, i] = x[i] / y[i]
        out[1, i] = root
        out[2, i] = 1 / math.sqrt(y[i])
        out[3, i] = y[i] / root
        out[4, i] = x[i] / y[0]
        out[5, i] = x[i] / 3


@pytest.mark.parametrize("dtype, reach, units", [(np.float64, 300, 2), (np.float32, 20, 4)])
def test_close_everywhere(dtype, reach, units):
    rng = np.random.default_rng(7)
    count = 20000
    x, y = (np.exp(rng.uniform(-reach, reach, count)).astype(dtype) for _ in range(2))
    out = np.zeros((6, count), dtype)
    quotients_and_roots[(count + 95) // 96, 96](out, x, y)
    wide_x, wide_y = (v.astype(np.longdouble) for v in (x, y))
    expected = [wide_x / wide_y, np.sqrt(wide_x), 1 / np.sqrt(wide_y), wide_y / np.sqrt(wide_x), wide_x / wide_y[0],
                wide_x / 3]  # fmt: skip
    for row, (got, want) in enumerate(zip(out, expected)):
        error = np.abs(got - want) / np.spacing(np.abs(want).astype(dtype)).astype(np.longdouble)
        assert error.max() <= units, (row, float(error.max()))


def test_ends_of_float64():
    x = np.array([0, 1, 4, 2.5, 1e300, 1e-300] * 16)
    y = np.array([2, 4, 1e300, 0.25, 1e10, 1e-300] * 16)
    out = np.zeros((6, 96))
    quotients_and_roots[1, 96](out, x, y)
    assert np.array_equal(out[0], x / y)
    assert np.array_equal(out[1][x == 0], np.zeros(16))
    assert np.allclose(out[1], np.sqrt(x), rtol=1e-15) and np.allclose(out[2], 1 / np.sqrt(y), rtol=1e-15)

"""fastmath=True relaxes arithmetic and elementary functions within bounds; without it nothing is relaxed."""

import math

import numpy as np
import pytest
from lanewise import gpu

# name: (least, greatest argument, largest relative error with fast math in float32). Of sin and cos the error is
# relative to 1; tanh is the instruction of CUDA's devices, good to 2**-11.
FUNCTIONS = {
    "sin": (-3.1, 3.1, 2**-20), "cos": (-3.1, 3.1, 2**-20), "tan": (-1.4, 1.4, 2**-18), "exp": (-20.0, 20.0, 2**-18),
    "log": (2.0, 1e6, 2**-20), "log2": (2.0, 1e6, 2**-20), "log10": (2.0, 1e6, 2**-20), "tanh": (-4.0, 4.0, 2**-10),
    "sqrt": (1e-3, 1e6, 2**-21), "atan": (-9.0, 9.0, 2**-20), "erf": (-3.0, 3.0, 2**-20), "gamma": (0.5, 9.0, 2**-20),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_near(name):
    function = getattr(math, name)

    @gpu.jit(fastmath=True)
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i])

    low, high, bound = FUNCTIONS[name]
    for dtype, most in ((np.float32, bound), (np.float64, 1e-14)):
        x = np.linspace(low, high, 1000).astype(dtype)
        out = np.zeros_like(x)
        kernel[8, 128](x, out)
        want = np.array([function(float(v)) for v in x])
        scale = 1.0 if name in ("sin", "cos") else np.abs(want)
        assert np.max(np.abs(out - want) / np.maximum(scale, 1e-9)) <= most


def test_division_and_power_are_near():
    @gpu.jit(fastmath=True)
    def kernel(x, y, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i, 0] = x[i] / y[i]
            out[i, 1] = math.pow(y[i], x[i])
            out[i, 2] = x[i] * y[i] - x[i]

    rng = np.random.default_rng(2)
    x, y = rng.uniform(-8, 8, 500).astype(np.float32), rng.uniform(0.5, 4, 500).astype(np.float32)
    out = np.zeros((500, 3), np.float32)
    kernel[4, 128](x, y, out)
    wide, other = x.astype(np.float64), y.astype(np.float64)
    np.testing.assert_allclose(out[:, 0], wide / other, rtol=2**-21)
    np.testing.assert_allclose(out[:, 1], other**wide, rtol=2**-17)
    np.testing.assert_allclose(out[:, 2], wide * other - wide, atol=8 * 2**-20)


def test_nothing_is_relaxed_without_the_flag():
    """Divisions and roots are correctly rounded, denormals kept, sums in the written order, NaN and infinity there."""

    @gpu.jit(fma=False)
    def kernel(x, y, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i, 0] = x[i] / y[i]
            out[i, 1] = math.sqrt(y[i])
            out[i, 2] = x[i] * np.float32(1e-38)
            out[i, 3] = (x[i] + np.float32(1e8)) - np.float32(1e8)
            out[i, 4] = x[i] - x[i] if math.isfinite(x[i]) else np.float32(7)
            out[i, 5] = x[i] * np.float32(0)

    rng = np.random.default_rng(3)
    x = rng.uniform(-0.1, 0.1, 400).astype(np.float32)
    y = rng.uniform(0.5, 4, 400).astype(np.float32)
    x[:4] = np.inf, -np.inf, np.nan, -0.0
    out = np.zeros((400, 6), np.float32)
    kernel[4, 128](x, y, out)
    with np.errstate(invalid="ignore"):
        big = np.float32(1e8)
        want = np.stack([x / y, np.sqrt(y), x * np.float32(1e-38), (x + big) - big,
                         np.where(np.isfinite(x), x - x, np.float32(7)), x * np.float32(0)], 1)  # fmt: skip
    np.testing.assert_array_equal(out, want)

"""gpu.fp16.* and the functions of math on float16: every one of the 65,536 numbers on the CPU and the interpreter."""

import math

import numpy as np
import pytest
from lanewise import gpu

EVERY = np.arange(65536, dtype=np.uint16).view(np.float16)
STEP = 37 if gpu.current_target() == "cuda" else 1  # the emulator is slow


def rounded(function):
    """float16 nearest to the function of float64."""

    def of_half(x):
        with np.errstate(all="ignore"):
            return function(x.astype(np.float64)).astype(np.float16)

    return of_half


# name: (NumPy's function, the largest difference in ulp)
ONE = {
    "hneg": (np.negative, 0), "habs": (np.abs, 0), "hsin": (np.sin, 1), "hcos": (np.cos, 1), "htanh": (np.tanh, 1),
    "hlog": (np.log, 1), "hlog2": (np.log2, 1), "hlog10": (np.log10, 1), "hexp": (np.exp, 1), "hexp2": (np.exp2, 1),
    "hexp10": (lambda x: np.power(10.0, x), 1), "hfloor": (np.floor, 0), "hceil": (np.ceil, 0), "hrint": (np.rint, 0),
    "htrunc": (np.trunc, 0), "hsqrt": (np.sqrt, 0), "hrsqrt": (lambda x: 1 / np.sqrt(x), 1), "hrcp": (lambda x: 1 / x, 0),
}  # fmt: skip
MATH = {"sin": np.sin, "cos": np.cos, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh, "atan": np.arctan,
        "floor": np.floor, "expm1": np.expm1, "log1p": np.log1p, "asinh": np.arcsinh}  # fmt: skip
TWO = {"hadd": np.add, "hsub": np.subtract, "hmul": np.multiply, "hdiv": np.divide, "hmax": np.fmax, "hmin": np.fmin}
COMPARE = {"heq": np.equal, "hne": np.not_equal, "hgt": np.greater, "hge": np.greater_equal, "hlt": np.less,
           "hle": np.less_equal}  # fmt: skip


def order(x):
    """Neighbouring floats have neighbouring numbers."""
    bits = x.view(np.int16).astype(np.int32)
    return np.where(bits < 0, -32768 - bits, bits)


def assert_near(got, want, ulp):
    assert got.dtype == np.float16
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    good = ~np.isnan(want)
    assert np.max(np.abs(order(got[good]) - order(want[good]))) <= ulp
    np.testing.assert_array_equal(np.signbit(got[good]), np.signbit(want[good]))


def run(function, x):
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i])

    out = np.zeros_like(x)
    kernel[(x.size + 255) // 256, 256](x, out)
    return out


@pytest.mark.parametrize("name", ONE)
def test_one_argument(name):
    function, ulp = ONE[name]
    x = EVERY[::STEP]
    assert_near(run(getattr(gpu.fp16, name), x), rounded(function)(x), ulp)


@pytest.mark.parametrize("name", MATH)
def test_math_on_float16(name):
    x = EVERY[::STEP]
    assert_near(run(getattr(math, name), x), rounded(MATH[name])(x), 1)


def pairs():
    """Each number with one of another sign and size, and all pairs of the special ones."""
    rng = np.random.default_rng(5)
    special = np.array([0, 0x8000, 1, 0x8001, 0x7C00, 0xFC00, 0x7E00, 0x7BFF, 0xFBFF, 0x3C00, 0x0400], np.uint16)
    special = special.view(np.float16)
    x, y = EVERY[::STEP], rng.permutation(EVERY)[::STEP]
    return np.concatenate([x, np.repeat(special, 11), x]), np.concatenate([y, np.tile(special, 11), x])


@pytest.mark.parametrize("name", [*TWO, *COMPARE])
def test_two_arguments(name):
    function = getattr(gpu.fp16, name)

    @gpu.jit
    def kernel(x, y, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i], y[i])

    x, y = pairs()
    out = np.zeros(x.size, np.float16 if name in TWO else bool)
    kernel[(x.size + 255) // 256, 256](x, y, out)
    if name in COMPARE:
        np.testing.assert_array_equal(out, COMPARE[name](x, y))
        return
    with np.errstate(all="ignore"):
        want = TWO[name](x.astype(np.float64), y.astype(np.float64)).astype(np.float16)
    if name in ("hmax", "hmin"):  # NumPy's zeros have no order
        zeros = (x == 0) & (y == 0)
        both = np.signbit(x) & np.signbit(y) if name == "hmax" else np.signbit(x) | np.signbit(y)
        want[zeros] = np.where(both[zeros], np.float16(-0.0), np.float16(0.0))
    assert_near(out, want, 0)


def test_fused_multiply_add_is_rounded_once():
    @gpu.jit
    def kernel(x, y, z, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = gpu.fp16.hfma(x[i], y[i], z[i])

    rng = np.random.default_rng(6)
    x, y, z = (rng.permutation(EVERY)[::STEP] for _ in range(3))
    out = np.zeros_like(x)
    kernel[(x.size + 255) // 256, 256](x, y, z, out)
    # exact: a product has 22 bits, and a long double's 64 hold every sum that is not decided by the larger term
    wide = [v.astype(np.longdouble) for v in (x, y, z)]
    with np.errstate(all="ignore"):
        want = (wide[0] * wide[1] + wide[2]).astype(np.float16)
    assert_near(out, want, 0)


def test_arguments_become_float16():
    @gpu.jit
    def kernel(out):
        out[0] = gpu.fp16.hadd(2049.0, 1)
        out[1] = gpu.fp16.hmul(0.1, 3)

    out = np.zeros(2, np.float32)
    kernel[1, 1](out)
    assert out[0] == 2048  # 2049 is no float16
    assert out[1] == np.float32(np.float16(0.1) * np.float16(3))

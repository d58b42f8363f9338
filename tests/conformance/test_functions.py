"""Device functions, closures, and the functions of math and NumPy."""

import math

import mpmath
import numpy as np
import pytest
from lanewise import gpu

OFFSET = 7
PAIR = (3, 4.5)


@gpu.jit(device=True)
def classify(v, low=-1.0, high=1.0):
    if v < low:
        return -1
    if v > high:
        return 1
    return 0


@gpu.jit(device=True)
def polar(x, y):
    return math.hypot(x, y), math.atan2(y, x)


def test_several_returns_defaults_and_keywords():
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i, 0] = classify(x[i])
            out[i, 1] = classify(x[i], high=2.5)
            out[i, 2] = classify(x[i], 0.0, 0.5)

    x = np.array([-2.0, -0.5, 0.25, 1.5, 3.0])
    out = np.zeros((5, 3), np.int64)
    kernel[1, 8](x, out)

    def reference(v, low=-1.0, high=1.0):
        return -1 if v < low else 1 if v > high else 0

    np.testing.assert_array_equal(
        out, [[reference(v), reference(v, high=2.5), reference(v, 0.0, 0.5)] for v in x]
    )


def test_tuple_results():
    @gpu.jit
    def kernel(x, y, out):
        i = gpu.grid(1)
        r, phi = polar(x[i], y[i])
        both = polar(y[i], x[i])
        out[i, 0], out[i, 1] = r, phi
        out[i, 2] = both[1]

    x, y = np.array([3.0, -1.0, 0.0]), np.array([4.0, 1.0, -2.0])
    out = np.zeros((3, 3))
    kernel[1, 3](x, y, out)
    np.testing.assert_allclose(
        out, np.stack([np.hypot(x, y), np.arctan2(y, x), np.arctan2(x, y)], 1), rtol=1e-14
    )


def test_globals_and_closures_are_constants():
    def factory(scale, shift):
        @gpu.jit
        def kernel(x, out):
            i = gpu.grid(1)
            if i < x.size:
                out[i] = x[i] * scale + shift + OFFSET + PAIR[0] * PAIR[1]

        return kernel

    x = np.arange(4, dtype=np.float64)
    for scale, shift in ((2, 0.5), (-1, 3)):
        out = np.zeros(4)
        factory(scale, shift)[1, 4](x, out)
        np.testing.assert_array_equal(out, x * scale + shift + OFFSET + 13.5)


def test_two_functions_of_one_factory_in_one_kernel():
    def adder(n):
        @gpu.jit(device=True)
        def add(v):
            return v + n

        return add

    three, five = adder(3), adder(5)

    @gpu.jit
    def kernel(out):
        out[0] = five(three(out[0]))

    out = np.zeros(1, np.int32)
    kernel[1, 1](out)
    assert out[0] == 8


def test_device_function_specialises_on_argument_types():
    @gpu.jit(device=True)
    def double(v):
        return v + v

    @gpu.jit
    def kernel(x, y, out):
        out[0] = double(x[0])  # int32 wraps
        out[1] = double(y[0])
        out[2] = double(double(1.25))

    out = np.zeros(3)
    kernel[1, 1](np.array([2**31 - 1], np.int32), np.array([0.75]), out)
    np.testing.assert_array_equal(out, [-2, 1.5, 5.0])


ONE_ARGUMENT = {
    "sqrt": (0.0, 50.0), "exp": (-20.0, 20.0), "expm1": (-3.0, 3.0), "log": (0.01, 100.0), "log2": (0.01, 100.0),
    "log10": (0.01, 100.0), "log1p": (-0.9, 10.0), "sin": (-30.0, 30.0), "cos": (-30.0, 30.0), "tan": (-1.5, 1.5),
    "asin": (-1.0, 1.0), "acos": (-1.0, 1.0), "atan": (-50.0, 50.0), "sinh": (-10.0, 10.0), "cosh": (-10.0, 10.0),
    "tanh": (-4.0, 4.0), "asinh": (-50.0, 50.0), "acosh": (1.0, 50.0), "atanh": (-0.99, 0.99), "erf": (-4.0, 4.0),
    "erfc": (-4.0, 9.0), "gamma": (0.1, 20.0), "lgamma": (3.0, 50.0), "floor": (-5.0, 5.0), "ceil": (-5.0, 5.0),
    "trunc": (-5.0, 5.0), "fabs": (-5.0, 5.0), "degrees": (-7.0, 7.0), "radians": (-400.0, 400.0),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("name", ONE_ARGUMENT)
def test_math_function_of_one_argument(name, dtype):
    function = getattr(math, name)

    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i])

    low, high = ONE_ARGUMENT[name]
    x = np.linspace(low, high, 999).astype(dtype)
    x = np.clip(x, np.nextafter(dtype(low), dtype(high)), np.nextafter(dtype(high), dtype(low)))
    out = np.zeros_like(x)
    kernel[8, 128](x, out)
    # Python's own gamma functions are off by more than ours: mpmath is right to the last bit.
    exact = {"gamma": mpmath.gamma, "lgamma": mpmath.loggamma}.get(name, function)
    expected = np.array([float(exact(float(v))) for v in x])
    ulp = np.spacing(np.maximum(np.abs(expected.astype(dtype)), np.finfo(dtype).tiny)).astype(np.float64)
    worst = np.max(np.abs(out.astype(np.float64) - expected) / ulp)
    # 4 ulp, and half a one for the reference's own rounding.
    assert worst <= 4.5, f"{worst} ulp"


TWO_ARGUMENTS = ["atan2", "pow", "hypot", "fmod", "copysign", "remainder"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("name", TWO_ARGUMENTS)
def test_math_function_of_two_arguments(name, dtype):
    function = getattr(math, name)

    @gpu.jit
    def kernel(x, y, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i], y[i])

    rng = np.random.default_rng(1)
    x = rng.uniform(0.1, 9, 500).astype(dtype)
    y = rng.uniform(-5, 5, 500).astype(dtype)
    out = np.zeros_like(x)
    kernel[4, 128](x, y, out)
    expected = np.array([function(float(a), float(b)) for a, b in zip(x, y)])
    ulp = np.spacing(np.abs(expected.astype(dtype))).astype(np.float64)
    assert np.max(np.abs(out.astype(np.float64) - expected) / ulp) <= 4.5


def test_special_values():
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i, 0] = math.isnan(x[i])
            out[i, 1] = math.isinf(x[i])
            out[i, 2] = math.isfinite(x[i])
            out[i, 3] = np.isnan(math.sqrt(x[i]))
            out[i, 4] = math.exp(x[i]) == math.inf

    x = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan])
    out = np.zeros((7, 5), np.bool_)
    kernel[1, 8](x, out)
    with np.errstate(all="ignore"):
        expected = np.stack(
            [np.isnan(x), np.isinf(x), np.isfinite(x), np.isnan(np.sqrt(x)), np.exp(x) == np.inf], 1
        )
    np.testing.assert_array_equal(out, expected)


def test_numpy_scalar_functions():
    @gpu.jit
    def kernel(x, y, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i, 0] = np.sin(x[i])
            out[i, 1] = np.maximum(x[i], y[i])
            out[i, 2] = np.floor(x[i])
            out[i, 3] = np.arctan2(x[i], y[i])
            out[i, 4] = np.abs(x[i])
            out[i, 5] = np.sqrt(np.abs(y[i]))

    x, y = np.linspace(-3, 3, 32), np.linspace(2, -2, 32)
    out = np.zeros((32, 6))
    kernel[1, 32](x, y, out)
    expected = [np.sin(x), np.maximum(x, y), np.floor(x), np.arctan2(x, y), np.abs(x), np.sqrt(np.abs(y))]
    np.testing.assert_allclose(out, np.stack(expected, 1), rtol=1e-15)


def test_min_max_skip_nan():
    @gpu.jit
    def kernel(x, out):
        out[0] = max(1.0, x[0])
        out[1] = min(x[0], 2.0)
        out[2] = max(x[1], x[2], x[3])
        out[3] = min(x[1], x[2], x[3])

    x, out = np.array([np.nan, 3.0, -1.0, 2.0]), np.zeros(4)
    kernel[1, 1](x, out)
    np.testing.assert_array_equal(out, [1, 2, 3, -1])


def test_floor_used_as_an_index():
    @gpu.jit
    def kernel(x, table, out):
        i = gpu.grid(1)
        out[i] = table[math.floor(x[i])]
        for j in range(math.ceil(x[i])):
            out[i] += j

    x, table = np.array([0.5, 1.5, 2.0], np.float32), np.array([10.0, 20.0, 30.0])
    out = np.zeros(3)
    kernel[1, 3](x, table, out)
    np.testing.assert_array_equal(out, [10 + 0, 20 + 0 + 1, 30 + 0 + 1])

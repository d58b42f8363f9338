"""Infinities, NaN, signed zeros, poles, overflow and underflow: C's Annex F, for every elementary function."""

import math

import numpy as np
import pytest
from lanewise import gpu

INF, NAN = math.inf, math.nan
PI = math.pi

# (argument, result); "tiny" and "huge" stand for the smallest denormal and the largest number of the type.
ODD = [(0.0, 0.0), (-0.0, -0.0), (NAN, NAN)]
ONE = {
    "sqrt": [*ODD, (INF, INF), (-INF, NAN), (-1.0, NAN), (-1e-30, NAN), (4.0, 2.0)],
    "cbrt": [*ODD, (INF, INF), (-INF, -INF), (-8.0, -2.0), (27.0, 3.0)],
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1e4, INF), (-1e4, 0.0)],
    "exp2": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (5.0, 32.0), (-3.0, 0.125), (2000.0, INF),
             (-2000.0, 0.0), (-126.0, 2.0**-126), (127.0, 2.0**127)],
    "expm1": [*ODD, (INF, INF), (-INF, -1.0), (1e4, INF), (-1e4, -1.0), ("tiny", "tiny")],
    "log": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (-INF, NAN), (NAN, NAN)],
    "log2": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (8.0, 3.0), (2.0**-126, -126.0), (INF, INF), (-1.0, NAN),
             (NAN, NAN)],
    "log10": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (1000.0, 3.0), (INF, INF), (-1.0, NAN), (NAN, NAN)],
    "log1p": [*ODD, (-1.0, -INF), (-2.0, NAN), (INF, INF), (-INF, NAN), ("tiny", "tiny")],
    "sin": [*ODD, (INF, NAN), (-INF, NAN), ("tiny", "tiny")],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN), ("tiny", 1.0)],
    "tan": [*ODD, (INF, NAN), (-INF, NAN), ("tiny", "tiny")],
    "asin": [*ODD, (1.5, NAN), (-1.5, NAN), (INF, NAN), (1.0, PI / 2), (-1.0, -PI / 2), ("tiny", "tiny")],
    "acos": [(1.0, 0.0), (-1.0, PI), (1.5, NAN), (-INF, NAN), (NAN, NAN), (0.0, PI / 2)],
    "atan": [*ODD, (INF, PI / 2), (-INF, -PI / 2), ("tiny", "tiny"), ("huge", PI / 2)],
    "sinh": [*ODD, (INF, INF), (-INF, -INF), (1e4, INF), (-1e4, -INF), ("tiny", "tiny")],
    "cosh": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN), (-1e4, INF)],
    "tanh": [*ODD, (INF, 1.0), (-INF, -1.0), (1e4, 1.0), ("tiny", "tiny")],
    "asinh": [*ODD, (INF, INF), (-INF, -INF), ("tiny", "tiny")],
    "acosh": [(1.0, 0.0), (0.5, NAN), (-1.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
    "atanh": [*ODD, (1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN), ("tiny", "tiny")],
    "erf": [*ODD, (INF, 1.0), (-INF, -1.0), (20.0, 1.0), (-20.0, -1.0)],
    "erfc": [(0.0, 1.0), (INF, 0.0), (-INF, 2.0), (NAN, NAN), (1e3, 0.0), (-20.0, 2.0)],
    "gamma": [(0.0, INF), (-0.0, -INF), (INF, INF), (-INF, NAN), (-1.0, NAN), (-20.0, NAN), (-1e30, NAN), (NAN, NAN),
              (1.0, 1.0), (2.0, 1.0), (5.0, 24.0), (11.0, 3628800.0), (172.0, INF), (1e30, INF), (-190.5, -0.0),
              (-191.5, 0.0), ("tiny", INF)],
    "lgamma": [(0.0, INF), (-0.0, INF), (1.0, 0.0), (2.0, 0.0), (-1.0, INF), (-30.0, INF), (-1e30, INF), (INF, INF),
               (-INF, INF), (NAN, NAN), (3.0, math.log(2.0))],
    "floor": [*ODD, (INF, INF), (-INF, -INF), (-0.5, -1.0), (0.5, 0.0), (1e30, 1e30)],
    "ceil": [*ODD, (INF, INF), (-INF, -INF), (-0.5, -0.0), (0.5, 1.0), (1e30, 1e30)],
    "trunc": [*ODD, (INF, INF), (-INF, -INF), (-0.5, -0.0), (-1.5, -1.0), (1e30, 1e30)],
    "rint": [*ODD, (INF, INF), (-INF, -INF), (-0.5, -0.0), (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-2.5, -2.0)],
    "rsqrt": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN), (NAN, NAN), (4.0, 0.5)],
    "fabs": [(0.0, 0.0), (-0.0, 0.0), (-INF, INF), (NAN, NAN)],
}  # fmt: skip

TWO = {
    "pow": [
        (0.0, -3.0, INF), (-0.0, -3.0, -INF), (0.0, -2.0, INF), (-0.0, -2.0, INF), (-0.0, -2.5, INF), (0.0, -INF, INF),
        (-0.0, 3.0, -0.0), (0.0, 3.0, 0.0), (-0.0, 2.0, 0.0), (-0.0, 2.5, 0.0), (-1.0, INF, 1.0), (-1.0, -INF, 1.0),
        (1.0, NAN, 1.0), (1.0, INF, 1.0), (NAN, 0.0, 1.0), (NAN, -0.0, 1.0), (INF, 0.0, 1.0), (-2.0, 0.5, NAN),
        (-2.0, 3.0, -8.0), (-2.0, 2.0, 4.0), (0.5, -INF, INF), (2.0, -INF, 0.0), (0.5, INF, 0.0), (2.0, INF, INF),
        (-0.5, -INF, INF), (-INF, -3.0, -0.0), (-INF, -2.0, 0.0), (-INF, 3.0, -INF), (-INF, 2.0, INF), (-INF, 2.5, INF),
        (INF, -2.0, 0.0), (INF, 2.0, INF), (NAN, 1.0, NAN), (2.0, NAN, NAN), (-1.0, 1e30, 1.0), (-3.0, 1e30, INF),
        (10.0, 1000.0, INF), (-10.0, 1001.0, -INF), (10.0, -1000.0, 0.0), (-10.0, -1001.0, -0.0),
    ],
    "atan2": [
        (0.0, -0.0, PI), (-0.0, -0.0, -PI), (0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -1.0, PI), (-0.0, -1.0, -PI),
        (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (-1.0, 0.0, -PI / 2), (1.0, -0.0, PI / 2), (1.0, -INF, PI), (-1.0, -INF, -PI),
        (1.0, INF, 0.0), (-1.0, INF, -0.0), (INF, 1.0, PI / 2), (-INF, 1.0, -PI / 2), (INF, -INF, 3 * PI / 4),
        (-INF, -INF, -3 * PI / 4), (INF, INF, PI / 4), (-INF, INF, -PI / 4), (NAN, 1.0, NAN), (1.0, NAN, NAN),
    ],
    "hypot": [
        (INF, NAN, INF), (NAN, -INF, INF), (-INF, 1.0, INF), (NAN, 1.0, NAN), (0.0, -0.0, 0.0), (-3.0, 4.0, 5.0),
        (3e38, 4e38, 5e38), ("huge", 0.0, "huge"), ("tiny", 0.0, "tiny"),
    ],
    "fmod": [
        (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (1.0, 0.0, NAN), (INF, 1.0, NAN), (1.0, INF, 1.0), (-1.0, -INF, -1.0),
        (NAN, 1.0, NAN), (5.5, -2.0, 1.5), (-5.5, 2.0, -1.5), (-6.0, 2.0, -0.0), ("huge", 3.0, None), (INF, INF, NAN),
    ],
    "remainder": [
        (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (1.0, 0.0, NAN), (INF, 1.0, NAN), (1.0, INF, 1.0), (NAN, 1.0, NAN),
        (5.0, 2.0, 1.0), (7.0, 2.0, -1.0), (-6.0, 3.0, -0.0), (2.5, 1.0, 0.5), (3.5, 1.0, -0.5),
    ],
    "copysign": [(1.0, -0.0, -1.0), (-INF, 1.0, INF), (NAN, -1.0, NAN), (0.0, -NAN, None)],
    "nextafter": [
        (0.0, 1.0, "tiny"), (0.0, -0.0, -0.0), (-0.0, 0.0, 0.0), (INF, 0.0, "huge"), ("huge", INF, INF), (1.0, 1.0, 1.0),
        (NAN, 1.0, NAN), (1.0, NAN, NAN), ("tiny", 0.0, 0.0),
    ],
}  # fmt: skip

LDEXP = [
    (0.0, 5, 0.0), (-0.0, 5, -0.0), (INF, -5, INF), (-INF, 5, -INF), (NAN, 0, NAN), (1.0, 2**31 - 1, INF),
    (-1.0, 2**31 - 1, -INF), (1.0, -(2**31), 0.0), (-1.0, -(2**31), -0.0), (3.0, 4, 48.0), ("tiny", 4000, INF),
    (1.5, -5000, 0.0), ("tiny", 1, None), ("huge", 1, INF),
]  # fmt: skip

DTYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda t: np.dtype(t).name)
WHERE = {"rint": np.rint, "rsqrt": gpu.rsqrt, "cbrt": np.cbrt, "exp2": np.exp2}


def value(v, dtype):
    info = np.finfo(dtype)
    return {"tiny": info.smallest_subnormal, "huge": info.max}.get(v, v) if isinstance(v, str) else v


def assert_special(name, dtype, arguments, got, expected):
    for i, e in enumerate(expected):
        if e is None:
            continue
        with np.errstate(over="ignore"):
            want = dtype(value(e, dtype))
        text = f"{name}{tuple(a[i] for a in arguments)} is {got[i]!r}, not {want!r}"
        if np.isnan(want):
            assert np.isnan(got[i]), text
        elif want == 0 or np.isinf(want) or abs(want) == np.finfo(dtype).max:
            assert got[i] == want and np.signbit(got[i]) == np.signbit(want), text
        else:  # pi / 2 and so on are rounded
            assert abs(np.float64(got[i]) - np.float64(want)) <= 2 * np.float64(np.spacing(abs(want))), text


@DTYPES
@pytest.mark.parametrize("name", ONE)
def test_one_argument(name, dtype):
    function = WHERE[name] if name in WHERE else getattr(math, name)

    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i])

    x = np.array([value(a, dtype) for a, _ in ONE[name]], dtype)
    out = np.full_like(x, 123)
    kernel[1, 64](x, out)
    assert_special(name, dtype, [x], out, [e for _, e in ONE[name]])


@DTYPES
@pytest.mark.parametrize("name", TWO)
def test_two_arguments(name, dtype):
    function = np.nextafter if name == "nextafter" else getattr(math, name)

    @gpu.jit
    def kernel(x, y, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i], y[i])

    with np.errstate(over="ignore"):
        x = np.array([value(a, dtype) for a, _, _ in TWO[name]]).astype(dtype)
        y = np.array([value(b, dtype) for _, b, _ in TWO[name]]).astype(dtype)
    expected = [e for _, _, e in TWO[name]]
    if name == "hypot" and dtype == np.float32:
        expected[6] = INF
    out = np.full_like(x, 123)
    kernel[1, 64](x, y, out)
    assert_special(name, dtype, [x, y], out, expected)


@DTYPES
def test_ldexp(dtype):
    @gpu.jit
    def kernel(x, n, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = math.ldexp(x[i], n[i])

    x = np.array([value(a, dtype) for a, _, _ in LDEXP], dtype)
    n = np.array([b for _, b, _ in LDEXP], np.int32)
    out = np.full_like(x, 123)
    kernel[1, 64](x, n, out)
    assert_special("ldexp", dtype, [x, n], out, [e for _, _, e in LDEXP])
    tiny = [i for i, (a, b, _) in enumerate(LDEXP) if a == "tiny" and b == 1]
    assert out[tiny[0]] == 2 * np.finfo(dtype).smallest_subnormal


@DTYPES
def test_frexp_modf_and_classes(dtype):
    @gpu.jit
    def kernel(x, out, kinds):
        i = gpu.grid(1)
        if i < x.size:
            out[i, 0], exponent = math.frexp(x[i])
            out[i, 1] = exponent
            out[i, 2], out[i, 3] = math.modf(x[i])
            kinds[i, 0] = math.isnan(x[i])
            kinds[i, 1] = math.isinf(x[i])
            kinds[i, 2] = math.isfinite(x[i])
            kinds[i, 3] = np.signbit(x[i])

    info = np.finfo(dtype)
    x = np.array([0.0, -0.0, INF, -INF, NAN, info.smallest_subnormal, -info.max, 1.0, -2.75, info.tiny], dtype)
    out, kinds = np.zeros((x.size, 4), dtype), np.zeros((x.size, 4), bool)
    kernel[1, 64](x, out, kinds)
    for row, kind, v in zip(out, kinds, x):
        fraction, exponent = np.frexp(v)
        part, whole = np.modf(v)
        if not np.isfinite(v):
            fraction, exponent = v, 0
        np.testing.assert_array_equal(row, np.array([fraction, exponent, part, whole], dtype))
        if not np.isnan(v):
            np.testing.assert_array_equal(np.signbit(row[[0, 2, 3]]), np.signbit(v))
            assert kind[3] == np.signbit(v)
        assert list(kind[:3]) == [np.isnan(v), np.isinf(v), np.isfinite(v)]

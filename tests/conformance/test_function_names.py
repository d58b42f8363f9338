"""Every function of the language under each of its names, against Python's or NumPy's own function of that name. How
exact the elementary functions are over their whole range is tests/unit's; here are a few values of each."""

import math
import operator

import numpy as np
import pytest
from lanewise import gpu

MODULES = {"math": math, "np": np, "operator": operator}

# name: the values it is called on; several tuples for several parameters
ANY = (-2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 3.0, 10.0)
UNIT = (-1.0, -0.75, -0.1, 0.0, 0.5, 1.0)
INSIDE = (-0.9, -0.5, 0.0, 0.25, 0.99)
POSITIVE = (1e-3, 0.5, 1.0, 2.0, 2.5, 10.0, 1e6)
FROM_ONE = (1.0, 1.25, 2.0, 100.0)
SPECIAL = (-math.inf, -1.5, -0.0, 0.0, 3.0, math.inf, math.nan)

UNARY_FLOAT = {
    ANY: "math.fabs np.fabs np.abs np.absolute np.cbrt math.exp np.exp np.exp2 math.expm1 np.expm1 math.sin np.sin "
    "math.cos np.cos math.tan np.tan math.atan np.arctan np.atan math.sinh np.sinh math.cosh np.cosh math.tanh np.tanh "
    "math.asinh np.arcsinh np.asinh math.erf math.erfc np.floor np.ceil np.trunc np.fix np.rint np.around np.round "
    "math.degrees np.degrees np.rad2deg math.radians np.radians np.deg2rad np.sign np.square np.negative np.positive "
    "math.cbrt math.exp2 operator.abs operator.neg operator.pos math.floor math.ceil math.trunc",
    UNIT: "math.asin np.arcsin np.asin math.acos np.arccos np.acos",
    INSIDE: "math.atanh np.arctanh np.atanh math.log1p np.log1p",
    POSITIVE: "math.sqrt np.sqrt math.log np.log math.log2 np.log2 math.log10 np.log10 "
    "np.reciprocal",
    (0.5, 1.0, 2.5, 4.0, 10.0): "math.gamma math.lgamma",
    FROM_ONE: "math.acosh np.arccosh np.acosh",
    SPECIAL: "math.isnan np.isnan math.isinf np.isinf math.isfinite np.isfinite",
    (-2.0, -0.0, 0.0, 1.0, -math.inf, math.inf): "np.signbit operator.truth operator.not_ np.logical_not",
}
PAIRS = ((-2.5, 2.0), (-1.0, -0.5), (0.0, 3.0), (0.75, 0.5), (3.0, 1.5), (7.5, -2.0), (10.0, 4.0))
BASES = ((0.5, 2.5), (1.0, 3.0), (2.0, -1.5), (9.0, 0.5), (10.0, 4.0))
BINARY_FLOAT = {
    PAIRS: "np.fmin np.minimum np.fmax np.maximum math.atan2 np.arctan2 np.atan2 math.hypot np.hypot math.fmod np.fmod "
    "math.remainder math.copysign np.copysign math.nextafter np.nextafter np.add operator.add np.subtract operator.sub "
    "np.multiply operator.mul np.divide np.true_divide operator.truediv np.floor_divide operator.floordiv np.mod "
    "np.remainder operator.mod np.equal operator.eq np.not_equal operator.ne np.less operator.lt np.less_equal "
    "operator.le np.greater operator.gt np.greater_equal operator.ge np.logical_and np.logical_or np.logical_xor",
    BASES: "math.pow np.power np.float_power operator.pow np.pow",
}
INTEGERS = ((6, 3), (-7, 2), (13, 5), (-1, 4), (1000, 7))
BINARY_INT = (
    "operator.and_ np.bitwise_and operator.or_ np.bitwise_or operator.xor np.bitwise_xor operator.lshift np.left_shift "
    "np.bitwise_left_shift operator.rshift np.right_shift np.bitwise_right_shift np.add np.floor_divide np.mod np.minimum"
)
UNARY_INT = "operator.invert operator.inv np.invert np.bitwise_not np.bitwise_invert np.abs np.sign np.square operator.neg"


def cases(table):
    return [(name, values) for values, names in table.items() for name in names.split()]


def function(name):
    """Python's own, None where this version has none."""
    module, attribute = name.split(".")
    return getattr(MODULES[module], attribute, None)


def kernel(expression):
    """out[i] = expression of x[i] and y[i]."""
    text = (
        "def each(x, y, out):\n    i = gpu.grid(1)\n    if i < x.size:\n"
        f"        out[i] = {expression}\n"
    )
    names = {"gpu": gpu, "math": math, "np": np, "operator": operator}
    exec(text, names)
    return gpu.jit(source=text, fma=False)(names["each"])


def run(expression, x, y, result):
    out = np.zeros(len(x), result)
    kernel(expression)[1, 32](x, y, out)
    return out


def check(actual, expected, ulps=4):
    expected = np.array(expected, np.float64)
    with np.errstate(all="ignore"):
        near = np.abs(actual - expected) <= ulps * np.spacing(np.abs(expected))
    assert np.all(near | (actual == expected) | (np.isnan(actual) & np.isnan(expected))), (actual, expected)


@pytest.mark.parametrize("name, values", cases(UNARY_FLOAT), ids=lambda v: v if isinstance(v, str) else "")
def test_of_one_float(name, values):
    own = function(name)
    if own is None:
        pytest.skip(f"this Python has no {name}")
    x = np.array(values)
    actual = run(f"{name}(x[i])", x, x, np.float64)
    with np.errstate(all="ignore"):
        check(actual, [own(v) for v in x], 32 if "gamma" in name else 4)  # Python's own are not exact either


@pytest.mark.parametrize("name, pairs", cases(BINARY_FLOAT), ids=lambda v: v if isinstance(v, str) else "")
def test_of_two_floats(name, pairs):
    own = function(name)
    if own is None:
        pytest.skip(f"this Python has no {name}")
    x, y = (np.array(column) for column in zip(*pairs))
    check(run(f"{name}(x[i], y[i])", x, y, np.float64), [own(a, b) for a, b in zip(x, y)])


@pytest.mark.parametrize("name", BINARY_INT.split())
def test_of_two_integers(name):
    own = function(name)
    if own is None:
        pytest.skip(f"this Python has no {name}")
    x, y = (np.array(column) for column in zip(*INTEGERS))
    np.testing.assert_array_equal(run(f"{name}(x[i], y[i])", x, y, np.int64), [own(a, b) for a, b in zip(x, y)])


@pytest.mark.parametrize("name", UNARY_INT.split())
def test_of_one_integer(name):
    own = function(name)
    if own is None:
        pytest.skip(f"this Python has no {name}")
    x = np.array([-7, -1, 0, 3, 100])
    np.testing.assert_array_equal(run(f"{name}(x[i])", x, x, np.int64), [own(v) for v in x])


SEVERAL = {  # expressions of x[i] and y[i], and the same for Python
    "math.fma(x[i], y[i], 1.5)": lambda x, y: x * y + 1.5,
    "gpu.fma(x[i], y[i], 1.5)": lambda x, y: x * y + 1.5,
    "gpu.selp(x[i] > 1, x[i], y[i])": lambda x, y: x if x > 1 else y,
    "np.where(x[i] > 1, x[i], y[i])": lambda x, y: x if x > 1 else y,
    "np.clip(x[i], -1.0, y[i])": lambda x, y: np.clip(x, -1.0, y),
    "gpu.rsqrt(abs(x[i]) + 1)": lambda x, y: 1 / math.sqrt(abs(x) + 1),
    "gpu.cbrt(x[i])": lambda x, y: np.cbrt(x),
    "math.ldexp(x[i], int(y[i]))": lambda x, y: math.ldexp(x, int(y)),
    "np.ldexp(x[i], int(y[i]))": lambda x, y: math.ldexp(x, int(y)),
    "math.frexp(x[i])[0] * 16 + math.frexp(x[i])[1]": lambda x, y: math.frexp(x)[0] * 16 + math.frexp(x)[1],
    "np.frexp(x[i])[0] * 16 + np.frexp(x[i])[1]": lambda x, y: math.frexp(x)[0] * 16 + math.frexp(x)[1],
    "math.modf(x[i])[0] * 16 + math.modf(x[i])[1]": lambda x, y: math.modf(x)[0] * 16 + math.modf(x)[1],
    "np.modf(x[i])[0] * 16 + np.modf(x[i])[1]": lambda x, y: math.modf(x)[0] * 16 + math.modf(x)[1],
    "divmod(x[i], y[i])[0] * 16 + divmod(x[i], y[i])[1]": lambda x, y: divmod(x, y)[0] * 16 + divmod(x, y)[1],
    "np.divmod(x[i], y[i])[0] + np.divmod(x[i], y[i])[1]": lambda x, y: divmod(x, y)[0] + divmod(x, y)[1],
    "pow(x[i], 3)": lambda x, y: x**3,
    "sum((x[i], y[i], 1.0))": lambda x, y: 0 + x + y + 1.0,
    "tuple([x[i], y[i]])[1]": lambda x, y: y,
    "min(x[i], y[i]) + max(x[i], y[i], 2.0) + abs(x[i])": lambda x, y: min(x, y) + max(x, y, 2.0) + abs(x),
}


@pytest.mark.parametrize("expression", SEVERAL)
def test_of_several(expression):
    if "math.fma" in expression and not hasattr(math, "fma"):
        pytest.skip("this Python has no math.fma")
    x, y = (np.array(column) for column in zip(*PAIRS))
    check(run(expression, x, y, np.float64), [SEVERAL[expression](float(a), float(b)) for a, b in zip(x, y)])


def test_a_constant_array():
    table = np.array([3, 1, 4, 1, 5], np.int32)

    @gpu.jit
    def look_up(out):
        t = gpu.const.array_like(table)
        i = gpu.grid(1)
        if i < out.size:
            out[i] = t[i] * 2

    out = np.zeros(5, np.int32)
    look_up[1, 32](out)
    np.testing.assert_array_equal(out, table * 2)


def test_thread_indices_in_three_dimensions():
    @gpu.jit
    def note(out):
        bx, by, bz = gpu.blockIdx.x, gpu.blockIdx.y, gpu.blockIdx.z
        block = (bz * gpu.gridDim.y + by) * gpu.gridDim.x + bx
        linear = (gpu.threadIdx.z * gpu.blockDim.y + gpu.threadIdx.y) * gpu.blockDim.x + gpu.threadIdx.x
        out[block, linear, 0] = gpu.gridDim.x * 100 + gpu.gridDim.y * 10 + gpu.gridDim.z
        out[block, linear, 1] = bx * 100 + by * 10 + bz
        out[block, linear, 2] = gpu.laneid

    out = np.zeros((24, 40, 3), np.int64)
    note[(2, 3, 4), (5, 4, 2)](out)
    np.testing.assert_array_equal(out[:, :, 0], 234)
    expected = [x * 100 + y * 10 + z for z in range(4) for y in range(3) for x in range(2)]
    np.testing.assert_array_equal(out[:, :, 1], np.repeat(expected, 40).reshape(24, 40))
    np.testing.assert_array_equal(out[:, :, 2], np.tile(np.arange(40) % 32, (24, 1)))


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_bitwise_atomics(dtype):
    @gpu.jit
    def mix(values, out, old):
        i = gpu.grid(1)
        if i < values.size:
            gpu.atomic.and_(out, 0, values[i])
            gpu.atomic.or_(out, 1, values[i])
            gpu.atomic.xor(out, 2, values[i])
            old[i] = gpu.atomic.exch(out, 3 + i, values[i])
            gpu.atomic.compare_and_swap(out[40 + i :], dtype(7), values[i])

    values = np.array([0x7F, 0x3D, 0x6B, 0x19, 0x77], dtype)
    out = np.zeros(48, dtype)
    out[0] = 0x7F
    out[3:8] = [1, 2, 3, 4, 5]
    out[40:45] = [7, 8, 7, 0, 7]
    old = np.zeros(5, dtype)
    mix[1, 32](values, out, old)
    assert out[0] == np.bitwise_and.reduce(values)
    assert out[1] == np.bitwise_or.reduce(values)
    assert out[2] == np.bitwise_xor.reduce(values)
    np.testing.assert_array_equal(out[3:8], values)
    np.testing.assert_array_equal(old, [1, 2, 3, 4, 5])
    np.testing.assert_array_equal(out[40:45], [0x7F, 8, 0x6B, 0, 0x77])

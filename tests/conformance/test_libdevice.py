"""gpu.libdevice: every function against NumPy, math or exact fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from lanewise import gpu

ONE_ARGUMENT = """def kernel(out, x):
    i = gpu.grid(1)
    if i < x.size:
        out[i] = gpu.libdevice.{}(x[i])
"""
TWO_ARGUMENTS = """def kernel(out, x, y):
    i = gpu.grid(1)
    if i < x.size:
        out[i] = gpu.libdevice.{}(x[i], y[i])
"""
THREE_ARGUMENTS = """def kernel(out, x, y, z):
    i = gpu.grid(1)
    if i < x.size:
        out[i] = gpu.libdevice.{}(x[i], y[i], z[i])
"""


def run(name, result, *arguments):
    text = {1: ONE_ARGUMENT, 2: TWO_ARGUMENTS, 3: THREE_ARGUMENTS}[len(arguments)].format(name)
    names = {"gpu": gpu}
    exec(text, names)
    out = np.zeros(arguments[0].size, result)
    gpu.jit(source=text)(names["kernel"]).forall(out.size)(out, *arguments)
    return out


SAMPLES = np.array([-7.25, -2.5, -1.5, -1, -0.75, -0.5, -0.1, 0.1, 0.3, 0.5, 0.75, 1, 1.5, 2.5, 3.75, 20])
INSIDE = SAMPLES[np.abs(SAMPLES) <= 1]
POSITIVE = SAMPLES[SAMPLES > 0]


def half_away(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


ELEMENTARY = {
    "acos": (math.acos, INSIDE), "acosh": (math.acosh, POSITIVE[POSITIVE >= 1]), "asin": (math.asin, INSIDE),
    "asinh": (math.asinh, SAMPLES), "atan": (math.atan, SAMPLES), "atanh": (math.atanh, INSIDE[np.abs(INSIDE) < 1]),
    "cbrt": (np.cbrt, SAMPLES), "ceil": (math.ceil, SAMPLES), "cos": (math.cos, SAMPLES), "cosh": (math.cosh, SAMPLES),
    "cospi": (lambda x: math.cos(math.pi * x), SAMPLES), "erf": (math.erf, SAMPLES), "erfc": (math.erfc, INSIDE),
    "exp": (math.exp, SAMPLES), "exp10": (lambda x: 10.0**x, SAMPLES), "exp2": (np.exp2, SAMPLES),
    "expm1": (math.expm1, SAMPLES), "fabs": (abs, SAMPLES), "floor": (math.floor, SAMPLES),
    "lgamma": (math.lgamma, POSITIVE), "log": (math.log, POSITIVE), "log10": (math.log10, POSITIVE),
    "log1p": (math.log1p, POSITIVE), "log2": (math.log2, POSITIVE), "logb": (lambda x: math.frexp(x)[1] - 1, SAMPLES),
    "nearbyint": (np.rint, SAMPLES), "normcdf": (lambda x: 0.5 * math.erfc(-x / math.sqrt(2)), SAMPLES),
    "rcbrt": (lambda x: 1 / np.cbrt(x), SAMPLES), "rint": (np.rint, SAMPLES), "round": (half_away, SAMPLES),
    "rsqrt": (lambda x: 1 / math.sqrt(x), POSITIVE), "sin": (math.sin, SAMPLES),
    "sinh": (math.sinh, SAMPLES), "sinpi": (lambda x: math.sin(math.pi * x), SAMPLES), "sqrt": (math.sqrt, POSITIVE),
    "tan": (math.tan, SAMPLES), "tanh": (math.tanh, SAMPLES), "tgamma": (math.gamma, POSITIVE),
    "trunc": (math.trunc, SAMPLES),
}  # fmt: skip


@pytest.mark.parametrize("name", ELEMENTARY)
def test_elementary_functions(name):
    reference, samples = ELEMENTARY[name]
    expected = np.array([reference(x) for x in samples.tolist()])
    double = run(name, np.float64, samples)
    np.testing.assert_allclose(double, expected, rtol=2e-15, atol=3e-15)
    narrow = samples.astype(np.float32)
    expected = np.array([reference(float(x)) for x in narrow.tolist()])
    single = run(name + "f", np.float32, narrow)
    np.testing.assert_allclose(single, expected, rtol=8e-7, atol=4e-7)


def test_several_results_of_float32():
    @gpu.jit
    def kernel(out, whole, x):
        i = gpu.grid(1)
        if i < x.size:
            out[0, i], out[1, i] = gpu.libdevice.sincosf(x[i])
            out[2, i], whole[0, i] = gpu.libdevice.frexpf(x[i])
            out[3, i], out[4, i] = gpu.libdevice.modff(x[i])
            out[5, i], whole[1, i] = gpu.libdevice.remquof(x[i], 0.75)
            out[6, i], out[7, i] = gpu.libdevice.sincospif(x[i])

    x = SAMPLES.astype(np.float32)
    out, whole = np.zeros((8, x.size), np.float32), np.zeros((2, x.size), np.int32)
    kernel.forall(x.size)(out, whole, x)
    parts, exponents = np.frexp(x)
    rest, integers = np.modf(x)
    wide = x.astype(np.float64)
    rows = [
        np.sin(wide),
        np.cos(wide),
        parts,
        rest,
        integers,
        [math.remainder(v, 0.75) for v in wide.tolist()],
    ]
    rows += [np.sin(np.pi * wide), np.cos(np.pi * wide)]
    for row, expected in enumerate(rows):
        np.testing.assert_allclose(out[row], expected, rtol=1e-6, atol=4e-7, err_msg=str(row))
    np.testing.assert_array_equal(whole[0], exponents)
    np.testing.assert_array_equal(np.abs(whole[1]) % 8, np.abs(np.rint(wide / 0.75)) % 8)


def test_whole_multiples_of_pi_are_exact():
    x = np.array([0, -0.0, 0.5, 1, 1.5, 2, -1, 1e10, 2**52 + 1.0])
    np.testing.assert_array_equal(run("cospi", np.float64, x), [1, 1, 0, -1, 0, 1, -1, 1, -1])
    sines = run("sinpi", np.float64, x)
    np.testing.assert_array_equal(sines, [0, 0, 1, 0, -1, 0, 0, 0, 0])
    np.testing.assert_array_equal(np.signbit(sines), [0, 1, 0, 0, 1, 0, 1, 0, 0])


FAST = {"cosf": math.cos, "expf": math.exp, "exp10f": lambda x: 10.0**x, "log10f": math.log10, "log2f": math.log2,
        "logf": math.log, "sinf": math.sin, "tanf": math.tan}  # fmt: skip


@pytest.mark.parametrize("name", FAST)
def test_approximate_functions(name):
    x = np.array([0.1, 0.3, 0.7, 1.2, 2.5], np.float32)
    expected = [FAST[name](float(v)) for v in x]
    np.testing.assert_allclose(run("fast_" + name, np.float32, x), expected, rtol=2e-5, atol=2e-6)


def test_approximate_functions_of_two_arguments():
    x, y = np.array([1.5, 0.3, 7], np.float32), np.array([0.5, 3, 2], np.float32)
    np.testing.assert_allclose(run("fast_powf", np.float32, x, y), x**y, rtol=1e-5)
    np.testing.assert_allclose(run("fast_fdividef", np.float32, x, y), x / y, rtol=1e-6)


TWO = {"atan2": np.arctan2, "copysign": np.copysign, "fdim": lambda x, y: np.maximum(x - y, 0), "fmax": np.fmax,
       "fmin": np.fmin, "fmod": np.fmod, "hypot": np.hypot, "nextafter": np.nextafter,
       "remainder": np.vectorize(math.remainder)}  # fmt: skip


@pytest.mark.parametrize("name", TWO)
def test_functions_of_two_arguments(name):
    x, y = (a.ravel() for a in np.meshgrid(SAMPLES, SAMPLES[::3]))
    np.testing.assert_allclose(run(name, np.float64, x, y), TWO[name](x, y), rtol=1e-15, atol=1e-15)
    x, y = x.astype(np.float32), y.astype(np.float32)
    expected = TWO[name](x, y)
    np.testing.assert_allclose(run(name + "f", np.float32, x, y), expected, rtol=5e-7, atol=1e-6)


def test_powers():
    x, n = np.array([2, -1.5, 0.5, 3, 0, np.nan, 2]), np.array([10, 3, -2, 0, 0, 0, -1074], np.int32)
    expected = [1024, -3.375, 4, 1, 1, 1, 0]
    np.testing.assert_array_equal(run("powi", np.float64, x, n)[:6], expected[:6])
    np.testing.assert_array_equal(run("powif", np.float32, x.astype(np.float32), n)[:6], expected[:6])
    y = np.array([0.5, 2, -1, 3, 0, 0, 1])
    np.testing.assert_allclose(run("pow", np.float64, np.abs(x), y), np.abs(x) ** y, rtol=1e-15)
    np.testing.assert_allclose(run("powf", np.float32, np.abs(x), y), np.abs(x) ** y, rtol=5e-7)


def test_several_results():
    @gpu.jit
    def kernel(out, whole, x):
        i = gpu.grid(1)
        if i < x.size:
            out[0, i], out[1, i] = gpu.libdevice.sincos(x[i])
            out[2, i], whole[0, i] = gpu.libdevice.frexp(x[i])
            out[3, i], out[4, i] = gpu.libdevice.modf(x[i])
            out[5, i], whole[1, i] = gpu.libdevice.remquo(x[i], 0.75)
            out[6, i], out[7, i] = gpu.libdevice.sincospi(x[i])
            out[8, i], out[9, i] = gpu.libdevice.fast_sincosf(x[i])

    x = SAMPLES
    out, whole = np.zeros((10, x.size)), np.zeros((2, x.size), np.int32)
    kernel.forall(x.size)(out, whole, x)
    parts, exponents = np.frexp(x)
    rest, integers = np.modf(x)
    quotient = np.rint(x / 0.75)
    for row, expected in enumerate([np.sin(x), np.cos(x), parts, rest, integers, [math.remainder(v, 0.75) for v in x],
                                    np.sin(np.pi * x), np.cos(np.pi * x)]):  # fmt: skip
        np.testing.assert_allclose(out[row], expected, rtol=1e-14, atol=1e-14, err_msg=str(row))
    np.testing.assert_allclose(out[8], np.sin(x), atol=1e-5)
    np.testing.assert_array_equal(whole[0], exponents)
    np.testing.assert_array_equal(np.abs(whole[1]) % 8, np.abs(quotient) % 8)
    np.testing.assert_array_equal(
        np.sign(whole[1]) * (np.abs(quotient) % 8 > 0), np.sign(quotient) * (np.abs(quotient) % 8 > 0)
    )


INTEGERS = {
    "abs": (np.int32, lambda x: abs(x)), "llabs": (np.int64, lambda x: abs(x)),
    "max": (np.int32, max), "min": (np.int32, min), "umax": (np.uint32, max), "umin": (np.uint32, min),
    "llmax": (np.int64, max), "llmin": (np.int64, min), "ullmax": (np.uint64, max), "ullmin": (np.uint64, min),
    "hadd": (np.int32, lambda x, y: (x + y) >> 1), "rhadd": (np.int32, lambda x, y: (x + y + 1) >> 1),
    "uhadd": (np.uint32, lambda x, y: (x + y) >> 1), "urhadd": (np.uint32, lambda x, y: (x + y + 1) >> 1),
    "mulhi": (np.int32, lambda x, y: x * y >> 32), "umulhi": (np.uint32, lambda x, y: x * y >> 32),
    "mul64hi": (np.int64, lambda x, y: x * y >> 64), "umul64hi": (np.uint64, lambda x, y: x * y >> 64),
    "umul24": (np.uint32, lambda x, y: (x & 0xFFFFFF) * (y & 0xFFFFFF)),
    "mul24": (np.int32, lambda x, y: (((x & 0xFFFFFF) ^ 0x800000) - 0x800000) * (((y & 0xFFFFFF) ^ 0x800000) - 0x800000)),
    "sad": (np.int32, lambda x, y, z: abs(x - y) + z), "usad": (np.uint32, lambda x, y, z: abs(x - y) + z),
    "clz": (np.uint32, lambda x: 32 - x.bit_length()), "clzll": (np.uint64, lambda x: 64 - x.bit_length()),
    "ffs": (np.uint32, lambda x: (x & -x).bit_length()), "ffsll": (np.uint64, lambda x: (x & -x).bit_length()),
    "popc": (np.uint32, lambda x: x.bit_count()), "popcll": (np.uint64, lambda x: x.bit_count()),
    "brev": (np.uint32, lambda x: int(f"{x:032b}"[::-1], 2)), "brevll": (np.uint64, lambda x: int(f"{x:064b}"[::-1], 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name):
    dtype, reference = INTEGERS[name]
    limits = np.iinfo(dtype)
    values = [
        0,
        1,
        2,
        3,
        17,
        255,
        65536,
        limits.max,
        limits.max - 1,
        limits.max // 3,
        limits.min,
        limits.min // 3,
    ]
    count = reference.__code__.co_argcount if hasattr(reference, "__code__") else 2
    columns = [[], [], []]
    for i in range(len(values)):
        for j in range(len(values)):
            for column, value in zip(columns, (values[i], values[j], values[(i + j) % len(values)])):
                column.append(value)
    arguments = [np.array(column, dtype) for column in columns[:count]]
    bits = limits.bits
    got = run(name, np.int64, *arguments)
    for k, row in enumerate(zip(*columns[:count])):
        assert int(got[k]) % 2**bits == reference(*row) % 2**bits, row


def test_bytes_of_two_words():
    x, y = np.array([0x33221100], np.uint32), np.array([0x77665544], np.uint32)
    for select in (0x3210, 0x7654, 0x0246, 0x7070):
        both = 0x7766554433221100
        expected = sum(((both >> 8 * (select >> 4 * k & 7)) & 255) << 8 * k for k in range(4))
        got = run("byte_perm", np.int64, x, y, np.array([select], np.uint32))
        assert int(got[0]) % 2**32 == expected


def test_bits_of_floats():
    f = np.array([1.5, -0.0, np.inf, 1e-40], np.float32)
    np.testing.assert_array_equal(run("float_as_int", np.int32, f), f.view(np.int32))
    np.testing.assert_array_equal(
        run("int_as_float", np.float32, f.view(np.int32)).view(np.int32), f.view(np.int32)
    )
    d = np.array([1.5, -0.0, np.inf, 1e-310])
    bits = d.view(np.int64)
    np.testing.assert_array_equal(run("double_as_longlong", np.int64, d), bits)
    np.testing.assert_array_equal(run("longlong_as_double", np.float64, bits).view(np.int64), bits)
    high, low = run("double2hiint", np.int32, d), run("double2loint", np.int32, d)
    np.testing.assert_array_equal(run("hiloint2double", np.float64, high, low).view(np.int64), bits)
    halves = run("float2half_rn", np.int16, f)
    np.testing.assert_array_equal(halves, f.astype(np.float16).view(np.int16))
    np.testing.assert_array_equal(
        run("half2float", np.float32, halves), f.astype(np.float16).astype(np.float32)
    )


def test_kinds_of_floats():
    d = np.array([1.0, -0.0, np.inf, -np.inf, np.nan, 5e-324])
    kinds = {"isnan": [0, 0, 0, 0, 1, 0], "isinf": [0, 0, 1, 1, 0, 0]}
    for name, expected in kinds.items():
        np.testing.assert_array_equal(run(name + "d", np.int32, d), expected)
        np.testing.assert_array_equal(run(name + "f", np.int32, d.astype(np.float32)), expected)
    finite = [1, 1, 0, 0, 0, 1]
    np.testing.assert_array_equal(run("isfinited", np.int32, d), finite)
    np.testing.assert_array_equal(run("finitef", np.int32, d.astype(np.float32)), finite)
    np.testing.assert_array_equal(run("signbitd", np.int32, d)[:4], [0, 1, 0, 1])
    np.testing.assert_array_equal(run("signbitf", np.int32, d.astype(np.float32))[:4], [0, 1, 0, 1])
    np.testing.assert_array_equal(
        run("saturatef", np.float32, np.array([-1, 0.5, 2, np.nan], np.float32)), [0, 0.5, 1, 0]
    )
    for suffix in ("", "f"):
        np.testing.assert_array_equal(run("ilogb" + suffix, np.int64, np.array([1.0, 10, 0.3])), [0, 3, -2])
        np.testing.assert_array_equal(
            run("llrint" + suffix, np.int64, np.array([2.5, -3.5, 1e10])), [2, -4, 10**10]
        )
        np.testing.assert_array_equal(run("llround" + suffix, np.int64, np.array([2.5, -3.5])), [3, -4])
        for name in ("ldexp", "scalbn"):
            got = run(name + suffix, np.float64, np.array([1.5, -3]), np.array([4, -1], np.int32))
            np.testing.assert_array_equal(got, [24, -1.5])


# --- rounded as asked


def rounded(exact, dtype, way):
    """The float of the type next to a Fraction, in the direction."""
    try:
        nearest = dtype(float(exact)) if dtype is np.float64 else nearest_single(exact)
    except OverflowError:
        nearest = dtype(math.inf if exact > 0 else -math.inf)
    if math.isinf(nearest):
        below = exact > 0
        error = -1 if below else 1
    else:
        error = exact - Fraction(float(nearest))
    if way == "rz":
        way = "rd" if exact > 0 else "ru"
    if way == "rd" and error < 0:
        return np.nextafter(nearest, dtype(-np.inf))
    if way == "ru" and error > 0:
        return np.nextafter(nearest, dtype(np.inf))
    return nearest


def nearest_single(exact):
    # float() rounds once to float64; a second rounding is wrong only if it was at a midpoint
    near = np.float32(float(exact))
    candidates = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
    finite = [c for c in candidates if np.isfinite(c)]
    if np.isinf(near):
        return near
    return min(finite, key=lambda c: (abs(exact - Fraction(float(c))), int(c.view(np.int32)) & 1))


def check(name, dtype, function, *columns):
    for way in ("rd", "rn", "ru", "rz"):
        got = run(f"{name}_{way}", dtype, *columns)
        for k, row in enumerate(zip(*(c.tolist() for c in columns))):
            exact = function(*map(Fraction, row))
            assert got[k] == rounded(exact, dtype, way), (way, row, got[k])


OPERATIONS = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
}
WIDE = np.array(
    [1, -1, 1 / 3, 0.1, -2.5e-200, 7e150, 1.7e308, 5e-324, 3e-320, -1e-300, np.pi, 2**53 + 2.0, 1e16]
)
NARROW = np.array(
    [1, -1, 1 / 3, 0.1, -2.5e-20, 7e30, 3.4e38, 1.4e-45, -3e-41, np.pi, 2**24 + 2.0], np.float32
)


@pytest.mark.parametrize("name", ["add", "mul", "div"])
def test_float64_rounded_as_asked(name):
    x, y = (a.ravel() for a in np.meshgrid(WIDE, WIDE))
    check("d" + name, np.float64, OPERATIONS[name], x, y)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_float32_rounded_as_asked(name):
    x, y = (a.ravel() for a in np.meshgrid(NARROW, NARROW))
    check("f" + name, np.float32, OPERATIONS[name], x, y)


def test_reciprocals_rounded_as_asked():
    check(
        "drcp",
        np.float64,
        lambda x: 1 / x,
        WIDE[np.abs(WIDE) < 1e308][np.abs(WIDE[np.abs(WIDE) < 1e308]) > 1e-308],
    )
    check("frcp", np.float32, lambda x: 1 / x, NARROW[(np.abs(NARROW) < 1e38) & (np.abs(NARROW) > 1e-38)])


@pytest.mark.parametrize("dtype, name", [(np.float64, "dsqrt"), (np.float32, "fsqrt")])
def test_square_roots_rounded_as_asked(dtype, name):
    x = np.abs(WIDE if dtype is np.float64 else NARROW)
    down, up = run(name + "_rd", dtype, x), run(name + "_ru", dtype, x)
    near, zero = run(name + "_rn", dtype, x), run(name + "_rz", dtype, x)
    for k, value in enumerate(x.tolist()):
        assert Fraction(float(down[k])) ** 2 <= Fraction(value) <= Fraction(float(up[k])) ** 2
        assert up[k] == down[k] or up[k] == np.nextafter(down[k], dtype(np.inf))
        assert near[k] in (down[k], up[k]) and zero[k] == down[k]


def test_fused_products_rounded_as_asked():
    x, y, z = (a.ravel() for a in np.meshgrid(WIDE[:7], WIDE[1:6], np.append(WIDE[::3], -1 / 9)))
    check("fma", np.float64, lambda a, b, c: a * b + c, x, y, z)
    x, y, z = (
        a.ravel() for a in np.meshgrid(NARROW[:6], NARROW[1:7], np.append(NARROW[::3], np.float32(-1 / 9)))
    )
    check("fmaf", np.float32, lambda a, b, c: a * b + c, x, y, z)


def test_conversions_rounded_as_asked():
    check(
        "double2float", np.float32, lambda x: x, np.array([0.1, -0.1, 1e300, -1e300, 1e-50, 2.0**24 + 1, 1.0])
    )
    small = np.array([0, 1, -1, 2**24 + 1, -(2**24) - 1, 2**31 - 1, -(2**31), 123456789], np.int32)
    check("int2float", np.float32, lambda x: x, small)
    check("uint2float", np.float32, lambda x: x, small.view(np.uint32))
    wide = np.array([0, 1, -1, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63), 2**62 + 1], np.int64)
    for target, dtype in (("double", np.float64), ("float", np.float32)):
        check("ll2" + target, dtype, lambda x: x, wide)
        check("ull2" + target, dtype, lambda x: x, wide.view(np.uint64))
    np.testing.assert_array_equal(run("int2double_rn", np.float64, small), small)
    np.testing.assert_array_equal(
        run("uint2double_rn", np.float64, small.view(np.uint32)), small.view(np.uint32)
    )


@pytest.mark.parametrize("source, dtype", [("float", np.float32), ("double", np.float64)])
@pytest.mark.parametrize(
    "target, result", [("int", np.int32), ("uint", np.uint32), ("ll", np.int64), ("ull", np.uint64)]
)
def test_floats_to_integers(source, dtype, target, result):
    x = np.array([0.5, 1.5, 2.5, 3.7, 100.2, 1e5, np.nan, 1e30, -1e30], dtype)
    ways = {"rd": np.floor, "rn": np.rint, "ru": np.ceil, "rz": np.trunc}
    limits = np.iinfo(result)
    for way, function in ways.items():
        got = run(f"{source}2{target}_{way}", result, x)
        np.testing.assert_array_equal(got[:6], function(x[:6]).astype(result))
        assert got[6] == 0 and got[7] == limits.max and got[8] == limits.min


def test_reciprocal_square_roots():
    x = POSITIVE.astype(np.float32)
    np.testing.assert_allclose(run("frsqrt_rn", np.float32, x), 1 / np.sqrt(x.astype(np.float64)), rtol=6e-8)
    fused = run("fma", np.float64, np.array([0.1]), np.array([0.1]), np.array([-0.01]))
    assert fused[0] == float(Fraction(0.1) ** 2 - Fraction(0.01))
    exact = Fraction(float(np.float32(0.1)))
    single = run("fmaf", np.float32, *[np.array([v], np.float32) for v in (0.1, 0.1, -0.01)])
    assert single[0] == np.float32(float(exact**2 - Fraction(float(np.float32(0.01)))))


# By mpmath with 40 digits: (x, value) of float64.
J0 = [
    (0.0, 1.0), (1e-300, 1.0), (1e-09, 1.0), (0.01, 0.9999750001562495), (0.5, 0.9384698072408129),
    (1.0, 0.7651976865579666), (2.0, 0.22389077914123567), (3.7, -0.39923020337119114), (5.25, -0.09308098963931788),
    (10.5, -0.23664819446234714), (33.3, 0.06333848594752126), (100.0, 0.019985850304223122),
    (1234.5, -0.013550379618035721),
]
J1 = [
    (0.0, 0.0), (1e-300, 5e-301), (1e-09, 5e-10), (0.01, 0.004999937500260416), (0.5, 0.2422684576748739),
    (1.0, 0.4400505857449335), (2.0, 0.5767248077568734), (3.7, 0.05383398774546179), (5.25, -0.34501397857943766),
    (10.5, -0.07885001422733148), (33.3, 0.12386214790148009), (100.0, -0.07714535201411216),
    (1234.5, 0.0182175083373925),
]
J5 = [
    (0.0, 0.0), (1e-300, 0.0), (1e-09, 2.6041666666666676e-49), (0.01, 2.604155815991599e-14),
    (0.5, 8.053627241357474e-06), (1.0, 0.00024975773021123444), (2.0, 0.007039629755871685),
    (3.7, 0.09948541700833391), (5.25, 0.29260174978197473), (10.5, -0.2610525019450492), (33.3, 0.13835383054106956),
    (100.0, -0.07419573696451393), (1234.5, 0.01808493211375809),
]
Y0 = [
    (1e-09, -13.266645074938387), (0.01, -3.005455637083646), (0.5, -0.44451873350670656), (1.0, 0.08825696421567696),
    (2.0, 0.5103756726497451), (3.7, 0.1060743153203541), (5.25, -0.33477723515498115), (10.5, -0.0675303724978764),
    (33.3, 0.12289749913503732), (100.0, -0.07724431336508315), (1234.5, 0.018222995047412552),
]
Y1 = [
    (1e-09, -636619772.3675814), (0.01, -63.67859628206065), (0.5, -1.471472392670243), (1.0, -0.7812128213002887),
    (2.0, -0.10703243154093754), (3.7, 0.41667437268380747), (5.25, 0.061861000898943724), (10.5, 0.2337042283572686),
    (33.3, -0.061500722807785735), (100.0, -0.020372312002759792), (1234.5, 0.013557761447180334),
]
Y3 = [
    (1e-09, -5.09295817894065e+27), (0.01, -5093021.841713737), (0.5, -42.059494304723884), (1.0, -5.821517605964729),
    (2.0, -1.1277837768404277), (3.7, -0.2878580750410596), (5.25, 0.21116248918527045), (10.5, -0.19102024221877464),
    (33.3, 0.04629456830440915), (100.0, 0.02344578668776091), (1234.5, -0.013616736028843534),
]
ERFCX = [
    (-26.0, 7.657724931490568e+293), (-10.5, 1.520535715003718e+48), (-3.0, 16205.988853999586),
    (-0.5, 1.952360489182557), (-1e-09, 1.0000000011283792), (0.0, 1.0), (1e-09, 0.9999999988716208),
    (0.1, 0.8964569799691267), (0.75, 0.5069376502931449), (1.0, 0.427583576155807), (2.5, 0.2108063640611436),
    (10.0, 0.05614099274382259), (100.0, 0.005641613782989433), (100000.0, 5.6418958351954685e-06),
    (1e+100, 5.6418958354775625e-101), (1e+308, 5.64189583547756e-309),
]
ERFINV = [
    (-0.999999, -3.458910737275499), (-0.75, -0.8134198475976185), (-0.5, -0.4769362762044699),
    (-0.1, -0.08885599049425769), (-1e-12, -8.86226925452758e-13), (1e-300, 8.86226925452758e-301),
    (1e-05, 8.862269254759594e-06), (0.3, 0.2724627147267543), (0.5, 0.4769362762044699),
    (0.500001, 0.47693738878987924), (0.9, 1.1630871536766743), (0.99, 1.8213863677184494),
    (0.9999999999, 4.572824958544925), (0.9999999999999999, 5.8635847487551676),
]
ERFCINV = [
    (1e-300, 26.209469960516124), (1e-100, 15.065574702592645), (1e-20, 6.601580622355143),
    (1e-05, 3.123413274340875), (0.1, 1.163087153676674), (0.4999, 0.4770475405909757), (0.5, 0.4769362762044699),
    (0.9, 0.08885599049425767), (1.0, 0.0), (1.25, -0.2253120550121781), (1.5, -0.4769362762044699),
    (1.75, -0.8134198475976185), (1.99, -1.8213863677184494), (1.9999999999999998, -5.805018683193453),
]
NORMCDFINV = [
    (1e-300, -37.0470962993612), (1e-20, -9.262340089798407), (1e-05, -4.264890793922825), (0.02, -2.053748910631823),
    (0.2, -0.8416212335729142), (0.25, -0.6744897501960817), (0.4, -0.2533471031357997), (0.5, 0.0),
    (0.6, 0.2533471031357997), (0.75, 0.6744897501960817), (0.9, 1.2815515655446006), (0.999, 3.090232306167813),
    (0.9999999999999999, 8.209536151601387),
]
ON_CUDA = gpu.current_target() == "cuda"
TABLES = {"j0": J0, "j1": J1, "y0": Y0, "y1": Y1, "erfcx": ERFCX, "erfinv": ERFINV, "erfcinv": ERFCINV,
          "normcdfinv": NORMCDFINV}


@pytest.mark.parametrize("name", TABLES)
def test_special_functions(name):
    x, wanted = (np.array(column) for column in zip(*TABLES[name]))
    bessel = name in ("j0", "j1", "y0", "y1")
    # Bessel functions are small beside their terms near their zeros; beyond 8 libdevice's have 11 digits.
    atol = (5e-12 if ON_CUDA else 3e-16) if bessel else 0
    np.testing.assert_allclose(run(name, np.float64, x), wanted, rtol=5 * 2.0**-52, atol=atol)
    with np.errstate(over="ignore"):
        narrow = x.astype(np.float32)
    same = np.float64(narrow) == x
    got = run(name + "f", np.float32, narrow[same])
    with np.errstate(over="ignore"):
        wanted = wanted[same].astype(np.float32)
    np.testing.assert_allclose(got, wanted, rtol=4e-7 if bessel else 7e-8, atol=(2e-6 if ON_CUDA else 2e-7) if bessel else 1e-45)


def test_bessel_functions_of_any_order():
    for name, order, table in (("jn", 0, J0), ("jn", 1, J1), ("jn", 5, J5), ("yn", 0, Y0), ("yn", 1, Y1), ("yn", 3, Y3)):
        x, wanted = (np.array(column) for column in zip(*table))
        n = np.full(x.size, order, np.int32)
        np.testing.assert_allclose(run(name, np.float64, n, x), wanted, rtol=1e-13, atol=1e-11 if ON_CUDA else 1e-14)
        use = (x == np.float32(x)) & (np.abs(wanted) < 1e30)
        got = run(name + "f", np.float32, n[use], x[use].astype(np.float32))
        np.testing.assert_allclose(got, wanted[use], rtol=2e-5, atol=3e-6)
    for name in ("jn", "yn"):
        assert np.isnan(run(name, np.float64, np.array([-1], np.int32), np.array([1.5])))[0]
        assert np.isnan(run(name + "f", np.float32, np.array([-2], np.int32), np.array([1.5], np.float32)))[0]


def test_special_values_of_special_functions():
    inf, nan = np.inf, np.nan
    cases = {
        "erfinv": ([-1, 1, 1.5, nan, -0.0, 0], [-inf, inf, nan, nan, -0.0, 0]),
        "erfcinv": ([0, 2, -0.1, 2.5, nan, 1], [inf, -inf, nan, nan, nan, 0]),
        "normcdfinv": ([0, 1, -0.1, 1.5, nan, 0.5], [-inf, inf, nan, nan, nan, 0.0]),
        "erfcx": ([inf, -inf, nan, -30, -27], [0, inf, nan, inf, inf]),
        "j0": ([inf, nan, 0], [0, nan, 1]),
        "j1": ([inf, nan, 0], [0, nan, 0]),
        "y0": ([0, inf, nan, -1], [-inf, 0, nan, nan]),
        "y1": ([0, inf, nan, -1], [-inf, 0, nan, nan]),
    }
    for name, (x, wanted) in cases.items():
        for suffix, dtype in (("", np.float64), ("f", np.float32)):
            got = run(name + suffix, dtype, np.array(x, dtype))
            np.testing.assert_allclose(got, wanted, rtol=2 * np.finfo(dtype).eps, atol=0, err_msg=name)
            assert name != "erfinv" or np.array_equal(np.signbit(got)[-2:], [True, False])

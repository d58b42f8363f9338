"""bfloat16: casts of all 65,536 numbers, arithmetic rounded once, the number rules, memory, functions. The rounding that is
expected is computed in float64 and in fractions, not with float32 as ours is."""

import math
from fractions import Fraction

import numpy as np
import pytest
from lanewise import CompileError, gpu

ml_dtypes = pytest.importorskip("ml_dtypes")
bfloat16 = ml_dtypes.bfloat16

EVERY = np.arange(65536, dtype=np.uint16).view(bfloat16)
WIDE = (np.arange(65536, dtype=np.uint32) << 16).view(np.float32)  # the same numbers
STEP = 37 if gpu.current_target() == "cuda" else 1  # the emulator is slow


def nearest(x):
    """float64 -> the nearest bfloat16, ties to even: eight bits of significand, steps of 2**-133 at least."""
    with np.errstate(all="ignore"):
        x = np.asarray(x, np.float64)
        step = np.ldexp(1.0, np.maximum(np.frexp(x)[1], -125) - 8)
        rounded = np.where(np.isfinite(x) & (x != 0), np.rint(x / step) * step, x)
        rounded = np.where(np.abs(rounded) >= 2.0**128, np.copysign(np.inf, x), rounded)
        return np.copysign(rounded, x).astype(np.float32).view(np.uint32) >> 16


def nearest_fraction(x):
    """The same of a fraction that is not 0, as a float."""
    e = 0
    while abs(x) >= Fraction(2) ** (e + 1):
        e += 1
    while abs(x) < Fraction(2) ** e:
        e -= 1
    step = Fraction(2) ** (max(e, -126) - 7)
    return float(round(x / step) * step)


def assert_bits(got, want):
    """Equal but for the payload of NaN."""
    got, want = got.view(np.uint16).astype(np.uint32), np.asarray(want, np.uint32)
    nan = (want & 0x7FFF) > 0x7F80
    np.testing.assert_array_equal((got & 0x7FFF) > 0x7F80, nan)
    np.testing.assert_array_equal(got[~nan], want[~nan])


def convert(x, dtype):
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = x[i]

    out = np.zeros(x.size, dtype)
    kernel[(x.size + 255) // 256, 256](x, out)
    return out


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, bool])
def test_casts_of_all_numbers(dtype):
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(convert(EVERY[::STEP], dtype), WIDE[::STEP].astype(dtype))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64])
def test_casts_of_all_numbers_to_integers(dtype):
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    want = [0 if math.isnan(v) else high if v >= high else low if v <= low else int(v) for v in map(float, WIDE[::STEP])]
    np.testing.assert_array_equal(convert(EVERY[::STEP], dtype), np.array(want, dtype))


@pytest.mark.parametrize("low", [0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF])
def test_from_float32(low):
    x = ((np.arange(65536, dtype=np.uint32) << 16) | np.uint32(low)).view(np.float32)[::STEP]
    assert_bits(convert(x, bfloat16), nearest(x))


def test_from_float64_rounds_once():
    halves = ((np.arange(65536, dtype=np.uint32) << 16) | 0x8000).view(np.float32).astype(np.float64)
    halves = halves[np.isfinite(halves)][::STEP]
    x = np.concatenate([halves, halves * (1 + 2.0**-52), halves * (1 - 2.0**-53), [1e300, -1e300, 1e-300, 2.0**-134, 0.0]])
    assert_bits(convert(x, bfloat16), nearest(x))
    np.testing.assert_array_equal(convert(EVERY[:200].astype(np.float16), bfloat16), EVERY[:200].astype(np.float16).astype(bfloat16))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_from_integers_rounds_once(dtype):
    info = np.iinfo(dtype)
    values = {info.min, info.max, 0}
    for e in range(info.bits):
        for significand in (128, 129, 191, 254, 255):
            half = (2 * significand + 1) << e >> 9
            values |= {s * (half + d) for d in (-1, 0, 1) for s in (-1, 1)}
    x = np.array(sorted(v for v in values if info.min <= v <= info.max), dtype)
    want = [nearest_fraction(Fraction(int(v))) if v else 0.0 for v in x]
    np.testing.assert_array_equal(convert(x, bfloat16).astype(np.float64), want)


def pairs():
    rng = np.random.default_rng(5)
    special = np.array([0, 0x8000, 1, 0x8001, 0x7F80, 0xFF80, 0x7FC0, 0x7F7F, 0xFF7F, 0x3F80, 0x0080], np.uint16).view(bfloat16)
    order = rng.permutation(65536)
    x, y = EVERY[::STEP], EVERY[order][::STEP]
    near = (x.view(np.uint16) ^ (rng.integers(0, 1 << 11, x.size).astype(np.uint16))).view(bfloat16)  # of like size
    return np.concatenate([x, np.repeat(special, 11), x]), np.concatenate([y, np.tile(special, 11), near])


OPERATIONS = {
    "add": (lambda a, b: a + b, np.add), "subtract": (lambda a, b: a - b, np.subtract),
    "multiply": (lambda a, b: a * b, np.multiply), "divide": (lambda a, b: a / b, np.divide),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
def test_arithmetic_is_rounded_once(name):
    function, numpys = OPERATIONS[name]
    function = gpu.jit(device=True)(function)

    @gpu.jit
    def kernel(x, y, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i], y[i])

    x, y = pairs()
    out = np.zeros(x.size, bfloat16)
    kernel[(x.size + 255) // 256, 256](x, y, out)
    with np.errstate(all="ignore"):
        want = numpys(x.astype(np.float64), y.astype(np.float64))
    if name in ("add", "subtract"):  # float64 may round to a half: the smaller term decides there
        exact = np.abs(np.frexp(x.astype(np.float64))[1] - np.frexp(y.astype(np.float64))[1]) < 40
        exact |= ~np.isfinite(want) | (x == 0) | (y == 0)
        out, want = out[exact], want[exact]
    assert_bits(out, nearest(want))


def test_fused_multiply_add_is_rounded_once():
    @gpu.jit
    def kernel(x, y, z, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = gpu.bf16.hfma(x[i], y[i], z[i])

    rng = np.random.default_rng(6)
    finite = EVERY[np.isfinite(WIDE)]
    x, y, z = (rng.choice(finite, 400) for _ in range(3))
    # Products halfway between two numbers, and a term that decides.
    half_x, half_y = np.array([3, 11, 7, 13], bfloat16), np.array([87, 25, 41, 27], bfloat16)
    tiny = np.array([1e-30, -1e-30, 1e-38, -1e-38], bfloat16)
    x, y, z = np.concatenate([x, np.repeat(half_x, 4)]), np.concatenate([y, np.repeat(half_y, 4)]), np.concatenate([z, np.tile(tiny, 4)])
    out = np.zeros_like(x)
    kernel[(x.size + 255) // 256, 256](x, y, z, out)
    for a, b, c, got in zip(x, y, z, out):
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        if exact != 0:
            want = nearest_fraction(exact)
            want = math.copysign(math.inf, want) if abs(want) >= 2.0**128 else want
            assert float(got) == want, (a, b, c)


def test_number_rules():
    @gpu.jit
    def kernel(b, h, f, n, out):
        big = b[0]  # 256: the next is 258
        out[0] = big + 1  # a constant: bfloat16
        out[1] = big + n[0]  # an integer: float32
        out[2] = big + h[0]  # float16 and bfloat16: float32
        out[3] = big + f[0]
        out[4] = big + b[1]
        out[5] = gpu.bfloat16(257)
        total = 0.0
        for i in range(2):
            total += b[i]
        out[6] = total
        out[7] = (b[0] + True) + b[1]
        out[8] = -b[1] + abs(b[2]) + b[0] * 0
        out[9] = b[1] < b[0] and b[0] == 256 and not math.isnan(b[0])

    b = np.array([256, 1, -3], bfloat16)
    out = np.zeros(10)
    kernel[1, 1](b, np.array([1], np.float16), np.array([1], np.float32), np.array([1]), out)
    np.testing.assert_array_equal(out, [256, 257, 257, 257, 256, 256, 257, 256, 2, 1])


def test_atomics():
    @gpu.jit
    def kernel(x, a, shared_out):
        i = gpu.threadIdx.x
        tile = gpu.shared.array(2, gpu.bfloat16)
        if i < 2:
            tile[i] = 0
        gpu.syncthreads()
        gpu.atomic.add(a, 0, 1)
        gpu.atomic.max(a, 1, x[i])
        gpu.atomic.min(a, 2, x[i])
        gpu.atomic.add(tile, i & 1, x[i])
        if i == 0:
            gpu.atomic.sub(a, 3, 0.5)
            a[5] = gpu.atomic.cas(a, 4, gpu.bfloat16(2), gpu.bfloat16(7))
            a[6] = gpu.atomic.exch(a, 7, gpu.bfloat16(3))
        gpu.syncthreads()
        if i < 2:
            shared_out[i] = tile[i]

    x = np.arange(32).astype(bfloat16)
    a = np.array([0, 5, 5, 2, 2, 0, 0, 9], bfloat16)
    shared_out = np.zeros(2, np.float32)
    kernel[1, 32](x, a, shared_out)
    np.testing.assert_array_equal(a.astype(np.float32), [32, 31, 0, 1.5, 7, 2, 9, 3])
    np.testing.assert_array_equal(shared_out, [240, 256])


def test_shuffles_selection_local_arrays_and_records():
    record = np.dtype([("n", np.int32), ("v", bfloat16), ("w", bfloat16, (2,))])

    @gpu.jit
    def kernel(x, r, out):
        i = gpu.threadIdx.x
        own = gpu.local.array(3, gpu.bfloat16)
        own[i % 3] = x[i]
        other = gpu.shfl_xor_sync(0xFFFFFFFF, own[i % 3], 1)
        r[i].v = other
        r[i].w[1] = gpu.selp(i > 3, other, x[i])
        out[i] = other

    x = np.arange(32).astype(bfloat16)
    r, out = np.zeros(32, record), np.zeros(32, bfloat16)
    kernel[1, 32](x, r, out)
    np.testing.assert_array_equal(out, x[np.arange(32) ^ 1])
    np.testing.assert_array_equal(r["v"], out)
    np.testing.assert_array_equal(r["w"][:, 1], np.where(np.arange(32) > 3, out, x))


def test_arguments_captures_signatures_and_views():
    scale = bfloat16(1.5)
    table = np.array([1, 2, 3.140625], bfloat16)

    @gpu.jit("void(bfloat16[:], bfloat16, uint16[:])")
    def kernel(out, x, bits):
        out[0] = x * scale
        out[1] = table[2]
        out[2] = np.finfo(gpu.bfloat16).eps
        out[3] = bits.view(gpu.bfloat16)[0]
        out[4] = gpu.bfloat16(0.1)

    out = np.zeros(5, bfloat16)
    kernel[1, 1](out, bfloat16(3), np.array([0x4049], np.uint16))
    np.testing.assert_array_equal(out.astype(np.float32), [4.5, 3.140625, 2.0**-7, 3.140625, np.float32(bfloat16(0.1))])
    kernel[1, 1](out, 2.0, np.array([0x4049], np.uint16))
    assert out[0] == 3


def test_the_type_on_the_host():
    assert str(gpu.bfloat16[:, ::1]) == "bfloat16[:, ::1]"
    assert gpu.bfloat16(1.5) == bfloat16(1.5) and type(gpu.bfloat16(1)) is bfloat16
    array = gpu.to_device(np.arange(4).astype(bfloat16))
    assert array.dtype == bfloat16
    np.testing.assert_array_equal(array.copy_to_host(), np.arange(4).astype(bfloat16))


FUNCTIONS = {
    "hneg": (np.negative, 0), "habs": (np.abs, 0), "hsin": (np.sin, 1), "hcos": (np.cos, 1), "htanh": (np.tanh, 1),
    "hlog": (np.log, 1), "hlog2": (np.log2, 1), "hlog10": (np.log10, 1), "hexp": (np.exp, 1), "hexp2": (np.exp2, 1),
    "hexp10": (lambda x: np.power(10.0, x), 1), "hfloor": (np.floor, 0), "hceil": (np.ceil, 0), "hrint": (np.rint, 0),
    "htrunc": (np.trunc, 0), "hsqrt": (np.sqrt, 0), "hrsqrt": (lambda x: 1 / np.sqrt(x), 1), "hrcp": (lambda x: 1 / x, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function, (numpys, ulp) = getattr(gpu.bf16, name), FUNCTIONS[name]

    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = function(x[i])

    x = EVERY[::STEP]
    out = np.zeros_like(x)
    kernel[(x.size + 255) // 256, 256](x, out)
    with np.errstate(all="ignore"):
        want = nearest(numpys(x.astype(np.float64))).astype(np.uint16)
    nan = (want & 0x7FFF) > 0x7F80
    np.testing.assert_array_equal(np.isnan(out.astype(np.float32)), nan)
    order = [np.where(v < 0, -32768 - v, v) for v in (b.view(np.int16).astype(np.int32)[~nan] for b in (out, want))]
    assert np.max(np.abs(order[0] - order[1])) <= ulp


def test_minimum_maximum_and_comparisons():
    @gpu.jit
    def kernel(x, y, out, less):
        i = gpu.grid(1)
        if i < x.size:
            out[0, i] = min(x[i], y[i])
            out[1, i] = gpu.bf16.hmax(x[i], y[i])
            less[0, i] = x[i] < y[i]
            less[1, i] = gpu.bf16.heq(x[i], y[i])

    x, y = pairs()
    out, less = np.zeros((2, x.size), bfloat16), np.zeros((2, x.size), bool)
    kernel[(x.size + 255) // 256, 256](x, y, out, less)
    a, b = x.astype(np.float32), y.astype(np.float32)
    np.testing.assert_array_equal(out[0].astype(np.float32), np.fmin(a, b))
    np.testing.assert_array_equal(out[1].astype(np.float32), np.fmax(a, b))
    np.testing.assert_array_equal(less, [a < b, a == b])


def test_numpy_has_no_bfloat16():
    source = "def kernel(out):\n    out[0] = np.bfloat16(1)\n"
    namespace = {"np": np}
    exec(source, namespace)
    with pytest.raises(CompileError, match="bfloat16"):
        gpu.jit(namespace["kernel"], source=source)[1, 1](np.zeros(1))


def test_arithmetic_and_comparison_functions():
    @gpu.jit
    def kernel(out, truth):
        x, y = 1.5, 0.25  # both are bfloat16 numbers, and so are the results
        out[0] = gpu.bf16.hadd(x, y)
        out[1] = gpu.bf16.hsub(x, y)
        out[2] = gpu.bf16.hmul(x, y)
        out[3] = gpu.bf16.hdiv(x, y)
        out[4] = gpu.bf16.hmin(x, y)
        out[5] = gpu.bf16.hadd(256.0, 1.0)  # a tie between 256 and 258: to even
        truth[0] = gpu.bf16.hne(x, y)
        truth[1] = gpu.bf16.hgt(x, y)
        truth[2] = gpu.bf16.hge(x, x)
        truth[3] = gpu.bf16.hlt(x, y)
        truth[4] = gpu.bf16.hle(y, x)

    out, truth = np.zeros(6, np.float32), np.zeros(5, bool)
    kernel[1, 1](out, truth)
    assert list(out) == [1.75, 1.25, 0.375, 6, 0.25, 256]
    assert list(truth) == [True, True, True, False, True]

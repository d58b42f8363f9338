"""Every binary operator on every pair of element types: result types and values of docs/language.md, Numbers."""

import operator

import numpy as np
import pytest
from lanewise import gpu

INTS = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]


def integer_result(a, b):
    """Rule 4.2: the smallest type that holds both, at least 32 bits; anything with uint64 is uint64."""
    types = [np.dtype(t) for t in (a, b)]
    if np.dtype(np.uint64) in types:
        return np.dtype(np.uint64)
    for candidate in (np.int32, np.uint32, np.int64):
        if all(np.can_cast(t, candidate) for t in types):
            return np.dtype(candidate)
    raise AssertionError(types)


def result_type(a, b):
    """Rules 4.1 and 4.2."""
    floats = [np.dtype(t) for t in (a, b) if np.dtype(t).kind == "f"]
    if not floats:
        return integer_result(a, b)
    widest = max(floats, key=lambda t: t.itemsize)
    if widest == np.float16 and len(floats) == 1:
        return np.dtype(np.float32)  # float16 with an integer that is no constant
    return widest


def samples(t):
    t = np.dtype(t)
    if t.kind == "b":
        return np.array([False, True] * 8)
    if t.kind == "f":
        return np.array([0, -0.0, 1, -1, 2.5, -7.5, 7, -7, 3, 0.125, 100, -3, 5, -5, 9, 11], t)
    low, high = np.iinfo(t).min, np.iinfo(t).max
    mixed = [0, 1, high, low, 7, high - 1, 2, 3, low + 1, 100, 5, high // 2, 11, 13, 17, 64]
    signs = [1, -1] if t.kind == "i" else [1, 1]
    return np.array([v if v in (high, low) else max(low, v * signs[i % 2]) for i, v in enumerate(mixed)], t)


def pairs(left, right):
    """All pairs of sample values as two flat arrays."""
    x, y = np.meshgrid(samples(left), samples(right))
    return np.ascontiguousarray(x.ravel()), np.ascontiguousarray(y.ravel())


def floor_divide(x, y):
    if x.dtype.kind == "f":
        return np.floor_divide(x, y)
    zero = y == 0
    # Python ints are exact; the conversion to the result type wraps MIN // -1.
    exact = [0 if z else int(p) // int(q) for p, q, z in zip(x, y, zero)]
    return np.array([v % 2 ** (8 * x.itemsize) for v in exact], f"u{x.itemsize}").view(x.dtype)


def floor_mod(x, y):
    if x.dtype.kind == "f":
        return np.remainder(x, y)
    return np.array([0 if q == 0 else int(p) % int(q) for p, q in zip(x, y)], x.dtype)


@pytest.mark.parametrize("right", INTS + FLOATS, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("left", INTS + FLOATS, ids=lambda t: np.dtype(t).name)
def test_add_subtract_multiply(left, right):
    @gpu.jit(fma=False)
    def kernel(x, y, total, difference, product):
        i = gpu.grid(1)
        if i < x.size:
            total[i] = x[i] + y[i]
            difference[i] = x[i] - y[i]
            product[i] = x[i] * y[i]

    x, y = pairs(left, right)
    t = result_type(left, right)
    out = [np.zeros(x.size, t) for _ in range(3)]
    kernel[4, 64](x, y, *out)
    with np.errstate(all="ignore"):
        for got, function in zip(out, (operator.add, operator.sub, operator.mul)):
            np.testing.assert_array_equal(got, function(x.astype(t), y.astype(t)))


@pytest.mark.parametrize("right", INTS + FLOATS[1:], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("left", INTS + FLOATS[1:], ids=lambda t: np.dtype(t).name)
def test_division(left, right):
    @gpu.jit
    def kernel(x, y, quotient, floored, remainder):
        i = gpu.grid(1)
        if i < x.size:
            quotient[i] = x[i] / y[i]
            floored[i] = x[i] // y[i]
            remainder[i] = x[i] % y[i]

    x, y = pairs(left, right)
    t = result_type(left, right)
    true_type = t if t.kind == "f" else np.dtype(np.float64)
    quotient, floored, remainder = np.zeros(x.size, true_type), np.zeros(x.size, t), np.zeros(x.size, t)
    kernel[4, 64](x, y, quotient, floored, remainder)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(quotient, x.astype(true_type) / y.astype(true_type))
        np.testing.assert_array_equal(floored, floor_divide(x.astype(t), y.astype(t)))
        np.testing.assert_array_equal(remainder, floor_mod(x.astype(t), y.astype(t)))


@pytest.mark.parametrize("right", INTS, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("left", INTS, ids=lambda t: np.dtype(t).name)
def test_bitwise(left, right):
    @gpu.jit
    def kernel(x, y, conjunction, disjunction, exclusive):
        i = gpu.grid(1)
        if i < x.size:
            conjunction[i] = x[i] & y[i]
            disjunction[i] = x[i] | y[i]
            exclusive[i] = x[i] ^ y[i]

    x, y = pairs(left, right)
    t = integer_result(left, right)
    out = [np.zeros(x.size, t) for _ in range(3)]
    kernel[4, 64](x, y, *out)
    for got, function in zip(out, (operator.and_, operator.or_, operator.xor)):
        np.testing.assert_array_equal(got, function(x.astype(t), y.astype(t)))


@pytest.mark.parametrize("right", INTS + FLOATS, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("left", INTS + FLOATS, ids=lambda t: np.dtype(t).name)
def test_comparison(left, right):
    @gpu.jit
    def kernel(x, y, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i, 0] = x[i] == y[i]
            out[i, 1] = x[i] != y[i]
            out[i, 2] = x[i] < y[i]
            out[i, 3] = x[i] <= y[i]
            out[i, 4] = x[i] > y[i]
            out[i, 5] = x[i] >= y[i]

    x, y = pairs(left, right)
    out = np.zeros((x.size, 6), np.bool_)
    kernel[4, 64](x, y, out)
    t = result_type(left, right)
    if t.kind == "f":  # rule 4.4: compared in the float's type, as arithmetic is done
        p, q = list(x.astype(t)), list(y.astype(t))
    else:  # mathematically, across signs and widths
        p, q = [int(v) for v in x], [int(v) for v in y]
    functions = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
    expected = np.array([[f(a, b) for f in functions] for a, b in zip(p, q)])
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("count", INTS[1:], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("value", INTS[1:], ids=lambda t: np.dtype(t).name)
def test_shifts(value, count):
    """Rule 4.4: the left operand's type, at least 32 bits; a count outside 0..width-1 gives 0 or the sign."""

    @gpu.jit
    def kernel(x, y, left, right):
        i = gpu.grid(1)
        if i < x.size:
            left[i] = x[i] << y[i]
            right[i] = x[i] >> y[i]

    low = -3 if np.dtype(count).kind == "i" else 0
    shifts = np.array([0, 1, 5, 31, 32, 63, 64, 100, low], count)
    x, y = (np.ascontiguousarray(v.ravel()) for v in np.meshgrid(samples(value), shifts))
    t = np.dtype(value)
    if t.itemsize < 4:  # 8 and 16 bits become 32, unsigned stays unsigned
        t = np.dtype(np.uint32 if t.kind == "u" else np.int32)
    width = 8 * t.itemsize
    left, right = np.zeros(x.size, t), np.zeros(x.size, t)
    kernel[4, 64](x, y, left, right)
    for i in range(x.size):
        v, n = int(x[i]), int(y[i])
        inside = 0 <= n < width
        shifted = (v << n) % 2**width if inside else 0
        assert int(left[i]) % 2**width == shifted, (v, n)
        assert int(right[i]) == (v >> n if inside else (-1 if v < 0 else 0)), (v, n)


@pytest.mark.parametrize("t", INTS[1:] + FLOATS, ids=lambda t: np.dtype(t).name)
def test_unary(t):
    """Rule 4.2: unary operators keep the type, promoted to 32 bits: 8- and 16-bit types become int32."""

    @gpu.jit
    def kernel(x, negative, magnitude, positive, truth):
        i = gpu.grid(1)
        if i < x.size:
            negative[i] = -x[i]
            magnitude[i] = abs(x[i])
            positive[i] = +x[i]
            truth[i] = not x[i]

    x = samples(t)
    wide = np.dtype(t)
    if wide.kind in "iu" and wide.itemsize < 4:
        wide = np.dtype(np.int32)
    negative, magnitude, positive = (np.zeros(x.size, wide) for _ in range(3))
    truth = np.zeros(x.size, np.bool_)
    kernel[1, 32](x, negative, magnitude, positive, truth)
    with np.errstate(all="ignore"):
        y = x.astype(wide)
        np.testing.assert_array_equal(negative, -y)
        np.testing.assert_array_equal(magnitude, np.abs(y))
        np.testing.assert_array_equal(positive, y)
        np.testing.assert_array_equal(truth, x == 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_min_and_max_of_nan_and_a_converted_integer(dtype):
    @gpu.jit
    def kernel(x, n, out):
        i = gpu.grid(1)
        if i < x.size:
            out[0, i] = min(x[i], n[i])
            out[1, i] = min(n[i], x[i])
            out[2, i] = max(x[i], n[i])
            out[3, i] = max(n[i], x[i])

    x = np.array([np.nan, -0.0, 1.5, -np.inf, np.nan, np.nan], dtype)
    n = np.array([7, 0, 1, 3, 0, -5])
    out = np.zeros((4, 6), dtype)
    kernel[1, 32](x, n, out)
    np.testing.assert_array_equal(out[:2], [np.fmin(x, n)] * 2)
    np.testing.assert_array_equal(out[2:], [np.fmax(x, n)] * 2)

"""Complex numbers: arithmetic, parts, layouts, memory spaces, arguments, captures, device functions."""

import operator

import numpy as np
import pytest
from lanewise import gpu

DTYPES = [np.complex64, np.complex128]


def numbers(n, dtype, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=n) + 1j * rng.normal(size=n)).astype(dtype)


def close(got, want, ulps=8):
    """Within some units in the last place of the number as a whole."""
    got, want = np.asarray(got), np.asarray(want)
    eps = np.finfo(got.dtype).eps
    assert np.all(np.abs(got.astype(complex) - want) <= ulps * eps * np.maximum(np.abs(want), np.finfo(got.dtype).tiny))


@pytest.mark.parametrize("dtype", DTYPES)
def test_arithmetic(dtype):
    @gpu.jit
    def kernel(a, b, out):
        i = gpu.grid(1)
        if i < a.size:
            out[0, i] = a[i] + b[i]
            out[1, i] = a[i] - b[i]
            out[2, i] = a[i] * b[i]
            out[3, i] = a[i] / b[i]
            out[4, i] = -a[i]
            out[5, i] = a[i].conjugate()
            out[6, i] = a[i] ** 3
            out[7, i] = a[i] ** -2
            out[8, i] = a[i] ** 0
            out[9, i] = a[i] ** b[i]
            out[10, i] = a[i] ** 0.5

    a, b = numbers(37, dtype), numbers(37, dtype, 1)
    out = np.zeros((11, 37), dtype)
    kernel[2, 32](a, b, out)
    x, y = a.astype(complex), b.astype(complex)
    want = [x + y, x - y, x * y, x / y, -x, x.conj(), x**3, x**-2.0, x**0, x**y, x**0.5]
    for row, expected in zip(out, want):
        close(row, expected, 24)


@pytest.mark.parametrize("dtype", DTYPES)
def test_real_operands_keep_the_precision_of_the_data(dtype):
    @gpu.jit
    def kernel(a, x, n, out, same):
        i = gpu.grid(1)
        if i < a.size:
            out[0, i] = a[i] + x[i]
            out[1, i] = x[i] - a[i]
            out[2, i] = 2 * a[i]
            out[3, i] = 2j * x[i]
            out[4, i] = a[i] / 4
            out[5, i] = n / a[i]
            out[6, i] = (1 + 2j) * x[i] + i
            same[0] = (2j * x[i]).dtype == a.dtype
            same[1] = (a[i] * n).dtype == a.dtype
            same[2] = (a[i] * 0.1).dtype == a.dtype

    a, x = numbers(20, dtype), numbers(20, dtype, 3).real.copy()
    out, same = np.zeros((7, 20), dtype), np.zeros(3, np.bool_)
    kernel[1, 32](a, x, 3, out, same)
    z, r = a.astype(complex), x.astype(float)
    want = [z + r, r - z, 2 * z, 2j * r, z / 4, 3 / z, (1 + 2j) * r + np.arange(20)]
    for row, expected in zip(out, want):
        close(row, expected, 16)
    assert same.all()


def test_division_neither_overflows_nor_underflows():
    @gpu.jit
    def kernel(a, b, out):
        i = gpu.grid(1)
        if i < a.size:
            out[i] = a[i] / b[i]

    a = np.array([1e300 + 1e300j, 1e-300 + 1e-300j, 1 + 1j, 3 - 4j])
    b = np.array([1e300 - 1e300j, 1e-300 + 2e-300j, 1e-200 + 1e200j, 2 + 0j])
    out = np.zeros(4, complex)
    kernel[1, 4](a, b, out)
    close(out, [1j, 0.6 - 0.2j, (1 + 1j) / 1e200 / 1j, 1.5 - 2j])


def test_parts_size_and_truth():
    @gpu.jit
    def kernel(z, f, b):
        i = gpu.grid(1)
        if i < z.size:
            f[0, i] = z[i].real
            f[1, i] = z[i].imag
            f[2, i] = abs(z[i])
            f[3, i] = np.angle(z[i])
            f[4, i] = np.real(z[i]) - np.imag(z[i])
            f[5, i] = np.abs(np.conj(z[i]).imag)
            b[0, i] = z[i] == 1 + 2j
            b[1, i] = z[i] != 1 + 2j
            b[2, i] = bool(z[i])
            b[3, i] = not z[i]
            b[4, i] = z[i] == 3
            b[5, i] = 1 if z[i] and z[i].real > 0 else 0

    z = np.array([1 + 2j, 3, 0, -4 - 3j, 2j, complex(-0.0, 0.0)])
    f, b = np.zeros((6, 6)), np.zeros((6, 6), np.int32)
    kernel[1, 8](z, f, b)
    want = np.array([z.real, z.imag, np.abs(z), np.angle(z), z.real - z.imag, np.abs(z.imag)])
    np.testing.assert_allclose(f, want, rtol=1e-15)
    truth = z != 0
    np.testing.assert_array_equal(b, [z == 1 + 2j, z != 1 + 2j, truth, ~truth, z == 3, truth & (z.real > 0)])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", ["C", "F", "strided", "transposed", "negative"])
def test_layouts(dtype, layout):
    @gpu.jit
    def kernel(a, out):
        i, j = gpu.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            out[i, j] = a[i, j] * 1j
            row = a[i]
            a.imag[i, j] += row[j].real
            a.real[i, j] = -1

    base = numbers(6 * 8, dtype).reshape(6, 8)
    views = {
        "C": base.copy(),
        "F": np.asfortranarray(base),
        "strided": np.repeat(np.repeat(base, 2, 0), 3, 1)[::2, ::3],
        "transposed": base.T.copy().T,
        "negative": base.copy()[::-1, ::-1],
    }
    a = views[layout]
    before = a.copy()
    out = np.zeros(a.shape, dtype)
    kernel[(2, 2), (4, 4)](a, out)
    np.testing.assert_array_equal(out, before * dtype(1j))
    np.testing.assert_array_equal(a, -1 + 1j * (before.imag + before.real))


@pytest.mark.parametrize("dtype", DTYPES)
def test_shared_and_local_arrays(dtype):
    @gpu.jit
    def kernel(a, out, back):
        i = gpu.threadIdx.x
        tile = gpu.shared.array(8, dtype)
        own = gpu.local.array((2, 2), dtype)
        tile.real[i] = a[i].imag
        tile.imag[i] = a[i].real
        own[0, 1] = a[i]
        own[1, 0] = 2 * own[0, 1]
        gpu.syncthreads()
        out[i] = tile[7 - i] + own[1, 0]
        gpu.syncthreads()
        tile[:] = 0
        part = tile.imag
        gpu.syncthreads()
        back[i] = part[i] + tile.real[i]

    a = numbers(8, dtype)
    out, back = np.zeros(8, dtype), np.ones(8)
    kernel[1, 8](a, out, back)
    swapped = (a.imag + 1j * a.real).astype(dtype)
    np.testing.assert_array_equal(out, swapped[::-1] + 2 * a)
    np.testing.assert_array_equal(back, 0)


def test_dynamic_shared_memory():
    @gpu.jit
    def kernel(out):
        tile = gpu.shared.array(0, np.complex64)
        i = gpu.threadIdx.x
        tile[i] = complex(i, -i)
        gpu.syncthreads()
        out[i] = tile[i ^ 1] + tile.size

    out = np.zeros(4, np.complex64)
    kernel[1, 4, 0, 32](out)
    np.testing.assert_array_equal(out, np.array([1 - 1j, 0, 3 - 3j, 2 - 2j]) + 4)


def test_atomics_on_parts():
    @gpu.jit
    def kernel(z, hist):
        i = gpu.grid(1)
        if i < z.size:
            gpu.atomic.add(hist.real, i % 3, z[i].real)
            gpu.atomic.add(hist.imag, i % 3, z[i].imag)
            gpu.atomic.max(hist.real, 3, z[i].real)

    z = (np.arange(60) - 2j * np.arange(60)).astype(np.complex64)
    hist = np.zeros(4, np.complex64)
    kernel[2, 32](z, hist)
    np.testing.assert_array_equal(hist, [z[0::3].sum(), z[1::3].sum(), z[2::3].sum(), 59])


CONSTANT = 0.5 - 2j
TYPED = np.complex64(1 + 1j)
TABLE = np.array([1j, 2, 3 - 1j], np.complex64)


def test_captures_and_arguments():
    @gpu.jit
    def kernel(python, single, double, pair, out):
        out[0] = python * CONSTANT
        out[1] = single + TYPED
        out[2] = double
        out[3] = TABLE[1] * TABLE[-1]
        out[4] = pair[0] * pair[1]
        out[5] = TABLE.imag[2]

    out = np.zeros(6, np.complex128)
    kernel[1, 1](1 + 2j, np.complex64(3 - 1j), np.complex128(1e-300 + 1j), (2j, 3.0), out)
    np.testing.assert_array_equal(out, [(1 + 2j) * CONSTANT, 4, 1e-300 + 1j, 6 - 2j, 6j, -1])


def test_functions_loops_and_merges():
    @gpu.jit(device=True)
    def turned(z, times):
        for _ in range(times):
            z = z * 1j
        return z, abs(z)

    @gpu.jit
    def kernel(a, out):
        i = gpu.grid(1)
        if i >= a.size:
            return
        total = 0
        for k in range(i):
            total += a[k]
        z, size = turned(a[i], i)
        w = z if i % 2 else 1.5
        if size > 2:
            z = total
        both = total or 7
        out[0, i] = z
        out[1, i] = w
        out[2, i] = both
        out[3, i] = sum((z, w, 1))
        out[4, i] = np.where(i > 2, z, 1)

    a = (np.arange(6) * (0.5 - 0.25j)).astype(np.complex64)
    out = np.zeros((5, 6), np.complex64)
    kernel[1, 8](a, out)
    want = np.zeros((5, 6), complex)
    for i in range(6):
        total = sum(a[:i].astype(complex))
        z = complex(a[i]) * 1j**i
        w = z if i % 2 else 1.5
        if abs(z) > 2:
            z = total
        want[:, i] = z, w, total or 7, z + w + 1, z if i > 2 else 1
    close(out, want)


def test_constructors_and_casts():
    @gpu.jit
    def kernel(x, z, out, flags):
        out[0] = complex(x[0], 2)
        out[1] = complex(3)
        out[2] = np.complex64(z[0])
        out[3] = np.complex128(x[0])
        out[4] = complex(z[0], 1j)
        w: np.complex64 = 1
        out[5] = w
        a = complex(x[0], x[1])
        flags[0] = a.dtype == np.complex64
        flags[1] = np.complex128(a).dtype == np.complex128
        flags[2] = w.dtype == np.complex64
        flags[3] = abs(a).dtype == np.float32

    x, z = np.array([1.5, 2.5], np.float32), np.array([1 / 3 + 2j / 3])
    out, flags = np.zeros(6, complex), np.zeros(4, np.bool_)
    kernel[1, 1](x, z, out, flags)
    np.testing.assert_array_equal(out, [1.5 + 2j, 3, np.complex64(z[0]), 1.5, z[0] - 1, 1])
    assert flags.all()


def test_julia_set():
    @gpu.jit(device=True)
    def steps(z, c, cap):
        for n in range(cap):
            if z.real * z.real + z.imag * z.imag > 4.0:
                return n
            z = z * z + c
        return cap

    @gpu.jit
    def kernel(img, x0, y0, h, c):
        r, q = gpu.grid(2)
        if r < img.shape[0] and q < img.shape[1]:
            img[r, q] = steps(complex(x0 + h * q, y0 + h * r), c, 20)

    img = np.zeros((6, 9), np.uint8)
    c = -0.4 + 0.6j
    kernel[(2, 3), (4, 4)](img, -1.6, -1.0, 0.4, c)
    z = (-1.6 + 0.4 * np.arange(9))[None, :] + 1j * (-1.0 + 0.4 * np.arange(6))[:, None]
    want, live = np.full(z.shape, 20, np.uint8), np.ones(z.shape, bool)
    for n in range(20):
        escaped = live & (z.real**2 + z.imag**2 > 4)
        want[escaped] = n
        live &= ~escaped
        z = np.where(live, z * z + c, z)
    np.testing.assert_array_equal(img, want)


def test_signatures():
    @gpu.jit("void(complex64[:, ::1], c16, complex128)")
    def kernel(a, z, w):
        a[0, 0] = z
        a[0, 1] = w

    a = np.zeros((1, 2), np.complex64)
    kernel[1, 1](a, 1j, 2)
    np.testing.assert_array_equal(a, [[1j, 2]])


@pytest.mark.parametrize(
    "body, words",
    [
        ("out[0] = z[0] < z[1]", "complex numbers have no order"),
        ("out[0] = z[0] // 2", "no floor"),
        ("out[0] = float(z[0])", "abs(z)"),
        ("out[0] = z[0]", "z.real"),
        ("out[0] = math.sqrt(z[0])", "cmath.sqrt"),
        ("gpu.atomic.add(z, 0, 1)", "z.real"),
        ("out[z[0]] = 1", "must be an integer"),
    ],
)
def test_what_complex_numbers_cannot_do(body, words):
    source = f"import math\ndef kernel(z, out):\n    {body}\n"
    namespace = {"gpu": gpu, "np": np}
    exec("import math", namespace)
    exec(source, namespace)
    kernel = gpu.jit(namespace["kernel"], source=source)
    with pytest.raises(Exception, match=words.replace("(", r"\(").replace(")", r"\)")):
        kernel[1, 1](np.zeros(2, complex), np.zeros(2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_whole_arrays(dtype):
    @gpu.jit
    def kernel(a, b, m, out, rows, columns, size, flags):
        out[0] = np.sum(a)
        out[1] = a.mean()
        out[2] = np.prod(a)
        out[3] = np.dot(a, b)
        out[4] = (a * 2 + b).sum()
        out[5] = sum(b)
        out[6] = m.sum()
        out[7] = np.vdot(a, b)
        out[8] = (a + b)[3]
        out[9] = (a * b).item(2)
        rows[:] = m.sum(axis=1)
        columns[:] = m.mean(axis=0)
        size[0] = np.var(a)
        size[1] = a.std()
        size[2] = np.sum(a).real
        size[3] = abs(a).max()
        size[4] = abs(np.sum(a))
        flags[0] = a[2] in a
        flags[1] = 0.5j in a
        flags[2] = np.any(a)
        flags[3] = all(a * 0)

    a, b, m = numbers(9, dtype), numbers(9, dtype, 1), numbers(12, dtype, 2).reshape(3, 4)
    out, rows, columns = np.zeros(10, dtype), np.zeros(3, dtype), np.zeros(4, dtype)
    size, flags = np.zeros(5, out.real.dtype), np.zeros(4, np.bool_)
    kernel[1, 1](a, b, m, out, rows, columns, size, flags)
    x, y, z = a.astype(complex), b.astype(complex), m.astype(complex)
    sums = [x.sum(), x.mean(), x.prod(), x @ y, (x * 2 + y).sum(), y.sum(), z.sum()]
    sums += [np.vdot(x, y), x[3] + y[3], x[2] * y[2]]
    close(out, sums, 64)
    close(rows, z.sum(axis=1), 64)
    close(columns, z.mean(axis=0), 64)
    close(size, [x.var(), x.std(), x.sum().real, abs(x).max(), abs(x.sum())], 64)
    assert flags.tolist() == [True, False, True, False]


def test_questions_about_a_complex_number():
    @gpu.jit
    def kernel(z, out, copy):
        x = z[0]
        out[0] = isinstance(x, complex)
        out[1] = isinstance(x, np.complex128)
        out[2] = isinstance(1j, (int, complex))
        out[3] = callable(x)
        out[4] = operator.is_(x, None)
        out[5] = operator.contains((1j, 3 + 4j), x)
        out[6] = operator.is_not(x, None)
        out[7] = operator.abs(x) == 5
        copy[0] = type(x)(1, 2)
        copy[1] = operator.concat((1j,), (x,))[1]

    z, out, copy = np.array([3 + 4j]), np.zeros(8, np.bool_), np.zeros(2, complex)
    kernel[1, 1](z, out, copy)
    assert out.tolist() == [False, True, True, False, False, True, True, True]
    assert copy.tolist() == [1 + 2j, 3 + 4j]


def test_division_by_zero_and_infinities():
    """As NumPy, which leaves what is no number to C's Annex G only where a divisor is zero."""

    @gpu.jit
    def kernel(a, b, out, real):
        i = gpu.grid(1)
        if i < a.size:
            out[i] = a[i] / b[i]
            real[i] = a[i] / b[i].real

    inf, nan = np.inf, np.nan
    tops = np.array([complex(x, y) for x in (0.0, -0.0, 1.5, -2.0, inf, -inf, nan) for y in (0.0, 1.0, -inf)])
    bottoms = np.array([complex(0, 0), complex(-0.0, 0), complex(0, -0.0), complex(2, 0), complex(0, -3), complex(inf, 1)])
    a, b = (x.ravel() for x in np.meshgrid(tops, bottoms))
    for dtype in (np.complex64, np.complex128):
        out, real = np.zeros(a.size, dtype), np.zeros(a.size, dtype)
        kernel[8, 32](a.astype(dtype), b.astype(dtype), out, real)
        with np.errstate(all="ignore"):
            want = a.astype(dtype) / b.astype(dtype)
            parts = a.real / b.real, a.imag / b.real
        np.testing.assert_array_equal(out, want)
        np.testing.assert_array_equal(real.real, parts[0].astype(real.real.dtype))
        np.testing.assert_array_equal(real.imag, parts[1].astype(real.real.dtype))

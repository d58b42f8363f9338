"""Array expressions: assignment to views, broadcasting, overlap, functions of whole arrays, names for them."""

import math

import dtypes
import numpy as np
import pytest
from lanewise import CompileError, gpu


def name(dtype):
    return np.dtype(dtype).name


def layouts(values):
    """The same values in every layout a user hands over: C, Fortran, with gaps, and from back to front."""
    yield "C", values.copy()
    yield "F", np.asfortranarray(values)
    spread = np.zeros([2 * n + 1 for n in values.shape], values.dtype)
    view = spread[tuple(slice(1, 2 * n, 2) for n in values.shape)]
    view[...] = values
    yield "gaps", view
    flipped = np.flip(np.ascontiguousarray(np.flip(values)))
    yield "reversed", flipped


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=name)
def test_copies_between_layouts_and_types(dtype):
    @gpu.jit
    def kernel(src, whole, column, first):
        whole[...] = src
        column[:, 0] = src[:, 1]
        first[0] = src[1]

    values = (np.arange(12) % 2 + np.arange(12) // 4).reshape(3, 4).astype(dtype)
    for _, src in layouts(values):
        for _, whole in layouts(np.zeros((3, 4), dtype)):
            column, first = np.zeros((3, 2), dtype), np.zeros((2, 4), np.float64)
            kernel[1, 1](src, whole, column, first)
            np.testing.assert_array_equal(whole, values)
            np.testing.assert_array_equal(column[:, 0], values[:, 1])
            assert not column[:, 1].any()
            np.testing.assert_array_equal(first[0], values[1].astype(np.float64))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32], ids=name)
def test_row_expressions_in_all_layouts(dtype):
    @gpu.jit(fma=False)
    def kernel(a, b, out):
        y = gpu.grid(1)
        if y < a.shape[0]:
            out[y, :] = 0.5 * (a[y, :] + b[y, :])

    va, vb = np.arange(15, dtype=dtype).reshape(3, 5), (7 * np.arange(15) % 11).astype(dtype).reshape(3, 5)
    for (_, a), (_, b) in zip(layouts(va), reversed(list(layouts(vb))), strict=True):
        for _, out in layouts(np.zeros((3, 5), np.float64)):
            kernel[1, 4](a, b, out)
            np.testing.assert_array_equal(out, 0.5 * (va + vb))


def test_elements_have_the_types_of_numbers():
    @gpu.jit(fma=False)
    def kernel(a, b, f, out):
        out[0, :] = a - b  # uint8: widened, no wrap
        out[1, :] = a / 2
        out[2, :] = f * 0.1  # float32
        out[3, :] = (a > b) & (f < 2)
        out[4, :] = -a
        out[5, :] = ~a

    a, b = np.array([1, 200, 3], np.uint8), np.array([2, 100, 3], np.uint8)
    f = np.array([1, 2, 3], np.float32)
    out = np.zeros((6, 3))
    kernel[1, 1](a, b, f, out)
    wide = a.astype(np.int64)
    expected = [wide - b, wide / 2, f * np.float32(0.1), (a > b) & (f < 2), -wide, ~wide]
    np.testing.assert_array_equal(out, np.array(expected, np.float64))


def test_in_place():
    @gpu.jit
    def kernel(t, m, v, w):
        t[1:-1] += w
        m[:, ::2] *= 2
        m[1] -= m[0]
        v += 1
        v //= 2
        v[::-1] <<= 1

    t, m, v = np.arange(6.0), np.arange(12.0).reshape(3, 4), np.arange(5, dtype=np.int32)
    et, em, ev = t.copy(), m.copy(), v.copy()
    w = np.array([10.0, 20, 30, 40])
    kernel[1, 1](t, m, v, w)
    et[1:-1] += w
    em[:, ::2] *= 2
    em[1] -= em[0]
    ev += 1
    ev //= 2
    ev <<= 1
    for found, expected in ((t, et), (m, em), (v, ev)):
        np.testing.assert_array_equal(found, expected)


def test_broadcasting():
    @gpu.jit
    def kernel(row, column, one, out, cube):
        out[:, :] = row + column[:, None]
        out[0] = one[0]
        cube[...] = out[None] * one[:, None, None]
        t = gpu.local.array((2, 1), np.float64)
        t[:, :] = 5
        cube[0, :2, :] = t + row

    row, column, one = np.arange(4.0), np.arange(3.0) * 10, np.array([7.0, 8.0])
    out, cube = np.zeros((3, 4)), np.zeros((2, 3, 4))
    kernel[1, 1](row, column, one, out, cube)
    expected = row + column[:, None]
    expected[0] = 7
    np.testing.assert_array_equal(out, expected)
    block = expected[None] * one[:, None, None]
    block[0, :2] = 5 + row
    np.testing.assert_array_equal(cube, block)


def test_chained_parallel_and_tuple_assignments_of_views():
    @gpu.jit
    def kernel(a, b, c, d):
        a[:] = b[1:] = 7
        c[0, :], c[1, :] = d, 3
        c[2] = 4, 5, 6
        c[3, 0], c[3, 1:] = 8, d[:2]

    a, b, c, d = np.zeros(3), np.zeros(4), np.zeros((4, 3)), np.array([1.0, 2, 3])
    kernel[1, 1](a, b, c, d)
    np.testing.assert_array_equal(a, [7, 7, 7])
    np.testing.assert_array_equal(b, [0, 7, 7, 7])
    np.testing.assert_array_equal(c, [[1, 2, 3], [3, 3, 3], [4, 5, 6], [8, 1, 2]])


def test_shifts_within_one_array_read_what_was_there():
    @gpu.jit
    def kernel(right, left, two, columns, stride, k):
        right[1:] = right[:-1]
        left[:-1] = left[1:] * 2
        two[2:] += two[:-2]
        columns[1:, 1:] = columns[:-1, :-1]
        columns[k, 2:] = columns[k, 1:-1]
        stride[3::2] = stride[1:-2:2]

    arrays = [np.arange(8.0) for _ in range(3)] + [np.arange(30.0).reshape(5, 6), np.arange(9.0)]
    expected = [x.copy() for x in arrays]
    right, left, two, columns, stride = expected
    right[1:] = right[:-1].copy()
    left[:-1] = left[1:] * 2
    two[2:] += two[:-2].copy()
    columns[1:, 1:] = columns[:-1, :-1].copy()
    columns[2, 2:] = columns[2, 1:-1].copy()
    stride[3::2] = stride[1:-2:2].copy()
    kernel[1, 1](*arrays, 2)
    for found, wanted in zip(arrays, expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_elimination_in_place():
    @gpu.jit
    def kernel(m):
        n = m.shape[0]
        for k in range(n):
            for j in range(k + 1, n):
                f = m[j, k] / m[k, k]
                m[j, k:] -= f * m[k, k:]
            m[k + 1 :, k] *= 1

    m = np.array([[4.0, 2, 1], [2, 5, 3], [1, 3, 6]])
    expected = m.copy()
    for k in range(3):
        for j in range(k + 1, 3):
            expected[j, k:] -= expected[j, k] / expected[k, k] * expected[k, k:]
    kernel[1, 1](m)
    np.testing.assert_allclose(m, expected, rtol=1e-14)


def test_functions_of_whole_arrays():
    @gpu.jit
    def kernel(x, n, out, k):
        out[0] = np.sqrt(x)
        out[1] = np.maximum(x, 2)
        out[2] = np.where(x > 2, x, -x)
        out[3] = np.clip(x, 1, 3)
        out[4] = math.floor(x / 2)
        out[5] = abs(x - 3)
        np.multiply(x, 3, out[6])
        np.add(x, n, out=out[7])
        out[8] = np.float32(x)
        out[9] = x.astype(np.int32) % 2
        out[10] = np.power(x, 2) + np.square(x)
        k[:] = np.isnan(x) | (n == 2)

    x, n = np.array([0.0, 1.5, 2.25, 4.0]), np.arange(4, dtype=np.int32)
    out, k = np.zeros((11, 4)), np.zeros(4, np.bool_)
    kernel[1, 1](x, n, out, k)
    expected = [
        np.sqrt(x),
        np.maximum(x, 2),
        np.where(x > 2, x, -x),
        np.clip(x, 1, 3),
        np.floor(x / 2),
        abs(x - 3),
        x * 3,
        x + n,
        np.float32(x),
        x.astype(np.int32) % 2,
        2 * x**2,
    ]
    np.testing.assert_allclose(out, np.array(expected), rtol=1e-15)
    np.testing.assert_array_equal(k, n == 2)


def test_indexing_and_iterating_expressions():
    @gpu.jit
    def kernel(a, b, out):
        i = gpu.grid(1)
        if i == 0:
            out[0] = (a + b)[1, 2]
            out[1] = (a * b)[-1][-2]
            out[2] = len(a + b) + (a + b).size + (a + b).shape[1] + (a + b).ndim
            s = 0.0
            for row in a - b:
                for v in row:
                    s += v * v
            out[3] = s
            p, q, r = (a + 1)[0, :3] if False else (a[0, :3] + 1)
            out[4] = p * 100 + q * 10 + r
            for i, (u, v) in enumerate(zip(a[0] * 2, b[1])):
                out[5 + i] = u + v
            out[9:13] = (a + b).T[:, 1]

    a, b = np.arange(8.0).reshape(2, 4), np.arange(8.0)[::-1].reshape(2, 4) ** 2
    out = np.zeros(13)
    kernel[1, 1](a, b, out)
    c = a - b
    expected = [(a + b)[1, 2], (a * b)[-1][-2], 2 + 8 + 4 + 2, (c * c).sum(), 123]
    expected += list(a[0] * 2 + b[1]) + list((a + b)[1])
    np.testing.assert_allclose(out, expected, rtol=1e-14)


def test_names_for_expressions():
    @gpu.jit
    def kernel(a, b, out, sums):
        i = gpu.grid(1)
        if i < a.shape[0]:
            d = a[i] - b
            sums[i] = (d * d).sum()
        if i == 0:
            t = a[0] + a[1]
            u = t * 2
            out[:] = u + t
            total = 0.0
            for k in range(a.shape[0]):
                e = a[k] * b
                e += 1
                total += e.sum()
            sums[0] += total

    a, b = np.arange(12.0).reshape(3, 4), np.array([1.0, 3, 5, 7])
    out, sums = np.zeros(4), np.zeros(3)
    kernel[1, 1](a, b, out, sums)
    kernel[1, 1](a, b, out, sums)
    np.testing.assert_array_equal(out, 3 * (a[0] + a[1]))
    assert sums[0] == ((a[0] - b) ** 2).sum() + (a * b + 1).sum()
    sums[:] = 0
    kernel[3, 1](a, b, out, sums)
    np.testing.assert_array_equal(sums[1:], ((a - b) ** 2).sum(axis=1)[1:])


def test_local_and_shared_arrays():
    @gpu.jit
    def kernel(x, out):
        t = gpu.local.array(4, np.float32)
        s = gpu.shared.array((2, 4), np.float32)
        i = gpu.threadIdx.x
        t[:] = x[i]
        t[1:3] *= 10
        s[i] = t + 1
        gpu.syncthreads()
        out[i] = s[1 - i] - t

    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    out = np.zeros((2, 4), np.float32)
    kernel[1, 2](x, out)
    t = x.copy()
    t[:, 1:3] *= 10
    np.testing.assert_array_equal(out, (t + 1)[::-1] - t)


def test_new_arrays():
    @gpu.jit
    def kernel(out):
        for i in range(2):
            z = np.zeros(3)
            f = np.full((2, 2), 7, np.int32)
            o = np.ones_like(f)
            e = np.empty(2, np.float32)
            e[:] = 9
            z[i] += 1
            out[i, :3] = z
            out[i, 3:5] = f[0] + o[1]
            out[i, 5:] = e

    out = np.full((2, 7), -1.0)
    kernel[1, 1](out)
    np.testing.assert_array_equal(out, [[1, 0, 0, 8, 8, 9, 9], [0, 1, 0, 8, 8, 9, 9]])


def test_empty_arrays():
    @gpu.jit
    def kernel(x, y, out):
        x[:] = 5
        y[:, :] = y * 2
        out[0] = x.sum() + y.sum()
        out[1] = (x > 0).all()
        out[2] = (x > 0).any()

    out = np.full(3, -1.0)
    kernel[1, 1](np.zeros(0), np.zeros((0, 3)), out)
    np.testing.assert_array_equal(out, [0, 1, 0])


def test_arrays_of_eight_dimensions():
    @gpu.jit
    def kernel(x, y, out):
        y[...] = x + 1
        y[..., 0] = 0
        out[0] = x[1, 0, 1, 0, 0, 1, 0, 1]
        out[1] = y.sum()
        out[2] = x[:, 0, :, 0, :, 0, :, 0].max()

    values = np.arange(2.0**8).reshape((2,) * 8)
    for _, x in layouts(values):
        y, out = np.zeros((2,) * 8), np.zeros(3)
        kernel[1, 1](x, y, out)
        expected = values + 1
        expected[..., 0] = 0
        np.testing.assert_array_equal(y, expected)
        wanted = [values[1, 0, 1, 0, 0, 1, 0, 1], expected.sum(), values[:, 0, :, 0, :, 0, :, 0].max()]
        np.testing.assert_array_equal(out, wanted)


def test_a_call_beside_arrays():
    @gpu.jit(device=True)
    def middle(x, y):
        return (x + y) / 2

    @gpu.jit
    def kernel(a, out):
        t = a * 2
        out[:] = t - middle(a[0], a[-1])  # the call is handed no memory, so that t is what it was

    a, out = np.arange(5.0), np.zeros(5)
    kernel[1, 1](a, out)
    np.testing.assert_array_equal(out, a * 2 - 2)


def test_one_row_or_column_is_repeated():
    @gpu.jit(fma=False)
    def kernel(a, i, out, by_name, empty, sums):
        out[...] = a + 100 * a[:, :1] - a[-1:] + a[:, i : i + 1] * a[1:2, -1:]
        column = a[:, 2:3]
        by_name[...] = a * column
        sums[0] = empty[:, :1].sum()  # of none
        sums[1] = (empty[:, :1] + empty[:, -1:]).sum()
        sums[2] = empty[:, :1].shape[1]

    values = np.arange(12.0).reshape(3, 4) + 1
    for _, a in layouts(values):
        out, by_name, sums = np.zeros((3, 4)), np.zeros((3, 4)), np.full(3, 7.0)
        kernel[1, 1](a, 1, out, by_name, np.zeros((3, 0)), sums)
        np.testing.assert_array_equal(
            out, values + 100 * values[:, :1] - values[-1:] + values[:, 1:2] * values[1:2, -1:]
        )
        np.testing.assert_array_equal(by_name, values * values[:, 2:3])
        assert not sums.any()


def test_one_row_or_column_of_what_is_written():
    @gpu.jit(fma=False)
    def kernel(t):
        t[:, 1:] /= t[:, :1]
        t[1:] -= t[:1]
        t[:, :-1] *= t[:, -1:]

    t = np.arange(20.0).reshape(4, 5) + 1
    want = t.copy()
    kernel.py_func(want)
    kernel[1, 1](t)
    np.testing.assert_array_equal(t, want)

    @gpu.jit
    def repeats(t):
        t[...] = t[:, :1] + t

    repeats.py_func(want)
    repeats[1, 1](t)
    np.testing.assert_array_equal(t, want)

    @gpu.jit
    def too_long(t):
        t[0, :1] = np.ones(4)

    with pytest.raises(CompileError, match="shapes"):
        too_long[1, 1](t)


def test_parts_of_complex_arrays_overlap():
    @gpu.jit
    def kernel(z):
        z.real[1:] = z.real[:-1]
        z.imag[:] = z.real
        z.real[1:] = z.imag[:-1]
        z[1:] = z[:-1]
        z.view(np.complex128)[:-1] = z[1:]

    z = np.arange(6) + 2j * np.arange(6)
    want = z.copy()
    kernel.py_func(want)
    kernel[1, 1](z)
    np.testing.assert_array_equal(z, want)


def test_conjugates_and_angles_of_arrays():
    @gpu.jit(fma=False)
    def kernel(z, w, out, angles):
        out[0] = z * np.conj(w)
        out[1] = np.conjugate(z + w) - z.conj()
        angles[:] = np.angle(z)

    z, w = np.array([1 + 2j, -3 + 0.5j, -1j]), np.array([2 - 1j, 0.5 + 4j, 3])
    out, angles = np.zeros((2, 3), np.complex128), np.zeros(3)
    kernel[1, 1](z, w, out, angles)
    np.testing.assert_array_equal(out, [z * np.conj(w), np.conj(z + w) - z.conj()])
    np.testing.assert_allclose(angles, np.angle(z), rtol=1e-15)

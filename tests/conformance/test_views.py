"""Views: reshape, ravel, transpose, new axes, slice objects, flat, arrays chosen and swapped, rows in loops."""

import numpy as np
import pytest
from lanewise import gpu

MIDDLE = slice(1, 4)
BACKWARDS = slice(None, None, -1)
EVERY = (slice(None), slice(0, None, 2))


def test_reshape_and_ravel():
    @gpu.jit
    def kernel(x, f, out, flat):
        m = x.reshape(3, 4)
        out[0] = m[2, 1]
        out[1] = x.reshape((2, -1))[1, 0]
        out[2] = np.reshape(x, (2, 3, 2))[1, 2, 1]
        out[3] = m.ravel()[5]
        out[4] = m[1:].reshape(-1)[0]
        out[5] = f.reshape((3, 2), order="F")[0, 1]
        out[6] = f.ravel(order="F")[3]
        m.reshape(-1)[:] += 100
        flat[:] = m[1].reshape(2, 2).T.ravel(order="F")
        t = gpu.local.array((2, 3), np.int32)
        t.reshape(6)[:] = x[:6]
        out[7] = t[1, 0]

    x, f = np.arange(12.0), np.asfortranarray(np.arange(6.0).reshape(2, 3))
    out, flat = np.zeros(8), np.zeros(4)
    kernel[1, 1](x, f, out, flat)
    r = f.ravel(order="F")
    np.testing.assert_array_equal(out, [9, 6, 11, 5, 4, f.reshape((3, 2), order="F")[0, 1], r[3], 103])
    np.testing.assert_array_equal(x, np.arange(12.0) + 100)
    np.testing.assert_array_equal(flat, [104, 105, 106, 107])


def test_transpose():
    @gpu.jit
    def kernel(x, out, turned):
        turned[...] = x.transpose(2, 0, 1)
        out[0] = x.transpose((1, 0, 2))[2, 1, 3]
        out[1] = np.transpose(x)[3, 2, 1]
        out[2] = x.swapaxes(0, -1)[3, 2, 1]
        out[3] = x.transpose().shape[0] * 10 + x.transpose(1, 0, 2).shape[0]
        out[4] = x.T.T[1, 2, 3]
        x.transpose(1, 2, 0)[0, 1] = -5

    values = np.arange(24.0).reshape(2, 3, 4)
    for x in (values.copy(), np.asfortranarray(values), np.flip(np.flip(values).copy())):
        out, turned = np.zeros(5), np.zeros((4, 2, 3))
        kernel[1, 1](x, out, turned)
        np.testing.assert_array_equal(out, [23, 23, 23, 43, 23])
        np.testing.assert_array_equal(turned, values.transpose(2, 0, 1))
        assert (x[:, 0, 1] == -5).all()


def test_new_axes_and_ellipsis():
    @gpu.jit
    def kernel(x, out, shapes):
        a = x[None]
        b = x[:, np.newaxis, :]
        c = x[..., None]
        out[0] = a[0, 1, 2] + b[1, 0, 2] + c[1, 2, 0]
        shapes[0] = a.shape[0] * 100 + a.shape[1] * 10 + a.shape[2]
        shapes[1] = b.shape[0] * 100 + b.shape[1] * 10 + b.shape[2]
        shapes[2] = c.shape[0] * 100 + c.shape[1] * 10 + c.shape[2]
        out[1] = x[None, ..., 1][0, 1] + x[..., 0, None][1, 0]
        x[None, :, 0] = 9
        out[2] = x[..., 2][1] + x[0, ...][1]

    for x in (np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))):
        out, shapes = np.zeros(3), np.zeros(3)
        kernel[1, 1](x, out, shapes)
        np.testing.assert_array_equal(out, [15, 4 + 3, 5 + 1])
        np.testing.assert_array_equal(shapes, [123, 213, 231])
        np.testing.assert_array_equal(x[:, 0], [9, 9])


def test_slice_objects():
    @gpu.jit
    def kernel(x, m, out, n):
        out[0] = x[MIDDLE].sum()
        out[1] = x[BACKWARDS][0]
        out[2] = m[EVERY].sum()
        s = slice(n, n + 2)
        out[3] = x[s].sum()
        x[slice(0, None, 3)] = -1
        out[4] = m[1, s].sum() + m[slice(1), MIDDLE].sum()

    x, m, out = np.arange(7.0), np.arange(15.0).reshape(3, 5), np.zeros(5)
    kernel[1, 1](x, m, out, 2)
    v = np.arange(7.0)
    s = slice(2, 4)
    expected = [v[MIDDLE].sum(), 6, m[EVERY].sum(), v[s].sum(), m[1, s].sum() + m[slice(1), MIDDLE].sum()]
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(x, [-1, 1, 2, -1, 4, 5, -1])


@pytest.mark.parametrize("step", [1, 2, 3, -1, -2, -5])
def test_slices_with_all_bounds(step):
    @gpu.jit
    def kernel(x, start, stop, by, out):
        v = x[start:stop:by]
        out[0] = v.size
        out[1] = v.sum()
        out[2] = x[start:].size
        out[3] = x[:stop].size
        w = x[::by]
        out[4] = w.size

    x = np.arange(1.0, 8)
    for start in range(-9, 10):
        for stop in range(-9, 10, 3):
            out = np.zeros(5)
            kernel[1, 1](x, start, stop, step, out)
            v = x[start:stop:step]
            expected = [v.size, v.sum(), x[start:].size, x[:stop].size, x[::step].size]
            np.testing.assert_array_equal(out, expected)


def test_constant_slices_of_fixed_arrays():
    @gpu.jit
    def kernel(out):
        t = gpu.local.array(7, np.int32)
        for i in range(7):
            t[i] = i
        out[0] = t[1:-1].sum() * 100 + t[1:-1].size
        out[1] = t[::-2].size * 100 + t[::-2][0]
        out[2] = t[5:100].size
        out[3] = t[5:2].size
        out[4] = t[-3:].sum()
        out[5] = t[5:1:-3].sum()
        t[1:-1][1:-1] = 0
        out[6] = t.sum()

    out = np.zeros(7)
    kernel[1, 1](out)
    t = np.arange(7)
    np.testing.assert_array_equal(out, [1505, 406, 2, 0, t[-3:].sum(), t[5:1:-3].sum(), 0 + 1 + 5 + 6])


def test_flat():
    @gpu.jit
    def kernel(x, out):
        s = 0.0
        i = 0
        for v in x.flat:
            i += 1
            s += i * v
        out[0] = s
        out[1] = x.flat[4]

    values = np.arange(6.0).reshape(2, 3) + 1
    for x in (values, np.asfortranarray(values), np.flip(np.flip(values).copy())):
        out = np.zeros(2)
        kernel[1, 1](x, out)
        np.testing.assert_array_equal(out, [(values.ravel() * np.arange(1, 7)).sum(), 5])


def test_chosen_and_swapped_arrays():
    @gpu.jit
    def kernel(c, f, g, out, pick):
        s = gpu.shared.array((2, 2), np.float64)
        t = gpu.local.array((2, 2), np.float64)
        s[:, :] = 50
        t[:, :] = 60
        if pick == 0:
            a, b = c, f
        elif pick == 1:
            a, b = g, s
        else:
            a, b = t, c
        for _ in range(3):
            a, b = b, a
        out[0] = a[0, 1]
        out[1] = b[0, 1]
        b[1, 0] = -1
        z = a if pick > 0 else c.T
        out[2] = z[1, 0]
        out[3] = t[1, 0]

    for pick in range(3):
        c = np.array([[1.0, 2], [3, 4]])
        f = np.asfortranarray(c * 10)
        g = np.zeros((4, 4))[::2, ::2]
        g[...] = c * 100
        out = np.zeros(4)
        kernel[1, 1](c, f, g, out, pick)
        a, b = [(f, c), (np.full((2, 2), 50.0), g), (c, np.full((2, 2), 60.0))][pick]
        assert out[0] == a[0, 1] and out[1] == b[0, 1]
        assert out[3] == (-1 if pick == 2 else 60)
        assert out[2] == (2 if pick == 0 else a[1, 0])


def test_rows_in_loops_and_nested_elements():
    @gpu.jit
    def kernel(a, v, out):
        for row in a:
            for x in row[1:]:
                out[0] += x
        for i, (r, s) in enumerate(zip(a, v)):
            out[1] += i * r[0] + s
        a[0][1] += 10
        v[0] = v[1] = a[1][1] = 0
        for r in reversed(a):
            out[2] = r[0]

    a, v, out = np.arange(6.0).reshape(3, 2), np.array([1.0, 2, 3]), np.zeros(3)
    kernel[1, 1](a, v, out)
    np.testing.assert_array_equal(out, [9, 2 + 8 + 6, 0])
    np.testing.assert_array_equal(a, [[0, 11], [2, 0], [4, 5]])
    np.testing.assert_array_equal(v, [0, 0, 3])


def test_several_slices_of_dynamic_shared_memory():
    @gpu.jit
    def kernel(out):
        ints = gpu.shared.array(0, np.int32)
        floats = gpu.shared.array(0, np.float32)
        i = gpu.threadIdx.x
        n = gpu.blockDim.x
        a = ints[:n]
        b = floats[n : 2 * n]
        c = ints[2 * n :]
        a[i] = i
        b[i] = i + 0.5
        c[i] = 10 * i
        gpu.syncthreads()
        out[i] = a[n - 1 - i] + b[i] + c[(i + 1) % n]

    out = np.zeros(4)
    kernel[1, 4, 0, 4 * 4 * 3](out)
    i = np.arange(4)
    np.testing.assert_array_equal(out, (3 - i) + (i + 0.5) + 10 * ((i + 1) % 4))


SIZES = [8191, 8192, 8193, 100_000]


@pytest.mark.parametrize("count", SIZES)
def test_captured_arrays_around_64_kib(count):
    table = np.sqrt(np.arange(count, dtype=np.float64))
    small = np.arange(3, dtype=np.int8)

    @gpu.jit
    def kernel(out):
        i = gpu.grid(1)
        if i < out.size:
            out[i] = table[i * (table.size // out.size)] + table[-1] + small[i % 3]

    out = np.zeros(16)
    kernel[2, 8](out)
    i = np.arange(16)
    np.testing.assert_array_equal(out, table[i * (count // 16)] + table[-1] + small[i % 3])

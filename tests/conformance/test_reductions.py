"""Reductions of arrays and array expressions: sums, extrema, truth, positions, products of matrices."""

import operator

import numpy as np
import pytest
from dtypes import NUMBERS
from lanewise import CompileError, gpu


def name(dtype):
    return np.dtype(dtype).name


def layouts(values):
    yield values.copy()
    yield np.asfortranarray(values)
    spread = np.zeros([2 * n + 1 for n in values.shape], values.dtype)
    view = spread[tuple(slice(1, 2 * n, 2) for n in values.shape)]
    view[...] = values
    yield view
    yield np.flip(np.ascontiguousarray(np.flip(values)))


@pytest.mark.parametrize("dtype", NUMBERS, ids=name)
def test_methods_and_functions(dtype):
    @gpu.jit
    def kernel(x, out):
        out[0] = x.sum()
        out[1] = np.sum(x)
        out[2] = x.min()
        out[3] = np.amax(x)
        out[4] = x.argmin()
        out[5] = np.argmax(x)
        out[6] = x.any()
        out[7] = np.all(x)
        out[8] = x[0].prod()
        out[9] = x.mean()
        out[10] = np.max(x[:, 1:]) - np.min(x)
        out[11] = (x * x).sum()

    values = np.array([[3, 7, 2], [9, 9, 2], [4, 1, 1]], dtype)
    for x in layouts(values):
        out = np.zeros(12)
        kernel[1, 1](x, out)
        wide = values.astype(np.float64)
        expected = [38, 38, 1, 9, 7, 3, 1, 1, 42, wide.mean(), 8, (wide**2).sum()]
        np.testing.assert_allclose(out, expected, rtol=1e-6 if dtype in (np.float16, np.float32) else 1e-15)


def test_types_of_sums():
    @gpu.jit
    def kernel(b, u8, i32, u64, f16, f32, out, names):
        out[0] = b.sum()
        out[1] = u8.sum()  # 64 bits: does not wrap
        out[2] = i32.sum()
        out[3] = f32.sum()
        out[4] = f16.sum()  # in float32
        names[0] = u64.sum()

    b, u8 = np.ones(300, np.bool_), np.full(300, 255, np.uint8)
    i32, u64 = np.full(3, 2**31 - 1, np.int32), np.array([2**63, 5], np.uint64)
    f16, f32 = np.full(2, 60000, np.float16), np.array([2**24, 1, 1], np.float32)
    out, names = np.zeros(5), np.zeros(1, np.uint64)
    kernel[1, 1](b, u8, i32, u64, f16, f32, out, names)
    np.testing.assert_array_equal(out, [300, 300 * 255, 3 * (2**31 - 1), 2**24, 2 * np.float32(np.float16(60000))])
    assert names[0] == 2**63 + 5


def test_nan_as_numpy_has_it():
    @gpu.jit
    def kernel(x, out, at):
        out[0] = x.min()
        out[1] = x.max()
        out[2] = np.nanmin(x)
        out[3] = np.nanmax(x)
        out[4] = min(x)
        out[5] = max(x)
        at[0] = x.argmin()
        at[1] = x.argmax()

    for values in ([1, np.nan, 3, np.nan], [np.nan] * 2, [np.inf, np.inf], [-np.inf, 5, -np.inf]):
        x = np.array(values, np.float32)
        out, at = np.zeros(6), np.zeros(2, np.int64)
        kernel[1, 1](x, out, at)
        least, most = (np.nan, np.nan) if np.isnan(x).all() else (np.nanmin(x), np.nanmax(x))
        np.testing.assert_array_equal(out, [x.min(), x.max(), least, most, least, most])
        np.testing.assert_array_equal(at, [x.argmin(), x.argmax()])


def test_bool_and_integer_limits():
    @gpu.jit
    def kernel(b, i, u, out):
        out[0] = b.min()
        out[1] = b.max()
        out[2] = i.max()
        out[3] = i.min()
        out[4] = u.min() == 0xFFFFFFFFFFFFFFFF
        out[5] = i.argmax()

    out = np.zeros(6)
    kernel[1, 1](
        np.array([True, False]), np.array([-128, -128], np.int8), np.array([2**64 - 1], np.uint64), out
    )
    np.testing.assert_array_equal(out, [0, 1, -128, -128, 1, 0])


def test_pythons_own_functions():
    @gpu.jit
    def kernel(a, b, out):
        out[0] = sum(a)
        out[1] = sum(a * b, 100)
        out[2] = min(a)
        out[3] = max(a + b)
        out[4] = any(a == b)
        out[5] = all(a < 10)
        out[6] = 3 in a
        out[7] = 4.5 in a
        out[8] = 7 not in a + b
        out[9] = any((a[0] > 1, a[1] > 1))

    a, b = np.array([1.0, 3, 5, 2]), np.array([4.0, 3, 1, 9])
    out = np.zeros(10)
    kernel[1, 1](a, b, out)
    expected = [11, (a * b).sum() + 100, 1, 11, 1, 1, 1, 0, 7 not in a + b, 1]
    np.testing.assert_array_equal(out, expected)


def test_reductions_of_expressions_in_conditions():
    @gpu.jit
    def kernel(board, row, free):
        i = gpu.grid(1)
        if i < board.shape[0]:
            if (board[i] == row).all() or (board[i, :2] > 100).any():
                free[i] = 1
            elif not (board[i] != row).any():
                free[i] = 2
            else:
                free[i] = 3 if (board[i] * row).sum() > 20 and board[i].min() > 0 else 4

    board = np.array([[1, 2, 3], [200, 0, 0], [5, 5, 5], [0, 1, 0]], np.int32)
    free = np.zeros(4, np.int32)
    kernel[1, 4](board, np.array([1, 2, 3], np.int32), free)
    np.testing.assert_array_equal(free, [1, 1, 3, 4])


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64], ids=name)
def test_products(dtype):
    @gpu.jit
    def kernel(a, b, v, out, mv, vm, mm):
        i = gpu.threadIdx.x
        out[0] = np.dot(v, v)
        out[1] = a[1] @ b[:, 1]
        out[2] = (a[0] * b[:, 0]).sum()
        out[3] = v.dot(v)
        if i == 0:
            mv[:] = a @ v
            vm[:] = a[0] @ b
            mm[:, :] = a @ b + 1

    va, vb = np.arange(6).reshape(2, 3).astype(dtype), (np.arange(12) % 5).reshape(3, 4).astype(dtype)
    v = np.array([1, 2, 3], dtype)
    for a, b in zip(layouts(va), layouts(vb), strict=True):
        out, mv, vm, mm = np.zeros(4), np.zeros(2), np.zeros(4), np.zeros((2, 4))
        kernel[1, 1](a, b, v, out, mv, vm, mm)
        np.testing.assert_array_equal(out, [14, va[1] @ vb[:, 1], va[0] @ vb[:, 0], 14])
        np.testing.assert_array_equal(mv, va @ v)
        np.testing.assert_array_equal(vm, va[0] @ vb)
        np.testing.assert_array_equal(mm, va @ vb + 1)


def test_along_an_axis():
    @gpu.jit
    def kernel(x, rows, columns, middle, at, cube):
        rows[:] = x.sum(axis=1)
        columns[:] = np.mean(x, 0)
        at[:] = x.argmax(axis=-1)
        middle[:, :] = x.max(axis=1, keepdims=True)
        cube[:, :] = cube.min() + np.zeros((1, 1))
        rows[0] += x[0].sum(axis=0)

    x = np.array([[1.0, 5, 2], [7, 0, 7]])
    rows, columns, middle, at = np.zeros(2), np.zeros(3), np.zeros((2, 1)), np.zeros(2, np.int64)
    cube = np.array([[4.0, 3.0]])
    kernel[1, 1](x, rows, columns, middle, at, cube)
    np.testing.assert_array_equal(rows, [16, 14])
    np.testing.assert_array_equal(columns, [4, 2.5, 4.5])
    np.testing.assert_array_equal(middle, [[5], [7]])
    np.testing.assert_array_equal(at, [1, 0])
    np.testing.assert_array_equal(cube, [[3, 3]])


def test_variance():
    @gpu.jit
    def kernel(x, out):
        out[0] = x.var()
        out[1] = np.std(x)

    x = np.array([1.0, 2, 4, 9])
    out = np.zeros(2)
    kernel[1, 1](x, out)
    np.testing.assert_allclose(out, [x.var(), x.std()], rtol=1e-14)


def test_small_local_arrays():
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.shape[0]:
            a = gpu.local.array(3, np.float64)
            b = np.zeros(3)
            for k in range(3):
                a[k] = x[i, k]
                b[k] = k
            out[i] = np.dot(a, b) + np.sum(a)

    x = np.arange(12.0).reshape(4, 3)
    out = np.zeros(4)
    kernel[2, 2](x, out)
    np.testing.assert_array_equal(out, x @ np.arange(3) + x.sum(axis=1))


def test_clip_with_one_bound_and_by_name():
    @gpu.jit
    def kernel(a, low, out):
        out[0, :] = np.clip(a, None, 2)
        out[1, :] = np.clip(a, 1, None)
        out[2, :] = a.clip(max=1.5)
        out[3, :] = np.clip(a, a_min=0, a_max=low)
        out[4, :] = a.clip(low)
        np.clip(a, 0, 1, out=out[5])
        out[6, 0] = np.clip(a[0], None, low[0])
        out[6, 1] = np.clip(a[1], min=low[1], max=2)

    a, low, out = np.linspace(-1, 3, 7), np.linspace(2, 0, 7), np.zeros((7, 7))
    kernel[1, 1](a, low, out)
    want = [a.clip(None, 2), a.clip(1, None), a.clip(None, 1.5), a.clip(0, low), a.clip(low, None), a.clip(0, 1)]
    assert out[:6].tolist() == [row.tolist() for row in want]
    assert out[6, :2].tolist() == [min(a[0], low[0]), min(max(a[1], low[1]), 2)]


def test_numpys_functions_of_whole_arrays():
    @gpu.jit(fma=False)
    def kernel(a, m, out, where, parts, square):
        out[0] = np.amin(a)
        out[1] = np.prod(a)
        out[2] = np.var(a)
        out[3] = np.vdot(a, a)
        out[4] = np.inner(a, a)
        out[5] = operator.matmul(a, a)
        out[6] = np.any(a > 3.5)
        out[7] = np.argmin(a)
        ones = np.ones(4)
        zeros = np.zeros_like(ones)
        sevens = np.full_like(ones, 7)
        room = np.empty_like(ones)
        room[:] = ones + zeros + sevens
        where[:] = room
        parts[:] = np.ravel(m)
        square[:, :] = np.matmul(m, np.swapaxes(m, 0, 1))

    a = np.array([2.0, 0.5, 4.0, 1.0])
    m = np.arange(6.0).reshape(2, 3)
    out, where, parts, square = np.zeros(8), np.zeros(4), np.zeros(6), np.zeros((2, 2))
    kernel[1, 1](a, m, out, where, parts, square)
    np.testing.assert_array_equal(out, [0.5, 4, np.var(a), a @ a, a @ a, a @ a, 1, 1])
    np.testing.assert_array_equal(where, 8)
    np.testing.assert_array_equal(parts, m.ravel())
    np.testing.assert_array_equal(square, m @ m.T)


def test_along_several_axes():
    @gpu.jit
    def kernel(x, planes, middle, all_of_it, kept, one):
        planes[:] = x.sum(axis=(1, 2))
        middle[:] = np.max(x, axis=(0, -1))
        all_of_it[0] = x.sum(axis=(0, 1, 2))
        kept[:, :, :] = x.mean(axis=(0, 2), keepdims=True)
        one[:, :, :] = x.sum(keepdims=True)

    x = np.arange(60.0).reshape(3, 4, 5) % 7
    planes, middle, all_of_it = np.zeros(3), np.zeros(4), np.zeros(1)
    kept, one = np.zeros((1, 4, 1)), np.zeros((1, 1, 1))
    kernel[1, 1](x, planes, middle, all_of_it, kept, one)
    np.testing.assert_array_equal(planes, x.sum(axis=(1, 2)))
    np.testing.assert_array_equal(middle, x.max(axis=(0, 2)))
    np.testing.assert_array_equal(all_of_it, x.sum())
    np.testing.assert_allclose(kept, x.mean(axis=(0, 2), keepdims=True), rtol=1e-14)
    np.testing.assert_array_equal(one, x.sum(keepdims=True))


def test_axes_that_are_none():
    @gpu.jit
    def twice(x, out):
        out[:] = x.sum(axis=(1, -1))

    @gpu.jit
    def beyond(x, out):
        out[:] = x.sum(axis=(0, 2))

    @gpu.jit
    def place(x, out):
        out[:] = x.argmax(axis=(0, 1), keepdims=True)

    for kernel in (twice, beyond, place):
        with pytest.raises(CompileError):
            kernel[1, 1](np.zeros((2, 3)), np.zeros(2))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("axis", [0, 1, 2, (0, 1), (0, 2), (1, 2)], ids=str)
def test_distances_from_the_mean(axis, order):
    @gpu.jit
    def kernel(x, out, rest, total):
        out[...] = x - x.mean(axis=axis, keepdims=True)
        rest[...] = (x - x.min(axis=axis, keepdims=True)) / (x.max(axis=axis, keepdims=True) + 1)
        total[0] = ((x - x.mean(axis=axis, keepdims=True)) ** 2).sum()

    x = np.asarray(np.arange(60.0).reshape(3, 4, 5) * 7 % 11, order=order)
    out, rest, total = np.zeros_like(x), np.zeros_like(x), np.zeros(1)
    kernel[1, 1](x, out, rest, total)
    want = x - x.mean(axis=axis, keepdims=True)
    np.testing.assert_allclose(out, want, rtol=1e-12, atol=1e-12)
    least, most = x.min(axis=axis, keepdims=True), x.max(axis=axis, keepdims=True)
    np.testing.assert_allclose(rest, (x - least) / (most + 1), rtol=1e-14)
    np.testing.assert_allclose(total, (want**2).sum(), rtol=1e-12)


def test_sums_and_products_that_are_repeated():
    @gpu.jit
    def kernel(a, v, out, cube, named):
        out[:, :] = a.sum(axis=0)
        out[:, :] += a @ v
        cube[:, :, :] = a @ a + a.sum(axis=1)
        e = a - a.sum(axis=1, keepdims=True)
        named[:, :] = e * e.T

    a, v = np.arange(9.0).reshape(3, 3), np.array([1.0, -2.0, 0.5])
    out, cube, named = np.zeros((3, 3)), np.zeros((2, 3, 3)), np.zeros((3, 3))
    kernel[1, 1](a, v, out, cube, named)
    np.testing.assert_array_equal(out, np.zeros((3, 3)) + a.sum(axis=0) + a @ v)
    e = a - a.sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(cube, np.broadcast_to(a @ a + a.sum(axis=1), (2, 3, 3)))
    np.testing.assert_array_equal(named, e * e.T)

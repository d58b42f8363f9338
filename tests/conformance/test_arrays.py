"""Array arguments and views: layouts, dimensions, negative indices, slices, read-only data, overlap."""

import dtypes
import numpy as np
import pytest
from lanewise import CompileError, LaunchError, gpu


def layouts(shape, dtype):
    """The same values in every layout a user hands over."""
    base = (np.arange(np.prod(shape)) % 101).reshape(shape).astype(dtype)
    yield base
    yield np.asfortranarray(base)
    spread = np.zeros([2 * n + 1 for n in shape], dtype)
    view = spread[tuple(slice(1, 2 * n, 2) for n in shape)]
    view[...] = base
    yield view
    flipped = np.ascontiguousarray(base[::-1])[::-1]
    yield flipped
    yield np.ascontiguousarray(base.T).T


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda t: np.dtype(t).name)
def test_copy_between_all_layouts(dtype):
    @gpu.jit
    def kernel(src, dst):
        i, j, k = gpu.grid(3)
        a, b, c = src.shape
        if i < a and j < b and k < c:
            dst[i, j, k] = src[i, j, k]

    for src in layouts((3, 4, 5), dtype):
        for dst in layouts((3, 4, 5), dtype):
            dst[...] = 0
            kernel[(2, 2, 2), (2, 2, 3)](src, dst)
            np.testing.assert_array_equal(dst, src)


def test_bytes_between_the_elements_of_a_view_stay():
    @gpu.jit
    def kernel(dst):
        i, j = gpu.grid(2)
        if i < dst.shape[0] and j < dst.shape[1]:
            dst[i, j] = -1

    big = np.arange(200, dtype=np.int32).reshape(10, 20)
    expected = big.copy()
    expected[1:8:3, 2:19:4] = -1
    kernel[(2, 2), (4, 4)](big[1:8:3, 2:19:4])
    np.testing.assert_array_equal(big, expected)


def test_zero_dimensional_array():
    @gpu.jit
    def kernel(x, out):
        out[()] = x[()] + 1

    x, out = np.array(41.0), np.array(0.0)
    kernel[1, 1](x, out)
    assert out == 42


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (3, 0, 2)], ids=str)
def test_empty_arrays(shape):
    @gpu.jit
    def kernel(x, out):
        out[0] = x.size
        out[1] = len(x)
        for i in range(x.size):
            out[2] = 1

    out = np.full(3, 7, np.int64)
    kernel[1, 1](np.zeros(shape), out)
    np.testing.assert_array_equal(out, [0, shape[0], 7])


def test_zero_grid_does_nothing():
    @gpu.jit
    def kernel(out):
        out[0] = 1

    out = np.zeros(1)
    kernel[0, 32](out)
    kernel[(0, 3), 32](out)
    assert out[0] == 0


def test_negative_indices_wrap_as_in_python():
    @gpu.jit
    def kernel(x, k, out):
        out[0] = x[-1]
        out[1] = x[k]
        out[2] = x[k + 1]
        out[3] = x[-x.size]
        x[-2] = 100
        i = k
        while i < 0:
            out[4] += x[i]
            i += 1

    x, out = np.arange(5, dtype=np.int64), np.zeros(5, np.int64)
    kernel[1, 1](x, -3, out)
    np.testing.assert_array_equal(x, [0, 1, 2, 100, 4])
    np.testing.assert_array_equal(out, [4, 2, 3, 0, 2 + 100 + 4])


def test_shape_attributes():
    @gpu.jit
    def kernel(x, out):
        a, b = x.shape
        out[0] = a
        out[1] = b
        out[2] = x.shape[-1]
        out[3] = x.size
        out[4] = x.ndim
        out[5] = len(x)
        out[6] = len(x[0])

    for x in layouts((3, 7), np.float32):
        out = np.zeros(7, np.int64)
        kernel[1, 1](x, out)
        np.testing.assert_array_equal(out, [3, 7, 7, 21, 2, 3, 7])


@gpu.jit(device=True)
def total(v):
    s = 0.0
    for i in range(v.shape[0]):
        s += v[i]
    return s


def test_row_and_column_views_go_to_device_functions():
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if i < x.shape[0]:
            out[i, 0] = total(x[i])
            out[i, 1] = total(x[i, :])
            out[i, 2] = total(x[i, 1:4])
            out[i, 3] = total(x[i, ::-2])
            out[i, 4] = total(x[:, i])
            out[i, 5] = total(x[-2:, i])

    for x in layouts((4, 6), np.float64):
        out = np.zeros((4, 6))
        kernel[1, 4](x, out)
        for i in range(4):
            expected = [
                x[i].sum(),
                x[i].sum(),
                x[i, 1:4].sum(),
                x[i, ::-2].sum(),
                x[:, i].sum(),
                x[-2:, i].sum(),
            ]
            np.testing.assert_array_equal(out[i], expected)


@pytest.mark.parametrize(
    "bounds",
    [(0, 3, 1), (-2, 100, 1), (5, 2, 1), (8, -100, -1), (-1, 0, -2), (100, 3, -3), (2, 9, 4)],
    ids=str,
)
def test_slice_bounds_clip_as_in_numpy(bounds):
    @gpu.jit
    def kernel(x, lo, hi, step, out):
        v = x[lo:hi:step]
        out[0] = v.size
        for i in range(v.size):
            out[1 + i] = v[i]

    x = np.arange(10, dtype=np.int64)
    out = np.full(11, -1, np.int64)
    kernel[1, 1](x, *bounds, out)
    expected = x[slice(*bounds)]
    assert out[0] == expected.size
    np.testing.assert_array_equal(out[1 : 1 + expected.size], expected)
    assert (out[1 + expected.size :] == -1).all()


def test_writing_through_views_and_chained_indices():
    @gpu.jit
    def kernel(x):
        row = x[1]
        row[2] = 5
        x[0][1] = 6
        x[2, 1:][0] = 7
        x[-1][-1] += 8

    x = np.zeros((3, 4))
    kernel[1, 1](x)
    expected = np.zeros((3, 4))
    expected[1, 2], expected[0, 1], expected[2, 1], expected[2, 3] = 5, 6, 7, 8
    np.testing.assert_array_equal(x, expected)


def test_array_chosen_by_a_condition_and_swapped_names():
    @gpu.jit
    def kernel(x, y, out):
        a = x
        b = y
        for turn in range(3):
            a, b = b, a
            out[turn] = a[0]
        c = x if out[0] > 1 else y
        out[3] = c[1]

    x, y = np.array([1.0, 10.0]), np.array([2.0, 20.0, 0, 0])[::2]
    y = np.array([2.0, 0.0, 20.0, 0.0])[::2]  # another layout than x
    out = np.zeros(4)
    kernel[1, 1](x, y, out)
    np.testing.assert_array_equal(out, [2, 1, 2, 10])


def test_broadcast_array_with_zero_stride():
    @gpu.jit
    def kernel(x, out):
        i, j = gpu.grid(2)
        if i < x.shape[0] and j < x.shape[1]:
            out[i, j] = x[i, j]

    x = np.broadcast_to(np.arange(5.0), (4, 5))
    out = np.zeros((4, 5))
    kernel[(1, 1), (4, 8)](x, out)
    np.testing.assert_array_equal(out, x)


def test_read_only_arrays_are_read_but_never_written():
    @gpu.jit
    def reads(x, out):
        out[0] = x[0]

    @gpu.jit
    def writes(x):
        x[0] = 1

    x = np.ones(3)
    x.flags.writeable = False
    out = np.zeros(1)
    reads[1, 1](x, out)
    assert out[0] == 1
    with pytest.raises((LaunchError, CompileError), match="x"):
        writes[1, 1](x)


def test_arguments_that_overlap():
    @gpu.jit
    def kernel(left, right):
        i = gpu.grid(1)
        if i < left.size:
            left[i] += 1
            right[i] += 10

    base = np.zeros(10, np.int32)
    kernel[1, 1](base[:1], base[5:6])
    kernel[1, 5](base[0:5], base[5:10])
    expected = np.repeat([1, 10], 5)
    expected[0] += 1
    expected[5] += 10
    np.testing.assert_array_equal(base, expected)


def test_same_array_twice():
    @gpu.jit
    def kernel(x, y):
        i = gpu.grid(1)
        if i < x.size:
            y[i] = x[i] * 2

    base = np.arange(64, dtype=np.float32)
    kernel[2, 32](base, base)
    np.testing.assert_array_equal(base, 2 * np.arange(64))


def test_extents_beyond_what_an_address_space_holds_are_refused():
    @gpu.jit
    def kernel(x, out):
        out[0] = x.shape[0] > 2**48

    x = np.broadcast_to(np.zeros(1, np.int8), (2**50,))
    with pytest.raises(LaunchError, match="2\\*\\*47"):
        kernel[1, 1](x, np.zeros(1, np.int8))

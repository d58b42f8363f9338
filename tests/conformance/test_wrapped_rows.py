"""Indices of neighbouring threads that may lie on both sides of an array's start, and numbers of warps and lanes in
them: what vector code reads as rows only where it may."""

import numpy as np
import pytest
from lanewise import gpu

SHIFTS = [0, 1, 5, 31, 32, 33, 64, 100, -1, -5, -16, -31, -32, -33, -63, -64, -100]


@gpu.jit
def read_shifted(out, x, k, first):
    i = gpu.grid(1)
    if i < out.size:
        out[i] = x[i + k - first]


@gpu.jit
def write_shifted(x, values, k):
    i = gpu.grid(1)
    if i < values.size:
        x[i + k] = values[i]


@gpu.jit
def backwards(out, x, k):
    i = gpu.grid(1)
    if i < out.size:
        out[i] = x[k - i]


@gpu.jit
def read_2d(out, a, dy, dx):
    x, y = gpu.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = a[y + dy, x + dx]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int16, np.bool_, np.complex64])
@pytest.mark.parametrize("block", [32, 96, 40])
def test_reads(dtype, block):
    x = (np.arange(200) % 100 + 1).astype(dtype)
    for k in SHIFTS:
        for count in (1, 31, 64, 100):
            out = np.zeros(count, dtype)
            read_shifted[(count + block - 1) // block, block](out, x, k, 0)
            assert np.array_equal(out, x[np.arange(count) + k]), (k, count)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8])
def test_writes(dtype):
    values = np.arange(1, 101).astype(dtype)
    for k in SHIFTS:
        x = np.zeros(220, dtype)
        write_shifted[4, 32](x, values, k)
        expected = np.zeros(220, dtype)
        expected[np.arange(100) + k] = values
        assert np.array_equal(x, expected), k


def test_strided_and_backwards():
    x = np.arange(400, dtype=np.float32)
    for view in (x[::2], x[::-1], x[300:100:-2]):
        for k in (-40, -20, 0, 7):
            out = np.zeros(60, np.float32)
            read_shifted[2, 32](out, view, k, 3)
            assert np.array_equal(out, view[np.arange(60) + k - 3])
    for k in (-1, 10, 31, 40, 99):
        out = np.zeros(60, np.float32)
        backwards[2, 32](out, x[:100], k)
        assert np.array_equal(out, x[:100][k - np.arange(60)])


@pytest.mark.parametrize("block", [(32, 2), (16, 4), (8, 8), (48, 3)])
def test_two_dimensions(block):
    a = np.arange(50 * 70, dtype=np.float32).reshape(50, 70)
    rows, columns = np.mgrid[0:30, 0:45]
    for dy, dx in [(0, 0), (-3, -5), (-20, 4), (5, -30), (-30, -45), (1, 25), (-7, -16)]:
        out = np.zeros((30, 45), np.float32)
        read_2d[(2, 32), block](out, a, dy, dx) if block[0] > 22 else read_2d[(6, 15), block](out, a, dy, dx)
        want = a[rows + dy, columns + dx]
        done = (2 if block[0] > 22 else 6) * block[0]
        assert np.array_equal(out[:, :done], want[:, :done]), (dy, dx)


def test_after_a_barrier_in_loops_and_with_lanes_off():
    @gpu.jit
    def smooth(out, x, r):
        s = gpu.shared.array(64, np.float32)
        i, t = gpu.grid(1), gpu.threadIdx.x
        s[t] = x[i - r]
        gpu.syncthreads()
        total = np.float32(0)
        for k in range(-r, r + 1):
            if (i + k) % 3 != 0:
                total += x[i + k] + s[t - (k + r)]
        out[i] = total

    x = np.arange(1000, dtype=np.float32) % 17
    for r in (1, 3, 20):
        out = np.zeros(128, np.float32)
        smooth[2, 64](out, x, r)
        i = np.arange(128)
        s = x[i - r].reshape(2, 64)
        expected = np.zeros(128, np.float32)
        for k in range(-r, r + 1):
            expected += np.where((i + k) % 3 != 0, x[i + k] + s[i // 64, i % 64 - (k + r)], 0)
        assert np.array_equal(out, expected), r


def test_shared_rows_on_both_sides():
    @gpu.jit
    def rotate(out, k):
        s = gpu.shared.array(96, np.int32)
        t = gpu.threadIdx.x
        s[t] = gpu.grid(1) * 3
        gpu.syncthreads()
        out[gpu.grid(1)] = s[t - k]

    for k in (0, 1, 16, 31, 32, 50, 95):
        out = np.zeros(192, np.int32)
        rotate[2, 96](out, k)
        source = (np.arange(192) * 3).reshape(2, 96)
        assert np.array_equal(out.reshape(2, 96), np.roll(source, k, axis=1)), k


@pytest.mark.parametrize("block", [32, 64, 96, 256, 40, (32, 4), (64, 2), (16, 4)])
def test_numbers_of_warps_and_lanes(block):
    @gpu.jit
    def numbers(out):
        x, y = gpu.grid(2)
        i = y * gpu.gridDim.x * gpu.blockDim.x + x
        t = gpu.threadIdx.x
        out[0, i] = x // 32
        out[1, i] = x % 32
        out[2, i] = x >> 5
        out[3, i] = x & 31
        out[4, i] = (x + 96) // 64
        out[5, i] = (x - 64) // 32
        out[6, i] = (x - 64) % 128
        out[7, i] = np.int32(t) // np.int32(32)
        out[8, i] = np.uint32(x) >> np.uint32(6)
        out[9, i] = (t & 63) >> 5
        out[10, i] = gpu.laneid // 32
        out[11, i] = (x * 32) // 32
        out[12, i] = (x + 16) // 32

    size = block if isinstance(block, tuple) else (block, 1)
    grid = (3, 2)
    width, height = grid[0] * size[0], grid[1] * size[1]
    out = np.full((13, width * height), -99, np.int64)
    numbers[grid, size](out)
    x = np.tile(np.arange(width), height)
    t = x % size[0]
    expected = [x // 32, x % 32, x >> 5, x & 31, (x + 96) // 64, (x - 64) // 32, (x - 64) % 128, t // 32, x >> 6,
                (t & 63) >> 5, 0 * x, x, (x + 16) // 32]  # fmt: skip
    assert np.array_equal(out, np.array(expected))


def test_a_warp_for_each_row():
    @gpu.jit
    def sums(y, starts, values, x):
        row = gpu.grid(1) // 32
        if row < y.size:
            s = 0
            for j in range(starts[row] + gpu.laneid, starts[row + 1], 32):
                s += values[j] * x[j - 7]
            for k in (16, 8, 4, 2, 1):
                s += gpu.shfl_down_sync(0xFFFFFFFF, s, k)
            if gpu.laneid == 0:
                y[row] = s

    rng = np.random.default_rng(3)
    lengths = rng.integers(0, 100, 21)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    values, x = rng.integers(-9, 9, starts[-1]), rng.integers(-9, 9, starts[-1])
    y = np.zeros(21, np.int64)
    sums[3, 256](y, starts, values, x)
    products = values * x[np.arange(starts[-1]) - 7]
    assert y.tolist() == [products[a:b].sum() for a, b in zip(starts, starts[1:])]


def test_an_index_made_before_a_barrier():
    @gpu.jit
    def gather(out, x, extents):
        t = gpu.threadIdx.x
        n = extents[t]
        i = t - 40
        end = i + n
        out[t] = 0
        gpu.syncthreads()
        out[t] = x[end if i < 0 else i] + x[t - 7]

    x, extents, out = np.arange(64) * 3, np.full(64, 64), np.zeros(64, np.int64)
    extents[5] = 50
    gather[1, 64](out, x, extents)
    t = np.arange(64)
    assert out.tolist() == (x[np.where(t < 40, t - 40 + extents, t - 40)] + x[t - 7]).tolist()

"""Shared, dynamic shared, local and constant memory, and atomics with their old values."""

import numpy as np
import pytest
from lanewise import gpu

TABLE = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.uint8)
GRID = np.arange(24, dtype=np.float32).reshape(4, 6)[::-1, ::2]


def test_slices_of_dynamic_shared_memory_are_disjoint():
    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(0, np.float32)
        a = s[0:1]
        b = s[1:2]
        a[0] = 1
        b[0] = 2
        out[0] = a[0]
        out[1] = b[0]
        out[2] = s.size

    out = np.zeros(3)
    kernel[1, 1, 0, 8](out)
    np.testing.assert_array_equal(out, [1, 2, 2])


def test_static_and_dynamic_shared_memory_do_not_overlap():
    @gpu.jit
    def kernel(out):
        fixed = gpu.shared.array(16, np.int32)
        dynamic = gpu.shared.array(0, np.int32)
        t = gpu.threadIdx.x
        if t < 16:
            fixed[t] = t
        for i in range(t, dynamic.size, gpu.blockDim.x):
            dynamic[i] = 1000 + i
        gpu.syncthreads()
        if t < 16:
            out[t] = fixed[t]
        for i in range(t, dynamic.size, gpu.blockDim.x):
            out[16 + i] = dynamic[i]

    out = np.zeros(48, np.int32)
    kernel[1, 20, 0, 128](out)
    np.testing.assert_array_equal(out, np.concatenate([np.arange(16), 1000 + np.arange(32)]))


def test_two_shared_arrays_of_one_function_called_twice():
    @gpu.jit(device=True)
    def exchange(t, v):
        s = gpu.shared.array(32, np.int64)
        s[t] = v
        gpu.syncthreads()
        r = s[31 - t]
        gpu.syncthreads()
        return r

    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        out[t] = exchange(t, t) * 100 + exchange(t, t + 1)

    out = np.zeros(32, np.int64)
    kernel[1, 32](out)
    t = np.arange(32)
    np.testing.assert_array_equal(out, (31 - t) * 100 + 32 - t)


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.uint16, np.float16, np.float32, np.float64, np.uint64]
)
def test_local_arrays_of_every_width(dtype):
    @gpu.jit
    def kernel(x, out):
        t = gpu.grid(1)
        a = gpu.local.array((3, 5), dtype)
        for i in range(3):
            for j in range(5):
                a[i, j] = x[(t + 5 * i + j) % x.size]
        for i in range(3):
            for j in range(5):
                out[t, i, j] = a[2 - i, 4 - j]

    x = (np.arange(17) % 2).astype(dtype) if dtype is np.bool_ else np.arange(17).astype(dtype)
    out = np.zeros((40, 3, 5), dtype)
    kernel[5, 8](x, out)
    for t in range(40):
        np.testing.assert_array_equal(out[t].ravel(), x[(t + np.arange(15)) % 17][::-1])


def test_local_array_in_a_loop_and_in_a_device_function():
    @gpu.jit(device=True)
    def reversed_sum(x, n):
        a = gpu.local.array(8, np.int32)
        for i in range(n):
            a[i] = x[n - 1 - i] * (i + 1)
        s = 0
        for i in range(n):
            s += a[i]
        return s

    @gpu.jit
    def kernel(x, out):
        t = gpu.grid(1)
        for turn in range(3):
            b = gpu.local.array(2, np.int32)
            b[0] = t + turn
            b[1] = reversed_sum(x, 4)
            out[t, turn] = b[0] + b[1]

    x, out = np.array([1, 2, 3, 4], np.int32), np.zeros((5, 3), np.int64)
    kernel[1, 5](x, out)
    np.testing.assert_array_equal(out, np.arange(5)[:, None] + np.arange(3) + 4 * 1 + 3 * 2 + 2 * 3 + 1 * 4)


def test_captured_arrays_are_constants():
    @gpu.jit
    def kernel(out, matrix):
        i = gpu.grid(1)
        out[i] = TABLE[i % TABLE.size] + TABLE[-1]
        for j in range(GRID.shape[1]):
            if i < GRID.shape[0]:
                matrix[i, j] = GRID[i, j]

    out, matrix = np.zeros(16, np.int32), np.zeros(GRID.shape, np.float32)
    kernel[2, 8](out, matrix)
    np.testing.assert_array_equal(out, np.tile(TABLE, 2) + np.int32(6))
    np.testing.assert_array_equal(matrix, GRID)


@pytest.mark.parametrize(
    "dtype",
    [np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64],
    ids=lambda t: np.dtype(t).name,
)
def test_atomics_on_every_type(dtype):
    @gpu.jit
    def kernel(x, cells, slots):
        i = gpu.grid(1)
        if i < x.size:
            gpu.atomic.add(cells, 0, x[i])
            gpu.atomic.sub(cells, 1, x[i])
            gpu.atomic.min(cells, 2, x[i])
            gpu.atomic.max(cells, -1, x[i])
            slots[i] = gpu.atomic.add(cells, (4,), 1)

    x = np.random.default_rng(5).integers(0, 1000, 300).astype(dtype)
    cells = np.array([0, 10**6, 500, 500, 0, 500], dtype)
    slots = np.zeros(300, dtype)
    kernel[7, 48](x, cells, slots)
    np.testing.assert_array_equal(cells, [x.sum(), 10**6 - x.sum(), x.min(), 500, 300, x.max()])
    np.testing.assert_array_equal(np.sort(slots), np.arange(300))  # the old values are all different


def test_atomic_min_max_of_negative_values_and_nan():
    @gpu.jit
    def kernel(x, cells):
        i = gpu.grid(1)
        if i < x.size:
            gpu.atomic.min(cells, 0, x[i])
            gpu.atomic.max(cells, 1, x[i])
            gpu.atomic.max(cells, 2, x[i])

    x = np.array([-5.5, np.nan, 3.25, -0.5, 7.5], np.float32)
    cells = np.array([0, -100, np.nan], np.float32)
    kernel[1, 8](x, cells)
    np.testing.assert_array_equal(cells, np.array([-5.5, 7.5, np.nan], np.float32))


@pytest.mark.parametrize("dtype", [np.int32, np.uint64], ids=lambda t: np.dtype(t).name)
def test_compare_and_swap_counts_every_success_once(dtype):
    @gpu.jit
    def kernel(cell, wins):
        i = gpu.grid(1)
        done = False
        while not done:
            old = cell[0]
            done = gpu.atomic.cas(cell, 0, old, old + 1) == old
        wins[i] += 1

    cell, wins = np.zeros(1, dtype), np.zeros(200, np.int32)
    kernel[8, 25](cell, wins)
    assert cell[0] == 200 and (wins == 1).all()


def test_shared_atomics_return_old_values():
    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(2, np.int32)
        t = gpu.threadIdx.x
        if t < 2:
            s[t] = 0
        gpu.syncthreads()
        out[gpu.grid(1)] = gpu.atomic.add(s, t % 2, 1)

    out = np.zeros(128, np.int32)
    kernel[2, 64](out)
    for block in out.reshape(2, 64):
        np.testing.assert_array_equal(np.sort(block[::2]), np.arange(32))
        np.testing.assert_array_equal(np.sort(block[1::2]), np.arange(32))


def test_two_dimensional_atomic_index():
    @gpu.jit
    def kernel(cells):
        i, j = gpu.grid(2)
        gpu.atomic.add(cells, (i % 2, j % 3), 1)

    cells = np.zeros((2, 3), np.int32)
    kernel[(2, 2), (2, 3)](cells)
    np.testing.assert_array_equal(cells, np.full((2, 3), 4))

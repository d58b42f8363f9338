"""Threads that run side by side as lanes of vectors: what they read and write, each its own."""

import mmap
import os

import numpy as np
import pytest
from lanewise import gpu


def test_shared_arrays_end_where_values_are_kept():
    """A block that does not fill its gang writes no more than its part of a shared array."""

    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(10, np.int32)
        t = gpu.threadIdx.x
        s[t] = t
        gpu.syncthreads()
        mine = s[t]
        kept = out[t] + mine
        s[t] = mine + 1
        gpu.syncthreads()
        out[t] = kept * 10 + s[9 - t]

    t = np.arange(10, dtype=np.int32)
    out = t * 9
    kernel[1, 10](out)
    np.testing.assert_array_equal(out, (t * 9 + t) * 10 + 9 - t + 1)


def test_hints_that_read_each_time():
    @gpu.jit
    def kernel(a, out):
        t = gpu.threadIdx.x
        own = gpu.local.array(3, np.int64)
        before = gpu.ldcv(a, t)
        a[t] = before + 1
        own[t % 3] = before
        out[t] = gpu.ldcv(a, t) * 10 + gpu.ldcv(own, t % 3)

    a, out = np.arange(40), np.zeros(40, np.int64)
    kernel[1, 40](a, out)
    np.testing.assert_array_equal(out, (np.arange(40) + 1) * 10 + np.arange(40))


def test_local_arrays():
    """One for each thread, read at varying indices, kept over a barrier, and one that is too big for a stack."""

    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        small = gpu.local.array(7, np.int32)
        big = gpu.local.array(3000, np.float64)
        kept = gpu.local.array((3, 2), np.int16)
        for i in range(7):
            small[i] = t * 10 + i
        for i in range(0, 3000, 100):
            big[i + t % 100] = t + i
        kept[t % 3, 1] = t
        gpu.syncthreads()
        out[t, 0] = small[t % 7]
        out[t, 1] = big[2900 + t % 100]
        out[t, 2] = kept[t % 3, 1]
        out[t, 3] = small[-1]

    n = 70
    out = np.zeros((n, 4))
    kernel[1, n](out)
    t = np.arange(n)
    np.testing.assert_array_equal(out, np.stack([t * 10 + t % 7, t + 2900, t, t * 10 + 6], 1))


def test_strides_and_negative_steps():
    @gpu.jit
    def kernel(x, f, out, back):
        i = gpu.grid(1)
        n = x.size
        out[i] = x[n - 1 - i] + f[i % 4, i // 4] + x[i // 2] + x[i & 3]
        back[-1 - i] = x[i]

    n = 96
    x = np.arange(2 * n, dtype=np.float32)[::2]
    f = np.asfortranarray(np.arange(n, dtype=np.float32).reshape(4, n // 4))
    out, back = np.zeros(n, np.float32), np.zeros(n, np.float32)
    kernel[3, 32](x, f, out, back)
    i = np.arange(n)
    np.testing.assert_array_equal(out, x[::-1] + f[i % 4, i // 4] + x[i // 2] + x[i & 3])
    np.testing.assert_array_equal(back, x[::-1])


def test_stores_to_one_place():
    """Where many write, one of their values stays: on the CPU the highest thread's, as when they run in order."""

    @gpu.jit
    def kernel(out, some):
        t = gpu.threadIdx.x
        out[0] = t
        if t < some:
            out[1] = t * 2
        out[2 + t // 8] = t

    out = np.full(8, -1, np.int32)
    kernel[1, 32](out, 13)
    writers = [range(32), range(0, 26, 2), *(range(8 * i, 8 * i + 8) for i in range(4))]
    for value, might in zip(out, writers):
        assert value in might
    if gpu.current_target() != "cuda":
        assert out[:6].tolist() == [might[-1] for might in writers]


def test_atomics_give_back_old_values():
    @gpu.jit
    def kernel(count, taken, sums):
        s = gpu.shared.array(4, np.int32)
        t = gpu.threadIdx.x
        if t < 4:
            s[t] = 0
        gpu.syncthreads()
        if t % 5 != 0:
            taken[t] = gpu.atomic.add(count, 0, 1)
            gpu.atomic.add(s, t % 4, t)
        gpu.syncthreads()
        if t < 4:
            sums[t] = s[t]

    n = 80
    count, taken, sums = np.zeros(1, np.int64), np.full(n, -1), np.zeros(4, np.int32)
    kernel[1, n](count, taken, sums)
    t = np.arange(n)
    active = t % 5 != 0
    assert count[0] == active.sum()
    assert sorted(taken[active]) == list(range(active.sum()))
    assert (taken[~active] == -1).all()
    assert sums.tolist() == [t[active & (t % 4 == r)].sum() for r in range(4)]


def neighbours(dtype, up, down):
    @gpu.jit
    def kernel(out, x):
        s = gpu.shared.array(64, dtype)
        t = gpu.threadIdx.x
        n = gpu.blockDim.x
        s[t] = x[t]
        gpu.syncthreads()
        v = s[t + up] if t + up < n else dtype(0)
        gpu.syncthreads()
        s[t] += v
        gpu.syncthreads()
        v = s[t - down] if t >= down else dtype(0)
        gpu.syncthreads()
        s[t] -= v
        gpu.syncthreads()
        if t < 8:
            s[t] += s[t + 8 + up % 16]
        gpu.syncthreads()
        out[t] = s[t] + s[n - 1 - t]

    return kernel


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint32, np.int64, np.float32, np.float64, np.complex64])
@pytest.mark.parametrize("up, down", [(1, 2), (2, 1), (4, 8), (8, 4), (16, 3), (31, 1), (32, 16), (5, 33)])
def test_rows_that_overlap_what_was_just_written(dtype, up, down):
    kernel = neighbours(dtype, up, down)
    for threads in (64, 40 + up % 8):
        x, out = (np.arange(threads) * 7 % 100).astype(dtype), np.zeros(threads, dtype)
        kernel[1, threads](out, x)
        s = np.zeros(64, dtype)
        s[:threads] = x
        s[: threads - up] += s[up:threads].copy()
        s[down:threads] -= s[: threads - down].copy()
        s[:8] += s[8 + up % 16 : 16 + up % 16].copy()
        np.testing.assert_array_equal(out, s[:threads] + s[:threads][::-1])


def test_more_than_four_gib():
    """64-bit addresses: memory that is never touched is never there."""
    if os.environ.get("LANEWISE_TARGET") == "cuda":
        pytest.skip("a device array of that size would be copied")
    size = (1 << 32) + 4096
    memory = mmap.mmap(
        -1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)
    )
    x = np.frombuffer(memory, np.uint8)

    @gpu.jit
    def kernel(x, base):
        x[base + gpu.threadIdx.x] = gpu.threadIdx.x + 1

    kernel[1, 64](x, 1 << 32)
    assert x[1 << 32 : (1 << 32) + 64].tolist() == list(range(1, 65))
    assert x[:64].sum() == 0

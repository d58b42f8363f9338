"""Threads that run side by side as lanes of vectors and part ways: every thread has what it has alone.

What is asked here is what goes wrong when 32 threads share one instruction: lanes that take no part, blocks that
do not fill their last gang, rows that do not fill one, values that cross a barrier.
"""

import mmap

import numpy as np
import pytest
from lanewise import gpu

BLOCKS = [
    (1,),
    (31,),
    (32,),
    (33,),
    (48,),
    (256,),
    (1024,),
    (16, 16),
    (8, 3, 4),
    (4, 16),
    (2, 2, 2),
    (3, 5, 7),
    (1, 256),
    (64, 2, 2),
    (96, 2),
    (48, 2, 2),
    (24, 4, 2),
    (100,),
]
blocks = pytest.mark.parametrize("block", BLOCKS, ids=lambda b: "x".join(map(str, b)))


def indices(block):
    """x, y, z of each thread in linear order."""
    shape = (*block, 1, 1)[:3]
    z, y, x = np.unravel_index(np.arange(np.prod(shape)), shape[::-1])
    return x, y, z


@blocks
def test_indices(block):
    @gpu.jit
    def kernel(out):
        t = (gpu.threadIdx.z * gpu.blockDim.y + gpu.threadIdx.y) * gpu.blockDim.x + gpu.threadIdx.x
        out[t, 0] = gpu.threadIdx.x
        out[t, 1] = gpu.threadIdx.y
        out[t, 2] = gpu.threadIdx.z
        out[t, 3] = gpu.laneid
        out[t, 4] = t // 32
        out[t, 5] = t % 7

    threads = int(np.prod(block))
    out = np.full((threads + 40, 6), -1, np.int32)
    kernel[1, block](out)
    t = np.arange(threads)
    np.testing.assert_array_equal(out[:threads], np.stack([*indices(block), t % 32, t // 32, t % 7], 1))
    assert (out[threads:] == -1).all()


@blocks
def test_early_return_then_barriers(block):
    """Threads that have returned count as arrived; what the others have kept over the barrier is theirs."""

    @gpu.jit
    def kernel(out, keep):
        s = gpu.shared.array(1024, np.int32)
        t = (gpu.threadIdx.z * gpu.blockDim.y + gpu.threadIdx.y) * gpu.blockDim.x + gpu.threadIdx.x
        n = gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z
        mine = t * 3 + 1
        s[t] = t
        gpu.syncthreads()
        if t % 3 == 2:
            out[t] = -1
            return
        other = s[n - 1 - t]
        if t > keep:
            mine += other
        else:
            late = other * 2
        gpu.syncthreads()
        if t > keep:
            s[t] = mine
        else:
            s[t] = late
        gpu.syncthreads()
        out[t] = s[t]

    threads = int(np.prod(block))
    out = np.zeros(threads, np.int32)
    kernel[1, block](out, threads // 2)
    t = np.arange(threads)
    other = threads - 1 - t
    expected = np.where(t > threads // 2, t * 3 + 1 + other, other * 2)
    np.testing.assert_array_equal(out, np.where(t % 3 == 2, -1, expected))


@blocks
def test_conditions_that_agree(block):
    """Trip counts and conditions that are loaded for each thread, and happen to be the same for all."""

    @gpu.jit
    def kernel(turns, go, out):
        s = gpu.shared.array(1024, np.int64)
        t = (gpu.threadIdx.z * gpu.blockDim.y + gpu.threadIdx.y) * gpu.blockDim.x + gpu.threadIdx.x
        n = gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z
        v = t
        for i in range(turns[t]):
            s[t] = v + i
            gpu.syncthreads()
            v = s[(t + 1) % n]
            gpu.syncthreads()
            if i == t:
                continue
            v += 1
        if go[t]:
            s[t] = v
            gpu.syncthreads()
            v = s[n - 1 - t]
        out[t] = v

    threads = int(np.prod(block))
    out = np.zeros(threads, np.int64)
    kernel[1, block](np.full(threads, 3), np.ones(threads, np.bool_), out)
    t = np.arange(threads)
    v = t.copy()
    for i in range(3):
        v = np.roll(v + i, -1) + (t != i)
    np.testing.assert_array_equal(out, v[::-1])


@blocks
def test_nested_loops_left_in_every_way(block):
    def run(t, n, x):
        total = 0
        last = -1
        for i in range(t % 5 + 1):
            for j in range(n):
                last = j
                if (i * 3 + j + t) % 7 == 6:
                    break
                if (i + j) % 3 == t % 3:
                    continue
                k = t % 4
                while True:
                    total += k + x[(t + j) % 8]
                    k -= 1
                    if k < 0:
                        break
                    if total > 400 and t % 2:
                        return total * 1000 + last
            else:
                total += 100
            if total % 11 == 10:
                return -total
        return total * 10 + last

    device = gpu.jit(device=True)(run)

    @gpu.jit
    def kernel(n, x, out):
        t = (gpu.threadIdx.z * gpu.blockDim.y + gpu.threadIdx.y) * gpu.blockDim.x + gpu.threadIdx.x
        out[t] = device(t, n, x)

    threads = int(np.prod(block))
    x = np.array([3, 1, 4, 1, 5, 9, 2, 6])
    out = np.zeros(threads, np.int64)
    kernel[1, block](6, x, out)
    assert out.tolist() == [run(t, 6, x.tolist()) for t in range(threads)]


def test_ten_nested_ifs():
    def run(v):
        r = 0
        if v & 1:
            r += 1
            if v & 2:
                r += 2
                if v & 4:
                    r += 4
                    if v & 8:
                        r += 8
                        if v & 16:
                            r += 16
                            if v & 32:
                                r += 32
                                if v & 64:
                                    r += 64
                                    if v & 128:
                                        r += 128
                                        if v & 256:
                                            r += 256
                                            if v & 512:
                                                r += 512
        else:
            r = -v
        return r

    device = gpu.jit(device=True)(run)

    @gpu.jit
    def kernel(out):
        out[gpu.threadIdx.x] = device(gpu.threadIdx.x)

    out = np.zeros(1024, np.int32)
    kernel[1, 1024](out)
    assert out.tolist() == [run(v) for v in range(1024)]


# --- lanes that take no part


def test_more_shapes_than_get_code_of_their_own():
    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.y * gpu.blockDim.x + gpu.threadIdx.x
        out[t] += gpu.blockDim.x * 1000 + t

    for block in [(64,), (32, 2), (7,), (5, 3), (16, 4), (33,), (64,), (9, 9)]:
        threads = int(np.prod(block))
        out = np.ones(threads, np.int64)
        kernel[1, block](out)
        np.testing.assert_array_equal(out, block[0] * 1000 + np.arange(threads) + 1)


def test_dead_lanes_reach_nothing():
    """Indices out of range, division by zero and the like in lanes that the guard keeps out."""

    @gpu.jit
    def kernel(x, at, by, out):
        t = gpu.threadIdx.x
        if by[t] != 0:
            out[t] = x[at[t]] // by[t]
        if at[t] >= 0 and at[t] < x.size:
            out[t] += x[at[t]] % 5

    n = 64
    t = np.arange(n)
    x = np.arange(10, 10 + n)
    by = np.where(t % 3 == 0, 0, t - 30)
    by[by == 0] = 0
    dead = by == 0
    at = np.where(dead, 1 << 50, n - 1 - t)
    out = np.zeros(n, np.int64)
    kernel[1, n](x, at, by, out)
    expected = np.where(dead, 0, x[::-1] // np.where(dead, 1, by) + x[::-1] % 5)
    np.testing.assert_array_equal(out, expected)


def test_arrays_at_the_end_of_their_memory():
    """No load or store goes beyond an array, whatever the lanes beyond would read: behind it is no memory."""
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 4 * page)
    whole = np.frombuffer(memory, np.uint8)

    @gpu.jit
    def kernel(x, y):
        i = gpu.grid(1)
        if i < x.size:
            y[i] = x[i] + 1

    @gpu.jit
    def tree(x, out):
        s = gpu.shared.array(64, np.float32)
        t = gpu.threadIdx.x
        s[t] = 0.0
        if t < x.size:
            s[t] = x[t]
        k = 32
        while k > 0:
            gpu.syncthreads()
            if t < k:
                s[t] += s[t + k]
            k //= 2
        if t == 0:
            out[0] = s[0]

    for count in (1, 5, 31, 33, 37):
        x = whole[2 * page - 4 * count : 2 * page].view(np.float32)
        y = whole[4 * page - 4 * count :].view(np.float32)
        x[:] = np.arange(count)
        kernel[2, 32](x, y)
        np.testing.assert_array_equal(y, np.arange(count) + 1)
        tree[1, 64](x, y[:1])
        assert y[0] == np.arange(count).sum()


def test_values_after_a_varying_break():
    @gpu.jit
    def kernel(x, out):
        t = gpu.threadIdx.x
        found = -1
        for i in range(20):
            if x[t, i] > 15:
                found = i
                break
        out[t, 0] = i
        out[t, 1] = found

    n = 48
    x = (np.arange(n * 20) * 7919 % 17).reshape(n, 20)
    x[5] = 0
    out = np.zeros((n, 2), np.int64)
    kernel[1, n](x, out)
    for t in range(n):
        hits = np.flatnonzero(x[t] > 15)
        assert out[t].tolist() == ([hits[0]] * 2 if hits.size else [19, -1])


def test_nan_denormals_and_signed_zeros():
    @gpu.jit
    def kernel(x, out):
        t = gpu.threadIdx.x
        v = x[t]
        out[t, 0] = v if v > 1 else -v
        out[t, 1] = v * np.float32(0.5) if not v <= 1 else v
        out[t, 2] = min(v, np.float32(2))
        out[t, 3] = max(v, np.float32(-0.0))

    x = np.tile(np.array([np.nan, 1e-42, -1e-42, 0.0, -0.0, np.inf, -np.inf, 3], np.float32), 5)
    out = np.zeros((x.size, 4), np.float32)
    kernel[1, x.size](x, out)
    with np.errstate(invalid="ignore"):
        expected = np.stack(
            [
                np.where(x > 1, x, -x),
                np.where(x <= 1, x, x * np.float32(0.5)),
                np.fmin(x, np.float32(2)),
                np.fmax(x, -0.0),
            ],
            1,
        )
    np.testing.assert_array_equal(out, expected)
    finite = ~np.isnan(expected[:, :2])
    np.testing.assert_array_equal(np.signbit(out[:, :2])[finite], np.signbit(expected[:, :2])[finite])


def test_loops_that_lanes_leave_at_any_turn():
    """A strided loop whose index is a row of memory, left by each lane when it finds something."""

    @gpu.jit
    def kernel(a, b, c, n):
        i = gpu.grid(1)
        while i < n:
            if a[i] == 0:
                break
            b[i] = a[i]
            i += gpu.gridsize(1)
        for k in range(n):
            if a[k] == gpu.threadIdx.x:
                return
            c[gpu.threadIdx.x, k] = k + 1

    n, threads = 300, 64
    a = (np.arange(n) * 37 % 41 + 1).astype(np.int32)
    a[[70, 140, 260]] = 0
    b, c = np.zeros(n, np.int32), np.zeros((threads, n), np.int32)
    kernel[1, threads](a, b, c, n)
    for t in range(threads):
        own = np.arange(t, n, threads)
        stop = np.flatnonzero(a[own] == 0)
        length = stop[0] if stop.size else own.size
        np.testing.assert_array_equal(b[own], np.where(np.arange(own.size) < length, a[own], 0))
        found = np.flatnonzero(a == t)
        last = found[0] if found.size else n
        np.testing.assert_array_equal(c[t], np.where(np.arange(n) < last, np.arange(1, n + 1), 0))


def test_a_condition_is_not_computed_for_nobody():
    """All lanes leave by break before the condition would read beyond its array."""
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, page)
    a = np.frombuffer(memory, np.int32)[-2:]

    @gpu.jit
    def kernel(a, b):
        i = 0
        t = gpu.threadIdx.x
        while a[i] != 7:
            i += 1
            if b[(i - 1) * 32 + t] >= 0:
                break
            b[(i - 1) * 32 + t] = 1

    b = np.full(64, -1, np.int32)
    b[32:] = 0
    kernel[1, 32](a, b)
    assert b[:32].tolist() == [1] * 32 and b[32:].tolist() == [0] * 32

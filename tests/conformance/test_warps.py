"""Warp operations: shuffles of every type, votes, matches, reductions; partial warps, lanes that part and meet again.

What a shuffle gives where the other lane is no member is the lane's own value; on CUDA that is not defined, so it is
looked at elsewhere only.
"""

import numpy as np
import pytest
from lanewise import CompileError, gpu

FULL = 0xFFFFFFFF
DEFINED = gpu.current_target() != "cuda"
SHAPES = [1, 31, 32, 33, 64, (8, 8), (16, 3), (3, 5, 7), 1024]
TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]


def threads_of(shape):
    return int(np.prod(shape))


def by_lane(values, shape, source):
    """What each thread gets that reads lane source(lane) of its warp; and whether that lane is there."""
    n = threads_of(shape)
    t = np.arange(n)
    lane = source(t % 32)
    at = t // 32 * 32 + lane
    there = (lane >= 0) & (lane < 32) & (at < n)
    return np.where(there, values[np.where(there, at, 0)], values), there | (lane < 0) | (lane >= 32)


def random_values(dtype, n):
    rng = np.random.default_rng(7)
    if dtype == "bool":
        return rng.integers(0, 2, n).astype(bool)
    return np.frombuffer(rng.bytes(n * np.dtype(dtype).itemsize), dtype).copy()


@gpu.jit(device=True)
def linear():
    return gpu.threadIdx.x + gpu.blockDim.x * (gpu.threadIdx.y + gpu.blockDim.y * gpu.threadIdx.z)


@gpu.jit
def shuffle_all(x, by, out):
    t = linear()
    v = x[t]
    out[0, t] = gpu.shfl_sync(0xFFFFFFFF, v, by)
    out[1, t] = gpu.shfl_up_sync(0xFFFFFFFF, v, by)
    out[2, t] = gpu.shfl_down_sync(0xFFFFFFFF, v, by)
    out[3, t] = gpu.shfl_xor_sync(0xFFFFFFFF, v, by)
    out[4, t] = gpu.shfl_down_sync(0xFFFFFFFF, v, 16)
    out[5, t] = gpu.shfl_xor_sync(0xFFFFFFFF, v, 5)
    out[6, t] = gpu.shfl_sync(0xFFFFFFFF, v, (gpu.laneid * 7 + by) % 32)
    out[7, t] = gpu.shfl_up_sync(0xFFFFFFFF, v, 33)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_shuffles(dtype, shape):
    n = threads_of(shape)
    x = random_values(dtype, n)
    bits = f"u{np.dtype(dtype).itemsize}"
    for by in (0, 1, 13, 31, 34):
        out = np.zeros((8, n), dtype)
        shuffle_all[1, shape](x, by, out)
        d = by % 32
        sources = [
            lambda lane: lane * 0 + d,
            lambda lane: lane - d,
            lambda lane: lane + d,
            lambda lane: lane ^ d,
            lambda lane: lane + 16,
            lambda lane: lane ^ 5,
            lambda lane: (lane * 7 + by) % 32,
            lambda lane: lane - 1,
        ]
        for row, source in zip(out, sources):
            expected, defined = by_lane(x, shape, source)
            sure = np.ones(n, bool) if DEFINED else defined
            np.testing.assert_array_equal(row.view(bits)[sure], expected.view(bits)[sure])


@gpu.jit
def vote_all(p, out):
    t = linear()
    mine = p[t]
    out[0, t] = gpu.all_sync(0xFFFFFFFF, mine)
    out[1, t] = gpu.any_sync(0xFFFFFFFF, mine)
    out[2, t] = gpu.eq_sync(0xFFFFFFFF, mine)
    out[3, t] = gpu.ballot_sync(0xFFFFFFFF, mine)
    out[4, t] = gpu.activemask()
    out[5, t] = gpu.lanemask_lt()
    out[6, t] = gpu.popc(gpu.ballot_sync(-1, mine) & gpu.lanemask_lt())
    out[7, t] = gpu.lanemask_eq() | gpu.lanemask_gt()
    out[8, t] = gpu.lanemask_le() ^ gpu.lanemask_ge()
    out[9, t] = gpu.laneid * gpu.warpsize


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["none", "all", "some"])
def test_votes(shape, kind):
    n = threads_of(shape)
    p = {"none": np.zeros(n), "all": np.full(n, 0.5), "some": np.arange(n) % 3 == 0}[kind].astype(np.float32)
    out = np.zeros((10, n), np.int64)
    vote_all[1, shape](p, out)
    expected = np.zeros_like(out)
    for first in range(0, n, 32):
        lanes = np.arange(first, min(first + 32, n))
        yes = p[lanes] != 0
        bits = 1 << (lanes - first)
        expected[0, lanes] = yes.all()
        expected[1, lanes] = yes.any()
        expected[2, lanes] = yes.all() or not yes.any()
        expected[3, lanes] = bits[yes].sum()
        expected[4, lanes] = bits.sum()
        expected[6, lanes] = np.cumsum(yes) - yes
    lane = np.arange(n) % 32
    expected[5] = (1 << lane) - 1
    expected[7] = 2**32 - (1 << lane)
    expected[8] = 2**32 - 1 - (1 << lane)
    expected[9] = lane * 32
    np.testing.assert_array_equal(out, expected)


@gpu.jit
def match_all_kinds(x, lanes, alike, agree):
    t = linear()
    lanes[t] = gpu.match_any_sync(0xFFFFFFFF, x[t])
    who, same = gpu.match_all_sync(0xFFFFFFFF, x[t])
    alike[t] = who
    agree[t] = same


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "uint64", "float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [32, 33, (8, 8), 1024])
def test_matches(dtype, shape):
    n = threads_of(shape)
    for values in (np.arange(n) * 5 % 7, np.zeros(n)):
        x = values.astype(dtype)
        lanes, alike, agree = np.zeros(n, np.uint32), np.zeros(n, np.uint32), np.zeros(n, bool)
        match_all_kinds[1, shape](x, lanes, alike, agree)
        for first in range(0, n, 32):
            mine = x[first : first + 32]
            bits = np.uint32(1) << np.arange(len(mine), dtype=np.uint32)
            for k, v in enumerate(mine):
                assert lanes[first + k] == bits[mine == v].sum()
            same = bool((mine == mine[0]).all())
            assert (agree[first : first + 32] == same).all()
            assert (alike[first : first + 32] == (bits.sum() if same else 0)).all()


@gpu.jit
def reduce_all(x, out):
    t = linear()
    v = x[t]
    out[0, t] = gpu.reduce_add_sync(0xFFFFFFFF, v)
    out[1, t] = gpu.reduce_min_sync(0xFFFFFFFF, v)
    out[2, t] = gpu.reduce_max_sync(0xFFFFFFFF, v)
    out[3, t] = gpu.reduce_and_sync(0xFFFFFFFF, v)
    out[4, t] = gpu.reduce_or_sync(0xFFFFFFFF, v)
    out[5, t] = gpu.reduce_xor_sync(0xFFFFFFFF, v)


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("shape", [1, 32, 33, (8, 8), 1024])
def test_reductions(dtype, shape):
    n = threads_of(shape)
    x = random_values(dtype, n)
    out = np.zeros((6, n), dtype)
    reduce_all[1, shape](x, out)
    functions = [np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor]
    for first in range(0, n, 32):
        for row, function in zip(out, functions):
            with np.errstate(over="ignore"):
                wanted = function.reduce(x[first : first + 32], dtype=dtype)
            assert (row[first : first + 32] == wanted).all()


def test_narrow_integers_reduce_in_32_bits():
    @gpu.jit
    def kernel(x, out):
        out[gpu.threadIdx.x] = gpu.reduce_add_sync(0xFFFFFFFF, x[gpu.threadIdx.x])

    out = np.zeros(32, np.int64)
    kernel[1, 32](np.full(32, 100, np.int8), out)
    np.testing.assert_array_equal(out, np.full(32, 3200))


def test_python_numbers_and_tuples():
    @gpu.jit
    def kernel(out, floats):
        t = gpu.threadIdx.x
        a, b = gpu.shfl_xor_sync(0xFFFFFFFF, (t * 10, t + 0.5), 1)
        out[t] = a
        floats[t] = b

    out, floats = np.zeros(64, np.int64), np.zeros(64)
    kernel[1, 64](out, floats)
    np.testing.assert_array_equal(out, (np.arange(64) ^ 1) * 10)
    np.testing.assert_array_equal(floats, (np.arange(64) ^ 1) + 0.5)


@pytest.mark.parametrize("shape", [32, 64, 96, (16, 8), 1024])
def test_block_sum(shape):
    @gpu.jit
    def kernel(x, out):
        parts = gpu.shared.array(32, np.float32)
        t = linear()
        v = x[t]
        d = 16
        while d > 0:
            v += gpu.shfl_down_sync(0xFFFFFFFF, v, d)
            d //= 2
        if gpu.laneid == 0:
            parts[t // 32] = v
        gpu.syncthreads()
        if t < 32:
            warps = gpu.blockDim.x * gpu.blockDim.y // 32
            v = parts[t] if t < warps else np.float32(0)
            for k in (16, 8, 4, 2, 1):
                v += gpu.shfl_down_sync(0xFFFFFFFF, v, k)
            if t == 0:
                out[0] = v

    n = threads_of(shape)
    x = np.arange(n, dtype=np.float32) % 17
    out = np.zeros(1, np.float32)
    kernel[1, shape](x, out)
    assert out[0] == x.sum()


@pytest.mark.parametrize("block", [32, 64, 96])
def test_inclusive_scan_of_a_warp(block):
    @gpu.jit
    def kernel(x, out):
        t = gpu.threadIdx.x
        v = x[t]
        for i in range(5):
            other = gpu.shfl_up_sync(0xFFFFFFFF, v, 1 << i)
            if gpu.laneid >= 1 << i:
                v += other
        out[t] = v

    x = np.arange(block, dtype=np.int32) * 3 % 11
    out = np.zeros(block, np.int32)
    kernel[1, block](x, out)
    np.testing.assert_array_equal(out.reshape(-1, 32), np.cumsum(x.reshape(-1, 32), axis=1))


@pytest.mark.parametrize("block", [32, 33, 64])
def test_half_a_warp_in_each_arm(block):
    @gpu.jit
    def kernel(out, masks):
        t = gpu.threadIdx.x
        lane = gpu.laneid
        if lane < 16:
            out[t] = gpu.shfl_sync(0x0000FFFF, t, 3)
            masks[t] = gpu.ballot_sync(0x0000FFFF, lane % 2 == 0)
        else:
            out[t] = gpu.shfl_sync(0xFFFF0000, t * 2, 16)
            masks[t] = gpu.ballot_sync(0xFFFF0000, True)
        gpu.syncwarp()
        masks[t] += int(gpu.popc(gpu.ballot_sync(0xFFFFFFFF, True))) << 32

    out, masks = np.zeros(block, np.int64), np.zeros(block, np.int64)
    kernel[1, block](out, masks)
    for first in range(0, block, 32):
        here = min(32, block - first)
        low = sum(1 << k for k in range(min(16, here)) if k % 2 == 0)
        high = sum(1 << k for k in range(16, here))
        for lane in range(here):
            want = first + 3 if lane < 16 else 2 * (first + 16)
            if DEFINED or here == 32:
                own = first + lane if lane < 16 else 2 * (first + lane)
                assert out[first + lane] == (want if here > 3 else own)
            assert masks[first + lane] == (low if lane < 16 else high) + (here << 32)


@pytest.mark.parametrize("block", [32, 64, 96])
def test_trip_counts_differ_by_warp(block):
    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        v = t
        for i in range(t // 32 + 1):
            v += gpu.shfl_xor_sync(0xFFFFFFFF, v, 1)
        out[t] = v

    out = np.zeros(block, np.int64)
    kernel[1, block](out)
    v = np.arange(block)
    for t in range(block):
        pair = np.array([t & ~1, t | 1])
        for _ in range(t // 32 + 1):
            pair = np.array([pair.sum()] * 2)
        assert out[t] == pair[0]
    assert v.size == block


@pytest.mark.parametrize("block", [32, 33, 64])
def test_trip_counts_differ_by_lane(block):
    """In each turn the lanes that are still in the loop meet: the mask says who."""

    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        lane = gpu.laneid
        seen = 0
        i = 0
        while i < lane % 5:
            mask = 0
            for k in range(32):
                if k % 5 > i and t - lane + k < gpu.blockDim.x:
                    mask |= 1 << k
            seen += gpu.popc(gpu.ballot_sync(mask, True)) * (i + 1)
            i += 1
        out[t] = seen

    out = np.zeros(block, np.int64)
    kernel[1, block](out)
    for t in range(block):
        first = t // 32 * 32
        lanes = np.arange(min(32, block - first)) % 5
        assert out[t] == sum((lanes > i).sum() * (i + 1) for i in range(t % 32 % 5))


def test_returned_lanes_are_no_members():
    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        if t % 4 == 1:
            return
        out[t] = gpu.ballot_sync(0xFFFFFFFF, True)

    out = np.zeros(64, np.uint32)
    kernel[1, 64](out)
    t = np.arange(64)
    there = np.uint32(sum(1 << k for k in range(32) if k % 4 != 1))
    np.testing.assert_array_equal(out, np.where(t % 4 == 1, 0, there).astype(np.uint32))


def test_break_and_continue_around_warp_ops():
    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        total = 0
        for i in range(6):
            if t == i:
                break
            if (t + i) % 2 == 0:
                continue
            mask = 0
            for k in range(32):
                if k > i and (k + i) % 2 == 1:
                    mask |= 1 << k
            total += gpu.reduce_add_sync(mask, t)
        out[t] = total

    out = np.zeros(32, np.int64)
    kernel[1, 32](out)
    t = np.arange(32)
    alive, expected = np.ones(32, bool), np.zeros(32, np.int64)
    for i in range(6):
        alive &= t != i
        here = alive & ((t + i) % 2 == 1)
        expected[here] += t[here].sum()
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("block", [64, (8, 8), 33])
def test_in_a_device_function(block):
    @gpu.jit(device=True)
    def warp_sum(v):
        for d in (16, 8, 4, 2, 1):
            v += gpu.shfl_xor_sync(0xFFFFFFFF, v, d)
        return v

    @gpu.jit
    def kernel(out):
        t = linear()
        if t < 32:
            out[t] = warp_sum(t)
        else:
            out[t] = -1

    n = threads_of(block)
    out = np.zeros(n, np.int64)
    kernel[1, block](out)
    np.testing.assert_array_equal(out, np.where(np.arange(n) < 32, 496, -1))


def test_lanes_read_what_others_wrote_before_syncwarp():
    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(64, np.int32)
        t = gpu.threadIdx.x
        base = t - gpu.laneid
        for turn in range(4):
            s[t] = t * (turn + 1)
            gpu.syncwarp()
            out[turn, t] = s[base + (gpu.laneid + 1) % 32]
            gpu.syncwarp(0xFFFFFFFF)

    out = np.zeros((4, 64), np.int64)
    kernel[1, 64](out)
    t = np.arange(64)
    other = t // 32 * 32 + (t + 1) % 32
    for turn in range(4):
        np.testing.assert_array_equal(out[turn], other * (turn + 1))


def test_warp_aggregated_counter():
    """One atomic a warp; each lane finds its own place."""

    @gpu.jit
    def kernel(x, count, out):
        i = gpu.grid(1)
        wanted = x[i] > 0
        lanes = gpu.ballot_sync(0xFFFFFFFF, wanted)
        leader = gpu.ffs(lanes) - 1
        base = 0
        if wanted and gpu.laneid == leader:
            base = gpu.atomic.add(count, 0, gpu.popc(lanes))
        base = gpu.shfl_sync(0xFFFFFFFF, base, max(leader, 0))
        if wanted:
            out[base + gpu.popc(lanes & gpu.lanemask_lt())] = i

    x = np.where(np.arange(512) % 3 == 0, 1, -1).astype(np.int32)
    count, out = np.zeros(1, np.int32), np.full(512, -1, np.int64)
    kernel[4, 128](x, count, out)
    assert count[0] == (x > 0).sum()
    np.testing.assert_array_equal(np.sort(out[: count[0]]), np.flatnonzero(x > 0))


@pytest.mark.parametrize("block", [1, 33, 64, (8, 8), 1024])
def test_barriers_that_reduce(block):
    @gpu.jit
    def kernel(out):
        t = linear()
        n = gpu.blockDim.x * gpu.blockDim.y
        out[0, t] = gpu.syncthreads_count(t % 3 == 0)
        out[1, t] = gpu.syncthreads_and(t < n)
        out[2, t] = gpu.syncthreads_and(t != 5)
        out[3, t] = gpu.syncthreads_or(t == n - 1)
        out[4, t] = gpu.syncthreads_or(t > n)
        total = 0
        for i in range(3):
            total += gpu.syncthreads_count(t > i)
        out[5, t] = total

    n = threads_of(block)
    out = np.zeros((6, n), np.int64)
    kernel[1, block](out)
    t = np.arange(n)
    counts = sum((t > i).sum() for i in range(3))
    for row, wanted in zip(out, [(t % 3 == 0).sum(), 1, int(n <= 5), 1, 0, counts]):
        np.testing.assert_array_equal(row, wanted)


def test_returned_threads_are_not_counted_at_a_barrier():
    @gpu.jit
    def kernel(n, out):
        t = gpu.threadIdx.x
        if t >= n:
            return
        out[t] = gpu.syncthreads_count(True) * 10 + gpu.syncthreads_and(t < n)

    out = np.zeros(64, np.int64)
    kernel[1, 64](40, out)
    np.testing.assert_array_equal(out, np.where(np.arange(64) < 40, 401, 0))


def test_complex_numbers_and_vectors():
    @gpu.jit
    def kernel(z, out, floats):
        t = gpu.threadIdx.x
        other, pair = gpu.shfl_xor_sync(0xFFFFFFFF, (z[t], gpu.float32x2(t, 2 * t)), 1)
        out[t] = gpu.shfl_down_sync(0xFFFFFFFF, gpu.shfl_up_sync(0xFFFFFFFF, other, 0), 0)
        v = gpu.selp(t > 3, pair, gpu.float32x2(-1, -2))
        a, b = gpu.selp(t % 2 == 0, (1, 2.5), (t, 0.5))
        floats[t, 0] = v.x
        floats[t, 1] = v.y
        floats[t, 2] = a + b

    t = np.arange(32)
    z, out, floats = t + 1j * t**2, np.zeros(32, np.complex128), np.zeros((32, 3))
    kernel[1, 32](z, out, floats)
    np.testing.assert_array_equal(out, z[t ^ 1])
    np.testing.assert_array_equal(floats[:, 0], np.where(t > 3, t ^ 1, -1))
    np.testing.assert_array_equal(floats[:, 1], np.where(t > 3, 2 * (t ^ 1), -2))
    np.testing.assert_array_equal(floats[:, 2], np.where(t % 2 == 0, 3.5, t + 0.5))


def test_chosen_tuples_must_be_alike():
    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        out[t] = gpu.selp(t > 3, (1, 2), 3)[0]

    with pytest.raises(CompileError, match="selp"):
        kernel[1, 1](np.zeros(1))

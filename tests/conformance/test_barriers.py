"""Barriers: early returns, loops, conditions that agree, and what every other CPU back end got wrong once."""

import numpy as np
import pytest
from lanewise import KernelError, gpu

BLOCKS = [1, 2, 31, 32, 33, 48, 64, 255, 256]


@pytest.mark.parametrize("block", BLOCKS)
def test_early_return_counts_as_arrived(block):
    @gpu.jit
    def kernel(n, out):
        s = gpu.shared.array(256, np.int32)
        t = gpu.threadIdx.x
        s[t] = 0
        gpu.syncthreads()
        if t >= n:
            return
        s[t] = -999
        gpu.syncthreads()
        if t == 0:
            total = 0
            for i in range(n):
                total += s[i]
            out[0] = total

    n = (block + 1) // 2
    out = np.zeros(1, np.int64)
    kernel[1, block](n, out)
    assert out[0] == -999 * n


@pytest.mark.parametrize("block", BLOCKS)
def test_value_crosses_a_barrier_in_a_loop(block):
    """Each thread's accumulator and loop-carried values stay its own."""

    @gpu.jit
    def kernel(x, out):
        s = gpu.shared.array(256, np.float64)
        t = gpu.threadIdx.x
        n = gpu.blockDim.x
        acc = 0.0
        previous = x[t]
        for turn in range(5):
            s[t] = previous + turn
            gpu.syncthreads()
            previous = s[(t + 1) % n]
            acc += previous * (t + 1)
            gpu.syncthreads()
        out[t] = acc

    x = np.arange(block, dtype=np.float64)
    out = np.zeros(block)
    kernel[1, block](x, out)
    previous, acc = x.copy(), np.zeros(block)
    for turn in range(5):
        previous = np.roll(previous + turn, -1)
        acc += previous * (np.arange(block) + 1)
    np.testing.assert_array_equal(out, acc)


@pytest.mark.parametrize("block", BLOCKS)
def test_trip_count_differs_but_barriers_agree(block):
    """The barrier sits under a guard that holds in the turns that every thread makes."""

    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(256, np.int64)
        t = gpu.threadIdx.x
        s[t] = t
        total = 0
        for i in range(2 + t % 3):
            if i < 2:
                gpu.syncthreads()
                total += s[(t + 1) % gpu.blockDim.x]
                gpu.syncthreads()
                s[t] += 1
            total += 100
        out[t] = total

    out = np.zeros(block, np.int64)
    kernel[1, block](out)
    t = np.arange(block)
    np.testing.assert_array_equal(out, 2 * ((t + 1) % block) + 1 + 100 * (2 + t % 3))


def test_condition_that_agrees_but_is_not_provably_uniform():
    @gpu.jit
    def kernel(flags, out):
        s = gpu.shared.array(64, np.int32)
        t = gpu.threadIdx.x
        s[t] = t
        if flags[t] > 0:
            gpu.syncthreads()
            out[t] = s[gpu.blockDim.x - 1 - t]
        else:
            out[t] = -1

    flags, out = np.ones(64, np.int32), np.zeros(64, np.int32)
    kernel[1, 64](flags, out)
    np.testing.assert_array_equal(out, np.arange(64)[::-1])
    flags[:] = 0
    kernel[1, 64](flags, out)
    np.testing.assert_array_equal(out, np.full(64, -1))


def test_return_inside_a_loop_with_a_barrier():
    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(64, np.int32)
        t = gpu.threadIdx.x
        s[t] = 0
        gpu.syncthreads()
        for turn in range(8):
            if t == turn:
                return
            s[t] += 1
            gpu.syncthreads()
            out[t] = s[t] * 1000 + turn

    out = np.zeros(32, np.int32)
    kernel[1, 32](out)
    expected = [0 if t == 0 else t * 1000 + t - 1 if t < 8 else 8007 for t in range(32)]
    np.testing.assert_array_equal(out, expected)


def test_break_that_all_threads_take_together():
    @gpu.jit
    def kernel(limit, out):
        s = gpu.shared.array(1, np.int32)
        t = gpu.threadIdx.x
        if t == 0:
            s[0] = 0
        gpu.syncthreads()
        turns = 0
        while True:
            gpu.syncthreads()
            if t == 0:
                s[0] += 1
            gpu.syncthreads()
            turns += 1
            if s[0] >= limit[0]:
                break
        out[t] = turns

    out = np.zeros(48, np.int32)
    kernel[1, 48](np.array([7], np.int32), out)
    np.testing.assert_array_equal(out, np.full(48, 7))


def test_two_nested_loops_with_two_conditional_barriers_and_one_after():
    @gpu.jit
    def kernel(a, b, out):
        t = gpu.threadIdx.x
        s = gpu.shared.array(32, np.int32)
        s[t] = 0
        tail = 0
        for i in range(3):
            for j in range(2):
                if a:
                    gpu.syncthreads()
                s[t] += 1
                if b:
                    gpu.syncthreads()
        gpu.syncthreads()
        tail += s[(t + 1) % 32]
        out[t] += tail

    for a in (False, True):
        for b in (False, True):
            out = np.zeros(32, np.int32)
            kernel[1, 32](a, b, out)
            np.testing.assert_array_equal(out, np.full(32, 6))


def test_variable_set_in_one_arm_is_used_after_a_barrier():
    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        hit = -1
        for i in range(5):
            if i == 3 and t == 6:
                hit = i
            gpu.syncthreads()
        out[t] = hit

    out = np.zeros(16, np.int64)
    kernel[1, 16](out)
    expected = np.full(16, -1)
    expected[6] = 3
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("shape", [(16, 16), (3, 5, 7), (1, 256), (2, 2, 2), (32, 8)], ids=str)
def test_block_shapes(shape):
    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(256, np.int32)
        x, y, z = gpu.threadIdx.x, gpu.threadIdx.y, gpu.threadIdx.z
        t = x + gpu.blockDim.x * (y + gpu.blockDim.y * z)
        n = gpu.blockDim.x * gpu.blockDim.y * gpu.blockDim.z
        s[t] = t * t
        gpu.syncthreads()
        out[gpu.blockIdx.x, t] = s[n - 1 - t] + gpu.blockIdx.x

    n = int(np.prod(shape))
    out = np.zeros((3, n), np.int32)
    kernel[3, shape](out)
    t = np.arange(n)
    np.testing.assert_array_equal(out, (n - 1 - t) ** 2 + np.arange(3)[:, None])


def test_local_array_lives_across_a_barrier():
    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        mine = gpu.local.array(4, np.int32)
        s = gpu.shared.array(64, np.int32)
        for i in range(4):
            mine[i] = t * 10 + i
        s[t] = mine[3]
        gpu.syncthreads()
        mine[0] += s[(t + 1) % 64]
        gpu.syncthreads()
        out[t] = mine[0] + mine[1] + mine[2] + mine[3]

    out = np.zeros(64, np.int32)
    kernel[1, 64](out)
    t = np.arange(64)
    np.testing.assert_array_equal(out, 40 * t + 6 + ((t + 1) % 64) * 10 + 3)


def test_barrier_inside_a_device_function():
    @gpu.jit(device=True)
    def reverse(s, t, n):
        gpu.syncthreads()
        v = s[n - 1 - t]
        gpu.syncthreads()
        return v

    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(64, np.int32)
        t = gpu.threadIdx.x
        s[t] = t
        s[t] = reverse(s, t, 64)
        out[t] = reverse(s, t, 64)

    out = np.zeros(64, np.int32)
    kernel[1, 64](out)
    np.testing.assert_array_equal(out, np.arange(64))


def test_max_reduction_of_strided_values():
    @gpu.jit
    def kernel(x, out):
        low = gpu.shared.array(256, np.float32)
        high = gpu.shared.array(256, np.float32)
        t = gpu.threadIdx.x
        lo = x[t]
        hi = x[t]
        for i in range(t, x.size, gpu.blockDim.x):
            lo = min(lo, x[i])
            hi = max(hi, x[i])
        low[t] = lo
        high[t] = hi
        gpu.syncthreads()
        k = 128
        while k > 0:
            if t < k:
                low[t] = min(low[t], low[t + k])
                high[t] = max(high[t], high[t + k])
            gpu.syncthreads()
            k //= 2
        if t == 0:
            out[0] = low[0]
            out[1] = high[0]

    x = np.random.default_rng(3).normal(size=5000).astype(np.float32)
    out = np.zeros(2, np.float32)
    kernel[1, 256](x, out)
    np.testing.assert_array_equal(out, [x.min(), x.max()])


def test_threads_that_return_later_count_as_arrived():
    """The three threads wait until the others have run to their end: legal, as on a device."""

    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        if t < 3:
            out[t] = 10
            gpu.syncthreads()
            out[t] += out[2 - t]
        out[t] += 1

    out = np.zeros(8, np.int32)
    kernel[1, 3](out[:3])
    expected = out[:3].copy()
    out[:] = 0
    kernel[1, 8](out)
    np.testing.assert_array_equal(out[:3], expected)
    np.testing.assert_array_equal(out[3:], np.ones(5))


@pytest.mark.parametrize("inner", ["for", "while", "continue"])
def test_the_same_barrier_in_another_turn_is_an_error(inner):
    """All threads come to the one barrier three times, but not in the same turns of the loops around it."""
    if gpu.current_target() == "cuda":
        pytest.skip("undefined on a device")

    @gpu.jit
    def by_for(out):
        t = gpu.threadIdx.x
        for i in range(2):
            for _ in range(2 if (i == 0) == (t % 2 == 0) else 1):
                gpu.syncthreads()
            out[t] += 1

    @gpu.jit
    def by_while(out):
        t = gpu.threadIdx.x
        i = 0
        while i < 2:
            k = 0
            while k < (2 if (i == 0) == (t % 2 == 0) else 1):
                gpu.syncthreads()
                k += 1
            out[t] += 1
            i += 1

    @gpu.jit
    def by_continue(out):
        t = gpu.threadIdx.x
        for i in range(4):
            if i == t % 2:
                continue
            gpu.syncthreads()
            out[t] += 1

    kernel = {"for": by_for, "while": by_while, "continue": by_continue}[inner]
    with pytest.raises(KernelError, match="divergent barrier"):
        kernel[1, 8](np.zeros(8, np.int32))


@pytest.mark.parametrize("first", ["then", "else"])
def test_barriers_in_both_arms_one_of_them_nested(first):
    """Those that wait for the other arm come to its barrier later: they have missed the one in the loop."""
    if gpu.current_target() == "cuda":
        pytest.skip("undefined on a device: it may hang")

    @gpu.jit
    def in_then(n, out):
        if gpu.threadIdx.x == 1:
            for i in range(n):
                gpu.syncthreads()
        else:
            gpu.syncthreads()
        out[gpu.threadIdx.x] = 1

    @gpu.jit
    def in_else(n, out):
        if gpu.threadIdx.x == 1:
            if n > 0:
                gpu.syncthreads()
        else:
            while n > 0:
                n -= 1
                gpu.syncthreads()
        out[gpu.threadIdx.x] = 1

    with pytest.raises(KernelError, match="divergent barrier"):
        (in_then if first == "then" else in_else)[1, 40](1, np.zeros(40))


def test_divergent_barrier_is_an_error_that_names_kernel_and_line():
    if gpu.current_target() == "cuda":
        pytest.skip("undefined on a device: it may hang")

    @gpu.jit
    def lopsided(out):
        t = gpu.threadIdx.x
        if t < 3:
            gpu.syncthreads()
            out[t] = 1
        gpu.syncthreads()
        out[t] += 1

    with pytest.raises(KernelError, match=r"lopsided.*divergent barrier.*line \d+"):
        lopsided[1, 8](np.zeros(8, np.int32))
    # the engine goes on working after the error
    test_block_shapes((16, 16))

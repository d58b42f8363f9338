"""Barriers, early return, threads of a block: faults that other compilers had (README.md has the table)."""

import numpy as np
import pytest
from lanewise import gpu


def run(kernel, *arguments, block=64, grid=1, size=64, dtype=np.float64):
    out = np.zeros(size, dtype)
    kernel[grid, block](out, *arguments)
    return out


def test_b65_b85_threads_that_returned_count_as_arrived():
    @gpu.jit
    def kernel(out, n):
        s = gpu.shared.array(64, np.int64)
        t = gpu.threadIdx.x
        s[t] = 0
        gpu.syncthreads()
        if t >= n:
            return
        s[t] = -999
        gpu.syncthreads()
        if t == 0:
            for i in range(n):
                out[i] = s[i]

    assert list(run(kernel, 33)) == [-999] * 33 + [0] * 31


def test_b67_division_of_floats_by_zero_goes_on():
    @gpu.jit
    def kernel(out, x, y):
        out[0] = y / x
        out[1] = 5
        out[2] = -y / x

    assert list(run(kernel, 0.0, 1.0, block=1)[:3]) == [np.inf, 5, -np.inf]


@pytest.mark.parametrize("extra", [False, True])
def test_b70_extra_barrier_changes_nothing(extra):
    @gpu.jit
    def kernel(out, turns, uniform):
        s = gpu.shared.array(64, np.int64)
        t = gpu.threadIdx.x
        total = 0
        for j in range(4):
            s[t] = t + j
            gpu.syncthreads()
            if j < turns[t]:
                total += s[(t + 1) % 64]
            gpu.syncthreads()
            if uniform:
                gpu.syncthreads()
        out[t] = total

    turns = np.arange(64) % 5
    wanted = [sum((t + 1) % 64 + j for j in range(min(4, t % 5))) for t in range(64)]
    assert list(run(kernel, turns, extra)) == wanted


def test_b71_b79_nested_loops_with_conditional_barriers():
    @gpu.jit
    def kernel(out, n, flag):
        s = gpu.shared.array(64, np.int64)
        t = gpu.threadIdx.x
        s[t] = 0
        for i in range(n):
            for j in range(n):
                if flag:
                    gpu.syncthreads()
                    s[t] += 1
                if i > j:
                    gpu.syncthreads()
            s[t] += 10
        gpu.syncthreads()
        out[t] = s[63 - t]

    assert set(run(kernel, 3, True)) == {39} and set(run(kernel, 3, False)) == {30}


def test_b73_block_of_one_thread_runs_once():
    @gpu.jit
    def kernel(out):
        t = gpu.threadIdx.x
        gpu.syncthreads()
        if t == 0:
            gpu.atomic.add(out, 0, 1)
        gpu.syncthreads()

    assert run(kernel)[0] == 1


def test_b74_tree_reduction_of_a_range():
    @gpu.jit
    def kernel(out, x):
        low = gpu.shared.array(256, np.float64)
        high = gpu.shared.array(256, np.float64)
        t = gpu.threadIdx.x
        a = x[t]
        b = x[t]
        for i in range(t, len(x), 256):
            a = min(a, x[i])
            b = max(b, x[i])
        low[t] = a
        high[t] = b
        gpu.syncthreads()
        half = 128
        while half > 0:
            if t < half:
                low[t] = min(low[t], low[t + half])
                high[t] = max(high[t], high[t + half])
            gpu.syncthreads()
            half //= 2
        if t == 0:
            out[0] = low[0]
            out[1] = high[0]

    x = np.random.default_rng(1).normal(size=1000)
    assert list(run(kernel, x, block=256)[:2]) == [x.min(), x.max()]


def test_b77_compare_and_swap_between_barriers():
    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(1, np.int64)
        if gpu.threadIdx.x == 0:
            s[0] = 0
        gpu.syncthreads()
        while True:
            old = s[0]
            if gpu.atomic.cas(s, 0, old, old + 1) == old:
                break
        gpu.syncthreads()
        if gpu.threadIdx.x == 0:
            out[0] = s[0]

    assert run(kernel)[0] == 64


def test_b80_barrier_then_nested_conditions():
    @gpu.jit
    def kernel(out, flag):
        t = gpu.threadIdx.x
        v = 1
        if flag:
            gpu.syncthreads()
            if t >= 1:
                if t >= 2:
                    v = 3
                else:
                    v = 2
        gpu.syncthreads()
        out[t] = v

    assert list(run(kernel, True)[:4]) == [1, 2, 3, 3] and set(run(kernel, False)) == {1}


def test_b82_variable_stays_a_threads_own():
    @gpu.jit
    def kernel(out):
        t = gpu.grid(1)
        hit = -1
        for i in range(5):
            if i == 3 and t == 6:
                hit = i
            gpu.syncthreads()
        out[t] = hit

    assert list(run(kernel)) == [3 if t == 6 else -1 for t in range(64)]


def test_b83_values_across_barriers():
    @gpu.jit
    def kernel(out, a, stop):
        t = gpu.threadIdx.x
        s = gpu.shared.array(64, np.float64)
        s[t] = a[t]
        before = s[t]
        total = 0.0
        for i in range(3):
            total += before * i
            gpu.syncthreads()
            s[t] = s[t] + 1
        if stop:
            out[t] = total
            return
        gpu.syncthreads()
        out[t] = total + before + s[(t + 1) % 64]
        gpu.syncthreads()

    a = np.arange(64.0)
    np.testing.assert_array_equal(run(kernel, a, True), 3 * a)
    np.testing.assert_array_equal(run(kernel, a, False), 4 * a + np.roll(a, -1) + 3)


def test_b68_continue_and_a_voting_barrier():
    @gpu.jit
    def kernel(x, out):
        t = gpu.threadIdx.x
        for turn in range(4):
            any_left = gpu.syncthreads_or(x[t] > turn)
            if not any_left:
                continue
            if x[t] <= turn:
                continue
            gpu.atomic.add(out, turn, 1)

    x = np.array([0, 3, 1, 2, 3, 0, 1, 1], np.int32)
    out = np.zeros(4, np.int32)
    kernel[1, 8](x, out)
    assert list(out) == [(x > turn).sum() for turn in range(4)]


def test_b76_print_and_an_endless_loop_on_a_path_that_is_not_taken():
    @gpu.jit(device=True)
    def checked(x, i):
        for k in range(3):
            if x[i] < 0:
                print("negative", k)
                while True:
                    pass
        return x[i] * 2

    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        out[i] = checked(x, i)

    x = np.arange(8, dtype=np.int32)
    out = np.zeros_like(x)
    kernel[2, 4](x, out)
    assert list(out) == list(2 * x)

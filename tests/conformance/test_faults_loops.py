"""Loops, branches, variables: faults that other compilers had (README.md has the table)."""

import numpy as np
import pytest
from lanewise import gpu

k = 100  # also the name of a loop's variable


def once(function, *arguments, size=8, dtype=np.float64):
    out = np.zeros(size, dtype)
    gpu.jit(function)[1, 1](out, *arguments)
    return out


def test_b34_b35_ranges_that_go_down_or_nowhere():
    def kernel(out, a, b, s):
        for i in range(a, b, s):
            out[0] += 1
        for i in range(2, 1, 2):
            out[1] += 1
        for i in range(1, 2, -1):
            out[2] += 1
        for i in range(10, 0, -3):
            out[3] += 1

    assert list(once(kernel, 10, 0, -1)[:4]) == [10, 0, 0, 4]
    assert list(once(kernel, 2, 1, 2)[:4]) == [0, 0, 0, 4]


def test_b37_one_variable_in_two_loops():
    def kernel(out, n):
        for j in range(3):
            out[0] += j
        for j in range(n):
            out[1] += j

    assert list(once(kernel, 5)[:2]) == [3, 10]


def test_b38_b41_loop_variable_after_the_loop():
    def kernel(out, n, a, b):
        i = 99
        for i in range(n):
            pass
        out[0] = i
        x = a[0]
        for i in a:
            x = i
        y = 0.0
        for i in b:
            y = i
        out[1] = x
        out[2] = y

    arguments = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0])
    assert list(once(kernel, 4, *arguments)[:3]) == [3, 3, 5]
    assert list(once(kernel, 0, *arguments)[:3]) == [99, 3, 5]


def test_b40_ranges_of_one_name_and_two_types():
    def kernel(out):
        s = np.uint32(1)
        for i in range(s):
            out[0] += 1
        for i in range(s, 1):
            out[1] += 1
        for i in range(s, 3):
            out[2] += i

    assert list(once(kernel)[:3]) == [1, 0, 3]


def test_b43_two_stores_through_one_counter():
    def kernel(out, c):
        i = 0
        out[i] = c
        i += 1
        out[i] = c
        i += 1

    assert list(once(kernel, 1)[:3]) == [1, 1, 0]


@pytest.mark.filterwarnings("ignore")
def test_b44_variable_that_one_path_sets_reads_as_zero():
    def kernel(out, x):
        if x:
            y = 10
        out[0] = y

    assert once(kernel, 0)[0] == 0 and once(kernel, 1)[0] == 10


def test_b46_float16_accumulator():
    def kernel(out, x):
        s = np.float16(0)
        for i in range(4):
            s += x[i]
        out[0] = s

    assert once(kernel, np.array([0.5, 1.25, 2, 1000], np.float32))[0] == 1003.75


def test_b47_bool_accumulates():
    def kernel(out, flags):
        flag = False
        for i in range(len(flags)):
            flag |= flags[i]
        out[0] = flag

    assert once(kernel, np.array([False, True, False]))[0] == 1
    assert once(kernel, np.array([False, False]))[0] == 0


def test_b49_break_and_continue_in_a_device_function():
    @gpu.jit(device=True)
    def odd_sum(n):
        total = 0
        i = 0
        while True:
            i += 1
            if i > n:
                break
            if i % 2 == 0:
                continue
            total += i
        return total

    def kernel(out):
        out[0] = odd_sum(9)

    assert once(kernel)[0] == 25


def test_b50_value_of_the_branch_that_was_taken():
    def kernel(out, a, b):
        t = gpu.local.array(6, np.int64)
        for i in range(6):
            t[i] = 10 + i
        if a > 0:
            if b > 0:
                step = 1
            else:
                step = 2
        elif b > 0:
            step = 3
        else:
            step = 4
        out[0] = t[step]

    assert [once(kernel, a, b)[0] for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))] == [11, 12, 13, 14]


def test_b52_right_side_runs_once():
    @gpu.jit(device=True)
    def f(calls, y):
        return gpu.atomic.add(calls, 0, 1) + y

    def kernel(out, calls):
        x = 1
        x += f(calls, 5)
        out[0] += f(calls, x)

    calls = np.zeros(1, np.int64)
    assert once(kernel, calls)[0] == 7 and calls[0] == 2


def test_b53_return_ends_one_thread_only():
    @gpu.jit
    def kernel(out):
        i = gpu.grid(1)
        if i % 3 == 0:
            return
        out[i] = i

    out = np.zeros(300)
    kernel[3, 100](out)
    np.testing.assert_array_equal(out, [0 if i % 3 == 0 else i for i in range(300)])


def test_b55_name_of_two_types():
    def kernel(out, u8arg):
        foo = 1
        foo = u8arg
        bar = foo == 0
        out[0] = 1 if not bar else 0

    assert once(kernel, np.uint8(3))[0] == 1 and once(kernel, np.uint8(0))[0] == 0


def test_b58_element_is_fresh_in_the_inner_loop():
    def kernel(out, a, n):
        for i in range(n):
            a[i] = a[i] + 1
            for j in range(2):
                out[i] += a[(i * 2 + j * 2) // 2 - j]

    assert list(once(kernel, np.arange(4.0), 4)[:4]) == [2, 4, 6, 8]


def test_b59_branch_without_an_effect():
    @gpu.jit
    def kernel(y, m, x):
        i = gpu.grid(1)
        total = 0.0
        for j in range(x.size):
            total += m[i, j] * x[j]
        if i < 0:
            y[i] = 2
        y[i] = total

    y = np.zeros(2)
    kernel[1, 2](y, np.ones((2, 4)), np.ones(4))
    assert list(y) == [4, 4]


def test_b61_loop_variable_is_no_global():
    def kernel(out):
        for k in range(3):
            out[k] = k

    assert list(once(kernel)[:4]) == [0, 1, 2, 0]


def test_b62_misspelt_names_are_errors():
    def kernel(out):
        out[0] = gpu.foo.bar.grid(1)

    with pytest.raises(Exception, match="foo"):
        once(kernel)


def test_b64_shared_array_and_a_reused_variable():
    @gpu.jit(device=True)
    def weigh(x, y):
        return x * 0.5 - y

    @gpu.jit
    def kernel(out, a):
        s = gpu.shared.array(64, np.float64)
        t = gpu.threadIdx.x
        total = 0.0
        for j in range(4):
            s[t] = a[j, t]
            gpu.syncthreads()
            v = s[(t + 1) % 64]
            total += weigh(v, s[t])
            gpu.syncthreads()
            v = total
            total = v + s[63 - t]
            gpu.syncthreads()
        out[t] = total

    a = np.arange(256.0).reshape(4, 64) % 17
    out = np.zeros(64)
    kernel[1, 64](out, a)
    wanted = sum(np.roll(r, -1) * 0.5 - r + r[::-1] for r in a)
    np.testing.assert_allclose(out, wanted, rtol=1e-13)

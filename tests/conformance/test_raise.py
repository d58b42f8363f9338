"""assert and raise: the launch raises what the first failing thread did."""

import concurrent.futures
import re

import numpy as np
import pytest
from lanewise import CompileError, KernelError, gpu


class Overflowed(Exception):
    pass


class Fussy(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)


def fails(kernel, *arguments, exception, match="", grid=1, block=1):
    """Launches and waits; returns the exception that it must raise."""
    with pytest.raises(exception, match=match or None) as caught:
        kernel[grid, block](*arguments)
        gpu.synchronize()  # on CUDA a launch without host arrays just starts
    return caught.value


def test_raise_says_where():
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if x[i] < 0:
            raise ValueError(f"x[{i}] is {x[i]:.1f}")
        out[i] = x[i] * 2

    x = np.arange(64.0)
    x[[21, 40, 41]] = -1.5
    out = np.zeros(64)
    error = fails(kernel, x, out, exception=ValueError, match=r"^x\[21\] is -1.5\n", grid=8, block=8)
    np.testing.assert_array_equal(out, np.where(x < 0, 0, x * 2))  # the others went on
    assert (error.kernel, error.block, error.thread) == ("kernel", (2, 0, 0), (5, 0, 0))
    assert error.file == __file__ and error.line == kernel.py_func.__code__.co_firstlineno + 4
    assert "kernel `kernel`, block (2, 0, 0), thread (5, 0, 0)" in str(error)
    assert 'raise ValueError(f"x[{i}] is {x[i]:.1f}")' in str(error)


def test_assert():
    @gpu.jit
    def kernel(x, out):
        i = gpu.threadIdx.x
        assert x[i] != 3
        assert 0 <= x[i] < 7, "too large"
        assert x.size == 8, f"size {x.size}"
        assert True
        out[i] = 1

    for values, message in (([0, 1, 2, 3, 4, 5, 6, 6], ""), ([0, 1, 2, 4, 9, 5, 6, 3], "too large")):
        out = np.zeros(8)
        x = np.array(values)
        error = fails(kernel, x, out, exception=AssertionError, match="^" + message, block=8)
        np.testing.assert_array_equal(out, (x != 3) & (x < 7))
        assert error.thread == ((3, 0, 0) if not message else (4, 0, 0))
    out = np.zeros(8)
    kernel[1, 8](np.zeros(8, np.int64), out)
    assert out.all()


@pytest.mark.parametrize("statement", ["raise", "raise ValueError", "assert False", "assert 0, 'zero'", "raise ValueError()"])
def test_kernels_that_only_fail(statement):
    space = {}
    exec(f"def k():\n    {statement}\n", space)
    expected = RuntimeError if statement == "raise" else AssertionError if "assert" in statement else ValueError
    fails(gpu.jit(space["k"]), exception=expected)


def test_values_of_an_exception():
    @gpu.jit
    def kernel(n):
        raise IndexError("at", n, 0.5, (n, True), None)

    fails(kernel, 7, exception=IndexError, match=r"^\('at', 7, 0.5, \(7, True\), None\)\n")


def test_own_exceptions():
    @gpu.jit
    def kernel(n):
        if n == 0:
            raise Overflowed("mine")
        raise Fussy("wants two")

    fails(kernel, 0, exception=Overflowed, match="^mine")
    fails(kernel, 1, exception=KernelError, match="^Fussy: wants two")


def test_a_thread_that_failed_has_arrived_at_barriers():
    @gpu.jit
    def kernel(x, out):
        s = gpu.shared.array(64, np.int64)
        i = gpu.threadIdx.x
        s[i] = -1
        gpu.syncthreads()
        if x[i] == 13:
            raise ValueError("unlucky", i)
        s[i] = x[i]
        gpu.syncthreads()
        for step in range(3):
            out[i] += s[63 - i]
            gpu.syncthreads()

    x, out = np.arange(64), np.zeros(64, np.int64)
    fails(kernel, x, out, exception=ValueError, match=r"^\('unlucky', 13\)", block=64)
    expected = 3 * np.where(x == 13, -1, x)[::-1]
    np.testing.assert_array_equal(out, np.where(x == 13, 0, expected))


def test_the_whole_thread_ends_in_a_helper():
    @gpu.jit(device=True)
    def checked(x):
        if x < 0:
            raise ValueError("negative")
        return x

    @gpu.jit(device=True)
    def twice(x):
        return checked(x) + checked(x - 1)

    @gpu.jit
    def kernel(x, out):
        i = gpu.threadIdx.x
        total = 0
        while checked(x[i]) > 0 and twice(x[i]) >= 0:
            total += 1
            break
        out[i] = total + 10

    x, out = np.array([3, -1, 0, 1, -5]), np.zeros(5, np.int64)
    fails(kernel, x, out, exception=ValueError, match="^negative", block=5)
    np.testing.assert_array_equal(out, [11, 0, 10, 11, 0])


def test_the_whole_thread_ends_in_recursion():
    @gpu.jit(device=True)
    def down(n, least):
        if n < least:
            raise ValueError("too deep", n)
        if n == 0:
            return 0, 1.5
        a, b = down(n - 1, least)
        return a + 1, b * 2

    @gpu.jit(device=True)
    def odd(n):
        return False if n == 0 else even(n - 1)

    @gpu.jit(device=True)
    def even(n):
        assert n != 7
        return True if n == 0 else odd(n - 1)

    @gpu.jit
    def kernel(n, out):
        i = gpu.threadIdx.x
        a, b = down(n[i], 0)
        out[i] = a + b
        out[i] += even(n[i])

    n, out = np.array([3, -1, 0, 4, 9, 8]), np.zeros(6)
    fails(kernel, n, out, exception=ValueError, match=r"^\('too deep', -1\)", block=6)
    np.testing.assert_array_equal(out[:4], [3 + 12, 0, 1.5 + 1, 4 + 24 + 1])
    assert out[4] == 9 + 1.5 * 512  # even(9) fails at 7
    assert out[5] == 8 + 1.5 * 256 + 1


def test_a_helper_that_always_fails():
    @gpu.jit(device=True)
    def give_up(code):
        for i in range(code):
            print("code", i)
        raise RuntimeError("gave up", code)

    @gpu.jit(device=True)
    def spin(code):
        print("spinning", code)
        while True:
            code += 1

    @gpu.jit
    def kernel(n, out):
        i = gpu.threadIdx.x
        if n[i] == 1:
            give_up(n[i])
            out[i] = -1
        if n[i] == 2:
            spin(n[i])
        out[i] = 1

    n, out = np.array([0, 1, 0]), np.zeros(3)
    fails(kernel, n, out, exception=RuntimeError, match=r"^\('gave up', 1\)", block=3)
    np.testing.assert_array_equal(out, [1, 0, 1])


def test_a_division_by_zero_stops_nothing():
    @gpu.jit
    def kernel(x, y, n, r, q):
        r[0] = y[0] / x[0]
        r[1] = 5
        q[0] = n[0] // n[1]
        q[1] = n[0] % n[1]
        q[2] = 5

    r, q = np.zeros(2), np.zeros(3, np.int64)
    kernel[1, 1](np.array([0.0]), np.array([1.0]), np.array([7, 0]), r, q)
    np.testing.assert_array_equal(r, [np.inf, 5])
    np.testing.assert_array_equal(q, [0, 0, 5])


def test_in_three_dimensions():
    @gpu.jit
    def kernel(x):
        z, y, i = gpu.threadIdx.z, gpu.threadIdx.y, gpu.threadIdx.x
        assert x[gpu.blockIdx.z, gpu.blockIdx.y, gpu.blockIdx.x, z, y, i] == 0, "set"

    x = np.zeros((2, 3, 4, 2, 3, 4), np.int8)
    x[1, 2, 0, 1, 0, 3] = x[1, 2, 0, 1, 1, 0] = x[1, 2, 1, 0, 0, 0] = 1
    error = fails(kernel, x, exception=AssertionError, match="^set", grid=(4, 3, 2), block=(4, 3, 2))
    assert (error.block, error.thread) == ((0, 2, 1), (3, 0, 1))


@pytest.mark.parametrize(
    "line, message",
    [
        ("raise 3", "raising anything but an exception"),
        ("raise n", "raising `n`, a variable"),
        ("raise NoSuchError('x')", "name `NoSuchError` is not defined"),
        ("raise VlueError('x')", "did you mean `ValueError`?"),
        ("raise int(3)", "`int`"),
        ("raise ValueError(x)", "printing a whole array"),
        ("raise ValueError(code=3)", "keyword argument `code`"),
        ("assert x", "neither true nor false"),
    ],
)
def test_what_cannot_be_raised(line, message):
    space = {}
    exec(f"def k(x, n):\n    {line}\n", space)
    with pytest.raises(CompileError) as caught:
        gpu.jit(space["k"])[1, 1](np.zeros(3), 1)
    assert message in str(caught.value)


def test_the_first_in_the_order_of_blocks_and_threads():
    @gpu.jit
    def kernel(x, y):
        i = gpu.grid(1)
        if x[i] > 0:
            raise ValueError(i, x[i], y[gpu.threadIdx.x])

    x = np.zeros(64 * 96, np.int32)
    y = np.arange(96, dtype=np.float16) / 4
    for failing in ([6143], [5, 4], [95, 94, 96, 0], [6000, 3000, 4000], range(200, 6144), range(6144)):
        x[:] = 0
        x[failing] = np.arange(len(failing)) + 7
        first = min(failing)
        values = f"({first}, {x[first]}, {y[first % 96]})"
        error = fails(kernel, x, y, exception=ValueError, grid=64, block=96)
        assert str(error).startswith(values + "\n")
        assert (error.block[0], error.thread[0]) == divmod(first, 96)
    x[:] = 0
    kernel[64, 96](x, y)  # what failed before is forgotten


def test_many_values_and_types():
    @gpu.jit
    def kernel(a, b, c, d, e):
        if a[0] == -128:
            raise ValueError(f"{a[0]} {b[0]} {c[0]:#x} {d[0]} {e[0]} {a[0] > 0} {d[0]:.3f}")
        raise ValueError((a[0] + 1,) * 40, c[1] - b[0])

    a, b, c = np.array([-128], np.int8), np.array([2**64 - 1], np.uint64), np.array([255, 2], np.uint8)
    d, e = np.array([0.1], np.float32), np.array([1.5 - 2j], np.complex64)
    text = "-128 18446744073709551615 0xff 0.1 (1.5-2j) False 0.100"
    fails(kernel, a, b, c, d, e, exception=ValueError, match="^" + re.escape(text))
    a[0] = 12
    text = f"({(13,) * 40}, 3)"  # uint64 wraps
    fails(kernel, a, b, c, d, e, exception=ValueError, match="^" + re.escape(text))


def test_from_many_host_threads():
    """Each launch raises what its own threads failed with."""

    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        if x[i] < 0:
            raise ValueError(x[i])
        out[i] = x[i]

    def launches(k):
        for turn in range(8):
            x = np.arange(64)
            if (k + turn) % 2:
                x[k + 5 * turn] = -100 * k - turn - 1
            out = np.zeros(64, np.int64)
            try:
                kernel[2, 32](x, out)
            except ValueError as error:
                found = (int(str(error).split("\n")[0]), error.block[0] * 32 + error.thread[0])
            else:
                found = None
            assert found == ((-100 * k - turn - 1, k + 5 * turn) if (k + turn) % 2 else None)
            np.testing.assert_array_equal(out, np.where(x < 0, 0, x))

    with concurrent.futures.ThreadPoolExecutor(6) as threads:
        list(threads.map(launches, range(6)))


def test_on_memory_of_the_device():
    @gpu.jit
    def kernel(x, limit):
        i = gpu.grid(1)
        if x[i] >= limit:
            raise Overflowed(f"{x[i]} at {i}")
        x[i] += 1

    x = gpu.to_device(np.arange(64))
    error = fails(kernel, x, 40, exception=Overflowed, match="^40 at 40\n", grid=4, block=16)
    assert (error.kernel, error.block, error.thread) == ("kernel", (2, 0, 0), (8, 0, 0))
    gpu.synchronize()
    kernel[4, 16](x, 100)
    expected = np.arange(64) + 1 + (np.arange(64) < 40)
    np.testing.assert_array_equal(x.copy_to_host(), expected)
    # A copy and the next launch of the kernel say it too, and each failure is told once.
    with pytest.raises(Overflowed, match="^1 at 0|^2 at 0"):
        kernel[4, 16](x, 0)
        x.copy_to_host()
    gpu.synchronize()
    with pytest.raises(Overflowed, match="^2 at 0"):
        kernel[4, 16](x, 0)
        kernel[4, 16](x, 100)
        gpu.synchronize()
    # Of a kernel that is gone.
    with pytest.raises(Overflowed, match="^2 at 0|^3 at 0"):
        gpu.jit(kernel.py_func)[4, 16](x, 0)
        gpu.synchronize()
    gpu.synchronize()


def test_the_earliest_launch_is_reported():
    @gpu.jit
    def first(x):
        if gpu.threadIdx.x == 30:
            raise ValueError("first", x[0])

    @gpu.jit
    def second(x):
        raise IndexError("second")

    x = gpu.to_device(np.arange(3))
    with pytest.raises(ValueError, match="first"):
        first[1, 32](x)
        first[1, 32](x)
        second[1, 32](x)
        gpu.synchronize()
    gpu.synchronize()

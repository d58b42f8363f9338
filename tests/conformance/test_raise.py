"""assert and raise: the launch raises what the first failing thread did; on CUDA that thread just ends."""

import os

import numpy as np
import pytest
from lanewise import CompileError, KernelError, gpu

CUDA = os.environ.get("LANEWISE_TARGET") == "cuda"


class Overflowed(Exception):
    pass


class Fussy(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)


def fails(kernel, *arguments, exception, match="", grid=1, block=1):
    """Launches; returns the exception that it must raise, None on CUDA."""
    if CUDA:
        kernel[grid, block](*arguments)
        return None
    with pytest.raises(exception, match=match) as caught:
        kernel[grid, block](*arguments)
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
    if error:
        assert (error.kernel, error.block, error.thread) == ("kernel", (2, 0, 0), (5, 0, 0))
        assert error.file == __file__ and error.line == 36
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
        if error:
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
    if error:
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

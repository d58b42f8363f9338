"""Where prints of kernels go, and what their exceptions look like, on the CPU and in the interpreter."""

import contextlib
import io
import sys

import numpy as np
import pytest
from lanewise import KernelError, gpu

# What CUDA's driver prints goes to C's stdout, and nothing is raised there.
pytestmark = pytest.mark.parametrize("target", ["cpu", "interpreter"])


def talker(target):
    @gpu.jit(target=target)
    def talk(n):
        i = gpu.grid(1)
        if i < n:
            print("line", i)

    return talk


def test_capsys_sees_it(target, capsys):
    talker(target)[4, 32](100)
    assert capsys.readouterr().out == "".join(f"line {i}\n" for i in range(100))


def test_redirected(target):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        talker(target)[1, 2](2)
    assert text.getvalue() == "line 0\nline 1\n"


def test_no_stdout(target, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)  # as pythonw has it
    talker(target)[1, 2](2)


@pytest.mark.parametrize("n", [10, 200_000])  # at the end, and while the kernel runs
def test_a_stdout_that_raises(target, monkeypatch, n):
    if target == "interpreter" and n > 10:
        n = 100_000

    class Broken(io.StringIO):
        def write(self, text):
            raise BrokenPipeError("nobody listens")

    @gpu.jit(target=target)
    def count(n, out):
        i = gpu.grid(1)
        if i < n:
            print("number", i)
            out[i] = i

    out = np.zeros(n, np.int64)
    monkeypatch.setattr(sys, "stdout", Broken())
    with pytest.raises(BrokenPipeError, match="nobody listens"):
        count[(n + 255) // 256, 256](n, out)
    np.testing.assert_array_equal(out, np.arange(n))  # the kernel went on


def test_a_stdout_that_launches(target, monkeypatch):
    inner = talker(target)
    seen = []

    class Launching(io.StringIO):
        def write(self, text):
            seen.append(text)
            if len(seen) == 1:
                inner[1, 1](1)
            return len(text)

    monkeypatch.setattr(sys, "stdout", Launching())
    talker(target)[1, 2](2)
    assert "".join(seen) == "line 0\nline 1\nline 0\n"


def test_lines_of_many_workers_are_whole(target):
    @gpu.jit(target=target)
    def talk():
        i = gpu.grid(1)
        print("a", i, "b", i * 2, end=" ")
        print("c", i * 3)

    with contextlib.redirect_stdout(io.StringIO()) as text:
        talk[500, 8]()
    assert text.getvalue() == "".join(f"a {i} b {2 * i} c {3 * i}\n" for i in range(4000))


def test_what_was_printed_before_a_failure(target, capsys):
    @gpu.jit(target=target)
    def k(n):
        i = gpu.grid(1)
        print("thread", i)
        if i == n:
            raise KeyError("no", i)

    with pytest.raises(KeyError) as caught:
        k[2, 2](1)
    assert capsys.readouterr().out == "thread 0\nthread 1\nthread 2\nthread 3\n"
    error = caught.value
    assert error.args[0].startswith("('no', 1)\n  kernel `k`, block (0, 0, 0), thread (1, 0, 0) (")
    assert error.args[0].endswith('raise KeyError("no", i)')
    assert (error.kernel, error.file) == ("k", __file__)


def test_the_first_thread_wins_every_time(target):
    @gpu.jit(target=target)
    def k(n):
        i = gpu.grid(1)
        assert i < n, f"thread {i}"

    for _ in range(20):
        with pytest.raises(AssertionError, match="^thread 77\n"):
            k[100, 32](77)


def test_exceptions_by_their_dotted_names(target):
    @gpu.jit(target=target)
    def k(n):
        if n == 0:
            raise np.linalg.LinAlgError("singular")
        if n == 1:
            raise io.UnsupportedOperation
        raise np.float32("not an exception")

    with pytest.raises(np.linalg.LinAlgError, match="^singular"):
        k[1, 1](0)
    with pytest.raises(io.UnsupportedOperation):
        k[1, 1](1)
    with pytest.raises(KernelError, match="^np.float32: not an exception"):
        k[1, 1](2)


def test_kernel_errors_can_be_caught(target):
    class Local(KernelError):
        pass

    @gpu.jit(target=target)
    def k():
        raise Local("mine")

    with pytest.raises(KernelError, match="^mine") as caught:
        k[1, 1]()
    assert type(caught.value) is Local

"""Python threads that compile and launch, processes that fork, and what the extension exports."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from lanewise import _core, gpu


def in_threads(count, work):
    errors = []
    start = threading.Barrier(count)

    def body(n):
        try:
            start.wait()
            work(n)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=body, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def make_add(target):
    @gpu.jit(target=target)
    def add(x, n, out):
        i = gpu.grid(1)
        if i < out.size:
            out[i] = x[i] + n

    return add


def test_eight_threads_launch_one_kernel(target):
    add = make_add(target)
    x = np.arange(1000.0)

    def work(n):
        for turn in range(20):
            out = np.zeros(1000)
            add[4, 256](x, 100 * n + turn, out)
            assert np.array_equal(out, x + 100 * n + turn)

    in_threads(8, work)
    assert len(add.signatures) == 1


def test_threads_with_different_types(target):
    add = make_add(target)
    dtypes = [np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16]

    def work(n):
        x = np.arange(50).astype(dtypes[n])
        out = np.zeros(50, dtypes[n])
        add[1, 64](x, 1, out)
        assert np.array_equal(out, x + dtypes[n](1))

    in_threads(8, work)
    assert len(add.signatures) == 8


def test_threads_make_kernels_of_their_own(target):
    def work(n):
        add = make_add(target)
        out = np.zeros(10)
        add[1, 16](np.zeros(10), n, out)
        assert (out == n).all()

    in_threads(8, work)


def test_globals_rebound_while_threads_launch():
    space = {"gpu": gpu, "n": 0}
    exec("@gpu.jit(target='cpu')\ndef k(out):\n    out[0] = n\n", space)
    kernel = space["k"]

    def work(thread):
        for turn in range(10):
            space["n"] = thread
            out = np.full(1, -1.0)
            kernel[1, 1](out)
            assert 0 <= out[0] < 4

    in_threads(4, work)


def test_the_gil_is_released_while_a_kernel_runs():
    @gpu.jit(target="cpu")
    def slow(out, n):
        s = 0
        for i in range(n):
            s = s * 3 + i ^ s
        out[gpu.grid(1)] = s

    out = np.zeros(1, np.int64)
    slow[1, 1](out, 1)
    done = threading.Event()
    seen = []

    def watch():
        while not done.is_set():
            seen.append(1)
            done.wait(0.001)

    watcher = threading.Thread(target=watch)
    watcher.start()
    before = len(seen)
    slow[1, 1](out, 100_000_000)  # a tenth of a second at least
    during = len(seen) - before
    done.set()
    watcher.join()
    assert during > 10


@pytest.mark.parametrize("launched_before", [False, True])
def test_fork(launched_before):
    add = make_add("cpu")
    x = np.arange(10000.0)
    out = np.zeros(10000)
    if launched_before:
        add[40, 256](x, 1, out)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            add[40, 256](x, 5, out)
            status = 0 if np.array_equal(out, x + 5) else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    add[40, 256](x, 2, out)
    assert np.array_equal(out, x + 2)


def test_fork_while_another_thread_compiles():
    parent, compiling, go_on = os.getpid(), threading.Event(), threading.Event()

    class Slow:
        @property
        def two(self):
            if os.getpid() == parent:
                compiling.set()
                go_on.wait(60)
            return 2

    slow = Slow()

    @gpu.jit(target="cpu")
    def k(out):
        i = gpu.grid(1)
        if i < out.size:
            out[i] = slow.two

    first, second = np.zeros(1000), np.zeros(1000)
    thread = threading.Thread(target=lambda: k[4, 256](first))
    thread.start()
    assert compiling.wait(60)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(60)  # instead of hanging
            k[4, 256](second)
            k[4, 256](second)
            status = 0 if (second == 2).all() else 2
        finally:
            os._exit(status)
    go_on.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (first == 2).all()


def test_nothing_but_the_init_function_is_exported():
    result = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], capture_output=True, text=True)
    if result.returncode != 0:
        pytest.skip("no nm")
    names = {line.split()[-1] for line in result.stdout.splitlines() if line.split()[-2] in "TWVBD"}
    assert "PyInit__core" in names
    assert not [name for name in names if "llvm" in name.lower() or "lanewise" in name.lower()]


def test_reference_counts_stay():
    add = make_add("cpu")
    x, out, n = np.arange(3.0), np.zeros(3), 12345
    add[1, 4](x, n, out)
    before = [sys.getrefcount(thing) for thing in (x, out, n, add)]
    for _ in range(100):
        add[1, 4](x, n, out=out)
        add[1, 4](x, n, out)
        with pytest.raises(TypeError):
            add[1, 4]([], n, out)
    assert [sys.getrefcount(thing) for thing in (x, out, n, add)] == before


@pytest.mark.parametrize("target", ["cpu", "interpreter"])
def test_atomics_of_launches_at_once(target):
    @gpu.jit(target=target)
    def add(ints, floats):
        gpu.atomic.add(ints, 0, 1)
        gpu.atomic.max(ints, 1, gpu.grid(1))
        gpu.atomic.add(floats, gpu.threadIdx.x, 1)

    ints, floats = np.zeros(2, np.int64), np.zeros(40, np.float32)
    in_threads(6, lambda n: [add[10, 40](ints, floats) for _ in range(10)])
    assert ints.tolist() == [6 * 10 * 400, 399]
    assert (floats == 600).all()

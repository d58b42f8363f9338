"""Closures, caches, compilation, launches: faults that other compilers had (README.md has the table)."""

import os

import numpy as np
import pytest
from lanewise import gpu


def run(kernel, *arguments, size=4):
    out = np.zeros(size)
    kernel[1, 1](out, *arguments)
    return list(out)


def test_b130_two_functions_of_one_factory():
    def make(offset):
        @gpu.jit(device=True)
        def add(x):
            return x + offset

        return add

    three, five = make(3), make(5)

    @gpu.jit
    def kernel(out):
        out[0] = three(0) + five(0)

    assert run(kernel)[0] == 8


def test_b131_b133_made_anew_in_a_loop():
    results = []
    for num in (4, 8):

        @gpu.jit
        def kernel(out):
            out[0] = num

        results.append(run(kernel)[0])
    assert results == [4, 8]

    def make(helper, **options):
        @gpu.jit(**options)
        def kernel(out, x, y):
            out[0] = helper(x) * y + 1.0

        return kernel

    twice = gpu.jit(device=True)(lambda x: 2 * x)
    thrice = gpu.jit(device=True)(lambda x: 3 * x)
    assert run(make(twice), 5.0, 2.0)[0] == 21
    assert run(make(thrice), 5.0, 2.0)[0] == 31
    assert run(make(twice, fma=False), 5.0, 2.0)[0] == 21


def test_b134_variable_of_the_closure_assigned_later():
    def make():
        @gpu.jit
        def kernel(out):
            out[0] = later

        later = 7
        return kernel

    assert run(make())[0] == 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.skipif(os.environ.get("LANEWISE_TARGET") == "cuda", reason="a context does not survive a fork")
def test_b136_fork_after_a_launch():
    @gpu.jit
    def kernel(out):
        out[0] = 5

    assert run(kernel)[0] == 5
    child = os.fork()
    if child == 0:
        try:
            status = 0 if run(kernel)[0] == 5 else 1
        except BaseException:
            status = 2
        os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


def test_b137_constant_store_under_a_condition():
    @gpu.jit
    def kernel(out, n):
        for i in range(n):
            out[i] = 1
            if i > 1:
                out[i] = 0.0

    assert run(kernel, 4) == [1, 1, 0, 0]


def test_b127_limits_are_named():
    @gpu.jit
    def kernel(out):
        out[0] = 1

    with pytest.raises(Exception, match="2048.*1024|1024.*2048"):
        kernel[1, 2048](np.zeros(1))


def test_b128_many_local_arrays_compile():
    lines = ["def kernel(out):"]
    for i in range(60):
        lines += [f"    a{i} = gpu.local.array(4, np.float64)", f"    a{i}[0] = {i}"]
    lines += ["    out[0] = " + " + ".join(f"a{i}[0]" for i in range(60))]
    text = "\n".join(lines) + "\n"
    names = {"gpu": gpu, "np": np}
    exec(text, names)
    assert run(gpu.jit(source=text)(names["kernel"]))[0] == sum(range(60))

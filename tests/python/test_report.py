"""kernel.report(): what the CPU engine says of its code."""

import os
import pathlib

import numpy as np
import pytest
from lanewise import gpu


@gpu.jit(target="cpu")
def gathers(x, at, out):
    i = gpu.grid(1)
    if i < out.size:
        out[i] = x[at[i]]


@gpu.jit(target="cpu")
def barriers(out):
    s = gpu.shared.array(64, np.float32)
    t = gpu.threadIdx.x
    s[t] = t
    gpu.syncthreads()
    out[t] = s[63 - t]


@gpu.jit(target="cpu")
def waits(flag, out):
    while gpu.atomic.cas(flag, 0, 0, 1) != 0:
        pass
    out[0] += 1
    gpu.atomic.exch(flag, 0, 0)


def test_gathers():
    signature = "void(float32[::1], int32[::1], float32[::1])"
    assert "not launched yet" in gathers.report(signature)
    gathers[2, 32](np.zeros(8, np.float32), np.zeros(64, np.int32), np.zeros(64, np.float32))
    text = gathers.report()
    assert "blocks of 32x1x1" in text and "32 threads at a time" in text
    assert "read one by one" in text and "out[i] = x[at[i]]" in text
    assert "written one by one" not in text


def test_barriers():
    barriers[1, 64](np.zeros(64, np.float32))
    assert "2 parts between barriers" in barriers.report()


def test_one_after_the_other():
    out = np.zeros(1)
    waits[1, 40](np.zeros(1, np.int32), out)
    assert out[0] == 40
    assert "one after the other" in waits.report()


@gpu.jit(target="cpu")
def divides(x, out, c):
    i = gpu.grid(1)
    out[i] = x[i] / c


def has_fma():
    path = pathlib.Path("/proc/cpuinfo")
    return path.exists() and " fma " in path.read_text() and "LANEWISE_CPU" not in os.environ


@pytest.mark.skipif(not has_fma(), reason="this machine leaves quotients to its divider")
def test_division_by_one_number():
    x, out = np.arange(64.0), np.zeros(64)
    divides[1, 64](x, out, 3.0)
    assert np.array_equal(out, x / 3.0)
    assert "with the divisor's reciprocal" in divides.report() and "out[i] = x[i] / c" in divides.report()


@gpu.jit(target="cpu")
def counts(x, limit):
    i = gpu.grid(1)
    if i < x.size:
        n, sum, step = 0, np.float32(0), x[i]
        while sum < 100 and n < limit:
            sum += step
            n += 1
        x[i] = n


def test_what_a_launch_is_known_for():
    small, large = "indices have 32 bits", "indices have 64 bits"
    x = np.full(64, 7, np.float32)
    counts[2, 32](x.copy(), 50)
    assert small in counts.report() and large not in counts.report()
    counts[2, 32](x, 2**40)
    assert large in counts.report() and small not in counts.report()
    assert (x == 15).all()
    barriers[1, 64](np.zeros(64, np.float32))
    assert small not in barriers.report() and large not in barriers.report()

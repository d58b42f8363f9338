"""Launches that the usual assumptions about arrays do not hold for: memory that arguments share, huge numbers."""

import numpy as np
import pytest
from lanewise import gpu


@gpu.jit
def add_first(out, x):
    for i in range(out.size):
        out[i] = x[0] + 1


def test_an_array_that_is_written_is_read_under_another_name():
    x = np.full(4, 10, np.int32)
    add_first[1, 1](x, x)
    np.testing.assert_array_equal(x, [11, 12, 12, 12])
    apart = np.zeros(4, np.int32)
    add_first[1, 1](apart, x)
    np.testing.assert_array_equal(apart, [12] * 4)


@pytest.mark.parametrize("step", [1, -1])
def test_overlapping_views(step):
    @gpu.jit
    def chain(out, x):
        for i in range(out.size):
            out[i] = 2 * x[i] + 1

    memory = np.arange(20, dtype=np.int64)
    expected = memory.copy()
    chain[1, 1](memory[1::2][::step], memory[0:19:2][::step])
    expected[1::2] = 2 * expected[0:19:2] + 1
    np.testing.assert_array_equal(memory, expected)

    memory = np.arange(12, dtype=np.int64)
    expected = memory.copy()
    chain[1, 1](memory[1:][::step], memory[:-1][::step])
    places = range(11) if step == 1 else range(10, -1, -1)
    for i in places:
        expected[i + 1] = 2 * expected[i] + 1
    np.testing.assert_array_equal(memory, expected)


def test_two_written_arrays_are_one():
    @gpu.jit
    def both(a, b):
        a[0] = 1
        b[0] = 2
        a[1] = a[0]

    x = np.zeros(2, np.int32)
    both[1, 1](x, x)
    np.testing.assert_array_equal(x, [2, 2])
    y, z = np.zeros(2, np.int32), np.zeros(2, np.int32)
    both[1, 1](y, z)
    np.testing.assert_array_equal(y, [1, 1])


@gpu.jit
def corners(out, a):
    h, w = a.shape
    out[0] = h * w
    out[1] = a[h - 1, w - 1]
    out[2] = h - w
    n = 0
    for i in range(h - 3, h):
        n += i
    out[3] = n


@pytest.mark.parametrize("shape", [(3, 4), (2**31 + 7, 2**20 + 5), (2**40, 3), (2**30 + 1, 2**29)])
def test_extents_beyond_32_bits(shape):
    h, w = shape
    a = np.broadcast_to(np.int64(77), shape)
    out = np.zeros(4, np.int64)
    corners[1, 1](out, a)
    expected = [(h * w + 2**63) % 2**64 - 2**63, 77, h - w, 3 * h - 6]
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("n", [5, 2**30, 2**30 + 1, 2**31, 2**40, -(2**30) - 1, -(2**61)])
def test_int_arguments_beyond_32_bits(n):
    @gpu.jit
    def kernel(out, x, n):
        i = n - (n - 1)
        out[0] = x[i]
        out[1] = n + n
        out[2] = n // 3
        for k in range(n, n + 6, 2):
            out[3] += k

    out, x = np.zeros(4, np.int64), np.arange(3)
    kernel[1, 1](out, x, n)
    np.testing.assert_array_equal(out, [1, 2 * n, n // 3, 3 * n + 6])


@pytest.mark.parametrize("start", [0, 3, 100])
def test_a_loop_over_the_grid(start):
    @gpu.jit
    def count(hits, start):
        for i in range(start + gpu.grid(1), hits.size, gpu.gridsize(1)):
            hits[i] += 1

    hits = np.zeros(100, np.int32)
    count[3, 8](hits, start)
    np.testing.assert_array_equal(hits, [int(i >= start) for i in range(100)])


def test_views_as_bytes_and_records():
    @gpu.jit
    def bytes_of(out, x):
        b = x.view(np.uint8)
        for i in range(b.size):
            out[i] = b[b.size - 1 - i]

    x = np.array([0x01020304, 0x05060708], np.uint32)
    out = np.zeros(8, np.uint8)
    bytes_of[1, 1](out, x)
    np.testing.assert_array_equal(out, x.view(np.uint8)[::-1])

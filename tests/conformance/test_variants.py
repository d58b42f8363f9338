"""Launches that the usual assumptions about arrays do not hold for: memory that arguments share, huge numbers."""

import mmap
import os

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


def sparse(size):
    """Bytes that take no memory until they are touched."""
    if os.environ.get("LANEWISE_TARGET") == "cuda":
        pytest.skip("a device array of that size would be copied")
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)
    return np.frombuffer(mmap.mmap(-1, size, flags=flags), np.uint8)


@pytest.mark.parametrize("bits", [30, 31, 32, 33])
@pytest.mark.parametrize("step", [1, -1, 3])
def test_lanes_near_a_power_of_two(bits, step):
    """The same kernel from small launches to those whose indices need 33 bits, and back."""

    @gpu.jit
    def touch(x, first, step, turns):
        t = gpu.grid(1)
        n = 0
        while n < turns[t]:
            x[first + t * step + 200 * n] += 1
            n += 1

    turns = np.arange(64) % 3
    big = sparse((1 << bits) + 4096)
    near = (1 << bits) - 100
    for x, first in ((np.zeros(4096, np.uint8), 700), (big, near), (big[: 1 << 30], (1 << 30) - 700)):
        touch[2, 32](x, first, step, turns)
        expected = np.zeros(1200, np.uint8)
        for t in range(64):
            for n in range(turns[t]):
                expected[300 + t * step + 200 * n] += 1
        np.testing.assert_array_equal(x[first - 300 : first + 900][: len(x) - first + 300], expected[: len(x) - first + 300])
        assert not expected[len(x) - first + 300 :].any()
        x[first - 300 : first + 900] = 0


def test_indices_of_threads_that_take_no_part():
    """They may be anything, also where rows of memory are read by the first lane's index."""

    @gpu.jit
    def pick(out, x, at, factor):
        i = gpu.grid(1)
        far = at[i] * factor
        if far < x.size:
            out[i] = x[far] + x[i]

    n = 96
    at = np.where(np.arange(n) % 3 == 0, 2**45 + 7, np.arange(n)).astype(np.int64)
    x = np.arange(2 * n, dtype=np.int32)
    out = np.full(n, -1, np.int32)
    pick[3, 32](out, x, at, 2)
    i = np.arange(n)
    np.testing.assert_array_equal(out, np.where(i % 3 == 0, -1, 3 * i))

    @gpu.jit
    def rows(out, x, start):
        i = gpu.grid(1)
        j = start + i
        if j >= 0 and j < x.size:
            out[i] = x[j]

    for start in (-20, 150, -(2**30), 2**30, 2**30 + 5, 2**31 - 10, 2**32 - 10, -(2**32) - 10, 2**63 - 5, -(2**63)):
        out = np.full(n, -1, np.int32)
        rows[3, 32](out, x, start)
        expected = [start + k if 0 <= start + k < 2 * n and start + k < 2**63 else -1 for k in range(n)]
        np.testing.assert_array_equal(out, expected, err_msg=str(start))


def test_numbers_of_loops_beyond_32_bits():
    @gpu.jit
    def climb(out, top):
        i = gpu.grid(1)
        n, steps, sum = i + 1, 0, 0
        while steps < top and n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            sum += n
            steps += 1
        out[i, 0], out[i, 1], out[i, 2] = n, steps, sum

    def expected(n, top):
        steps = total = 0
        while steps < top and n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            total += n
            steps += 1
        return n, steps, total

    # 77,031 climbs to 21,933,016; 113,383 to 2,482,111,348, which 32 bits do not hold.
    @gpu.jit
    def climb_from(out, first, top):
        i = gpu.grid(1)
        n, steps, most = first[i], 0, 0
        while steps < top and n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            most = max(most, n)
            steps += 1
        out[i] = most

    out = np.zeros((64, 3), np.int64)
    climb[2, 32](out, 60)
    np.testing.assert_array_equal(out, [expected(i + 1, 60) for i in range(64)])
    first = np.full(64, 113383)
    first[::2] = 77031
    most = np.zeros(64, np.int64)
    climb_from[2, 32](most, first, 1000)
    assert most[0] == 21933016 and most[1] == 2482111348
    np.testing.assert_array_equal(most, np.tile(most[:2], 32))


def test_a_value_that_turns_keep_within_32_bits():
    @gpu.jit
    def halve_or_mix(out, first, top):
        i = gpu.grid(1)
        n, c = first[i], 0
        if n < 0 or n > 1000:
            n = 7
        while n != 1 and c < top:
            if n % 2 == 0:
                n = n // 2
            else:
                n = (3 * n + 1) % 65536
            c += 1
        out[i] = n * 1000 + c

    def expected(n, top):
        n, c = n if 0 <= n <= 1000 else 7, 0
        while n != 1 and c < top:
            n, c = n // 2 if n % 2 == 0 else (3 * n + 1) % 65536, c + 1
        return n * 1000 + c

    first = np.arange(-5, 91)
    first[3], first[40] = 2**33 + 6, -(2**62)
    for top in (5, 200):
        out = np.zeros(96, np.int64)
        halve_or_mix[3, 32](out, first, top)
        np.testing.assert_array_equal(out, [expected(int(n), top) for n in first])

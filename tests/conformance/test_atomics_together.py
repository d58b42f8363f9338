"""Atomics of neighbouring threads on one element, or on elements side by side: what they leave and what they return,
for whole warps and parts of them, aligned or not, from several blocks at once."""

import numpy as np
import pytest
from lanewise import gpu

TYPES = ["int32", "uint32", "int64", "uint64", "float32", "float64"]


def make(function):
    @gpu.jit
    def one(memory, x, returned):
        i = gpu.grid(1)
        if i < x.size:
            returned[i] = function(memory, 0, x[i])

    @gpu.jit
    def one_unread(memory, x):
        i = gpu.grid(1)
        if i < x.size:
            function(memory, 0, x[i])

    @gpu.jit
    def row(memory, x, returned):
        i = gpu.grid(1)
        if i < x.size:
            returned[i] = function(memory, gpu.threadIdx.x, x[i])

    @gpu.jit
    def row_unread(memory, x):
        i = gpu.grid(1)
        if i < x.size:
            function(memory, gpu.threadIdx.x, x[i])

    @gpu.jit
    def own(memory, x, returned):  # in shared memory
        s = gpu.shared.array(128, memory.dtype)
        t = gpu.threadIdx.x
        s[t] = memory[t]
        gpu.syncthreads()
        i = gpu.grid(1)
        if i < x.size:
            returned[i] = function(s, t, x[i])
        gpu.syncthreads()
        memory[t] = s[t]

    return one, one_unread, row, row_unread, own


# What one of them leaves. All values are whole numbers so small that sums are exact in any order.
LEAVES = {
    "add": lambda old, x: old + x,
    "sub": lambda old, x: old - x,
    "min": min,
    "max": max,
    "nanmin": min,
    "nanmax": max,
    "and_": lambda old, x: old & x,
    "or_": lambda old, x: old | x,
    "xor": lambda old, x: old ^ x,
    "inc": lambda old, x: 0 if old >= x else old + 1,
    "exch": lambda old, x: x,
}
OPERATIONS = {name: make(getattr(gpu.atomic, name)) for name in LEAVES}
CASES = [
    (name, dtype)
    for name in LEAVES
    for dtype in TYPES
    if not (name in ("and_", "or_", "xor") and dtype[0] == "f") and not (name == "inc" and dtype[0] != "u")
]


def values(dtype, count, seed):
    low = 0 if dtype[0] == "u" else -100
    return np.random.default_rng(seed).integers(low, 100, count).astype(dtype)


def is_a_sequence(leaves, first, last, operands, returned):
    """Whether some order of the threads explains what they returned: each returned what another one left."""
    left = {}
    for old, x in zip(returned, operands):
        left.setdefault(old, []).append(leaves(old, x))
    at, steps = first, 0
    path = [first]
    while path:  # a walk that takes each step once (Hierholzer)
        at = path[-1]
        if left.get(at):
            path.append(left[at].pop())
        else:
            if steps == 0 and at != last:
                return False
            path.pop()
            steps += 1
    return steps == len(operands) + 1


@pytest.mark.parametrize("threads", [32, 96, 77])
@pytest.mark.parametrize("name, dtype", CASES)
def test_on_one_element(name, dtype, threads):
    one, one_unread, *_ = OPERATIONS[name]
    x = values(dtype, threads, 1)
    if name == "inc":
        x[:] = 50
    start = np.array([60 if name in ("min", "sub") else 3], dtype)
    memory, returned = start.copy(), np.zeros(threads, dtype)
    one[1, 128](memory, x, returned)
    operands = x.tolist()
    wrapped = (lambda old, v: int(np.array(LEAVES[name](old, v) % 2 ** (8 * x.itemsize)).astype(dtype))) if (
        dtype[0] == "u" and name in ("sub", "inc")
    ) else LEAVES[name]  # fmt: skip
    assert is_a_sequence(wrapped, start[0].item(), memory[0].item(), operands, returned.tolist())
    if name == "exch":
        return
    expected = start[0].item()
    for v in operands:
        expected = wrapped(expected, v)
    assert memory[0] == expected
    memory = start.copy()
    one_unread[1, 128](memory, x)
    assert memory[0] == expected


@pytest.mark.parametrize("offset", [0, 1, 2, 3])
@pytest.mark.parametrize("name, dtype", CASES)
def test_side_by_side(name, dtype, offset):
    one, one_unread, row, row_unread, own = OPERATIONS[name]
    threads = 96 - offset  # of the last warp some take no part
    x, start = values(dtype, threads, 2), values(dtype, 128, 3)
    expected = start.copy()
    with np.errstate(over="ignore"):
        for i in range(threads):
            expected[i] = np.array(LEAVES[name](start[i], x[i])).astype(dtype)
    around = np.zeros(140, dtype)
    for kernel, reads in ((row, True), (row_unread, False), (own, True)):
        around[:] = 7
        memory, returned = around[offset : offset + 128], np.zeros(threads, dtype)
        memory[:] = start
        kernel[1, 128](memory, x, *([returned] if reads else []))
        np.testing.assert_array_equal(memory, expected)
        assert (around[:offset] == 7).all() and (around[offset + 128 :] == 7).all()
        if reads:
            np.testing.assert_array_equal(returned, start[:threads])


@pytest.mark.parametrize("dtype", TYPES)
def test_from_many_blocks(dtype):
    one, one_unread, row, row_unread, own = OPERATIONS["add"]
    x = (np.arange(64 * 128) % 5).astype(dtype)
    memory, total, total_read = np.zeros(128, dtype), np.zeros(1, dtype), np.zeros(1, dtype)
    returned = np.zeros(x.size, dtype)
    row_unread[64, 128](memory, x)
    one_unread[64, 128](total, x)
    one[64, 128](total_read, x, returned)
    np.testing.assert_array_equal(memory, x.reshape(64, 128).sum(0))
    assert total[0] == total_read[0] == x.sum()
    assert is_a_sequence(LEAVES["add"], 0, x.sum().item(), x.tolist(), returned.tolist())
    row[64, 128](memory, x, returned)
    np.testing.assert_array_equal(memory, 2 * x.reshape(64, 128).sum(0))


@gpu.jit
def count_over(count, x, limit):
    i = gpu.grid(1)
    if i < x.size and x[i] > limit:
        gpu.atomic.add(count, 0, 1)


@gpu.jit
def extremes(least, most, x):
    i = gpu.grid(1)
    if i < x.size:
        gpu.atomic.min(least, 0, x[i])
        gpu.atomic.nanmax(most, 0, x[i])


def test_of_some_threads_only():
    x = np.random.default_rng(4).random(1000).astype(np.float32)
    count = np.zeros(1, np.int32)
    count_over[8, 128](count, x, np.float32(0.75))
    assert count[0] == (x > 0.75).sum()
    count_over[8, 128](np.zeros(1, np.int32)[:0], x, np.float32(2))  # no thread comes there


def test_not_a_number():
    x = np.random.default_rng(5).random(1000).astype(np.float32)
    x[[7, 300]] = np.nan
    least, most = np.array([2], np.float32), np.array([np.nan], np.float32)
    extremes[8, 128](least, most, x)
    assert least[0] == np.nanmin(x) and most[0] == np.nanmax(x)
    least[0] = np.nan
    extremes[8, 128](least, most, x)
    assert np.isnan(least[0])

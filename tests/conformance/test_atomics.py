"""Atomics of every kind and type: the value left, the old value returned, NaN, wrap-around; global, shared, local."""

import numpy as np
import pytest
from lanewise import gpu

INTS = ["int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "float32", "float64"]
NAN = float("nan")


def on_each_memory(name, old, *operands):
    """(new, returned) of one atomic on an element of global, shared and local memory; they agree."""
    kernel = KERNELS[name]
    memory = np.array([old, old, old])
    returned = np.zeros_like(memory)
    kernel[1, 1](memory, *[np.array([x], memory.dtype) for x in operands], returned)
    bits = f"u{memory.itemsize}"
    for array in (memory, returned):
        values = array if memory.dtype.kind != "f" else np.where(np.isnan(array), np.nan, array).astype(memory.dtype)
        assert len(set(values.view(bits).tolist())) == 1, (name, old, operands, array)
    return memory[0], returned[0]


def make(function):
    @gpu.jit
    def kernel(memory, x, returned):
        s = gpu.shared.array(2, memory.dtype)
        mine = gpu.local.array(2, memory.dtype)
        s[1] = memory[1]
        mine[1] = memory[2]
        returned[0] = function(memory, 0, x[0])
        returned[1] = function(s, 1, x[0])
        returned[2] = function(mine, -1, x[0])
        memory[1] = s[1]
        memory[2] = mine[1]

    return kernel


NAMES = ["add", "sub", "min", "max", "nanmin", "nanmax", "and_", "or_", "xor", "inc", "dec", "exch"]
KERNELS = {}
for _name in NAMES:
    KERNELS[_name] = make(getattr(gpu.atomic, _name))


@gpu.jit
def _cas(memory, expected, wanted, returned):
    s = gpu.shared.array(2, memory.dtype)
    mine = gpu.local.array(2, memory.dtype)
    s[0] = memory[1]
    mine[0] = memory[2]
    returned[0] = gpu.atomic.cas(memory, 0, expected[0], wanted[0])
    returned[1] = gpu.atomic.compare_and_swap(s, expected[0], wanted[0])
    returned[2] = gpu.atomic.cas(mine, -2, expected[0], wanted[0])
    memory[1] = s[0]
    memory[2] = mine[0]


KERNELS["cas"] = _cas


def same(a, b):
    return a == b or (a != a and b != b)


@pytest.mark.parametrize("dtype", INTS)
def test_integers(dtype):
    t = np.dtype(dtype).type
    info = np.iinfo(dtype)
    unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}").type
    values = [t(v) for v in (0, 1, 5, 100, int(info.max), int(info.min), int(info.max) // 3)]
    for old in values:
        for x in values:
            with np.errstate(over="ignore"):
                u, v = unsigned(old), unsigned(x)
                expected = {
                    "add": old + x,
                    "sub": old - x,
                    "min": min(old, x),
                    "max": max(old, x),
                    "nanmin": min(old, x),
                    "nanmax": max(old, x),
                    "and_": old & x,
                    "or_": old | x,
                    "xor": old ^ x,
                    "inc": t(0) if u >= v else old + t(1),
                    "dec": x if u == 0 or u > v else old - t(1),
                    "exch": x,
                }
            for name, wanted in expected.items():
                new, returned = on_each_memory(name, old, x)
                assert (new, returned) == (wanted, old), (name, old, x)


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats(dtype):
    t = np.dtype(dtype).type
    values = [t(v) for v in (0.0, 1.5, -2.25, 1000.0, float("inf"), NAN)]
    for old in values:
        for x in values:
            with np.errstate(invalid="ignore", over="ignore"):
                smaller = old if x != x or old <= x else x
                larger = old if x != x or old >= x else x
                expected = {
                    "add": old + x,
                    "sub": old - x,
                    "min": old if old != old else smaller,
                    "max": old if old != old else larger,
                    "nanmin": x if old != old else smaller,
                    "nanmax": x if old != old else larger,
                    "exch": x,
                }
            for name, wanted in expected.items():
                new, returned = on_each_memory(name, old, x)
                assert same(new, wanted) and same(returned, old), (name, old, x, new, returned)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_zeros_of_both_signs(dtype):
    t = np.dtype(dtype).type
    for name, old, x, negative in [("min", 0.0, -0.0, True), ("max", -0.0, 0.0, False), ("nanmin", 0.0, -0.0, True)]:
        new, _ = on_each_memory(name, t(old), t(x))
        assert np.signbit(new) == negative, name


@pytest.mark.parametrize("dtype", INTS + FLOATS)
def test_compare_and_swap(dtype):
    t = np.dtype(dtype).type
    assert on_each_memory("cas", t(7), t(7), t(9)) == (9, 7)
    assert on_each_memory("cas", t(8), t(7), t(9)) == (8, 8)


@pytest.mark.parametrize("dtype", FLOATS)
def test_compare_and_swap_of_floats_compares_bits(dtype):
    t = np.dtype(dtype).type
    new, _ = on_each_memory("cas", t(0.0), t(-0.0), t(1.0))
    assert new == 0 and not np.signbit(new)
    new, _ = on_each_memory("cas", t(NAN), t(NAN), t(1.0))
    assert new == 1


@pytest.mark.parametrize("dtype", ["int32", "uint64", "float16", "float32", "float64"])
def test_many_threads_of_many_blocks(dtype):
    @gpu.jit
    def kernel(x, total, least, most, counts):
        i = gpu.grid(1)
        gpu.atomic.add(total, 0, x[i])
        gpu.atomic.min(least, (0, -1), x[i])
        gpu.atomic.max(most, (1, 0), x[i])
        gpu.atomic.inc(counts, i % 3, 9)

    x = (np.arange(512) % 4 + 1).astype(dtype)
    total, counts = np.zeros(1, dtype), np.zeros(3, np.uint32)
    least, most = np.full((2, 2), 50, dtype), np.zeros((2, 2), dtype)
    kernel[8, 64](x, total, least, most, counts)
    assert total[0] == x.sum()  # exact in float16 too
    assert least.tolist() == [[50, 1], [50, 50]] and most.tolist() == [[0, 0], [4, 0]]
    np.testing.assert_array_equal(counts, [np.count_nonzero(np.arange(512) % 3 == k) % 10 for k in range(3)])


def test_neighbours_of_a_float16_stay():
    @gpu.jit
    def kernel(h):
        gpu.atomic.add(h, gpu.threadIdx.x % 4 * 2 + 1, 1.0)
        gpu.atomic.max(h, 0, gpu.float16(gpu.threadIdx.x))

    h = np.arange(10, dtype=np.float16)
    kernel[2, 32](h)
    expected = np.arange(10, dtype=np.float16)
    expected[[1, 3, 5, 7]] += 16
    expected[0] = 31
    np.testing.assert_array_equal(h, expected)


def test_one_thread_a_block_takes_a_lock():
    """Legal: only one thread waits, and for another block, which goes on meanwhile."""

    @gpu.jit
    def kernel(lock, total):
        s = gpu.shared.array(64, np.int64)
        t = gpu.threadIdx.x
        s[t] = t
        gpu.syncthreads()
        if t == 0:
            while gpu.atomic.cas(lock, 0, 0, 1) != 0:
                gpu.nanosleep(20)
            gpu.threadfence()
            for k in range(64):
                total[0] += s[k]
            gpu.threadfence()
            gpu.atomic.exch(lock, 0, 0)

    lock, total = np.zeros(1, np.int32), np.zeros(1, np.int64)
    kernel[64, 64](lock, total)
    assert total[0] == 64 * 2016 and lock[0] == 0


def test_a_block_waits_for_the_one_before():
    @gpu.jit
    def kernel(done, out):
        b = gpu.blockIdx.x
        t = gpu.threadIdx.x
        if t == 0 and b > 0:
            while gpu.atomic.add(done, b - 1, 0) == 0:
                pass
        gpu.syncthreads()
        if t == 0:
            out[b] = (out[b - 1] if b > 0 else 0) + b
            gpu.threadfence()
            gpu.atomic.exch(done, b, 1)

    done, out = np.zeros(40, np.int32), np.zeros(40, np.int64)
    kernel[40, 32](done, out)
    np.testing.assert_array_equal(out, np.cumsum(np.arange(40)))


def test_the_last_block_sees_what_all_wrote():
    @gpu.jit
    def kernel(x, parts, count, out):
        t = gpu.threadIdx.x
        last = gpu.shared.array(1, np.int32)
        gpu.atomic.add(parts, gpu.blockIdx.x, x[gpu.grid(1)])
        gpu.threadfence()
        gpu.syncthreads()
        if t == 0:
            last[0] = gpu.atomic.inc(count, 0, gpu.gridDim.x - 1) == gpu.gridDim.x - 1
        gpu.syncthreads()
        if last[0] and t == 0:
            total = 0
            for b in range(gpu.gridDim.x):
                total += gpu.ldcg(parts, b)
            out[0] = total

    x = np.arange(512, dtype=np.int64)
    parts, count, out = np.zeros(8, np.int64), np.zeros(1, np.uint32), np.zeros(1, np.int64)
    kernel[8, 64](x, parts, count, out)
    assert out[0] == x.sum() and count[0] == 0

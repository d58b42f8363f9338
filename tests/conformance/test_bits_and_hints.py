"""Bit counts, fences, loads and stores with cache hints, and float modes of inlined helpers."""

import numpy as np
import pytest
from lanewise import gpu

INTS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
VALUES = [0, 1, 2, 3, 5, 40, 100, 127, 128, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**62, 2**63, 2**64 - 1, -1, -2, -100, -128]


def as_type(values, dtype):
    size = 8 * np.dtype(dtype).itemsize
    return np.array([v & (2**size - 1) for v in values], f"u{size // 8}").view(dtype)


@pytest.mark.parametrize("dtype", INTS)
def test_bit_counts(dtype):
    @gpu.jit
    def kernel(x, out, reversed_bits):
        i = gpu.threadIdx.x
        out[0, i] = gpu.popc(x[i])
        out[1, i] = gpu.clz(x[i])
        out[2, i] = gpu.ffs(x[i])
        out[3, i] = x[i].bit_count()
        reversed_bits[i] = gpu.brev(x[i])

    x = as_type(VALUES, dtype)
    width = max(32, 8 * x.itemsize)
    out, reversed_bits = np.zeros((4, len(x)), np.int32), np.zeros(len(x), f"u{width // 8}")
    kernel[1, len(x)](x, out, reversed_bits)
    for k, value in enumerate(x.tolist()):
        bits = f"{value & (2**width - 1):0{width}b}"
        assert out[0, k] == bits.count("1")
        assert out[1, k] == len(bits) - len(bits.lstrip("0"))
        assert out[2, k] == (width - bits.rindex("1") if "1" in bits else 0)
        assert out[3, k] == value.bit_count()
        assert reversed_bits[k] == int(bits[::-1], 2)


def test_python_numbers_have_64_bits():
    @gpu.jit
    def kernel(n, out):
        out[0] = gpu.popc(n)
        out[1] = gpu.clz(n)
        out[2] = gpu.ffs(n)
        out[3] = n.bit_count()
        out[4] = gpu.brev(n)
        out[5] = gpu.popc(255)

    out = np.zeros(6, np.int64)
    kernel[1, 1](-6, out)
    assert out.tolist() == [62, 0, 2, 2, 0x5FFFFFFFFFFFFFFF, 8]


def test_choice_and_fused_multiply_add():
    @gpu.jit(fma=False)
    def kernel(x, out):
        i = gpu.threadIdx.x
        out[0, i] = gpu.selp(x[i] > 1, x[i], -x[i])
        out[1, i] = gpu.fma(x[i], x[i], -1.0)

    x = np.array([0.1, 1.0 + 2**-30, 3.0, -2.0])
    out = np.zeros((2, 4))
    kernel[1, 4](x, out)
    np.testing.assert_array_equal(out[0], np.where(x > 1, x, -x))
    from fractions import Fraction

    exact = [float(Fraction(v) * Fraction(v) - 1) for v in x]
    np.testing.assert_array_equal(out[1], exact)


HINT_TYPES = ["bool", "int8", "uint16", "int32", "uint64", "float16", "float32", "float64"]


@pytest.mark.parametrize("dtype", HINT_TYPES)
def test_cache_hints(dtype):
    @gpu.jit
    def kernel(x, out):
        i = gpu.threadIdx.x
        gpu.stwb(out, (0, i), gpu.ldca(x, i))
        gpu.stcg(out, (1, i), gpu.ldcg(x, i))
        gpu.stcs(out, (2, i), gpu.ldcs(x, i))
        gpu.stwt(out, (3, i), gpu.ldlu(x, i))
        out[4, i] = gpu.ldcv(x, i - x.size)

    x = (np.arange(40) % 2 if dtype == "bool" else np.arange(40) * 3).astype(dtype)
    out = np.zeros((5, 40), dtype)
    kernel[1, 40](x, out)
    np.testing.assert_array_equal(out, np.broadcast_to(x, (5, 40)))


def test_cache_hints_on_shared_and_local_memory_are_plain():
    @gpu.jit
    def kernel(out):
        s = gpu.shared.array(32, np.float32)
        mine = gpu.local.array(2, np.int64)
        t = gpu.threadIdx.x
        gpu.stcg(s, t, t * 2)
        gpu.stwt(mine, 1, t)
        gpu.syncthreads()
        out[t] = gpu.ldcs(s, (t + 1) % 32) + gpu.ldca(mine, 1)

    out = np.zeros(32)
    kernel[1, 32](out)
    t = np.arange(32)
    np.testing.assert_array_equal(out, (t + 1) % 32 * 2 + t)


def test_fences_compile_everywhere():
    @gpu.jit
    def kernel(out):
        i = gpu.threadIdx.x
        out[i] = i
        gpu.threadfence_block()
        out[i] += 1
        gpu.threadfence()
        gpu.nanosleep(100)
        gpu.threadfence_system()
        out[i] += 1

    out = np.zeros(33, np.int32)
    kernel[1, 33](out)
    np.testing.assert_array_equal(out, np.arange(33) + 2)


@gpu.jit(device=True, fma=False)
def exact_remainder(a, b):
    return a * a - b


@gpu.jit(device=True, fma=False)
def exact_remainder_shared(a, b):
    s = gpu.shared.array(64, np.float64)
    s[gpu.threadIdx.x] = a
    gpu.syncthreads()
    c = s[gpu.threadIdx.x]
    return c * c - b


def test_a_helper_keeps_its_own_float_mode():
    """a*a - round(a*a) is 0 where nothing is fused, and the rounding error where it is."""

    @gpu.jit
    def fused(x, y, out):
        i = gpu.threadIdx.x
        out[0, i] = exact_remainder(x[i], y[i])
        out[1, i] = exact_remainder_shared(x[i], y[i])

    @gpu.jit(device=True)
    def may_fuse(a, b):
        return a * a - b

    @gpu.jit(fma=False)
    def exact(x, y, out):
        i = gpu.threadIdx.x
        out[0, i] = x[i] * x[i] - y[i]
        out[1, i] = exact_remainder(x[i], y[i]) + may_fuse(x[i], 0.0) * 0.0

    x = np.random.default_rng(3).random(64)
    y = x * x
    for kernel in (fused, exact):
        out = np.ones((2, 64))
        kernel[1, 64](x, y, out)
        np.testing.assert_array_equal(out, 0)

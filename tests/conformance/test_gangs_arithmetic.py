"""Arithmetic that vectors do in other ways than one number does it: every thread has what it has alone."""

import numpy as np
import pytest
from lanewise import gpu

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: np.dtype(d).name)
def test_division(dtype):
    """// and % as Python's; by zero 0. Varying, uniform and constant divisors, numbers of all sizes."""

    @gpu.jit
    def kernel(a, b, c, quotient, rest):
        i = gpu.grid(1)
        quotient[i, 0] = a[i] // b[i]
        rest[i, 0] = a[i] % b[i]
        quotient[i, 1] = a[i] // c
        rest[i, 1] = a[i] % c
        quotient[i, 2] = a[i] // dtype(7)
        rest[i, 2] = a[i] % dtype(10)

    info = np.iinfo(dtype)
    rng = np.random.default_rng(7)
    edges = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, info.max // 2, info.max // 3]
    if info.min < 0:
        edges += [-1, -2, -3, -7]
    pairs = [(x, y) for x in edges for y in edges]
    for bits in range(1, info.bits):
        for x, y in rng.integers(0, 1 << bits, (4, 2), dtype=np.uint64).tolist():
            pairs += [(x % (info.max + 1), y % (info.max + 1)), (x % (info.max + 1), 3 + y % 5)]
    a, b = (np.array(column, dtype) for column in zip(*pairs, strict=True))
    pad = -a.size % 32
    a, b = np.pad(a, (0, pad)), np.pad(b, (0, pad))
    for c in (dtype(1), dtype(9), dtype(info.max), dtype(0)):
        quotient, rest = np.zeros((a.size, 3), dtype), np.zeros((a.size, 3), dtype)
        kernel[a.size // 32, 32](a, b, c, quotient, rest)

        def exact(x, y):
            q, r = (0, 0) if y == 0 else divmod(x, y)
            return (q - (1 << info.bits) if q > info.max else q), r

        expected = [[exact(x, int(y)) for y in (z, c)] for x, z in zip(a.tolist(), b.tolist(), strict=True)]
        for i, x in enumerate(a.tolist()):
            (q0, r0), (q1, r1) = expected[i]
            assert (quotient[i, 0], rest[i, 0]) == (q0, r0), (x, b[i])
            assert (quotient[i, 1], rest[i, 1]) == (q1, r1), (x, c)
            assert (quotient[i, 2], rest[i, 2]) == (x // 7, x % 10), x


@pytest.mark.parametrize("dtype", [np.int64, np.uint64], ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("constant", [-100, -1, 100, 2**50 - 3, 2**50 + 3, -(2**50) - 5, 2**63 + 7], ids=str)
def test_division_of_and_by_constants(dtype, constant):
    """64-bit constants of which all other numbers are small, or none: those of unsigned types that look
    negative are large."""
    number = constant % 2**64
    number = dtype(number - 2**64 if dtype is np.int64 and number >= 2**63 else number)

    @gpu.jit
    def kernel(a, out):
        i = gpu.grid(1)
        out[i, 0] = number // a[i]
        out[i, 1] = number % a[i]
        out[i, 2] = a[i] // number
        out[i, 3] = a[i] % number

    info = np.iinfo(dtype)
    exact = int(number)
    small = np.array([*range(1, 30), 97, 101, 2**31 + 11], dtype)
    mixed = np.array([0, 1, 3, 2**49, 2**50, 2**51 + 1, info.max, info.min + 2] * 4, dtype)
    for a in (small, mixed):
        out = np.zeros((32, 4), dtype)
        kernel[1, 32](a, out)
        for x, row in zip(a.tolist(), out.tolist(), strict=True):
            of = (exact // x, exact % x) if x else (0, 0)
            assert row == [*of, x // exact, x % exact], x


def test_float_to_integer():
    """Truncated, saturated, NaN gives 0; in all lanes."""

    @gpu.jit
    def kernel(x, i8, u8, i32, u32, i64, u64):
        t = gpu.grid(1)
        i8[t] = gpu.int8(x[t])
        u8[t] = gpu.uint8(x[t])
        i32[t] = gpu.int32(x[t])
        u32[t] = gpu.uint32(x[t])
        i64[t] = gpu.int64(x[t])
        u64[t] = gpu.uint64(x[t])

    for dtype in (np.float32, np.float64):
        x = [
            0,
            0.9,
            -0.9,
            1.5,
            -1.5,
            127.9,
            128,
            -128.9,
            -129,
            255.9,
            256,
            2.0**31,
            2.0**31 - 129,
            -(2.0**31),
            2.0**32,
        ]
        x += [
            2.0**32 - 300,
            2.0**63,
            -(2.0**63),
            2.0**64,
            1e30,
            -1e30,
            np.inf,
            -np.inf,
            np.nan,
            2.0**62,
            2.0**53 - 1,
        ]
        x = np.array(x + [3.0] * (-len(x) % 32), dtype)
        outs = [np.zeros(x.size, d) for d in (np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64)]
        kernel[x.size // 32, 32](x, *outs)
        for out in outs:
            info = np.iinfo(out.dtype)
            expected = [
                0
                if np.isnan(v)
                else int(np.clip(v, -1e300, 1e300))
                if np.isfinite(v)
                else (v > 0) * (1 << 70) - (v < 0) * (1 << 70)
                for v in x.tolist()
            ]
            assert out.tolist() == [min(max(v, info.min), info.max) for v in expected]

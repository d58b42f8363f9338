"""Integer types, promotion, conversions: faults that other compilers had (README.md has the table)."""

import numpy as np
import pytest
from lanewise import gpu

P61 = (2**61) - 1
C64 = 0x9E3779B97F4A7C15
F64 = 0.1234567890123456789
I64 = -(2**62) - 3


def once(function, *arguments, size=8, dtype=np.float64):
    out = np.zeros(size, dtype)
    gpu.jit(function)[1, 1](out, *arguments)
    return out


def test_b01_uint64_stays_exact():
    def kernel(out, x, y):
        z = x + y
        if z >= P61:
            z = z - P61
        out[0] = z

    x, y = np.uint64(2**61 - 3), np.uint64(2**60 + 1)
    assert once(kernel, x, y, dtype=np.uint64)[0] == (2**61 - 3 + 2**60 + 1) - (2**61 - 1)


def test_b02_uint64_products():
    def kernel(out, us):
        out[0] = (10**15 + us) * 1000

    assert once(kernel, np.uint64(234567), dtype=np.uint64)[0] == (10**15 + 234567) * 1000


def test_b04_integer_times_literal_is_an_integer():
    def kernel(out, x):
        out[0] = x * 2
        out[1] = 2 * x
        out[2] = 2 - x

    x = 2**63 + 12345
    out = once(kernel, np.uint64(x), dtype=np.uint64)
    assert [int(v) for v in out[:3]] == [x * 2 % 2**64, x * 2 % 2**64, (2 - x) % 2**64]


def test_b05_unsigned_to_float_and_back():
    def kernel(out, back, a, b, c, d):
        out[0] = a[0]
        out[1] = b[0]
        out[2] = c[0]
        back[0] = d

    back = np.zeros(1, np.uint32)
    out = once(
        kernel,
        back,
        np.array([200], np.uint8),
        np.array([60000], np.uint16),
        np.array([3000000000], np.uint32),
        np.float64(3e9),
    )
    assert list(out[:3]) == [200.0, 60000.0, 3e9] and back[0] == 3000000000


def test_b07_and_b32_anything_but_zero_is_true():
    def kernel(out, x, n):
        for i in range(len(x)):
            out[i] = x[i]
        for i in range(len(n)):
            out[len(x) + i] = n[i]

    x = np.array([0.5, 2.5, 0, -1, np.nan])
    out = once(kernel, x, np.array([256, 0, 2**31 - 1], np.int32), dtype=np.bool_)
    assert list(out) == [True, True, False, True, True, True, False, True]


def test_b08_and_b14_division_floors_for_all_signs():
    def kernel(out, a, b, n):
        for i in range(n):
            out[2 * i] = a[i] // b[i]
            out[2 * i + 1] = a[i] % b[i]

    a = np.array([-1, -7, 7, -7, 8, -8, 0, 5], np.int32)
    b = np.array([5, 2, -2, -2, 3, 3, -3, -5], np.int32)
    out = once(kernel, a, b, 8, size=16, dtype=np.int64)
    assert list(out) == [f(int(x), int(y)) for x, y in zip(a, b) for f in (int.__floordiv__, int.__mod__)]

    def halves(out):
        for x in range(16):
            out[x] = x // -2

    assert list(once(halves, size=16, dtype=np.int64)) == [x // -2 for x in range(16)]


def test_b10_bools_are_ordered():
    def kernel(out, a, b):
        out[0] = a < b
        out[1] = a > b
        out[2] = a <= b
        out[3] = a >= a

    for pair in ((True, False), (np.bool_(True), np.bool_(False))):
        assert list(once(kernel, *pair)[:4]) == [0, 1, 0, 1]


def test_b11_bitwise_operators_of_bools():
    def kernel(out, a, b):
        for i in range(2):
            out[i] = ~a[i]
            out[2 + i] = a[i] & b[i]
            out[4 + i] = a[i] | b[i]
            out[6 + i] = a[i] ^ b[i]
        a[0] &= b[0]
        a[1] |= True
        b[1] ^= a[1]

    a, b = np.array([True, False]), np.array([False, True])
    out = once(kernel, a, b, dtype=np.bool_)
    assert list(out) == [False, True, False, False, True, True, True, True]
    assert list(a) == [False, True] and list(b) == [False, False]


def test_b13_shift_of_unsigned_brings_zeros():
    def kernel(out, x):
        out[0] = x[0] >> 2

    assert once(kernel, np.array([65535], np.uint16))[0] == 16383


def test_b16_remainder_of_floats_floors_as_a_constant_and_at_run_time():
    def kernel(out, x, y):
        out[0] = (-5.0) % 3.0
        out[1] = x % y
        out[2] = x % 3.0

    assert list(once(kernel, -5.0, 3.0)[:3]) == [1.0, 1.0, 1.0]


def test_b17_division_by_zero_has_one_value():
    def alone(out, x, z):
        out[0] = x % z

    def both(out, x, z):
        out[0] = x % z
        out[1] = x // z

    for t in (np.int32, np.uint32, np.int64, np.uint64, int):
        assert once(alone, t(7), t(0))[0] == 0
        assert list(once(both, t(7), t(0))[:2]) == [0, 0]


def test_b19_unsigned_remainder_of_a_hash():
    def kernel(out, x, y, z, n):
        p, q, r = np.uint32(1), np.uint32(2654435761), np.uint32(805459861)
        out[0] = ((x * p) ^ (y * q) ^ (z * r)) % n

    x, y, z, n = 4000000000, 4000000001, 77, 524288
    h = (x * 1 ^ y * 2654435761 ^ z * 805459861) % 2**32
    assert once(kernel, np.uint32(x), np.uint32(y), np.uint32(z), np.uint32(n))[0] == h % n
    assert once(kernel, np.uint32(x), np.uint32(y), np.uint32(z), np.int64(n))[0] == h % n


def test_b20_integer_division_takes_no_detour():
    def kernel(out, a, b):
        out[0] = a // b

    assert once(kernel, np.int32(299999), np.int32(100000))[0] == 2
    big = 2**62 + 1
    assert once(kernel, np.int64(big), np.int64(3), dtype=np.int64)[0] == big // 3


def test_b22_b23_b31_large_constants_and_arguments():
    def kernel(out, a, s):
        out[0] = 0xFFFFFFFF
        out[1] = 2**63
        out[2] = a[0]
        out[3] = s
        out[4] = C64
        out[5] = 0xFFFFFFFFFFFFFFFF

    big = 2**63
    out = once(kernel, np.array([big], np.uint64), big, dtype=np.uint64)
    assert [int(v) for v in out[:6]] == [2**32 - 1, big, big, big, C64, 2**64 - 1]

    def signed(out, x):
        out[0] = -I64 * x
        out[1] = I64 * x

    assert list(once(signed, 1, dtype=np.int64)[:2]) == [-I64, I64]

    def real(out, x):
        out[0] = -F64 * x

    assert once(real, 3.0)[0] == -F64 * 3.0


def test_b25_index_of_a_large_grid():
    def kernel(out):
        i = gpu.grid(1)
        if i != gpu.blockIdx.x * gpu.blockDim.x + gpu.threadIdx.x or i < 0:
            out[0] = 1

    # The numbers of such a launch, without one: the product is one of 64 bits.
    def product(out, n, m):
        out[0] = gpu.gridsize(1) * 0 + n * m

    assert once(product, 2**31 - 1, 1024, dtype=np.int64)[0] == (2**31 - 1) * 1024
    assert once(kernel)[0] == 0


def test_b26_range_beyond_32_bits():
    def kernel(out, a, b):
        for i in range(a, b):
            out[0] += 1
            out[1] = i

    out = once(kernel, 2**31 - 2, 2**31 + 2, dtype=np.int64)
    assert list(out[:2]) == [4, 2**31 + 1]


def test_b28_range_of_a_converted_float():
    @gpu.jit(device=True)
    def last(a):
        x = 0
        for n in range(int(a)):
            x = n
        return x

    def kernel(out, a):
        for i in range(4):
            out[i] = last(a[i])

    assert list(once(kernel, np.arange(1.0, 5.0))[:4]) == [0, 1, 2, 3]


@pytest.mark.parametrize("t", [np.int8, np.uint16, np.int32, np.uint64])
def test_b29_typed_integers_as_bounds(t):
    def kernel(out, a, n):
        for i in range(n):
            out[i] = a[n - i - 1]
        v = a[1:n]
        out[4] = len(v)

    assert list(once(kernel, np.arange(4.0), t(3))[:5]) == [2, 1, 0, 0, 2]

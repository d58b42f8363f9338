"""gpu.random: xoroshiro128+ as Numba has it, Philox 4x32-10 as Random123 has it."""

import math

import numpy as np
import pytest
from lanewise import gpu
from lanewise.gpu.random import (
    create_xoroshiro128p_states,
    init_xoroshiro128p_state,
    init_xoroshiro128p_states,
    philox4x32,
    philox_normal_float32,
    philox_normal_float64,
    philox_uint32,
    philox_uint64,
    philox_uniform_float32,
    philox_uniform_float64,
    xoroshiro128p_dtype,
    xoroshiro128p_jump,
    xoroshiro128p_next,
    xoroshiro128p_normal_float32,
    xoroshiro128p_normal_float64,
    xoroshiro128p_uniform_float32,
    xoroshiro128p_uniform_float64,
)

MANY = 2000 if gpu.current_target() != "cpu" else 200_000

# numba.cuda.random 0.68 with seed 12345: state 1's first numbers, then four times in turn uniform and normal float32
# of state 1 and float64 of state 2.
NEXT = [10799700523726587470, 14536687174110443773, 15316723267951931419, 12267474886657234861]
UNIFORM32 = [0.9181594252586365, 0.7570466995239258, 0.23203521966934204, 0.9839341640472412]
NORMAL32 = [-0.030993212739816492, 0.6782774562562176, -2.4081235059006367, 0.2130126913567928]
UNIFORM64 = [0.9797149890327137, 0.7405231898326223, 0.4694421731059566, 0.6136708373714563]
NORMAL64 = [0.10384926216428655, 2.101764555308799, -0.5530332391588011, 0.8712540013380672]
STATES = [
    (2454886589211414944, 2454886589211414944),
    (15611226962877684393, 13635217634558454693),
    (12450507556815911167, 5622044111047719174),
]


def as_pairs(states):
    return [(int(a), int(b)) for a, b in states.copy_to_host()]


def test_states_are_numbas():
    assert as_pairs(create_xoroshiro128p_states(3, seed=12345)) == STATES
    later = [(1129611961570501949, 5235472948863713403), (4184062873850519686, 4666951538218872649)]
    assert as_pairs(create_xoroshiro128p_states(2, seed=1, subsequence_start=5)) == later
    assert as_pairs(create_xoroshiro128p_states(0, seed=1)) == []
    states = create_xoroshiro128p_states(3, seed=1)
    init_xoroshiro128p_states(states, seed=12345)
    assert as_pairs(states) == STATES
    with pytest.raises(ValueError, match="subsequence_start"):
        create_xoroshiro128p_states(1, seed=1, subsequence_start=-1)


def test_states_are_records():
    assert xoroshiro128p_dtype == np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
    states = create_xoroshiro128p_states(3, seed=12345)
    assert states.dtype == xoroshiro128p_dtype and states.shape == (3,)
    host = np.zeros(3, xoroshiro128p_dtype)
    init_xoroshiro128p_states(host, seed=12345)
    assert [(int(s["s0"]), int(s["s1"])) for s in host] == STATES


def test_a_million_states():
    """Made by doubling, not one by one: the last is as far as jumping over all before it at once."""
    states = as_pairs(create_xoroshiro128p_states(1_000_000, seed=3))
    assert states[777_777] == as_pairs(create_xoroshiro128p_states(1, seed=3, subsequence_start=777_777))[0]
    assert len(set(states)) == len(states)


def test_states_made_in_a_kernel_are_the_same():
    @gpu.jit
    def kernel(states, seed):
        i = gpu.grid(1)
        if i < states.shape[0]:
            init_xoroshiro128p_state(states, i, seed)
            for _ in range(i):
                xoroshiro128p_jump(states, i)

    states = create_xoroshiro128p_states(3, seed=0)
    kernel[1, 32](states, 12345)
    assert as_pairs(states) == STATES


def test_numbers_are_numbas():
    @gpu.jit
    def kernel(states, n, f, g):
        if gpu.grid(1) == 0:
            for j in range(4):
                n[j] = xoroshiro128p_next(states, 1)
            for j in range(4):
                f[0, j] = xoroshiro128p_uniform_float32(states, 1)
                f[1, j] = xoroshiro128p_normal_float32(states, 1)
                g[0, j] = xoroshiro128p_uniform_float64(states, 2)
                g[1, j] = xoroshiro128p_normal_float64(states, 2)

    states = create_xoroshiro128p_states(3, seed=12345)
    n, f, g = np.zeros(4, np.uint64), np.zeros((2, 4), np.float32), np.zeros((2, 4))
    kernel[1, 1](states, n, f, g)
    np.testing.assert_array_equal(n, np.array(NEXT, np.uint64))
    np.testing.assert_array_equal(f[0], np.array(UNIFORM32, np.float32))
    np.testing.assert_array_equal(g[0], UNIFORM64)
    np.testing.assert_allclose(f[1], NORMAL32, rtol=3e-6)  # its simulator computes in float64
    np.testing.assert_allclose(g[1], NORMAL64, rtol=3e-15)
    assert as_pairs(states)[1:] == [(31438747541726489, 16597946314079786478), (17820158213212706405, 11848448635641979891)]


VECTORS = [  # Random123's known answers
    ((0,) * 4, (0,) * 2, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0),
     (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]  # fmt: skip


@pytest.mark.parametrize(("counter", "key", "words"), VECTORS)
def test_philox_known_answers(counter, key, words):
    @gpu.jit
    def kernel(c, k, out):
        out[0], out[1], out[2], out[3] = philox4x32((c[0], c[1], c[2], c[3]), (k[0], k[1]))

    out = np.zeros(4, np.uint32)
    kernel[1, 1](np.array(counter, np.uint32), np.array(key, np.uint32), out)
    np.testing.assert_array_equal(out, np.array(words, np.uint32))


def philox(counter, key):
    """Philox 4x32-10 in Python's integers."""
    x, k = list(counter), list(key)
    for _ in range(10):
        a, b = x[0] * 0xD2511F53, x[2] * 0xCD9E8D57
        x = [b >> 32 ^ x[1] ^ k[0], b & 0xFFFFFFFF, a >> 32 ^ x[3] ^ k[1], a & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return x


def test_philox_numbers():
    """seed is the key, index the counter's low and draw its high half; numbers are made of the first words."""

    @gpu.jit
    def kernel(seed, out, words):
        i = gpu.grid(1)
        if i < out.shape[0]:
            out[i, 0] = philox_uniform_float32(seed, i, 3)
            out[i, 1] = philox_uniform_float64(seed, i, draw=3)
            out[i, 2] = philox_normal_float32(seed, i, 3)
            out[i, 3] = philox_normal_float64(seed, i, 3)
            out[i, 4] = philox_uniform_float64(seed, i)
            words[i] = philox_uint64(seed, i, 3) ^ philox_uint32(seed, i, 3)

    seed = 2**40 + 77
    out, words = np.zeros((40, 5)), np.zeros(40, np.uint64)
    kernel[2, 32](seed, out, words)
    for i in range(40):
        w = philox((i, 0, 3, 0), (seed & 0xFFFFFFFF, seed >> 32))
        low, high = w[0] | w[1] << 32, w[2] | w[3] << 32
        assert out[i, 0] == (w[0] >> 8) * 2.0**-24
        assert out[i, 1] == (low >> 11) * 2.0**-53
        angle32, angle64 = 2 * math.pi * (w[1] >> 8) * 2.0**-24, 2 * math.pi * (high >> 11) * 2.0**-53
        normal32 = math.sqrt(-2 * math.log(((w[0] >> 8) + 1) * 2.0**-24)) * math.cos(angle32)
        normal64 = math.sqrt(-2 * math.log(((low >> 11) + 1) * 2.0**-53)) * math.cos(angle64)
        assert abs(out[i, 2] - normal32) <= 2e-6
        assert abs(out[i, 3] - normal64) <= 1e-14
        first = philox((i, 0, 0, 0), (seed & 0xFFFFFFFF, seed >> 32))
        assert out[i, 4] == ((first[0] | first[1] << 32) >> 11) * 2.0**-53
        assert int(words[i]) == low ^ w[0]


def numbers(which, dtype):
    """MANY numbers of 100 sequences."""
    n = MANY // 100
    out = np.zeros((100, n), dtype)
    if which.startswith("philox"):
        function = getattr(gpu.random, which)

        @gpu.jit
        def kernel(out):
            i = gpu.grid(1)
            if i < out.shape[0]:
                for j in range(out.shape[1]):
                    out[i, j] = function(9, i, j)

        kernel[1, 128](out)
    else:
        function = getattr(gpu.random, which)

        @gpu.jit
        def kernel(states, out):
            i = gpu.grid(1)
            if i < out.shape[0]:
                for j in range(out.shape[1]):
                    out[i, j] = function(states, i)

        kernel[1, 128](create_xoroshiro128p_states(100, seed=9), out)
    return out.ravel().astype(np.float64)


KINDS = [(family, kind, bits) for family in ("philox", "xoroshiro128p") for kind in ("uniform", "normal") for bits in (32, 64)]


@pytest.mark.parametrize(("family", "kind", "bits"), KINDS)
def test_statistics(family, kind, bits):
    """Mean, variance, and chi-square over 50 classes of equal probability, each within 5 standard deviations."""
    x = numbers(f"{family}_{kind}_float{bits}", np.dtype(f"float{bits}"))
    n = x.size
    mean, variance = (0.5, 1 / 12) if kind == "uniform" else (0.0, 1.0)
    kurtosis = 1.8 if kind == "uniform" else 3.0
    assert abs(x.mean() - mean) < 5 * math.sqrt(variance / n)
    assert abs(x.var() - variance) < 5 * variance * math.sqrt((kurtosis - 1) / n)
    if kind == "uniform":
        assert x.min() >= 0 and x.max() < 1
        level = x
    else:
        level = np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in x])
    counts = np.bincount(np.minimum((level * 50).astype(int), 49), minlength=50)
    chi_square = np.sum((counts - n / 50) ** 2 / (n / 50))
    assert abs(chi_square - 49) < 5 * math.sqrt(2 * 49)
    neighbours = np.corrcoef(x[:-1], x[1:])[0, 1]
    assert abs(neighbours) < 5 / math.sqrt(n)

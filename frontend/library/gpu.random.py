# numba.cuda.random's generator and Philox. A state is a record of two uint64, s0 and s1.
import math

from lanewise import gpu

# --- xoroshiro128+ (Blackman and Vigna, 2016: rotations by 55, 14, 36), seeded by SplitMix64.

JUMP_LOW = 0xBEAC0467EBA5FACB
JUMP_HIGH = 0xD86B048B86AA9922


@gpu.jit(device=True)
def _rotated(x, k):
    return (x << k) | (x >> (64 - k))


@gpu.jit(device=True)
def init_xoroshiro128p_state(states, index, seed):
    # SplitMix64's first number, in both halves.
    z = gpu.uint64(seed) + 0x9E3779B97F4A7C15
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    z = z ^ (z >> 31)
    states[index]["s0"] = z
    states[index]["s1"] = z


@gpu.jit(device=True)
def xoroshiro128p_next(states, index):
    s0 = states[index]["s0"]
    s1 = states[index]["s1"]
    result = s0 + s1
    s1 = s1 ^ s0
    states[index]["s0"] = _rotated(s0, 55) ^ s1 ^ (s1 << 14)
    states[index]["s1"] = _rotated(s1, 36)
    return result


@gpu.jit(device=True)
def xoroshiro128p_jump(states, index):
    s0 = gpu.uint64(0)
    s1 = gpu.uint64(0)
    for word in (gpu.uint64(JUMP_LOW), gpu.uint64(JUMP_HIGH)):
        for bit in range(64):
            if (word >> bit) & 1 != 0:
                s0 = s0 ^ states[index]["s0"]
                s1 = s1 ^ states[index]["s1"]
            xoroshiro128p_next(states, index)
    states[index]["s0"] = s0
    states[index]["s1"] = s1


@gpu.jit(device=True)
def _unit_float64(x):
    return gpu.float64(x >> 11) * 2.0**-53


@gpu.jit(device=True)
def xoroshiro128p_uniform_float64(states, index):
    return _unit_float64(xoroshiro128p_next(states, index))


@gpu.jit(device=True)
def xoroshiro128p_uniform_float32(states, index):
    return gpu.float32(_unit_float64(xoroshiro128p_next(states, index)))


@gpu.jit(device=True)
def _box_muller(u1, u2):
    return math.sqrt(-2.0 * math.log(u1)) * math.cos((2.0 * math.pi) * u2)


@gpu.jit(device=True)
def xoroshiro128p_normal_float32(states, index):
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return _box_muller(u1, u2)


# As Numba has it: made of two float32. philox_normal_float64 is made of 53 bits each.
@gpu.jit(device=True)
def xoroshiro128p_normal_float64(states, index):
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return _box_muller(gpu.float64(u1), gpu.float64(u2))


# --- Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, 2011): a function of a counter and a key, without state.


@gpu.jit(device=True)
def philox4x32(counter, key):
    x0 = gpu.uint32(counter[0])
    x1 = gpu.uint32(counter[1])
    x2 = gpu.uint32(counter[2])
    x3 = gpu.uint32(counter[3])
    k0 = gpu.uint32(key[0])
    k1 = gpu.uint32(key[1])
    for turn in range(10):
        p0 = gpu.uint64(x0) * 0xD2511F53
        p1 = gpu.uint64(x2) * 0xCD9E8D57
        x0 = gpu.uint32(p1 >> 32) ^ x1 ^ k0
        x2 = gpu.uint32(p0 >> 32) ^ x3 ^ k1
        x1 = gpu.uint32(p1)
        x3 = gpu.uint32(p0)
        k0 = k0 + gpu.uint32(0x9E3779B9)
        k1 = k1 + gpu.uint32(0xBB67AE85)
    return x0, x1, x2, x3


# The four words of number `draw` of sequence `index` of the generator `seed`, each of 64 bits.
@gpu.jit(device=True)
def _philox_words(seed, index, draw):
    s = gpu.uint64(seed)
    i = gpu.uint64(index)
    d = gpu.uint64(draw)
    return philox4x32((gpu.uint32(i), gpu.uint32(i >> 32), gpu.uint32(d), gpu.uint32(d >> 32)),
                      (gpu.uint32(s), gpu.uint32(s >> 32)))


@gpu.jit(device=True)
def _wide(low, high):
    return (gpu.uint64(high) << 32) | gpu.uint64(low)


@gpu.jit(device=True)
def philox_uint32(seed, index, draw=0):
    return _philox_words(seed, index, draw)[0]


@gpu.jit(device=True)
def philox_uint64(seed, index, draw=0):
    words = _philox_words(seed, index, draw)
    return _wide(words[0], words[1])


@gpu.jit(device=True)
def philox_uniform_float32(seed, index, draw=0):
    words = _philox_words(seed, index, draw)
    return gpu.float32(words[0] >> 8) * gpu.float32(2.0**-24)


@gpu.jit(device=True)
def philox_uniform_float64(seed, index, draw=0):
    words = _philox_words(seed, index, draw)
    return _unit_float64(_wide(words[0], words[1]))


# The first number is in (0, 1]: its logarithm is finite.
@gpu.jit(device=True)
def philox_normal_float32(seed, index, draw=0):
    words = _philox_words(seed, index, draw)
    u1 = gpu.float32((words[0] >> 8) + 1) * gpu.float32(2.0**-24)
    u2 = gpu.float32(words[1] >> 8) * gpu.float32(2.0**-24)
    return _box_muller(u1, u2)


@gpu.jit(device=True)
def philox_normal_float64(seed, index, draw=0):
    words = _philox_words(seed, index, draw)
    u1 = gpu.float64((_wide(words[0], words[1]) >> 11) + 1) * 2.0**-53
    u2 = _unit_float64(_wide(words[2], words[3]))
    return _box_muller(u1, u2)

"""Random numbers inside kernels: xoroshiro128+ with a state for each thread, and Philox without states.

    states = create_xoroshiro128p_states(threads, seed=1)
    x = xoroshiro128p_uniform_float32(states, i)         # in a kernel; moves state i on

    x = philox_uniform_float32(seed, i, step)            # in a kernel; a function of its arguments

The names, the numbers and the states' type (`xoroshiro128p_dtype`) are those of numba.cuda.random. Philox is 4x32-10:
its number for one (seed, index, draw) is statistically independent of that for any other.
"""

import numpy as np

from . import _memory, _names

__all__ = [
    "create_xoroshiro128p_states",
    "init_xoroshiro128p_state",
    "init_xoroshiro128p_states",
    "philox4x32",
    "philox_normal_float32",
    "philox_normal_float64",
    "philox_uint32",
    "philox_uint64",
    "philox_uniform_float32",
    "philox_uniform_float64",
    "xoroshiro128p_dtype",
    "xoroshiro128p_jump",
    "xoroshiro128p_next",
    "xoroshiro128p_normal_float32",
    "xoroshiro128p_normal_float64",
    "xoroshiro128p_uniform_float32",
    "xoroshiro128p_uniform_float64",
]

xoroshiro128p_dtype = np.dtype([("s0", "<u8"), ("s1", "<u8")], align=True)

_MASK = 2**64 - 1
_JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)


def _seeded(seed):
    """SplitMix64's first number, in both halves of the state."""
    z = (int(seed) + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    z ^= z >> 31
    return z, z


def _jumped(s0, s1):
    """The state 2**64 numbers later."""

    def rotated(x, k):
        return ((x << k) | (x >> (64 - k))) & _MASK

    sum0 = sum1 = 0
    for word in _JUMP:
        for bit in range(64):
            if word >> bit & 1:
                sum0 ^= s0
                sum1 ^= s1
            s1 ^= s0
            s0, s1 = rotated(s0, 55) ^ s1 ^ ((s1 << 14) & _MASK), rotated(s1, 36)
    return sum0, sum1


class _LinearMap:
    """A jump is linear over the bits of a state: the images of its 16 bytes' values, as tables."""

    def __init__(self, columns):
        self.tables = np.zeros((16, 256, 2), np.uint64)
        for byte in range(16):
            table = self.tables[byte]
            for bit in range(8):
                size = 1 << bit
                table[size : 2 * size] = table[:size] ^ columns[8 * byte + bit]

    @classmethod
    def jump(cls):
        basis = [(1 << bit, 0) for bit in range(64)] + [(0, 1 << bit) for bit in range(64)]
        return cls(np.array([_jumped(*state) for state in basis], np.uint64))

    def __call__(self, states):
        digits = np.ascontiguousarray(states, "<u8").view(np.uint8).reshape(-1, 16)
        out = self.tables[0][digits[:, 0]]
        for byte in range(1, 16):
            out ^= self.tables[byte][digits[:, byte]]
        return out

    def twice(self):
        shifts = np.arange(64, dtype=np.uint64)
        basis = np.zeros((128, 2), np.uint64)
        basis[:64, 0] = basis[64:, 1] = np.uint64(1) << shifts
        return _LinearMap(self(self(basis)))


def _states(count, seed, subsequence_start):
    """`count` states: each 2**64 numbers after the one before, the first `subsequence_start` times that after the
    seed's."""
    state = np.array([_seeded(seed)], np.uint64)
    start, jump = int(subsequence_start), _LinearMap.jump()
    if start < 0:
        raise ValueError("subsequence_start must not be negative")
    power = jump
    while start:
        if start & 1:
            state = power(state)
        start >>= 1
        power = power.twice() if start else power
    values = np.empty((count, 2), np.uint64)
    values[:1] = state
    filled = 1
    while filled < count:  # the first half, jumped over
        more = min(filled, count - filled)
        values[filled : filled + more] = jump(values[:more])
        filled += more
        jump = jump.twice() if filled < count else jump
    return values.view(xoroshiro128p_dtype)[:, 0]


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    """Initialises an array of states, on the device or in NumPy."""
    values = _states(states.shape[0], seed, subsequence_start)
    if isinstance(states, np.ndarray):
        states[...] = values
    else:
        states.copy_to_device(values)


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    """`n` states in device memory, for kernels whose threads each use one of their own.

    Sequences of one seed do not overlap for 2**64 numbers; `subsequence_start` skips that many of them.
    """
    return _memory.to_device(_states(n, seed, subsequence_start))


def __getattr__(name):
    found = _names.find("random." + name) if name in __all__ else None
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__():
    return sorted(__all__)

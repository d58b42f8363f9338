"""Unsigned wrap-around RNG, casts both ways."""

import numpy as np
from lanewise import gpu

f64, u64 = np.float64, np.uint64
rng = np.random.default_rng(7)


def test_xorshift():
    @gpu.jit
    def k(seed, out, n):
        t = gpu.grid(1)
        s = seed[t]
        for j in range(n):
            s ^= s << u64(13)
            s ^= s >> u64(7)
            s ^= s << u64(17)
            out[t, j] = f64(s >> u64(11)) * (1.0 / (1 << 53))
        seed[t] = s

    s = rng.integers(1, 2**63, 8).astype(u64) | u64(1 << 63)
    o = np.empty((8, 5))
    r = s.copy()
    ref = np.empty((8, 5))
    k[2, 4](s, o, 5)
    for j in range(5):
        r ^= r << u64(13)
        r ^= r >> u64(7)
        r ^= r << u64(17)
        ref[:, j] = (r >> u64(11)) * 2.0**-53
    np.testing.assert_array_equal(s, r)
    np.testing.assert_array_equal(o, ref)

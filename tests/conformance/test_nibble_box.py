"""64-bit masks > 2**63, nibble S-box from a captured constant table."""

import numpy as np
from lanewise import gpu

u8, u64 = np.uint8, np.uint64
rng = np.random.default_rng(7)


def test_nibble_box():
    BOX = np.array([6, 11, 5, 4, 2, 14, 7, 10, 9, 13, 15, 12, 3, 1, 0, 8], u8)

    @gpu.jit
    def k(x, y):
        p = gpu.grid(1)
        if p < x.size:
            v = u64(0)
            for n in range(16):
                v |= u64(BOX[(x[p] >> u64(4 * n)) & u64(15)]) << u64(4 * n)
            m = u64(0xAAAAAAAAAAAAAAAA)
            y[p] = ((v & m) >> u64(1)) | ((v & ~m) << u64(1))

    x = rng.integers(0, 2**63, 9).astype(u64) * u64(2) + u64(1)
    y = np.empty_like(x)
    k[3, 4](x, y)
    nib = (x[:, None] >> (u64(4) * np.arange(16, dtype=u64))) & u64(15)
    v = np.bitwise_or.reduce(BOX[nib].astype(u64) << (u64(4) * np.arange(16, dtype=u64)), axis=1)
    m = u64(0xAAAAAAAAAAAAAAAA)
    np.testing.assert_array_equal(y, ((v & m) >> u64(1)) | ((v & ~m) << u64(1)))

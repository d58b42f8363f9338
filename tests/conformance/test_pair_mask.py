"""Suppression mask: 1 << i up to bit 63, |= , uint64 store, bool added to int."""

import numpy as np
from lanewise import gpu

u64 = np.uint64
rng = np.random.default_rng(7)


def test_pair_mask():
    @gpu.jit
    def k(lo, hi, mask):
        b = gpu.grid(1)
        n = lo.size
        if b < n:
            words = n // 64 + (n % 64 > 0)
            for w in range(words):
                m = u64(0)
                for c in range(min(64, n - 64 * w)):
                    if 64 * w + c > b and min(hi[b], hi[64 * w + c]) > max(lo[b], lo[64 * w + c]):
                        m |= u64(1) << u64(c)
                mask[b, w] = m

    n = 70
    lo = rng.random(n)
    hi = lo + 0.2
    W = np.zeros((n, 2), u64)
    k[9, 8](lo, hi, W)
    ov = (np.minimum.outer(hi, hi) > np.maximum.outer(lo, lo)) & (np.arange(n)[None] > np.arange(n)[:, None])
    ov = np.pad(ov, ((0, 0), (0, 58))).reshape(n, 2, 64)
    np.testing.assert_array_equal(W, (ov * (u64(1) << np.arange(64, dtype=u64))).sum(-1, dtype=u64))

"""2-D grid, shape unpack, chained compare, border untouched, non-square, C / F / sliced layouts."""

import numpy as np
from lanewise import gpu

rng = np.random.default_rng(7)


def test_five_point():
    @gpu.jit
    def k(src, dst):
        r, c = gpu.grid(2)
        h, w = src.shape
        if 0 < r < h - 1 and 0 < c < w - 1:
            dst[r, c] = 0.25 * (src[r - 1, c] + src[r + 1, c] + src[r, c - 1] + src[r, c + 1])

    big = rng.random((14, 22))
    for src in (big[:7, :11].copy(), np.asfortranarray(big[:7, :11]), big[::2, ::2], big[::-2, 1::2]):
        dst = np.zeros(src.shape)
        ref = dst.copy()
        ref[1:-1, 1:-1] = 0.25 * (src[:-2, 1:-1] + src[2:, 1:-1] + src[1:-1, :-2] + src[1:-1, 2:])
        k[(2, 3), (4, 4)](src, dst)
        np.testing.assert_allclose(dst, ref)

"""Privatised histogram: strided init loop, shared atomics, merge."""

import numpy as np
from lanewise import gpu

i32, u8 = np.int32, np.uint8
rng = np.random.default_rng(7)


def test_byte_hist():
    @gpu.jit
    def k(d, bins):
        loc = gpu.shared.array(16, i32)
        t = gpu.threadIdx.x
        for b in range(t, 16, gpu.blockDim.x):
            loc[b] = 0
        gpu.syncthreads()
        for p in range(gpu.grid(1), d.size, gpu.gridsize(1)):
            gpu.atomic.add(loc, d[p] >> 4, 1)
        gpu.syncthreads()
        for b in range(t, 16, gpu.blockDim.x):
            gpu.atomic.add(bins, b, loc[b])

    d = rng.integers(0, 256, 300).astype(u8)
    h = np.zeros(16, i32)
    k[3, 6](d, h)
    np.testing.assert_array_equal(h, np.bincount(d >> 4, minlength=16))

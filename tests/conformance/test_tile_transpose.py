"""Padded shared tile, re-assigned index variables after the barrier, ragged edge."""

import numpy as np
from lanewise import gpu

i32 = np.int32
rng = np.random.default_rng(7)


def test_tile_transpose():
    T = 4

    @gpu.jit
    def k(a, out):
        tile = gpu.shared.array((T, T + 1), i32)
        tx, ty = gpu.threadIdx.x, gpu.threadIdx.y
        x = gpu.blockIdx.x * T + tx
        y = gpu.blockIdx.y * T + ty
        if y < a.shape[0] and x < a.shape[1]:
            tile[ty, tx] = a[y, x]
        gpu.syncthreads()
        x = gpu.blockIdx.y * T + tx
        y = gpu.blockIdx.x * T + ty
        if y < out.shape[0] and x < out.shape[1]:
            out[y, x] = tile[tx, ty]

    a = rng.integers(0, 99, (6, 9)).astype(i32)
    o = np.zeros((9, 6), i32)
    k[(3, 2), (T, T)](a, o)
    np.testing.assert_array_equal(o, a.T)

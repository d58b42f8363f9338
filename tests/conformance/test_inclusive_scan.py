"""Hillis-Steele scan: two barriers per loop turn, doubling offset."""

import numpy as np
from lanewise import gpu

i64 = np.int64
rng = np.random.default_rng(7)


def test_inclusive_scan():
    B = 16

    @gpu.jit
    def k(x):
        sm = gpu.shared.array(B, i64)
        t = gpu.threadIdx.x
        sm[t] = x[t]
        gpu.syncthreads()
        d = 1
        while d < B:
            v = sm[t - d] if t >= d else 0
            gpu.syncthreads()
            sm[t] += v
            gpu.syncthreads()
            d *= 2
        x[t] = sm[t]

    x = rng.integers(-50, 50, B)
    ref = np.cumsum(x)
    k[1, B](x)
    np.testing.assert_array_equal(x, ref)

"""Tree reduction, barrier in while, >>=, atomic partials, idle tail threads kept alive."""

import numpy as np
from lanewise import gpu

f64 = np.float64
rng = np.random.default_rng(7)


def test_block_sum():
    B = 8

    @gpu.jit
    def k(x, total):
        sm = gpu.shared.array(B, f64)
        t = gpu.threadIdx.x
        p = gpu.grid(1)
        sm[t] = x[p] if p < x.size else 0.0
        gpu.syncthreads()
        s = B >> 1
        while s > 0:
            if t < s:
                sm[t] += sm[t + s]
            gpu.syncthreads()
            s >>= 1
        if t == 0:
            gpu.atomic.add(total, 0, sm[0])

    x = rng.random(53)
    t = np.zeros(1)
    k[7, B](x, t)
    np.testing.assert_allclose(t[0], x.sum())

"""Wavefront filter cascade: two arrays sliced out of dynamic shared memory, divergent branches around barriers."""

import numpy as np
from lanewise import gpu

f64 = np.float64
rng = np.random.default_rng(7)


def test_biquad_cascade():
    @gpu.jit
    def k(b, a, x, y):
        s = gpu.threadIdx.x
        n = b.shape[0]
        m = x.size
        buf = gpu.shared.array(0, f64)
        pipe = buf[:n]
        state = buf[n:]
        pipe[s] = 0.0
        state[2 * s] = 0.0
        state[2 * s + 1] = 0.0
        gpu.syncthreads()
        for step in range(m + n - 1):
            i = step - s
            v = x[i] if s == 0 and 0 <= i < m else (pipe[s - 1] if s > 0 else 0.0)
            gpu.syncthreads()
            if 0 <= i < m:
                o = b[s, 0] * v + state[2 * s]
                state[2 * s] = b[s, 1] * v - a[s, 1] * o + state[2 * s + 1]
                state[2 * s + 1] = b[s, 2] * v - a[s, 2] * o
                pipe[s] = o
                if s == n - 1:
                    y[i] = o
            gpu.syncthreads()

    b = rng.random((3, 3))
    a = rng.random((3, 3)) * 0.4
    a[:, 0] = 1
    x = rng.normal(size=12)
    y = np.zeros(12)
    k[1, 3, 0, 3 * 3 * 8](b, a, x, y)
    r = x.copy()
    for s in range(3):
        z0 = z1 = 0.0
        q = np.empty(12)
        for i in range(12):
            q[i] = b[s, 0] * r[i] + z0
            z0 = b[s, 1] * r[i] - a[s, 1] * q[i] + z1
            z1 = b[s, 2] * r[i] - a[s, 2] * q[i]
        r = q
    np.testing.assert_allclose(y, r, 1e-12)

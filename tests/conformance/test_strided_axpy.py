"""Grid-stride + len + keyword-free scalar args; grid much smaller than n; n=0 too."""

import numpy as np
from lanewise import gpu

rng = np.random.default_rng(7)


def test_strided_axpy():
    @gpu.jit
    def k(alpha, x, y):
        for p in range(gpu.grid(1), len(x), gpu.gridsize(1)):
            y[p] += alpha * x[p]

    for n in (0, 1, 31, 100):
        x, y = rng.random(n), rng.random(n)
        ref = y + 2.5 * x
        k[2, 8](2.5, x, y)
        np.testing.assert_allclose(y, ref)

"""While counting down past zero with break; unsigned-looking index must stay signed."""

import numpy as np
from lanewise import gpu

i32 = np.int32
rng = np.random.default_rng(7)


def test_lookback():
    @gpu.jit
    def k(ts, win, out):
        p = gpu.grid(1)
        q = p
        if p < ts.size:
            while q > -1:
                if ts[p] - ts[q] >= win:
                    break
                q -= 1
            out[p] = p - q

    ts = np.sort(rng.integers(0, 60, 25))
    o = np.zeros(25, i32)
    k[4, 8](ts, 9, o)
    np.testing.assert_array_equal(o, np.arange(25) - np.searchsorted(ts, ts - 9, "right") + 1)

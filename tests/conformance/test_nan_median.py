"""3x3 median: clamped indices by min/max, insertion sort in a local array, nan skip."""

import math

import numpy as np
from lanewise import gpu

f32 = np.float32
rng = np.random.default_rng(7)


def test_nan_median():
    @gpu.jit
    def k(a, out):
        i, j = gpu.grid(2)
        h, w = a.shape
        if i >= h or j >= w:
            return
        buf = gpu.local.array(9, f32)
        n = 0
        for y in range(max(i - 1, 0), min(i + 2, h)):
            for x in range(max(j - 1, 0), min(j + 2, w)):
                v = a[y, x]
                if math.isnan(v):
                    continue
                s = n
                while s > 0 and buf[s - 1] > v:
                    buf[s] = buf[s - 1]
                    s -= 1
                buf[s] = v
                n += 1
        out[i, j] = (buf[(n - 1) // 2] + buf[n // 2]) / 2 if n > 0 else math.nan

    a = rng.random((5, 6)).astype(f32)
    a[rng.random((5, 6)) < 0.25] = np.nan
    o = np.empty_like(a)
    k[(2, 2), (4, 4)](a, o)
    p = np.pad(a, 1, constant_values=np.nan)
    np.testing.assert_allclose(
        o, np.nanmedian(np.lib.stride_tricks.sliding_window_view(p, (3, 3)), (2, 3)), 1e-6
    )

"""Stream compaction: return value of atomic add is a unique slot; min/max of negatives."""

import numpy as np
from lanewise import gpu

i32, i64 = np.int32, np.int64
rng = np.random.default_rng(7)


def test_compact():
    @gpu.jit
    def k(x, cut, out, n, mm):
        p = gpu.grid(1)
        if p < x.size and x[p] < cut:
            out[gpu.atomic.add(n, 0, 1)] = x[p]
            gpu.atomic.min(mm, 0, x[p])
            gpu.atomic.max(mm, 1, x[p])

    x = rng.integers(-100, 100, 50)
    o = np.zeros(50, i64)
    n = np.zeros(1, i32)
    mm = np.array([2**31 - 1, -(2**31)], i64)
    k[7, 8](x, -3, o, n, mm)
    ref = x[x < -3]
    assert n[0] == ref.size
    np.testing.assert_array_equal(np.sort(o[: n[0]]), np.sort(ref))
    np.testing.assert_array_equal(mm, [ref.min(), ref.max()])

"""Descending range, break, loop variable used after the loop, array chosen by if/else."""

import numpy as np
from lanewise import gpu

f64, i64 = np.float64, np.int64
rng = np.random.default_rng(7)


def test_topk_insert():
    @gpu.jit
    def k(odd, x, y, best, who):
        p = gpu.grid(1)
        if odd:
            src = y
        else:
            src = x
        if p < best.shape[0]:
            K = best.shape[1]
            for q in range(src.shape[1]):
                v = src[p, q]
                for s in range(K, -1, -1):
                    if s > 0 and v < best[p, s - 1]:
                        if s < K:
                            best[p, s] = best[p, s - 1]
                            who[p, s] = who[p, s - 1]
                    else:
                        break
                if s < K:
                    best[p, s] = v
                    who[p, s] = q

    x = rng.permutation(40).reshape(4, 10).astype(f64)
    y = x[:, ::-1].copy()
    for odd, src in ((False, x), (True, y)):
        b = np.full((4, 3), np.inf)
        w = np.full((4, 3), -1, i64)
        k[1, 4](odd, x, y, b, w)
        np.testing.assert_array_equal(w, np.argsort(src, 1)[:, :3])
        np.testing.assert_array_equal(b, np.sort(src, 1)[:, :3])

"""Block winner: shared atomic max, then one CAS winner copies a record; early return of whole blocks."""

import numpy as np
from lanewise import gpu

i32 = np.int32
rng = np.random.default_rng(7)


def test_block_winner():
    @gpu.jit
    def k(score, size, best, who):
        b = gpu.blockIdx.x
        t = gpu.threadIdx.x
        if size[b] == 0:
            return
        top = gpu.shared.array(1, i32)
        lock = gpu.shared.array(1, i32)
        if t == 0:
            top[0] = -(2**31)
            lock[0] = 0
        gpu.syncthreads()
        for c in range(t, size[b], gpu.blockDim.x):
            gpu.atomic.max(top, 0, score[b, c])
        gpu.syncthreads()
        for c in range(t, size[b], gpu.blockDim.x):
            if score[b, c] == top[0] and gpu.atomic.cas(lock, 0, 0, 1) == 0:
                best[b] = score[b, c]
                who[b] = c

    s = np.array([rng.permutation(11) - 20 for _ in range(4)]).astype(i32)
    n = np.array([11, 0, 5, 1], i32)
    be = np.zeros(4, i32)
    wh = np.full(4, -1, i32)
    k[4, 4](s, n, be, wh)
    for b in range(4):
        if n[b]:
            assert wh[b] == s[b, : n[b]].argmax() and be[b] == s[b, : n[b]].max()
        else:
            assert wh[b] == -1 and be[b] == 0

"""Membership test in a literal tuple, nested range(-1, 2), torus."""

import numpy as np
from lanewise import gpu

u8 = np.uint8
rng = np.random.default_rng(7)


def test_life():
    @gpu.jit
    def k(a, b):
        i, j = gpu.grid(2)
        n, m = a.shape
        if i >= n or j >= m:
            return
        c = 0
        for di in range(-1, 2):
            for dj in range(-1, 2):
                if di == 0 and dj == 0:
                    continue
                c += a[(i + di) % n, (j + dj) % m]
        b[i, j] = 1 if c == 3 or (a[i, j] and c in (2, 3)) else 0

    a = rng.integers(0, 2, (7, 6)).astype(u8)
    b = np.empty_like(a)
    k[(2, 2), (4, 4)](a, b)
    n = sum(np.roll(a.astype(int), (p, q), (0, 1)) for p in (-1, 0, 1) for q in (-1, 0, 1)) - a
    np.testing.assert_array_equal(b, ((n == 3) | ((a == 1) & (n == 2))).astype(u8))

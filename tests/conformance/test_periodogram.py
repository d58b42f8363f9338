"""Periodogram: atan2/sin/cos, two inner loops, annotated locals."""

import math

import numpy as np
from lanewise import gpu

rng = np.random.default_rng(7)


def test_periodogram():
    @gpu.jit
    def k(t, y, w, out):
        for f in range(gpu.grid(1), w.size, gpu.gridsize(1)):
            s2: float = 0.0
            c2: float = 0.0
            for i in range(t.size):
                s2 += math.sin(2 * w[f] * t[i])
                c2 += math.cos(2 * w[f] * t[i])
            tau = math.atan2(s2, c2) / (2 * w[f])
            a = b = cc = ss = 0.0
            for i in range(t.size):
                c = math.cos(w[f] * (t[i] - tau))
                s = math.sin(w[f] * (t[i] - tau))
                a += y[i] * c
                b += y[i] * s
                cc += c * c
                ss += s * s
            out[f] = 0.5 * (a * a / cc + b * b / ss)

    t = np.sort(rng.random(15) * 9)
    y = rng.normal(size=15)
    w = np.linspace(0.5, 6, 7)
    o = np.zeros(7)
    k[1, 3](t, y, w, o)
    tau = np.arctan2(np.sin(2 * np.outer(w, t)).sum(1), np.cos(2 * np.outer(w, t)).sum(1)) / (2 * w)
    ph = w[:, None] * (t - tau[:, None])
    C, S = np.cos(ph), np.sin(ph)
    np.testing.assert_allclose(o, 0.5 * ((C @ y) ** 2 / (C * C).sum(1) + (S @ y) ** 2 / (S * S).sum(1)), 1e-9)

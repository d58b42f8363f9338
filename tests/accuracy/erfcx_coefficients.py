"""Prints ERFCX of frontend/library/gpu.libdevice.py: (1 + 2 x) erfcx(x) as a polynomial in t = (x - 3.75) / (x + 3.75),
through Chebyshev's nodes, by mpmath; highest power first.

    python tests/accuracy/erfcx_coefficients.py
"""

from mpmath import cos, erfc, exp, mp, mpf, pi, sqrt

mp.dps = 60
CENTER, DEGREE, NODES = mpf("3.75"), 23, 200


def scaled(t):
    x = CENTER * (1 + t) / (1 - t)
    if x < 30:
        return (1 + 2 * x) * exp(x * x) * erfc(x)
    total = term = mpf(1)
    for n in range(1, 40):
        term *= -(2 * n - 1) / (2 * x * x)
        total += term
    return (1 + 2 * x) * total / (x * sqrt(pi))


def powers_of(chebyshev):
    out = [mpf(0)] * len(chebyshev)
    before, now = [mpf(0)], [mpf(1)]
    for n, c in enumerate(chebyshev):
        for i, a in enumerate(now):
            out[i] += c * a
        following = [mpf(0)] + [(1 if n == 0 else 2) * a for a in now]
        for i, a in enumerate(before if n else []):
            following[i] -= a
        before, now = now, following
    return out


angles = [pi * (mpf(k) + mpf(1) / 2) / NODES for k in range(NODES)]
values = [scaled(cos(a)) for a in angles]
series = [(2 if n else 1) * sum(v * cos(n * a) for v, a in zip(values, angles)) / NODES for n in range(DEGREE + 1)]
for power in reversed(powers_of(series)):
    print(float(power))

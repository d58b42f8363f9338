"""Prints the constants of frontend/library/gamma.py: polynomials through Chebyshev's nodes and lgamma's zeros, by mpmath.

    python tests/accuracy/gamma_coefficients.py
"""

from mpmath import chebyt, cos, findroot, gamma, loggamma, mp, mpf, pi, psi, taylor, zeta

mp.dps = 70


def polynomial(function, half_width, degree):
    """Coefficients, highest power first, of the interpolant of that degree on -half_width .. half_width."""
    count = degree + 1
    nodes = [cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    values = [function(half_width * t) for t in nodes]
    powers = [mpf(0)] * count
    for j in range(count):
        weight = (1 if j == 0 else 2) / mpf(count)
        c = weight * sum(v * cos(j * pi * (2 * k + 1) / (2 * count)) for k, v in enumerate(values))
        for i, t in enumerate(taylor(lambda x, j=j: chebyt(j, x), 0, j)):
            powers[i] += c * t
    return [p / mpf(half_width) ** i for i, p in enumerate(powers)][::-1]


def over_e(start):
    """lgamma(start + e) / e."""
    return lambda e: loggamma(start + e).real / e if abs(e) > mpf(10) ** -30 else psi(0, start)


def between(pair):
    """lgamma(e - 2.6), e - 2.6 as float64 has it, over its two zeros between -3 and -2."""

    def quotient(e):
        x = mpf(-2.6) + e
        return loggamma(x).real / ((x - pair[0]) * (x - pair[1]))

    return quotient


def zeros():
    """The zeros of lgamma below zero that some float64 comes near, each as two float64."""
    found = []
    for n in range(2, 18):
        for side in (1, -1):
            if n == 2 and side == 1:
                continue  # |gamma| is above 2 between -2 and -1
            known = {(2, -1): -2.457, (3, 1): -2.7477, (3, -1): -3.1436}
            if n > 3:
                bracket = [-n + side * factor / gamma(n + 1) for factor in (mpf("0.4"), mpf(2))]
            else:
                bracket = [known[n, side] - mpf("0.03"), known[n, side] + mpf("0.03")]
            root = findroot(lambda x: loggamma(x).real, bracket, solver="anderson", tol=mpf(10) ** -90)
            high = float(root)
            found.append((high, float(root - high)))
    return found


def show(name, values):
    print(f"{name} = (")
    for value in values:
        text = ", ".join(repr(v) for v in value) if isinstance(value, tuple) else repr(float(value))
        print(f"    ({text})," if isinstance(value, tuple) else f"    {text},")
    print(")")


if __name__ == "__main__":
    show("GAMMA_NEAR_2", polynomial(lambda e: gamma(2 + e), mpf("0.5"), 18))
    show("LGAMMA_NEAR_1", polynomial(over_e(1), mpf("0.55"), 31))
    show("LGAMMA_NEAR_2", polynomial(over_e(2), mpf("0.5"), 18))
    show("STIRLING", [(-1) ** (k + 1) * 2 * gamma(2 * k + 1) * zeta(2 * k) / (2 * pi) ** (2 * k) / (2 * k * (2 * k - 1)) for k in range(8, 0, -1)])
    pair = [mpf(high) + mpf(low) for high, low in zeros()[:2]]
    show("LGAMMA_NEAR_MINUS_2_6", polynomial(between(pair), mpf("0.23"), 31))
    show("ZEROS", zeros())

# Functions of complex numbers: cmath.* and NumPy's functions of complex arguments. Each takes typed complex
# numbers of one precision and works in it. Special values are those of C's Annex G, branch cuts and signed
# zeros those of Kahan ("Branch cuts for complex elementary functions", 1987). Names with an underscore are
# operators and helpers.
import math

from lanewise import gpu

INF = math.inf
NAN = math.nan
LN2 = 0.6931471805599453
LN10 = 2.302585092994046
SCALE_UP = 3.24518553658426726783156020576256e32  # 2**108, above the smallest normal numbers by far
HALF_SCALE_DOWN = 5.5511151231257827e-17  # 2**-54


# --- operators


@gpu.jit(device=True)
def _divide(a, b):
    # Smith's method: neither over- nor underflows where the quotient does not.
    c = b.real
    d = b.imag
    wide = abs(c) >= abs(d)
    large = c if wide else d
    small = d if wide else c
    if large == 0:  # as NumPy: the sign of a zero does not matter
        return complex(a.real / abs(large), a.imag / abs(large))
    ratio = small / large
    below = large + small * ratio
    if wide:
        return complex((a.real + a.imag * ratio) / below, (a.imag - a.real * ratio) / below)
    return complex((a.real * ratio + a.imag) / below, (a.imag * ratio - a.real) / below)


@gpu.jit(device=True)
def _power(a, b):
    if b.real == 0 and b.imag == 0:
        return complex(b.real * 0 + 1, b.imag * 0)
    size = math.hypot(a.real, a.imag)
    if size == 0:
        return complex(size, size) if b.real > 0 else complex(size * NAN, size * NAN)
    angle = math.atan2(a.imag, a.real)
    length = math.pow(size, b.real)
    turn = angle * b.real
    if b.imag != 0:
        length = length * math.exp(-angle * b.imag)
        turn = turn + b.imag * math.log(size)
    return complex(length * math.cos(turn), length * math.sin(turn))


# --- parts and polar form


@gpu.jit(device=True)
def phase(z):
    return math.atan2(z.imag, z.real)


@gpu.jit(device=True)
def polar(z):
    return math.hypot(z.real, z.imag), math.atan2(z.imag, z.real)


@gpu.jit(device=True)
def rect(r, phi):
    if phi == 0:
        return complex(r, r * phi)
    if math.isinf(r) and math.isfinite(phi):
        return complex(math.copysign(r, r * math.cos(phi)), math.copysign(r, r * math.sin(phi)))
    if r == 0 and not math.isfinite(phi):
        return complex(r, r)
    return complex(r * math.cos(phi), r * math.sin(phi))


@gpu.jit(device=True)
def isnan(z):
    return math.isnan(z.real) or math.isnan(z.imag)


@gpu.jit(device=True)
def isinf(z):
    return math.isinf(z.real) or math.isinf(z.imag)


@gpu.jit(device=True)
def isfinite(z):
    return math.isfinite(z.real) and math.isfinite(z.imag)


# --- exponentials


@gpu.jit(device=True)
def _cis(size, angle):
    # size * (cos(angle) + i sin(angle)) of a size that is 0 or infinite: only the signs matter.
    return complex(math.copysign(size, math.cos(angle)), math.copysign(size, math.sin(angle)))


@gpu.jit(device=True)
def exp(z):
    x = z.real
    y = z.imag
    if y == 0:
        return complex(math.exp(x), y)
    if math.isinf(x):
        if math.isfinite(y):
            return _cis(math.exp(x), y)
        return complex(x, y - y) if x > 0 else complex(math.exp(x), math.copysign(math.exp(x), y))
    size = math.exp(x)
    if math.isinf(size):
        half = math.exp(0.5 * x)
        return complex(half * math.cos(y) * half, half * math.sin(y) * half)
    return complex(size * math.cos(y), size * math.sin(y))


@gpu.jit(device=True)
def _log_abs(z):
    a = max(abs(z.real), abs(z.imag))
    b = min(abs(z.real), abs(z.imag))
    square = a * a + b * b
    if 0.5 <= square and square <= 3.0:
        # log1p(|z|**2 - 1), with the rounding errors of the squares put back in.
        aa = a * a
        bb = b * b
        rest = math.fma(a, a, -aa) + math.fma(b, b, -bb)
        return 0.5 * math.log1p(((aa - 1) + bb) + rest)
    if a < 1e-30 and a > 0:
        return math.log(math.hypot(a * SCALE_UP, b * SCALE_UP)) - 108 * LN2
    size = math.hypot(z.real, z.imag)
    if math.isinf(size) and math.isfinite(a):
        return math.log(math.hypot(0.5 * a, 0.5 * b)) + LN2
    return math.log(size)


@gpu.jit(device=True)
def log(z):
    return complex(_log_abs(z), math.atan2(z.imag, z.real))


@gpu.jit(device=True)
def log10(z):
    return complex(_log_abs(z) / LN10, math.atan2(z.imag, z.real) / LN10)


@gpu.jit(device=True)
def _log2(z):
    return complex(_log_abs(z) / LN2, math.atan2(z.imag, z.real) / LN2)


@gpu.jit(device=True)
def _log_base(z, base):
    return _divide(log(z), log(base))


@gpu.jit(device=True)
def sqrt(z):
    x = z.real
    y = z.imag
    if math.isinf(y):
        return complex(abs(y), y)
    if math.isinf(x):
        if x > 0:
            return complex(x, y if math.isnan(y) else math.copysign(0.0, y))
        return complex(y if math.isnan(y) else 0 * y, math.copysign(x, y))
    if x == 0 and y == 0:
        return complex(0 * x + 0.0, y)
    ax = abs(x)
    ay = abs(y)
    if ax < 1e-30 and ay < 1e-30:
        ax = ax * SCALE_UP
        ay = ay * SCALE_UP
        s = math.sqrt(0.5 * (ax + math.hypot(ax, ay))) * HALF_SCALE_DOWN
        d = (0.5 * HALF_SCALE_DOWN * HALF_SCALE_DOWN) * (ay / s)
    else:
        ax = 0.125 * ax
        s = 2 * math.sqrt(ax + math.hypot(ax, 0.125 * ay))
        d = 0.5 * (ay / s)
    if x >= 0:
        return complex(s, math.copysign(d, y))
    return complex(d, math.copysign(s, y))


# --- hyperbolic functions; the circular ones are these of i z


@gpu.jit(device=True)
def sinh(z):
    x = z.real
    y = z.imag
    if y == 0:
        return complex(math.sinh(x), y)
    if not math.isfinite(y) and (x == 0 or math.isinf(x)):
        return complex(x, y - y)
    if math.isinf(x):
        return complex(math.copysign(x, x * math.cos(y)), math.copysign(x, math.sin(y)))
    size = math.sinh(x)
    if math.isinf(size):
        half = math.exp(0.5 * abs(x))
        return complex(math.copysign(half, x) * math.cos(y) * (0.5 * half), half * math.sin(y) * (0.5 * half))
    return complex(size * math.cos(y), math.cosh(x) * math.sin(y))


@gpu.jit(device=True)
def cosh(z):
    x = z.real
    y = z.imag
    if y == 0:
        return complex(math.cosh(x), y * math.copysign(1.0, x) if not math.isnan(x) else y)
    if not math.isfinite(y) and (x == 0 or math.isinf(x)):
        return complex(y - y, x) if x == 0 else complex(abs(x), y - y)
    if math.isinf(x):
        return complex(math.copysign(x, math.cos(y)), math.copysign(x, x * math.sin(y)))
    size = math.cosh(x)
    if math.isinf(size):
        half = math.exp(0.5 * abs(x))
        return complex(half * math.cos(y) * (0.5 * half), math.copysign(half, x) * math.sin(y) * (0.5 * half))
    return complex(size * math.cos(y), math.sinh(x) * math.sin(y))


@gpu.jit(device=True)
def tanh(z):
    x = z.real
    y = z.imag
    if y == 0:
        return complex(math.tanh(x), y)
    if math.isinf(x):
        turn = math.sin(y) * math.cos(y) if math.isfinite(y) else y
        return complex(math.copysign(1.0, x), 0.0 if math.isnan(turn) else math.copysign(0.0, turn))
    if abs(x) > 20:
        turn = 4 * math.sin(y) * math.cos(y)
        return complex(math.copysign(1.0, x), turn * math.exp(-2 * abs(x)))
    t = math.tan(y)
    s = math.sinh(x)
    beta = 1 + t * t
    rho = math.sqrt(1 + s * s)
    below = 1 + beta * s * s
    return complex(beta * rho * s / below, t / below)


@gpu.jit(device=True)
def sin(z):
    w = sinh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)


@gpu.jit(device=True)
def cos(z):
    return cosh(complex(-z.imag, z.real))


@gpu.jit(device=True)
def tan(z):
    w = tanh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)


# --- inverse functions


@gpu.jit(device=True)
def _is_large(z):
    # Where z * z +- 1 is z * z, and not yet near an overflow.
    return abs(z.real) > 1e17 or abs(z.imag) > 1e17


@gpu.jit(device=True)
def acos(z):
    x = z.real
    y = z.imag
    if math.isnan(x) or math.isnan(y) or _is_large(z):
        real = math.atan2(abs(y), x)
        if math.isnan(y) and math.isinf(x) or x == 0 and math.isnan(y):
            return complex(y if math.isinf(x) else 0.5 * math.pi + 0 * x, x if math.isinf(x) else y)
        if math.isinf(y) and math.isnan(x):
            return complex(x, -y)
        return complex(real, -math.copysign(_log_abs(complex(0.5 * x, 0.5 * y)) + 2 * LN2, y))
    s = sqrt(complex(1 - x, -y))
    t = sqrt(complex(1 + x, y))
    return complex(2 * math.atan2(s.real, t.real), math.asinh(t.real * s.imag - t.imag * s.real))


@gpu.jit(device=True)
def acosh(z):
    x = z.real
    y = z.imag
    if math.isnan(x) or math.isnan(y) or _is_large(z):
        if math.isnan(y) and x == 0:
            return complex(y, 0.5 * math.pi + 0 * x)
        return complex(_log_abs(complex(0.5 * x, 0.5 * y)) + 2 * LN2, math.atan2(y, x))
    s = sqrt(complex(x - 1, y))
    t = sqrt(complex(x + 1, y))
    return complex(math.asinh(s.real * t.real + s.imag * t.imag), 2 * math.atan2(s.imag, t.real))


@gpu.jit(device=True)
def asinh(z):
    x = z.real
    y = z.imag
    if math.isnan(x) or math.isnan(y) or _is_large(z):
        if y == 0:
            return complex(x, y)
        size = math.copysign(_log_abs(complex(0.5 * x, 0.5 * y)) + 2 * LN2, x)
        return complex(size, math.atan2(y, abs(x)))
    s = sqrt(complex(1 + y, -x))
    t = sqrt(complex(1 - y, x))
    return complex(
        math.asinh(s.real * t.imag - t.real * s.imag), math.atan2(y, s.real * t.real - s.imag * t.imag)
    )


@gpu.jit(device=True)
def atanh(z):
    x = z.real
    y = z.imag
    ax = abs(x)
    if math.isnan(x) or math.isnan(y) or _is_large(z):
        turn = math.copysign(0.5 * math.pi, y)
        if math.isnan(y):
            return complex(math.copysign(0.0, x), y) if math.isinf(x) or x == 0 else complex(y, y)
        if math.isnan(x):
            return complex(math.copysign(0.0, x), turn) if math.isinf(y) else complex(x, x)
        size = math.hypot(0.5 * ax, 0.5 * y)
        real = 0.0 if math.isinf(size) else 0.25 * ax / size / size
        return complex(math.copysign(real, x), turn)
    if ax == 1 and abs(y) < 1e-18:
        if y == 0:
            return complex(math.copysign(INF, x), y)
        real = -math.log(math.sqrt(abs(y)) / math.sqrt(math.hypot(y, 2.0)))
        return complex(math.copysign(real, x), math.copysign(0.5 * math.atan2(2.0, -abs(y)), y))
    apart = 1 - ax
    real = 0.25 * math.log1p(4 * ax / (apart * apart + y * y))
    return complex(math.copysign(real, x), 0.5 * math.atan2(2 * y, apart * (1 + ax) - y * y))


@gpu.jit(device=True)
def asin(z):
    w = asinh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)


@gpu.jit(device=True)
def atan(z):
    w = atanh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)

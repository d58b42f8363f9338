# Functions of math that are more than a few ops: of integers, of sums and distances, gamma and lgamma.
import math

import numpy as np
from lanewise import gpu


# --- integers


@gpu.jit(device=True)
def factorial(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result


@gpu.jit(device=True)
def perm(n, k=None):
    if k is None:
        return factorial(n)
    if k < 0 or k > n:
        return 0
    result = 1
    for i in range(n - k + 1, n + 1):
        result *= i
    return result


@gpu.jit(device=True)
def comb(n, k):
    if k < 0 or k > n:
        return 0
    result = 1
    for i in range(1, min(k, n - k) + 1):
        g = np.gcd(result, i)
        result = (result // g) * ((n - min(k, n - k) + i) // (i // g))
    return result


@gpu.jit(device=True)
def gcd(*values):
    result = 0
    for value in values:
        result = np.gcd(result, value)
    return abs(result)


@gpu.jit(device=True)
def lcm(*values):
    result = 1
    for value in values:
        result = np.lcm(result, value)
    return abs(result)


@gpu.jit(device=True)
def isqrt(n):
    if n <= 0:
        return 0
    r = int(np.sqrt(np.float64(n)))
    while r > n // r:
        r -= 1
    while r + 1 <= n // (r + 1):
        r += 1
    return r


# --- sums, distances, closeness


# Neumaier's sum: what the rounding of each step leaves is kept apart, which fast floats would take for 0.
@gpu.jit(device=True, fastmath=False)
def fsum(values):
    total = np.float64(0)
    rest = np.float64(0)
    for value in values:
        x = np.float64(value)
        new = total + x
        if abs(total) >= abs(x):
            rest += (total - new) + x
        else:
            rest += (x - new) + total
        total = new
    return float(total + rest)


@gpu.jit(device=True)
def sumprod(p, q):
    total = 0
    for a, b in zip(p, q):
        total += a * b
    return total


@gpu.jit(device=True)
def dist(p, q):
    result = 0.0
    for a, b in zip(p, q):
        result = math.hypot(result, a - b)
    return result


@gpu.jit(device=True)
def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if a == b:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)


@gpu.jit(device=True)
def ulp(x):
    x = abs(x + 0.0)
    if math.isinf(x) or math.isnan(x):
        return x
    up = math.nextafter(x, math.inf)
    return x - math.nextafter(x, 0.0) if math.isinf(up) else up - x


# --- gamma and lgamma

# math.gamma and math.lgamma in float64: at most 4 ulp everywhere, next to poles and zeros too, which C libraries and
# libdevice are not. float32 and float16 are computed here and rounded. The constants are printed by
# tests/accuracy/gamma_coefficients.py.
#
# With n the integer nearest to x and e = x - n, which is exact, both follow from gamma(2 + e) by steps of 1: the
# factors between are exact too, and their product is kept in two floats.

GAMMA_NEAR_2 = (
    2.584210735300929e-06,
    -5.167425827999643e-06,
    7.2632956346064904e-06,
    -1.4518030694390135e-05,
    3.0554308764876926e-05,
    -6.099437734759249e-05,
    0.00012165717113737426,
    -0.0002409081678851826,
    0.0004903901012192666,
    -0.0009195771393381067,
    0.0021039332448517375,
    -0.0028526456294803125,
    0.01115404572113896,
    -0.0002669820747604432,
    0.07424901075347107,
    0.08157691924717193,
    0.41184033042643986,
    0.4227843350984668,
    1.0,
)
LGAMMA_NEAR_1 = (
    0.4136427380076282,
    -0.4249705563399212,
    -0.564072290966192,
    0.578811003353949,
    0.5033323048126471,
    -0.5170000390928154,
    -0.18989828763239533,
    0.19436038568413094,
    0.11757294826091906,
    -0.12137262618993673,
    0.027547011688915744,
    -0.029243631296809125,
    0.05305721221152715,
    -0.0557685761007762,
    0.05517617096736439,
    -0.05843449607893193,
    0.06253501599541349,
    -0.06670365279505211,
    0.07143077666410395,
    -0.07693029038926967,
    0.08335393562207793,
    -0.09095411469120705,
    0.1000994547877464,
    -0.11133426307378931,
    0.12550966957182866,
    -0.14404989681715358,
    0.16955717699698208,
    -0.2073855510282368,
    0.2705808084277861,
    -0.400685634386533,
    0.8224670334241132,
    -0.5772156649015329,
)
LGAMMA_NEAR_2 = (
    -1.3219945666117874e-07,
    2.78740805211359e-07,
    -4.3252393445604814e-07,
    9.200527894968101e-07,
    -2.0439048107029907e-06,
    4.38470440459836e-06,
    -9.438715099211532e-06,
    2.0505590755833454e-05,
    -4.49263133791557e-05,
    9.945767355819498e-05,
    -0.00022315475400520507,
    0.0005096695154115458,
    -0.0011927539118428156,
    0.002890510331034267,
    -0.0073855510286719986,
    0.02058080842778038,
    -0.0673523010531981,
    0.32246703342411326,
    0.42278433509846713,
)
STIRLING = (
    -0.029550653594771242,
    0.00641025641025641,
    -0.0019175269175269176,
    0.0008417508417508417,
    -0.0005952380952380953,
    0.0007936507936507937,
    -0.002777777777777778,
    0.08333333333333333,
)
LGAMMA_NEAR_MINUS_2_6 = (
    -8365508647316.163,
    3433082536335.5933,
    2130426614843.02,
    -873474287406.4137,
    -320542583756.32526,
    131493020876.25363,
    24041613187.972267,
    -9844495030.991346,
    -1954828327.0600452,
    804094075.4180585,
    -7226028.9975838745,
    3540067.886278384,
    -14387407.590560762,
    6022537.1154237,
    -2160053.987288578,
    912803.0347814439,
    -393575.6285877381,
    167494.62763026165,
    -71022.72492071161,
    30562.690385677008,
    -13047.273607501986,
    5712.173165590325,
    -2444.766071145924,
    1102.3370692490723,
    -469.64387100407873,
    223.6752085106132,
    -93.06770943440712,
    49.45697188568059,
    -19.176755131275804,
    12.948653794180535,
    -4.195503576241618,
    5.5890044042266664,
)
ZEROS = (
    (-2.4570247382208006, -3.7075610815513266e-17),
    (-2.7476826467274127, 9.055340329338315e-17),
    (-3.14358088834998, -2.1818179852331714e-16),
    (-3.955294284858598, -1.999428391746348e-17),
    (-4.039361839740537, 2.1143995503980602e-16),
    (-4.991544640560048, 1.5174411760571722e-16),
    (-5.0082181683225935, -4.3926353491015815e-17),
    (-5.998607480080875, -3.311862478893795e-16),
    (-6.001385294453155, 6.415847287933042e-17),
    (-6.999801507890638, 1.0550130037400023e-17),
    (-7.000198333407325, 2.504354173632409e-16),
    (-7.999975197095821, -5.261737128572354e-17),
    (-8.000024800270682, -4.354586297860107e-16),
    (-8.999997244250977, -2.2185620509727132e-16),
    (-9.000002755714823, -9.491348611623208e-17),
    (-9.99999972442663, 4.883037618642443e-16),
    (-10.000000275573013, -3.4909708332642057e-16),
    (-10.99999997494789, 1.9843998306985407e-16),
    (-11.000000025052106, -6.850849812286175e-16),
    (-11.999999997912324, -1.0020693920103036e-16),
    (-12.000000002087676, 1.2222548112048185e-16),
    (-12.99999999983941, 6.747262033096337e-16),
    (-13.00000000016059, -6.745919484964342e-16),
    (-13.99999999998853, 8.094860741926607e-16),
    (-14.00000000001147, -8.094853704222662e-16),
    (-14.999999999999236, 8.82932241476868e-16),
    (-15.000000000000764, -8.829322382710274e-16),
    (-15.999999999999952, -1.668613399265054e-16),
    (-16.000000000000046, -1.6094954994609367e-15),
    (-16.999999999999996, -7.412564244549576e-16),
    (-17.000000000000004, 7.412564244550028e-16),
)
HALF_LOG_2PI_MINUS_HALF = 0.41893853320467274178


@gpu.jit(device=True, fastmath=False)
def _polynomial(coefficients, e):
    value = 0.0
    for c in coefficients:
        value = gpu.fma(value, e, c)
    return value


# start * x * (x + step) * (x + 2 * step) ..., `count` factors, as a sum of two floats.
@gpu.jit(device=True, fastmath=False)
def _product(start, x, step, count):
    high = start
    low = 0.0
    for j in range(count):
        factor = x + step * j
        next_high = high * factor
        low = gpu.fma(low, factor, gpu.fma(high, factor, -next_high))
        high = next_high
    return high, low


# The factors of gamma(2 + e) / gamma(x) = x (x + 1) ... (1 + e) for n < 2; the last one is not exact.
@gpu.jit(device=True, fastmath=False)
def _product_below(start, x, n, e):
    high, low = _product(start, x, 1.0, 1 - int(n))
    factor = 1.0 + e
    rest = e - (factor - 1.0)
    next_high = high * factor
    low = gpu.fma(low, factor, gpu.fma(high, factor, -next_high)) + high * rest
    return next_high, low


@gpu.jit(device=True, fastmath=False)
def gamma(x):
    if math.isnan(x) or x == math.inf:
        return x
    if abs(x) < 5e-17:
        return 1.0 / x
    n = np.rint(x)
    e = x - n
    if x < 0.0 and (e == 0.0 or math.isinf(x)):
        return math.nan
    if x > 171.6243769563027:
        return math.inf
    if x < -185.0:
        return -0.0 if math.fmod(math.floor(x), 2.0) != 0.0 else 0.0
    value = _polynomial(GAMMA_NEAR_2, e)
    if n >= 2.0:
        high, low = _product(value, x - 1.0, -1.0, int(n) - 2)
        return high + low
    # 1 / gamma would overflow
    scale = 2.0**-200 if n < -150.0 else 1.0
    high, low = _product_below(scale, x, n, e)
    quotient = value / high
    return (quotient - quotient * (low / high)) * scale


@gpu.jit(device=True, fastmath=False)
def _distance(x, zero):
    return (x - zero[0]) - zero[1]


# Next to its zero z, as a product with the distance d: lgamma(x) - lgamma(z), where the difference of
# lgamma(1 + e) is d times a divided difference and that of the factors' logarithms is log1p(q).
@gpu.jit(device=True, fastmath=False)
def _lgamma_near_zero(x, n, e):
    zero = 0.0
    rest = 0.0
    for high, low in ZEROS:
        if abs(x - high) < abs(x - zero):
            zero = high
            rest = low
    d = (x - zero) - rest
    e0 = (zero - n) + rest
    # L(e) = e * P(e): (L(e) - L(e0)) / d by Horner's rule for both
    value = 0.0
    slope = 0.0
    for c in LGAMMA_NEAR_1:
        slope = gpu.fma(slope, e, value)
        value = gpu.fma(value, e0, c)
    slope = gpu.fma(slope, e, value)
    q = 0.0
    for j in range(1 - int(n)):
        step = d / ((zero + j) + rest)
        q = q + step + q * step
    return d * slope - math.log1p(q)


@gpu.jit(device=True, fastmath=False)
def _stirling(x):
    t = 1.0 / x
    series = _polynomial(STIRLING, t * t) * t
    return gpu.fma(x - 0.5, math.log(x) - 1.0, HALF_LOG_2PI_MINUS_HALF + series)


@gpu.jit(device=True, fastmath=False)
def lgamma(x):
    if math.isnan(x):
        return x
    if math.isinf(x):
        return math.inf
    if x >= 9.5:
        return _stirling(x)
    if -2.82 < x < -2.38:  # two zeros, a minimum between them
        around = _polynomial(LGAMMA_NEAR_MINUS_2_6, x + 2.6)
        return _distance(x, ZEROS[0]) * _distance(x, ZEROS[1]) * around
    n = np.rint(x)
    e = x - n
    if x <= 0.0 and e == 0.0:
        return math.inf
    if x < -40.0:
        return math.log(math.pi / (-x * math.sin(math.pi * abs(e)))) - _stirling(-x)
    if n >= 2.0:
        high, low = _product(1.0, x - 1.0, -1.0, int(n) - 2)
        value = e * _polynomial(LGAMMA_NEAR_2, e)
        return value + (0.0 if n == 2.0 else math.log(high) + low / high)  # no -0.0
    value = e * _polynomial(LGAMMA_NEAR_1, e)
    if n == 1.0:
        return value + 0.0  # no -0.0
    high, low = _product(1.0, x, 1.0, 1 - int(n))
    value = value - (math.log(abs(high)) + low / high)
    if x < -2.6 and abs(value) < 0.3:
        return _lgamma_near_zero(x, n, e)
    return value

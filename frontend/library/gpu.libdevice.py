# numba.cuda.libdevice: the functions of NVIDIA's libdevice under its names. A name that ends in f takes float32 (of
# functions that have both), names with int, uint, ll and ull integers of 32 and 64 bits; arguments become these first.
# fast_ are the approximate forms. _rd, _rn, _ru and _rz round down, to nearest, up and towards zero: the result to
# nearest, moved by one where it is on the wrong side of the exact value.
import math

import numpy as np

from lanewise import gpu

f32 = gpu.float32
f64 = gpu.float64
i32 = gpu.int32
i64 = gpu.int64
u32 = gpu.uint32
u64 = gpu.uint64
INF = math.inf
TINY = 1.0e-270  # products of doubles below it lose their error
SCALE = 3.24518553658426726783156020576256e32  # 2**108
HALF_SCALE = 1.8014398509481984e16  # 2**54
SQRT_HALF = 0.7071067811865476
SQRT_HALF_REST = -4.833646656726457e-17  # 1 / sqrt(2) - SQRT_HALF
TWO_BY_ROOT_PI = 1.1283791670955126


# --- elementary functions


@gpu.jit(device=True)
def sincospi(x):
    return sinpi(x), cospi(x)


@gpu.jit(device=True, fastmath=False)
def normcdf(x):
    x = f64(x)
    y = -x * SQRT_HALF
    tail = 0.5 * math.erfc(y)
    if not 0.5 < y < 30.0:
        return tail
    # What y lost when it was rounded counts for up to a thousand units in the tail.
    lost = math.fma(-x, SQRT_HALF, -y) - x * SQRT_HALF_REST
    return tail - tail * (lost * TWO_BY_ROOT_PI / erfcx(y))


@gpu.jit(device=True)
def signbitd(x):
    return i32(np.signbit(f64(x)))


@gpu.jit(device=True)
def sincospif(x):
    return sinpif(x), cospif(x)


@gpu.jit(device=True)
def normcdff(x):
    return f32(0.5 * math.erfc(-f64(x) * SQRT_HALF))


@gpu.jit(device=True)
def signbitf(x):
    return i32(np.signbit(f32(x)))


@gpu.jit(device=True)
def isnanf(x):
    return i32(math.isnan(f32(x)))


@gpu.jit(device=True)
def isnand(x):
    return i32(math.isnan(f64(x)))


@gpu.jit(device=True)
def isinff(x):
    return i32(math.isinf(f32(x)))


@gpu.jit(device=True)
def isinfd(x):
    return i32(math.isinf(f64(x)))


@gpu.jit(device=True)
def finitef(x):
    return i32(math.isfinite(f32(x)))


@gpu.jit(device=True)
def isfinited(x):
    return i32(math.isfinite(f64(x)))


@gpu.jit(device=True)
def saturatef(x):
    return f32(0) if math.isnan(f32(x)) else np.fmin(np.fmax(f32(x), f32(0)), f32(1))


# --- approximate


@gpu.jit(device=True, fastmath=True)
def fast_cosf(x):
    return math.cos(f32(x))


@gpu.jit(device=True, fastmath=True)
def fast_expf(x):
    return math.exp(f32(x))


@gpu.jit(device=True, fastmath=True)
def fast_log10f(x):
    return math.log10(f32(x))


@gpu.jit(device=True, fastmath=True)
def fast_log2f(x):
    return math.log2(f32(x))


@gpu.jit(device=True, fastmath=True)
def fast_logf(x):
    return math.log(f32(x))


@gpu.jit(device=True, fastmath=True)
def fast_sinf(x):
    return math.sin(f32(x))


@gpu.jit(device=True, fastmath=True)
def fast_tanf(x):
    return math.tan(f32(x))


@gpu.jit(device=True, fastmath=True)
def fast_exp10f(x):
    return math.exp2(f32(x) * f32(3.321928094887362))


@gpu.jit(device=True, fastmath=True)
def fast_fdividef(x, y):
    return f32(x) / f32(y)


@gpu.jit(device=True, fastmath=True)
def fast_powf(x, y):
    return math.pow(f32(x), f32(y))


@gpu.jit(device=True, fastmath=True)
def fast_sincosf(x):
    return math.sin(f32(x)), math.cos(f32(x))


# --- helpers of the above


@gpu.jit(device=True, fastmath=False)
def _cospi(r):
    # 0 <= r < 2
    a = 2 - r if r > 1 else r
    if a < 0.25:
        return math.cos(math.pi * a)
    return math.sin(math.pi * (0.5 - a)) if a < 0.75 else -math.cos(math.pi * (1 - a))


@gpu.jit(device=True, fastmath=False)
def _sinpi(r):
    # |r| < 2; multiples of one give zeros with the sign of r
    a = np.abs(r)
    if a == 0 or a == 1:
        return math.copysign(a * 0, r)
    if a <= 0.25:
        s = math.sin(math.pi * a)
    elif a < 0.75:
        s = math.cos(math.pi * (0.5 - a))
    elif a <= 1.25:
        s = math.sin(math.pi * (1 - a))
    elif a < 1.75:
        s = -math.cos(math.pi * (1.5 - a))
    else:
        s = math.sin(math.pi * (a - 2))
    return -s if r < 0 else s


@gpu.jit(device=True)
def _round(x):
    # halves away from zero
    whole = np.trunc(x)
    return math.copysign(whole + math.copysign(1.0, x), x) if np.abs(x - whole) >= 0.5 else whole


@gpu.jit(device=True)
def _powi(x, n, one):
    result = one
    base = x
    left = np.abs(i64(n))
    while left > 0:
        if left & 1:
            result *= base
        base *= base
        left >>= 1
    return one / result if n < 0 else result


@gpu.jit(device=True)
def _ilogb(x):
    if x == 0 or math.isnan(x):
        return i32(-2147483648)
    if math.isinf(x):
        return i32(2147483647)
    _, exponent = math.frexp(x)
    return i32(exponent - 1)


@gpu.jit(device=True)
def _logb(x):
    if x == 0:
        return x * 0 - INF
    return x * x if math.isinf(x) or math.isnan(x) else x * 0 + _ilogb(x)


@gpu.jit(device=True)
def _remquo(x, y):
    # the remainder and at least three bits of the quotient
    rest = math.remainder(x, y)
    if math.isnan(rest) or math.isinf(y):
        return rest, i32(0)
    part = math.fmod(np.abs(x), np.abs(y) * 8) if np.abs(y) * 8 < INF else np.abs(x)
    count = i32(np.rint((part - (math.copysign(rest, rest) if x > 0 else -rest)) / np.abs(y))) & 7
    return rest, -count if np.signbit(x) != np.signbit(y) else count


# --- integers


@gpu.jit(device=True)
def abs(x):
    return np.abs(i32(x))


@gpu.jit(device=True)
def llabs(x):
    return np.abs(i64(x))


@gpu.jit(device=True)
def max(x, y):
    return np.maximum(i32(x), i32(y))


@gpu.jit(device=True)
def min(x, y):
    return np.minimum(i32(x), i32(y))


@gpu.jit(device=True)
def umax(x, y):
    return np.maximum(u32(x), u32(y))


@gpu.jit(device=True)
def umin(x, y):
    return np.minimum(u32(x), u32(y))


@gpu.jit(device=True)
def llmax(x, y):
    return np.maximum(i64(x), i64(y))


@gpu.jit(device=True)
def llmin(x, y):
    return np.minimum(i64(x), i64(y))


@gpu.jit(device=True)
def ullmax(x, y):
    return np.maximum(u64(x), u64(y))


@gpu.jit(device=True)
def ullmin(x, y):
    return np.minimum(u64(x), u64(y))


@gpu.jit(device=True)
def brev(x):
    return i32(gpu.brev(u32(x)))


@gpu.jit(device=True)
def brevll(x):
    return i64(gpu.brev(u64(x)))


@gpu.jit(device=True)
def clz(x):
    return gpu.clz(u32(x))


@gpu.jit(device=True)
def clzll(x):
    return gpu.clz(u64(x))


@gpu.jit(device=True)
def ffs(x):
    return gpu.ffs(u32(x))


@gpu.jit(device=True)
def ffsll(x):
    return gpu.ffs(u64(x))


@gpu.jit(device=True)
def popc(x):
    return gpu.popc(u32(x))


@gpu.jit(device=True)
def popcll(x):
    return gpu.popc(u64(x))


@gpu.jit(device=True)
def byte_perm(x, y, s):
    both = u64(u32(y)) << 32 | u64(u32(x))
    result = u32(0)
    for k in range(4):
        select = u32(s) >> u32(4 * k) & u32(7)
        result |= u32(both >> u64(8 * select) & u64(255)) << u32(8 * k)
    return i32(result)


@gpu.jit(device=True)
def hadd(x, y):
    return i32((i64(i32(x)) + i64(i32(y))) >> 1)


@gpu.jit(device=True)
def rhadd(x, y):
    return i32((i64(i32(x)) + i64(i32(y)) + 1) >> 1)


@gpu.jit(device=True)
def uhadd(x, y):
    return u32((u64(u32(x)) + u64(u32(y))) >> u64(1))


@gpu.jit(device=True)
def urhadd(x, y):
    return u32((u64(u32(x)) + u64(u32(y)) + u64(1)) >> u64(1))


@gpu.jit(device=True)
def mul24(x, y):
    return i32((i64(x) << 40 >> 40) * (i64(y) << 40 >> 40))


@gpu.jit(device=True)
def umul24(x, y):
    return u32((u64(x) & u64(0xFFFFFF)) * (u64(y) & u64(0xFFFFFF)))


@gpu.jit(device=True)
def mulhi(x, y):
    return i32(i64(i32(x)) * i64(i32(y)) >> 32)


@gpu.jit(device=True)
def umulhi(x, y):
    return u32(u64(u32(x)) * u64(u32(y)) >> u64(32))


@gpu.jit(device=True)
def umul64hi(x, y):
    a = u64(x)
    b = u64(y)
    low = u64(0xFFFFFFFF)
    half = u64(32)
    middle = (a >> half) * (b & low) + ((a & low) * (b & low) >> half)
    other = (a & low) * (b >> half) + (middle & low)
    return (a >> half) * (b >> half) + (middle >> half) + (other >> half)


@gpu.jit(device=True)
def mul64hi(x, y):
    a = i64(x)
    b = i64(y)
    high = i64(umul64hi(u64(a), u64(b)))
    return high - (b if a < 0 else i64(0)) - (a if b < 0 else i64(0))


@gpu.jit(device=True)
def sad(x, y, z):
    return u32(u32(np.abs(i64(i32(x)) - i64(i32(y)))) + u32(z))


@gpu.jit(device=True)
def usad(x, y, z):
    return u32(u32(np.abs(i64(u32(x)) - i64(u32(y)))) + u32(z))


# --- bits


@gpu.jit(device=True)
def float_as_int(x):
    return f32(x).view(np.int32)


@gpu.jit(device=True)
def int_as_float(x):
    return i32(x).view(np.float32)


@gpu.jit(device=True)
def double_as_longlong(x):
    return f64(x).view(np.int64)


@gpu.jit(device=True)
def longlong_as_double(x):
    return i64(x).view(np.float64)


@gpu.jit(device=True)
def double2hiint(x):
    return i32(f64(x).view(np.int64) >> 32)


@gpu.jit(device=True)
def double2loint(x):
    return i32(f64(x).view(np.int64))


@gpu.jit(device=True)
def hiloint2double(hi, lo):
    return (i64(i32(hi)) << 32 | i64(u32(lo))).view(np.float64)


@gpu.jit(device=True)
def float2half_rn(x):
    return gpu.float16(f32(x)).view(np.int16)


@gpu.jit(device=True)
def half2float(x):
    return f32(gpu.int16(x).view(np.float16))


# --- floats to integers


@gpu.jit(device=True)
def double2int_rd(x):
    return i32(np.floor(f64(x)))


@gpu.jit(device=True)
def double2int_rn(x):
    return i32(np.rint(f64(x)))


@gpu.jit(device=True)
def double2int_ru(x):
    return i32(np.ceil(f64(x)))


@gpu.jit(device=True)
def double2int_rz(x):
    return i32(np.trunc(f64(x)))


@gpu.jit(device=True)
def double2uint_rd(x):
    return u32(np.floor(f64(x)))


@gpu.jit(device=True)
def double2uint_rn(x):
    return u32(np.rint(f64(x)))


@gpu.jit(device=True)
def double2uint_ru(x):
    return u32(np.ceil(f64(x)))


@gpu.jit(device=True)
def double2uint_rz(x):
    return u32(np.trunc(f64(x)))


@gpu.jit(device=True)
def double2ll_rd(x):
    return i64(np.floor(f64(x)))


@gpu.jit(device=True)
def double2ll_rn(x):
    return i64(np.rint(f64(x)))


@gpu.jit(device=True)
def double2ll_ru(x):
    return i64(np.ceil(f64(x)))


@gpu.jit(device=True)
def double2ll_rz(x):
    return i64(np.trunc(f64(x)))


@gpu.jit(device=True)
def double2ull_rd(x):
    return u64(np.floor(f64(x)))


@gpu.jit(device=True)
def double2ull_rn(x):
    return u64(np.rint(f64(x)))


@gpu.jit(device=True)
def double2ull_ru(x):
    return u64(np.ceil(f64(x)))


@gpu.jit(device=True)
def double2ull_rz(x):
    return u64(np.trunc(f64(x)))


@gpu.jit(device=True)
def float2int_rd(x):
    return i32(np.floor(f32(x)))


@gpu.jit(device=True)
def float2int_rn(x):
    return i32(np.rint(f32(x)))


@gpu.jit(device=True)
def float2int_ru(x):
    return i32(np.ceil(f32(x)))


@gpu.jit(device=True)
def float2int_rz(x):
    return i32(np.trunc(f32(x)))


@gpu.jit(device=True)
def float2uint_rd(x):
    return u32(np.floor(f32(x)))


@gpu.jit(device=True)
def float2uint_rn(x):
    return u32(np.rint(f32(x)))


@gpu.jit(device=True)
def float2uint_ru(x):
    return u32(np.ceil(f32(x)))


@gpu.jit(device=True)
def float2uint_rz(x):
    return u32(np.trunc(f32(x)))


@gpu.jit(device=True)
def float2ll_rd(x):
    return i64(np.floor(f32(x)))


@gpu.jit(device=True)
def float2ll_rn(x):
    return i64(np.rint(f32(x)))


@gpu.jit(device=True)
def float2ll_ru(x):
    return i64(np.ceil(f32(x)))


@gpu.jit(device=True)
def float2ll_rz(x):
    return i64(np.trunc(f32(x)))


@gpu.jit(device=True)
def float2ull_rd(x):
    return u64(np.floor(f32(x)))


@gpu.jit(device=True)
def float2ull_rn(x):
    return u64(np.rint(f32(x)))


@gpu.jit(device=True)
def float2ull_ru(x):
    return u64(np.ceil(f32(x)))


@gpu.jit(device=True)
def float2ull_rz(x):
    return u64(np.trunc(f32(x)))


# --- rounded as asked: `nearest` is the result to nearest, `error` has the sign of what it is too small by


@gpu.jit(device=True)
def _down(nearest, error):
    return math.nextafter(nearest, -INF) if error < 0 else nearest


@gpu.jit(device=True)
def _up(nearest, error):
    return math.nextafter(nearest, INF) if error > 0 else nearest


@gpu.jit(device=True)
def _toward_zero(nearest, error):
    if nearest == 0:
        return nearest
    return _down(nearest, error) if nearest > 0 else _up(nearest, error)


@gpu.jit(device=True)
def _lost(nearest, exact):
    # of a finite value that became infinite; both are float64
    return -nearest if math.isinf(nearest) and math.isfinite(exact) else exact - nearest


# --- errors of float64 operations, exact in their sign


@gpu.jit(device=True, fma=False)
def _sum_error(a, b, s):
    if math.isinf(s):
        return -s if math.isfinite(a) and math.isfinite(b) else s * 0
    part = s - a
    return (a - (s - part)) + (b - part)


@gpu.jit(device=True, fma=False)
def _product_error(a, b, p):
    if math.isinf(p):
        return -p if math.isfinite(a) and math.isfinite(b) else p * 0
    if p == 0:
        return math.copysign(1.0, a) * math.copysign(1.0, b) if a != 0 and b != 0 else p
    if np.abs(p) < TINY:
        if np.abs(a) < np.abs(b):
            return math.fma(a * SCALE, b, -p * SCALE)
        return math.fma(a, b * SCALE, -p * SCALE)
    return math.fma(a, b, -p)


@gpu.jit(device=True, fma=False)
def _quotient_error(a, b, q):
    if math.isinf(q):
        return -q if math.isfinite(a) and b != 0 else q * 0
    if a == 0 or math.isinf(b):
        return math.copysign(a * b, a * b) if a != 0 and math.isfinite(a) else q * 0
    numerator = a
    quotient = q
    divisor = b
    if np.abs(a) < TINY:
        numerator = a * SCALE
        if np.abs(b) < 1:
            divisor = b * SCALE
        else:
            quotient = q * SCALE
    elif np.abs(q) < TINY:
        numerator = a / SCALE
        divisor = b / SCALE
    rest = math.fma(-quotient, divisor, numerator)
    return -rest if np.signbit(b) else rest


@gpu.jit(device=True, fma=False)
def _root_error(a, r):
    if math.isinf(r) or a == 0:
        return r * 0
    if a < TINY:
        return math.fma(-r * HALF_SCALE, r * HALF_SCALE, a * SCALE)
    return math.fma(-r, r, a)


@gpu.jit(device=True, fma=False)
def _fma_rest(a, b, c, r):
    # Boldo and Muller
    p = a * b
    low = math.fma(a, b, -p)
    s = c + low
    rest = _sum_error(c, low, s)
    t = p + s
    gap = (t - r) + _sum_error(p, s, t)
    return gap + rest


@gpu.jit(device=True, fma=False)
def _fma_error(a, b, c, r):
    if math.isinf(r):
        return -r if math.isfinite(a) and math.isfinite(b) and math.isfinite(c) else r * 0
    if r == c and a != 0 and b != 0 and math.isfinite(r):
        return math.copysign(1.0, a) * math.copysign(1.0, b)
    if np.abs(a * b) >= TINY or a == 0 or b == 0:
        return _fma_rest(a, b, c, r)
    if np.abs(a) < np.abs(b):
        return _fma_rest(a * SCALE * SCALE, b, c * SCALE * SCALE, r * SCALE * SCALE)
    return _fma_rest(a, b * SCALE * SCALE, c * SCALE * SCALE, r * SCALE * SCALE)


@gpu.jit(device=True, fma=False)
def _sum_gap(a, b, r):
    # a + b - r of float32 values
    if math.isinf(r):
        return -r if math.isfinite(a) and math.isfinite(b) else r * 0
    s = a + b
    return (s - r) + _sum_error(a, b, s)


@gpu.jit(device=True, fma=False)
def _fma_gap(a, b, c, r):
    # a * b + c - r of float32 values
    if math.isinf(r):
        return -r if math.isfinite(a) and math.isfinite(b) and math.isfinite(c) else r * 0
    p = a * b
    s = p + c
    return (s - r) + _sum_error(p, c, s)


# --- float64


@gpu.jit(device=True)
def dadd_rn(x, y):
    a = f64(x)
    b = f64(y)
    return a + b


@gpu.jit(device=True)
def dadd_rd(x, y):
    a = f64(x)
    b = f64(y)
    r = a + b
    return _down(r, _sum_error(a, b, r))


@gpu.jit(device=True)
def dadd_ru(x, y):
    a = f64(x)
    b = f64(y)
    r = a + b
    return _up(r, _sum_error(a, b, r))


@gpu.jit(device=True)
def dadd_rz(x, y):
    a = f64(x)
    b = f64(y)
    r = a + b
    return _toward_zero(r, _sum_error(a, b, r))


@gpu.jit(device=True)
def dmul_rn(x, y):
    a = f64(x)
    b = f64(y)
    return a * b


@gpu.jit(device=True)
def dmul_rd(x, y):
    a = f64(x)
    b = f64(y)
    r = a * b
    return _down(r, _product_error(a, b, r))


@gpu.jit(device=True)
def dmul_ru(x, y):
    a = f64(x)
    b = f64(y)
    r = a * b
    return _up(r, _product_error(a, b, r))


@gpu.jit(device=True)
def dmul_rz(x, y):
    a = f64(x)
    b = f64(y)
    r = a * b
    return _toward_zero(r, _product_error(a, b, r))


@gpu.jit(device=True)
def ddiv_rn(x, y):
    a = f64(x)
    b = f64(y)
    return a / b


@gpu.jit(device=True)
def ddiv_rd(x, y):
    a = f64(x)
    b = f64(y)
    r = a / b
    return _down(r, _quotient_error(a, b, r))


@gpu.jit(device=True)
def ddiv_ru(x, y):
    a = f64(x)
    b = f64(y)
    r = a / b
    return _up(r, _quotient_error(a, b, r))


@gpu.jit(device=True)
def ddiv_rz(x, y):
    a = f64(x)
    b = f64(y)
    r = a / b
    return _toward_zero(r, _quotient_error(a, b, r))


@gpu.jit(device=True)
def drcp_rn(x):
    b = f64(x)
    return 1 / b


@gpu.jit(device=True)
def drcp_rd(x):
    b = f64(x)
    r = 1 / b
    return _down(r, _quotient_error(1.0, b, r))


@gpu.jit(device=True)
def drcp_ru(x):
    b = f64(x)
    r = 1 / b
    return _up(r, _quotient_error(1.0, b, r))


@gpu.jit(device=True)
def drcp_rz(x):
    b = f64(x)
    r = 1 / b
    return _toward_zero(r, _quotient_error(1.0, b, r))


@gpu.jit(device=True)
def dsqrt_rn(x):
    a = f64(x)
    return math.sqrt(a)


@gpu.jit(device=True)
def dsqrt_rd(x):
    a = f64(x)
    r = math.sqrt(a)
    return _down(r, _root_error(a, r))


@gpu.jit(device=True)
def dsqrt_ru(x):
    a = f64(x)
    r = math.sqrt(a)
    return _up(r, _root_error(a, r))


@gpu.jit(device=True)
def dsqrt_rz(x):
    a = f64(x)
    r = math.sqrt(a)
    return _toward_zero(r, _root_error(a, r))


@gpu.jit(device=True)
def fma_rn(x, y, z):
    a = f64(x)
    b = f64(y)
    c = f64(z)
    return math.fma(a, b, c)


@gpu.jit(device=True)
def fma_rd(x, y, z):
    a = f64(x)
    b = f64(y)
    c = f64(z)
    r = math.fma(a, b, c)
    return _down(r, _fma_error(a, b, c, r))


@gpu.jit(device=True)
def fma_ru(x, y, z):
    a = f64(x)
    b = f64(y)
    c = f64(z)
    r = math.fma(a, b, c)
    return _up(r, _fma_error(a, b, c, r))


@gpu.jit(device=True)
def fma_rz(x, y, z):
    a = f64(x)
    b = f64(y)
    c = f64(z)
    r = math.fma(a, b, c)
    return _toward_zero(r, _fma_error(a, b, c, r))


# --- float32: products and residues of it are exact in float64


@gpu.jit(device=True)
def fadd_rn(x, y):
    a = f32(x)
    b = f32(y)
    return a + b


@gpu.jit(device=True)
def fadd_rd(x, y):
    a = f32(x)
    b = f32(y)
    r = a + b
    return _down(r, _sum_gap(f64(a), f64(b), f64(r)))


@gpu.jit(device=True)
def fadd_ru(x, y):
    a = f32(x)
    b = f32(y)
    r = a + b
    return _up(r, _sum_gap(f64(a), f64(b), f64(r)))


@gpu.jit(device=True)
def fadd_rz(x, y):
    a = f32(x)
    b = f32(y)
    r = a + b
    return _toward_zero(r, _sum_gap(f64(a), f64(b), f64(r)))


@gpu.jit(device=True)
def fsub_rn(x, y):
    a = f32(x)
    b = f32(y)
    return a - b


@gpu.jit(device=True)
def fsub_rd(x, y):
    a = f32(x)
    b = f32(y)
    r = a - b
    return _down(r, _sum_gap(f64(a), -f64(b), f64(r)))


@gpu.jit(device=True)
def fsub_ru(x, y):
    a = f32(x)
    b = f32(y)
    r = a - b
    return _up(r, _sum_gap(f64(a), -f64(b), f64(r)))


@gpu.jit(device=True)
def fsub_rz(x, y):
    a = f32(x)
    b = f32(y)
    r = a - b
    return _toward_zero(r, _sum_gap(f64(a), -f64(b), f64(r)))


@gpu.jit(device=True)
def fmul_rn(x, y):
    a = f32(x)
    b = f32(y)
    return a * b


@gpu.jit(device=True)
def fmul_rd(x, y):
    a = f32(x)
    b = f32(y)
    r = a * b
    return _down(r, _lost(f64(r), f64(a) * f64(b)))


@gpu.jit(device=True)
def fmul_ru(x, y):
    a = f32(x)
    b = f32(y)
    r = a * b
    return _up(r, _lost(f64(r), f64(a) * f64(b)))


@gpu.jit(device=True)
def fmul_rz(x, y):
    a = f32(x)
    b = f32(y)
    r = a * b
    return _toward_zero(r, _lost(f64(r), f64(a) * f64(b)))


@gpu.jit(device=True)
def fdiv_rn(x, y):
    a = f32(x)
    b = f32(y)
    return a / b


@gpu.jit(device=True)
def fdiv_rd(x, y):
    a = f32(x)
    b = f32(y)
    r = a / b
    return _down(r, _quotient_error(f64(a), f64(b), f64(r)))


@gpu.jit(device=True)
def fdiv_ru(x, y):
    a = f32(x)
    b = f32(y)
    r = a / b
    return _up(r, _quotient_error(f64(a), f64(b), f64(r)))


@gpu.jit(device=True)
def fdiv_rz(x, y):
    a = f32(x)
    b = f32(y)
    r = a / b
    return _toward_zero(r, _quotient_error(f64(a), f64(b), f64(r)))


@gpu.jit(device=True)
def frcp_rn(x):
    b = f32(x)
    return 1 / b


@gpu.jit(device=True)
def frcp_rd(x):
    b = f32(x)
    r = 1 / b
    return _down(r, _quotient_error(1.0, f64(b), f64(r)))


@gpu.jit(device=True)
def frcp_ru(x):
    b = f32(x)
    r = 1 / b
    return _up(r, _quotient_error(1.0, f64(b), f64(r)))


@gpu.jit(device=True)
def frcp_rz(x):
    b = f32(x)
    r = 1 / b
    return _toward_zero(r, _quotient_error(1.0, f64(b), f64(r)))


@gpu.jit(device=True)
def fsqrt_rn(x):
    a = f32(x)
    return math.sqrt(a)


@gpu.jit(device=True)
def fsqrt_rd(x):
    a = f32(x)
    r = math.sqrt(a)
    return _down(r, _root_error(f64(a), f64(r)))


@gpu.jit(device=True)
def fsqrt_ru(x):
    a = f32(x)
    r = math.sqrt(a)
    return _up(r, _root_error(f64(a), f64(r)))


@gpu.jit(device=True)
def fsqrt_rz(x):
    a = f32(x)
    r = math.sqrt(a)
    return _toward_zero(r, _root_error(f64(a), f64(r)))


@gpu.jit(device=True)
def fmaf_rn(x, y, z):
    a = f32(x)
    b = f32(y)
    c = f32(z)
    return math.fma(a, b, c)


@gpu.jit(device=True)
def fmaf_rd(x, y, z):
    a = f32(x)
    b = f32(y)
    c = f32(z)
    r = math.fma(a, b, c)
    return _down(r, _fma_gap(f64(a), f64(b), f64(c), f64(r)))


@gpu.jit(device=True)
def fmaf_ru(x, y, z):
    a = f32(x)
    b = f32(y)
    c = f32(z)
    r = math.fma(a, b, c)
    return _up(r, _fma_gap(f64(a), f64(b), f64(c), f64(r)))


@gpu.jit(device=True)
def fmaf_rz(x, y, z):
    a = f32(x)
    b = f32(y)
    c = f32(z)
    r = math.fma(a, b, c)
    return _toward_zero(r, _fma_gap(f64(a), f64(b), f64(c), f64(r)))


@gpu.jit(device=True)
def frsqrt_rn(x):
    return f32(1 / math.sqrt(f64(f32(x))))


# --- conversions


@gpu.jit(device=True)
def double2float_rn(x):
    a = f64(x)
    return f32(a)


@gpu.jit(device=True)
def double2float_rd(x):
    a = f64(x)
    r = f32(a)
    return _down(r, _lost(f64(r), a))


@gpu.jit(device=True)
def double2float_ru(x):
    a = f64(x)
    r = f32(a)
    return _up(r, _lost(f64(r), a))


@gpu.jit(device=True)
def double2float_rz(x):
    a = f64(x)
    r = f32(a)
    return _toward_zero(r, _lost(f64(r), a))


@gpu.jit(device=True)
def int2double_rn(x):
    return f64(i32(x))


@gpu.jit(device=True)
def uint2double_rn(x):
    return f64(u32(x))


@gpu.jit(device=True)
def int2float_rn(x):
    a = i32(x)
    return f32(a)


@gpu.jit(device=True)
def int2float_rd(x):
    a = i32(x)
    r = f32(a)
    return _down(r, f64(a) - f64(r))


@gpu.jit(device=True)
def int2float_ru(x):
    a = i32(x)
    r = f32(a)
    return _up(r, f64(a) - f64(r))


@gpu.jit(device=True)
def int2float_rz(x):
    a = i32(x)
    r = f32(a)
    return _toward_zero(r, f64(a) - f64(r))


@gpu.jit(device=True)
def uint2float_rn(x):
    a = u32(x)
    return f32(a)


@gpu.jit(device=True)
def uint2float_rd(x):
    a = u32(x)
    r = f32(a)
    return _down(r, f64(a) - f64(r))


@gpu.jit(device=True)
def uint2float_ru(x):
    a = u32(x)
    r = f32(a)
    return _up(r, f64(a) - f64(r))


@gpu.jit(device=True)
def uint2float_rz(x):
    a = u32(x)
    r = f32(a)
    return _toward_zero(r, f64(a) - f64(r))


@gpu.jit(device=True)
def _signed_gap(a, r):
    return i64(-1) if r >= 9223372036854775808.0 else a - i64(r)


@gpu.jit(device=True)
def _unsigned_gap(a, r):
    return i64(-1) if r >= 18446744073709551616.0 else i64(a - u64(r))


@gpu.jit(device=True)
def ll2double_rn(x):
    a = i64(x)
    return f64(a)


@gpu.jit(device=True)
def ll2double_rd(x):
    a = i64(x)
    r = f64(a)
    return _down(r, _signed_gap(a, f64(r)))


@gpu.jit(device=True)
def ll2double_ru(x):
    a = i64(x)
    r = f64(a)
    return _up(r, _signed_gap(a, f64(r)))


@gpu.jit(device=True)
def ll2double_rz(x):
    a = i64(x)
    r = f64(a)
    return _toward_zero(r, _signed_gap(a, f64(r)))


@gpu.jit(device=True)
def ull2double_rn(x):
    a = u64(x)
    return f64(a)


@gpu.jit(device=True)
def ull2double_rd(x):
    a = u64(x)
    r = f64(a)
    return _down(r, _unsigned_gap(a, f64(r)))


@gpu.jit(device=True)
def ull2double_ru(x):
    a = u64(x)
    r = f64(a)
    return _up(r, _unsigned_gap(a, f64(r)))


@gpu.jit(device=True)
def ull2double_rz(x):
    a = u64(x)
    r = f64(a)
    return _toward_zero(r, _unsigned_gap(a, f64(r)))


@gpu.jit(device=True)
def ll2float_rn(x):
    a = i64(x)
    return f32(a)


@gpu.jit(device=True)
def ll2float_rd(x):
    a = i64(x)
    r = f32(a)
    return _down(r, _signed_gap(a, f64(r)))


@gpu.jit(device=True)
def ll2float_ru(x):
    a = i64(x)
    r = f32(a)
    return _up(r, _signed_gap(a, f64(r)))


@gpu.jit(device=True)
def ll2float_rz(x):
    a = i64(x)
    r = f32(a)
    return _toward_zero(r, _signed_gap(a, f64(r)))


@gpu.jit(device=True)
def ull2float_rn(x):
    a = u64(x)
    return f32(a)


@gpu.jit(device=True)
def ull2float_rd(x):
    a = u64(x)
    r = f32(a)
    return _down(r, _unsigned_gap(a, f64(r)))


@gpu.jit(device=True)
def ull2float_ru(x):
    a = u64(x)
    r = f32(a)
    return _up(r, _unsigned_gap(a, f64(r)))


@gpu.jit(device=True)
def ull2float_rz(x):
    a = u64(x)
    r = f32(a)
    return _toward_zero(r, _unsigned_gap(a, f64(r)))


# --- Bessel functions: the C library's and NVIDIA's


@gpu.jit(device=True)
def _jn_of_small(n, x):
    # The first term of the series, which is all there is of it: libdevice's recurrence overflows.
    value = x * 0.5
    k = 2
    while k <= n and value != 0.0:
        value *= x / (2.0 * k)
        k += 1
    return value


@gpu.jit(device=True)
def jn(n, x):
    n, x = i32(n), f64(x)
    return _jn_of_small(n, x) if n > 1 and np.abs(x) < 1.0e-9 else gpu._bessel_jn(x, n)


@gpu.jit(device=True)
def jnf(n, x):
    n, x = i32(n), f32(x)
    return f32(_jn_of_small(n, f64(x))) if n > 1 and np.abs(x) < f32(1.0e-5) else gpu._bessel_jn(x, n)


@gpu.jit(device=True)
def yn(n, x):
    return gpu._bessel_yn(f64(x), i32(n))


@gpu.jit(device=True)
def ynf(n, x):
    return gpu._bessel_yn(f32(x), i32(n))


# --- the error function scaled and inverted. Float32 is float64 rounded.

# (1 + 2 x) erfcx(x) as a polynomial in (x - 3.75) / (x + 3.75), highest power first: tests/accuracy/erfcx_coefficients.py
ERFCX = (
    3.1114333809799254e-10, -2.623107347133476e-09, -3.744210080962018e-09, 3.197926671666804e-08,
    2.3263508708859124e-08, -2.4857126248016745e-07, -5.7218230603224086e-08, 1.7419821586224816e-06,
    -9.73559896736775e-07, -1.1438048033346894e-05, 2.238423915508223e-05, 5.164652974177416e-05,
    -0.0002901540805408417, 0.000293714378044958, 0.0017556258528952954, -0.009746579683265262,
    0.028362277418956406, -0.05869339857664934, 0.09230432116037748, -0.10880393014244462,
    0.0822767384901452, 0.0035854154854790257, -0.14024059858554697, 1.2375126308378275,
)


@gpu.jit(device=True, fastmath=False)
def erfcx(x):
    x = f64(x)
    a = math.fabs(x)
    t = 1.0 if a > 1.0e300 else (a - 3.75) / (a + 3.75)
    p = 0.0
    for c in ERFCX[:-1]:
        p = math.fma(p, t, c)
    product = math.fma(p, t, ERFCX[-1])
    right = 0.5 * product / (0.5 + a)
    if a < 4.0:
        # What t, the product and the sum lost when they were rounded; t's by the derivative of (1 + 2 x) erfcx(x).
        over, under, half = a + 3.75, a - 3.75, 0.5 + a
        t_lost = (math.fma(-t, over, under) + (a - (under + 3.75)) - t * (a - (over - 3.75))) / over
        slope = 2.0 * right + (1.0 + 2.0 * a) * (2.0 * a * right - TWO_BY_ROOT_PI)
        lost = math.fma(p, t, ERFCX[-1] - product) + slope * t_lost * (over * over / 7.5)
        right += (math.fma(-right, half, 0.5 * product) + 0.5 * lost - right * (a - (half - 0.5))) / half
    if not x < 0.0:
        return x if math.isnan(x) else right
    square = x * x
    if square < 0.5:  # exp() has no digits to spare for the difference
        return 2.0 * math.expm1(square) + (2.0 - right)
    rest = math.fma(x, x, -square)  # exp() of a large number takes every bit of it
    power = math.exp(square)
    return power if math.isinf(power) else 2.0 * (power + power * rest) - right


@gpu.jit(device=True, fastmath=False)
def erfcxf(x):
    return f32(erfcx(f32(x)))


@gpu.jit(device=True, fastmath=False)
def _erfcinv_tail(z):
    # 0 < z <= 0.5: Newton's steps on log(erfc(y)) = log(erfcx(y)) - y * y, nearly a parabola.
    log_z = math.log(z)
    y = math.sqrt(-log_z)
    y = math.sqrt(math.fabs(-log_z - math.log(1.7724538509055159 * y + 0.6)))
    for _ in range(5):
        scaled = erfcx(y)
        y += ((math.log(scaled) - log_z) - y * y) * scaled * 0.88622692545275805
    return y


@gpu.jit(device=True, fastmath=False)
def _erfinv_center(x):
    # |x| <= 0.5: Halley's steps on erf(y) = x.
    square = x * x
    y = x * (0.88622692545275805 + square * (0.23201366653465444 + square * (0.12755617530559793 + square * 0.0865)))
    for _ in range(2):
        step = (math.erf(y) - x) * 0.88622692545275805 * math.exp(y * y)
        y -= step / (1.0 + y * step)
    return y


@gpu.jit(device=True, fastmath=False)
def erfinv(x):
    x = f64(x)
    a = math.fabs(x)
    if a < 1.0e-8:
        return x * 0.88622692545275805
    if a <= 0.5:
        return _erfinv_center(x)
    if a < 1.0:
        return math.copysign(_erfcinv_tail(1.0 - a), x)
    return math.copysign(INF, x) if a == 1.0 else math.nan


@gpu.jit(device=True, fastmath=False)
def erfinvf(x):
    return f32(erfinv(f32(x)))


@gpu.jit(device=True, fastmath=False)
def erfcinv(x):
    x = f64(x)
    if 0.5 <= x <= 1.5:
        return erfinv(1.0 - x)
    if 0.0 < x < 0.5:
        return _erfcinv_tail(x)
    if 1.5 < x < 2.0:
        return -_erfcinv_tail(2.0 - x)
    return INF if x == 0.0 else -INF if x == 2.0 else math.nan


@gpu.jit(device=True, fastmath=False)
def erfcinvf(x):
    return f32(erfcinv(f32(x)))


@gpu.jit(device=True, fastmath=False)
def normcdfinv(x):
    x = f64(x)
    if 0.25 <= x <= 0.75:
        return 1.4142135623730951 * erfinv(2.0 * x - 1.0)
    if 0.0 < x < 0.25:
        return -1.4142135623730951 * _erfcinv_tail(2.0 * x)
    if 0.75 < x < 1.0:
        return 1.4142135623730951 * _erfcinv_tail(2.0 * (1.0 - x))
    return -INF if x == 0.0 else INF if x == 1.0 else math.nan


@gpu.jit(device=True, fastmath=False)
def normcdfinvf(x):
    return f32(normcdfinv(f32(x)))

# Functions of libdevice that float32 has under the same name with an f behind it: frontend/CMakeLists.txt makes those by
# putting f32 for f64. The text becomes part of gpu.libdevice.py.


@gpu.jit(device=True)
def acos(x):
    return math.acos(f64(x))


@gpu.jit(device=True)
def acosh(x):
    return math.acosh(f64(x))


@gpu.jit(device=True)
def asin(x):
    return math.asin(f64(x))


@gpu.jit(device=True)
def asinh(x):
    return math.asinh(f64(x))


@gpu.jit(device=True)
def atan(x):
    return math.atan(f64(x))


@gpu.jit(device=True)
def atanh(x):
    return math.atanh(f64(x))


@gpu.jit(device=True)
def cbrt(x):
    return math.cbrt(f64(x))


@gpu.jit(device=True)
def ceil(x):
    return np.ceil(f64(x))


@gpu.jit(device=True)
def cos(x):
    return math.cos(f64(x))


@gpu.jit(device=True)
def cosh(x):
    return math.cosh(f64(x))


@gpu.jit(device=True)
def erf(x):
    return math.erf(f64(x))


@gpu.jit(device=True)
def erfc(x):
    return math.erfc(f64(x))


@gpu.jit(device=True)
def exp(x):
    return math.exp(f64(x))


@gpu.jit(device=True)
def exp2(x):
    return math.exp2(f64(x))


@gpu.jit(device=True)
def expm1(x):
    return math.expm1(f64(x))


@gpu.jit(device=True)
def floor(x):
    return np.floor(f64(x))


@gpu.jit(device=True)
def lgamma(x):
    return math.lgamma(f64(x))


@gpu.jit(device=True)
def log(x):
    return math.log(f64(x))


@gpu.jit(device=True)
def log10(x):
    return math.log10(f64(x))


@gpu.jit(device=True)
def log1p(x):
    return math.log1p(f64(x))


@gpu.jit(device=True)
def log2(x):
    return math.log2(f64(x))


@gpu.jit(device=True)
def nearbyint(x):
    return np.rint(f64(x))


@gpu.jit(device=True)
def rint(x):
    return np.rint(f64(x))


@gpu.jit(device=True)
def rsqrt(x):
    return gpu.rsqrt(f64(x))


@gpu.jit(device=True)
def sin(x):
    return math.sin(f64(x))


@gpu.jit(device=True)
def sinh(x):
    return math.sinh(f64(x))


@gpu.jit(device=True)
def sqrt(x):
    return math.sqrt(f64(x))


@gpu.jit(device=True)
def tan(x):
    return math.tan(f64(x))


@gpu.jit(device=True)
def tanh(x):
    return math.tanh(f64(x))


@gpu.jit(device=True)
def tgamma(x):
    return math.gamma(f64(x))


@gpu.jit(device=True)
def trunc(x):
    return np.trunc(f64(x))


@gpu.jit(device=True)
def fabs(x):
    return np.abs(f64(x))


@gpu.jit(device=True)
def atan2(x, y):
    return math.atan2(f64(x), f64(y))


@gpu.jit(device=True)
def copysign(x, y):
    return math.copysign(f64(x), f64(y))


@gpu.jit(device=True)
def fmod(x, y):
    return math.fmod(f64(x), f64(y))


@gpu.jit(device=True)
def hypot(x, y):
    return math.hypot(f64(x), f64(y))


@gpu.jit(device=True)
def nextafter(x, y):
    return math.nextafter(f64(x), f64(y))


@gpu.jit(device=True)
def pow(x, y):
    return math.pow(f64(x), f64(y))


@gpu.jit(device=True)
def remainder(x, y):
    return math.remainder(f64(x), f64(y))


@gpu.jit(device=True)
def fmax(x, y):
    return np.fmax(f64(x), f64(y))


@gpu.jit(device=True)
def fmin(x, y):
    return np.fmin(f64(x), f64(y))


@gpu.jit(device=True)
def cospi(x):
    return _cospi(np.abs(math.fmod(f64(x), 2.0)))


@gpu.jit(device=True)
def sinpi(x):
    return _sinpi(math.fmod(f64(x), 2.0))


@gpu.jit(device=True)
def exp10(x):
    return math.pow(f64(10), f64(x))


@gpu.jit(device=True)
def fdim(x, y):
    a = f64(x)
    b = f64(y)
    return a - b if a > b else a + b if math.isnan(a) or math.isnan(b) else f64(0)


@gpu.jit(device=True)
def fma(x, y, z):
    return math.fma(f64(x), f64(y), f64(z))


@gpu.jit(device=True)
def frexp(x):
    return math.frexp(f64(x))


@gpu.jit(device=True)
def ldexp(x, n):
    return math.ldexp(f64(x), i32(n))


@gpu.jit(device=True)
def scalbn(x, n):
    return math.ldexp(f64(x), i32(n))


@gpu.jit(device=True)
def modf(x):
    whole = np.trunc(f64(x))
    rest = math.copysign(f64(0), f64(x)) if math.isinf(f64(x)) else math.copysign(f64(x) - whole, f64(x))
    return rest, whole


@gpu.jit(device=True)
def powi(x, n):
    return _powi(f64(x), i32(n), f64(1))


@gpu.jit(device=True)
def rcbrt(x):
    x = f64(x)
    y = 1 / math.cbrt(x)
    error = math.fma(-x * y, y * y, 1)  # NaN where x or y is 0 or infinite
    return y + y * error / 3 if error == error else y


@gpu.jit(device=True)
def round(x):
    return _round(f64(x))


@gpu.jit(device=True)
def sincos(x):
    return math.sin(f64(x)), math.cos(f64(x))


@gpu.jit(device=True)
def ilogb(x):
    return _ilogb(f64(x))


@gpu.jit(device=True)
def logb(x):
    return _logb(f64(x))


@gpu.jit(device=True)
def llrint(x):
    return i64(np.rint(f64(x)))


@gpu.jit(device=True)
def llround(x):
    return i64(_round(f64(x)))


@gpu.jit(device=True)
def remquo(x, y):
    return _remquo(f64(x), f64(y))


@gpu.jit(device=True)
def j0(x):
    return gpu._bessel_j0(f64(x))


@gpu.jit(device=True)
def j1(x):
    return gpu._bessel_j1(f64(x))


@gpu.jit(device=True)
def y0(x):
    return gpu._bessel_y0(f64(x))


@gpu.jit(device=True)
def y1(x):
    return gpu._bessel_y1(f64(x))

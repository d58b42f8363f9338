"""Builtins and functions of math, NumPy and operator on scalars, against Python."""

import math
import operator
import re
import warnings

import numpy as np
import pytest
from lanewise import gpu

ARGUMENTS = {
    "a": 7,
    "b": -3,
    "x": 2.5,
    "y": -0.75,
    "f": np.float32(1.3),
    "u": np.uint32(40),
    "i": np.int32(-7),
    "U": np.uint64(2**63 + 5),
}
# Where the language is Python. `f` among the operands: float32 results.
EXPRESSIONS = """
math.gcd(a, 21)
math.gcd(12, 18, 27)
math.gcd()
math.lcm(4, 6)
math.lcm(a, 3, 2)
math.comb(a, 3)
math.comb(5, a)
math.perm(a, 3)
math.perm(a)
math.factorial(a)
math.isqrt(a)
math.isqrt(99)
math.prod((a, 2, 3))
math.prod((a, x), start=2)
math.dist((1, x), (y, 2))
math.fsum((x, y, 1.0))
math.isclose(x, x + 1e-12)
math.isclose(x, y, rel_tol=0.5)
math.isclose(x, 2.6, abs_tol=0.2)
math.exp2(x)
math.cbrt(x)
math.ulp(x)
math.log(x, 3)
math.log(x, a)
math.pi + math.tau + math.e
math.inf
math.isnan(math.nan)
math.copysign(x, y)
math.fabs(y)
math.fmod(a, b)
math.remainder(x, y)
math.trunc(y)
math.floor(y)
math.ceil(y)
math.modf(x)[0]
math.frexp(x)[1]
math.ldexp(x, 3)
math.hypot(x, y)
math.hypot(x, y, a)
math.atan2(x, y)
math.degrees(x)
math.radians(x)
math.erf(x)
math.erfc(x)
math.gamma(x)
math.lgamma(x)
math.exp(x)
math.expm1(x)
math.log1p(x)
math.log2(x)
math.log10(x)
math.nextafter(x, 3.0)
math.pow(x, y)
math.sqrt(x)
math.sin(x)+math.cos(x)+math.tan(x)
math.asin(y)+math.acos(y)+math.atan(y)
math.sinh(x)+math.cosh(x)+math.tanh(x)
math.asinh(x)+math.acosh(x)+math.atanh(y)
math.isfinite(x)
math.isinf(x)
np.isclose(x, x+1e-9)
np.clip(a, 0, 5)
np.clip(x, -1, 1)
np.sign(y)
np.sign(b)
np.heaviside(y, 0.5)
np.heaviside(0.0, 0.5)
np.logaddexp(x, y)
np.logaddexp2(x, y)
np.gcd(a, 21)
np.lcm(a, 21)
np.float_power(x, 3)
np.floor_divide(a, b)
np.log1p(x)
np.sinc(x)
np.add(a, x)
np.absolute(b)
np.fabs(b)
np.rint(x)
np.exp(x)+np.exp2(x)+np.expm1(x)
np.log(x)+np.log2(x)+np.log10(x)
np.sqrt(x)
np.square(x)
np.cbrt(x)
np.reciprocal(x)
np.sin(x)+np.cos(x)+np.tan(x)+np.arcsin(y)+np.arccos(y)+np.arctan(y)
np.arctan2(x, y)
np.hypot(x, y)
np.sinh(x)+np.cosh(x)+np.tanh(x)+np.arcsinh(x)+np.arccosh(x)+np.arctanh(y)
np.asin(y)+np.acos(y)+np.atan(y)+np.asinh(x)+np.acosh(x)+np.atanh(y)+np.atan2(x,y)
np.degrees(x)+np.radians(x)+np.deg2rad(x)+np.rad2deg(x)
np.bitwise_and(a, 3)+np.bitwise_or(a,8)+np.bitwise_xor(a,1)+np.invert(a)+np.left_shift(a,1)+np.right_shift(a,1)
np.bitwise_left_shift(a,1)+np.bitwise_right_shift(a,1)+np.bitwise_invert(a)
np.greater(a,b)
np.logical_and(a,0)
np.logical_not(a)
np.maximum(a,x)
np.fmax(a,x)
np.fmin(a,x)
np.isfinite(x)
np.isinf(x)
np.isnan(x)
np.isneginf(x)
np.isposinf(x)
np.signbit(y)
np.copysign(x,y)
np.nextafter(x,y)
np.spacing(x)
np.modf(x)[1]
np.ldexp(x,3)
np.frexp(x)[0]
np.fmod(a,b)
np.mod(a,b)
np.remainder(x,y)
np.divmod(a,b)[1]
np.floor(y)
np.ceil(y)
np.trunc(y)
np.fix(y)
np.pow(a, 2)
np.power(x, 2)
np.round(x)
np.round(2.675, 2)
np.around(x)
np.abs(y)
np.positive(x)
np.negative(x)
np.trunc(x)
np.interp(x, (1.0, 2.0, 3.0), (10.0, 20.0, 40.0))
np.nan_to_num(x)
np.nan_to_num(np.nan)
np.iinfo(np.int32).max
np.iinfo(np.uint8).min
np.iinfo(np.int64).bits
np.finfo(np.float32).eps
np.finfo(np.float64).max
np.finfo(np.float32).tiny
np.finfo(np.float32).min
np.finfo(f.dtype).eps
np.iinfo(u.dtype).max
np.iinfo("int16").max
np.pi+np.e+np.euler_gamma
np.isnan(np.nan)
np.inf
f.item()
u.item()
f.astype(np.float64)
x.is_integer()
f.dtype.type(3)
f.dtype.itemsize
i.astype(np.int8)
i.astype("uint8")
u.view(np.int32)
f.view(np.int32)
operator.add(a,b)+operator.sub(a,b)+operator.mul(a,b)+operator.truediv(a,b)+operator.floordiv(a,b)+operator.mod(a,b)+operator.pow(a,2)
operator.neg(a)+operator.pos(a)+operator.invert(a)+operator.inv(a)
operator.not_(a)
operator.lt(a,b)
operator.xor(a,b)
operator.lshift(a,2)+operator.rshift(a,1)
operator.and_(a,3)+operator.or_(a,8)
operator.getitem((1,2,3),1)
operator.iadd(a,b)
operator.is_(None,None)
operator.is_not(a,None)
operator.truth(a)
operator.contains((1,2,a),a)
operator.concat((1,),(2,))[1]
operator.abs(b)
operator.itruediv(a,2)
operator.ipow(a,2)
abs(b)
pow(a,2)
pow(a,3,5)
pow(x,2)
divmod(a,b)[0]
divmod(x,y)[1]
round(x)
round(x,1)
round(-2.5)
round(1234.567,-2)
round(a,-1)
round(15,-1)
round(25,-1)
round(a)
min(a,b,x)
max((a,b))
sum((a,b,x))
int(x)
int(y)
int("12")
float(a)
float("1.5")
bool(x)
int()
float()
1 << 63
1 << 62
-1 << 63
1 >> 70
-1 >> 70
18446744073709551615
9223372036854775808
0xffffffffffffffff & 0xff
2**63
-2**63
-(2**63)
3**a
a**2
a**0.5
(-1)**b
0**0
x//y
x%y
a/b
a//b
a%b
b%a
b//a
(-5.0)%3.0
i//2
i%5
i/2
u+1
u-41
u*2
~u
-u
-i
~a
not a
True+True
True&3
True|False
a&b
a|b
a^b
a==x
x!=x
5<a<10
f*2
f+x
f*a
u>i
u>b
U>b
U+1
U-1
a+u
i+u
i*u
np.uint16(65535)>>2
np.int32(-1)%5
np.float16(2.5)*2
np.bool_(True)+1
np.float32(16777217)
np.int32(x)
np.uint8(a)
np.int8(-3)
np.uint32(i)
np.float64(f)
(a).bit_length()
a.real+a.imag
x.real
a.numerator+a.denominator
x.conjugate()
(1,2,3)[-1]
len((1,2))
x if a > 3 else y
a and x
0 or x
a and 0
None is None
a is not None
a is None
"ab" == "ab"
len("abc")
"a" in ("a","b")
"a" in "abc"
np.where(a > 3, x, y)
np.where(True, 1, 2)
np.select((a > 9, a > 3), (1, 2), 3)
np.ceil(a)
np.floor(a)
np.exp(a)
np.sqrt(u)
np.hypot(f, x)
np.float32(x)**2
f.dtype == np.float32
np.dtype(np.float32).itemsize
np.int32(5).itemsize
np.spacing(f)
np.log(a)/np.log(2)
np.radians(180)
np.bitwise_not(a)
np.byte(3)
np.half(2)
np.int_(3)
np.intp(3)
np.uintp(3)
np.short(3)
np.single(1.5)
np.double(1.5)
np.True_
np.False_+1
math.floor(x) + 1
math.nextafter(x, 9.0, steps=2) if False else 1
int(True)
int(3.99)
float(True)
round(0.5)+round(1.5)
ord("a")
chr(97) == "a"
-0.0
1/3
1e400
5 % -3
-5 // 3
5.5 // 2
1_000_000
0b1011
a if x else b
(lambda q: q+1)(a)
isinstance(a, int)
isinstance(u, np.integer)
isinstance(f, np.number)
isinstance(x, (int, float))
isinstance(None, int)
issubclass(np.float32, np.floating)
type(a) is int
type(f)(3)
np.issubdtype(f.dtype, np.floating)
"""


@pytest.mark.filterwarnings("ignore")
def test_expressions():
    """One kernel of all: each compile takes longer than all of these."""
    names = {"math": math, "np": np, "operator": operator}
    wanted, lines = [], []
    for expression in EXPRESSIONS.strip().split("\n"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = float(eval(expression, dict(names), dict(ARGUMENTS)))
        except AttributeError:
            continue  # a younger Python's or NumPy's function
        lines.append(f"    out[{len(wanted)}] = {expression}")
        wanted.append(value)
    text = "def kernel(out, a, b, x, y, f, u, i, U):\n" + "\n".join(lines) + "\n"
    exec(text, names)
    out = np.zeros(len(wanted))
    gpu.jit(source=text, fma=False)(names["kernel"])[1, 1](out, *ARGUMENTS.values())
    for line, value, result in zip(lines, wanted, out):
        single = re.search(r"\bf\b|float32|single", line)
        np.testing.assert_allclose(result, value, rtol=3e-7 if single else 4e-15, atol=2e-15, err_msg=line)

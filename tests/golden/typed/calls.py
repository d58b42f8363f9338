# Device functions: one for each set of argument types, results joined, recursion, functions inside functions.
import math

from lanewise import gpu


@gpu.jit(device=True)
def pick(v, n, limit=3, *, scale=2.0):
    if v > limit:
        return v, 0
    return 1.5 * scale, n


@gpu.jit(device=True)
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


@gpu.jit(device=True)
def apply(f, v):
    return f(v)


@gpu.jit(device=True)
def tail(a):
    return a[1:]


@gpu.jit("void(float32[::1], int32)")
def k(x, n):
    v, m = pick(x[0], n)
    x[1] = v * m
    v, m = pick(x[0], n, scale=1)
    x[2] = fact(5)
    factor = 3

    def scaled(v):
        return v * factor + n

    x[3] = scaled(x[0]) + apply(math.sqrt, x[1]) + apply(lambda q: q + 1, x[2])
    tail(tail(x))[0] = 7

#= kernel k(x: float32[::1], n: int32):
#=   .t: (float32, int32) = pick(x[0], n, 3, 2.0)
#=   v: float32 = .t.0
#=   m: int32 = .t.1
#=   x[1] = mul(v, float32(m))
#=   .t.1: (float32, int32) = pick.1(x[0], n, 3, 1)
#=   v: float32 = .t.1.0
#=   m: int32 = .t.1.1
#=   x[2] = float32(fact(5))
#=   factor: int = 3
#=   x[3] = add(add(scaled(x[0], n), apply(x[1])), apply.1(x[2]))
#=   tail(tail(x))[0] = float32(7.0)
#=
#= def pick(v: float32, n: int32, limit: int, scale: float) -> (float32, int32):
#=   if gt(v, float32(limit)):
#=     return (v, int32(0))
#=   return (float32(mul(1.5, scale)), n)
#=
#= def pick.1(v: float32, n: int32, limit: int, scale: int) -> (float32, int32):
#=   if gt(v, float32(limit)):
#=     return (v, int32(0))
#=   return (float32(mul(1.5, float(scale))), n)
#=
#= def fact(n: int) -> int:
#=   return (1 if lt(n, 2) else mul(n, fact(sub(n, 1))))
#=
#= def scaled(v: float32, n: int32) -> float32:
#=   return add(mul(v, float32(3.0)), float32(n))
#=
#= def apply(v: float32) -> float32:
#=   return sqrt(v)
#=
#= def apply.1(v: float32) -> float32:
#=   return lambda(v)
#=
#= def tail(a: float32[::1]) -> float32[::1]:
#=   return a[1:]
#=
#= def lambda(q: float32) -> float32:
#=   return add(q, float32(1.0))

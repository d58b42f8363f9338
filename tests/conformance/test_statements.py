"""Statements and builtins: kernels that write what the same text writes in Python."""

# ruff: noqa: E711, E721, E731, F841, F842, B007, B009, F401

import numpy as np
import pytest
from as_python import check, collector
from lanewise import gpu

device = gpu.jit(device=True)
CASES = []
case = collector(CASES)


@case(np.arange(5.0), 3)
def walrus(out, a, n):
    if (x := a[2]) > 1:
        out[0] = x
    k = 0
    while (k := k + 1) < n:
        out[k] = k
    out[3] = (y := 5) + y
    out[4] = [z := 3, z * 2][1]
    t = (w := n, w + 1)
    out[5] = t[1]
    out[6] = a[(i := 1)] + i
    out[7] = sum((q := v * 2) for v in (1, 2))


@case(3)
def delete(out, n):
    x = n
    del x
    x = 2.5
    out[0] = x
    a, b = 1, 2
    del a, b


@case(3, 2.5)
def chain(out, n, x):
    out[0] = 0 < n < 5 <= 6
    out[1] = 1 < x < n != 4 == 4
    out[3] = 1 < n in (3, 4)
    out[4] = n and x
    out[5] = n or x
    out[6] = 0 and n
    out[7] = 0 or n
    out[8] = 0.0 or x
    out[9] = n in [3, 4]
    out[10] = n not in [3, 4]
    out[11] = n in range(0, 10, 3)
    out[12] = 2 in range(0, 10, 3)
    out[13] = x in (2.5,)
    out[14] = n in (1, 2.5, 3)
    out[15] = not n


@case(3)
def loopelse(out, n):
    for i in range(n):
        if i == 7:
            break
    else:
        out[0] = 1
    for i in range(n):
        if i == 1:
            break
    else:
        out[1] = 1
    while n > 0:
        n -= 1
        if n == 1:
            break
    else:
        out[2] = 1
    while n > 0:
        n -= 1
    else:
        out[3] = 1
    out[4] = i


@case((1, 2, 3))
def comps(out, t):
    out[0] = sum([v * 2 for v in t])
    out[1] = sum(v * v for v in t)
    out[2] = max(v * v for v in range(4))
    out[3] = min([v - 1 for v in t])
    out[4] = any(v > 2 for v in t)
    out[5] = all(v > 0 for v in t)
    out[6] = len([v for v in range(5)])
    a = tuple(v + 1 for v in t)
    out[7] = a[2]
    for i in [v * 2 for v in range(3)]:
        out[8] += i
    out[9] = sum(i * j for i in range(3) for j in range(3))
    out[11] = sum([a * b for a, b in zip(t, t)])
    c = [v * 3 for v in t]
    out[12] = c[1]
    out[13] = all((True, t[0] > 0))
    out[14] = any([])
    x, y, z = [v * 2 for v in t]
    out[15] = z


@case(3, 2.5, np.float32(3), np.arange(3))
def types(out, n, x, f, a):
    out[0] = isinstance(n, int)
    out[1] = isinstance(x, float)
    out[2] = isinstance(n, (float, int))
    out[3] = isinstance(x, int)
    out[4] = isinstance(f, np.float32)
    out[5] = type(n) == int
    out[6] = type(n) is int
    y = type(f)(2.7)
    out[7] = y
    out[8] = isinstance(f, np.floating)
    out[9] = isinstance(True, bool)
    out[10] = isinstance(a, np.ndarray)
    out[11] = a.dtype == np.int64
    out[12] = a.dtype.type(3.7)
    out[13] = isinstance((1, 2), tuple)


@case(3)
def misc(out, n):
    """doc"""
    pass
    ...
    "string"
    s: np.float32 = 0
    s += 0.1
    z: int
    max = 3
    bin = max + 1
    out[1] = bin
    sum = n
    out[2] = sum
    len: int = 4
    out[3] = len
    α = 2.5
    Δx_1 = α * 2
    out[4] = Δx_1
    out[5] = 0x10 + 0b11 + 0o7 + 1_000
    out[6] = 1e3 + 0.5 + 1.0
    if n:
        pass
    elif n > 2:
        pass
    else:
        pass
    x = 1
    y = 2
    out[7] = x + y
    out[8] = 1 + 2
    out[9] = 1 + 2


@case(1.0, np.arange(3.0))
def is_bool(out, x, a):
    out[0] = x is None
    out[1] = bool(x)
    out[2] = bool(0.0)
    out[3] = bool(float("nan"))
    out[4] = float("inf")
    out[5] = int("12")
    out[6] = float("1e3")


@case(5)
def loops(out, n):
    for i in range(3):
        pass
    out[0] = i
    for i in range(10):
        i += 5
    out[1] = i
    for i in range(n, 0, -2):
        out[2] += i
    s = -1
    for i in range(n, 0, s):
        out[3] += i
    for i, j in zip(range(n), range(10, 0, -1)):
        out[4] += i * j
    for i, (a, b) in enumerate(zip(range(n), range(1, n + 1))):
        out[5] += i * a * b
    for i in reversed(range(n)):
        out[6] = i
    for i in reversed(range(0, n, 2)):
        out[7] = out[7] * 10 + i
    for i in range(np.int32(3)):
        out[8] += i
    for i in range(np.uint64(2), np.uint64(5)):
        out[9] += i
    for i, j in enumerate(range(3), start=2):
        out[10] += i * j
    for i in range(3):
        for j in range(i):
            if j == 1:
                continue
            out[11] += 1
    k = 0
    while True:
        k += 1
        if k > 4:
            break
    out[12] = k
    for i in range(2, 1, 2):
        out[13] = 99
    for i in range(0):
        i = 3
    out[14] = i
    for i in (x * 2 for x in range(3)):
        out[15] += i


@case(np.arange(4.0), np.arange(6.0).reshape(3, 2))
def arrloops(out, a, b):
    for v in a:
        out[0] += v
    for v in reversed(a):
        out[1] = out[1] * 2 + v
    for i, v in enumerate(a):
        out[2] += i * v
    for r in b:
        out[3] += r[1]
    for x, y in b:
        out[4] += x * y
    for u, v in zip(a, range(2)):
        out[5] += u + v
    for i, r in enumerate(b):
        out[6] += i * r[0]
    for u, r in zip(a, b):
        out[7] += u * r[1]
    out[8] = v
    for i, v in enumerate(reversed(a)):
        out[9] += i * v
    for v in a[1:3]:
        out[10] += v
    for v in a[::-1]:
        out[11] = v
    it = 0
    for v in b[0]:
        it += v
    out[12] = it


@case(2.5, 3)
def ann(out, x: float, n: np.int8):
    y: int = x
    out[0] = y
    z: np.int32 = 7
    out[1] = z / 2


@case(3)
def glob_builtins(out, n):
    out[1] = max(range(5))
    out[3] = abs(-n)
    out[4] = pow(n, 2)
    out[5] = pow(3, 4, 5)
    out[6] = divmod(n, 2)[1]
    out[7] = round(2.5)
    out[8] = round(2.25, 1)
    out[9] = round(n, -1)
    out[10] = round(1234.5, -2)
    out[11] = max(1, n, 2.5)
    out[12] = max((1, n))


@case(3)
def glob_builtins2(out, n):
    out[0] = max((), default=4)
    out[1] = sum((1, 2), 5)
    out[2] = sum((1, 2), start=6)
    out[5] = chr(65) == "A"
    out[6] = ord("A")
    out[7] = n.real + n.imag
    out[8] = (5).bit_length()
    out[10] = (2.0).is_integer()
    out[11] = n.conjugate()
    for i in sorted((3, 1, 2)):
        out[12] = out[12] * 10 + i
    for i in sorted((3, 1, 2), reverse=True):
        out[13] = out[13] * 10 + i
    for a, b in zip((1, 2), (3, 4), strict=True):
        out[14] += a * b


@pytest.mark.parametrize("function, arguments, options", CASES)
def test_statements(function, arguments, options):
    check(function, *arguments, **options)

"""Tuples, plain and named: kernels that write what the same text writes in Python."""

# ruff: noqa: E711, E721, E731, F841, F842, B007, B009, F401

import collections
import typing

import numpy as np
import pytest
from as_python import check, collector
from lanewise import gpu

device = gpu.jit(device=True)
CASES = []
case = collector(CASES)


P = collections.namedtuple("P", "x y")


class Q(typing.NamedTuple):
    a: int
    b: float = 2.5


T2 = ((1, 2), (3, 4))
TT = (1.5, 2.5, 3.5)
PC = P(3, 4.5)


@case()
def nt_construct(out):
    p = P(1, 2.5)
    out[0] = p.x
    out[1] = p.y
    out[2] = len(p)
    out[3] = p[1]


@case()
def nt_kw(out):
    p = P(y=1, x=2.5)
    out[0] = p.x
    out[1] = p.y
    q = Q(3)
    out[2] = q.a + q.b
    q = Q(b=1.0, a=2)
    out[3] = q.b


@case()
def nt_captured(out):
    out[0] = PC.x
    out[1] = PC.y
    out[2] = PC[0]
    x, y = PC
    out[3] = x + y


@case(P(1, 2.5), P(np.zeros(3), 4))
def nt_arg(out, p, q):
    out[0] = p.x
    out[1] = p.y
    out[2] = q.y
    q.x[0] = 3
    out[3] = q.x[0] + len(q.x)


@device
def mk(a, b):
    return P(a, b)


@device
def swap(p):
    return P(p.y, p.x)


@case(3)
def nt_ret(out, n):
    p = swap(mk(n, 2))
    out[0] = p.x
    out[1] = p.y
    q = swap(p)
    out[2] = q.x


@case(3)
def nt_merge(out, n):
    if n > 2:
        p = P(1, 2.0)
    else:
        p = P(n, 3.0)
    out[0] = p.x
    out[1] = p.y
    for i in range(3):
        p = P(p.x + i, p.y * 2)
    out[2] = p.x
    out[3] = p.y


@case(((1, 2.5), (np.arange(3.0), 4)))
def nested_arg(out, t):
    out[0] = t[0][0]
    out[1] = t[0][1]
    out[2] = t[1][0][2]
    out[3] = t[1][1]


@case((1, 2, 3), 1, -1)
def homog(out, t, i, j):
    out[0] = t[i]
    out[1] = t[j]
    for v in t:
        out[2] += v
    for k in range(3):
        out[3] += t[k] * k
    for k in range(len(t)):
        out[4] += t[-1 - k]


@case(2, -1)
def homog_const(out, i, j):
    out[0] = TT[i]
    out[1] = TT[j]


@case(1, 0)
def tuple_of_tuple(out, i, j):
    out[0] = T2[i][j]
    a, b = T2[i]
    out[1] = a
    out[2] = b
    for t in T2:
        out[3] += t[j]
    for a, b in T2:
        out[4] += a * b


@case(1)
def hetero_loop(out, n):
    k = 0
    for v in (1, 2.5, np.float32(3), n):
        out[k] = v
        k += 1


@case(
    (1, 2.5, 3),
)
def concat(out, t):
    s = t + (4, 5)
    out[0] = len(s)
    out[1] = s[4]
    u = s[1:3]
    out[2] = u[0]
    out[3] = u[1]
    out[4] = len(s[::-1])
    out[5] = s[::-1][0]
    w = (1,) * 3
    out[6] = len(w)
    w = 2 * (1, 2)
    out[7] = w[3]


@case(
    (1, 2.5, 3),
)
def compare(out, t):
    out[0] = t == (1, 2.5, 3)
    out[1] = t != (1, 2.5, 4)
    out[2] = t < (1, 3, 0)
    out[3] = t >= (1, 2.5, 3)
    out[4] = t > (1, 2)
    out[5] = 2.5 in t
    out[6] = 7 not in t
    out[7] = (1, 2) in ((1, 2), (3, 4))
    out[8] = t == (1, 2.5)


@case(
    (1, 2, 3, 4),
)
def star(out, t):
    a, *b = t
    out[0] = a
    out[1] = len(b)
    out[2] = b[2]
    *c, d = t
    out[3] = d
    out[4] = c[0]
    e, *f, g = t
    out[5] = f[0]
    out[6] = f[1]
    out[7] = g
    (a, b), c = (1, 2), 3
    out[8] = b
    [a, b] = 7, 8
    out[9] = a
    x, *_ = t
    out[10] = x


@case((np.arange(3.0), np.arange(3.0) * 10), 1)
def tuple_arrays(out, t, i):
    a = t[i]
    out[0] = a[2]
    for a in t:
        out[1] += a[1]
    t[i][0] = 5
    out[2] = t[1][0]


@case(3)
def merge(out, n):
    if n > 2:
        t = (1, 2.5)
    else:
        t = (n, 3)
    out[0] = t[0]
    out[1] = t[1]
    t = (0, 1)
    for i in range(n):
        t = (t[1], t[0] + t[1])
    out[2] = t[0]
    out[3] = t[1]
    u = (1, 2) if n > 5 else (3, 4)
    out[4] = u[0]


@case((1, 2, 3), np.arange(4.0))
def tuple_of(out, t, a):
    s = tuple(t)
    out[0] = s[0]
    u = tuple([1, 2, 3])
    out[1] = u[2]
    r = tuple(range(3))
    out[2] = r[2]
    v = tuple(x * 2 for x in t)
    out[3] = v[1]
    w = tuple(())
    out[4] = len(w)
    e = ()
    out[5] = len(e)
    z = tuple(zip(t, s))
    out[6] = z[1][1]
    y = tuple(enumerate(t))
    out[7] = y[2][0]
    x = tuple(reversed(t))
    out[8] = x[0]


@case((1, 2, 3), (4.5, 5.5, 6.5))
def enum_zip(out, t, s):
    for i, v in enumerate(t):
        out[i] = v
    for a, b in zip(t, s):
        out[3] += a * b
    for i, (a, b) in enumerate(zip(t, s), 4):
        out[i] = a + b
    for i, x in zip(range(3), s):
        out[7 + i] = x
    for x in reversed(t):
        out[10] = x
    for a, b, c in zip(range(3), t, s):
        out[11] += a * b * c
    for i, x in enumerate(range(5, 8)):
        out[12] += i * x


@case((), ((),))
def empty_arg(out, t, u):
    out[0] = len(t)
    out[1] = len(u)


@case(np.float32(1), (np.float32(2), np.int8(3)))
def typed_tuple(out, a, t):
    out[0] = t[0]
    out[1] = t[1]


@case(P(P(1, 2), (3, P(4.0, 5))))
def nested_nt(out, p):
    out[0] = p.x.y
    out[1] = p.y[1].x
    out[2] = p.y[0]


@case(P(1, 2), P(3.0, 4))
def nt_ops(out, p, q):
    out[0] = p == q
    out[1] = p == (1, 2)
    out[2] = (p + q)[3]
    out[3] = sum(p)
    out[4] = max(q)
    a, b = p
    out[5] = b
    for v in q:
        out[6] += v
    out[7] = p[-1]
    out[8] = p is None
    out[9] = isinstance(p, tuple)
    out[10] = isinstance(p, P)


@case(P(1, 2))
def nt_fields(out, p):
    out[0] = len(p._fields)


@case(P(1, 2.5))
def nt_replace(out, p):
    q = p._replace(x=7)
    out[0], out[1] = q
    r = q._replace(y=p.x + 1, x=(1, 2))
    out[2] = r.x[1]
    out[3] = r.y
    out[4] = len(PC._replace(x=0))
    out[5] = p._replace().y


@case((1, 2, 3))
def nested_run(out, t):
    for i in range(3):
        for j in range(3):
            out[i] += t[i] * t[j]
    i = 2
    while i >= 0:
        out[5] += t[i]
        i -= 1


@case((1, 2.5, np.int8(3)), 1)
def run_index_join(out, t, i):
    out[0] = t[i]


@case((1, 2, 2, 3))
def t_methods(out, t):
    out[0] = t.count(2)
    out[1] = t.index(3)


@case((3, 1, 2))
def t_sorted(out, t):
    s = sorted(t)
    out[0] = s[0]
    out[1] = s[1]
    out[2] = s[2]


@case(tuple(range(70)), 65)
def long_tuple(out, t, i):
    out[0] = t[i]
    s = 0
    for v in t:
        s += v
    out[1] = s


@case(tuple(range(300)), 265)
def longer_tuple(out, t, i):
    out[0] = t[i]
    s = 0
    for v in t:
        s += v
    out[1] = s


@case((1, 2, 3), 2)
def forbreak(out, t, n):
    for v in t:
        if v == n:
            continue
        out[v] = v
        if v == 3:
            break
    else:
        out[9] = 1
    for v in t:
        if v == 9:
            break
    else:
        out[10] = 1


@device
def addt(t):
    return t[0] + t[1]


@device
def mint(*ts):
    return min(ts)


@case((5, 2), 3.5)
def t_dev(out, t, x):
    out[0] = addt(t)
    out[1] = mint(*t)
    out[2] = mint(4, 3, x)


@case(2)
def starcall(out, n):
    out[0] = max(*(1, n, 3))
    out[1] = len((*(1, 2), n, *(3, 4)))


@case((1, 2), 3)
def modify_err(out, t, n):
    t = t + (n,)
    out[0] = t[2]
    x = y = (1, 2)
    out[1] = x[1] + y[0]
    a = b = 3
    out[2] = a + b
    (a, b), (c, d) = (1, 2), (3, 4)
    a, b = b, a
    out[3] = a
    out[4] = d


@pytest.mark.parametrize("function, arguments, options", CASES)
def test_tuples(function, arguments, options):
    check(function, *arguments, **options)


def test_lists_of_tuples_are_gone_through():
    @gpu.jit
    def kernel(out):
        for value in list((3, 1, 2)):
            out[0] = 10 * out[0] + value
        out[1] = 2 in list((1, 2))

    out = np.zeros(2, np.int64)
    kernel[1, 1](out)
    assert list(out) == [312, 1]

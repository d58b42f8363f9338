"""None, functions as values, calls, recursion: kernels that write what the same text writes in Python."""

# ruff: noqa: E711, E721, E731, F841, F842, B007, B009, F401

import functools
import math
import operator

import numpy as np
import pytest
from as_python import check, collector
from lanewise import gpu

device = gpu.jit(device=True)
CASES = []
case = collector(CASES)


@case(None, np.arange(3.0))
def none_arg(out, a, b):
    if a is None:
        out[0] = 1
    else:
        out[0] = a[0]
    if b is not None:
        out[1] = b[2]
    out[2] = 1 if a is None else a[1]
    if a is None or a[0] > 2:
        out[3] = 5
    if a is not None and a[0] > 2:
        out[4] = 5
    if a is None and b is not None:
        out[5] = 2
    if not a:
        out[6] = 1
    if a == None:
        out[7] = 1


NN = None


@case()
def none_cap(out):
    if NN is None:
        out[0] = 1
    x = None
    if x is None:
        out[1] = 2


@device
def opt(a, b=None):
    if b is None:
        return a
    return a + b


@case()
def none_default(out):
    out[0] = opt(1)
    out[1] = opt(1, 2)
    out[2] = opt(1, b=3)
    out[3] = opt(1, None)


@case()
def k_default(out, a=3, b=None, c=2.5):
    out[0] = a
    out[1] = c
    if b is None:
        out[2] = 1


@device
def sq(x):
    return x * x


@device
def tw(x):
    return 2 * x


@device
def app(f, x):
    return f(x)


@device
def app2(fs, x):
    return fs[0](x) + fs[1](x)


FS = (sq, tw)


@case(sq, 3)
def fn_arg(out, f, x):
    out[0] = f(x)
    out[1] = app(f, x)
    out[2] = app(tw, x)
    out[3] = app(lambda v: v + 1, x)


@case((sq, tw), 3)
def fn_tuple_arg(out, fs, x):
    out[0] = fs[0](x) + fs[1](x)
    out[1] = app2(fs, x)


@case(3)
def fn_tuple(out, x):
    out[0] = FS[0](x)
    out[1] = FS[1](x)
    fs = (sq, tw)
    out[2] = fs[1](x)
    for f in FS:
        out[3] += f(x)
    for i, f in enumerate((sq, tw)):
        out[4 + i] = f(x)
    out[6] = app2(FS, x)
    out[7] = app2((tw, sq), x)
    g = FS[1]
    out[8] = g(x)


lam = lambda a, b=2: a * b
glam = device(lambda a, b=2: a * b)


@case(3)
def lambdas(out, x):
    f = lambda v: v + x
    out[0] = f(1)
    out[1] = (lambda a, b=5: a + b)(1)
    out[2] = glam(3)
    out[3] = glam(3, b=4)
    g = lambda a, *r: a + len(r)
    out[4] = g(1, 2, 3)
    h = lambda: x
    out[5] = h()


def fac(k):
    @device
    def inner(x):
        return x + k

    return inner


f3 = fac(3)
f5 = fac(5)


@case(1)
def factory(out, x):
    out[0] = f3(x) + f5(x)


@case(3)
def nested_def(out, x):
    y = x * 2

    def g(a, b=1):
        return a * y + b

    out[0] = g(2)
    out[1] = g(2, b=3)
    y = 1
    out[2] = g(2)

    def rec(n):
        return 1 if n < 2 else n * rec(n - 1)

    out[3] = rec(5)

    def outer(a):
        def inner(b):
            return a + b + x

        return inner(1)

    out[4] = outer(5)


class Host:
    @staticmethod
    def sm(x):
        return x + 1

    dsm = device(lambda x: x + 2)


class Host2:
    sm = staticmethod(device(lambda x: x + 2))


hh = Host2()


part = functools.partial(sq)
part2 = functools.partial(opt, 3, b=4)
part3 = functools.partial(opt, b=4)


@case(3)
def partials(out, x):
    out[0] = part(x)
    out[1] = part2()
    out[2] = part3(x)


@device
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@device
def ack(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))


@device
def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


@device
def even(n):
    return True if n == 0 else odd(n - 1)


@device
def odd(n):
    return False if n == 0 else even(n - 1)


@device
def summ(a, i):
    if i == len(a):
        return 0.0
    return a[i] + summ(a, i + 1)


@device
def hanoi(n, a, b, c, out):
    if n == 0:
        return
    hanoi(n - 1, a, c, b, out)
    out[10] += 1
    hanoi(n - 1, c, b, a, out)


@case(10, np.arange(5.0))
def rec(out, n, a):
    out[0] = fib(n)
    out[1] = ack(2, 3)
    out[2] = gcd(48, 18)
    out[3] = even(n)
    out[4] = odd(n)
    out[5] = summ(a, 0)
    out[10] = 0
    hanoi(4, 0, 1, 2, out)


@device
def varargs(a, *args):
    s = a
    for v in args:
        s += v
    return s + len(args)


@device
def kwonly(a, *, b, c=3):
    return a + b * c


@device
def posonly(a, b, /, c=3):
    return a - b * c


@device
def kw(**k):
    return 1


@case((1, 2, 3))
def calls(out, t):
    out[0] = varargs(1)
    out[1] = varargs(1, 2.5, 3)
    out[2] = varargs(*t)
    out[3] = varargs(*t, *t)
    out[4] = kwonly(1, b=2)
    out[5] = kwonly(1, c=2, b=3)
    out[6] = posonly(1, 2)
    out[7] = posonly(1, 2, c=4)


@case(1, 2, 3)
def kstar(out, *args):
    out[0] = len(args)
    for i, v in enumerate(args):
        out[1 + i] = v
    out[4] = args[1]


@device
def early(x):
    if x > 3:
        return 1.5
    elif x > 2:
        return 2
    return 0


@device
def tup(x):
    return x, x + 1, (x, 2.5)


@device
def nothing(a):
    a[3] = 9


@case(3)
def rets(out, x):
    out[0] = early(x)
    out[1] = early(4)
    out[2] = early(0)
    a, b, (c, d) = tup(x)
    out[3] = 0
    out[4] = d
    nothing(out)
    r = nothing(out)
    if r is None:
        out[5] = 1
    out[6] = tup(x)[2][1]


@device
def choose_f(k):
    return sq if k == 0 else tw


@pytest.mark.parametrize("function, arguments, options", CASES)
def test_calls(function, arguments, options):
    check(function, *arguments, **options)


def test_static_methods_and_functions_of_objects():
    def kernel(out, x):
        out[0] = Host2.sm(x)
        out[1] = hh.sm(x)
        out[2] = Host.dsm(x)

    out = np.zeros(3)
    gpu.jit(kernel)[1, 1](out, 3)
    assert list(out) == [5, 5, 5]


def test_types_as_arguments():
    def kernel(out, t, u, f):
        out[0] = t(3.7)
        out[1] = u(2.9)
        out[2] = f(2.25)
        if t is np.int8:
            out[3] = 1

    out = np.zeros(4)
    compiled = gpu.jit(kernel)
    compiled[1, 1](out, np.int8, int, math.sqrt)
    assert list(out) == [3, 2, 1.5, 1]
    out[:] = 0
    compiled[1, 1](out, np.float64, float, math.floor)
    assert list(out) == [3.7, 2.9, 2, 0]


def test_one_specialisation_for_each_function_and_none():
    twice = gpu.jit(device=True)(lambda v: 2 * v)
    thrice = gpu.jit(device=True)(lambda v: 3 * v)

    @gpu.jit
    def kernel(out, f=None):
        out[0] = 1 if f is None else f(5)

    out = np.zeros(1)
    for function, wanted in ((twice, 10), (thrice, 15), (None, 1), (twice, 10)):
        kernel[1, 1](out, function)
        assert out[0] == wanted
    kernel[1, 1](out)
    assert out[0] == 1


def test_what_cannot_be_an_argument():
    @gpu.jit
    def kernel(out, f):
        out[0] = 1

    for thing, words in ((kernel, "the kernel"), (lambda v: v, "a plain Python function"), ("text", "str")):
        with pytest.raises(TypeError, match=words):
            kernel[1, 1](np.zeros(1), thing)


def test_items_by_name_and_callable():
    def kernel(out, a, f):
        operator.setitem(out, 1, operator.getitem(a, 2))
        if callable(f) and not callable(a):
            out[0] = math.sumprod((1, f(2)), (3, 4))

    out = np.zeros(2)
    gpu.jit(kernel)[1, 1](out, np.arange(3.0), sq)
    assert list(out) == [19, 2]

import collections

from lanewise import gpu

Point = collections.namedtuple("Point", "x y")


@gpu.jit(device=True)
def f(x, **rest):
    return x


@gpu.jit("void(int64[::1], int64)")
def k(out, n):
    a = [i for i in range(n)]
    b = sum(i for i in range(4) if out[i] > 0)
    c = {i for i in range(3)}
    d = {i: i for i in range(3)}
    e = dict(a=1)
    g = str(n)
    h = hasattr(n, "real")
    j = f(1, scale=2)
    p = Point(1, 2)
    p = p._replace(x=3)
    p.x = 4
    q = [0] * n
    r = sorted(out)
    s = max((), key=f)
    t = Point(1, z=2)
    u = (1, 2).size
    match n:
        case int():
            pass
        case {"a": z}:
            pass
        case ~3:
            pass
        case (1 as v) | (2 as v):
            pass

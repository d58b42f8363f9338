"""The bench kernels for Warp, where it can express them."""

import warp as wp


@wp.kernel
def mandelbrot(out: wp.array(dtype=wp.int32, ndim=2), w: int, h: int, maxit: int):
    y, x = wp.tid()
    cx = -2.0 + float(x) * (3.0 / float(w))
    cy = -1.5 + float(y) * (3.0 / float(h))
    zx = float(cx)
    zy = float(cy)
    n = 0
    for it in range(maxit):
        xx = zx * zx
        yy = zy * zy
        if xx + yy > 4.0:
            break
        zy = 2.0 * zx * zy + cy
        zx = xx - yy + cx
        n += 1
    out[y, x] = n


@wp.func
def cnd(d: float):
    k = 1.0 / (1.0 + 0.2316419 * wp.abs(d))
    w = ((((1.330274429 * k - 1.821255978) * k + 1.781477937) * k - 0.356563782) * k + 0.31938153) * k
    c = 0.39894228 * wp.exp(-0.5 * d * d) * w
    return wp.where(d > 0.0, 1.0 - c, c)


@wp.kernel
def blackscholes(
    call: wp.array(dtype=float), S: wp.array(dtype=float), K: wp.array(dtype=float), T: wp.array(dtype=float)
):
    i = wp.tid()
    r = 0.02
    v = 0.30
    sq = wp.sqrt(T[i])
    d1 = (wp.log(S[i] / K[i]) + (r + 0.5 * v * v) * T[i]) / (v * sq)
    d2 = d1 - v * sq
    call[i] = S[i] * cnd(d1) - K[i] * wp.exp(-r * T[i]) * cnd(d2)


@wp.kernel
def nbody(
    ax: wp.array(dtype=float),
    X: wp.array(dtype=float),
    Y: wp.array(dtype=float),
    Z: wp.array(dtype=float),
    n: int,
):
    i = wp.tid()
    a = 0.0
    for j in range(n):
        dx = X[j] - X[i]
        dy = Y[j] - Y[i]
        dz = Z[j] - Z[i]
        q = 1.0 / wp.sqrt(dx * dx + dy * dy + dz * dz + 1.0e-3)
        a += dx * q * q * q
    ax[i] = a


@wp.kernel
def stencil(out: wp.array(dtype=float, ndim=2), a: wp.array(dtype=float, ndim=2), w: int, h: int):
    y, x = wp.tid()
    c = a[y, x]
    if x > 0 and x < w - 1 and y > 0 and y < h - 1:
        c = 0.25 * (a[y, x - 1] + a[y, x + 1] + a[y - 1, x] + a[y + 1, x])
    out[y, x] = c


@wp.kernel
def saxpy(y: wp.array(dtype=float), x: wp.array(dtype=float), a: float):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


@wp.kernel
def spmv(
    y: wp.array(dtype=float),
    ptr: wp.array(dtype=wp.int32),
    col: wp.array(dtype=wp.int32),
    val: wp.array(dtype=float),
    x: wp.array(dtype=float),
):
    i = wp.tid()
    s = 0.0
    for j in range(ptr[i], ptr[i + 1]):
        s += val[j] * x[col[j]]
    y[i] = s

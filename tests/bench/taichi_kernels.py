"""The bench kernels for Taichi's CPU target, where it can express them."""

import os

import taichi as ti

ti.init(
    arch=ti.cpu,
    cpu_max_num_threads=int(os.environ.get("NUMBA_NUM_THREADS", "1")),
    offline_cache=False,
    log_level=ti.ERROR,
)
f1 = ti.types.ndarray(dtype=ti.f32, ndim=1)
f2 = ti.types.ndarray(dtype=ti.f32, ndim=2)
i1 = ti.types.ndarray(dtype=ti.i32, ndim=1)


@ti.kernel
def mandelbrot(out: ti.types.ndarray(dtype=ti.i32, ndim=2), maxit: ti.i32):
    for y, x in ti.ndrange(out.shape[0], out.shape[1]):
        cx = -2.0 + x * (3.0 / out.shape[1])
        cy = -1.5 + y * (3.0 / out.shape[0])
        zx = cx
        zy = cy
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


@ti.func
def cnd(d):
    k = 1.0 / (1.0 + 0.2316419 * ti.abs(d))
    w = ((((1.330274429 * k - 1.821255978) * k + 1.781477937) * k - 0.356563782) * k + 0.31938153) * k
    c = 0.39894228 * ti.exp(-0.5 * d * d) * w
    return ti.select(d > 0.0, 1.0 - c, c)


@ti.kernel
def blackscholes(call: f1, S: f1, K: f1, T: f1):
    for i in range(call.shape[0]):
        r = 0.02
        v = 0.30
        sq = ti.sqrt(T[i])
        d1 = (ti.log(S[i] / K[i]) + (r + 0.5 * v * v) * T[i]) / (v * sq)
        d2 = d1 - v * sq
        call[i] = S[i] * cnd(d1) - K[i] * ti.exp(-r * T[i]) * cnd(d2)


@ti.kernel
def nbody(ax: f1, X: f1, Y: f1, Z: f1):
    for i in range(ax.shape[0]):
        a = 0.0
        for j in range(ax.shape[0]):
            dx = X[j] - X[i]
            dy = Y[j] - Y[i]
            dz = Z[j] - Z[i]
            q = 1.0 / ti.sqrt(dx * dx + dy * dy + dz * dz + 1e-3)
            a += dx * q * q * q
        ax[i] = a


@ti.kernel
def stencil(out: f2, a: f2):
    for y, x in ti.ndrange(out.shape[0], out.shape[1]):
        c = a[y, x]
        if x > 0 and x < out.shape[1] - 1 and y > 0 and y < out.shape[0] - 1:
            c = 0.25 * (a[y, x - 1] + a[y, x + 1] + a[y - 1, x] + a[y + 1, x])
        out[y, x] = c


@ti.kernel
def saxpy(y: f1, x: f1, a: ti.f32):
    for i in range(y.shape[0]):
        y[i] = a * x[i] + y[i]


@ti.kernel
def spmv(y: f1, ptr: i1, col: i1, val: f1, x: f1):
    for i in range(y.shape[0]):
        s = 0.0
        for j in range(ptr[i], ptr[i + 1]):
            s += val[j] * x[col[j]]
        y[i] = s

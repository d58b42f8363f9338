"""The bench kernels as Numba-CUDA source: what Lanewise, Numba's CUDA target and its simulator run, unchanged.

`define(gpu, **options)` returns a dict name -> kernel, so that the same text serves any module with the decorator;
`options` (fastmath=True, ...) go to every `jit`.
"""

import math

import numpy as np


def define(gpu, **options):
    f32, u32, i32 = np.float32, np.uint32, np.int32

    @gpu.jit(**options)
    def mandelbrot(out, maxit):
        x, y = gpu.grid(2)
        h, w = out.shape
        if x < w and y < h:
            cx = f32(-2.0) + x * (f32(3.0) / w)
            cy = f32(-1.5) + y * (f32(3.0) / h)
            zx = cx
            zy = cy
            n = 0
            for it in range(maxit):
                xx = zx * zx
                yy = zy * zy
                if xx + yy > 4.0:
                    break
                zy = f32(2.0) * zx * zy + cy
                zx = xx - yy + cx
                n += 1
            out[y, x] = n

    @gpu.jit(device=True, **options)
    def cnd(d):
        k = f32(1.0) / (f32(1.0) + f32(0.2316419) * abs(d))
        w = (
            (((f32(1.330274429) * k - f32(1.821255978)) * k + f32(1.781477937)) * k - f32(0.356563782)) * k
            + f32(0.31938153)
        ) * k
        c = f32(0.39894228) * math.exp(f32(-0.5) * d * d) * w
        return f32(1.0) - c if d > 0 else c

    @gpu.jit(**options)
    def blackscholes(call, S, K, T):
        i = gpu.grid(1)
        if i < call.size:
            r = f32(0.02)
            v = f32(0.30)
            s, k, t = S[i], K[i], T[i]
            sq = math.sqrt(t)
            d1 = (math.log(s / k) + (r + f32(0.5) * v * v) * t) / (v * sq)
            d2 = d1 - v * sq
            call[i] = s * cnd(d1) - k * math.exp(-r * t) * cnd(d2)

    @gpu.jit(**options)
    def nbody(ax, X, Y, Z):
        i = gpu.grid(1)
        if i < ax.size:
            x, y, z = X[i], Y[i], Z[i]
            a = f32(0.0)
            for j in range(ax.size):
                dx = X[j] - x
                dy = Y[j] - y
                dz = Z[j] - z
                q = f32(1.0) / math.sqrt(dx * dx + dy * dy + dz * dz + f32(1e-3))
                a += dx * q * q * q
            ax[i] = a

    @gpu.jit(**options)
    def stencil(out, a):
        x, y = gpu.grid(2)
        h, w = a.shape
        if x < w and y < h:
            c = a[y, x]
            if 0 < x < w - 1 and 0 < y < h - 1:
                c = f32(0.25) * (a[y, x - 1] + a[y, x + 1] + a[y - 1, x] + a[y + 1, x])
            out[y, x] = c

    @gpu.jit(**options)
    def saxpy(y, x, a):
        i = gpu.grid(1)
        if i < y.size:
            y[i] = a * x[i] + y[i]

    @gpu.jit(**options)
    def matmul(C, A, B):
        a = gpu.shared.array((16, 16), np.float32)
        b = gpu.shared.array((16, 16), np.float32)
        tx, ty = gpu.threadIdx.x, gpu.threadIdx.y
        x, y = gpu.grid(2)
        s = f32(0.0)
        for t in range(A.shape[1] // 16):
            a[ty, tx] = A[y, t * 16 + tx]
            b[ty, tx] = B[t * 16 + ty, x]
            gpu.syncthreads()
            for k in range(16):
                s += a[ty, k] * b[k, tx]
            gpu.syncthreads()
        C[y, x] = s

    @gpu.jit(**options)
    def blocksum(out, x):
        s = gpu.shared.array(256, np.float32)
        t = gpu.threadIdx.x
        s[t] = x[gpu.grid(1)]
        gpu.syncthreads()
        k = 128
        while k > 0:
            if t < k:
                s[t] += s[t + k]
            gpu.syncthreads()
            k //= 2
        if t == 0:
            out[gpu.blockIdx.x] = s[0]

    @gpu.jit(**options)
    def blocksum_shfl(out, x):
        s = gpu.shared.array(8, np.float32)
        t = gpu.threadIdx.x
        v = x[gpu.grid(1)]
        for d in (16, 8, 4, 2, 1):
            v += gpu.shfl_down_sync(0xFFFFFFFF, v, d)
        if t % 32 == 0:
            s[t // 32] = v
        gpu.syncthreads()
        if t < 32:
            v = s[t] if t < 8 else f32(0.0)
            for d in (4, 2, 1):
                v += gpu.shfl_down_sync(0xFFFFFFFF, v, d)
            if t == 0:
                out[gpu.blockIdx.x] = v

    @gpu.jit(**options)
    def histogram(h, x):
        s = gpu.shared.array(256, np.int32)
        t = gpu.threadIdx.x
        s[t] = 0
        gpu.syncthreads()
        for i in range(gpu.grid(1), x.size, gpu.gridsize(1)):
            gpu.atomic.add(s, x[i], 1)
        gpu.syncthreads()
        gpu.atomic.add(h, t, s[t])

    @gpu.jit(**options)
    def spmv(y, ptr, col, val, x):
        i = gpu.grid(1)
        if i < y.size:
            s = f32(0.0)
            for j in range(ptr[i], ptr[i + 1]):
                s += val[j] * x[col[j]]
            y[i] = s

    @gpu.jit(device=True, **options)
    def grad(x, y, dx, dy):
        h = u32(u32(x) * u32(374761393)) + u32(u32(y) * u32(668265263))
        h = u32(u32(u32(h) ^ (u32(h) >> u32(13))) * u32(1274126177))
        h = u32(h ^ (h >> u32(16))) & u32(7)
        u = dx if h < 4 else dy
        v = dy if h < 4 else dx
        return (-u if h & u32(1) else u) + (f32(-2.0) * v if h & u32(2) else f32(2.0) * v)

    @gpu.jit(**options)
    def noise(out):
        x, y = gpu.grid(2)
        h, w = out.shape
        if x < w and y < h:
            s = f32(0.0)
            amp = f32(0.5)
            fx = f32(x) * f32(0.01)
            fy = f32(y) * f32(0.01)
            for o in range(4):
                gx = f32(math.floor(fx))
                gy = f32(math.floor(fy))
                dx = fx - gx
                dy = fy - gy
                ix = u32(i32(gx))
                iy = u32(i32(gy))
                u = dx * dx * dx * (dx * (dx * f32(6.0) - f32(15.0)) + f32(10.0))
                v = dy * dy * dy * (dy * (dy * f32(6.0) - f32(15.0)) + f32(10.0))
                n00 = grad(ix, iy, dx, dy)
                n10 = grad(ix + u32(1), iy, dx - f32(1.0), dy)
                n01 = grad(ix, iy + u32(1), dx, dy - f32(1.0))
                n11 = grad(ix + u32(1), iy + u32(1), dx - f32(1.0), dy - f32(1.0))
                a = n00 + u * (n10 - n00)
                b = n01 + u * (n11 - n01)
                s += amp * (a + v * (b - a))
                amp *= f32(0.5)
                fx *= f32(2.0)
                fy *= f32(2.0)
            out[y, x] = s

    return {
        k: v for k, v in locals().items() if k not in ("gpu", "options", "f32", "u32", "i32", "cnd", "grad")
    }

import numpy as np
from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[:, ::1], float32[::1, :], int64)")
def assignments(a, b, f, y):
    a[y, :] = 0.5 * (a[y, :] + b[y, :])
    f[...] = a
    a[y, 1:] = a[y, :-1]
    b[1:-1, ::2] += 1
    row = a[y]
    row *= 2


@gpu.jit("void(float32[:, ::1], int32[::1], float64[::1])")
def reductions(m, n, out):
    out[0] = m[0].sum()
    out[1] = n.max()
    out[2] = (m[:, 0] > 1).any()
    out[3] = n.argmin()
    out[4] = m[0] @ m[:, 1]
    out[:2] = m.sum(axis=1)


@gpu.jit("void(float32[:, ::1], float64[::1])")
def views(m, out):
    t = m.reshape(2, -1)
    u = t.transpose(1, 0)[None, ..., 0]
    s = slice(1, 3)
    out[s] = u[0, s]
    z = np.zeros(3)
    out[0] = z[1]

#= kernel assignments(a: float32[:, ::1], b: float32[:, ::1], f: float32[::1, :], y: int64):
#=   .t: float32[::1] = a[y~, :]
#=   .t.1: int = .t.shape0
#=   .t.2: float32[::1] = b[y~, :]
#=   .t.3: int = .t.2.shape0
#=   .t.4: float32[::1] = a[y~, :]
#=   .t.5: int = .t.4.shape0
#=   if eq(.t.1, .t.3):
#=     for .t.6: int in range(0, .t.5, 1):
#=       .t.4[.t.6] = mul(float32(0.5), add(.t[.t.6], .t.2[.t.6]))
#=   else:
#=     report ValueError('`a[y, :]`: extents {} and {} do not go together', .t.1, .t.3)
#=   .t.7: int = a.shape0
#=   .t.8: int = a.shape1
#=   .t.9: int = f.shape0
#=   .t.10: int = f.shape1
#=   if and(eq(.t.7, .t.9), eq(.t.8, .t.10)):
#=     for .t.11: int in range(0, .t.10, 1):
#=       for .t.12: int in range(0, .t.9, 1):
#=         f[.t.12, .t.11] = a[.t.12, .t.11]
#=   else:
#=     if ne(.t.7, .t.9):
#=       report ValueError('`f[...]`: extents {} and {} do not go together', .t.7, .t.9)
#=     if ne(.t.8, .t.10):
#=       report ValueError('`f[...]`: extents {} and {} do not go together', .t.8, .t.10)
#=   .t.13: float32[::1] = a[y~, 1:]
#=   .t.14: float32[::1] = a[y~, :-1]
#=   .t.15: int = .t.14.shape0
#=   .t.16: int = .t.13.shape0
#=   for .t.17: int in range(sub(.t.16, 1), -1, -1):
#=     .t.13[.t.17] = .t.14[.t.17]
#=   .t.18: float32[:, :] = b[1:-1, ::2]
#=   .t.19: int = .t.18.shape0
#=   .t.20: int = .t.18.shape1
#=   .t.21: int = .t.18.shape0
#=   .t.22: int = .t.18.shape1
#=   for .t.23: int in range(0, .t.21, 1):
#=     for .t.24: int in range(0, .t.22, 1):
#=       .t.18[.t.23, .t.24] = add(.t.18[.t.23, .t.24], float32(1.0))
#=   row: float32[::1] = a[y~, :]
#=   .t.25: float32[::1] = row
#=   .t.26: int = .t.25.shape0
#=   .t.27: int = row.shape0
#=   for .t.28: int in range(0, .t.27, 1):
#=     row[.t.28] = mul(.t.25[.t.28], float32(2.0))
#= kernel reductions(m: float32[:, ::1], n: int32[::1], out: float64[::1]):
#=   .t: float32[::1] = m[0, :]
#=   .t.1: int = .t.shape0
#=   .t.2: float32 = float32(0.0)
#=   for .t.3: int in range(0, .t.1, 1):
#=     .t.2: float32 = add(.t.2, .t[.t.3])
#=   out[0] = float64(.t.2)
#=   .t.4: int = n.shape0
#=   .t.5: int32 = int32(-2147483648)
#=   for .t.6: int in range(0, .t.4, 1):
#=     .t.7: int32 = n[.t.6]
#=     .t.5: int32 = select(gt(.t.7, .t.5), .t.7, .t.5)
#=   out[1] = float64(.t.5)
#=   .t.8: float32[:] = m[:, 0]
#=   .t.9: int = .t.8.shape0
#=   .t.10: bool = False
#=   for .t.11: int in range(0, .t.9, 1):
#=     .t.10: bool = or(.t.10, gt(.t.8[.t.11], float32(1.0)))
#=   out[2] = float64(.t.10)
#=   .t.12: int = n.shape0
#=   .t.13: int32 = int32(2147483647)
#=   .t.14: int = 0
#=   for .t.15: int in range(0, .t.12, 1):
#=     .t.16: int32 = n[.t.15]
#=     if lt(.t.16, .t.13):
#=       .t.13: int32 = .t.16
#=       .t.14: int = add(mul(0, .t.12), .t.15)
#=   out[3] = float64(.t.14)
#=   .t.17: float32[::1] = m[0, :]
#=   .t.18: int = .t.17.shape0
#=   .t.19: float32[:] = m[:, 1]
#=   .t.20: int = .t.19.shape0
#=   .t.21: float32 = float32(0.0)
#=   if eq(.t.20, .t.18):
#=     for .t.22: int in range(0, .t.18, 1):
#=       .t.21: float32 = add(.t.21, mul(.t.17[.t.22], .t.19[.t.22]))
#=   else:
#=     report ValueError('`m[0] @ m[:, 1]`: extents {} and {} do not go together', .t.20, .t.18)
#=   out[4] = float64(.t.21)
#=   .t.23: int = m.shape0
#=   .t.24: int = m.shape1
#=   .t.25: float64[::1] = out[:2]
#=   .t.26: int = .t.25.shape0
#=   if eq(.t.23, .t.26):
#=     for .t.27: int in range(0, .t.26, 1):
#=       .t.28: float32 = float32(0.0)
#=       for .t.29: int in range(0, .t.24, 1):
#=         .t.28: float32 = add(.t.28, m[.t.27, .t.29])
#=       .t.25[.t.27] = float64(.t.28)
#=   else:
#=     report ValueError('`out[:2]`: extents {} and {} do not go together', .t.23, .t.26)
#= kernel views(m: float32[:, ::1], out: float64[::1]):
#=   .t: int = floor_div(mul(mul(1, m.shape0), m.shape1), 2)
#=   t: float32[:, ::1] = m.reshape(2, .t)
#=   u: float32[::1, :] = t.T[None, :, 0]
#=   .t.1: float64[::1] = out[1:3]
#=   .t.2: float32[:] = u[0, 1:3]
#=   .t.3: int = .t.2.shape0
#=   .t.4: int = .t.1.shape0
#=   if eq(.t.3, .t.4):
#=     for .t.5: int in range(0, .t.4, 1):
#=       .t.1[.t.5] = float64(.t.2[.t.5])
#=   else:
#=     report ValueError('`out[s]`: extents {} and {} do not go together', .t.3, .t.4)
#=   .t.6: local float64[::1] = local_array<local float64[::1]>(3,)
#=   for .t.7: int in range(0, 3, 1):
#=     .t.6[.t.7] = float64(0.0)
#=   z: local float64[::1] = .t.6
#=   out[0] = z[1]

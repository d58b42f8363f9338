# What a loop can go over. Tuples are unrolled: each turn is a loop of one turn where something jumps out of it.
from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1], int)")
def k(x, m, n):
    for i in range(n):
        x[i] = 0
    for i in range(n, -1, -2):
        x[i] = 1
    for row in m:
        for v in row:
            x[0] += v
    for d in (4, 2, 1):
        x[d] += x[0]
    for d in (4, 2.5):
        if x[0] > d:
            continue
        if x[1] > d:
            break
        x[2] = d
    else:
        x[3] = 1
    for i, v in enumerate(x, 1):
        x[i] = v
    for a, b in zip(x, range(5, 20, 2)):
        x[0] = a * b
    for i in reversed(range(3, n)):
        x[i] = i

#= kernel k(x: float32[::1], m: float32[:, ::1], n: int):
#=   for i: int in range(0, n, 1):
#=     x[i] = float32(0.0)
#=   for i: int in range(n, -1, -2):
#=     x[i] = float32(1.0)
#=   for .t: int in range(0, m.shape0, 1):
#=     row: float32[::1] = m[.t, :]
#=     for .t.1: int in range(0, row.shape0, 1):
#=       v: float32 = row[.t.1]
#=       x[0] = add(x[0], v)
#=   d: int = 4
#=   x[d] = add(x[d], x[0])
#=   d: int = 2
#=   x[d] = add(x[d], x[0])
#=   d: int = 1
#=   x[d] = add(x[d], x[0])
#=   .t.2: bool = False
#=   for .t.5: int in range(0, 1, 1):
#=     for .t.3: int in range(0, 1, 1):
#=       d: int = 4
#=       if gt(x[0], float32(d)):
#=         break
#=       if gt(x[1], float32(d)):
#=         .t.2: bool = True
#=         d.1: float = 4.0
#=         break
#=       x[2] = float32(d)
#=     if .t.2:
#=       break
#=     for .t.4: int in range(0, 1, 1):
#=       d.1: float = 2.5
#=       if gt(x[0], float32(d.1)):
#=         break
#=       if gt(x[1], float32(d.1)):
#=         .t.2: bool = True
#=         break
#=       x[2] = float32(d.1)
#=     if .t.2:
#=       break
#=   else:
#=     x[3] = float32(1.0)
#=   for .t.6: int in range(0, x.shape0, 1):
#=     i: int = add(1, .t.6)
#=     v: float32 = x[.t.6]
#=     x[i] = v
#=   .t.7: int = min(x.shape0, 8)
#=   for .t.8: int in range(0, .t.7, 1):
#=     a: float32 = x[.t.8]
#=     b: int = add(5, mul(.t.8, 2))
#=     x[0] = mul(a, float32(b))
#=   .t.9: int = n
#=   .t.10: int = max(sub(.t.9, 3), 0)
#=   .t.11: int = sub(.t.10, 1)
#=   .t.12: int = max(sub(.t.9, 3), 0)
#=   for .t.13: int in range(0, .t.12, 1):
#=     i: int = add(3, sub(.t.11, .t.13))
#=     x[i] = float32(i)

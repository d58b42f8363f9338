# Where paths meet, types join (language.md 4.6): conversions stand at the ends of the arms, and of the turns
# of loops.
import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[::1], int32[::1], uint8[::1], int)")
def arms(x, i, u, n):
    a = x[0] if n > 0 else 0
    b = u[0] if n > 0 else 256
    c = n if n > 0 else i[0]
    if n > 1:
        d = 1
    elif n > 2:
        d = i[1]
    else:
        d = 0.5
    x[1] = a + b + c + d


@gpu.jit("void(float32[::1], uint8[::1], uint32[::1])")
def loops(x, u, h):
    total = 0
    for i in range(len(u)):
        total += u[i]
    x[0] = total
    hash = np.uint32(2166136261)
    for i in range(len(u)):
        hash = (hash ^ u[i]) * 16777619
    h[0] = hash
    v = 0
    while v < 10:
        v += x[1]
        if v == 3:
            v = 7
            continue
        if v > 5:
            w = 1
            break
    else:
        w = 2.5
    x[2] = v + w


@gpu.jit("void(float32[::1], float32[:], bool)")
def arrays(x, y, flag):
    if flag:
        source = x
    else:
        source = y
    tile = gpu.shared.array(4, np.float32)
    either = tile if flag else x
    x[0] = source[0] + either[1]

#= kernel arms(x: float32[::1], i: int32[::1], u: uint8[::1], n: int):
#=   a: float32 = (x[0] if gt(n, 0) else float32(0.0))
#=   b: int32 = (int32(u[0]) if gt(n, 0) else int32(256))
#=   c: int64 = (n if gt(n, 0) else int64(i[0]))
#=   if gt(n, 1):
#=     d: int = 1
#=     d.3: float64 = float64(1.0)
#=   else:
#=     if gt(n, 2):
#=       d.1: int32 = i[1]
#=       d.3: float64 = float64(d.1)
#=     else:
#=       d.2: float = 0.5
#=       d.3: float64 = float64(0.5)
#=   x[1] = float32(add(float64(add(add(a, float32(b)), float32(c))), d.3))
#= kernel loops(x: float32[::1], u: uint8[::1], h: uint32[::1]):
#=   total: int = 0
#=   total.1: int64 = int64(0)
#=   for i: int in range(0, u.shape0, 1):
#=     total.1: int64 = add(total.1, int64(u[i]))
#=   x[0] = float32(total.1)
#=   hash: uint32 = uint32(2166136261)
#=   for i: int in range(0, u.shape0, 1):
#=     hash: uint32 = mul(xor(hash, uint32(u[i])), uint32(16777619))
#=   h[0] = hash
#=   v: int = 0
#=   v.1: float32 = float32(0.0)
#=   while lt(v.1, float32(10.0)):
#=     v.1: float32 = add(v.1, x[1])
#=     if eq(v.1, float32(3.0)):
#=       v: int = 7
#=       v.1: float32 = float32(7.0)
#=       continue
#=     if gt(v.1, float32(5.0)):
#=       w: int = 1
#=       w.1: float = 1.0
#=       break
#=   else:
#=     w.1: float = 2.5
#=   x[2] = add(v.1, float32(w.1))
#= kernel arrays(x: float32[::1], y: float32[:], flag: bool):
#=   if flag:
#=     source: float32[::1] = x
#=     source.1: float32[:] = convert<float32[:]>(source)
#=   else:
#=     source.1: float32[:] = y
#=   tile: shared float32[::1] = shared_array<shared float32[::1]>(4,)
#=   either: generic float32[::1] = (convert<generic float32[::1]>(tile) if flag else convert<generic float32[::1]>(x))
#=   x[0] = add(source.1[0], either[1])
